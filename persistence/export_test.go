package persistence

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// ConversationStart is conversationStart for tests.
type ConversationStart struct {
	Name, Description, Text    string
	DataSources, ProjectLabels []int64
	AnalystID                  int64
	Plan                       *domain.Plan
	// Fail ends the transaction after the start.
	Fail error
}

// StartConversation runs startConversation in its own transaction, as a request does.
func (s *Store) StartConversation(
	ctx context.Context, caller domain.Caller, c ConversationStart,
) (conversation, message, turn uuid.UUID, told []domain.UserEvent, err error) {
	err = s.core.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		out, err := s.Conversations.startConversation(ctx, tx, &conversationStart{
			caller: caller, name: c.Name, description: c.Description, dataSources: c.DataSources, projectLabels: c.ProjectLabels,
			text: c.Text, analystID: c.AnalystID, plan: c.Plan,
		})
		if err != nil {
			return err
		}
		conversation, message, turn, told = out.ID, out.Message, out.Turn, out.Events
		return c.Fail
	})
	return conversation, message, turn, told, err
}

// BeforeRequests makes the store call before with each query of a request outside a batch,
// before it is sent. Call it before the store is used.
func (s *Store) BeforeRequests(ctx context.Context, before func(sql string)) error {
	cfg := s.core.app.Config()
	cfg.ConnConfig.Tracer = beforeQuery(before)
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return err
	}
	s.core.app.Close()
	s.core.app = pool
	return nil
}

// beforeQuery is a pgx.QueryTracer.
type beforeQuery func(sql string)

func (f beforeQuery) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	f(data.SQL)
	return ctx
}

func (beforeQuery) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Settings reads a setting of the server in each of the store's pools.
func (s *Store) Settings(ctx context.Context, name string) (map[string]string, error) {
	out := map[string]string{}
	for pool, p := range map[string]*pgxpool.Pool{
		"app": s.core.app, "engine": s.core.engine, "journal": s.core.journal,
		"lease": s.core.lease, "keyed": s.core.keyed,
	} {
		var value string
		if err := p.QueryRow(ctx, "SELECT current_setting($1)", name).Scan(&value); err != nil {
			return nil, err
		}
		out[pool] = value
	}
	return out, nil
}

// LockConversation locks the row of a conversation as a write of the journal does, and then sends
// nothing more, like a node that hangs in the middle of the write. goOn continues the
// write, rolls it back and returns the errors.
func (s *Store) LockConversation(ctx context.Context, conversation uuid.UUID) (goOn func() error, err error) {
	tx, err := s.core.journal.Begin(ctx)
	if err != nil {
		return nil, err
	}
	write := func() error {
		_, err := tx.Exec(ctx, "UPDATE conversation SET next_seq = next_seq WHERE id = $1", conversation)
		return translate(err)
	}
	return func() error { return errors.Join(write(), tx.Rollback(ctx)) }, write()
}

// StoreSnapshot runs the journal's statement for a snapshot by itself, without a fence.
func (s *Store) StoreSnapshot(ctx context.Context, conversation uuid.UUID, epoch int64) error {
	var r reading
	r.JournalSnapshots(&dbsqlc.JournalSnapshotsParams{
		Ids: []uuid.UUID{conversation}, Seqs: []int64{9}, Epochs: []int64{epoch}, Versions: []int32{1}, Checksums: []int64{1},
		Bodies: [][]byte{[]byte("late")},
	})
	return s.core.journal.SendBatch(ctx, &r.Batch).Close()
}

// MigrateFiles applies migrations of a test, with short pauses between tries.
func MigrateFiles(ctx context.Context, url string, files fs.FS, patience time.Duration, refused func(error)) error {
	return migrator{url: url, files: files, lockTimeout: patience, pause: time.Millisecond, refused: refused}.run(ctx)
}

// ChunkIsThere reports whether a piece of text is stored, as a write in doubt asks.
func (s *Store) ChunkIsThere(ctx context.Context, message uuid.UUID, offset int64, text string) (bool, error) {
	var (
		r     reading
		there []uuid.UUID
	)
	r.JournalChunksThere(&dbsqlc.JournalChunksThereParams{
		Messages: []uuid.UUID{message}, Offsets: []int64{offset}, Texts: []string{text},
	}, &there)
	err := s.core.journal.SendBatch(ctx, &r.Batch).Close()
	return len(there) == 1, err
}
