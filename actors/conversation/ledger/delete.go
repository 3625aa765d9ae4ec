package ledger

import (
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// delete marks the conversation as deleted, and stops the running turn, in one write. After
// that it can be neither claimed nor written, so it cannot come back.
func (s *State) delete(in Delete) {
	if b := s.deletion(); b != nil {
		// Another deletion is in progress: for this request the conversation does not exist.
		b.done = append(b.done, func() { s.fail(in.To, domain.NotFound("Conversation")) })
		b.failed = append(b.failed, func(err error) { s.fail(in.To, err) })
		return
	}
	if t := s.turn; t != nil && t.ending == "" {
		s.endTurn(domain.TurnStopped, "")
		s.out(CancelTurn{Turn: t.rec.ID})
	}
	b := s.openBatch(false)
	b.write.Delete = true
	b.write.Snapshot = nil
	data := protocol.ConversationGone{ID: s.id}
	b.event(domain.EventConversationDeleted, s.generation, func(int64) any { return data })
	b.write.UserEvents = append(b.write.UserEvents, domain.UserEventDraft{Type: domain.EventConversationDeleted, Data: marshal(data)})
	b.done = append(b.done, func() { s.answer(in.To, nil) })
	b.failed = append(b.failed, func(err error) { s.fail(in.To, err) })
}

// deletion is the write that deletes the conversation, while it is queued or in flight.
func (s *State) deletion() *batch {
	if s.inflight != nil && s.inflight.write.Delete {
		return s.inflight
	}
	for _, b := range s.queue {
		if b.write.Delete {
			return b
		}
	}
	return nil
}
