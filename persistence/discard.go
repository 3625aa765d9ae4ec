package persistence

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// discardAfter is how long a file is kept after nothing refers to it any more. A query that
// began before may still read it.
const discardAfter = 6 * time.Minute

// PruneFiles removes files whose data source was deleted or has another file now, some
// minutes later, and files of uploads whose node is lost. A file that cannot be removed is
// removed by a later call.
func (s Files) PruneFiles(ctx context.Context, files domain.FileStore) (removed int, err error) {
	for after := ""; ; {
		keys, err := s.q.DiscardedFiles(ctx, s.engine, &dbsqlc.DiscardedFilesParams{After: after, Seconds: discardAfter.Seconds()})
		if err != nil || len(keys) == 0 {
			return removed, translate(err)
		}
		for _, key := range keys {
			gone, err := s.pruneFile(ctx, files, key)
			if gone {
				removed++
			}
			if err != nil {
				return removed, err
			}
		}
		after = keys[len(keys)-1]
	}
}

// pruneFile removes a file and its entry in the account together: the entry is locked
// meanwhile, so an upload that would refer to the file finds its key gone and fails. If the
// node dies before the commit, the next call removes the file again.
func (s Files) pruneFile(ctx context.Context, files domain.FileStore, key string) (gone bool, err error) {
	kept := errors.New("the file is kept")
	err = inTransaction(ctx, s.engine, func(tx pgx.Tx) error {
		n, err := s.q.DiscardedFileForget(ctx, tx, key)
		if err != nil || n == 0 {
			return err
		}
		if err := files.Delete(ctx, key); err != nil && domain.CodeOf(err) != domain.CodeNotFound {
			s.logger.LogAttrs(ctx, slog.LevelWarn, "a file that nothing needs was left behind", slog.String("key", key), slog.Any("error", err))
			return kept
		}
		gone = true
		return nil
	})
	if errors.Is(err, kept) {
		return false, nil
	}
	return gone && err == nil, err
}
