package loadtest

// A storm: all clients lose their sockets at once, each misses the same number of events, and all
// come back at once by their cursors (docs/guarantees.md, how to test it).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// stormTimeout is the time limit for one client to come back with everything that it missed.
const stormTimeout = 60 * time.Second

// storm cuts many clients at once, lets each of them miss some events, and lets all of them
// come back by their cursors. Each client follows a conversation of its own person. Every event
// must arrive once and in order; anything else is a fault.
type storm struct {
	*run
	clients []*returning
}

// returning is one client, with the socket that it has and its place in the conversation. The
// place is read and written by the goroutine of its socket, and by the storm while it has none.
type returning struct {
	person *person
	id     uuid.UUID
	tally  *tally
	// seq and generation are the place; user is the place in the person's own log.
	seq, generation int64
	user            *int64
	// head is the seq that the client must reach when it comes back.
	head   int64
	conn   *websocket.Conn
	events atomic.Int64
	ended  chan struct{}
}

// Storm performs a whole run and returns the report.
func Storm(ctx context.Context, c Config) (*StormReport, error) {
	// The streams of others are a run of their own, on sockets that are not cut.
	beside := c
	// Clients of a storm follow conversations without answers: only events are counted.
	c.Subscribe, c.Streams = true, 0
	if err := c.Validate(); err != nil {
		return nil, err
	}
	// The others do not come at once, so that their start does not disturb the measurement.
	beside.AtOnce = min(c.AtOnce, 64)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &storm{run: newRun(&c)}
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	for i := range s.streams {
		s.clients = append(s.clients, &returning{person: s.streams[i].person, id: s.streams[i].conversation, tally: s.tally})
	}
	report := &StormReport{Clients: len(s.clients), Missed: c.Missed}
	before, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	c.Progress("opening %d sockets over %s", len(s.clients), c.Ramp)
	report.Arrivals = s.openAll(ctx, c.Ramp)
	opened, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	others, err := startOthers(ctx, beside)
	if err != nil {
		return nil, err
	}
	// First without a storm, for comparison.
	if report.Quiet, err = others.quiet(ctx, c.Duration); err != nil {
		return nil, err
	}
	report.Arrivals.resources(before, opened)
	strike := s.cutAll
	if c.Lose != nil {
		strike = s.lose
	}
	want, err := strike(ctx, report, others)
	if err != nil {
		return nil, err
	}
	// Frames that come twice may be late.
	if err := pass(ctx, c.Duration); err != nil {
		return nil, err
	}
	others.stop(ctx, s.tally)
	s.tally.closing.Store(true)
	for _, r := range s.clients {
		r.cut()
	}
	report.Events = s.heard()
	// Each event counts once for each client, so too many is as wrong as too few.
	if report.Events != want {
		s.tally.fault(fmt.Errorf("%d events have come, and %d were made", report.Events, want))
	}
	report.Resets, report.Errors = s.tally.resets.Load(), s.tally.faults.Load()
	report.Samples = s.tally.samples
	return report, nil
}

// cutAll cuts all sockets, and lets all clients come back. It returns how many events they have missed.
func (s *storm) cutAll(ctx context.Context, report *StormReport, others *others) (events int64, err error) {
	s.c.Progress("cutting all sockets, %d events are missed by each", s.c.Missed)
	for _, r := range s.clients {
		r.cut()
	}
	// The names are changed while no client has a socket, so every client must get them later.
	if err := s.miss(ctx); err != nil {
		return 0, err
	}
	away, err := s.c.read(ctx)
	if err != nil {
		return 0, err
	}
	s.c.Progress("all come back")
	others.tally.measuring.Store(true)
	report.Resumes = s.openAll(ctx, 0)
	report.Meanwhile = others.measured()
	back, err := s.c.read(ctx)
	if err != nil {
		return 0, err
	}
	report.Resumes.resources(away, back)
	return int64(s.c.Missed * len(s.clients)), nil
}

// lose lets somebody else end sockets, and their clients come back. It returns how many events were made
// after that, one for each of them.
func (s *storm) lose(ctx context.Context, report *StormReport, others *others) (events int64, err error) {
	others.tally.measuring.Store(true)
	lost, back, err := s.suffer(ctx)
	report.Meanwhile = others.measured()
	if err != nil {
		return 0, err
	}
	report.Lost, report.Resumes = len(lost), back
	return int64(len(lost)), s.hear(ctx, lost)
}

// openAll opens a socket for each client and waits until all have arrived.
func (s *storm) openAll(ctx context.Context, over time.Duration) Arrivals {
	// The arrival of one client is complete when it has everything that it missed.
	times := newLatencies()
	var mu sync.Mutex
	arrived := 0
	began := time.Now()
	s.spread(ctx, over, len(s.clients), func(i int) {
		start := time.Now()
		if over == 0 {
			start = began // a client that waits for its turn waits, too
		}
		if err := s.clients[i].open(ctx); err != nil {
			s.tally.fault(err)
			return
		}
		times.add(time.Since(start))
		mu.Lock()
		defer mu.Unlock()
		arrived++
	})
	took := time.Since(began)
	return Arrivals{N: arrived, Seconds: took.Seconds(), PerSecond: float64(arrived) / took.Seconds(), Time: spreadOf(times.h)}
}

