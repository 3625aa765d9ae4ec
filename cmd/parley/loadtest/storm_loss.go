package loadtest

// A storm that somebody else causes: a node is lost with its sockets, and their clients come back at the
// nodes that are left, while all others keep theirs.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// lossWait is how long nothing may be lost before the run is given up, and lossQuiet how long nothing
	// more must be lost until the loss counts as over.
	lossWait  = 2 * time.Minute
	lossQuiet = 3 * time.Second
	// lossPause is the longest pause before a try to come back.
	lossPause = 200 * time.Millisecond
	// lossHears is how long the clients that came back may wait for what happens after that.
	lossHears = 10 * time.Second
)

// loss is the state of such a storm.
type loss struct {
	*storm
	// mu guards the fields below: the goroutines of the clients write them, and await reads them.
	mu sync.Mutex
	// first is when the first socket ended, and last when the last one ended or was opened again.
	first, last time.Time
	// lost are the clients that have lost a socket; away is how many of them have no other one yet, and
	// missing how many have given up.
	lost          map[*returning]bool
	away, missing int
	times         *latencies
	// over is set when no further end of a socket is a loss.
	over bool
}

// suffer calls Config.Lose, and returns when all clients that have lost their socket have another one.
// Times count from the moment at which the first socket was lost.
func (s *storm) suffer(ctx context.Context) ([]*returning, Arrivals, error) {
	l := &loss{storm: s, times: newLatencies(), lost: map[*returning]bool{}}
	// Browsers come back all at once; this limits only how many this process dials at a time.
	dials := make(chan struct{}, s.c.AtOnce)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	for _, r := range s.clients {
		if r.conn != nil { // one that never had a socket is counted already
			all.Go(func() { l.follow(ctx, r, dials) })
		}
	}
	err := s.c.Lose(ctx)
	if err == nil {
		err = l.await(ctx)
	}
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	cancel()
	all.Wait()
	lost := make([]*returning, 0, len(l.lost))
	for r := range l.lost {
		lost = append(lost, r)
	}
	back, took := len(lost)-l.missing, l.last.Sub(l.first)
	return lost, Arrivals{N: back, Seconds: took.Seconds(), PerSecond: float64(back) / took.Seconds(), Time: spreadOf(l.times.h)}, err
}

// follow opens another socket for a client each time that it loses the one it has.
func (l *loss) follow(ctx context.Context, r *returning, dials chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.ended:
		}
		if !l.begin(r) || !l.comeBack(ctx, r, dials) {
			return
		}
	}
}

// begin records that a client has lost its socket. It returns false when the storm is over.
func (l *loss) begin(r *returning) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return false
	}
	l.last = time.Now()
	if l.first.IsZero() {
		l.first = l.last
	}
	r.conn, l.lost[r] = nil, true
	l.away++
	return true
}

// comeBack opens sockets for a client until one has everything. It returns false if none has in time.
func (l *loss) comeBack(ctx context.Context, r *returning, dials chan struct{}) bool {
	until := time.Now().Add(stormTimeout)
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(rand.N(lossPause)): //nolint:gosec // not secret
		}
		err := r.dialInTurn(ctx, dials)
		switch {
		case err == nil:
			l.end(false)
			return true
		case ctx.Err() != nil:
			return false
		case time.Now().After(until):
			l.tally.fault(fmt.Errorf("a client did not come back: %w", err))
			l.end(true)
			return false
		}
	}
}

// dialInTurn is open, where only the dial waits for its turn: a browser that has a socket waits beside all others.
func (r *returning) dialInTurn(ctx context.Context, dials chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, stormTimeout)
	defer cancel()
	dials <- struct{}{}
	conn, err := r.person.dial(ctx, r.person.base, stormTimeout)
	<-dials
	if err != nil {
		return err
	}
	return r.arrive(ctx, conn)
}

// end records that a client has another socket, or has given up.
func (l *loss) end(missing bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away--
	if missing {
		l.missing++
		return
	}
	l.last = time.Now()
	l.times.add(l.last.Sub(l.first))
}

// await returns when no client that has lost its socket is without one, and nothing more is lost.
func (l *loss) await(ctx context.Context) error {
	for began := time.Now(); ; {
		if err := pass(ctx, lossQuiet/10); err != nil {
			return err
		}
		l.mu.Lock()
		lost, away, since := len(l.lost), l.away, time.Since(l.last)
		l.mu.Unlock()
		switch {
		case lost > 0 && away == 0 && since >= lossQuiet:
			return nil
		case lost == 0 && time.Since(began) >= lossWait:
			return errors.New("no socket was lost")
		}
	}
}

// hear makes an event in the conversation of each of some clients, and waits until they have come. What has not
// come then, or comes twice, is counted at the end of the run.
func (s *storm) hear(ctx context.Context, clients []*returning) error {
	want := s.heard() + int64(len(clients))
	var g errgroup.Group
	g.SetLimit(64)
	for _, r := range clients {
		g.Go(func() error { return r.person.rename(ctx, r.id, "Heard again") })
	}
	if err := g.Wait(); err != nil {
		return err //nolint:wrapcheck // the errors of the calls say what failed
	}
	for until := time.Now().Add(lossHears); s.heard() < want && time.Now().Before(until); {
		if err := pass(ctx, lossQuiet/30); err != nil {
			return err
		}
	}
	return nil
}

// heard counts the events that all clients have received.
func (s *storm) heard() (n int64) {
	for _, r := range s.clients {
		n += r.events.Load()
	}
	return n
}
