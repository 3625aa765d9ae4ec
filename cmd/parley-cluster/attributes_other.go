//go:build unix && !linux

package main

import "syscall"

// attributes puts a child process into its own group. Only Linux tells children that their parent was killed.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
