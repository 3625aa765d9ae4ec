package main

// The faults of limits: few file handles, a node that joins, a panic, and a client whose network is gone.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"parley.dev/parley/internal/history"
	"parley.dev/parley/internal/proxytest"
)

const (
	// fewFiles is how many files a process may open, and manySockets how many sockets people try to open then, until
	// crowdTold of them were refused.
	fewFiles, manySockets, crowdTold, crowdAtOnce = 1024, 1200, 30, 8
	// handlesLate is how old text may be that is shown meanwhile, and recoverMost how long after the crowd has left a
	// socket can be opened again.
	handlesLate, recoverMost = 5 * time.Second, 10 * time.Second
	// halfOpen is how long a client's network is gone, and pongMost how long a server waits for its pong: it pings each
	// 25 s and waits for 10 s. Then it sends a close frame, for whose answer the client has 2 s, and only after them the socket
	// is counted as closed, which is what the test reads. The rest is for the wheel of seconds and for reading it.
	halfOpen, pongMost = 60 * time.Second, 39 * time.Second
	// closeSilent is the code of a socket that has not answered in time (docs/stream-protocol.md).
	closeSilent = 4408
)

func faultsOfLimits() []*fault {
	return []*fault{
		{name: "F10 1,024 file handles", most: 10 * time.Second, do: fewHandles},
		{
			name: "F11 a node leaves, and joins under load", most: 10 * time.Second, leave: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				owner, _, err := l.owner(ctx)
				if err != nil {
					return err
				}
				before := len(owner.ends())
				owner.keepAway(true)
				err = errors.Join(owner.signal(syscall.SIGTERM), expectEnd(ctx, owner, before, 0))
				wait(ctx, 3*time.Second)
				cut := l.interrupted(ctx)
				owner.keepAway(false)
				err = errors.Join(err, l.awaitReady(ctx))
				wait(ctx, 5*time.Second)
				if n := l.interrupted(ctx) - cut; n > 0 {
					err = errors.Join(err, fmt.Errorf("%d turns were interrupted by the node that joined", n))
				}
				return err
			},
		},
		{name: "F12 a panic while an answer is streaming", most: 5 * time.Second, unharmed: true, do: panicking},
		{name: "F17 a client's network is gone for 60 s", most: 5 * time.Second, unharmed: true, do: halfOpened},
	}
}

// socketOf opens a socket of a person at an address.
func (w *world) socketOf(ctx context.Context, h *human, base string) (*websocket.Conn, error) {
	conn, _, err := w.dialed(ctx, h, base)
	return conn, err
}

// dialed is socketOf that also returns the status of the answer, 0 if there is none.
func (w *world) dialed(ctx context.Context, h *human, base string) (*websocket.Conn, int, error) {
	status := 0
	address := "ws" + strings.TrimPrefix(base, "http") + "/api/v1/user/" + h.uuid.String() + "/stream"
	dialer := websocket.Dialer{}
	conn, response, err := dialer.DialContext(ctx, address, http.Header{"Authorization": {"Bearer " + h.bearer}})
	if response != nil {
		status = response.StatusCode
		_ = response.Body.Close() // only the socket counts
	}
	if err != nil {
		return nil, status, fmt.Errorf("open a socket: %w", err)
	}
	if err := conn.WriteJSON(map[string]any{"type": "hello"}); err != nil {
		return nil, status, errors.Join(err, conn.Close())
	}
	return conn, status, nil
}

// fewHandles lets a process open no more files than a careless operator permits, and opens as many sockets there as it
// takes. The others are told to come again, the old ones live, and when some have left there is room again.
func fewHandles(ctx context.Context, l *load, _ *rand.Rand) (err error) {
	owner, _, err := l.owner(ctx)
	if err != nil {
		return err
	}
	p, err := newProbe(ctx, l, time.Minute, false)
	if err != nil {
		return err
	}
	owner.mu.Lock()
	pid := owner.server.cmd.Process.Pid
	owner.mu.Unlock()
	var before unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &before); err != nil {
		return fmt.Errorf("read the limit: %w", err)
	}
	few := before
	few.Cur = fewFiles
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &few, nil); err != nil {
		return fmt.Errorf("set the limit: %w", err)
	}
	defer func() { err = errors.Join(err, unix.Prlimit(pid, unix.RLIMIT_NOFILE, &before, nil)) }()
	c := &crowd{l: l, url: owner.url}
	defer c.leave()
	c.come(ctx)
	wait(ctx, 2*time.Second)
	if err := errors.Join(c.judge(), p.judge(handlesLate)); err != nil {
		return err
	}
	// As many places are free as sockets leave.
	c.leave()
	within, cancel := context.WithTimeout(ctx, recoverMost*slower)
	defer cancel()
	left := time.Now()
	if !waitUntil(within, func() bool {
		conn, _, err := l.dialed(within, l.humans[0], owner.url)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}) {
		return fmt.Errorf("no socket can be opened %s after %d have left", recoverMost, len(c.sockets))
	}
	return l.inTime("a socket can be opened again after", time.Since(left), recoverMost)
}

// crowd are people who open more sockets at one node than it has handles.
type crowd struct {
	l   *load
	url string
	// mu guards the fields below.
	mu      sync.Mutex
	sockets []*websocket.Conn
	// told are those who were told to come again, and lost is the first one who was not.
	told  int
	lost  error
	ended []error
}

