package persistence

// What became of a transaction whose commit got no answer. The number of the transaction is not
// enough to tell: if the server crashes before the commit is in its log on the disk, it gives the
// number to another transaction after the recovery, and that one's success would be taken for ours.
// So the rows themselves prove a success.

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"parley.dev/parley/persistence/internal/dbsqlc"
)

// These are the results of pg_xact_status.
const (
	outcomeCommitted  = "committed"
	outcomeInProgress = "in progress"
	outcomeUnknown    = "unknown"

	// futureNumber is the error for the number of a transaction that has not begun: the server has
	// crashed, and has forgotten ours.
	futureNumber = "22023"
)

// outcome waits until a transaction has ended. It returns committed only if a row of the group is
// stored, and aborted only if the server says so; in any other case it is unknown.
func (j *Journal) outcome(ctx context.Context, g *group, transaction string) string {
	pause := firstPause
	for waited := time.Duration(0); waited < j.cfg.RetryFor && ctx.Err() == nil; waited += pause {
		outcome, err := j.store.q.JournalOutcome(ctx, j.store.journal, transaction)
		if err == nil && outcome == outcomeCommitted {
			var stored bool
			if stored, err = j.stored(ctx, g); err == nil && !stored {
				return outcomeUnknown
			}
		}
		if err == nil && outcome != outcomeInProgress {
			return outcome
		}
		if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == futureNumber {
			return outcomeUnknown
		}
		sleep(ctx, pause)
		pause = min(2*pause, lastPause)
	}
	return outcomeUnknown
}

// stored reports whether the first event of a group is stored, or the first piece of text if it has no
// event. A group is stored as a whole or not at all. The owner of an epoch has only one write in flight,
// so its event at this place is that of this write. A group with neither is not looked for.
func (j *Journal) stored(ctx context.Context, g *group) (bool, error) {
	if len(g.events.Seqs) > 0 {
		return j.store.q.JournalEventThere(ctx, j.store.journal, &dbsqlc.JournalEventThereParams{
			Conversation: g.events.Conversations[0], Seq: g.events.Seqs[0], Epoch: g.events.Epochs[0],
		})
	}
	if len(g.chunks.Messages) == 0 {
		return false, nil
	}
	doubts := dbsqlc.JournalChunksThereParams{
		Messages: g.chunks.Messages[:1], Offsets: g.chunks.Offsets[:1], Texts: g.chunks.Texts[:1],
	}
	var there []uuid.UUID
	var r reading
	r.JournalChunksThere(&doubts, &there)
	err := j.store.journal.SendBatch(ctx, &r.Batch).Close()
	return slices.Contains(there, doubts.Messages[0]), err
}
