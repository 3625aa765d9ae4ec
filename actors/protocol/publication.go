package protocol

import (
	"sync"
	"sync/atomic"

	"github.com/google/uuid"
)

// Publication is what one commit shows, the same for every reader of the node.
type Publication struct {
	Conversation uuid.UUID
	Epoch        int64
	Entries      []Entry
	// Few says that it has so few readers that they may be served one after the other
	// before anything else is done.
	Few bool

	// holders are those who may still read it.
	holders atomic.Int32
	single  [1]Entry
	room    []byte // for the JSON of single
}

// Inline implements mailbox.Inline.
func (p *Publication) Inline() bool { return p.Few }

// spare holds publications that nobody reads any more, to be used again.
var spare = sync.Pool{New: func() any { return new(Publication) }}

// roomMost is the largest room for JSON that a publication keeps for its next use.
const roomMost = 4 << 10

// NewPublication makes one without entries, with the room for so many of them. Nearly
// all have a single one, which then stands beside it. Who gets it holds it until Done.
func NewPublication(conversation uuid.UUID, epoch int64, entries int) *Publication {
	p, _ := spare.Get().(*Publication)
	p.Conversation, p.Epoch, p.Entries = conversation, epoch, p.single[:0]
	if entries > 1 {
		p.Entries = make([]Entry, 0, entries)
	}
	p.holders.Store(1)
	return p
}

// Hold says that so many more will read it, each of whom may say Done.
func (p *Publication) Hold(readers int) { p.holders.Add(int32(readers)) } //nolint:gosec // as many as there are sockets

// Done says that one of those who hold it reads neither it, nor its entries, nor their
// JSON any more. With the last one it is used again. Who keeps something of it, or is
// not sure, says nothing: then it stays what it is.
func (p *Publication) Done() {
	if p.holders.Add(-1) != 0 {
		return
	}
	if room := p.single[0].JSON; room != nil && cap(room) <= roomMost {
		p.room = room[:0]
	}
	p.Entries, p.single[0], p.Few = nil, Entry{}, false
	spare.Put(p)
}

// Encode writes the frames of all entries that have none yet.
func (p *Publication) Encode() {
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Kind == EntryDelta && e.JSON == nil && p.room != nil {
			e.JSON = AppendDelta(p.room, p.Conversation, e.Epoch, e.Generation, e.Message, e.Offset, e.Text)
			p.room = nil
			continue
		}
		e.Encode(p.Conversation)
	}
}
