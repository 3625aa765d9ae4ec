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

// isText reports whether a write has only pieces of text, as have nearly all writes of a node
// with many running answers.
func isText(w *domain.Write) bool {
	return len(w.Chunks) > 0 && len(w.Events) == 0 && len(w.Messages) == 0 && len(w.MessageEnds) == 0 && len(w.Objects) == 0 &&
		len(w.Annotations) == 0 &&
		w.TurnStart == nil && w.TurnEnd == nil && len(w.Steps) == 0 && len(w.Usage) == 0 && w.Update == nil && len(w.Grants) == 0 &&
		w.Cut == nil && !w.Delete && len(w.UserEvents) == 0 && w.Snapshot == nil && w.Request == uuid.Nil
}

// quick reports whether a group can be written by one statement. A write in doubt cannot: its
// text has to be searched for first.
func quick(group []*entry) bool {
	for _, e := range group {
		if e.doubt || !e.text {
			return false
		}
	}
	return true
}

// attemptText writes a group of text in one round trip: a single statement locks the rows,
// compares the fences and inserts the text of the survivors. Outside a transaction it is
// committed when its answer is received. An error means that nothing was written, or that
// the entries are in doubt.
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
		// The server refused the statement, so nothing was written.
		return err
	}
	// The connection broke during the commit. The next try checks whether the text is
	// stored before it writes it again.
	for _, e := range group {
		e.doubt = true
	}
	if closing := conn.Conn().Close(ctx); closing != nil {
		j.store.logger.LogAttrs(ctx, slog.LevelDebug, "journal: close a broken connection", errorAttr(closing))
	}
	return err
}

// sortOut sets the results of the entries from the statement's row. The row lists only
// exceptions; nearly always everything was written and it lists none.
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
