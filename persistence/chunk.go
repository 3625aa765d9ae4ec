package persistence

import (
	"context"
	"log/slog"
	"time"
)

const (
	// sweepEvery is the pause between two looks at the tables of pieces.
	sweepEvery = 5 * time.Second
	// quietFor is how long a table must have had no piece of a message that is being written
	// before it is emptied. Readers that took their snapshot earlier still read it.
	quietFor = 10 * time.Second
)

// ChunkSweep empties the tables of pieces of text that are not used any more (migration
// 00043). The end of an answer therefore deletes nothing: that took Postgres 1.5 of the 5 ms
// that it needed for the end of an answer of 390 pieces. Every node may sweep at the same time.
type ChunkSweep struct {
	core *core
	// quiet is since when a table has had no piece of a message that is being written.
	quiet map[int16]time.Time
}

// NewChunkSweep makes a sweep that has not looked yet.
func (s *Store) NewChunkSweep() *ChunkSweep {
	return &ChunkSweep{core: s.core, quiet: map[int16]time.Time{}}
}

// Run sweeps every five seconds until ctx ends. Errors are logged, and the next round tries
// again: pieces that stay for longer only need room.
func (c *ChunkSweep) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := c.Sweep(ctx); err != nil && ctx.Err() == nil {
			c.core.logger.LogAttrs(ctx, slog.LevelWarn, "pieces of text that are not needed any more could not be removed", errorAttr(err))
		}
		sleep(ctx, sweepEvery)
	}
}

// Sweep looks once. A table with pieces of messages that are still being written passes them
// to the table that is used now, and is emptied by a later call.
func (c *ChunkSweep) Sweep(ctx context.Context) error {
	tables, err := c.core.q.ChunkStretches(ctx, c.core.engine)
	if err != nil {
		return translate(err)
	}
	quiet := make(map[int16]time.Time, len(tables))
	for _, table := range tables {
		moved, err := c.core.q.ChunksJoin(ctx, c.core.engine, table)
		if err != nil {
			return translate(err)
		}
		if moved > 0 {
			continue
		}
		now := c.core.clock.Now()
		since, ok := c.quiet[table]
		if !ok {
			since = now
		}
		if now.Sub(since) >= quietFor {
			if _, err := c.core.q.ChunksDrop(ctx, c.core.engine, table); err != nil && !isLockWait(err) {
				return translate(err)
			}
		}
		quiet[table] = since
	}
	c.quiet = quiet
	return nil
}
