package conversation

import (
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
)

// State is one conversation as its owner knows it. It is changed by Step alone
// and does no I/O: what is to be done comes out as Outputs.
type State struct {
	// What each piece of text reads comes first.

	// inflight is the write that the journal has; queue waits behind it.
	inflight *batch
	turn     *turn
	queue    []*batch
	// spare are batches that were committed, for the next text.
	spare []*batch
	// reclaiming says that the fate of inflight is unknown and is being asked.
	reclaiming bool
	// gone says that nothing more may be written: fenced or deleted.
	gone bool
	// dirty says that the stored snapshot is older than the state.
	dirty   bool
	outputs []Output
	// waits counts those who wait for an answer.
	waits int
	// room takes the outputs of the next Step; the caller of this one has not let go of
	// it where it is nil.
	room []Output

	// next is the seq of the next event that is submitted; everything below it is
	// committed or in flight. head is the last committed one.
	next       int64
	head       int64
	generation int64
	id         uuid.UUID
	org        int64
	fence      domain.Fence
	limits     Limits
	ring       ring

	owner   int64
	name    string
	sources []int64
	credits float64
	// tail are the ids of the messages that count as the head: the last one that
	// everybody sees, and internal ones after it.
	tail []uuid.UUID
	// lastEnd is how the last turn ended, for a stop that comes too late.
	lastEnd domain.TurnStatus
	// stopped is the prompt of the last turn if that was stopped and nothing has
	// come since: a stop whose answer was lost is asked again, and gets it.
	stopped *domain.Message
	// sends are the latest prompts of this activation, for repeats that come before
	// the store can know the first one.
	sends []*sent
}

// outputsKept is the most room for outputs that is kept for the next Step.
const outputsKept = 4

// Limits of one conversation.
type Limits struct {
	// TurnText is the most bytes of text of one turn.
	TurnText int
	// Recent is what all conversations of the node may hold of what was said lately; nil
	// bounds each of them alone.
	Recent *async.Budget
}

// waitsMax is how many requests may wait for their commit. While the store is away they
// come again and again, for who gets no answer repeats. A stop goes before the others.
const waitsMax = 64

// turn is the running turn, from the send on until its end is committed.
type turn struct {
	// open are the messages being written, in order.
	open  []*text
	bytes int
	// ending is the status of the end once that is queued; nothing of the turn is
	// taken any more.
	ending domain.TurnStatus
	rec    domain.Turn
	// ids are the messages of this turn by which pieces may name them.
	ids map[uuid.UUID]*text
	// spare ones were found open and empty after a crash and are used again by the next
	// Open of their role.
	spare    []*text
	prompt   domain.Message
	analyst  string
	caller   domain.Caller
	finished []domain.Step
	// started says that the turn was committed and its actor was asked for.
	started bool
	stops   []Token
}

// named is the message that a piece names.
func (t *turn) named(name uuid.UUID) *text {
	// Nearly every piece is of the message that was opened last.
	if n := len(t.open); n > 0 && t.open[n-1].name == name {
		return t.open[n-1]
	}
	return t.ids[name]
}

// sent remembers a prompt of this activation.
type sent struct {
	message domain.Message
	turn    uuid.UUID
	analyst int64
	// batch is not nil while the prompt is not committed.
	batch *batch
}

// Token stands for someone who waits for an answer.
type Token any

// NewState makes the state of a fresh activation.
func NewState(c *domain.Claim, limits Limits) *State {
	s := &State{
		id: c.Conversation, org: c.OrganisationID, owner: c.OwnerID, fence: c.Fence, limits: limits,
		next: c.NextSeq, head: c.NextSeq - 1, generation: c.Generation, name: c.Name, sources: c.DataSources, credits: c.Credits,
		ring: newRing(c.NextSeq-1, limits.Recent), stopped: c.Stopped,
	}
	if c.Stopped != nil {
		s.lastEnd = domain.TurnStopped
	}
	return s
}

