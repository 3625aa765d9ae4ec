package workbench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// workerName is the program's file name.
const workerName = "parley-worker"

// findWorker returns the worker program: the configured one, else the one next to this
// program, else the one on PATH.
func findWorker(configured string) (string, error) {
	if configured != "" {
		if _, err := os.Stat(configured); err != nil {
			return "", fmt.Errorf("the worker program %s is not there: %w", configured, err)
		}
		return configured, nil
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), workerName)
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	found, err := exec.LookPath(workerName)
	if err != nil {
		return "", errors.New("the program parley-worker is not next to parley and not on PATH: build it with `make build`")
	}
	return found, nil
}

// launcher starts processes from one thread that never ends. The kernel kills a worker when
// the thread that started it ends, not only when the process ends, and Go may end a thread
// at any time.
type launcher struct {
	starts chan func()
	quit   chan struct{}
	gone   chan struct{}
	// program and way are set by probe before the first worker is used.
	program string
	way     way
}

// newLauncher makes a launcher that does not run yet.
func newLauncher() *launcher {
	return &launcher{starts: make(chan func()), quit: make(chan struct{}), gone: make(chan struct{})}
}

// start begins the thread. The goroutine stays locked to it until stop.
func (l *launcher) start() {
	go func() {
		defer close(l.gone)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for {
			select {
			case f := <-l.starts:
				f()
			case <-l.quit:
				return
			}
		}
	}()
}

// stop ends the thread, and with it the workers that still run.
func (l *launcher) stop() {
	close(l.quit)
	<-l.gone
}

// run starts the command on the launcher's thread.
func (l *launcher) run(cmd *exec.Cmd) error {
	result := make(chan error, 1)
	select {
	case l.starts <- func() { result <- cmd.Start() }:
		return <-result
	case <-l.quit:
		return closedError()
	}
}

// way is how a worker is started: as which user and in which namespaces. Machines allow
// different ways, so probe tries them, beginning with the strongest.
type way struct {
	name string
	// user is the user id to change to, 0 for no change.
	user int
	// isolated reports whether the worker has its own network, without a route.
	isolated bool
	attr     *syscall.SysProcAttr
}

// errWalls is the error for an operator who requires walls that the machine does not allow.
var errWalls = errors.New("this machine allows only some of the walls around queries and files (user namespaces, a filter of " +
	"system calls), and PARLEY_WORKER_WALLS=require demands all of them")

// probe chooses the strongest way that works and logs once which walls are missing.
func (b *Bench) probe(ctx context.Context, program string) error {
	b.launch.program = program
	var failed error
	// A way is tried by starting a worker in it, because a machine tells only then what it allows.
	for _, candidate := range ways() {
		b.launch.way = candidate
		w, err := b.spawn(ctx, queryLimits(b.config.Deadline))
		if err != nil {
			failed = err
			continue
		}
		w.end()
		whole := w.hello.Walls.Root && w.hello.Walls.Calls && candidate.isolated
		// A weaker way than the required one is no success, so the next one is tried and fails as
		// well.
		if b.config.RequireWalls && !whole {
			failed = errWalls
			continue
		}
		attrs := []any{
			slog.String("engine", w.hello.Engine), slog.String("way", candidate.name),
			slog.Bool("ownRoot", w.hello.Walls.Root), slog.Bool("callFilter", w.hello.Walls.Calls),
			slog.Bool("ownNetwork", candidate.isolated), slog.Int("user", w.hello.Walls.User),
		}
		if whole {
			b.config.Log.InfoContext(ctx, "workers are ready", attrs...)
		} else {
			b.config.Log.WarnContext(ctx, "workers are ready, but this machine allows only some of their walls", attrs...)
		}
		return nil
	}
	return fmt.Errorf("start a worker: %w", failed)
}

// spawn starts a worker and waits for its hello.
func (b *Bench) spawn(ctx context.Context, l limits, files ...*os.File) (*worker, error) {
	dir, err := os.MkdirTemp(b.home, "w")
	if err != nil {
		return nil, fmt.Errorf("make a worker's folder: %w", err)
	}
	w := &worker{dir: dir, stderr: &boundedBuffer{}, exited: make(chan struct{})}
	if err := b.openFolder(dir, l); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	// The pipes carry the requests and the answers (connectors/workbench/frame).
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe: %w", err), os.RemoveAll(dir))
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe: %w", err), childIn.Close(), in.Close(), os.RemoveAll(dir))
	}
	w.in, w.out = in, out
	w.cmd = &exec.Cmd{
		Path: b.launch.program, Args: append([]string{workerName}, l.arguments(dir, b.launch.way.user)...),
		Env: []string{}, Dir: dir, Stdin: childIn, Stdout: childOut, Stderr: w.stderr,
		ExtraFiles: files, SysProcAttr: b.launch.way.attr,
		// Another process may keep the worker's stderr open; Wait does not wait for its end.
		WaitDelay: time.Second,
	}
	b.done.Add(1)
	w.finish = b.done.Done
	err = b.launch.run(w.cmd)
	// The child has its own copies of these ends.
	_ = childIn.Close()
	_ = childOut.Close()
	if err != nil {
		b.done.Done()
		return nil, errors.Join(fmt.Errorf("start a worker: %w", err), in.Close(), out.Close(), os.RemoveAll(dir))
	}
	// The goroutine waits for the process, so that it is never left as a zombie.
	go w.reap()
	if err := w.greet(ctx, b.config.Clock); err != nil {
		return nil, err
	}
	return w, nil
}

// openFolder gives the worker's user access to its folder: to read, and to write only if
// the worker may write files at all.
func (b *Bench) openFolder(dir string, l limits) error {
	if b.launch.way.user == 0 {
		return nil
	}
	if l.fileSize > 0 {
		if err := os.Chown(dir, b.launch.way.user, b.launch.way.user); err != nil {
			return fmt.Errorf("give a worker its folder: %w", err)
		}
		return nil
	}
	// The parent folder is closed to all other users.
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // see above
		return fmt.Errorf("open a worker's folder: %w", err)
	}
	return nil
}
