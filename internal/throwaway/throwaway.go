// Package throwaway gives processes folders that do not outlive them for long: nodes
// for uploads that are being looked at, test binaries for all they need. A process
// that is killed cleans nothing up; the next one that makes a folder of the same kind
// does it then.
//
// What may be removed bears a mark: a file with the owner's process and the
// moment at which that began, which is locked as long as the owner lives. What
// has no mark, a lock, an owner that lives or a database server that still runs
// is left alone.
package throwaway

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// markName is the mark's file within a folder.
const markName = ".throwaway"

// Folder makes a folder in base whose name begins with prefix and removes those
// that earlier owners of such folders have left. Removing it is the owner's
// matter; this is for owners that cannot any more.
func Folder(base, prefix string) (string, error) {
	if err := Sweep(base, prefix); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(base, prefix)
	if err != nil {
		return "", fmt.Errorf("make a throwaway folder: %w", err)
	}
	if err := mark(dir, os.Getpid()); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir)) //nolint:gosec // made above
	}
	return dir, nil
}

// mark writes the mark and locks it until this process ends.
func mark(dir string, owner int) error {
	fd, err := syscall.Open(filepath.Join(dir, markName), syscall.O_CREAT|syscall.O_EXCL|syscall.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return fmt.Errorf("mark a throwaway folder: %w", err)
	}
	// The descriptor stays open on purpose: its end is the lock's end. A sweeper that
	// came in between holds it for a moment, and leaves alone what says nothing yet.
	err = syscall.EINTR
	for errors.Is(err, syscall.EINTR) {
		err = syscall.Flock(fd, syscall.LOCK_EX)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("mark a throwaway folder: %w", err), syscall.Close(fd))
	}
	if _, err := syscall.Write(fd, []byte(identity(owner))); err != nil {
		return errors.Join(fmt.Errorf("mark a throwaway folder: %w", err), syscall.Close(fd))
	}
	return nil
}

// Sweep removes the folders in base whose name begins with prefix and whose
// owners are dead. Of several sweepers one removes each.
func Sweep(base, prefix string) error {
	found, err := os.ReadDir(base)
	if err != nil {
		return fmt.Errorf("look for throwaway folders: %w", err)
	}
	for _, entry := range found {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), prefix) {
			continue
		}
		if err := remove(filepath.Join(base, entry.Name())); err != nil {
			return fmt.Errorf("remove a throwaway folder: %w", err)
		}
	}
	return nil
}

// remove removes a folder if nobody can miss it.
func remove(dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, markName), os.O_RDWR, 0) //nolint:gosec // a test named the base
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil // not marked, or somebody else's
	}
	if err != nil {
		return err //nolint:wrapcheck // Sweep says what it was about
	}
	defer func() { _ = file.Close() }() // only its lock counts
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return nil // its owner lives, or another sweeper is at it
	}
	said, err := os.ReadFile(file.Name()) //nolint:gosec // as above
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another sweeper was at it
	}
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	pid, err := strconv.Atoi(strings.SplitN(string(said), " ", 2)[0])
	if err != nil || identity(pid) == string(said) && alive(pid) || served(dir) {
		return nil // a mark that cannot be read marks nothing
	}
	// The mark goes last, so that a sweep that is cut short is taken up again.
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	for _, e := range entries {
		if e.Name() == markName {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil { //nolint:gosec // as above
			return err //nolint:wrapcheck // as above
		}
	}
	return os.RemoveAll(dir) //nolint:gosec,wrapcheck // as above
}

// served reports whether a database server runs on a cluster in the folder: not all
// systems end it with its parent.
func served(dir string) bool {
	for _, depth := range []string{"*", "*/*", "*/*/*"} {
		files, _ := filepath.Glob(filepath.Join(dir, depth, "postmaster.pid")) // the pattern is good
		for _, name := range files {
			text, err := os.ReadFile(name) //nolint:gosec // a test named the base
			if err != nil {
				continue
			}
			line, _, _ := strings.Cut(string(text), "\n")
			if pid, err := strconv.Atoi(line); err == nil && alive(pid) {
				return true
			}
		}
	}
	return false
}

// identity names a process for good: its number, the moment at which it began,
// and the boot since which that counts. Where the system does not tell, the
// number is all there is.
func identity(pid int) string {
	began, boot := "", ""
	if fields := status(pid); len(fields) > 19 {
		began = fields[19]
	}
	if text, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		boot = strings.TrimSpace(string(text))
	}
	return fmt.Sprintf("%d %s %s\n", pid, began, boot)
}

// alive reports whether a process runs.
func alive(pid int) bool {
	if fields := status(pid); len(fields) > 0 {
		return fields[0] != "Z"
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// status gives what Linux says of a process, from its state on.
func status(pid int) []string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	// The program's name stands in parentheses and may hold any character.
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}
