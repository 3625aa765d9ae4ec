package ledger

import (
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// rewind removes the messages from the given one on, and stops the running turn, in one
// write.
func (s *State) rewind(in Rewind) {
	if in.Generation != s.generation {
		s.afterCut(in.To)
		return
	}
	removed := ""
	if in.Message.Role == domain.RoleUser {
		removed = in.Message.Text
	}
	if in.Left {
		// A repeat of a rewind whose answer was lost removes nothing more.
		if s.turn != nil {
			s.fail(in.To, domain.NotFound("Message"))
			return
		}
		s.answer(in.To, domain.RewindResult{Text: removed, Generation: s.generation, Head: s.head})
		return
	}
	if t := s.turn; t != nil && t.ending == "" {
		s.endTurn(domain.TurnStopped, "")
		s.out(CancelTurn{Turn: t.rec.ID})
	}
	b := s.openBatch(false)
	s.generation++
	generation := s.generation
	b.write.Cut = &domain.Cut{FromSeq: in.Message.Seq, Generation: generation}
	data := protocol.Rewound{FromSeq: in.Message.Seq, Generation: generation}
	b.event(domain.EventConversationRewound, generation, func(int64) any { return data })
	b.write.UserEvents = append(b.write.UserEvents, domain.UserEventDraft{
		Type: domain.EventConversationRewound, Data: marshal(protocol.RewindNote{ConversationID: s.id}),
	})
	b.write.Snapshot = &domain.Snapshot{}
	s.tail = in.Tail
	b.done = append(b.done, func() {
		s.stopped = nil
		s.answer(in.To, domain.RewindResult{Text: removed, Generation: generation, Head: b.last})
	})
	b.failed = append(b.failed, func(err error) { s.fail(in.To, err) })
}

// afterCut answers a request with Stale, when no rewind is in progress any more.
func (s *State) afterCut(to Token) {
	under := s.inflight
	for _, b := range s.queue {
		if b.write.Cut != nil {
			under = b
		}
	}
	if under == nil || under.write.Cut == nil {
		s.fail(to, Stale{})
		return
	}
	under.done = append(under.done, func() { s.fail(to, Stale{}) })
	under.failed = append(under.failed, func(err error) { s.fail(to, err) })
}
