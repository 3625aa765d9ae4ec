package ledger

import (
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// turn is the running turn, from the send on until its end is committed.
type turn struct {
	// open are the messages being written, in order.
	open  []*text
	bytes int
	// ending is the status of the end once that is queued; the turn's output is ignored
	// from then on.
	ending domain.TurnStatus
	rec    domain.Turn
	// ids are the messages of this turn by the ids that pieces use.
	ids map[uuid.UUID]*text
	// spare messages were found open and empty after a crash; the next Open of their role
	// reuses them.
	spare    []*text
	prompt   domain.Message
	analyst  string
	caller   domain.Caller
	origin   *protocol.Origin
	finished []domain.Step
	// started says that the turn was committed and its actor was asked for.
	started bool
	stops   []Token
}

// named is the message that a piece refers to.
func (t *turn) named(name uuid.UUID) *text {
	// The fast path: nearly every piece belongs to the message that was opened last.
	if n := len(t.open); n > 0 && t.open[n-1].name == name {
		return t.open[n-1]
	}
	return t.ids[name]
}

// texts are the messages of the turn in the order of their opening. A message that is reused
// after a crash has two ids and is listed once.
func (t *turn) texts() []*text {
	var out []*text
	for _, x := range t.ids {
		known := false
		for _, o := range out {
			known = known || o == x
		}
		if !known {
			out = append(out, x)
		}
	}
	for i := 1; i < len(out); i++ {
		for k := i; k > 0 && out[k].created < out[k-1].created; k-- {
			out[k], out[k-1] = out[k-1], out[k]
		}
	}
	return out
}

// startTurn asks for the turn's actor, once the turn is durable.
func (s *State) startTurn() {
	t := s.turn
	if t == nil || t.started || t.ending != "" {
		return
	}
	t.started = true
	s.out(StartTurn{Start: protocol.StartTurn{
		Turn: t.rec, Caller: t.caller, Prompt: t.prompt, Finished: t.finished, Origin: t.origin,
	}})
}

// endTurn queues the end of the turn with the ends of its messages. From here on the turn's
// output is ignored; the turn is over when this is committed.
func (s *State) endTurn(status domain.TurnStatus, reason string) {
	t := s.turn
	b := s.openBatch(false)
	t.ending = status
	visible := slices.ContainsFunc(slices.Concat(t.open, t.spare), func(m *text) bool { return shown(m.role) })
	for _, m := range slices.Clone(t.open) {
		s.closeMessage(b, m, messageStatus(status), reason)
	}
	for _, m := range t.spare {
		s.closeMessage(b, m, domain.MessageInterrupted, reason)
	}
	t.spare = nil
	if (status == domain.TurnFailed || status == domain.TurnInterrupted) && !visible {
		s.addEndMessage(b, messageStatus(status), reason)
	}
	b.write.TurnEnd = &domain.TurnEnd{Turn: t.rec.ID, Status: status, Reason: reason}
	data := protocol.StreamingComplete{
		ConversationID: s.id, TurnID: t.rec.ID, Status: string(status), Reason: reason, Credits: s.credits,
	}
	b.event(domain.EventStreamingComplete, s.generation, func(int64) any { return data })
	user := domain.UserEventDraft{Type: domain.EventStreamingComplete, Data: marshal(data), Unread: true}
	if status == domain.TurnStopped {
		user.Except = s.owner
	}
	b.write.UserEvents = append(b.write.UserEvents, user)
	b.write.Snapshot = &domain.Snapshot{}
	b.done = append(b.done, func() {
		s.lastEnd = status
		s.out(TurnEnded{Status: status})
		if s.turn == t {
			s.turn, s.spare = nil, nil
		}
		s.stopped = nil
		if status == domain.TurnStopped {
			prompt := t.prompt
			s.stopped = &prompt
		}
		for _, to := range t.stops {
			s.answer(to, domain.StopResult{Stopped: s.stopped != nil, End: status, LastMessage: s.stopped})
		}
	})
}

// addEndMessage adds an empty message with the status and the reason of a turn that failed while
// no message was open: without it the failure would not be seen when the conversation is
// read again.
func (s *State) addEndMessage(b *batch, status domain.MessageStatus, reason string) {
	t := s.turn
	m := &domain.Message{
		ID: domain.NewID(), ConversationID: s.id, TurnID: t.rec.ID, ParentID: s.parent(uuid.Nil), Generation: s.generation,
		Role: domain.RoleAssistant, Status: status, Reason: reason, AnalystID: t.rec.AnalystID, AnalystName: t.analyst,
	}
	b.drafts = append(b.drafts, draft{
		kind: protocol.EntryEvent, event: domain.EventMessageCreated, generation: s.generation, message: m,
		data: func(int64) any { return protocol.MessageData(m) },
	})
	s.tail = []uuid.UUID{m.ID}
}

// shown reports whether a role belongs to the parts of an answer that every reader sees while
// it is written.
func shown(r domain.Role) bool {
	return r == domain.RoleAssistant || r == domain.RoleCoordinator || r == domain.RoleUserProxy
}

func messageStatus(s domain.TurnStatus) domain.MessageStatus {
	switch s {
	case domain.TurnComplete:
		return domain.MessageComplete
	case domain.TurnStopped:
		return domain.MessageStopped
	case domain.TurnInterrupted:
		return domain.MessageInterrupted
	default:
		return domain.MessageFailed
	}
}
