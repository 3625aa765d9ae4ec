package ledger

import (
	"encoding/json"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// tailEntry is a committed event as it is kept for the next owner. For the end of a message
// Text is its whole text.
type tailEntry struct {
	Kind    protocol.EntryKind `json:"kind"`
	Message uuid.UUID          `json:"message,omitzero"`
	Offset  int64              `json:"offset,omitempty"`
	Text    string             `json:"text,omitempty"`
	Event   domain.Event       `json:"event"`
}

// TailEntry encodes a committed event for the next owner; it returns nil for an event whose
// text is too long even for the memory of this owner.
func (s *State) TailEntry(e *protocol.Entry) ([]byte, error) {
	t := tailEntry{Kind: e.Kind, Message: e.Message, Offset: e.Offset, Event: *e.Event}
	t.Event.Seq, t.Event.Generation = e.Seq, e.Generation
	if e.Kind == protocol.EntryEnded {
		x := s.ring.text(e.Message)
		if x == nil {
			return nil, nil
		}
		t.Text = x.said.String()
	}
	return json.Marshal(t) //nolint:wrapcheck // its caller adds the context
}

// LoadTail puts kept events before those that the ring holds. It uses only the events that
// lead without a gap to the beginning of the ring, which is known from the claim: a committed
// event never changes, and no other event gets its seq. So even if some are lost, duplicated
// or out of order, a reader gets what the store would have returned.
func (s *State) LoadTail(tail [][]byte) {
	kept := make(map[int64]*tailEntry, len(tail))
	for _, data := range tail {
		var t tailEntry
		if json.Unmarshal(data, &t) == nil {
			kept[t.Event.Seq] = &t
		}
	}
	var events []protocol.Entry
	floor := s.ring.floor
	for ; floor > 0; floor-- {
		t := kept[floor]
		if t == nil || t.Event.Generation != s.Generation() || t.Kind == protocol.EntryEnded && t.Offset != int64(len(t.Text)) {
			break
		}
		if t.Kind == protocol.EntryEnded {
			x := &text{id: t.Message, committed: len(t.Text), opened: true, ended: true}
			x.said.Append(t.Text)
			s.ring.ended = append(s.ring.ended, x)
			s.ring.bytes += len(t.Text)
		}
		events = append(events, protocol.Entry{
			Kind: t.Kind, Seq: floor, Epoch: t.Event.Epoch, Generation: t.Event.Generation, Message: t.Message, Offset: t.Offset, Event: &t.Event,
		})
	}
	s.ring.prepend(floor, events)
}
