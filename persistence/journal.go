package persistence

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// JournalConfig says how a journal groups.
type JournalConfig struct {
	// GroupSize is the most conversations of one group. 0 means 4096.
	GroupSize int

	// Alone is how many conversations that were locked by somebody else are tried
	// at the same time, each by itself. 0 means 4.
	Alone int

	// Pending is the most writes that wait; more are refused with CodeUnavailable.
	// 0 means 100,000.
	Pending int

	// RetryFor is how long a group is tried again while the database cannot be
	// reached. 0 means 30 s.
	RetryFor time.Duration

	// Observe is told about each group that was tried, from the goroutine that
	// commits; it must be quick. Nil means that nobody wants to know.
	Observe func(GroupStats)
}

// GroupStats says what became of one group.
type GroupStats struct {
	// Writes is the size of the group, Skipped how many of it were locked by others.
	Writes, Skipped int

	// Lock is how long it took to lock and compare, Took how long the whole, until
	// the commit was answered.
	Lock, Took time.Duration

	// Waited is how long the oldest write of it had waited for its turn.
	Waited time.Duration
}

func (c *JournalConfig) mustValidate() {
	if c.GroupSize < 0 || c.Alone < 0 || c.Pending < 0 || c.RetryFor < 0 {
		panic("persistence: JournalConfig has a negative field")
	}
	if c.GroupSize == 0 {
		c.GroupSize = 4096
	}
	if c.Alone == 0 {
		c.Alone = 4
	}
	if c.Pending == 0 {
		c.Pending = 100_000
	}
	if c.RetryFor == 0 {
		c.RetryFor = 30 * time.Second
	}
}

// entry is a write on its way.
type entry struct {
	write  *domain.Write
	done   func(domain.WriteResult)
	since  time.Time // of Submit
	result domain.WriteResult

	// skipped says that somebody else had the conversation's row locked.
	skipped bool
}

// Journal implements domain.Journal. One goroutine commits: while a group is on
// its way the next one gathers, so an idle node adds no delay and a busy one
// merges more. A conversation has at most one write in a group, and none while
// an earlier one of it is being tried alone, so its order is that of Submit.
type Journal struct {
	store *Store
	cfg   JournalConfig

	// mu guards what Submit shares with run.
	mu      sync.Mutex
	queue   []*entry
	started bool
	stopped bool

	// wake tells run of a new entry, ended that there will be no more.
	wake, ended chan struct{}
	// finished is closed when run has returned.
	finished chan struct{}
	// locked is when the group under way had its locks. It belongs to run.
	locked time.Time
	// alone brings back what was tried alone.
	alone chan *entry
}

var _ domain.Journal = (*Journal)(nil)

// NewJournal makes a journal; a node has one. Start it before the first Submit.
func (s *Store) NewJournal(cfg JournalConfig) *Journal {
	cfg.mustValidate()
	return &Journal{
		store: s, cfg: cfg,
		wake: make(chan struct{}, 1), ended: make(chan struct{}), finished: make(chan struct{}), alone: make(chan *entry),
	}
}

// Start begins to commit. When ctx ends, what waits fails with CodeUnavailable;
// Stop is the way that loses nothing. A second call does nothing.
func (j *Journal) Start(ctx context.Context) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.started || j.stopped {
		return
	}
	j.started = true
	go j.run(ctx)
}

// Stop commits what waits, and returns when all of it is answered. Later writes
// are refused. A second call waits too.
func (j *Journal) Stop() {
	j.mu.Lock()
	started, first := j.started, !j.stopped
	j.stopped = true
	j.mu.Unlock()
	if first {
		close(j.ended)
	}
	if started {
		<-j.finished
	}
}

// Submit implements domain.Journal.
func (j *Journal) Submit(w *domain.Write, done func(domain.WriteResult)) {
	j.mu.Lock()
	refused := j.stopped || len(j.queue) >= j.cfg.Pending
	if !refused {
		j.queue = append(j.queue, &entry{write: w, done: done, since: j.store.clock.Now()})
	}
	j.mu.Unlock()
	if refused {
		// From a goroutine of its own: the caller may be inside what done sends to.
		go done(domain.WriteResult{Err: domain.Errorf(domain.CodeUnavailable, "The store takes no more writes at the moment.")})
		return
	}
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

// take moves what was submitted to the end of pending.
func (j *Journal) take(pending []*entry) []*entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	pending = append(pending, j.queue...)
	clear(j.queue)
	j.queue = j.queue[:0]
	return pending
}

