// Package redistest starts a real redis-server for tests, and a proxy that breaks the
// way to it in every manner that a network knows.
package redistest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Server is a redis-server on a free port of the loopback, without files.
type Server struct {
	Addr string

	dir    string
	binary string
	cmd    *exec.Cmd
	ended  chan struct{}
}

// Binary finds redis-server: named by REDIS_SERVER, on the PATH, or where
// scripts/doctor put one. Empty: there is none.
func Binary() string {
	if name := os.Getenv("REDIS_SERVER"); name != "" {
		return name
	}
	if name, err := exec.LookPath("redis-server"); err == nil {
		return name
	}
	fetched := filepath.Join(root(), "tmp", "redis", "redis-server")
	if _, err := os.Stat(fetched); err == nil {
		return fetched
	}
	return ""
}

// root is the folder of the module that a test runs in: tests begin in the folder of
// their package.
func root() string {
	dir, err := filepath.Abs(".")
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	return dir
}

// Start starts a server that ends with the test. Without redis-server the test is
// skipped, which its output says.
func Start(tb testing.TB) *Server {
	tb.Helper()
	s, err := Run(tb.TempDir())
	if errors.Is(err, ErrNone) {
		tb.Skip(err.Error())
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Stop)
	return s
}

// ErrNone says that there is no redis-server on this machine.
var ErrNone = errors.New("NOT TRIED over a real Redis: redis-server is not installed (apt-get install redis-server, or name one in " +
	"REDIS_SERVER)")

// Run starts a server whose folder is dir; the caller stops it.
func Run(dir string) (*Server, error) {
	s := &Server{dir: dir, binary: Binary()}
	if s.binary == "" {
		return nil, ErrNone
	}
	// The port may be taken between its choice and the start.
	var err error
	for range 5 {
		if s.Addr, err = freeAddr(); err != nil {
			return nil, err
		}
		if err = s.start(); err == nil {
			return s, nil
		}
	}
	return nil, err
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // closed at once
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}

func (s *Server) start() error {
	_, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return fmt.Errorf("the address of Redis: %w", err)
	}
	//nolint:gosec,noctx // the tests' own program, which outlives no test binary
	s.cmd = exec.Command(s.binary, "--port", port, "--bind", "127.0.0.1", "--dir", s.dir, "--save", "", "--appendonly", "no",
		"--logfile", filepath.Join(s.dir, "redis.log"), "--daemonize", "no", "--protected-mode", "yes")
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error, 1)
	ended := make(chan struct{})
	s.ended = ended
	go func() {
		// The signal at a parent's death is that of the thread that started the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(ended)
		err := s.cmd.Start()
		started <- err
		if err == nil {
			_ = s.cmd.Wait() // it ends by a signal of ours
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	return s.await()
}

// await waits until the server takes commands, or has ended.
func (s *Server) await() error {
	c := s.Client(0)
	defer func() { _ = c.Close() }() // a connection of this test alone
	for {
		if err := c.Ping(context.Background()).Err(); err == nil {
			return nil
		}
		select {
		case <-s.ended:
			log, _ := os.ReadFile(filepath.Join(s.dir, "redis.log"))
			return fmt.Errorf("redis-server ended at once: %s", log) //nolint:err113 // a fault of the machine
		default:
		}
	}
}

// Stop ends the server as a lost machine does.
func (s *Server) Stop() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.ended
}

// Restart begins a server on the same port, with nothing in it.
func (s *Server) Restart() error { return s.start() }

// URL names a database of the server.
func (s *Server) URL(database int) string { return URL(s.Addr, database) }

// URL names a database at an address.
func URL(addr string, database int) string { return fmt.Sprintf("redis://%s/%d", addr, database) }

// Client speaks to the server directly.
func (s *Server) Client(database int) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: s.Addr, DB: database})
}
