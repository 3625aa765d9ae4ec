package persistence

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/startstop"
)

// JournalConfig says how a journal groups.
type JournalConfig struct {
	// GroupSize is the most conversations of one group. 0 means 256: enough that a
	// commit's own cost is small beside that of its rows, and few enough that nobody
	// waits for the work of thousands.
	GroupSize int

	// Lanes is how many groups of text alone are on their way at a time. The second
	// one begins when a whole group waits. 0 means 2.
	Lanes int

	// Alone is how many conversations that were locked by somebody else are tried
	// at the same time, each by itself. 0 means 4.
	Alone int

	// Pending is the most writes that wait; more are refused with CodeUnavailable.
	// 0 means 100,000.
	Pending int

	// RetryFor is how long a group is tried again while the database cannot be
	// reached. 0 means 30 s.
	RetryFor time.Duration

	// Answer runs a portion of the answers where the work of those who are told is done,
	// in its turn, and gives what waits until it has run. Nil: the lane runs it itself.
	Answer func(portion func()) (answered func(context.Context))

	// Answers is how many portions of answers may be on their way to the conversations. When
	// the limit is reached no more are answered, and text that waits for the next group
	// merges. 0 means 2.
	Answers int

	// Observe is told about each group that was tried, from the goroutines that
	// commit; it must be quick, and safe for concurrent use. Nil means that nobody
	// wants to know.
	Observe func(GroupStats)
}

// GroupStats says what became of one group.
type GroupStats struct {
	// Writes is the size of the group, Skipped how many of it were locked by others.
	Writes, Skipped int

	// Lock is how long it took to lock and compare where that is a round trip of its
	// own, 0 for a group of text alone. Took is how long the whole lasted, until the
	// commit was answered.
	Lock, Took time.Duration

	// Waited is how long the oldest write of it had waited for its turn.
	Waited time.Duration
}

func (c *JournalConfig) mustValidate() {
	if c.GroupSize < 0 || c.Lanes < 0 || c.Alone < 0 || c.Answers < 0 || c.Pending < 0 || c.RetryFor < 0 {
		panic("persistence: JournalConfig has a negative field")
	}
	if c.GroupSize == 0 {
		c.GroupSize = 256
	}
	if c.Lanes == 0 {
		c.Lanes = 2
	}
	if c.Alone == 0 {
		c.Alone = 4
	}
	if c.Answers == 0 {
		c.Answers = 2
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
	// conversation is the write's, which is not ours any more once it is answered.
	conversation uuid.UUID

	write *domain.Write
	// text says that the write holds pieces of text and nothing else.
	text  bool
	done  func(domain.WriteResult)
	since time.Time // of Submit

	// next is the later write of the same conversation that waits behind this one.
	next *entry

	// result is what the last try made of the write.
	result attemptResult

	// doubt says that an earlier try may have been committed: its answer got lost.
	// Unlike the result it holds for all later tries.
	doubt bool
}

// attemptResult is what one try made of a write. Each try begins with the zero value, so
// that nothing an earlier one found can be taken for an answer of this one.
type attemptResult struct {
	// WriteResult is for the owner, unless the write was skipped.
	domain.WriteResult

	// skipped says that somebody else had the conversation's row locked: nothing
	// was written, and the write is tried again alone.
	skipped bool
}

// Journal implements domain.Journal. Its lanes commit groups over disjoint
// conversations: while one is on its way the next one gathers, so an idle node
// adds no delay and a busy one merges more. A conversation has at most one write
// under way, so its order is that of Submit.
type Journal struct {
	store *core
	cfg   JournalConfig

	life startstop.Guard

	// mu guards what follows; Submit and the lanes write it.
	mu sync.Mutex
	// stopped says that no more writes are taken.
	stopped bool
	// lines has, for each conversation with a write that is not answered, the last
	// such write. Each entry leads to the next one; the first is due or under way.
	lines map[uuid.UUID]*entry
	// texts and others are the writes that are due, one a conversation, oldest
	// first: those of text alone, and all the rest.
	texts, others queue
	// waiting counts the writes that are not under way, open those not answered.
	waiting, open int
	// parked are writes to be tried alone for which there is no room yet, and trying
	// is how many are tried alone now.
	parked []*entry
	trying int

	// answering is held by the lane that answers a group of text. It guards out, which
	// wait for the portions that are on their way, the oldest first.
	answering sync.Mutex
	out       []func(context.Context)

	// entries are those that are answered (*entry), for the next ones.
	entries sync.Pool
	// wires are the rooms for groups on their way (*textWire).
	wires sync.Pool

	lanes sync.WaitGroup
	// alone are those that are tried by themselves.
	alone sync.WaitGroup
}

var _ domain.Journal = (*Journal)(nil)

// NewJournal makes a journal; a node has one. Start it before the first Submit.
func (s *Store) NewJournal(cfg JournalConfig) *Journal {
	cfg.mustValidate()
	j := &Journal{store: s.core, cfg: cfg, lines: make(map[uuid.UUID]*entry)}
	j.texts.ready.L, j.others.ready.L = &j.mu, &j.mu
	return j
}

// Start begins to commit. When ctx ends, what waits fails with CodeUnavailable;
// Stop is the way that loses nothing. A second call does nothing; one after Stop is
// startstop.ErrStopped, and there is no other error.
func (j *Journal) Start(ctx context.Context) error {
	return j.life.Start(func() error {
		j.lanes.Go(func() { j.lane(ctx, &j.others) })
		for range j.cfg.Lanes {
			j.lanes.Go(func() { j.lane(ctx, &j.texts) })
		}
		return nil
	})
}

// Stop commits what waits, and returns when all of it is answered. Later writes
// are refused. A second call waits too; without Start there is nothing to wait for.
func (j *Journal) Stop() {
	j.mu.Lock()
	j.stopped = true
	j.wakeLocked()
	j.mu.Unlock()
	_ = j.life.Stop(func() error { // it gives no error
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
		// From a goroutine of its own: the caller may be inside what done sends to.
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
