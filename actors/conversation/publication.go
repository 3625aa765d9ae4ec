package conversation

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/async"
)

// roomMost is the largest room for a frame that a publication keeps for its next use.
const roomMost = 4 << 10

// publications makes those of a node's conversations. Nearly all have a single entry, and
// nearly all are read by everybody before the next one is made: they are used again, and
// are then still in the processor's cache.
type publications struct {
	spares async.Spares[publication]
}

// publication is one that is used again.
type publication struct {
	protocol.Publication
	holders async.Holders
	single  [1]protocol.Entry
}

// get gives one without entries, with the room for so many of them. Who gets it holds it.
func (s *publications) get(conversation uuid.UUID, epoch int64, entries int) *protocol.Publication {
	p := s.spares.Get()
	if p.Release == nil {
		p.Hold = p.holders.Add
		p.Release = func() {
			if p.holders.Done() {
				p.clear()
				s.spares.Put(p)
			}
		}
	}
	p.Conversation, p.Epoch, p.Entries = conversation, epoch, p.single[:0]
	if entries > 1 {
		p.Entries = make([]protocol.Entry, 0, entries)
	}
	p.holders.Begin()
	return &p.Publication
}

// clear forgets what it showed and keeps the room of its frame.
func (p *publication) clear() {
	if room := p.single[0].JSON; room != nil && cap(room) <= roomMost {
		p.Room = room[:0]
	}
	p.Entries, p.single[0], p.Few = nil, protocol.Entry{}, false
}
