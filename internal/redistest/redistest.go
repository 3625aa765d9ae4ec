// Package redistest starts a real redis-server for tests, and a proxy that simulates failures
// of the network to it.
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

// Server is a redis-server on a free loopback port, without persistence.
type Server struct {
	Addr string

	dir    string
	binary string
	cmd    *exec.Cmd
	ended  chan struct{}
}

// Binary finds redis-server: the one that REDIS_SERVER names, on the PATH, or where
// scripts/doctor has installed it. It returns "" if there is no redis-server.
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

// root returns the folder of the module; a test starts in the folder of its package.
func root() string {
	dir, err := filepath.Abs(".")
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	return dir
}

// Start starts a server and stops it at the end of the test. Without redis-server the test
// is skipped with a message.
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

// ErrNone means that there is no redis-server on this machine.
var ErrNone = errors.New("NOT TRIED over a real Redis: redis-server is not installed (apt-get install redis-server, or name one in " +
	"REDIS_SERVER)")

// Run starts a server with its files in dir; the caller must stop it.
func Run(dir string) (*Server, error) {
	s := &Server{dir: dir, binary: Binary()}
	if s.binary == "" {
		return nil, ErrNone
	}
	// Another process may take the port before the server opens it.
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
	//nolint:gosec,noctx // the program is chosen by the tests, and ends with the test binary
	s.cmd = exec.Command(s.binary, "--port", port, "--bind", "127.0.0.1", "--dir", s.dir, "--save", "", "--appendonly", "no",
		"--logfile", filepath.Join(s.dir, "redis.log"), "--daemonize", "no", "--protected-mode", "yes")
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error, 1)
	ended := make(chan struct{})
	s.ended = ended
	go func() {
		// Pdeathsig is sent when the thread that started the child ends, so the thread must not end.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(ended)
		err := s.cmd.Start()
		started <- err
		if err == nil {
			_ = s.cmd.Wait() // it always ends by our signal
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	return s.await()
}

// await waits until the server accepts commands, or has ended.
func (s *Server) await() error {
	c := s.Client(0)
	defer func() { _ = c.Close() }() // only this function uses the connection
	for {
		if err := c.Ping(context.Background()).Err(); err == nil {
			return nil
		}
		select {
		case <-s.ended:
			log, _ := os.ReadFile(filepath.Join(s.dir, "redis.log"))
			return fmt.Errorf("redis-server ended at once: %s", log) //nolint:err113 // no caller handles this error
		default:
		}
	}
}

// Stop kills the server, as if its machine were lost.
func (s *Server) Stop() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.ended
}

// Restart starts a server on the same port, without data.
func (s *Server) Restart() error { return s.start() }

// URL is the URL of a database of the server.
func (s *Server) URL(database int) string { return URL(s.Addr, database) }

// URL is the URL of a database at an address.
func URL(addr string, database int) string { return fmt.Sprintf("redis://%s/%d", addr, database) }

// Client makes a client that connects to the server directly.
func (s *Server) Client(database int) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: s.Addr, DB: database})
}
