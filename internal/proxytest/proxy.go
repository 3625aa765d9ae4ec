// Package proxytest puts a proxy between a process and a server such as Postgres, for tests that
// break or delay what goes over it. It knows nothing of a protocol but two words of Postgres's: a
// client's COMMIT, also as a prepared statement, and the tag with which the server reports that a commit has succeeded.
package proxytest

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"sync"
	"testing"
	"time"
)

// Rules is what a proxy does with connections and bytes. The zero value lets all pass at once.
type Rules struct {
	// Stall lets bytes wait, also those of new connections, as if packets were lost.
	Stall bool
	// Refuse closes all connections, open or new.
	Refuse bool
	// Delay is how long the bytes of each direction wait.
	Delay time.Duration
	// ResetOneIn closes the connection of one in so many pieces of bytes; 0 closes none.
	ResetOneIn int
	// LoseCommits closes the connection of one in so many commits when the server's answer comes:
	// they are done, and the client is not told. 0 loses none.
	LoseCommits int
	// SlowCommits is how long a client's COMMIT waits before the server gets it, and so does a statement that commits by
	// itself (Commits).
	SlowCommits time.Duration
}

// Proxy forwards the connections of one process.
type Proxy struct {
	// Addr is where the process connects, host:port.
	Addr string

	// mu guards the fields below.
	mu sync.Mutex
	// network and target are where the server is.
	network, target string

	rules Rules
	// changed is closed, and replaced, with each change of the rules.
	changed chan struct{}
	open    map[net.Conn]struct{}
	closed  bool
	// pieces and commits count what rules of the form "one in" count.
	pieces, commits int
	// lost is how many commits were not told to their client.
	lost int
	// names are those of prepared statements that commit.
	names map[string]struct{}

	running sync.WaitGroup
}

// New starts a proxy to an address of a network, such as tcp or unix. It ends with the test.
func New(tb testing.TB, network, target string) *Proxy {
	tb.Helper()
	return NewAt(tb, "127.0.0.1", network, target)
}

// NewAt is New at another address of this machine.
func NewAt(tb testing.TB, at, network, target string) *Proxy {
	tb.Helper()
	var config net.ListenConfig
	l, err := config.Listen(tb.Context(), "tcp", net.JoinHostPort(at, "0"))
	if err != nil {
		tb.Fatalf("proxytest: %v", err)
	}
	p := &Proxy{
		Addr: l.Addr().String(), network: network, target: target, changed: make(chan struct{}), open: map[net.Conn]struct{}{},
		names: map[string]struct{}{},
	}
	p.running.Go(func() { p.accept(l) })
	tb.Cleanup(func() {
		_ = l.Close() // only listening ends
		p.end()
	})
	return p
}

// Set changes the rules, also for open connections.
func (p *Proxy) Set(r Rules) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = r
	close(p.changed)
	p.changed = make(chan struct{})
	if r.Refuse {
		for c := range p.open {
			_ = c.Close() // it is to break
		}
	}
}

// Move lets new connections go to another server, and closes those that are open.
func (p *Proxy) Move(network, target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.network, p.target = network, target
	for c := range p.open {
		_ = c.Close() // it is to break
	}
}

// Commits says that the statement that clients prepare under this name is a commit as well: outside a transaction it is
// committed with its answer.
func (p *Proxy) Commits(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names[name] = struct{}{}
}

// Lost is how many commits were done and not told to their client.
func (p *Proxy) Lost() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost
}

func (p *Proxy) accept(l net.Listener) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.carry(in) })
	}
}

// carry passes the bytes of a connection in both directions until one of them ends.
func (p *Proxy) carry(in net.Conn) {
	defer p.drop(in)
	if !p.keep(in) {
		return
	}
	p.mu.Lock()
	network, target := p.network, p.target
	p.mu.Unlock()
	out, err := (&net.Dialer{}).DialContext(context.Background(), network, target)
	if err != nil {
		return // the server is away, so the client is told
	}
	defer p.drop(out)
	if !p.keep(out) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { p.pass(out, in, false) })
	both.Go(func() { p.pass(in, out, true) })
	both.Wait()
}

func (p *Proxy) pass(to, from net.Conn, answers bool) {
	// The end of one direction ends the connection: databases do not use it in halves.
	defer p.drop(to)
	defer p.drop(from)
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if !p.admit(buffer[:n], answers) {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// admit waits as the rules say, and reports whether the bytes may pass.
func (p *Proxy) admit(piece []byte, answers bool) bool {
	p.mu.Lock()
	rules := p.rules
	p.pieces++
	reset := rules.ResetOneIn > 0 && p.pieces%rules.ResetOneIn == 0
	if answers && rules.LoseCommits > 0 && bytes.Contains(piece, []byte("COMMIT\x00")) {
		p.commits++
		if p.commits%rules.LoseCommits == 0 {
			p.lost++
			reset = true
		}
	}
	p.mu.Unlock()
	if reset {
		return false
	}
	wait := rules.Delay
	if !answers && p.commitsWith(piece) {
		wait += rules.SlowCommits
	}
	if wait > 0 {
		<-time.After(wait)
	}
	for {
		p.mu.Lock()
		stalled, changed, closed := p.rules.Stall, p.changed, p.closed
		p.mu.Unlock()
		if closed || !stalled {
			return !closed
		}
		<-changed
	}
}

// commitsWith reports whether the bytes of a client have a COMMIT. It may be the name of a statement that was
// prepared before, so the names are learned, also while no rule needs them.
func (p *Proxy) commitsWith(piece []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	// A statement is prepared by a P, the length of what follows, its name and its text, each with a zero byte at
	// its end, and the number of its parameters in two bytes.
	const text = "\x00COMMIT\x00"
	end := bytes.Index(piece, []byte(text))
	for at := end - 1; at >= 5; at-- {
		if piece[at-5] == 'P' && binary.BigEndian.Uint32(piece[at-4:at]) == uint32(4+end-at+len(text)+2) { //nolint:gosec // small
			p.names[string(piece[at:end])] = struct{}{}
		}
	}
	for name := range p.names {
		if bytes.Contains(piece, []byte("\x00"+name+"\x00")) {
			return true
		}
	}
	return bytes.Contains(bytes.ToLower(piece), []byte("commit"))
}

// keep remembers a connection. It returns false if it may not be open.
func (p *Proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[c] = struct{}{}
	return !p.closed && !p.rules.Refuse
}

func (p *Proxy) drop(c net.Conn) {
	_ = c.Close() // it has ended, or must end
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, c)
}

func (p *Proxy) end() {
	p.mu.Lock()
	p.closed = true
	close(p.changed)
	p.changed = make(chan struct{})
	for c := range p.open {
		_ = c.Close() // it is to end
	}
	p.mu.Unlock()
	p.running.Wait()
}
