package workbench

import (
	"os"
	"syscall"
)

// ways lists how workers can be started here, the strongest first.
func ways() []way {
	attr := func(flags uintptr) *syscall.SysProcAttr {
		// Pdeathsig ends a worker with the thread that started it (launcher), and the process group
		// lets one signal end all of its processes.
		return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, Cloneflags: flags}
	}
	const alone = syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS | syscall.CLONE_NEWPID
	if os.Getuid() == 0 {
		return []way{
			{name: "nobody in namespaces", user: nobody, isolated: true, attr: attr(alone)},
			{name: "nobody", user: nobody, attr: attr(0)},
			{name: "plain", attr: attr(0)},
		}
	}
	// Inside its namespace the worker is root, which it needs to make its own root folder; outside
	// it is this process's user.
	mapped := attr(alone | syscall.CLONE_NEWUSER)
	mapped.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	mapped.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	return []way{
		{name: "own namespaces", isolated: true, attr: mapped},
		{name: "plain", attr: attr(0)},
	}
}

// killGroup kills a process and its process group.
func killGroup(p *os.Process) {
	// An error means that the process has ended already.
	_ = p.Kill()
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}

// lowerPriority gives a worker less of the processor than the others get, with all of its threads. Where the machine does
// not allow it, the worker runs like the others.
func lowerPriority(p *os.Process) {
	const nice = 10
	_ = syscall.Setpriority(syscall.PRIO_PGRP, p.Pid, nice)
}
