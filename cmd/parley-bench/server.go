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
	// startLimit is how long a server may take to become ready.
	startLimit = 2 * time.Minute
	// startPoll is the interval between the checks whether it is ready.
	startPoll = 50 * time.Millisecond
	// stopLimit is how long a server may take to stop.
	stopLimit = 30 * time.Second
)

// server is a process of the product.
type server struct {
	url   string
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended
	err   error         // result of the process; written before ended is closed
}

// startServer starts a node and waits until it is ready. The node has this program's
// environment and further variables.
func (p *program) startServer(ctx context.Context, path string, environment ...string) (*server, error) {
	operator := p.setting("PARLEY_OPERATOR_ADDR", "localhost:8081")
	s := &server{url: "http://" + p.setting("PARLEY_ADDR", "localhost:8080"), ended: make(chan struct{})}
	s.cmd = exec.Command(path, "serve") //nolint:noctx // stop shuts it down gracefully
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

// await polls until the server is ready.
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
		case <-time.After(startPoll):
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
	_ = answer.Body.Close() // only the status matters
	return answer.StatusCode == http.StatusOK
}

// stop shuts the process down gracefully, and kills it if ctx ends before.
func (s *server) stop(ctx context.Context) error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop the server: %w", err)
	}
	select {
	case <-s.ended:
	case <-ctx.Done():
		_ = s.cmd.Process.Kill() // an error means that it has just ended
		<-s.ended
	}
	if s.err != nil {
		return fmt.Errorf("the server: %w", s.err)
	}
	return nil
}

// stopped calls stop, even if ctx has ended, and joins the errors.
func stopped(ctx context.Context, err error, stop func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
	defer cancel()
	return errors.Join(err, stop(ctx))
}
