package persistence

import (
	"context"
	"errors"
	"log/slog"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// isText tells a write that holds pieces of text and nothing else: nearly all
// that a node with many running answers writes.
func isText(w *domain.Write) bool {
	return len(w.Chunks) > 0 && len(w.Events) == 0 && len(w.Messages) == 0 && len(w.MessageEnds) == 0 && len(w.Objects) == 0 && len(w.Annotations) == 0 &&
		w.TurnStart == nil && w.TurnEnd == nil && len(w.Steps) == 0 && len(w.Usage) == 0 && w.Update == nil && len(w.Grants) == 0 &&
		w.Cut == nil && !w.Delete && len(w.UserEvents) == 0 && w.Snapshot == nil
}

// quick tells whether a group can go in one statement. One in doubt cannot: it
// has to be looked for first.
func quick(group []*entry) bool {
	for _, e := range group {
		if e.doubt || !e.text {
			return false
		}
	}
	return true
}

// attemptText writes a group of text alone in one round trip: a single statement
// locks, compares the fence and inserts what survives, and being alone it is
// committed when its answer comes. An error means that nothing was written, or
// that the entries are in doubt.
func (j *Journal) attemptText(ctx context.Context, group []*entry) error {
	conn, err := j.store.journal.Acquire(ctx)
	if err != nil {
		return err //nolint:wrapcheck // translated at the end
	}
	defer conn.Release()
	row, err := j.writeText(ctx, conn.Conn(), group)
	if err == nil {
		sortOut(group, row)
		return nil
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && !conn.Conn().IsClosed() {
		// The server said no, and the statement was all there was.
		return err
	}
	// The connection broke with the commit on its way. The next try looks whether
	// the text is there before it writes it again.
	for _, e := range group {
		e.doubt = true
	}
	if closing := conn.Conn().Close(ctx); closing != nil {
		j.store.logger.LogAttrs(ctx, slog.LevelDebug, "journal: close a broken connection", errorAttr(closing))
	}
	return err
}

// sortOut tells the entries what the statement found. Nearly always it found and
// wrote everything, and then it names nobody.
func sortOut(group []*entry, row *dbsqlc.JournalTextRow) {
	if row.Whole {
		return
	}
	found := make(map[uuid.UUID]domain.Fence, len(row.Found))
	for i, id := range row.Found {
		found[id] = domain.Fence{Epoch: row.FoundEpochs[i], Activation: row.FoundActivations[i]}
	}
	for _, e := range group {
		fence, ok := found[e.write.Conversation]
		switch {
		case !ok:
			e.result.skipped = true
		case fence != e.write.Fence:
			e.result.Err = errFenced()
		}
	}
}

func errFenced() error {
	return domain.Errorf(domain.CodeFenced, "Another activation owns the conversation.")
}
