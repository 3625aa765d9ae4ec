package fakes

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Engine represents the actor engine. It answers every call as if the request was executed,
// and does nothing.
type Engine struct{ *World }

// SentID is the message that Send answers with.
const SentID = "01920000-0000-7000-8000-0000000000cc"

// Send implements domain.ConversationEngine.
func (e Engine) Send(_ context.Context, caller domain.Caller, p domain.Prompt) (*domain.SendResult, error) {
	m := domain.Message{
		ID: uuid.MustParse(SentID), ConversationID: p.Conversation, TurnID: uuid.MustParse(SentID), Seq: 4, Role: domain.RoleUser,
		Text: "Sent", Status: domain.MessageComplete, CreatedAt: e.now,
		// The author has no picture, as in the log of a conversation.
		Author: &domain.Person{ID: caller.UserID, UUID: caller.UserUUID, FullName: caller.FullName},
	}
	return &domain.SendResult{Message: m, TurnID: m.TurnID}, e.note("Send", p)
}

// Stop implements domain.ConversationEngine. The last message is the prompt of World.AddConversation.
func (e Engine) Stop(_ context.Context, _ domain.Caller, conversation uuid.UUID) (*domain.StopResult, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := &domain.StopResult{Stopped: true, End: domain.TurnStopped}
	if c := e.conversations[conversation]; c != nil && len(c.Messages) > 0 {
		r.LastMessage = &c.Messages[0]
	}
	return r, e.noted("Stop", conversation)
}

// Cut has the arguments of a call of Rewind.
type Cut struct{ Conversation, Message uuid.UUID }

// Rewind implements domain.ConversationEngine.
func (e Engine) Rewind(_ context.Context, _ domain.Caller, conversation, message uuid.UUID) (*domain.RewindResult, error) {
	return &domain.RewindResult{Text: "How many?", Generation: 2, Head: 3}, e.note("Rewind", Cut{conversation, message})
}

// ConversationChange has the arguments of a call of Change.
type ConversationChange struct {
	ID     uuid.UUID
	Update domain.ConversationUpdate
}

// Change implements domain.ConversationEngine.
func (e Engine) Change(_ context.Context, _ domain.Caller, conversation uuid.UUID, u domain.ConversationUpdate) error {
	return e.note("Change", ConversationChange{conversation, u})
}

// Delete implements domain.ConversationEngine.
func (e Engine) Delete(_ context.Context, _ domain.Caller, conversation uuid.UUID) error {
	return e.note("Delete", conversation)
}

// ConversationGrants has the arguments of a call of SetGrants.
type ConversationGrants struct {
	ID     uuid.UUID
	Grants []domain.Grant
}

// SetGrants implements domain.ConversationEngine.
func (e Engine) SetGrants(_ context.Context, _ domain.Caller, conversation uuid.UUID, grants []domain.Grant) error {
	return e.note("SetGrants", ConversationGrants{conversation, grants})
}

// Wake implements domain.ConversationEngine: it does nothing, because nothing waits here.
func (e Engine) Wake(context.Context, uuid.UUID) {}

// Announce implements domain.ConversationEngine.
func (e Engine) Announce([]domain.UserEvent) {}
