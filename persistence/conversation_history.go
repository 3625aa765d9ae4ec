package persistence

// Reads of the engine: messages, open text and plans. They run as the engine's role and check no
// right of a person; the conversation's actor has done that.

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// MessageByID implements domain.ConversationStore.
// It returns nil without an error if there is no such message: that is how the actor knows that a
// prompt is new (G4).
func (s ConversationStore) MessageByID(ctx context.Context, organisation int64, id uuid.UUID) (*domain.Message, error) {
	return gatheredCall(ctx, s.gathered.byID, messageKey{organisation, id})
}

// TurnAnalyst implements domain.ConversationStore.
// 0 means that no agent is stored for it.
func (s ConversationStore) TurnAnalyst(ctx context.Context, turn uuid.UUID) (int64, error) {
	var id *int64
	err := s.asEngine(ctx, func(r *reading) { r.TurnAnalyst(turn, &id) })
	return pointer.Value(id), err
}

// Messages implements domain.ConversationStore.
func (s ConversationStore) Messages(ctx context.Context, conversation uuid.UUID, limit int) ([]domain.Message, error) {
	var (
		rows    []dbsqlc.MessageShown
		objects []dbsqlc.DisplayObject
	)
	err := s.asEngine(ctx, func(r *reading) {
		// The last messages are read from the end and put into the order of the log below.
		if limit > 0 {
			r.MessageLast(&dbsqlc.MessageLastParams{ConversationID: conversation, Before: math.MaxInt64, Size: int64(limit)}, &rows)
		} else {
			r.MessageList(conversation, &rows)
		}
		r.ObjectList(conversation, &objects)
	})
	if err != nil {
		return nil, err
	}
	if limit > 0 {
		slices.Reverse(rows)
	}
	return messagesOf(rows, objects), nil
}

// MessagesBefore implements domain.ConversationStore.
func (s ConversationStore) MessagesBefore(ctx context.Context, conversation uuid.UUID, before int64, limit int) ([]domain.Message, error) {
	// Many conversations ask for this at once after the loss of a node, so it is gathered
	// (gathered_messages.go).
	return gatheredCall(ctx, s.gathered.messages, messageRange{conversation, before, limit})
}

// OpenText implements domain.ConversationStore. The text is empty for an offset beyond the
// end. An offset inside a UTF-8 sequence is CodeInvalid.
func (s ConversationStore) OpenText(ctx context.Context, conversation, message uuid.UUID, offset int64) (string, error) {
	var text *string
	err := s.asEngine(ctx, func(r *reading) {
		r.MessageOpenText(&dbsqlc.MessageOpenTextParams{ID: message, ConversationID: conversation}, &text)
	})
	if err != nil {
		return "", err
	}
	if text == nil {
		return "", domain.NounMessage.Missing()
	}
	switch {
	// A reader that has all of the text asks with an offset at its end.
	case offset >= int64(len(*text)):
		return "", nil
	case offset < 0 || (*text)[offset]&0xC0 == 0x80:
		return "", domain.Invalid("offset", "The offset is not the beginning of a character.")
	}
	return (*text)[offset:], nil
}

// PromptPlan implements domain.ConversationStore.
// The blueprint is read with the rights of the person who sends the prompt, including their data
// sources.
func (s ConversationStore) PromptPlan(ctx context.Context, caller domain.Caller, p *domain.Prompt) (*domain.PromptPlan, error) {
	b, err := s.blueprints().Blueprint(ctx, caller, p.BlueprintID)
	switch {
	case domain.CodeOf(err) == domain.CodeNotFound:
		return nil, domain.Invalid("iceBreakerId", "This blueprint is not available.")
	case err != nil:
		return nil, err
	case b.IsArchived:
		return nil, domain.Invalid("iceBreakerId", "This blueprint is archived.")
	}
	plan, err := b.PlanFor(p.Text, p.Inputs)
	if err != nil {
		return nil, err
	}
	return &domain.PromptPlan{Plan: plan, DataSources: b.DataSources}, nil
}
