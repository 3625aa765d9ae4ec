package persistence

// The commit of a group: lock the rows in the order of their ids, compare the fences, write all
// rows, commit. A lost answer leaves it open whether the group was committed; then the server is
// asked for the outcome of the transaction, and its rows are searched for (journal_doubt.go), so that
// no write is reported as failed and yet stored, reported as stored and lost, or stored twice (G5).

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

const (
	// firstPause and lastPause bound the wait before a group is tried again.
	firstPause = 20 * time.Millisecond
	lastPause  = time.Second

	// lockTimeout ends the wait of a write that is tried alone; it is then tried again.
	lockTimeout = "SET LOCAL lock_timeout = '3s'"
)

// commit writes a group and sets the result of each entry.
func (j *Journal) commit(ctx context.Context, group []*entry) {
	began := j.store.clock.Now()
	stats := GroupStats{Writes: len(group)}
	for _, e := range group {
		e.write.PullText()
	}
	j.settle(ctx, group, false, &stats)
	if j.cfg.Observe == nil {
		return
	}
	stats.Took = j.store.clock.Now().Sub(began)
	for _, e := range group {
		stats.Waited = max(stats.Waited, began.Sub(e.since))
		if e.result.skipped {
			stats.Skipped++
		}
	}
	j.cfg.Observe(stats)
}

// commitAlone writes one entry that a group had to skip; it waits for the lock.
func (j *Journal) commitAlone(ctx context.Context, e *entry) {
	j.settle(ctx, []*entry{e}, true, new(GroupStats))
}

// settle retries a group until it is written or has failed. If the server refuses a group it
// is divided in two until the wrong write is found, so that only that one fails. If the disk
// is full the whole group fails at once, and its owners try again later.
func (j *Journal) settle(ctx context.Context, group []*entry, wait bool, stats *GroupStats) {
	var (
		pause  = firstPause
		waited time.Duration
	)
	for {
		for _, e := range group {
			e.result = attemptResult{}
		}
		err := j.attempt(ctx, group, wait, stats)
		if err == nil {
			return
		}
		switch {
		case isPassingError(err) && waited < j.cfg.RetryFor && ctx.Err() == nil:
			j.store.logger.LogAttrs(ctx, levelOf(waited), "journal: try the group again", errorAttr(err), countAttr(len(group)))
			sleep(ctx, pause)
			waited += pause
			pause = min(2*pause, lastPause)
		case len(group) > 1 && !isPassingError(err) && !isFullError(err):
			half := len(group) / 2
			j.settle(ctx, group[:half], wait, stats)
			j.settle(ctx, group[half:], wait, stats)
			return
		default:
			j.store.logger.LogAttrs(ctx, levelOf(j.cfg.RetryFor), "journal: a write failed", errorAttr(err), countAttr(len(group)))
			fail(group, failure(err))
			return
		}
	}
}

// fail sets the same error for every entry of a group, also for the skipped ones.
func fail(group []*entry, err error) {
	for _, e := range group {
		e.result = attemptResult{WriteResult: domain.WriteResult{Err: err}}
	}
}

// failure is the error that the owner gets.
func failure(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return unavailable(err)
	}
	return translate(err)
}

