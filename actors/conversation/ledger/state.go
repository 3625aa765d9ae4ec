package ledger

import (
	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/budget"
)

// State is one conversation as its owner knows it. It does no I/O and is not safe for
// concurrent use: Apply takes the inputs and returns the actions as Outputs. The fields that
// each piece of text needs come first, so that they share cache lines.
type State struct {
	// inflight is the write that the journal has; queue waits behind it.
	inflight *batch
	turn     *turn
	queue    []*batch
	// spare are committed batches that are reused for the next text.
	spare []*batch
	// reclaiming says that a new claim is finding out whether inflight was committed.
	reclaiming bool
	// gone says that nothing more may be written, because the owner was fenced or the
	// conversation was deleted.
	gone bool
	// dirty says that the stored snapshot is older than the state.
	dirty   bool
	outputs []Output
	// waiting counts the requests that wait for an answer.
	waiting int
	// room is the slice for the outputs of the next Apply; nil while the caller still reads
	// the last ones.
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
	// tail are the ids of the messages that count as the head: the last one that all readers
	// see, and internal ones after it.
	tail []uuid.UUID
	// lastEnd is how the last turn ended, for a stop that arrives too late.
	lastEnd domain.TurnStatus
	// stopped is the prompt of the last turn if that was stopped and nothing was added since:
	// a repeated stop, whose first answer was lost, gets it again.
	stopped *domain.Message
	// sends are the latest prompts of this activation, for repeats that arrive before the
	// first one is stored.
	sends []*sent
	// requests are the latest requests that have changed the conversation, newest first, of earlier
	// activations as well.
	requests []uuid.UUID
}

// outputsKept is the largest capacity of outputs that is kept for the next Apply.
const outputsKept = 4

// Limits of one conversation.
type Limits struct {
	// TurnText is the maximum number of bytes of text of one turn.
	TurnText int
	// Recent is the budget for recent events of all conversations of the node. If it is nil,
	// only each single conversation is limited.
	Recent *budget.Budget
}

// waitingMax is how many requests may wait for their commit. While the store is unreachable,
// callers without an answer repeat their requests. A stop is still accepted when the others
// are refused.
const waitingMax = 64

// NewState makes the state of a new activation.
func NewState(c *domain.Claim, limits Limits) *State {
	s := &State{
		id: c.Conversation, org: c.OrganisationID, owner: c.OwnerID, fence: c.Fence, limits: limits,
		next: c.NextSeq, head: c.NextSeq - 1, generation: c.Generation, name: c.Name, sources: c.DataSources, credits: c.Credits,
		ring: newRing(c.NextSeq-1, limits.Recent), stopped: c.Stopped, requests: c.Requests,
	}
	if c.Stopped != nil {
		s.lastEnd = domain.TurnStopped
	}
	return s
}

// Busy reports whether a write is in flight: Committed or Reclaimed will follow.
func (s *State) Busy() bool { return (s.inflight != nil || s.reclaiming) && !s.gone }

// Idle reports whether nothing is in progress.
func (s *State) Idle() bool {
	return s.turn == nil && s.inflight == nil && len(s.queue) == 0 && !s.reclaiming
}

// Running reports whether there is a turn whose end is not committed.
func (s *State) Running() bool { return s.turn != nil }

// RunningTurn is the turn that runs, from its prompt until its end is queued.
func (s *State) RunningTurn() (turn domain.Turn, ok bool) {
	if s.turn == nil || s.turn.ending != "" {
		return domain.Turn{}, false
	}
	return s.turn.rec, true
}

// ID is the conversation's id.
func (s *State) ID() uuid.UUID { return s.id }

// Organisation is the organisation that the conversation belongs to.
func (s *State) Organisation() int64 { return s.org }

// Head is the seq of the last committed event.
func (s *State) Head() int64 { return s.head }

// Epoch is the epoch of the fence.
func (s *State) Epoch() int64 { return s.fence.Epoch }

// Fence is the proof of ownership.
func (s *State) Fence() domain.Fence { return s.fence }

// Generation counts the rewinds that are committed: what the store shows now.
func (s *State) Generation() int64 {
	g := s.generation
	if s.inflight != nil && s.inflight.write.Cut != nil {
		g--
	}
	for _, b := range s.queue {
		if b.write.Cut != nil {
			g--
		}
	}
	return g
}

// MayWrite reports whether the caller is the owner: the only one who changes it.
func (s *State) MayWrite(c domain.Caller) bool {
	return c.UserID == s.owner && c.OrganisationID == s.org
}

// Drop releases the events that are held for readers who come back: they read what happened so
// far from the store.
func (s *State) Drop() { s.ring.drop() }
