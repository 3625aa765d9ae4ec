package partitiontest

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// connectTimeout is how long a process may take to accept a connection of its proxy.
const connectTimeout = 5 * time.Second

// pair is a direction between two processes, with their names.
type pair struct{ from, to string }

// Network connects the processes of one test.
type Network struct {
	tb testing.TB

	// mu guards the fields below.
	mu        sync.Mutex
	processes map[string]int // the process ids by their names
	cut       map[pair]bool
	// changed is closed, and replaced, with each change of cut.
	changed chan struct{}
	open    map[net.Conn]struct{}
	closed  bool
	// passed counts the bytes of each direction.
	passed map[pair]int64

	running sync.WaitGroup
}

// New makes a network that ends with the test.
func New(tb testing.TB) *Network {
	tb.Helper()
	n := &Network{
		tb: tb, processes: map[string]int{}, cut: map[pair]bool{}, changed: make(chan struct{}), open: map[net.Conn]struct{}{},
		passed: map[pair]int64{},
	}
	tb.Cleanup(n.end)
	return n
}

// Proxy puts a proxy in front of the address of a process, and returns the proxy's address.
func (n *Network) Proxy(to, address string) string {
	n.tb.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(n.tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(n.tb, err)
	n.tb.Cleanup(func() { _ = l.Close() })
	n.running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			n.running.Go(func() { n.carry(conn, to, address) })
		}
	})
	return l.Addr().String()
}

// Know tells which process has a name. Connections of unknown processes are closed.
func (n *Network) Know(name string, pid int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.processes[name] = pid
}

// Cut lets the bytes from one process to another wait, from now on.
func (n *Network) Cut(from, to string) { n.set(from, to, true) }

// Heal delivers what waits in a direction, and lets all that follows pass.
func (n *Network) Heal(from, to string) { n.set(from, to, false) }

// Passed is the number of bytes that were delivered from one process to another.
func (n *Network) Passed(from, to string) int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.passed[pair{from, to}]
}

func (n *Network) set(from, to string, cut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut[pair{from, to}] = cut
	close(n.changed)
	n.changed = make(chan struct{})
}

// carry passes the bytes of a connection in both directions until both have ended.
func (n *Network) carry(conn net.Conn, to, address string) {
	defer n.forget(conn)
	if !n.keep(conn) {
		return
	}
	from, ok := n.source(conn)
	// A packet that asks for a connection needs the way there, and its answer the way back.
	if !ok || !n.await(pair{from, to}) || !n.await(pair{to, from}) {
		return
	}
	dialer := net.Dialer{Timeout: connectTimeout}
	far, err := dialer.DialContext(context.Background(), "tcp", address)
	if err != nil {
		return // the process has ended, so its proxy closes the connection
	}
	defer n.forget(far)
	if !n.keep(far) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { n.pass(far, conn, pair{from, to}) })
	both.Go(func() { n.pass(conn, far, pair{to, from}) })
	both.Wait()
}

// pass copies one direction of a connection. The end of the bytes waits like the bytes.
func (n *Network) pass(to, from net.Conn, p pair) {
	buffer := make([]byte, 32<<10)
	for {
		count, err := from.Read(buffer)
		if !n.await(p) {
			return
		}
		if count > 0 {
			if _, err := to.Write(buffer[:count]); err != nil {
				_ = from.Close() // the reader is gone, so the writer is told
				return
			}
			n.mu.Lock()
			n.passed[p] += int64(count)
			n.mu.Unlock()
		}
		if err != nil {
			if half, ok := to.(*net.TCPConn); ok && errors.Is(err, io.EOF) {
				_ = half.CloseWrite()
			} else {
				_ = to.Close()
			}
			return
		}
	}
}

// await waits until a direction is not cut. It returns false if the network has ended.
func (n *Network) await(p pair) bool {
	for {
		n.mu.Lock()
		cut, changed, closed := n.cut[p], n.changed, n.closed
		n.mu.Unlock()
		if closed || !cut {
			return !closed
		}
		<-changed
	}
}

// keep remembers a connection, so that it ends with the network. It returns false if that has ended.
func (n *Network) keep(c net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open[c] = struct{}{}
	return !n.closed
}

func (n *Network) forget(c net.Conn) {
	_ = c.Close() // it has ended, or must end
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.open, c)
}

func (n *Network) end() {
	n.mu.Lock()
	n.closed = true
	close(n.changed)
	n.changed = make(chan struct{})
	for c := range n.open {
		_ = c.Close()
	}
	n.mu.Unlock()
	n.running.Wait()
}