// miss makes the events that the clients miss: each conversation gets new names.
func (s *storm) miss(ctx context.Context) error {
	var g errgroup.Group
	g.SetLimit(64)
	for _, r := range s.clients {
		g.Go(func() error {
			for n := range s.c.Missed {
				if err := r.person.rename(ctx, r.id, fmt.Sprintf("Missed %d", n)); err != nil {
					return err
				}
			}
			// Each new name is one event, and no other event can come meanwhile.
			r.head = r.seq + int64(s.c.Missed)
			return nil
		})
	}
	return g.Wait() //nolint:wrapcheck // the errors of the calls say what failed
}

// cut breaks the socket without a close frame, as a lost network does.
func (r *returning) cut() {
	if r.conn == nil {
		return
	}
	// The goroutine that reads must have ended before the place is read again.
	_ = r.conn.NetConn().Close() // it may have ended by itself, which is counted
	<-r.ended
	r.conn = nil
}

// open opens a socket and returns when the client has everything that it missed; a goroutine
// reads on.
func (r *returning) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stormTimeout)
	defer cancel()
	conn, err := r.person.dial(ctx, r.person.base, stormTimeout)
	if err != nil {
		return err
	}
	return r.arrive(ctx, conn)
}

// arrive says hello on a new socket and returns when the client has everything that it missed.
func (r *returning) arrive(ctx context.Context, conn *websocket.Conn) error {
	// The first time the place is 0, and the server answers with its own position.
	cursor := map[string]any{"conversations": map[string]any{r.id.String(): map[string]any{"seq": r.seq, "generation": r.generation}}}
	if r.user != nil {
		cursor["user"] = *r.user
	}
	// The deadline is for the whole arrival and not for one frame.
	deadline, _ := ctx.Deadline()
	if err := errors.Join(conn.SetReadDeadline(deadline), conn.WriteJSON(map[string]any{"type": "hello", "cursor": cursor})); err != nil {
		return errors.Join(fmt.Errorf("say hello: %w", err), conn.Close())
	}
	// The frames may come in any order, except those of one log.
	for ready, subscribed := false, false; !ready || !subscribed || r.seq < r.head; {
		var f frame
		if err := conn.ReadJSON(&f); err != nil {
			return errors.Join(fmt.Errorf("wait for what was missed: %w", err), conn.Close())
		}
		if f.Type == "denied" {
			return errors.Join(fmt.Errorf("the server denied conversation %s", f.Stream), conn.Close())
		}
		ready = ready || f.Type == "session.ready"
		subscribed = subscribed || f.Type == "subscribed"
		r.take(&f)
	}
	r.conn, r.ended = conn, make(chan struct{})
	go r.read(conn)
	return conn.SetReadDeadline(time.Time{}) //nolint:wrapcheck // it only fails for a socket that has ended
}

// read takes frames until the socket ends.
func (r *returning) read(conn *websocket.Conn) {
	defer close(r.ended)
	for {
		_, b, err := conn.ReadMessage()
		if err != nil {
			return
		}
		var f frame
		if err := json.Unmarshal(b, &f); err != nil {
			r.tally.fault(fmt.Errorf("a frame is not JSON: %w", err))
			continue
		}
		r.take(&f)
	}
}

// take moves the place by a frame.
func (r *returning) take(f *frame) {
	switch {
	case f.Type == "session.ready":
		// The first position is taken as it is; from then on the next must be one higher.
		r.user = &f.Seq
	case f.Type == "session.resync":
		r.tally.reset()
		r.user = &f.Seq
	case f.Stream == "user" && r.user != nil:
		if f.Seq != *r.user+1 {
			r.tally.fault(fmt.Errorf("event %d of a person's log where %d belongs", f.Seq, *r.user+1))
		}
		r.user = &f.Seq
	// Frames of other conversations are not counted.
	case f.Stream != r.id.String():
	case f.Type == "subscribed":
		// The server must continue exactly at the place of the cursor.
		if r.seq > 0 && f.Seq != r.seq {
			r.tally.fault(fmt.Errorf("subscribed to %s at %d while %d is held", f.Stream, f.Seq, r.seq))
		}
		r.seq, r.generation = f.Seq, f.Generation
	case f.Type == "reset":
		r.tally.reset()
		r.seq, r.generation = f.Seq, f.Generation
	case f.Seq > 0:
		if f.Seq != r.seq+1 {
			r.tally.fault(fmt.Errorf("event %d of %s where %d belongs", f.Seq, f.Stream, r.seq+1))
		}
		r.seq, r.generation = f.Seq, f.Generation
		r.events.Add(1)
	}
}
