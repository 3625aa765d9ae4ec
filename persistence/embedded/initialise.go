package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// neededSpace is the space that a new cluster and its first log segments need, with room
// for some data.
const neededSpace = 128 << 20

// clusterMajor returns the release that a cluster was made with, or 0 if there is no
// cluster yet.
func clusterMajor(cluster string) (int, error) {
	raw, err := os.ReadFile(filepath.Join(cluster, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}

	if errors.Is(err, fs.ErrPermission) {
		return 0, fmt.Errorf("the database in %s belongs to another user; start as root or choose another data folder", cluster)
	}

	if err != nil {
		return 0, fmt.Errorf("read the database's release: %w", err)
	}

	major, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		return 0, fmt.Errorf("read the database's release: %w", err)
	}

	return major, nil
}

// initialise creates the cluster. It is created next to its final place and renamed when it
// is complete, so that an interrupted start leaves no incomplete cluster.
func initialise(ctx context.Context, bin binaries, p place) error {
	staged := p.cluster + ".new"
	if err := os.RemoveAll(staged); err != nil {
		return fmt.Errorf("clear %s: %w", staged, err)
	}

	if err := checkSpace(filepath.Dir(p.cluster)); err != nil {
		return err
	}

	out, err := p.initdb(ctx, bin, staged, letters)
	if err != nil && strings.Contains(out, "locale") {
		// Not every machine has this locale, and a database works without it.
		if err := os.RemoveAll(staged); err != nil {
			return fmt.Errorf("make the database's folder: %w", err)
		}
		out, err = p.initdb(ctx, bin, staged, "")
	}
	if err != nil {
		return errors.Join(explain("initdb failed", out, err), os.RemoveAll(staged))
	}

	if err := os.Rename(staged, p.cluster); err != nil {
		return fmt.Errorf("put the new database in its place: %w", err)
	}

	return nil
}

// initdb runs the program of that name and returns its output.
func (p place) initdb(ctx context.Context, bin binaries, staged, letters string) (string, error) {
	if err := os.Mkdir(staged, 0o700); err != nil {
		return "", fmt.Errorf("make the database's folder: %w", err)
	}
	if err := p.owner.give(staged); err != nil {
		return "", err
	}
	//nolint:gosec // the operator says where programs are
	command := exec.CommandContext(ctx, filepath.Join(bin.dir, "initdb"), initArgs(staged, letters)...)
	command.Env = environment(bin.dir)
	command.Dir = "/"
	command.SysProcAttr = p.owner.attributes()
	out, err := command.CombinedOutput()
	return string(out), err
}

// checkSpace refuses at once what would otherwise fail later with a long error.
func checkSpace(dir string) error {
	var status syscall.Statfs_t
	if err := syscall.Statfs(dir, &status); err != nil {
		return fmt.Errorf("look at the disk of %s: %w", dir, err)
	}

	// Block sizes are positive; their type differs between systems.
	if free := status.Bavail * uint64(status.Bsize); free < neededSpace { //nolint:gosec,unconvert // see above
		return fmt.Errorf("the disk is full: %s has %d MB free and a new database takes %d MB", dir, free>>20, neededSpace>>20)
	}

	return nil
}