// run commits group after group until Stop, and then what is left.
func (j *Journal) run(ctx context.Context) {
	defer close(j.finished)
	r := &round{busy: make(map[uuid.UUID]bool)}
	ended := j.ended
	for {
		r.pending = j.take(r.pending)
		if group := j.next(r); len(group) > 0 {
			j.watched(ctx, group)
			for _, e := range group {
				if e.skipped {
					r.busy[e.write.Conversation] = true
					r.parked = append(r.parked, e)
				} else {
					e.done(e.result)
				}
			}
			j.launch(ctx, r)
			j.collect(ctx, r)
			continue
		}
		if ended == nil && len(r.pending) == 0 && len(r.busy) == 0 {
			return
		}
		select {
		case <-j.wake:
		case e := <-j.alone:
			j.back(ctx, r, e)
		case <-ended:
			ended = nil
		}
	}
}

// watched commits a group and tells how that went.
func (j *Journal) watched(ctx context.Context, group []*entry) {
	if j.cfg.Observe == nil {
		j.commit(ctx, group)
		return
	}
	began := j.store.clock.Now()
	oldest := began
	for _, e := range group {
		if e.since.Before(oldest) {
			oldest = e.since
		}
	}
	j.commit(ctx, group)
	s := GroupStats{Writes: len(group), Waited: began.Sub(oldest), Took: j.store.clock.Now().Sub(began)}
	if !j.locked.IsZero() {
		s.Lock, j.locked = j.locked.Sub(began), time.Time{}
	}
	for _, e := range group {
		if e.skipped {
			s.Skipped++
		}
	}
	j.cfg.Observe(s)
}

// round is what run knows between two groups. It belongs to run alone.
type round struct {
	// pending are the writes not yet in a group, oldest first.
	pending []*entry

	// busy are the conversations with a write that is tried alone or parked.
	busy map[uuid.UUID]bool

	// parked are writes to be tried alone for which there is no room yet.
	parked []*entry

	// trying is how many are tried alone now.
	trying int
}

// next takes the oldest write of each conversation that is not busy, in the
// order of ids, which is the order of locks.
func (j *Journal) next(r *round) []*entry {
	if len(r.pending) == 0 {
		return nil
	}
	var group []*entry
	seen := make(map[uuid.UUID]bool, min(len(r.pending), j.cfg.GroupSize))
	rest := r.pending[:0]
	for _, e := range r.pending {
		id := e.write.Conversation
		if r.busy[id] || seen[id] || len(group) >= j.cfg.GroupSize {
			rest = append(rest, e)
		} else {
			group = append(group, e)
		}
		// A later write of it must not overtake this one.
		seen[id] = true
	}
	clear(r.pending[len(rest):])
	r.pending = rest
	slices.SortFunc(group, func(a, b *entry) int { return compareIDs(a.write.Conversation, b.write.Conversation) })
	return group
}

// launch tries parked writes alone, as far as there is room.
func (j *Journal) launch(ctx context.Context, r *round) {
	for len(r.parked) > 0 && r.trying < j.cfg.Alone {
		e := r.parked[0]
		r.parked = r.parked[1:]
		r.trying++
		go func() {
			j.commitAlone(ctx, e)
			j.alone <- e
		}()
	}
}

// collect answers those that have been tried alone meanwhile, without waiting.
func (j *Journal) collect(ctx context.Context, r *round) {
	for {
		select {
		case e := <-j.alone:
			j.back(ctx, r, e)
		default:
			return
		}
	}
}

// back answers a write that was tried alone and makes room for the next one.
func (j *Journal) back(ctx context.Context, r *round, e *entry) {
	r.trying--
	delete(r.busy, e.write.Conversation)
	e.done(e.result)
	j.launch(ctx, r)
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
