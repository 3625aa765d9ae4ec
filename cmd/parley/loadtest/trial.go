package loadtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

const (
	// trialAnswer is how long one answer of a trial takes by default. It is short, so that failures
	// of servers also hit the starts and ends of answers.
	trialAnswer = 8 * time.Second
	// trialTimeout is the time limit for a call with its retries, and for the ends of all
	// turns and the last events at the end of a trial.
	trialTimeout = 60 * time.Second
)

// trial keeps answers streaming while servers are killed or blocked. It behaves like
// the client in the browser: sockets reconnect with their cursors, and calls are retried
// with the same id. At the end it compares what was shown with what is stored. A server
// may be slow or unreachable; a violation of the protocol and lost data are counted as
// errors.
type trial struct {
	*run
	readers []*reader
	answers []*answering

	// sending is held for reading by each prompt from its look at tally.closing until it is acknowledged,
	// and for writing by the one who sets closing: a prompt that is still under way must not be stored
	// after its conversation was compared.
	sending sync.RWMutex

	reconnects, repeats, cuts atomic.Int64
	// oldest is the greatest age of text when a reader was shown it, and longest the longest
	// time until a prompt was acknowledged, with all its repeats; in nanoseconds.
	oldest, longest atomic.Int64
	// calls is the greatest number of calls that a prompt took until it was acknowledged.
	calls atomic.Int64
}

// answering is one conversation that is kept streaming. Only ask changes it, and only
// one ask runs at a time.
type answering struct {
	stream
	// mu guards the fields below.
	mu sync.Mutex
	// acknowledged are the prompts that got a response 2xx, unknown the prompts that did not.
	acknowledged, unknown []uuid.UUID
}

// Trial performs a whole trial and returns the report.
func Trial(ctx context.Context, c Config) (*TrialReport, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Streams == 0 {
		return nil, errors.New("a trial needs --streams")
	}
	// The state of the trial is complete before its first goroutine starts.
	t := &trial{run: newRun(&c)}
	if err := t.prepare(ctx); err != nil {
		return nil, err
	}
	// The readers live until everything was compared, longer than the prompts.
	life, over := context.WithCancel(ctx)
	defer over()
	for i := range t.streams {
		t.answers = append(t.answers, &answering{stream: t.streams[i]})
		for w := range c.Watchers {
			r := &reader{trial: t, person: t.streams[i].person, id: t.streams[i].conversation, turn: i + w, guarded: guarded{held: newHeld()}}
			if w == 0 {
				// Only one reader of a conversation asks again, so it has one prompt at a time.
				a := t.answers[i]
				r.ended = func() { t.ask(life, a) }
			}
			t.readers = append(t.readers, r)
		}
	}
	var all sync.WaitGroup
	for _, r := range t.readers {
		all.Go(func() { r.follow(life) })
	}
	c.Progress("following %d answers with %d sockets for %s", c.Streams, len(t.readers), c.Duration)
	t.spread(ctx, c.Ramp, len(t.answers), func(i int) { t.ask(life, t.answers[i]) })
	if c.Cut > 0 {
		all.Go(func() { t.cut(life) })
	}
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("the trial was ended: %w", ctx.Err())
	case <-c.Enough:
	case <-time.After(c.Duration):
	}
	// No further prompts are sent from here on; those that run come to their end.
	t.sending.Lock()
	t.tally.closing.Store(true)
	t.sending.Unlock()
	c.Progress("waiting for the last answers")
	t.compareAll(ctx)
	over()
	all.Wait()
	return t.trialReport(), nil
}

// cut breaks the connection of a random reader from time to time, without a close frame.
func (t *trial) cut(ctx context.Context) {
	for !t.tally.closing.Load() {
		// The pause is random with the average Cut.
		pause := time.Duration(rand.Int64N(int64(2*t.c.Cut))) + time.Millisecond //nolint:gosec // not secret
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if t.readers[rand.IntN(len(t.readers))].cut() { //nolint:gosec // not secret
			t.cuts.Add(1)
		}
	}
}

// ask sends a prompt, and repeats it until it is acknowledged. Some of the answers are stopped later.
func (t *trial) ask(ctx context.Context, a *answering) {
	t.sending.RLock()
	defer t.sending.RUnlock()
	if t.tally.closing.Load() {
		return
	}
	// The id is chosen once, so repeated calls make one message (G4).
	id := uuid.Must(uuid.NewV7())
	tokens := max(int(t.c.Rate*t.c.Answer.Seconds()), 1)
	// A load balancer sends calls to any node, so the owner is often on another one.
	asker := *a.person
	asker.base = t.c.URLs[rand.IntN(len(t.c.URLs))] //nolint:gosec // not secret
	began := time.Now()
	tries, err := t.retry(ctx, &asker, func(p *person) error { return p.send(ctx, a.conversation, id, t.c.Rate, tokens) })
	t.repeats.Add(int64(tries - 1))
	a.mu.Lock()
	if err == nil {
		raise(&t.longest, int64(time.Since(began)))
		raise(&t.calls, int64(tries))
		a.acknowledged = append(a.acknowledged, id)
	} else {
		// A call without an answer may still have been taken.
		a.unknown = append(a.unknown, id)
	}
	a.mu.Unlock()
	if err != nil {
		if ctx.Err() == nil {
			t.tally.fault(fmt.Errorf("a prompt was never taken: %w", err))
		}
		return
	}
	// A quarter of the answers are stopped, so that stops meet faults as well.
	if rand.IntN(4) == 0 { //nolint:gosec // not secret
		go t.stopLater(ctx, a)
	}
}

