package conversation

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
)

const (
	ringEvents = 256
	ringText   = 512 << 10
)

// ring keeps the latest committed events of the conversation with the texts of
// the messages that they end, so that a reader who comes back soon is answered
// from memory. It reaches back to floor: events above it are held.
type ring struct {
	floor  int64
	events []protocol.Entry
	ended  []*text
	bytes  int
}

func newRing(head int64) ring { return ring{floor: head} }

func (r *ring) add(b *batch, entries []protocol.Entry) {
	for i := range entries {
		if entries[i].Seq > 0 {
			r.events = append(r.events, entries[i])
		}
	}
	for i := range b.drafts {
		if d := &b.drafts[i]; d.kind == protocol.EntryEnded {
			r.ended = append(r.ended, d.text)
			r.bytes += d.text.said.Len()
		}
	}
	r.trim()
}

func (r *ring) trim() {
	drop := max(0, len(r.events)-ringEvents)
	for r.bytes > ringText && drop < len(r.events) {
		if r.events[drop].Kind == protocol.EntryEnded {
			r.forget(r.events[drop].Message)
		}
		drop++
	}
	if drop == 0 {
		return
	}
	for i := range drop {
		if e := &r.events[i]; e.Kind == protocol.EntryEnded {
			r.forget(e.Message)
		}
	}
	r.floor = r.events[drop-1].Seq
	// Cut by copying only when a good part is dead, so that a full ring costs little.
	r.events = r.events[drop:]
	if cap(r.events)-len(r.events) > ringEvents || len(r.events) == 0 {
		r.events = append(make([]protocol.Entry, 0, len(r.events)+16), r.events...)
	}
}

func (r *ring) forget(id uuid.UUID) {
	for i, t := range r.ended {
		if t.id == id {
			r.bytes -= t.said.Len()
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

// after gives the events above seq; ok is false where the ring does not reach back.
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
