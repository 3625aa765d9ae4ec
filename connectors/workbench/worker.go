package workbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/internal/clock"
)

const (
	// stderrMax is the maximum size of a worker's stderr that is kept.
	stderrMax = 8 << 10
	// helloTime is generous: a loaded machine starts processes slowly.
	helloTime = 10 * time.Second
	// nobody is the user that workers of a root node run as.
	nobody = 65534
)

// limits of a worker process.
type limits struct {
	// address bounds what is reserved, most of it by the Go runtime, which does not
	// start below 0.9 GB; data bounds what can be used and is the effective limit.
	address, data uint64
	cpu           time.Duration
	files         int
	fileSize      uint64
}

func queryLimits(deadline time.Duration) limits {
	return limits{address: 2 << 30, data: 512 << 20, cpu: deadline + 2*time.Second, files: 64, fileSize: 0}
}

func prepareLimits(deadline time.Duration) limits {
	return limits{address: 4 << 30, data: 2 << 30, cpu: deadline, files: 64, fileSize: 4 << 30}
}

// arguments are read by cmd/parley-worker/sandbox_linux.c.
func (l limits) arguments(root string, user int) []string {
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	return []string{
		"walled", root, strconv.Itoa(user), number(l.address), number(l.data),
		number(uint64(max(1, l.cpu.Round(time.Second)/time.Second))), number(uint64(max(l.files, 0))), number(l.fileSize),
	}
}

// worker is one child process. One goroutine at a time uses it.
type worker struct {
	dir    string
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	stderr *boundedBuffer
	hello  frame.Hello
	exited chan struct{} // closed by reap
	killed atomic.Bool   // by its deadline
	finish func()        // reports to the bench that it has ended
	once   sync.Once
}

// ask sends the request and waits for the reply, at most until the end of the deadline and
// the grace period. When ctx ends the worker is killed at once.
func (w *worker) ask(ctx context.Context, c clock.Clock, deadline time.Duration, request frame.Request) (*frame.Reply, error) {
	timer := c.AfterFunc(deadline+killGrace, func() {
		w.killed.Store(true)
		w.kill()
	})
	defer timer.Stop()
	stop := context.AfterFunc(ctx, w.kill)
	defer stop()
	if err := frame.Write(w.in, request, frame.MaxRequest); err != nil {
		return nil, fmt.Errorf("ask a worker: %w", err)
	}
	var reply frame.Reply
	if err := frame.Read(w.out, &reply, frame.MaxReply); err != nil {
		return nil, fmt.Errorf("worker gave no answer: %w", err)
	}
	if reply.Fault == nil && reply.Result == nil && reply.File == nil && reply.Made == nil && reply.Measured == nil && reply.Planned == nil {
		return nil, errors.New("worker gave an empty answer")
	}
	return &reply, nil
}

// greet reads the hello of a new worker.
func (w *worker) greet(ctx context.Context, c clock.Clock) error {
	timer := c.AfterFunc(helloTime, w.kill)
	defer timer.Stop()
	stop := context.AfterFunc(ctx, w.kill)
	defer stop()
	if err := frame.Read(w.out, &w.hello, frame.MaxReply); err != nil {
		w.end()
		if said := w.said(); said != "" {
			return fmt.Errorf("worker did not start: %s", said)
		}
		return fmt.Errorf("worker did not start: %w", err)
	}
	if w.hello.Version != frame.Version {
		w.end()
		return fmt.Errorf("worker speaks protocol %d and the node %d: build both from one source", w.hello.Version, frame.Version)
	}
	return nil
}

// kill ends the process and all processes that it may have started.
func (w *worker) kill() { killGroup(w.cmd.Process) }

// end kills the process, waits for its end and removes its folder.
func (w *worker) end() {
	w.once.Do(func() {
		w.kill()
		<-w.exited
		_ = w.in.Close()
		_ = w.out.Close()
		_ = os.RemoveAll(w.dir) // the next start of a bench removes it again
		w.finish()
	})
}

// reap waits for the process, so that it does not stay a zombie.
func (w *worker) reap() {
	_ = w.cmd.Wait() // a killed worker is the usual end
	close(w.exited)
}

// late reports whether the deadline killed it.
func (w *worker) late() bool { return w.killed.Load() }

// said ends the process and returns what the worker has written to stderr.
func (w *worker) said() string {
	w.kill()
	<-w.exited
	return strings.TrimSpace(strings.ToValidUTF8(w.stderr.String(), "?"))
}

// boundedBuffer keeps the first bytes and discards the rest. The copying
// goroutine of exec writes it; it is read after the process has exited.
type boundedBuffer struct{ buffer bytes.Buffer }

// Write implements io.Writer and never fails, so that a worker that writes without end is
// not blocked.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	if room := stderrMax - b.buffer.Len(); room > 0 {
		b.buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// String returns what was kept.
func (b *boundedBuffer) String() string { return b.buffer.String() }
