//go:build unix && !linux

package embedded

import "syscall"

// syncFolder flushes all file systems to the disk; there is no narrower call.
func syncFolder(string) error {
	syscall.Sync()
	return nil
}
