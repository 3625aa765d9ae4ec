package embedded

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// place is the folders of a cluster.
type place struct {
	// dataDir is the folder that the caller named, with links resolved.
	dataDir string

	// cluster is the data directory of Postgres.
	cluster string

	// name is short and the same for the same cluster. It names the socket's folder and
	// appears in the titles of the server's processes.
	name string

	// owner is the user that Postgres runs as.
	owner account
}

// newPlace decides where the cluster is and who owns it.
func newPlace(cfg Config) (place, error) {
	dataDir, err := filepath.EvalSymlinks(cfg.DataDir)
	if err != nil {
		return place{}, fmt.Errorf("data folder: %w", err)
	}

	if dataDir, err = filepath.Abs(dataDir); err != nil {
		return place{}, fmt.Errorf("data folder: %w", err)
	}

	p := place{dataDir: dataDir, cluster: filepath.Join(dataDir, "postgres"), name: "parley-" + shortHash(dataDir)}

	if p.owner, err = chooseAccount(p.cluster); err != nil {
		return place{}, err
	}

	if p.owner.canReach(dataDir) {
		return p, nil
	}

	home, err := privatePlace(cfg.FallbackDir, p.dataDir, p.owner, 0o711)
	if err != nil {
		return place{}, err
	}

	p.cluster = filepath.Join(home, "postgres")

	return p, nil
}

// home is the folder that contains the cluster.
func (p place) home() string { return filepath.Dir(p.cluster) }

// moved reports whether the cluster is outside the data folder.
func (p place) moved() bool { return p.home() != p.dataDir }

// link makes the link from the data folder to a moved cluster and moves aside or copies
// what was in either place before. It is called while both places are locked and no server
// uses the cluster.
func (p place) link(ctx context.Context, cfg Config) error {
	link := filepath.Join(p.dataDir, "postgres")

	info, err := os.Lstat(link)

	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The link is made before the cluster. If there is no link, a person has emptied
		// the data folder for a fresh start, and the old cluster must not be used again.
		err = setAside(p.cluster)
	case err != nil:
	case info.Mode()&fs.ModeSymlink != 0:
		var old string
		if old, err = os.Readlink(link); err == nil && old == p.cluster {
			return nil
		}

		err = errors.Join(err, os.Remove(link))
	default:
		err = p.moveOut(ctx, cfg, link)
	}

	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}

	if err := os.Symlink(p.cluster, link); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}

	return nil
}

// moveOut copies a cluster from a time when the data folder could be reached.
// The original is renamed rather than deleted.
func (p place) moveOut(ctx context.Context, cfg Config, from string) error {
	if err := endPrevious(ctx, cfg.Logger, p.name, from); err != nil {
		return err
	}

	if err := setAside(p.cluster); err != nil {
		return err
	}

	if err := copyTree(from, p.cluster, p.owner); err != nil {
		return fmt.Errorf("move the database out of a folder closed to %s: %w", p.owner.name, err)
	}

	return setAside(from)
}

// setAside renames a folder, if there is one, and replaces an earlier one that was set
// aside.
func setAside(dir string) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	aside := dir + ".old"
	if err := os.RemoveAll(aside); err != nil {
		return fmt.Errorf("set %s aside: %w", dir, err)
	}

	if err := os.Rename(dir, aside); err != nil {
		return fmt.Errorf("set %s aside: %w", dir, err)
	}

	return nil
}

// privatePlace makes the folder under base that belongs to source. Other users may write to
// base, so a folder that another user created there is refused.
func privatePlace(base, source string, owner account, mode fs.FileMode) (string, error) {
	return ownFolder(filepath.Join(base, "parley-"+shortHash(source)), owner, mode)
}

// ownFolder creates dir, or checks that an existing one belongs to this process's user or
// to owner, and that others may not write to it.
func ownFolder(dir string, owner account, mode fs.FileMode) (string, error) {
	err := os.Mkdir(dir, mode)
	if err == nil {
		// The umask may have taken bits that the owner needs.
		if err := os.Chmod(dir, mode); err != nil {
			return "", fmt.Errorf("make %s: %w", dir, err)
		}

		return dir, owner.give(dir)
	}

	if !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("make %s: %w", dir, err)
	}

	info, err := os.Lstat(dir)
	if err != nil {
		return "", fmt.Errorf("make %s: %w", dir, err)
	}

	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || info.Mode().Perm()&0o022 != 0 {
		return "", fmt.Errorf("%s is in the way: not a folder closed to others; remove it", dir)
	}

	if uid := int(status.Uid); uid != owner.uid && uid != os.Geteuid() {
		return "", fmt.Errorf("%s is in the way: it belongs to user %d; remove it", dir, uid)
	}

	return dir, nil
}

// shortHash is the part of a hash that is enough to distinguish the folders of one machine.
func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:5])
}

// copyTree copies folders, files and links from one place to another and makes owner their
// owner. It copies to a folder next to the target and renames it at the end, so that a copy
// is complete or absent.
func copyTree(from, to string, owner account) error {
	staged := to + ".new"
	if err := os.RemoveAll(staged); err != nil {
		return fmt.Errorf("clear %s: %w", staged, err)
	}

	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		relative, err := filepath.Rel(from, path)
		if err != nil {
			return fmt.Errorf("copy %s: %w", path, err)
		}

		target := filepath.Join(staged, relative)
		if err := copyEntry(path, target, entry); err != nil {
			return err
		}

		return owner.give(target)
	})
	if err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}

	if err := os.Rename(staged, to); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}

	return nil
}

// copyEntry copies one folder (without its content), link or file.
func copyEntry(path, target string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return fmt.Errorf("copy %s: %w", path, err)
	}

	switch mode := info.Mode(); {
	case mode.IsDir():
		err = os.Mkdir(target, mode.Perm())
	case mode&fs.ModeSymlink != 0:
		var destination string
		if destination, err = os.Readlink(path); err == nil {
			err = os.Symlink(destination, target)
		}
	case mode.IsRegular():
		err = copyFile(path, target, mode.Perm())
	}

	if err != nil {
		return fmt.Errorf("copy %s: %w", path, err)
	}

	return nil
}

// copyFile copies one file and returns also the error of closing it, by which a full disk
// is detected.
func copyFile(path, target string, mode fs.FileMode) error {
	in, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	defer in.Close()

	out, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}

	_, err = io.Copy(out, in)

	return errors.Join(err, out.Close())
}

// isReadOnly reports whether err is that of a file system that accepts no writes.
func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
