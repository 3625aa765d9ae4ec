package ledger

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// sendsKept is how many prompts of this activation are remembered. A repeat of an older one
// is found in the store.
const sendsKept = 8

// sent remembers a prompt of this activation.
type sent struct {
	message domain.Message
	turn    uuid.UUID
	analyst int64
	// batch is not nil while the prompt is not committed.
	batch *batch
}

// send takes a prompt, or refuses it if the reason still holds after a write.
func (s *State) send(in Send, now time.Time) {
	if s.repeated(in) {
		return
	}
	if s.refusal(&in.Prompt) == nil {
		s.take(in, now)
		return
	}
	before := s.turnID()
	s.whenSure(in.To, func() {
		// What was stored now says nothing about a turn that has begun since.
		reason := s.refusal(&in.Prompt)
		if reason == nil || s.turnID() != before {
			s.send(in, now)
			return
		}
		s.fail(in.To, reason)
	})
}

// turnID is the turn that runs, or uuid.Nil.
func (s *State) turnID() uuid.UUID {
	if s.turn == nil {
		return uuid.Nil
	}
	return s.turn.rec.ID
}

// refusal says why a prompt cannot be taken now, or is nil.
func (s *State) refusal(p *domain.Prompt) error {
	if s.turn != nil {
		return errAnswering()
	}
	if p.Parent != uuid.Nil && !slices.Contains(s.tail, p.Parent) {
		return domain.Errorf(domain.CodeConflict, "The conversation has changed meanwhile.")
	}
	return nil
}

// take appends the prompt, starts the turn in the same write, and names a conversation that
// has no name yet.
func (s *State) take(in Send, now time.Time) {
	p := &in.Prompt
	sources := p.DataSources
	if len(sources) == 0 {
		sources = s.sources
	}
	var plan *domain.Plan
	if in.Plan != nil {
		plan = in.Plan.Plan
		if len(sources) == 0 {
			sources = in.Plan.DataSources
		}
	}
	message := domain.Message{
		ID: p.Message, ConversationID: s.id, TurnID: domain.NewID(), ParentID: s.parent(p.Parent), Generation: s.generation,
		Role: domain.RoleUser, Text: p.Text, Status: domain.MessageComplete,
		Author:      &domain.Person{ID: in.Caller.UserID, UUID: in.Caller.UserUUID, FullName: in.Caller.FullName},
		DataSources: sources, BlueprintID: p.BlueprintID, CreatedAt: now,
	}
	t := &turn{
		rec: domain.Turn{
			ID: message.TurnID, ConversationID: s.id, Prompt: message.ID, UserID: in.Caller.UserID,
			AnalystID: in.Analyst.ID, Attempt: 1, Plan: plan, Status: domain.TurnRunning, StartedAt: now,
		},
		prompt: message, analyst: in.Analyst.Name, caller: in.Caller, origin: in.Origin, ids: map[uuid.UUID]*text{},
	}
	b := s.openBatch(true)
	rec := t.rec
	b.write.TurnStart = &rec
	b.drafts = append(b.drafts, draft{
		kind: protocol.EntryEvent, event: domain.EventMessageCreated, generation: s.generation, message: &t.prompt,
		data: func(int64) any { return protocol.MessageData(&t.prompt) },
	})
	b.write.UserEvents = append(b.write.UserEvents, domain.UserEventDraft{
		Type: domain.EventMessageCreated,
		Data: marshal(protocol.MessageNote{
			ConversationID: s.id, MessageID: message.ID, Role: string(message.Role), Streaming: true,
		}),
	})
	before := s.name
	if s.name == domain.DefaultConversationName {
		s.rename(b, domain.ConversationNameOfPrompt(p.Text))
	}
	tail, stopped := s.tail, s.stopped
	s.turn, s.tail, s.stopped = t, []uuid.UUID{message.ID}, nil
	record := &sent{message: message, turn: t.rec.ID, analyst: t.rec.AnalystID, batch: b}
	s.remember(record)
	b.done = append(b.done, func() { record.batch, record.message = nil, t.prompt })
	s.answerWhenDurable(record, in.To, false)
	b.done = append(b.done, s.startTurn)
	b.failed = append(b.failed, func(error) {
		if s.gone {
			return
		}
		s.turn, s.tail, s.name = nil, tail, before
		if stopped != nil && stopped.Generation == s.generation {
			s.stopped = stopped // no rewind has removed it meanwhile
		}
		s.sends = slices.DeleteFunc(s.sends, func(r *sent) bool { return r == record })
		if t.ending != "" || len(s.queue) > 0 {
			// Later requests relied on the turn, which is not stored: the state must be rebuilt.
			s.reclaiming = true
			s.out(Reclaim{Reset: true})
		}
	})
}

