package embedded

import "syscall"

// dieWithParent has the kernel ask Postgres for a shutdown in good order when
// the thread that started it ends. The thread is locked for that reason.
func dieWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGINT }
