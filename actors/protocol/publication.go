package protocol

import "github.com/google/uuid"

// Publication is the entries of one commit, the same for every reader of the node. It is
// immutable after Finish: readers in other goroutines keep it for any time, and messages for
// other nodes, which are encoded later, share its memory.
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

// Finish encodes the frames, once for all readers. inline says that the local readers are so few
// that they are served in the publisher's goroutine. Then they encode a delta's frame
// themselves: nearly always they write it to the socket at once, from a buffer of their own.
func (p *Publication) Finish(inline bool) {
	p.inline = inline
	for i := range p.Entries {
		if e := &p.Entries[i]; !inline || e.Kind != EntryDelta {
			e.Encode(p.Conversation)
		}
	}
}

// Inline implements mailbox.Inline.
func (p *Publication) Inline() bool { return p.inline }