// Step takes one input and gives what is to be done, in order.
func (s *State) Step(in Input, now time.Time) []Output {
	s.outputs, s.room = s.room[:0], nil
	if s.gone {
		s.refuse(in)
		return s.outputs
	}
	if to := tokenOf(in); to != nil {
		if s.busy(in) {
			s.out(Answer{To: to, Err: errBusy()})
			return s.outputs
		}
		s.waits++
	}
	switch in := in.(type) {
	case Recover:
		s.recover(in)
	case Send:
		s.send(in, now)
	case Stop:
		s.stop(in)
	case Rewind:
		s.rewind(in)
	case Change:
		s.change(in)
	case SetGrants:
		s.setGrants(in)
	case Delete:
		s.delete(in)
	case Piece:
		s.piece(in, now)
	case Committed:
		s.committed(in)
	case Reclaimed:
		s.reclaimed(in, now)
	case Flush:
		s.flush(in)
	}
	if p, ok := in.(Piece); !ok || !p.More {
		s.submit(now)
	}
	return s.outputs
}

// Done has the outputs of a Step, which are done, make room for those of the next one.
func (s *State) Done(outputs []Output) {
	if cap(outputs) <= outputsKept {
		clear(outputs)
		s.room = outputs
	}
}

// Busy tells whether a write is in flight, whose end will be told.
func (s *State) Busy() bool { return (s.inflight != nil || s.reclaiming) && !s.gone }

// Idle tells whether nothing is under way.
func (s *State) Idle() bool {
	return s.turn == nil && s.inflight == nil && len(s.queue) == 0 && !s.reclaiming
}

// Running tells whether a turn runs.
func (s *State) Running() bool { return s.turn != nil }

// Runs tells whether that turn runs, and its end is not queued.
func (s *State) Runs(turn uuid.UUID) bool {
	return s.turn != nil && s.turn.rec.ID == turn && s.turn.ending == ""
}

// Dirty tells whether a snapshot is worth writing.
func (s *State) Dirty() bool { return s.dirty }

// Epoch is that of the fence.
func (s *State) Epoch() int64 { return s.fence.Epoch }

// Fence is the proof of ownership.
func (s *State) Fence() domain.Fence { return s.fence }

// Generation counts the rewinds that are committed: what the store shows now.
func (s *State) Generation() int64 { return s.published() }

// Gone tells whether this activation may write no more.
func (s *State) Gone() bool { return s.gone }

// MayWrite tells whether the caller is the owner: the only one who changes it.
func (s *State) MayWrite(c domain.Caller) bool {
	return c.UserID == s.owner && c.OrganisationID == s.org
}

func (s *State) out(o Output) { s.outputs = append(s.outputs, o) }

func (s *State) answer(to Token, value any) {
	if to != nil {
		s.waits--
		s.out(Answer{To: to, Value: value})
	}
}

func (s *State) fail(to Token, err error) {
	if to != nil {
		s.waits--
		s.out(Answer{To: to, Err: err})
	}
}

// refuse answers what comes after the end of the activation.
func (s *State) refuse(in Input) {
	if p, ok := in.(Piece); ok && p.Piece.Settle != nil {
		s.out(Settle{Do: p.Piece.Settle, Err: errFenced()})
	}
	s.fail(tokenOf(in), errFenced())
}

// tokenOf is who waits for the answer to an input.
func tokenOf(in Input) Token {
	switch in := in.(type) {
	case Send:
		return in.To
	case Stop:
		return in.To
	case Rewind:
		return in.To
	case Change:
		return in.To
	case SetGrants:
		return in.To
	case Delete:
		return in.To
	case Flush:
		return in.To
	default:
		return nil
	}
}

// busy tells whether too many wait already.
func (s *State) busy(in Input) bool {
	switch in.(type) {
	case Flush:
		return false // the actor's own: there is one
	case Stop:
		return s.waits >= 2*waitsMax
	default:
		return s.waits >= waitsMax
	}
}

// Drop gives back what is held for readers who come back. The state is not used any more.
func (s *State) Drop() { s.ring.drop() }

func errFenced() error {
	return domain.Errorf(domain.CodeFenced, "The conversation has moved. Please try again.")
}
