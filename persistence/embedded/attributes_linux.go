package embedded

import "syscall"

// dieWithParent makes the kernel ask Postgres for an orderly shutdown when
// the thread that started it ends. The thread is locked for that reason.
func dieWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGINT }
