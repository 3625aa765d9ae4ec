package loadtest

// A run: sign in, make conversations, open sockets, start answers, measure, stop. All goroutines of
// a run end with its context. Errors of single calls are counted and do not end the run, so that a
// long run has a result in any case.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// answerSeconds is how long one answer streams before the next prompt.
const answerSeconds = 60

// run is the state of one run. Fields are written before the goroutines that
// read them start.
type run struct {
	c       *Config
	persons []*person
	streams []stream
	tally   *tally
	connect *latencies
	random  *rand.Rand
	ask     func(conversation string)
}

// stream is one conversation that is kept streaming, or that only has a reader.
type stream struct {
	person       *person
	conversation uuid.UUID
}

// The order of starts is random and the same for the same seed.
func newRun(c *Config) *run {
	//nolint:gosec // repeatable, not secret
	return &run{c: c, tally: newTally(time.Now()), connect: newLatencies(), random: rand.New(rand.NewPCG(c.Seed, 0))}
}

// Run performs a whole run and returns the report. It returns an error when ctx ends
// or when the server cannot be used at all; faults of single streams are counted in
// the report.
func Run(ctx context.Context, c Config) (*Report, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	r := newRun(&c)
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	// This is the server without any socket, for the memory of one.
	before, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.ask = r.asker(ctx)

	c.Progress("opening %d sockets over %s", c.Sockets, c.Ramp)
	opened := time.Now()
	sockets, err := r.openAll(ctx)
	if err != nil {
		return nil, err
	}
	opening := time.Since(opened)
	idle, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	r.startAnswers(ctx)

	// The ramp is over: what is measured from here on is a steady state.
	start, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	// The counters go on during the ramp, so their values at the beginning are subtracted.
	frames, tokens, bytes := r.tally.frames.Load(), r.tally.tokens.Load(), r.tally.bytes.Load()
	r.tally.measuring.Store(true)
	c.Progress("measuring for %s", c.Duration)
	measured := time.Now()
	if err := pass(ctx, c.Duration); err != nil {
		return nil, err
	}
	r.tally.measuring.Store(false)
	elapsed := time.Since(measured)
	end, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	report := r.report(elapsed, opening, r.tally.frames.Load()-frames, r.tally.tokens.Load()-tokens, r.tally.bytes.Load()-bytes)
	report.resources(before, idle, start, end)

	// Answers are stopped before the sockets are closed, so that the server does not go on with
	// them.
	c.Progress("stopping")
	r.finish(ctx, sockets)
	return report, nil
}

// prepare signs the persons in and makes their conversations.
func (r *run) prepare(ctx context.Context) error {
	if err := r.signInAll(ctx); err != nil {
		return err
	}
	return r.makeConversations(ctx)
}

// startAnswers sends the first prompt of each stream, spread over the ramp.
func (r *run) startAnswers(ctx context.Context) {
	r.c.Progress("starting %d streams over %s", r.c.Streams, r.c.Ramp)
	r.spread(ctx, r.c.Ramp, r.c.Streams, func(i int) { r.ask(r.streams[i].conversation.String()) })
}

// finish stops the answers and closes the sockets.
func (r *run) finish(ctx context.Context, sockets []*socket) {
	r.tally.closing.Store(true)
	r.stopAll(ctx)
	for _, s := range sockets {
		_ = s.conn.Close() // the run is over; an error does not matter
	}
}

// pass waits for d. It returns an error if ctx ends before.
func pass(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("the run was ended: %w", ctx.Err())
	case <-time.After(d):
		return nil
	}
}

// signInAll signs each person in, on the node that the person uses.
func (r *run) signInAll(ctx context.Context) error {
	client := &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 256}}
	r.persons = make([]*person, len(r.c.Tokens))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for i, t := range r.c.Tokens {
		g.Go(func() (err error) {
			r.persons[i], err = signIn(ctx, client, r.c.URLs[i%len(r.c.URLs)], t, r.c.Agent)
			return err
		})
	}
	return g.Wait() //nolint:wrapcheck // the errors of the calls say what failed
}

