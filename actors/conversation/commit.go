package conversation

import (
	"slices"
	"time"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// committed takes the journal's word on the write in flight. Only now may
// anybody be told or shown what it holds.
func (s *State) committed(in Committed) {
	b := s.inflight
	if b == nil || s.reclaiming {
		return
	}
	err := in.Result.Err
	switch code := domain.CodeOf(err); {
	case err == nil:
		s.inflight = nil
		s.apply(b, in.Result.UserEvents)
	case code == domain.CodeFenced:
		s.end(false)
	case refused(code) && b.alone:
		// The store refused what the write says; nothing of it is there.
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

// refused tells the codes that say for certain that nothing was written.
func refused(c domain.Code) bool {
	switch c {
	case domain.CodeInvalid, domain.CodeConflict, domain.CodeNotFound, domain.CodeForbidden, domain.CodeTooLarge, domain.CodeBadRequest:
		return true
	default:
		return false
	}
}

// apply makes a durable batch visible, in this order: the readers, then those who wait.
func (s *State) apply(b *batch, users []domain.UserEvent) {
	p := s.publication(b)
	for i := range b.drafts {
		d := &b.drafts[i]
		switch d.kind { //nolint:exhaustive // other entries change no text
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
		s.out(TellUsers{Events: users})
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
	if b.write.Delete {
		s.end(true)
		return
	}
	s.keep(b)
}

// end closes the activation: everybody who waits is told to ask again, and
// nothing more is said or written.
func (s *State) end(deleted bool) {
	running := s.turn != nil
	s.abandon()
	s.out(End{Deleted: deleted, Running: running})
}

// Abandon gives up a state that cannot be trusted; another is made from a new
// claim. Everybody who waits is told to ask again.
func (s *State) Abandon() []Output {
	s.outputs = nil
	if !s.gone {
		s.abandon()
	}
	return s.outputs
}

// Deleted learns that nothing is there to be claimed any more. If the write in
// flight was the deletion, that is how its success looks.
func (s *State) Deleted() []Output {
	s.outputs, s.reclaiming = nil, false
	if b := s.inflight; b != nil && b.write.Delete {
		s.inflight = nil
		s.missed(b)
		s.apply(b, nil)
	}
	if !s.gone {
		s.end(true)
	}
	return s.outputs
}

// Superseded learns that another activation owns the conversation.
func (s *State) Superseded() []Output {
	s.outputs, s.reclaiming = nil, false
	if !s.gone {
		s.end(false)
	}
	return s.outputs
}

func (s *State) abandon() {
	s.gone = true
	s.ring.drop()
	batches := s.queue
	if s.inflight != nil {
		batches = append([]*batch{s.inflight}, batches...)
	}
	s.inflight, s.queue = nil, nil
	for _, b := range batches {
		for _, f := range b.failed {
			f(errFenced())
		}
	}
	if s.turn != nil {
		s.out(CancelTurn{Turn: s.turn.rec.ID})
		for _, to := range s.turn.stops {
			s.fail(to, errFenced())
		}
		s.turn = nil
	}
}

// reclaimed learns from a new claim whether the write in flight was committed.
// The whole of a write is there or nothing of it, so the next seq, the turn's attempt,
// the length of an open text or a finished step decides.
func (s *State) reclaimed(in Reclaimed, now time.Time) {
	b := s.inflight
	if b == nil || !s.reclaiming {
		return
	}
	s.reclaiming = false
	s.fence = in.Claim.Fence
	if written(b, in.Claim) {
		s.inflight = nil
		s.missed(b)
		s.apply(b, nil)
		return
	}
	s.next = b.first
	s.write(b, now)
	s.out(s.submission(b))
}

// missed has the sessions told of a batch whose answer, with the people's events in it,
// got lost.
func (s *State) missed(b *batch) {
	if len(b.write.UserEvents)+len(b.write.Grants) == 0 {
		return
	}
	changed := make([]domain.Grantee, len(b.write.Grants))
	for i, g := range b.write.Grants {
		changed[i] = g.Grantee
	}
	s.out(TellMissed{Changed: changed})
}

// Consistent tells whether a claim fits the state with the write in flight done
// or not done. If not, another state must be made.
func (s *State) Consistent(c *domain.Claim) bool {
	b := s.inflight
	if b == nil {
		return false
	}
	return c.NextSeq == b.first || c.NextSeq == b.last+1
}

func written(b *batch, c *domain.Claim) bool {
	if b.last >= b.first {
		return c.NextSeq == b.last+1
	}
	if c.Running == nil {
		return false
	}
	if start := b.write.TurnStart; start != nil {
		return c.Running.Turn.ID == start.ID && c.Running.Turn.Attempt >= start.Attempt
	}
	if len(b.write.Chunks) > 0 {
		chunk := &b.write.Chunks[0]
		i := slices.IndexFunc(c.Running.Open, func(m domain.Message) bool { return m.ID == chunk.Message })
		return i >= 0 && int64(len(c.Running.Open[i].Text)) >= chunk.Offset+int64(chunk.Len())
	}
	if len(b.write.Steps) > 0 {
		want := &b.write.Steps[0]
		i := slices.IndexFunc(c.Running.Steps, func(s domain.Step) bool { return s.Number == want.Number })
		return i >= 0 && c.Running.Steps[i].Status == want.Status && c.Running.Steps[i].Attempt == want.Attempt
	}
	return false
}

// flush writes a snapshot when there is something to write.
func (s *State) flush(in Flush) {
	if !s.dirty && s.Idle() {
		s.answer(in.To, nil)
		return
	}
	b := s.pending(false)
	b.write.Snapshot = &domain.Snapshot{}
	b.done = append(b.done, func() { s.answer(in.To, nil) })
	b.failed = append(b.failed, func(err error) { s.fail(in.To, err) })
}
