package main

// How long people wait until they are shown something. The answers of a probe consist of stamps that say when they were
// made, and its readers have their sockets at all nodes, so that text has an age when it is shown.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/internal/history"
)

const (
	// pushMost is how long after its commit something may be shown while Redis is away.
	pushMost = 2 * time.Second
	// probeRate is how many stamps a second an answer of a probe has, and stampBytes the length of one.
	probeRate, stampBytes = 10, 24
	// probeMore is how much longer its answers last than the fault: their making takes some of it.
	probeMore = 20 * time.Second
	// probeEvery is the pause between two prompts of a probe.
	probeEvery = 700 * time.Millisecond
)

// figure is how long something took, and how long it may take.
type figure struct{ took, most time.Duration }

// inTime remembers how long something took. It returns an error if that was longer than the row of the fault permits,
// unless another fault was done at the same time.
func (w *world) inTime(what string, took, most time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.figures == nil {
		w.figures = map[string]figure{}
	}
	if before, ok := w.figures[what]; !ok || before.took < took {
		w.figures[what] = figure{took, most}
	}
	if w.overlapped || took <= slower*most {
		return nil
	}
	return fmt.Errorf("%s: %s, and %s is the most", what, took.Round(time.Millisecond), slower*most)
}

// figuresText is one line for each figure.
func figuresText(figures map[string]figure) string {
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(figures)) {
		fmt.Fprintf(&b, "\n    %s: %s of %s", what, figures[what].took.Round(time.Millisecond), figures[what].most)
	}
	return b.String()
}

