package sweeper

import (
	"time"

	"github.com/google/uuid"
)

const (
	// firstRest and lastRest bound the pause before a conversation is woken again
	// whose owner gave up, in looks of the sweeper: from 2 seconds to a minute. It
	// doubles as long as owners go on giving up.
	firstRest = 4
	lastRest  = 120
	// gaveUpMax bounds what a node remembers of them. The oldest turns that are
	// forgotten wait for somebody to open the conversation.
	gaveUpMax = 100_000
)

// GaveUp says that an owner on this node has ended without knowing that its turn
// has. Its row may name this node, which lives, so nobody takes the turn for an
// orphan: this node itself must come back to it.
type GaveUp struct{ Conversation uuid.UUID }

// Essential lets it into a full mailbox: the turn would wait for a visitor otherwise.
func (*GaveUp) Essential() {}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*GaveUp) IgnoreDeadLetterLogging() {}

// retries says when such conversations are woken again.
type retries struct {
	// every is the pause between two looks.
	every time.Duration
	list  map[uuid.UUID]retry
}

type retry struct {
	rest time.Duration
	at   time.Time
	// woken says that at is when the matter is forgotten.
	woken bool
}

func (r *retries) add(id uuid.UUID, now time.Time) {
	next := retry{rest: firstRest * r.every}
	if before, ok := r.list[id]; ok {
		next.rest = min(2*before.rest, lastRest*r.every)
	} else if len(r.list) >= gaveUpMax {
		return
	}
	next.at = now.Add(next.rest)
	if r.list == nil {
		r.list = map[uuid.UUID]retry{}
	}
	r.list[id] = next
}

// due gives those to be woken now, and forgets those that have been quiet since.
func (r *retries) due(now time.Time) []uuid.UUID {
	var list []uuid.UUID
	for id, x := range r.list {
		switch {
		case x.at.After(now):
		case x.woken:
			delete(r.list, id)
		default:
			list = append(list, id)
			r.list[id] = retry{rest: x.rest, at: now.Add(2 * lastRest * r.every), woken: true}
		}
	}
	return list
}
