package persistence

// The final removal of deleted conversations. The deletion itself is one update by the owner (G12);
// this removes the content a minute later, in portions of one conversation, so that no transaction
// is long.

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/persistence/internal/dbsqlc"
)

// purgeAfter is how long the rows of a deleted conversation stay. No one sees them any more;
// reads and copies that were running when it was deleted end in this time.
const purgeAfter = time.Minute

// PurgeConversations permanently deletes the content of deleted conversations: messages,
// objects, turns, events, feedback, and the data sources that belonged only to them. Their
// files are left to PruneFiles, and the entries of files that are shown by now are removed
// from the account. A tombstone with the name stays. Any node may call it at any time; while
// another node purges, it does nothing.
func (s Conversations) PurgeConversations(ctx context.Context) (purged int, err error) {
	// Each round of the loop is its own transaction. If the node stops between two, the next call
	// continues.
	for first := true; ; first = false {
		more := false
		err := inTransaction(ctx, s.engine, func(tx pgx.Tx) error {
			// Only one node purges at a time; the others find the lock taken and return.
			held, err := s.q.PurgeLock(ctx, tx)
			if err != nil || !held {
				return err
			}
			// Old entries of the account are removed once in each call.
			if first {
				if err := s.q.PurgeNotes(ctx, tx, discardAfter.Seconds()); err != nil {
					return err
				}
			}
			next, err := s.q.PurgeNext(ctx, tx, purgeAfter.Seconds())
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			more = true
			return s.purge(ctx, tx, next.ID, next.OrgID)
		})
		if err != nil || !more {
			return purged, err
		}
		purged++
	}
}

// purge clears one conversation, children before what they refer to.
func (s Conversations) purge(ctx context.Context, tx pgx.Tx, id uuid.UUID, organisation int64) error {
	if err := s.q.PurgeFeedback(ctx, tx, id); err != nil {
		return err
	}
	// Objects are removed first; their files are discarded only if no copy of the conversation
	// refers to them.
	objects, err := s.q.PurgeObjects(ctx, tx, id)
	if err != nil {
		return err
	}
	err = s.q.PurgeFiles(ctx, tx, &dbsqlc.PurgeFilesParams{OrgID: organisation, Keys: objects, Seconds: discardAfter.Seconds()})
	if err != nil {
		return err
	}
	sources, err := s.q.PurgeDataSources(ctx, tx, id)
	if err != nil {
		return err
	}
	var files []string
	for _, d := range sources {
		files = append(files, d.FileKey, d.WorkKey)
	}
	if err := s.q.DiscardFiles(ctx, tx, &dbsqlc.DiscardFilesParams{OrgID: organisation, Keys: files}); err != nil {
		return err
	}
	if err := s.purgeTurns(ctx, tx, id, organisation); err != nil {
		return err
	}
	// The order is that of the references. The tombstone is last: as long as it is not written, the
	// conversation is found again.
	for _, drop := range []func(context.Context, dbsqlc.DBTX, uuid.UUID) error{
		s.q.PurgeEvents, s.q.PurgeSnapshot, s.q.PurgeGrants, s.q.PurgePeople, s.q.PurgeTombstone,
	} {
		if err := drop(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// purgeTurns clears the messages and turns of a conversation.
func (s Conversations) purgeTurns(ctx context.Context, tx pgx.Tx, id uuid.UUID, organisation int64) error {
	rows, err := s.q.PurgeMessagesOf(ctx, tx, id)
	if err != nil {
		return err
	}
	messages, turns := make([]uuid.UUID, len(rows)), make([]uuid.UUID, 0, len(rows))
	for i, r := range rows {
		messages[i] = r.ID
		if r.TurnID.Valid {
			turns = append(turns, r.TurnID.UUID)
		}
	}
	// Another organisation may have a message of the same id.
	if err := s.q.PurgeChunks(ctx, tx, &dbsqlc.PurgeChunksParams{Messages: messages, OrgID: organisation}); err != nil {
		return err
	}
	if err := s.q.PurgeMessages(ctx, tx, &dbsqlc.PurgeMessagesParams{Messages: messages, ConversationID: id}); err != nil {
		return err
	}
	// Steps and ends refer to their turns.
	for _, step := range []struct {
		drop func(context.Context, dbsqlc.DBTX, []uuid.UUID) error
		ids  []uuid.UUID
	}{
		{s.q.PurgeSteps, turns},
		{s.q.PurgeTurnEnds, turns},
		{s.q.PurgeTurns, turns},
	} {
		if err := step.drop(ctx, tx, step.ids); err != nil {
			return err
		}
	}
	return nil
}
