package connection

import (
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// place is how far the client is in one conversation, including the frames that are queued
// for it. It is a pure state machine.
type place struct {
	epoch      int64
	generation int64
	seq        int64
	open       []opened
}

// opened is a message being written, with the number of its bytes that the client has.
type opened struct {
	message uuid.UUID
	offset  int64
}

// verdict says what to do with an entry.
type verdict uint8

const (
	forward verdict = iota
	skip            // the client has it, or it is from an earlier owner
	gap             // something before it is missing: subscribe again from this place
)

// advance moves the place by an entry.
func (p *place) advance(e *protocol.Entry) verdict {
	if e.Epoch < p.epoch {
		return skip
	}
	v := forward
	switch e.Kind {
	case protocol.EntryProgress:
	case protocol.EntryDelta:
		v = p.delta(e)
	default:
		v = p.event(e)
	}
	if v == forward {
		p.epoch, p.generation = e.Epoch, max(p.generation, e.Generation)
	}
	return v
}

func (p *place) delta(e *protocol.Entry) verdict {
	i := p.find(e.Message)
	end := e.Offset + int64(len(e.Text))
	switch {
	case i < 0:
		return gap
	case end <= p.open[i].offset:
		return skip
	case e.Offset > p.open[i].offset:
		return gap
	default:
		p.open[i].offset = end
		return forward
	}
}

func (p *place) event(e *protocol.Entry) verdict {
	if e.Seq <= p.seq {
		return skip
	}
	if e.Seq != p.seq+1 {
		return gap
	}
	switch e.Kind { //nolint:exhaustive // other events open and end nothing
	case protocol.EntryOpened:
		p.open = append(p.open, opened{message: e.Message})
	case protocol.EntryEnded:
		i := p.find(e.Message)
		if i >= 0 && p.open[i].offset != e.Offset {
			return gap
		}
		if i >= 0 {
			p.open = slices.Delete(p.open, i, i+1)
		}
		if len(p.open) == 0 {
			p.open = nil
		}
	}
	p.seq = e.Seq
	return forward
}

func (p *place) find(message uuid.UUID) int {
	return slices.IndexFunc(p.open, func(o opened) bool { return o.message == message })
}

// behind reports whether the owner's log goes further than this place.
func (p *place) behind(s *protocol.Position) bool {
	if s.Epoch == 0 || s.Epoch > p.epoch || s.Head > p.seq {
		return true
	}
	for _, o := range s.Open {
		if i := p.find(protocol.ID(o.Message)); s.Epoch == p.epoch && i >= 0 && p.open[i].offset < o.Offset {
			return true
		}
	}
	return false
}

// cursor is the place as a cursor. If several messages are open, it names the first one. The
// others are sent again from their beginning, and the client drops the text that it already
// has.
func (p *place) cursor() *domain.Cursor {
	c := &domain.Cursor{Seq: p.seq, Generation: p.generation}
	if len(p.open) > 0 {
		c.Message, c.Offset = p.open[0].message, p.open[0].offset
	}
	return c
}
