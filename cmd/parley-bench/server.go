package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

const (
	// startLimit is how long a server may take until it is ready.
	startLimit = 2 * time.Minute
	// startLook is how often it is asked meanwhile.
	startLook = 50 * time.Millisecond
	// stopLimit is how long a server may take to end.
	stopLimit = 30 * time.Second
)

// server is a process of the product that is measured.
type server struct {
	url   string
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended
	err   error         // how; written before ended is closed
}

// startServer starts a node and waits until it is ready. It is given this program's
// environment and further variables.
func (p *program) startServer(ctx context.Context, path string, environment ...string) (*server, error) {
	operator := p.setting("PARLEY_OPERATOR_ADDR", "localhost:8081")
	s := &server{url: "http://" + p.setting("PARLEY_ADDR", "localhost:8080"), ended: make(chan struct{})}
	s.cmd = exec.Command(path, "serve") //nolint:noctx // stop ends it in good order
	s.cmd.Env = slices.Concat(p.environment, []string{"PARLEY_DRAIN_SECONDS=1"}, environment)
	s.cmd.Stdout, s.cmd.Stderr = p.stderr, p.stderr
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	go func() {
		s.err = s.cmd.Wait()
		close(s.ended)
	}()
	if err := s.await(ctx, "http://"+operator+"/readyz"); err != nil {
		return nil, stopped(ctx, err, s.stop)
	}
	return s, nil
}

// await asks until the server is ready.
func (s *server) await(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		if ready(ctx, url) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server is not ready: %w", ctx.Err())
		case <-s.ended:
			return errors.New("the server has ended while it was started")
		case <-time.After(startLook):
		}
	}
}

func ready(ctx context.Context, url string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	_ = answer.Body.Close() // only the status counts
	return answer.StatusCode == http.StatusOK
}

// stop ends the process in good order, and by force when ctx ends before that.
func (s *server) stop(ctx context.Context) error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop the server: %w", err)
	}
	select {
	case <-s.ended:
	case <-ctx.Done():
		_ = s.cmd.Process.Kill() // it may end at this moment
		<-s.ended
	}
	if s.err != nil {
		return fmt.Errorf("the server: %w", s.err)
	}
	return nil
}

// stopped stops something, also when ctx has ended, and joins the errors.
func stopped(ctx context.Context, err error, stop func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
	defer cancel()
	return errors.Join(err, stop(ctx))
}
