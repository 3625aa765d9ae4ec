package persistence

// The creation of a conversation without a turn. The first prompt comes to the conversation's
// actor, which claims the row. Starts with a turn are in conversation_start.go.

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// CreateConversation implements domain.ConversationService.
func (s Conversations) CreateConversation(
	ctx context.Context, caller domain.Caller, n domain.NewConversation,
) (*domain.Conversation, error) {
	if err := n.Complete(); err != nil {
		return nil, err
	}

	var events []domain.UserEvent
	// The checks are in the transaction that refers to what they have found.
	id, err := s.createUUID(ctx, caller, kindConversation, n.Key, func(tx pgx.Tx) (id uuid.UUID, err error) {
		if err := s.mayUse(ctx, tx, caller, n.DataSources); err != nil {
			return uuid.Nil, err
		}
		if err := s.projectLabels().knownLabels(ctx, tx, n.ProjectLabels); err != nil {
			return uuid.Nil, err
		}
		id = domain.NewID()
		event, err := s.insertConversation(ctx, tx, caller, id, &n)
		if err != nil {
			return uuid.Nil, err
		}
		events = []domain.UserEvent{*event}
		return id, nil
	})
	if err != nil {
		return nil, err
	}
	// The event is announced after the commit: the person's other tabs show the new conversation.
	s.announce(events)
	return s.Conversation(ctx, caller, id)
}

// mayUse refuses data sources that the caller may not use. One that does not exist and
// another person's give the same error.
func (s Conversations) mayUse(ctx context.Context, tx pgx.Tx, caller domain.Caller, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	// The query returns only what the caller may use now. The ids are each given once.
	usable, err := s.q.DataSourceReadable(ctx, tx, &dbsqlc.DataSourceReadableParams{UserID: caller.UserID, Ids: ids})
	if err != nil {
		return err
	}
	if len(usable) != len(ids) {
		return domain.Invalid("dataSources", "One of the connectors is not available.")
	}
	return nil
}

// insertConversation inserts the row, its snapshot's row, its first event and the owner's
// user event.
func (s Conversations) insertConversation(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, id uuid.UUID, n *domain.NewConversation,
) (*domain.UserEvent, error) {
	at := s.now()
	// The columns refuse NULL, so a missing list is empty.
	if n.DataSources == nil {
		n.DataSources = []int64{}
	}
	if n.ProjectLabels == nil {
		n.ProjectLabels = []int64{}
	}
	err := s.q.ConversationInsert(ctx, tx, &dbsqlc.ConversationInsertParams{
		ID: id, OrgID: caller.OrganisationID, OwnerID: caller.UserID, Name: n.Name, Description: n.Description, DataSources: n.DataSources,
		ProjectLabels: n.ProjectLabels, At: at,
	})
	if err != nil {
		return nil, err
	}
	// Each conversation has a row for its snapshot, because snapshots are only ever updated (G12).
	if err := s.q.ConversationSnapshotInsert(ctx, tx, &dbsqlc.ConversationSnapshotInsertParams{
		ConversationID: id,
		OrgID:          caller.OrganisationID,
	}); err != nil {
		return nil, err
	}
	change := protocol.ConversationChange{ID: id, Name: &n.Name, Description: &n.Description, DataSources: &n.DataSources}
	if len(n.ProjectLabels) > 0 {
		change.ProjectLabels = &n.ProjectLabels
	}
	return s.addCreation(ctx, tx, caller, 1, at, change)
}

// addCreation inserts the event conversation.created at a seq of the conversation's log, and
// the user event in its owner's log.
func (s Conversations) addCreation(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, seq int64, at time.Time, change protocol.ConversationChange,
) (*domain.UserEvent, error) {
	status := string(domain.ConversationActive)
	// The event has the status, because it is the same for the conversation's log and for the list
	// of its owner.
	change.Status = &status
	data, err := json.Marshal(change)
	if err != nil {
		return nil, domain.Internal(err, "The event could not be written.")
	}
	err = s.q.ConversationEventInsert(ctx, tx, &dbsqlc.ConversationEventInsertParams{
		ConversationID: change.ID, Seq: seq, OrgID: caller.OrganisationID, Type: string(domain.EventConversationCreated), Generation: 1,
		Data: data, At: at,
	})
	if err != nil {
		return nil, err
	}
	// The caller's row is locked last (doc.go, order of locks).
	return s.addUserEvent(ctx, tx, caller, domain.EventConversationCreated, data, at)
}
