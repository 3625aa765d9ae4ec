package ledger

import (
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// committed handles the journal's answer to the write in flight. Only now may its content
// be answered or shown.
func (s *State) committed(in Committed) {
	b := s.inflight
	if b == nil || s.reclaiming {
		return
	}
	s.absorb(b)
	err := in.Result.Err
	switch code := domain.CodeOf(err); {
	case err == nil:
		s.inflight = nil
		s.reveal(b, in.Result.UserEvents)
	case code == domain.CodeFenced:
		s.finish(false)
	case refused(code) && b.alone:
		// The store refused the write; nothing of it is stored.
		s.inflight = nil
		s.next = b.first
		for _, f := range b.failed {
			f(err)
		}
	default:
		s.reclaiming = true
		s.out(Reclaim{Reset: refused(code), Cause: err})
	}
}

// refused reports whether a code means for certain that nothing was written.
func refused(c domain.Code) bool {
	switch c {
	case domain.CodeInvalid, domain.CodeConflict, domain.CodeNotFound, domain.CodeForbidden, domain.CodeTooLarge, domain.CodeBadRequest:
		return true
	default:
		return false
	}
}

// reveal makes a durable batch visible: first to the readers, then to waiting requests.
func (s *State) reveal(b *batch, users []domain.UserEvent) {
	p := s.publication(b)
	for i := range b.drafts {
		d := &b.drafts[i]
		switch d.kind { //nolint:exhaustive // other kinds of entries change no text
		case protocol.EntryDelta:
			d.text.committed = d.to
		case protocol.EntryOpened:
			d.text.opened = true
		case protocol.EntryEnded:
			d.text.ended = true
		}
	}
	s.head = max(s.head, b.last)
	s.ring.add(b, p.Entries)
	if len(p.Entries) > 0 {
		s.out(Publish{Publication: p})
	}
	if len(users) > 0 {
		s.out(SendUserEvents{Events: users})
	}
	if b.bytes > 0 {
		s.out(Release{Bytes: b.bytes})
	}
	if b.write.Snapshot != nil {
		s.dirty = false
	} else if len(b.write.Events) > 0 {
		s.dirty = true
	}
	for _, f := range b.done {
		f()
	}
	for _, f := range b.decide {
		f()
	}
	if b.write.Delete {
		s.finish(true)
		return
	}
	s.recycle(b)
}

// flush writes a snapshot when there is something to write.
func (s *State) flush(in Flush) {
	if !s.dirty && s.Idle() {
		s.answer(in.To, nil)
		return
	}
	b := s.openBatch(false)
	b.write.Snapshot = &domain.Snapshot{}
	b.done = append(b.done, func() { s.answer(in.To, nil) })
	b.failed = append(b.failed, func(err error) { s.fail(in.To, err) })
}
