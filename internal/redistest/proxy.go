package redistest

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Mode is what a Proxy does with connections and data.
type Mode int32

// The modes. A change also applies to open connections.
const (
	// Pass forwards everything.
	Pass Mode = iota
	// Hang accepts connections and data and forwards nothing, like a host that hangs while
	// its network still works.
	Hang
	// Cut closes every connection, open or new.
	Cut
)

// Proxy forwards connections from clients to a server.
type Proxy struct {
	Addr string

	target string
	listen net.Listener
	mode   atomic.Int32
	delay  atomic.Int64
	came   atomic.Int64

	// mu guards conns and passing, which is closed while everything passes.
	mu      sync.Mutex
	conns   map[net.Conn]struct{}
	passing chan struct{}
	closed  bool
	running sync.WaitGroup
}

// NewProxy starts a proxy to the target; it is stopped at the end of the test.
func NewProxy(t *testing.T, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // ends with the test
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Addr: l.Addr().String(), target: target, listen: l, conns: map[net.Conn]struct{}{}, passing: make(chan struct{})}
	close(p.passing)
	p.running.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// Set changes the mode.
func (p *Proxy) Set(m Mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := Mode(p.mode.Swap(int32(m)))
	if before == Hang && m != Hang {
		close(p.passing)
	}
	if before != Hang && m == Hang {
		p.passing = make(chan struct{})
	}
	if m == Cut {
		for c := range p.conns {
			_ = c.Close() // an error does not matter
		}
	}
}

// Delay delays each answer by d.
func (p *Proxy) Delay(d time.Duration) { p.delay.Store(int64(d)) }

// Came counts how often clients have connected or sent data.
func (p *Proxy) Came() int64 { return p.came.Load() }

func (p *Proxy) accept() {
	for {
		in, err := p.listen.Accept()
		if err != nil {
			return
		}
		p.came.Add(1)
		if Mode(p.mode.Load()) == Cut || !p.hold(in) {
			_ = in.Close()
			continue
		}
		out, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", p.target)
		if err != nil || !p.hold(out) {
			p.drop(in)
			continue
		}
		p.running.Go(func() { p.pump(out, in, true) })
		p.running.Go(func() { p.pump(in, out, false) })
	}
}

func (p *Proxy) hold(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = c.Close()
		return false
	}
	p.conns[c] = struct{}{}
	return true
}

func (p *Proxy) drop(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.conns, c)
		_ = c.Close()
	}
}

func (p *Proxy) pump(to, from net.Conn, asks bool) {
	defer p.drop(to, from)
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if asks && n > 0 {
			p.came.Add(1)
		}
		if n > 0 {
			if d := time.Duration(p.delay.Load()); d > 0 && !asks {
				<-time.After(d) // simulates a slow network
			}
			p.mu.Lock()
			passing := p.passing
			p.mu.Unlock()
			<-passing
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *Proxy) close() {
	p.Set(Cut) // also unblocks goroutines that hang
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	_ = p.listen.Close()
	p.running.Wait()
}