// parent is the message that the prompt follows.
func (s *State) parent(given uuid.UUID) uuid.UUID {
	if given == uuid.Nil && len(s.tail) > 0 {
		return s.tail[0]
	}
	return given
}

// repeated answers a prompt whose id is known. The same prompt gets the first result; a
// different prompt with the same id is refused, and the answer contains nothing of the first
// one.
func (s *State) repeated(in Send) bool {
	for _, r := range s.sends {
		if r.message.ID != in.Prompt.Message {
			continue
		}
		if !s.samePrompt(&r.message, r.analyst, &in) {
			s.fail(in.To, errOtherBody())
			return true
		}
		s.answerWhenDurable(r, in.To, true)
		return true
	}
	if in.Existing == nil {
		return false
	}
	if in.Existing.ConversationID != s.id || !s.samePrompt(in.Existing, in.Asked, &in) {
		s.fail(in.To, errOtherBody())
		return true
	}
	s.answer(in.To, domain.SendResult{Message: *in.Existing, TurnID: in.Existing.TurnID, Repeated: true})
	return true
}

// samePrompt reports whether a prompt has the same content as the first one with its id. A
// field that is left out matches any value.
func (s *State) samePrompt(m *domain.Message, analyst int64, in *Send) bool {
	return m.Role == domain.RoleUser && m.Text == in.Prompt.Text &&
		(len(in.Prompt.DataSources) == 0 || slices.Equal(m.DataSources, in.Prompt.DataSources)) &&
		(in.Prompt.AnalystID == 0 || in.Prompt.AnalystID == analyst) &&
		(in.Prompt.BlueprintID == 0 || in.Prompt.BlueprintID == m.BlueprintID)
}

// answerWhenDurable answers with the result of the first send, when it is durable.
func (s *State) answerWhenDurable(r *sent, to Token, repeated bool) {
	reply := func() {
		s.answer(to, domain.SendResult{Message: r.message, TurnID: r.turn, Repeated: repeated})
	}
	if r.batch == nil {
		reply()
		return
	}
	r.batch.done = append(r.batch.done, reply)
	r.batch.failed = append(r.batch.failed, func(err error) { s.fail(to, err) })
}

func (s *State) remember(r *sent) {
	s.sends = append(s.sends, r)
	if len(s.sends) > sendsKept {
		s.sends = slices.Delete(s.sends, 0, len(s.sends)-sendsKept)
	}
}

func errAnswering() error {
	return domain.Errorf(domain.CodeConflict, "An answer is still being written.")
}

func errOtherBody() error {
	return domain.Invalid("message.id", "This message id was used for another message.")
}

// rename changes the conversation's name within a batch.
func (s *State) rename(b *batch, name string) {
	s.name = name
	b.write.Update = &domain.ConversationUpdate{Name: &name}
	change := protocol.ConversationChange{ID: s.id, Name: &name}
	b.event(domain.EventConversationUpdated, s.generation, func(int64) any { return change })
	b.write.UserEvents = append(b.write.UserEvents, domain.UserEventDraft{Type: domain.EventConversationUpdated, Data: marshal(change)})
}