// raise sets a maximum if a value is greater.
func raise(most *atomic.Int64, value int64) {
	for {
		before := most.Load()
		if value <= before || most.CompareAndSwap(before, value) {
			return
		}
	}
}

// stopLater stops the answer at a random time. It may have ended by itself, which is no error.
func (t *trial) stopLater(ctx context.Context, a *answering) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(time.Duration(rand.Int64N(int64(t.c.Answer)))): //nolint:gosec // not secret
	}
	if _, err := t.retry(ctx, a.person, func(p *person) error { return p.stop(ctx, a.conversation) }); err != nil && ctx.Err() == nil {
		t.tally.fault(fmt.Errorf("a stop was never taken: %w", err))
	}
}

// retry repeats a call on one node after the other while servers are unreachable or
// temporarily refuse it. Any other refusal is final.
func (t *trial) retry(ctx context.Context, p *person, call func(*person) error) (tries int, err error) {
	until := time.Now().Add(trialTimeout)
	// A call begins at the node of p and goes on to the next one after each failure.
	node := slices.Index(t.c.URLs, p.base)
	for {
		tries++
		at := *p
		at.base = t.c.URLs[(max(node, 0)+tries-1)%len(t.c.URLs)]
		err = call(&at)
		if err == nil || !isTemporary(err) || ctx.Err() != nil || time.Now().After(until) {
			return tries, err
		}
		select {
		case <-ctx.Done():
			return tries, err
		case <-time.After(time.Duration(100+rand.IntN(200)) * time.Millisecond): //nolint:gosec // not secret
		}
	}
}

// isTemporary reports whether an error is temporary, so that the call can be repeated: no response, 429 or 5xx.
func isTemporary(err error) bool {
	var refused *statusError
	if !errors.As(err, &refused) {
		return true
	}
	return refused.status == http.StatusTooManyRequests || refused.status >= http.StatusInternalServerError
}

// compareAll waits for the end of every turn and compares what was shown with what is stored.
func (t *trial) compareAll(ctx context.Context) {
	var g errgroup.Group
	g.SetLimit(16)
	for i, a := range t.answers {
		g.Go(func() error {
			if err := t.compareOne(ctx, a, t.readers[i*t.c.Watchers:(i+1)*t.c.Watchers]); err != nil {
				t.tally.fault(fmt.Errorf("conversation %s: %w", a.conversation, err))
			}
			return nil
		})
	}
	_ = g.Wait() // faults are counted
}

// compareOne compares one conversation, again and again until it fits or the time is over: the last
// events may still be under way.
func (t *trial) compareOne(ctx context.Context, a *answering, readers []*reader) error {
	until := time.Now().Add(trialTimeout)
	for {
		var c storedConversation
		_, err := t.retry(ctx, a.person, func(p *person) error { return p.conversation(ctx, a.conversation, &c) })
		if err == nil && c.IsStreaming {
			err = errors.New("its turn does not end")
		}
		if err == nil {
			err = a.compare(&c)
		}
		for _, r := range readers {
			if err == nil {
				err = r.compare(&c)
			}
		}
		if err == nil || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the trial was ended: %w", ctx.Err())
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// compare checks that each acknowledged prompt is stored once, and that no prompt is stored that was not sent.
func (a *answering) compare(c *storedConversation) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	stored := map[uuid.UUID]int{}
	prompts := 0
	for _, m := range c.Messages {
		if m.Role == "user" {
			stored[m.ID]++
			prompts++
		}
		// Stored text is checked against its own stamps, so it is complete even if nobody has read
		// it.
		if m.Role == "assistant" && m.Text != "" {
			if err := (&follower{}).apply(m.ID.String(), 0, m.Text, func(int64) {}); err != nil {
				return fmt.Errorf("stored message %s: %w", m.ID, err)
			}
		}
	}
	for _, id := range a.acknowledged {
		if stored[id] != 1 {
			return fmt.Errorf("prompt %s was acknowledged and is stored %d times", id, stored[id])
		}
		prompts--
	}
	// Of the calls without an answer each may have been taken once or not at all.
	for _, id := range a.unknown {
		prompts -= stored[id]
	}
	if prompts > 0 {
		return fmt.Errorf("%d prompts are stored that nobody sent", prompts)
	}
	return nil
}
