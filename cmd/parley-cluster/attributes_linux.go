package main

import "syscall"

// attributes puts a child process into its own group, and makes the kernel stop it if this process is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
