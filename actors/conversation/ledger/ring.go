package ledger

import (
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/budget"
)

// The limits of one conversation; all conversations of a node also share a limit.
const (
	ringEvents = 256
	ringBytes  = 512 << 10
)

// ring keeps the latest committed events of the conversation with the texts of
// the messages that they end, so that a reader who comes back soon is answered
// from memory. It reaches back to floor: events above it are held.
type ring struct {
	floor  int64
	events []protocol.Entry
	ended  []*text
	bytes  int
	// room is the budget that all conversations of the node share.
	room *budget.Budget
}

func newRing(head int64, room *budget.Budget) ring { return ring{floor: head, room: room} }

func (r *ring) add(b *batch, entries []protocol.Entry) {
	for i := range b.drafts {
		if d := &b.drafts[i]; d.kind == protocol.EntryEnded {
			r.ended = append(r.ended, d.text)
		}
	}
	for i := range entries {
		if e := &entries[i]; e.Seq > 0 {
			r.events = append(r.events, *e)
			r.hold(r.weight(e))
		}
	}
	r.trim()
}

// hold counts n more bytes as held; a negative n counts them as released.
func (r *ring) hold(n int) {
	r.bytes += n
	r.room.Take(n)
}

// weight returns how many bytes of memory an event holds: its data, and the text of the
// message that it ends.
func (r *ring) weight(e *protocol.Entry) int {
	n := 0
	if e.Event != nil {
		n = len(e.Event.Data)
	}
	if e.Kind == protocol.EntryEnded {
		if t := r.text(e.Message); t != nil {
			n += t.said.Len()
		}
	}
	return n
}

// prepend puts events before those that are held, so that the ring reaches back to floor.
// Their order is newest first.
func (r *ring) prepend(floor int64, newest []protocol.Entry) {
	if len(newest) == 0 {
		return
	}
	events := make([]protocol.Entry, 0, len(newest)+len(r.events)+16)
	for _, e := range slices.Backward(newest) {
		events = append(events, e)
	}
	r.floor, r.events = floor, append(events, r.events...)
	r.trim()
}

// trim drops the oldest events until the limits hold. If the node's budget is spent, the
// conversation that adds events drops its own: its readers then read the store.
func (r *ring) trim() {
	drop := 0
	for ; drop < len(r.events) && (len(r.events)-drop > ringEvents || r.bytes > ringBytes || r.room.Spent()); drop++ {
		e := &r.events[drop]
		r.hold(-r.weight(e))
		if e.Kind == protocol.EntryEnded {
			r.forget(e.Message)
		}
	}
	if drop == 0 {
		return
	}
	r.floor = r.events[drop-1].Seq
	// Events are copied only when a good part of the array is unused, so that a full ring costs little.
	r.events = r.events[drop:]
	if cap(r.events)-len(r.events) > ringEvents || len(r.events) == 0 {
		r.events = append(make([]protocol.Entry, 0, len(r.events)+16), r.events...)
	}
}

// drop releases everything.
func (r *ring) drop() {
	r.hold(-r.bytes)
	if n := len(r.events); n > 0 {
		r.floor = r.events[n-1].Seq
	}
	r.events, r.ended = nil, nil
}

func (r *ring) forget(id uuid.UUID) {
	for i, t := range r.ended {
		if t.id == id {
			r.ended[i] = r.ended[len(r.ended)-1]
			r.ended[len(r.ended)-1] = nil
			r.ended = r.ended[:len(r.ended)-1]
			return
		}
	}
}

func (r *ring) text(id uuid.UUID) *text {
	for _, t := range r.ended {
		if t.id == id {
			return t
		}
	}
	return nil
}

// after returns the events above seq; ok is false if the ring does not reach back that far.
func (r *ring) after(seq int64) (events []protocol.Entry, ok bool) {
	if seq < r.floor {
		return nil, false
	}
	i := len(r.events)
	for i > 0 && r.events[i-1].Seq > seq {
		i--
	}
	return r.events[i:], true
}
