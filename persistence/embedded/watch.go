package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// startLimit covers the recovery after a crash of a busy server.
	startLimit = 2 * time.Minute

	// restartLimit is how many crashes in a row are followed by a restart. A server that
	// has run for steadyTime counts as restored.
	restartLimit = 5
	steadyTime   = time.Minute
)

// postmaster is one run of the server's process.
type postmaster struct {
	pid int

	// exited is closed when the process has ended and Wait has returned. err is
	// written before that and read after it.
	exited chan struct{}
	err    error
}

// spawn starts the process on its own thread, which lives as long as the process: the
// kernel treats the end of the thread as the end of the parent.
func (s *Server) spawn() (*postmaster, error) {
	p := &postmaster{exited: make(chan struct{})}
	started := make(chan error, 1)

	go s.run(p, started)

	if err := <-started; err != nil {
		return nil, fmt.Errorf("start Postgres: %w", err)
	}

	return p, nil
}

// run is the body of the thread that spawn starts. It never unlocks the thread, so that the
// thread ends with it.
func (s *Server) run(p *postmaster, started chan<- error) {
	runtime.LockOSThread()

	args := commandLine(s.binaries.dir, s.place.cluster, s.socketDir, s.place.name, s.throwaway, s.further)
	//nolint:noctx,gosec // it outlives the context of the start; the operator says where programs are
	command := exec.Command(args[0], args[1:]...)
	command.Env = environment(s.binaries.dir)
	command.Dir = "/"
	command.Stdout = s.log.file
	command.Stderr = s.log.file
	command.SysProcAttr = s.place.owner.attributes()
	dieWithParent(command.SysProcAttr)

	if err := command.Start(); err != nil {
		started <- err
		return
	}

	p.pid = command.Process.Pid
	started <- nil

	p.err = command.Wait()
	close(p.exited)
}

// launch starts the process and waits until it accepts connections.
func (s *Server) launch(ctx context.Context) (*postmaster, error) {
	p, err := s.spawn()
	if err != nil {
		return nil, err
	}

	err = waitUntil(ctx, startLimit, func() (bool, error) {
		select {
		case <-p.exited:
			return false, explain("Postgres does not start", s.log.sinceStart(), p.err)
		default:
		}

		connection, err := pgx.Connect(ctx, s.AdminURL(adminName))
		if err != nil {
			// Not yet: no socket, or still recovering. If the process ends, the check above reports it.
			return false, nil //nolint:nilerr // see above
		}

		return true, connection.Close(ctx)
	})
	if err != nil {
		return nil, errors.Join(err, p.stop(context.WithoutCancel(ctx)))
	}

	return p, nil
}

// provision makes the product's role and database unless they exist.
func (s *Server) provision(ctx context.Context) error {
	connection, err := pgx.Connect(ctx, s.AdminURL(adminName))
	if err != nil {
		return fmt.Errorf("sign in to the new server: %w", err)
	}
	defer connection.Close(context.WithoutCancel(ctx))

	var role, database bool
	if err := connection.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1), EXISTS (SELECT FROM pg_database WHERE "+
		"datname = $2)",
		roleName, databaseName).Scan(&role, &database); err != nil {
		return fmt.Errorf("prepare the server: %w", err)
	}

	var steps []string
	if !role {
		// Migrations make the roles that the product's pools switch to.
		steps = append(steps, "CREATE ROLE "+roleName+" LOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE")
	}

	if !database {
		steps = append(steps, "CREATE DATABASE "+databaseName+" OWNER "+roleName)
	}

	for _, step := range steps {
		if _, err := connection.Exec(ctx, step); err != nil {
			return fmt.Errorf("prepare the server: %w", err)
		}
	}

	return nil
}

// stop ends the process: with an orderly shutdown, at once when ctx ends, and finally by
// force, which Postgres's children notice by themselves.
func (p *postmaster) stop(ctx context.Context) error {
	patience := ctx.Done()

	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		select {
		case <-p.exited:
			return nil
		default:
		}

		// The process is a child of this one and Wait has not returned yet: its number
		// cannot belong to another process.
		if err := syscall.Kill(p.pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("stop Postgres: %w", err)
		}

		select {
		case <-p.exited:
			return nil
		case <-patience:
			patience = after(firmLimit)
		}
	}

	return errors.New("stop Postgres: it does not end")
}

// after is closed when d has passed.
func after(d time.Duration) <-chan struct{} {
	passed := make(chan struct{})
	time.AfterFunc(d, func() { close(passed) })

	return passed
}

// watch restarts the server when it crashes, and ends when the server is stopped or crashes
// too often.
func (s *Server) watch(p *postmaster) {
	defer close(s.done)

	ctx := context.Background()

	for falls := 0; ; {
		steady := after(steadyTime)
		<-p.exited

		if s.signalled() {
			s.err = s.release()
			return
		}

		select {
		case <-steady:
			falls = 0
		default:
		}

		// A restart can fail for a reason that passes, and counts as a fall then: the server is killed again while it
		// recovers, or a child of the killed one waits for a busy disk and does not end in time.
		for why := p.err; ; {
			falls++
			s.logger.LogAttrs(ctx, slog.LevelError, "the embedded database server fell over", slog.Any("error", why), slog.Int("falls", falls))

			next, err := s.revive(ctx, falls)
			if err == nil {
				p = next
				break
			}

			if falls > restartLimit || s.signalled() {
				s.err = errors.Join(fmt.Errorf("embedded Postgres: %w", err), s.release())
				return
			}

			why = err
		}
	}
}

// revive starts the server again on the same socket.
func (s *Server) revive(ctx context.Context, falls int) (*postmaster, error) {
	if falls > restartLimit {
		return nil, explain("it falls over again and again", s.log.sinceStart(), errors.New("see its log"))
	}

	if err := endPrevious(ctx, s.logger, s.place.name, s.place.cluster); err != nil {
		return nil, err
	}

	next, err := s.launch(ctx)
	if err != nil {
		return nil, err
	}

	s.mu.Lock()
	s.current = next
	s.mu.Unlock()

	// Stop may have been called since the crash, and have seen only the old process.
	if s.signalled() {
		return next, next.stop(ctx)
	}

	s.logger.LogAttrs(ctx, slog.LevelInfo, "the embedded database server is back", slog.Int("pid", next.pid))

	return next, nil
}
