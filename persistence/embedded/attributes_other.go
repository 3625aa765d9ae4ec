//go:build unix && !linux

package embedded

import "syscall"

// dieWithParent can do nothing here: other systems do not notify children. The
// next start finds the left-over server and stops it.
func dieWithParent(*syscall.SysProcAttr) {}