// newOwned makes a conversation that has an owner: a call that changes nothing needs one.
func (l *load) newOwned(ctx context.Context, i int) (*talk, *member, error) {
	n := 2 * (i % len(l.orgs))
	k, err := l.newTalk(ctx, l.humans[n], l.humans[n+1])
	if err != nil {
		return nil, nil, err
	}
	l.stop(ctx, "owned", k.owner, i, k.id)
	m, err := l.ownerOf(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	return k, m, nil
}

// ownerOf is the member that owns a conversation.
func (w *world) ownerOf(ctx context.Context, k *talk) (*member, error) {
	name := ""
	const sql = "SELECT coalesce(split_part(node, '@', 1), '') FROM conversation WHERE id = $1"
	if err := w.db.QueryRow(ctx, sql, k.id).Scan(&name); err != nil {
		return nil, fmt.Errorf("read an owner: %w", err)
	}
	for _, m := range w.members {
		if m.name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("conversation %s has no owner", k.id)
}

// numberOf is the number by which people reach a member.
func (w *world) numberOf(m *member) int { return slices.Index(w.members, m) }

// reader adds a socket of its owner to a conversation, which is opened at a member first.
func (l *load) reader(k *talk, node int) *follower {
	f := &follower{
		w: l.world, h: k.owner, id: k.id, name: fmt.Sprintf("reader-%d-%d-%s", node, len(k.more), k.id), owns: true, wanted: true, node: node,
	}
	k.more = append(k.more, f)
	return f
}

// attach lets the sockets of a conversation be opened that only a fault uses.
func (l *load) attach(k *talk) {
	for _, f := range append([]*follower{k.own, k.shared}, k.more...) {
		l.followers.Go(func() { f.follow(l.life) })
	}
	// The tabs do not know it, and at the end it is compared as all others.
	l.mu.Lock()
	defer l.mu.Unlock()
	l.guests = append(l.guests, k)
}

// askStamped begins an answer of stamps in a conversation that lasts for some time.
func (l *load) askStamped(ctx context.Context, k *talk, node int, d time.Duration) error {
	id := uuid.Must(uuid.NewV7())
	text := fmt.Sprintf("%s key=%s seed=1 stamp=true tokens=%d rate=%d", canary(k.owner.org), id, int(d.Seconds()*probeRate), probeRate)
	if o := l.send(ctx, "stamped", k.owner, node, k.id, id, text); o != history.OK {
		return fmt.Errorf("the prompt of a probe had the outcome %s", o)
	}
	return nil
}

// probe has a conversation with a running answer at each node, and one to which prompts are sent all the time.
type probe struct {
	l     *load
	talks []*talk
	short *talk
	// lists are sockets at all nodes that get their person's own log.
	lists []*lister
	from  int64
}

// newProbe begins answers that last for some time. If pushes is true, prompts and lists are probed as well. While two
// faults overlap there is none: what it measures is promised for one fault.
func newProbe(ctx context.Context, l *load, d time.Duration, pushes bool) (*probe, error) {
	if l.overlapped {
		return &probe{l: l}, nil
	}
	p := &probe{l: l}
	owned := map[*member]bool{}
	for i := 0; len(owned) < len(l.members); i++ {
		if i == 20 {
			return nil, errors.New("a node owns none of 20 new conversations")
		}
		k, m, err := l.newOwned(ctx, i)
		if err != nil {
			return nil, err
		}
		if !owned[m] {
			owned[m] = true
			p.talks = append(p.talks, k)
		}
	}
	for i, k := range p.talks {
		for node := range l.members {
			l.reader(k, node)
		}
		l.attach(k)
		if err := l.askStamped(ctx, k, i, d+probeMore); err != nil {
			return nil, err
		}
	}
	if pushes {
		k, err := l.newTalk(ctx, l.humans[0], l.humans[1])
		if err != nil {
			return nil, err
		}
		p.short = k
		for node := range l.members {
			l.reader(k, node)
			s, err := l.newLister(ctx, l.humans[0], l.members[node].url)
			if err != nil {
				return nil, err
			}
			p.lists = append(p.lists, s)
		}
		l.attach(k)
	}
	// The readers have begun when they were shown something.
	within, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	for _, k := range p.talks {
		for _, f := range k.more {
			if !waitUntil(within, func() bool { return f.holds(1) }) {
				return nil, fmt.Errorf("%s is shown nothing", f.name)
			}
		}
	}
	wait(ctx, 2*time.Second)
	p.from = l.now()
	return p, nil
}

// holds says whether the follower has an event of at least this position.
func (f *follower) holds(seq int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.view != nil && f.conn != nil && f.view.Seq() >= seq
}

// last waits for some time, and meanwhile sends prompts and makes conversations through all nodes.
func (p *probe) last(ctx context.Context, d time.Duration) error {
	if p.short == nil {
		wait(ctx, d)
		return nil
	}
	h := p.l.humans[0]
	for i, until := 0, time.Now().Add(d); time.Now().Before(until) && ctx.Err() == nil; i++ {
		id := uuid.Must(uuid.NewV7())
		p.l.send(ctx, "probe", h, i, p.short.id, id, fmt.Sprintf("%s key=%s seed=%d tokens=3 rate=100", canary(h.org), id, i))
		a := p.l.call(ctx, h, i, http.MethodPost, "discourse/conversations", map[string]any{"name": canary(h.org)})
		at := p.l.now()
		made := ""
		if from := bytes.Index(a.body, []byte(`"id":"`)); a.outcome() == history.OK && from >= 0 && len(a.body) >= from+42 {
			made = string(a.body[from+6 : from+42])
		}
		if _, err := uuid.Parse(made); err != nil {
			return fmt.Errorf("make a conversation: %d %s %w", a.status, a.body, a.err)
		}
		for _, s := range p.lists {
			s.expect(made, at)
		}
		wait(ctx, probeEvery)
	}
	return nil
}

// judge compares how old text, prompts and entries of lists were when they were shown with what the row permits.
func (p *probe) judge(most time.Duration) error {
	if p.l.overlapped {
		return nil
	}
	var errs []error
	until := p.l.now()
	wait(p.l.life, slower*most)
	lines := p.l.recorder.History().Lines
	for _, k := range p.talks {
		for _, f := range k.more {
			a := agesOf(lines, f.name, p.l.began, p.from, until)
			if a.pieces == 0 {
				errs = append(errs, fmt.Errorf("%s was shown no text", f.name))
			}
			errs = append(errs, p.l.inTime("text is shown after", a.oldest, most))
		}
	}
	if p.short == nil {
		return errors.Join(errs...)
	}
	pushes := 0
	for i := range lines {
		op := lines[i].Op
		if op == nil || op.Client != "probe" || op.Outcome != history.OK || op.Conversation != p.short.id || op.Return < p.from {
			continue
		}
		pushes++
		for _, f := range p.short.more {
			at := shownAt(lines, f.name, op.Result.Seq)
			if at == 0 {
				errs = append(errs, fmt.Errorf("%s was not shown prompt %s", f.name, op.Message))
				continue
			}
			errs = append(errs, p.l.inTime("a prompt is pushed after", time.Duration(max(0, at-op.Return)), most))
		}
	}
	if pushes == 0 {
		errs = append(errs, errors.New("the probe has sent no prompt"))
	}
	for _, s := range p.lists {
		errs = append(errs, s.judge(p.l, most))
	}
	return errors.Join(errs...)
}

// ages is how old text was at most when a client was shown it, and how many pieces it was shown.
type ages struct {
	oldest time.Duration
	pieces int
}

// agesOf reads the ages of what a client was shown between two moments. If it was shown nothing at the end, the text that
// it lacks has an age as well. What it fetched, as after a reconnection, has none.
func agesOf(lines []history.Line, client string, began time.Time, from, until int64) (a ages) {
	held := map[string][]byte{}
	shown := from
	for i := range lines {
		if l := lines[i].Place; l != nil && l.Client == client {
			for _, m := range l.Fetched.Messages {
				held[m.ID.String()] = []byte(m.Text)
			}
			continue
		}
		f := lines[i].Frame
		if f == nil || f.Client != client || f.Type != "message.delta" {
			continue
		}
		text := held[f.Message]
		before := int64(len(text))
		if f.Offset > before || f.Offset+int64(len(f.Text)) <= before {
			continue
		}
		text = append(text, f.Text[before-f.Offset:]...)
		held[f.Message] = text
		first := before / stampBytes * stampBytes
		if f.At < from || f.At > until || int64(len(text)) < first+stampBytes {
			continue
		}
		micros, err := strconv.ParseInt(string(text[first+9:first+stampBytes-1]), 16, 64)
		if err != nil {
			continue // no stamp
		}
		a.pieces++
		shown = f.At
		a.oldest = max(a.oldest, began.Add(time.Duration(f.At)).Sub(time.UnixMicro(micros)))
	}
	a.oldest = max(a.oldest, time.Duration(until-shown))
	return a
}

// shownAt is when a client had an event of its conversation, pushed or fetched; 0 if it never had.
func shownAt(lines []history.Line, client string, seq int64) int64 {
	for i := range lines {
		if l := lines[i].Place; l != nil && l.Client == client && l.Fetched.Head >= seq {
			return l.At
		}
		if f := lines[i].Frame; f != nil && f.Client == client && f.Seq >= seq {
			return f.At
		}
	}
	return 0
}

// lister is a socket of a person's own log, with what it is to show and when it came.
type lister struct {
	url string
	// mu guards the fields below, by the ids of conversations.
	mu             sync.Mutex
	expected, came map[string]int64
	broken         error
}

// newLister opens a socket that is read until the load ends.
func (l *load) newLister(ctx context.Context, h *human, url string) (*lister, error) {
	conn, err := l.socketOf(ctx, h, url)
	if err != nil {
		return nil, err
	}
	s := &lister{url: url, expected: map[string]int64{}, came: map[string]int64{}}
	stop := context.AfterFunc(l.life, func() { _ = conn.Close() }) // it is to end
	l.followers.Go(func() {
		defer stop()
		for {
			_, raw, err := conn.ReadMessage()
			at := l.now()
			s.mu.Lock()
			if err != nil {
				s.broken = err
				s.mu.Unlock()
				return
			}
			if bytes.Contains(raw, []byte(`"conversation.created"`)) {
				if from := bytes.Index(raw, []byte(`"id":"`)); from >= 0 && len(raw) >= from+42 {
					s.came[string(raw[from+6:from+42])] = at
				}
			}
			s.mu.Unlock()
		}
	})
	return s, nil
}

// expect says that a conversation was made, so that it must be listed.
func (s *lister) expect(id string, at int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected[id] = at
}

// judge compares when conversations were listed with what the row permits.
func (s *lister) judge(l *load, most time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	if s.broken != nil || len(s.expected) == 0 {
		errs = append(errs, fmt.Errorf("the socket of a list at %s: %d conversations were made, %w", s.url, len(s.expected), s.broken))
	}
	for id, made := range s.expected {
		at, ok := s.came[id]
		if !ok {
			errs = append(errs, fmt.Errorf("conversation %s was not listed at %s", id, s.url))
			continue
		}
		errs = append(errs, l.inTime("a list is updated after", time.Duration(max(0, at-made)), most))
	}
	return errors.Join(errs...)
}

// shortly is a random part of a second.
func shortly(random *rand.Rand) time.Duration {
	return time.Duration(random.IntN(1000)) * time.Millisecond
}
