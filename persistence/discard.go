package persistence

import (
	"context"
	"log/slog"
	"time"

	"parley.dev/parley/domain"
)

// discardAfter is how long a file stays that nothing refers to any more. A query
// or a download that began before may still open it, and none takes as long.
const discardAfter = 6 * time.Minute

// PruneFiles removes files whose data source is deleted or has another file now,
// some minutes after. What cannot be removed is tried again by the next call.
func (s *Store) PruneFiles(ctx context.Context, files domain.FileStore) (removed int, err error) {
	for {
		keys, err := s.q.DiscardedFiles(ctx, s.engine, discardAfter.Seconds())
		if err != nil {
			return removed, translate(err)
		}
		before := removed
		for _, key := range keys {
			if err := files.Delete(ctx, key); err != nil && domain.CodeOf(err) != domain.CodeNotFound {
				s.logger.LogAttrs(ctx, slog.LevelWarn, "a file that nothing needs was left behind", slog.String("key", key), slog.Any("error", err))
				continue
			}
			// Only now: where the node dies before, the next one removes it again.
			if err := s.q.DiscardedFileForget(ctx, s.engine, key); err != nil {
				return removed, translate(err)
			}
			removed++
		}
		if removed == before {
			return removed, nil
		}
	}
}
