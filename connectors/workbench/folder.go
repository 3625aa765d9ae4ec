package workbench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// lockName is the file in its folder that a running bench keeps locked.
	lockName = "lock"
	// startTime is much longer than a bench needs to lock a new folder and to give it its name.
	startTime = time.Hour
)

// openHome makes this bench's own folder below dir, and removes the folders of benches that
// have ended: the lock of a process ends with the process, however that ends. Several nodes
// may share dir.
func openHome(dir string) (home string, lock *os.File, err error) {
	if err := os.MkdirAll(dir, privateFolder); err != nil {
		return "", nil, fmt.Errorf("make the workers' folder: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", nil, fmt.Errorf("find the workers' folder: %w", err)
	}
	if err := clearFolders(dir); err != nil {
		return "", nil, err
	}
	// The folder gets its final name only when it is locked, so that no other node finds it unlocked.
	made, err := os.MkdirTemp(dir, "new-")
	if err != nil {
		return "", nil, fmt.Errorf("make the workers' folder: %w", err)
	}
	home = filepath.Join(dir, "bench-"+strings.TrimPrefix(filepath.Base(made), "new-"))
	lock, err = os.OpenFile(filepath.Join(made, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", nil, fmt.Errorf("lock the workers' folder: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return "", nil, errors.Join(fmt.Errorf("lock the workers' folder: %w", err), lock.Close())
	}
	if err := os.Rename(made, home); err != nil {
		return "", nil, errors.Join(fmt.Errorf("name the workers' folder: %w", err), lock.Close())
	}
	return home, lock, nil
}

// clearFolders removes the folders of benches that have ended, also of those that ended before
// their folder had its name.
func clearFolders(dir string) error {
	folders, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("list the workers' folders: %w", err)
	}
	for _, f := range folders {
		folder := filepath.Join(dir, f.Name())
		ended := strings.HasPrefix(f.Name(), "bench-") && abandoned(folder) || strings.HasPrefix(f.Name(), "new-") && neverNamed(f)
		if !ended {
			continue
		}
		if err := os.RemoveAll(folder); err != nil {
			return fmt.Errorf("clear a workers' folder: %w", err)
		}
	}
	return nil
}

// neverNamed reports whether a new folder is so old that no bench can be about to give it its name.
func neverNamed(folder os.DirEntry) bool {
	info, err := folder.Info()
	return err == nil && time.Since(info.ModTime()) > startTime
}

// abandoned reports whether no process holds the lock of a folder.
func abandoned(folder string) bool {
	lock, err := os.Open(filepath.Join(folder, lockName))
	if err != nil {
		return false
	}
	defer func() { _ = lock.Close() }() // releases the lock
	return syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// closeHome removes the bench's folder.
func closeHome(home string, lock *os.File) error {
	return errors.Join(os.RemoveAll(home), lock.Close())
}