// attempt is one transaction: lock and compare, then write and commit. An error
// means that nothing was written, or that the entries are in doubt.
func (j *Journal) attempt(ctx context.Context, group []*entry, wait bool, stats *GroupStats) error {
	if !wait && quick(group) {
		return j.attemptText(ctx, group)
	}
	began := j.store.clock.Now()
	conn, err := j.store.journal.Acquire(ctx)
	if err != nil {
		return err //nolint:wrapcheck // translated at the end
	}
	defer conn.Release()

	held, err := j.lock(ctx, conn, group, wait)
	stats.Lock += j.store.clock.Now().Sub(began)
	if err != nil || len(held.survivors) == 0 {
		// The transaction is rolled back with its locks; a broken connection is closed.
		return errors.Join(err, rollback(ctx, conn))
	}
	g := newGroup(held, j.store.clock.Now())
	err = g.send(ctx, conn)
	if err == nil {
		g.finish()
		return nil
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && conn.Conn().PgConn().TxStatus() == 'E' {
		return errors.Join(err, rollback(ctx, conn))
	}
	// The connection broke during the commit: find out whether it was committed.
	if closing := conn.Conn().Close(ctx); closing != nil {
		j.store.logger.LogAttrs(ctx, slog.LevelDebug, "journal: close a broken connection", errorAttr(closing))
	}
	switch j.outcome(ctx, g, held.transaction) {
	case outcomeCommitted:
		g.recover(ctx, j.store)
		return nil
	case outcomeUnknown:
		// Writing again could write twice. The owner drops its state and reads what is stored.
		fail(held.survivors, unavailable(err))
		return nil
	}
	return err
}

// held is what a transaction has found under its locks.
type held struct {
	// survivors are the entries whose fence is valid, in the order of locks.
	survivors []*entry

	// transaction is its number, to find out whether it was committed.
	transaction string

	// readers are the people who had the right to read before this group, if the group changes grants.
	readers []dbsqlc.JournalReadersBeforeRow
}

// lock locks the rows of a group: fenced entries get their result, entries whose rows others
// have locked are skipped, and the survivors are returned.
func (j *Journal) lock(ctx context.Context, conn *pgxpool.Conn, group []*entry, wait bool) (*held, error) {
	var (
		h       held
		r       reading
		rows    []dbsqlc.JournalLocked
		xid     *string
		ids     = make([]uuid.UUID, len(group))
		granted []uuid.UUID
		doubts  dbsqlc.JournalChunksThereParams
		there   []uuid.UUID
	)
	for i, e := range group {
		ids[i] = e.write.Conversation
		if e.doubt {
			doubts.Messages = append(doubts.Messages, e.write.Chunks[0].Message)
			doubts.Offsets = append(doubts.Offsets, e.write.Chunks[0].Offset)
			doubts.Texts = append(doubts.Texts, e.write.Chunks[0].Whole())
		}
		if len(e.write.Grants) > 0 {
			granted = append(granted, e.write.Conversation)
		}
	}
	r.Queue("BEGIN")
	if wait {
		r.Queue(lockTimeout)
		r.JournalLockOne(ids[0], &rows)
	} else {
		r.JournalLock(ids, &rows)
	}
	r.JournalTransaction(&xid)
	if len(granted) > 0 {
		r.JournalReadersBefore(granted, &h.readers)
	}
	if len(doubts.Messages) > 0 {
		// Read under the locks: the transaction of the broken connection has ended.
		r.JournalChunksThere(&doubts, &there)
	}
	if err := conn.SendBatch(ctx, &r.Batch).Close(); err != nil {
		return nil, err //nolint:wrapcheck // translated at the end
	}
	h.transaction = pointer.Value(xid)
	found := make(map[uuid.UUID]*dbsqlc.JournalLocked, len(rows))
	for i := range rows {
		found[rows[i].ID] = &rows[i]
	}
	for _, e := range group {
		row := found[e.write.Conversation]
		switch {
		case row == nil && !wait:
			e.result.skipped = true
		case row == nil || !isOwner(row, e.write.Fence):
			e.result.Err = errFenced()
		case len(e.write.Events) > 0 && row.NextSeq != e.write.NextSeq:
			e.result.Err = domain.Errorf(domain.CodeConflict, "The conversation has changed meanwhile.")
		case e.doubt && slices.Contains(there, e.write.Chunks[0].Message):
			// A write is stored completely or not at all: an earlier try was committed.
		default:
			h.survivors = append(h.survivors, e)
		}
	}
	return &h, nil
}

// rollback ends a transaction that wrote nothing.
func rollback(ctx context.Context, conn *pgxpool.Conn) error {
	if conn.Conn().IsClosed() || conn.Conn().PgConn().TxStatus() == 'I' {
		return nil
	}
	_, err := conn.Exec(ctx, "ROLLBACK")
	return err //nolint:wrapcheck // translated at the end
}

// isPassingError reports whether an error may not occur at the next try.
func isPassingError(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return isPassing(pg)
	}
	return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, pgx.ErrNoRows)
}

// isFullError reports whether the server has run out of disk or memory.
func isFullError(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && isFull(pg)
}

// sleep waits for d, or until ctx ends if that is earlier.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// isOwner compares the fence. It has a random id in addition to the number, because a
// failover that lost the last claim could issue a number twice.
func isOwner(row *dbsqlc.JournalLocked, f domain.Fence) bool {
	return row.Activation.Valid && row.Epoch == f.Epoch && row.Activation.UUID == f.Activation
}
