package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lockTimeout covers the moment in which a killed process still holds its locks.
const lockTimeout = 2 * time.Second

// lock locks the data folder for this process. The system releases the lock when the
// process ends, however it ends.
func lock(ctx context.Context, path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}

	err = hold(ctx, file)
	if err != nil {
		holder := make([]byte, 32)
		n, _ := file.ReadAt(holder, 0)
		_ = file.Close()

		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return nil, fmt.Errorf("the data folder is in use by process %s", strings.TrimSpace(string(holder[:n])))
		}

		return nil, fmt.Errorf("lock %s: %w", path, err)
	}

	// The number only serves the message above.
	if err := errors.Join(file.Truncate(0), writePID(file)); err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", path, err), file.Close())
	}

	return file, nil
}

// lockFolder locks a folder itself for this process, which also prevents a cleanup of
// /var/tmp from deleting it.
func lockFolder(ctx context.Context, dir string) (*os.File, error) {
	folder, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}

	if err := hold(ctx, folder); err != nil {
		return nil, errors.Join(fmt.Errorf("the database in %s is in use by another process: %w", dir, err), folder.Close())
	}

	return folder, nil
}

// hold waits for the system's lock on an open file.
func hold(ctx context.Context, file *os.File) error {
	return waitUntil(ctx, lockTimeout, func() (bool, error) {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return false, nil
		}

		if err != nil {
			return false, fmt.Errorf("take the lock: %w", err)
		}

		return true, nil
	})
}

func writePID(file *os.File) error {
	_, err := file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err //nolint:wrapcheck // wrapped by the only caller
}
