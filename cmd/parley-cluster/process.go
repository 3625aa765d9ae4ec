package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// process is a child process.
type process struct {
	cmd *exec.Cmd
	// ended is closed when the process has ended; err, which says how, may be read then.
	ended chan struct{}
	err   error
}

// launch starts a program whose output is added to a log. The program does not get the terminal's Ctrl-C, because
// it is stopped in order.
func launch(program string, args, environment []string, log string) (*process, error) {
	output, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log: %w", err)
	}
	p := &process{cmd: exec.Command(program, args...), ended: make(chan struct{})} //nolint:noctx // stop ends it, in order
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr, p.cmd.SysProcAttr = environment, output, output, attributes()
	started := make(chan error, 1)
	go func() {
		// The signal for orphans is sent when the thread ends that has started the child, so the thread must stay.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.ended)
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
		}
	}()
	// The child has its own descriptor of the log.
	if err := errors.Join(<-started, output.Close()); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	return p, nil
}

// stop asks the process to end, and kills it if it has not ended after the limit. It returns an error if the
// process had to be killed or fails. HAProxy, and a program that has just been started, end by the signal itself.
func (p *process) stop(limit time.Duration) error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop process %d: %w", p.cmd.Process.Pid, err)
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.ended:
	case <-timer.C:
		_ = p.cmd.Process.Kill() // it may have ended just now
		<-p.ended
		return fmt.Errorf("process %d did not end within %s and was killed", p.cmd.Process.Pid, limit)
	}
	if by, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && by.Signaled() && by.Signal() == syscall.SIGTERM {
		return nil
	}
	return p.err
}