// makeConversations makes one conversation for each stream, of the persons in turn.
func (r *run) makeConversations(ctx context.Context) error {
	r.streams = make([]stream, r.c.conversations())
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for i := range r.streams {
		g.Go(func() error {
			p := r.persons[i%len(r.persons)]
			id, err := p.newConversation(ctx, i)
			r.streams[i] = stream{person: p, conversation: id}
			return err
		})
	}
	return g.Wait() //nolint:wrapcheck // the errors of the calls say what failed
}

// asker returns a function that sends a prompt in a conversation, unless the run is over.
// The first watcher of a conversation calls it whenever an answer has ended.
func (r *run) asker(ctx context.Context) func(conversation string) {
	index := make(map[string]*stream, len(r.streams))
	for i := range r.streams {
		index[r.streams[i].conversation.String()] = &r.streams[i]
	}
	// An answer lasts a minute, or as long as a shorter run.
	tokens := int(r.c.Rate * min(answerSeconds, (r.c.Ramp+r.c.Duration).Seconds()+10))
	return func(conversation string) {
		if r.tally.closing.Load() {
			return
		}
		s := index[conversation]
		if err := s.person.ask(ctx, s.conversation, r.c.Rate, max(tokens, 1)); err != nil && ctx.Err() == nil {
			r.tally.fault(err)
		}
	}
}

// openAll opens the sockets: watcher w of stream i is a socket of the stream's person.
func (r *run) openAll(ctx context.Context) ([]*socket, error) {
	// A person's streams are watched by that person's own sockets only, because others may not read
	// them.
	own := make([][]int, len(r.persons)) // the sockets of each person
	for i := range r.c.Sockets {
		own[i%len(r.persons)] = append(own[i%len(r.persons)], i)
	}
	follow := make([][]uuid.UUID, r.c.Sockets)
	leader := make([]map[string]bool, r.c.Sockets)
	next := make([]int, len(r.persons))
	for i := range r.streams {
		person := i % len(r.persons)
		// With fewer sockets than watchers a socket follows a stream once.
		for w := range min(r.c.Watchers, len(own[person])) {
			at := own[person][next[person]%len(own[person])]
			// The sockets of a person take turns, so each follows about the same number of streams.
			next[person]++
			follow[at] = append(follow[at], r.streams[i].conversation)
			// Only the first watcher asks again, so a conversation gets one prompt when its answer
			// has ended.
			if w == 0 {
				if leader[at] == nil {
					leader[at] = map[string]bool{}
				}
				leader[at][r.streams[i].conversation.String()] = true
			}
		}
	}
	sockets := make([]*socket, r.c.Sockets)
	var mu sync.Mutex
	var first error
	r.spread(ctx, r.c.Ramp, r.c.Sockets, func(i int) {
		start := time.Now()
		s, err := connect(ctx, r.persons[i%len(r.persons)], follow[i], r.tally, func(conversation, _ string) {
			if leader[i][conversation] {
				// The callback runs in the goroutine that reads the socket, which must not wait for
				// a call.
				go r.ask(conversation)
			}
		})
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			// One of the errors is enough to end the run.
			first = err
			return
		}
		r.connect.add(time.Since(start))
		sockets[i] = s
		go s.read()
	})
	return sockets, first
}

// spread calls f for 0 to n-1, in a random order from the seed and evenly over d. At
// most AtOnce calls run at the same time.
func (r *run) spread(ctx context.Context, d time.Duration, n int, f func(i int)) {
	var g errgroup.Group
	g.SetLimit(r.c.AtOnce)
	start := time.Now()
	for at, i := range r.random.Perm(n) {
		due := start.Add(d * time.Duration(at) / time.Duration(n))
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(due)):
		}
		g.Go(func() error { f(i); return nil })
	}
	_ = g.Wait() // f returns no error
}

// stopAll stops every running answer.
func (r *run) stopAll(ctx context.Context) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for _, s := range r.streams[:r.c.Streams] {
		g.Go(func() error {
			if err := s.person.stop(ctx, s.conversation); err != nil {
				r.tally.fault(err)
			}
			return nil
		})
	}
	_ = g.Wait() // faults are counted
}
