package protocol

import "github.com/google/uuid"

// Publication is what one commit shows, the same for every reader of the node. It is
// immutable once Finish was called: readers in other goroutines hold it for as long as
// they like, and messages for other nodes, which are written to the wire later, share
// its memory.
type Publication struct {
	Conversation uuid.UUID
	Epoch        int64
	Entries      []Entry

	inline bool
}

// NewPublication makes a publication with room for a number of entries, which the caller
// appends. Nearly all have one entry; it is allocated together with the publication.
func NewPublication(conversation uuid.UUID, epoch int64, entries int) *Publication {
	if entries != 1 {
		return &Publication{Conversation: conversation, Epoch: epoch, Entries: make([]Entry, 0, entries)}
	}
	p := &struct {
		Publication
		entry [1]Entry
	}{Publication: Publication{Conversation: conversation, Epoch: epoch}}
	p.Entries = p.entry[:0]
	return &p.Publication
}

// Finish writes the frames, once for all readers. few says that there are so few readers
// that each is served before anything else is done. Then a delta's frame is left to
// them: nearly always they write it to the socket at once, out of room of their own.
func (p *Publication) Finish(few bool) {
	p.inline = few
	for i := range p.Entries {
		if e := &p.Entries[i]; !few || e.Kind != EntryDelta {
			e.Encode(p.Conversation)
		}
	}
}

// Inline implements mailbox.Inline.
func (p *Publication) Inline() bool { return p.inline }
