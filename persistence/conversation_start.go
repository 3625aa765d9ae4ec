package persistence

// The start of a conversation with a turn, for blueprints and for scheduled tasks. It is stored as
// if its owner had written it: the same rows, events and seqs. No node owns it yet, and the turn
// waits for the first owner.

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// setEngineRole changes the role of the transaction until its end. Only the engine's role may
// write messages and turns.
const setEngineRole = "SET LOCAL ROLE " + roleEngine

// conversationStart is a conversation that begins with a turn.
type conversationStart struct {
	// caller owns the conversation and sends its first message. Their right to use the
	// fields below has been checked in the same transaction.
	caller        domain.Caller
	name          string // shortened to the limit of a new conversation
	description   string
	dataSources   []int64
	projectLabels []int64
	text          string // of the first message
	analystID     int64  // 0: the organisation's default one
	plan          *domain.Plan
}

// startedConversation is the result of a start. After the commit the caller announces its
// events and lets the engine wake the conversation.
type startedConversation struct {
	ID, Message, Turn uuid.UUID
	Events            []domain.UserEvent
}

// startConversation creates a conversation with its first message and a turn that waits to be
// begun, all within the caller's transaction. The conversation has no owner yet: the first owner
// that claims it, woken or found by the sweeper, begins the turn as its attempt 1. It must be the
// transaction's last work with the person's rights, since from here on the engine's role writes.
func (s Conversations) startConversation(ctx context.Context, tx pgx.Tx, start *conversationStart) (*startedConversation, error) {
	// The ids are made here, because the rows refer to each other.
	out := &startedConversation{ID: domain.NewID(), Message: domain.NewID(), Turn: domain.NewID()}
	prompt := domain.Prompt{Message: out.Message, Text: start.text, DataSources: start.dataSources}
	name := domain.ConversationName(start.name)
	update := domain.ConversationUpdate{Name: &name, Description: &start.description}
	if err := prompt.Validate(); err != nil {
		return nil, err
	}
	// The text of a blueprint becomes a prompt and has its limits.
	if err := update.Validate(); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, setEngineRole); err != nil {
		return nil, err //nolint:wrapcheck // translated by the caller
	}
	analyst := start.analystID
	if analyst == 0 {
		found, err := s.q.AnalystDefault(ctx, tx, start.caller.OrganisationID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, domain.Invalid("analystId", "This agent is not there.")
		}
		if err != nil {
			return nil, err
		}
		analyst = found.ID
	}
	at := s.now()
	message := domain.Message{
		// Seq 1 is the creation, 2 the prompt.
		ID: out.Message, ConversationID: out.ID, TurnID: out.Turn, Seq: 2, Generation: 1, Role: domain.RoleUser, Text: start.text,
		Status:      domain.MessageComplete,
		Author:      &domain.Person{ID: start.caller.UserID, UUID: start.caller.UserUUID, FullName: start.caller.FullName},
		DataSources: append([]int64{}, start.dataSources...), CreatedAt: at,
	}
	if start.plan != nil {
		message.BlueprintID = start.plan.BlueprintID
	}
	if err := s.insertStart(ctx, tx, start, name, analyst, &message); err != nil {
		return nil, err
	}
	events, err := s.startEvents(ctx, tx, start, name, &message)
	out.Events = events
	return out, err
}

// insertStart makes the rows, in the order of their references.
func (s Conversations) insertStart(
	ctx context.Context, tx pgx.Tx, start *conversationStart, name string, analyst int64, m *domain.Message,
) error {
	// The plan is a copy: later changes of the blueprint do not reach the turn.
	var plan []byte
	if start.plan != nil {
		var err error
		if plan, err = json.Marshal(start.plan); err != nil {
			return domain.Internal(err, "The plan could not be written.")
		}
	}
	org := start.caller.OrganisationID
	err := s.q.ConversationStart(ctx, tx, &dbsqlc.ConversationStartParams{
		ID: m.ConversationID, OrgID: org, OwnerID: start.caller.UserID, Name: name, Description: start.description,
		DataSources: m.DataSources, ProjectLabels: append([]int64{}, start.projectLabels...), At: m.CreatedAt,
	})
	if err != nil {
		return err
	}
	// Each conversation has a row for its snapshot, because snapshots are only ever updated (G12).
	if err := s.q.ConversationSnapshotInsert(ctx, tx, &dbsqlc.ConversationSnapshotInsertParams{
		ConversationID: m.ConversationID,
		OrgID:          org,
	}); err != nil {
		return err
	}
	err = s.q.ConversationStartMessage(ctx, tx, &dbsqlc.ConversationStartMessageParams{
		ID: m.ID, ConversationID: m.ConversationID, OrgID: org, TurnID: uuid.NullUUID{UUID: m.TurnID, Valid: true}, Seq: m.Seq,
		Generation: m.Generation,
		Role:       string(m.Role), Text: m.Text, Status: string(m.Status), AuthorID: &start.caller.UserID, DataSources: m.DataSources,
		BlueprintID: m.BlueprintID, At: m.CreatedAt,
	})
	if err != nil {
		return err
	}
	return s.q.ConversationStartTurn(ctx, tx, &dbsqlc.ConversationStartTurnParams{
		ID: m.TurnID, ConversationID: m.ConversationID, OrgID: org, PromptID: m.ID, UserID: start.caller.UserID, AnalystID: analyst,
		Plan: plan, At: m.CreatedAt,
	})
}

// startEvents inserts the first two events of the log and the user events for its owner's
// log, in the same form as the owner of a conversation writes them.
func (s Conversations) startEvents(
	ctx context.Context, tx pgx.Tx, start *conversationStart, name string, m *domain.Message,
) ([]domain.UserEvent, error) {
	status := string(domain.ConversationActive)
	created := protocol.ConversationChange{
		ID: m.ConversationID, Name: &name, Description: &start.description, DataSources: &m.DataSources, Status: &status,
	}
	if len(start.projectLabels) > 0 {
		created.ProjectLabels = &start.projectLabels
	}
	note := protocol.MessageNote{ConversationID: m.ConversationID, MessageID: m.ID, Role: string(m.Role), Streaming: true}
	var events []domain.UserEvent
	// Both logs get both events: the log of the conversation with the whole message, the person's
	// log with a note.
	for i, e := range []struct {
		kind      domain.EventType
		log, mine any
	}{
		{domain.EventConversationCreated, created, created},
		{domain.EventMessageCreated, protocol.MessageData(m), note},
	} {
		log, err := json.Marshal(e.log)
		if err != nil {
			return nil, domain.Internal(err, "The event could not be written.")
		}
		mine, err := json.Marshal(e.mine)
		if err != nil {
			return nil, domain.Internal(err, "The event could not be written.")
		}
		err = s.q.ConversationEventInsert(ctx, tx, &dbsqlc.ConversationEventInsertParams{
			ConversationID: m.ConversationID, Seq: int64(i + 1), OrgID: start.caller.OrganisationID, Type: string(e.kind),
			Generation: m.Generation, Data: log, At: m.CreatedAt,
		})
		if err != nil {
			return nil, err
		}
		// The person's row is locked by the first of these and held until the commit.
		event, err := s.addUserEvent(ctx, tx, start.caller, e.kind, mine, m.CreatedAt)
		if err != nil {
			return nil, err
		}
		events = append(events, *event)
	}
	return events, nil
}
