package embedded

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// syncFolder flushes the file system of dir to the disk.
// syncfs(2) flushes all files of the file system, also those that another process has written, and
// returns when they are on the disk.
func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("open %s: %w", dir, err)
	}
	defer folder.Close()

	if err := unix.Syncfs(int(folder.Fd())); err != nil {
		return fmt.Errorf("flush %s: %w", dir, err)
	}

	return nil
}
