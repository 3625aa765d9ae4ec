package protocol

import "github.com/google/uuid"

// Publication is what one commit shows, the same for every reader of the node.
type Publication struct {
	Conversation uuid.UUID
	Epoch        int64
	Entries      []Entry
	// Few says that it has so few readers that they may be served one after the other
	// before anything else is done.
	Few bool
	// Room is where the frame of a delta may be written.
	Room []byte
	// Hold says that so many readers get it. Each of them may call Release when it reads
	// neither it, nor its entries, nor their JSON any more; who gave it does so, too.
	// With the last one it is used again. A reader that keeps something of it, or is not
	// sure, says nothing: then it stays what it is. Both are nil where nothing is used again.
	Hold    func(readers int)
	Release func()
}

// Inline implements mailbox.Inline.
func (p *Publication) Inline() bool { return p.Few }

// Encode writes the frames of all entries that have none yet.
func (p *Publication) Encode() {
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.Kind == EntryDelta && e.JSON == nil && p.Room != nil {
			e.JSON = AppendDelta(p.Room, p.Conversation, e.Epoch, e.Generation, e.Message, e.Offset, e.Text)
			p.Room = nil
			continue
		}
		e.Encode(p.Conversation)
	}
}
