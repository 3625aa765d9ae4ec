package persistence

// A person's own state of a conversation: archived, marked, unread. It is in conversation_person
// and in the person's own log, and not in the log of the conversation, because nobody else sees it.
// So no fence and no actor is needed (ADR 3).

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// WasOwn implements domain.ConversationService.
// A tombstone still names its owner, so that a repeated deletion can be distinguished from one that was
// never allowed.
func (s Conversations) WasOwn(ctx context.Context, caller domain.Caller, id uuid.UUID) (bool, error) {
	var row *bool
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.ConversationWasOwn(&dbsqlc.ConversationWasOwnParams{ID: id, UserID: caller.UserID}, &row)
	})
	return pointer.Value(row), err
}

// SetStatus implements domain.ConversationService.
func (s Conversations) SetStatus(ctx context.Context, caller domain.Caller, id uuid.UUID, status domain.ConversationStatus) error {
	// The wire format has checked this already; the check protects other callers.
	if status != domain.ConversationActive && status != domain.ConversationArchived {
		return domain.Invalid("status", "The status is active or archived.")
	}
	archived := status == domain.ConversationArchived
	word := string(status)
	change := protocol.ConversationChange{ID: id, Status: &word}
	return s.changeOwn(ctx, caller, id, change,
		func(now *dbsqlc.ConversationPersonGetRow) bool { return now.IsArchived == archived },
		func(tx pgx.Tx) error {
			return s.q.ConversationSetArchived(ctx, tx, &dbsqlc.ConversationSetArchivedParams{
				UserID: caller.UserID, ConversationID: id, OrgID: caller.OrganisationID, IsArchived: archived,
			})
		})
}

// SetFavorite implements domain.ConversationService.
func (s Conversations) SetFavorite(ctx context.Context, caller domain.Caller, id uuid.UUID, on bool) error {
	change := protocol.ConversationChange{ID: id, IsFavorite: &on}
	return s.changeOwn(ctx, caller, id, change,
		func(now *dbsqlc.ConversationPersonGetRow) bool { return now.IsFavorite == on },
		func(tx pgx.Tx) error {
			return s.q.ConversationSetFavorite(ctx, tx, &dbsqlc.ConversationSetFavoriteParams{
				UserID: caller.UserID, ConversationID: id, OrgID: caller.OrganisationID, IsFavorite: on,
			})
		})
}

// MarkRead implements domain.ConversationService.
func (s Conversations) MarkRead(ctx context.Context, caller domain.Caller, id uuid.UUID) error {
	none := 0
	// A message that arrives at this moment is counted by its own commit, before or after this one.
	return s.changeOwn(ctx, caller, id, protocol.ConversationChange{ID: id, Unread: &none},
		func(now *dbsqlc.ConversationPersonGetRow) bool { return now.Unread == 0 },
		func(tx pgx.Tx) error {
			return s.q.ConversationMarkRead(ctx, tx, &dbsqlc.ConversationMarkReadParams{UserID: caller.UserID, ConversationID: id})
		})
}

// changeOwn changes the person's own state of a conversation (status, favourite, read) and
// sends an event to the person's other tabs. If nothing changes, it does nothing.
func (s Conversations) changeOwn(
	ctx context.Context, caller domain.Caller, id uuid.UUID, change protocol.ConversationChange,
	isSo func(*dbsqlc.ConversationPersonGetRow) bool, set func(tx pgx.Tx) error,
) error {
	// The event is made before the transaction, because it does not depend on what is stored.
	data, err := json.Marshal(change)
	if err != nil {
		return domain.Internal(err, "The event could not be written.")
	}
	var events []domain.UserEvent
	err = s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		now, err := s.q.ConversationPersonGet(ctx, tx, &dbsqlc.ConversationPersonGetParams{UserID: caller.UserID, ID: id})
		if errors.Is(err, pgx.ErrNoRows) {
			return domain.NounConversation.Missing()
		}
		if err != nil {
			return err
		}
		// No event is made for a state that is so already, so repeated calls are free.
		if err := domain.UseConversation.Authorize(caller, ranked(now.Rank)); err != nil || isSo(now) {
			return err
		}
		// The person's row is locked first, as in the journal, so that they cannot deadlock.
		event, err := s.addUserEvent(ctx, tx, caller, domain.EventConversationUpdated, data, s.now())
		if err != nil {
			return err
		}
		events = []domain.UserEvent{*event}
		return set(tx)
	})
	if err == nil {
		s.announce(events)
	}
	return err
}
