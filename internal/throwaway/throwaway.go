// Package throwaway makes temporary folders for processes: for uploads that a node is
// checking, and for all files of test binaries. A process that is killed cannot clean up;
// the next process that makes a folder of the same kind removes its folder.
//
// A folder that may be removed has a mark: a file with the owner's process id and start
// time, which is locked as long as the owner runs. A folder is not removed if it has no
// mark, if the mark is locked, or if its owner or a database server in it still runs.
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

// Folder makes a folder in base whose name begins with prefix, and removes folders that
// dead owners have left behind. An owner must remove its folder itself when it ends; this
// is only for owners that were killed.
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
	// The descriptor stays open on purpose, because closing it would end the lock. A sweeper
	// may have locked the file first for a moment; it does not remove a folder with an empty mark.
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

// Sweep removes the folders in base whose name begins with prefix and whose owners are
// dead. Several sweepers can run at the same time; each folder is removed by one of them.
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

// remove removes a folder if its owner is dead.
func remove(dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, markName), os.O_RDWR, 0) //nolint:gosec // a test named the base
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil // not marked, or the folder of another user
	}
	if err != nil {
		return err //nolint:wrapcheck // Sweep adds the context
	}
	defer func() { _ = file.Close() }() // only its lock counts
	if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return nil // its owner runs, or another sweeper is removing it
	}
	text, err := os.ReadFile(file.Name()) //nolint:gosec // as above
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another sweeper has removed it
	}
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	pid, err := strconv.Atoi(strings.SplitN(string(text), " ", 2)[0])
	if err != nil || identity(pid) == string(text) && alive(pid) || served(dir) {
		return nil // the mark is invalid, or the folder is still in use
	}
	// The mark is removed last, so that the next sweep continues one that was interrupted.
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

// served reports whether a database server runs on a cluster in the folder: on some
// systems a server survives its parent process.
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

// identity identifies a process uniquely: its id, its start time, and the id of the boot
// that the start time is relative to. On systems without /proc it is only the process id.
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

// status returns the fields of /proc/PID/stat, from the state on.
func status(pid int) []string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	// The program's name is in parentheses and may contain any character.
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}
