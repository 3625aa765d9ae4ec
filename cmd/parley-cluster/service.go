package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

const (
	// restartPause is the time from the end of a program to its next start.
	restartPause = time.Second
	// startLimit is how long a program may take until it is up. The first node makes the samples.
	startLimit = 3 * time.Minute
	// upPoll is the time between two looks whether it is up, and upTimeout the limit of each.
	upPoll    = 100 * time.Millisecond
	upTimeout = 2 * time.Second
)

// service is a program of the cluster. One goroutine, which runs run, owns its process.
type service struct {
	name    string
	program string
	args    []string
	// environment is added to that of this process.
	environment []string
	log         string
	// stopLimit is how long it may take to stop.
	stopLimit time.Duration
	// isUp reports whether it does its work.
	isUp func(context.Context) bool
	say  func(format string, args ...any)

	// up is closed by await. From then on, an end is followed by a restart and is not an error.
	up chan struct{}
	// done is closed when run has returned; err, its error, may be read then.
	done   chan struct{}
	err    error
	cancel context.CancelFunc
}

// newService makes a service with its log in the data folder.
func newService(o options, name, program string, stopLimit time.Duration, say func(string, ...any)) *service {
	return &service{
		name: name, program: program, log: filepath.Join(o.data, name+".log"), stopLimit: stopLimit, say: say,
		up: make(chan struct{}), done: make(chan struct{}),
	}
}

// start starts the program in the background. It runs until stop, also when ctx has ended.
func (s *service) start(ctx context.Context) {
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(s.done)
		s.err = s.run(ctx)
	}()
}

// run keeps the program running until ctx ends, and then stops it.
func (s *service) run(ctx context.Context) error {
	for {
		p, err := launch(s.program, s.args, append(os.Environ(), s.environment...), s.log)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		s.say("%s is process %d; its log is %s", s.name, p.cmd.Process.Pid, s.log)
		select {
		case <-ctx.Done():
			if err := p.stop(s.stopLimit); err != nil {
				return fmt.Errorf("stop %s, see %s: %w", s.name, s.log, err)
			}
			return nil
		case <-p.ended:
		}
		select {
		case <-s.up:
		default:
			return fmt.Errorf("%s has ended while it was started (%s), see %s", s.name, p.cmd.ProcessState, s.log)
		}
		s.say("%s has ended (%s): starting it again", s.name, p.cmd.ProcessState)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(restartPause):
		}
	}
}

// await returns when the program is up. It returns an error if the program ends before, or is not up in time.
func (s *service) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	poll := time.NewTicker(upPoll)
	defer poll.Stop()
	for !s.isUp(ctx) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not up, see %s: %w", s.name, s.log, ctx.Err())
		case <-s.done:
			return s.err
		case <-poll.C:
		}
	}
	close(s.up)
	return nil
}

// stop stops the program, and returns when it has ended.
func (s *service) stop() error {
	s.cancel()
	<-s.done
	return s.err
}

// answers reports whether a URL is answered with 200.
func answers(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, upTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	_ = response.Body.Close() // only the status matters
	return response.StatusCode == http.StatusOK
}

// accepts reports whether something listens at an address.
func accepts(ctx context.Context, network, address string) bool {
	conn, err := (&net.Dialer{Timeout: upTimeout}).DialContext(ctx, network, address)
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was sent
	return true
}
