package ledger

import (
	"unicode/utf8"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Resumed is where a reader begins.
type Resumed struct {
	Outcome protocol.Subscription_Outcome
	// Head is the last committed seq, From the seq after which the entries begin.
	Head, From int64
	Generation int64
	// Open are the messages being written with their committed length.
	Open []OpenText
	// Entries are what the reader misses between its cursor and the head, with texts.
	Entries []protocol.Entry
}

// OpenText is a message being written and its committed length.
type OpenText struct {
	Message uuid.UUID
	Offset  int64
}

// Resume answers a reader's cursor from what is committed. A nil cursor asks for everything
// from now on, which begins with the text so far of the messages being written. A cursor that
// does not fit leads to a reset, never to text of another message.
func (s *State) Resume(at *domain.Cursor) Resumed {
	r := Resumed{Outcome: protocol.Subscription_LIVE, Head: s.head, From: s.head, Generation: s.Generation(), Open: s.OpenTexts()}
	if at == nil || at.Seq == 0 && at.Message == uuid.Nil && at.Offset == 0 {
		for _, x := range s.openTexts() {
			r.Entries = s.appendDelta(r.Entries, nil, x, 0, x.committed)
		}
		return r
	}
	if at.Seq <= 0 || at.Seq > s.head || at.Generation != r.Generation || at.Offset < 0 || at.Message == uuid.Nil && at.Offset != 0 {
		r.Outcome = protocol.Subscription_RESET
		return r
	}
	events, ok := s.ring.after(at.Seq)
	if !ok {
		r.Outcome, r.From = protocol.Subscription_BEHIND, at.Seq
		return r
	}
	held := at.Message
	for i := range events {
		e := &events[i]
		if e.Kind == protocol.EntryEnded {
			x := s.ring.text(e.Message)
			offset := int64(0)
			if e.Message == held {
				offset, held = at.Offset, uuid.Nil
			}
			if x == nil || !boundary(&x.said, x.said.Len(), offset) {
				r.Outcome, r.Entries = protocol.Subscription_RESET, nil
				return r
			}
			r.Entries = s.appendDelta(r.Entries, e, x, offset, x.said.Len())
		}
		again := *e
		// Replayed events carry this owner's epoch, because a client drops older ones.
		again.Epoch, again.JSON = s.fence.Epoch, nil
		r.Entries = append(r.Entries, again)
	}
	if s.turn != nil {
		for _, x := range s.openTexts() {
			offset := int64(0)
			if x.id == held {
				offset, held = at.Offset, uuid.Nil
			}
			if !boundary(&x.said, x.committed, offset) {
				r.Outcome, r.Entries = protocol.Subscription_RESET, nil
				return r
			}
			r.Entries = s.appendDelta(r.Entries, nil, x, offset, x.committed)
		}
	}
	if held != uuid.Nil {
		r.Outcome, r.Entries = protocol.Subscription_RESET, nil
		return r
	}
	r.From = at.Seq
	return r
}

// appendDelta adds the text of a message from offset on, before the event that ends it.
func (s *State) appendDelta(entries []protocol.Entry, before *protocol.Entry, x *text, offset int64, to int) []protocol.Entry {
	if offset >= int64(to) {
		return entries
	}
	generation := s.Generation()
	if before != nil {
		generation = before.Generation
	}
	return append(entries, protocol.Entry{
		Kind: protocol.EntryDelta, Epoch: s.fence.Epoch, Generation: generation,
		Message: x.id, Offset: offset, Text: x.said.Slice(int(offset), to),
	})
}

// openTexts are the messages whose opening is committed and whose end is not.
func (s *State) openTexts() []*text {
	if s.turn == nil {
		return nil
	}
	var out []*text
	for _, x := range s.turn.texts() {
		if x.opened && !x.ended {
			out = append(out, x)
		}
	}
	return out
}

// OpenTexts are the messages being written with their committed lengths, in the order of their
// opening.
func (s *State) OpenTexts() []OpenText {
	var out []OpenText
	for _, x := range s.openTexts() {
		out = append(out, OpenText{Message: x.id, Offset: int64(x.committed)})
	}
	return out
}

// boundary reports whether a character begins at an offset of the first length bytes of a
// text, or whether the offset is their end.
func boundary(g *domain.Growing, length int, offset int64) bool {
	switch {
	case offset < 0 || offset > int64(length):
		return false
	case offset == int64(length):
		return true
	default:
		return utf8.RuneStart(g.Slice(int(offset), int(offset)+1)[0])
	}
}