// come opens sockets until enough of them were refused.
func (c *crowd) come(ctx context.Context) {
	var all sync.WaitGroup
	for n := range crowdAtOnce {
		all.Go(func() {
			for i := n; i < manySockets && !c.enough(); i += crowdAtOnce {
				within, cancel := context.WithTimeout(ctx, callTime)
				conn, status, err := c.l.dialed(within, c.l.humans[i%len(c.l.humans)], c.url)
				cancel()
				c.take(conn, status, err)
			}
		})
	}
	all.Wait()
}

func (c *crowd) enough() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.told >= crowdTold || c.lost != nil
}

// take keeps a socket that is open and reads it, or counts how it was refused.
func (c *crowd) take(conn *websocket.Conn, status int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err == nil:
		c.sockets = append(c.sockets, conn)
		go func() {
			var failed error
			for failed == nil {
				_, _, failed = conn.ReadMessage()
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.ended = append(c.ended, failed)
		}()
	case status == http.StatusServiceUnavailable:
		c.told++
	case c.lost == nil:
		c.lost = fmt.Errorf("a socket was refused with the status %d after %d were opened: %w", status, len(c.sockets), err)
	}
}

// judge says what was wrong while no handle was left.
func (c *crowd) judge() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.lost
	if c.told < crowdTold {
		err = errors.Join(err, fmt.Errorf("of the sockets %d were opened and %d were told to come again", len(c.sockets), c.told))
	}
	if len(c.ended) > 0 {
		err = errors.Join(err, fmt.Errorf("of %d open sockets %d have ended: %w", len(c.sockets), len(c.ended), c.ended[0]))
	}
	return err
}

// leave closes all sockets.
func (c *crowd) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sockets {
		_ = s.Close() // the client leaves
	}
}

// panicking lets a model panic: its turn fails, and its node lives.
func panicking(ctx context.Context, l *load, random *rand.Rand) error {
	k, err := l.guest(ctx, random.IntN(100))
	if err != nil {
		return err
	}
	for i := range 5 {
		id := uuid.Must(uuid.NewV7())
		if l.send(ctx, "panic", k.owner, i, k.id, id, prompt(random, k.owner, id, 20)+" fault=panic") != history.OK {
			return errors.New("the prompt was not taken")
		}
		status := ""
		if !waitUntil(ctx, func() bool {
			return l.db.QueryRow(ctx, "SELECT status FROM turn WHERE prompt_id = $1 AND status <> 'running'", id).Scan(&status) == nil
		}) {
			return errors.New("the turn does not end")
		}
		if status != "failed" {
			return fmt.Errorf("the turn ended as %s", status)
		}
	}
	return nil
}

// halfOpened lets a client's network be gone while an answer is streaming. Its server gives it up when it does not
// answer a ping, and when the network is back the client goes on from its cursor.
func halfOpened(ctx context.Context, l *load, _ *rand.Rand) error {
	m := l.members[0]
	proxy := proxytest.New(l.t, "tcp", strings.TrimPrefix(m.url, "http://"))
	k, _, err := l.newOwned(ctx, 0)
	if err != nil {
		return err
	}
	f := l.reader(k, 0)
	f.through, f.patient = "http://"+proxy.Addr, true
	l.attach(k)
	if err := l.askStamped(ctx, k, 1, halfOpen+20*time.Second); err != nil {
		return err
	}
	if !waitUntil(ctx, func() bool { return f.holds(2) }) {
		return fmt.Errorf("%s is shown no answer", f.name)
	}
	silent := func() int { return m.server.closed(ctx, closeSilent) }
	closed, cut := silent(), time.Now()
	proxy.Set(proxytest.Rules{Stall: true})
	within, cancel := context.WithTimeout(ctx, halfOpen)
	dropped := waitUntil(within, func() bool { return silent() > closed })
	cancel()
	err = l.inTime("a client without a network is given up after", time.Since(cut), pongMost)
	if !dropped {
		err = errors.Join(err, fmt.Errorf("the server has kept the socket of a client without a network for %s", halfOpen))
	}
	wait(ctx, time.Until(cut.Add(halfOpen)))
	from, seen := l.now(), l.fetched(f.name)
	proxy.Set(proxytest.Rules{})
	caught := waitUntil(ctx, func() bool {
		head := int64(0)
		return l.db.QueryRow(ctx, "SELECT next_seq - 1 FROM conversation WHERE id = $1", k.id).Scan(&head) == nil && f.holds(head) &&
			l.lastHeard(f.through) > from
	})
	wait(ctx, time.Second)
	a := agesOf(l.recorder.History().Lines, f.name, l.began, from, l.now())
	switch {
	case !caught || a.pieces == 0:
		err = errors.Join(err, errors.New("the client is shown nothing after its network is back"))
	case l.fetched(f.name) > seen:
		err = errors.Join(err, errors.New("the client could not go on from its cursor and had to fetch the conversation"))
	case a.oldest < halfOpen-5*time.Second:
		err = errors.Join(err, fmt.Errorf("the client was not shown what it had missed: the oldest text was %s old", a.oldest))
	}
	return err
}

// closed is how many sockets a process has closed with a code.
func (s *server) closed(ctx context.Context, code int) int {
	found := regexp.MustCompile(`(?m)^parley_sockets_closed_total\{code="` + strconv.Itoa(code) + `"\} (\d+)$`).
		FindStringSubmatch(s.operatorPage(ctx, "/metrics"))
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return n
}

// fetched is how often a client has fetched its conversation.
func (w *world) fetched(client string) (n int) {
	for _, line := range w.recorder.History().Lines {
		if line.Place != nil && line.Place.Client == client {
			n++
		}
	}
	return n
}
