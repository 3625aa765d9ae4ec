package persistence

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/startstop"
)

// JournalConfig sets the limits of a journal.
type JournalConfig struct {
	// GroupSize is the maximum number of conversations in one group. 0 means 256: enough
	// that the cost of a commit is small compared to its rows, and few enough that no write
	// waits for thousands of others.
	GroupSize int

	// Lanes is how many groups of text are in flight at a time. The second one begins when
	// a whole group waits, or the first one is slow. 0 means 2.
	Lanes int

	// Pace is the minimum time between the beginnings of two groups of text that are not full. 0
	// means 8 ms, negative means none.
	Pace time.Duration

	// Alone is how many writes are tried at the same time, each in its own transaction,
	// because another transaction had locked their conversations. 0 means 4.
	Alone int

	// Pending is the maximum number of writes that wait; further ones are refused with
	// CodeUnavailable. 0 means 100,000.
	Pending int

	// RetryFor is how long a group is retried while the database cannot be reached. 0
	// means 30 s.
	RetryFor time.Duration

	// Deliver runs a portion of the completion callbacks on the executor of the actors that
	// they send to, and returns a function that waits until it has run. Nil: the lane runs
	// it itself.
	Deliver func(portion func()) (delivered func(context.Context))

	// MaxDelivering is how many such portions may be in flight to the conversations. When
	// the limit is reached no more are answered, and text that waits for the next group
	// merges. 0 means 2.
	MaxDelivering int

	// Observe is called for each group that was tried, by the goroutines that commit; it
	// must be quick, and safe for concurrent use. Nil: no calls.
	Observe func(GroupStats)
}

// GroupStats are the measurements of one group.
type GroupStats struct {
	// Writes is the size of the group, Skipped how many of its conversations other
	// transactions had locked.
	Writes, Skipped int

	// Lock is the time to lock rows and compare fences, if that is a separate round trip;
	// 0 for a group of text only. Took is the time until the commit was answered.
	Lock, Took time.Duration

	// Waited is how long its oldest write had waited before.
	Waited time.Duration
}

func (c *JournalConfig) mustValidate() {
	if c.GroupSize < 0 || c.Lanes < 0 || c.Alone < 0 || c.MaxDelivering < 0 || c.Pending < 0 || c.RetryFor < 0 {
		panic("persistence: JournalConfig has a negative field")
	}
	if c.GroupSize == 0 {
		c.GroupSize = 256
	}
	if c.Lanes == 0 {
		c.Lanes = 2
	}
	if c.Pace == 0 {
		c.Pace = 8 * time.Millisecond
	}
	if c.Alone == 0 {
		c.Alone = 4
	}
	if c.MaxDelivering == 0 {
		c.MaxDelivering = 2
	}
	if c.Pending == 0 {
		c.Pending = 100_000
	}
	if c.RetryFor == 0 {
		c.RetryFor = 30 * time.Second
	}
}

// entry is a submitted write.
type entry struct {
	// conversation is the write's conversation. The write itself must not be read after its answer.
	conversation uuid.UUID

	write *domain.Write
	// text says that the write has only pieces of text.
	text  bool
	done  func(domain.WriteResult)
	since time.Time // the time of Submit

	// next is the next write of the same conversation, which waits for this one.
	next *entry

	// result is the result of the last try.
	result attemptResult

	// doubt says that an earlier try may have been committed: its answer got lost. Unlike
	// the result it is kept for all later tries.
	doubt bool
}

// attemptResult is the result of one try of a write. Each try begins with the zero value, so
// that no result of an earlier try is used for this one.
type attemptResult struct {
	// WriteResult is for the owner, unless the write was skipped.
	domain.WriteResult

	// skipped says that another transaction had locked the conversation's row: nothing was
	// written, and the write is tried again alone.
	skipped bool
}

// Journal implements domain.Journal. Its lanes commit groups of disjoint conversations: while
// one is in flight writes collect for the next one, so there is no delay on an idle node, and
// a busy one merges more. A conversation has at most one write in flight, so its writes are
// committed in the order of Submit.
type Journal struct {
	store *core
	cfg   JournalConfig

	life startstop.Guard

	// mu guards the fields below; Submit and the lanes write them.
	mu sync.Mutex
	// stopped says that no more writes are accepted.
	stopped bool
	// lines has the last unanswered write of each conversation that has one. The entries of
	// a conversation are linked by next; the first one is due or in flight.
	lines map[uuid.UUID]*entry
	// texts and others are the writes that are due, one for each conversation, oldest
	// first: texts has those with text only, others the rest.
	texts, others queue
	// waiting counts the writes that are not in flight, open those that are not answered.
	waiting, open int
	// parked are writes that wait to be tried alone, and trying is how many are being tried
	// alone now.
	parked []*entry
	trying int

	// answering is locked by the lane that answers a group of text. It guards out, the
	// functions that wait for the portions in flight, the oldest first.
	answering sync.Mutex
	out       []func(context.Context)

	// entries are answered ones (*entry), to be reused.
	entries sync.Pool
	// wires are the buffers for groups of text (*textWire).
	wires sync.Pool

	lanes sync.WaitGroup
	// alone waits for the writes that are tried alone.
	alone sync.WaitGroup
}

var _ domain.Journal = (*Journal)(nil)

// NewJournal makes a journal; a node has one. Start it before the first Submit.
func (s *Store) NewJournal(cfg JournalConfig) *Journal {
	cfg.mustValidate()
	j := &Journal{store: s.core, cfg: cfg, lines: make(map[uuid.UUID]*entry)}
	j.texts.ready.L, j.others.ready.L = &j.mu, &j.mu
	j.texts.pacer.pace = cfg.Pace
	return j
}

// Start begins to commit. When ctx ends, waiting writes fail with CodeUnavailable; Stop loses
// no write. A second call does nothing; a call after Stop returns startstop.ErrStopped. There
// is no other error.
func (j *Journal) Start(ctx context.Context) error {
	return j.life.Start(func() error {
		j.lanes.Go(func() { j.lane(ctx, &j.others) })
		for range j.cfg.Lanes {
			j.lanes.Go(func() { j.lane(ctx, &j.texts) })
		}
		return nil
	})
}

// Stop commits the waiting writes, and returns when all of them are answered. Later writes are
// refused. A second call waits too; without Start there is nothing to wait for.
func (j *Journal) Stop() {
	j.mu.Lock()
	j.stopped = true
	j.wakeLocked()
	j.mu.Unlock()
	_ = j.life.Stop(func() error { // never fails
		j.lanes.Wait()
		j.alone.Wait()
		return nil
	})
}

// Submit implements domain.Journal.
func (j *Journal) Submit(w *domain.Write, done func(domain.WriteResult)) {
	e, ok := j.entries.Get().(*entry)
	if !ok {
		e = new(entry)
	}
	*e = entry{conversation: w.Conversation, write: w, text: isText(w), done: done, since: j.store.clock.Now()}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stopped || j.waiting >= j.cfg.Pending {
		// In a goroutine, because the caller may be the actor that done sends to.
		go done(domain.WriteResult{Err: domain.Errorf(domain.CodeUnavailable, "The store takes no more writes at the moment.")})
		return
	}
	j.waiting++
	j.open++
	last := j.lines[w.Conversation]
	j.lines[w.Conversation] = e
	if last != nil {
		last.next = e
		return
	}
	j.dueLocked(e)
}
