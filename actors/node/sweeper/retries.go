package sweeper

import (
	"time"

	"github.com/google/uuid"
)

const (
	// firstRest and lastRest limit the pause before a conversation whose owner gave up is
	// woken again, in pauses of the sweeper: from 2 seconds to a minute. The pause doubles as
	// long as owners give up again.
	firstRest = 4
	lastRest  = 120
	// gaveUpMax is how many such conversations a node remembers at most. The turns of others
	// wait until a person opens the conversation.
	gaveUpMax = 100_000
)

// GaveUp says that an owner on this node has ended without knowing that its turn has ended.
// Its row may name this node, which is alive, so no node considers the turn an orphan: this
// node itself must activate the conversation again.
type GaveUp struct{ Conversation uuid.UUID }

// Essential lets it into a full mailbox: otherwise the turn would wait until a person opens
// the conversation.
func (*GaveUp) Essential() {}

// IgnoreDeadLetterLogging says that the node may be ending.
func (*GaveUp) IgnoreDeadLetterLogging() {}

// retries says when such conversations are woken again.
type retries struct {
	// every is the pause between two checks.
	every time.Duration
	list  map[uuid.UUID]retry
}

type retry struct {
	rest time.Duration
	at   time.Time
	// woken says that the conversation was woken; at is then the time at which it is
	// forgotten.
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

// due returns the conversations to wake now, and forgets those that were woken and whose
// owners have not given up since.
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
