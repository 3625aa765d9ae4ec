package persistence_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/embedded"
	"parley.dev/parley/persistence/persistencetest"
)

// ownMany makes and claims conversations by plain SQL, and opens a message in each.
func ownMany(b *testing.B, url string, s *persistence.Store, n int) []*domain.Write {
	b.Helper()
	ctx := b.Context()
	anna := persistencetest.Caller(b, s, persistencetest.Anna)
	conn, err := pgx.Connect(ctx, url)
	require.NoError(b, err)
	defer conn.Close(context.WithoutCancel(ctx))
	_, err = conn.Exec(ctx, "SET ROLE parley_engine")
	require.NoError(b, err)
	activation := uuid.New()
	_, err = conn.Exec(ctx, `INSERT INTO conversation (id, org_id, owner_id, name, next_seq, epoch, activation, created_at, updated_at)
		SELECT gen_random_uuid(), $1, $2, 'load', 2, 1, $3, now(), now()
		  FROM generate_series(1, $4)`, anna.OrganisationID, anna.UserID, activation, n)
	require.NoError(b, err)
	_, err = conn.Exec(ctx, `INSERT INTO message (id, conversation_id, org_id, seq, generation, role, text, status, created_at)
		SELECT gen_random_uuid(), id, org_id, 1, 1, 'assistant', '', 'streaming', now() FROM conversation`)
	require.NoError(b, err)
	_, err = conn.Exec(ctx, "INSERT INTO conversation_snapshot (conversation_id, org_id) SELECT id, org_id FROM conversation")
	require.NoError(b, err)
	rows, err := conn.Query(ctx, "SELECT c.id, m.id FROM conversation c JOIN message m ON m.conversation_id = c.id")
	require.NoError(b, err)
	writes, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*domain.Write, error) {
		w := &domain.Write{
			OrganisationID: anna.OrganisationID, Fence: domain.Fence{Epoch: 1, Activation: activation}, NextSeq: 2,
			Chunks: make([]domain.Chunk, 1),
		}
		return w, row.Scan(&w.Conversation, &w.Chunks[0].Message)
	})
	require.NoError(b, err)
	require.Len(b, writes, n)
	for _, table := range []string{"conversation", "message"} {
		_, err = conn.Exec(ctx, "ANALYZE "+table)
		require.NoError(b, err)
	}
	return writes
}

// BenchmarkJournal_Chunks commits pieces of text: every conversation has one
// write in flight at a time, as in the engine.
func BenchmarkJournal_Chunks(b *testing.B) {
	for _, n := range []int{1, 100, 1000, 5000} {
		b.Run(fmt.Sprintf("conversations=%d", n), func(b *testing.B) {
			s, url := openURL(b)
			writes := ownMany(b, url, s, n)
			stream(b, startJournal(b, s, persistence.JournalConfig{}), writes, b.N)
		})
	}
}

// BenchmarkJournal_ChunksOnDisk does the same on a server that waits for the
// disk at every commit, as the product's own server does.
func BenchmarkJournal_ChunksOnDisk(b *testing.B) {
	server, err := embedded.Start(b.Context(), embedded.Config{DataDir: b.TempDir()})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, server.Stop(context.Background())) })
	s := persistencetest.OpenURL(b, server.URL())
	require.NoError(b, s.Migrate(b.Context()))
	require.NoError(b, s.Samples.Seed(b.Context(), persistencetest.World()))
	writes := ownMany(b, server.URL(), s, 5000)
	for _, n := range []int{100, 1000, 5000} {
		b.Run(fmt.Sprintf("conversations=%d", n), func(b *testing.B) {
			j := s.NewJournal(persistence.JournalConfig{})
			require.NoError(b, j.Start(b.Context()))
			defer j.Stop()
			stream(b, j, writes[:n], b.N)
			for i := range writes[:n] {
				// The next run continues at an offset without text.
				w := *writes[i]
				w.Chunks = []domain.Chunk{{Message: w.Chunks[0].Message, Offset: w.Chunks[0].Offset + 1<<32}}
				writes[i] = &w
			}
		})
	}
}

// stream submits total pieces, the next one of a conversation when the last is committed.
func stream(b *testing.B, j *persistence.Journal, writes []*domain.Write, total int) {
	b.Helper()
	type done struct {
		w  *domain.Write
		at time.Time
	}
	const text = "a token or so, with a word "
	results := make(chan done, len(writes))
	failed := make(chan error, 1)
	submit := func(w *domain.Write) {
		at := clock.System{}.Now()
		j.Submit(w, func(r domain.WriteResult) {
			if r.Err != nil {
				select {
				case failed <- r.Err:
				default:
				}
			}
			results <- done{w, at}
		})
	}
	b.ResetTimer()
	sent := 0
	for _, w := range writes[:min(len(writes), total)] {
		w.Chunks[0].Text = text
		submit(w)
		sent++
	}
	var waited time.Duration
	for range total {
		d := <-results
		waited += clock.System{}.Now().Sub(d.at)
		if sent < total {
			next := *d.w
			next.Chunks = []domain.Chunk{{Message: d.w.Chunks[0].Message, Offset: d.w.Chunks[0].Offset + int64(len(text)), Text: text}}
			submit(&next)
			sent++
		}
	}
	b.StopTimer()
	select {
	case err := <-failed:
		require.NoError(b, err)
	default:
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(waited.Milliseconds())/float64(total), "ms/row")
}

// BenchmarkStore_Claim activates a cold conversation.
func BenchmarkStore_Claim(b *testing.B) {
	url := persistencetest.URL(b)
	s := persistencetest.OpenURL(b, url)
	require.NoError(b, s.Samples.Seed(b.Context(), persistencetest.World()))
	writes := ownMany(b, url, s, 5000)
	b.ResetTimer()
	for i := range b.N {
		_, err := s.ConversationStore.Claim(b.Context(), writes[i%len(writes)].Conversation, uuid.New(), "node", nil)
		require.NoError(b, err)
	}
}

// BenchmarkStore_Back reads for a person who returns and has missed an answer: the cost
// that the owner's memory or a tail saves (docs/adr/0007).
func BenchmarkStore_Back(b *testing.B) {
	s, _ := openURL(b)
	o := own(b, s, startJournal(b, s, persistence.JournalConfig{}), persistencetest.Anna)
	turn, prompt := o.prompt("?")
	answer := o.open(turn, prompt)
	for i := range 40 {
		o.must(chunk(answer, int64(50*i), strings.Repeat("x", 50)))
	}
	o.must(domain.Write{MessageEnds: []domain.MessageEnd{{Message: answer, Status: domain.MessageComplete}}})
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			_, err := s.ConversationStore.Events(b.Context(), o.Conversation, 0, 500)
			require.NoError(b, err)
			_, err = s.ConversationStore.OpenText(b.Context(), o.Conversation, answer, 0)
			require.NoError(b, err)
		}
	})
}

// BenchmarkJournal_Send appends a prompt with its event, its turn and the entry
// in its owner's log, one conversation after the other, many at a time.
func BenchmarkJournal_Send(b *testing.B) {
	for _, n := range []int{1, 500} {
		b.Run(fmt.Sprintf("conversations=%d", n), func(b *testing.B) {
			url := persistencetest.URL(b)
			s := persistencetest.OpenURL(b, url)
			require.NoError(b, s.Samples.Seed(b.Context(), persistencetest.World()))
			writes := ownMany(b, url, s, n)
			j := startJournal(b, s, persistence.JournalConfig{})
			results := make(chan int, n)
			failed := make(chan error, 1)
			turns := make([]uuid.UUID, n)
			submit := func(i int) {
				w := *writes[i]
				old := turns[i]
				turns[i] = uuid.New()
				message := uuid.New()
				w.Chunks, w.TurnEnd = nil, nil
				w.Events = []domain.Event{event(domain.EventMessageCreated)}
				w.Messages = []domain.Message{{
					ID: message, TurnID: turns[i], Seq: w.NextSeq, Generation: 1, Role: domain.RoleUser,
					Text: "How many orders were there in May?", Status: domain.MessageComplete,
				}}
				w.TurnStart = &domain.Turn{ID: turns[i], Prompt: message, UserID: 1, AnalystID: 1, Attempt: 1}
				if old != uuid.Nil {
					// The store allows one running turn, so each send also ends the last one.
					w.TurnEnd, w.TurnStart = &domain.TurnEnd{Turn: old, Status: domain.TurnComplete}, nil
					turns[i] = uuid.Nil
				}
				w.UserEvents = []domain.UserEventDraft{{Type: domain.EventMessageCreated, Data: json.RawMessage(`{"conversationId":"x"}`)}}
				writes[i] = &w
				j.Submit(&w, func(r domain.WriteResult) {
					if r.Err != nil {
						select {
						case failed <- r.Err:
						default:
						}
					}
					results <- i
				})
			}
			b.ResetTimer()
			sent := 0
			for i := range min(n, b.N) {
				submit(i)
				sent++
			}
			for range b.N {
				i := <-results
				if sent < b.N {
					writes[i].NextSeq++
					submit(i)
					sent++
				}
			}
			b.StopTimer()
			select {
			case err := <-failed:
				require.NoError(b, err)
			default:
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sends/s")
		})
	}
}

// BenchmarkStore_Lists reads as a person with 200 conversations of their own,
// and as a person with 20,000, among 100,000 conversations with 2,000,000 messages.
func BenchmarkStore_Lists(b *testing.B) {
	url := persistencetest.URL(b)
	s := persistencetest.OpenURL(b, url)
	require.NoError(b, s.Samples.Seed(b.Context(), persistencetest.World()))
	anna, ben := persistencetest.Caller(b, s, persistencetest.Anna), persistencetest.Caller(b, s, persistencetest.Ben)
	cleo := persistencetest.Caller(b, s, persistencetest.Cleo)
	fill(b, url, anna, ben, cleo)
	var open uuid.UUID
	for name, caller := range map[string]domain.Caller{"few": anna, "many": ben} {
		for _, f := range []struct {
			name   string
			filter domain.ConversationFilter
		}{
			{"default", domain.ConversationFilter{}},
			{"page=100", domain.ConversationFilter{Page: domain.Page{Number: 100, Size: 50}}},
			{"name", domain.ConversationFilter{Sort: "name"}},
			{"search", domain.ConversationFilter{Search: "number 77"}},
			{"favorite", domain.ConversationFilter{Scope: "favorite"}},
			{"shared", domain.ConversationFilter{Scope: "shared"}},
			{"archived", domain.ConversationFilter{Archived: true}},
		} {
			b.Run(name+"/"+f.name, func(b *testing.B) {
				for b.Loop() {
					list, err := s.Conversations.Conversations(b.Context(), caller, f.filter)
					require.NoError(b, err)
					if len(list.Results) > 0 {
						open = list.Results[0].ID
					}
				}
			})
		}
		b.Run(name+"/open", func(b *testing.B) {
			for b.Loop() {
				_, err := s.Conversations.Conversation(b.Context(), caller, open)
				require.NoError(b, err)
			}
		})
		// The first word is in every message, so that the search ends early; the second one is in none.
		for _, word := range []string{"words", "absent"} {
			b.Run(name+"/said="+word, func(b *testing.B) {
				for b.Loop() {
					_, err := s.Conversations.SearchMessages(b.Context(), caller, word)
					require.NoError(b, err)
				}
			})
		}
		b.Run(name+"/running", func(b *testing.B) {
			for b.Loop() {
				_, err := s.Conversations.Running(b.Context(), caller)
				require.NoError(b, err)
			}
		})
		b.Run(name+"/access", func(b *testing.B) {
			for b.Loop() {
				_, _, err := s.ConversationStore.Access(b.Context(), open, caller.UserID)
				require.NoError(b, err)
			}
		})
	}
	b.Run("orphans", func(b *testing.B) {
		for b.Loop() {
			_, err := s.ConversationStore.Orphans(b.Context(), 100)
			require.NoError(b, err)
		}
	})
}

// fill makes 100,000 conversations of 20 messages, by plain SQL.
func fill(b *testing.B, url string, few, many, rest domain.Caller) {
	b.Helper()
	ctx := b.Context()
	conn, err := pgx.Connect(ctx, url)
	require.NoError(b, err)
	defer conn.Close(context.WithoutCancel(ctx))
	for _, sql := range []string{
		"SET ROLE parley_engine",
		fmt.Sprintf(`INSERT INTO conversation (id, org_id, owner_id, name, description, next_seq, created_at, updated_at)
			SELECT gen_random_uuid(), %d, CASE WHEN n <= 200 THEN %d WHEN n <= 20200 THEN %d ELSE %d END, 'Conversation number ' || n, '', 40,
			       now() - n * interval '1 minute', now() - (n * 7919 %% 100000) * interval '1 minute' FROM generate_series(1, 100000) n`,
			few.OrganisationID, few.UserID, many.UserID, rest.UserID),
		fmt.Sprintf(`INSERT INTO conversation_grant (conversation_id, org_id, user_id, permission)
			SELECT id, org_id, %d, 'read' FROM conversation WHERE owner_id = %d LIMIT 500`, few.UserID, rest.UserID),
		`INSERT INTO conversation_person (user_id, conversation_id, org_id, is_archived, is_favorite, unread)
			SELECT owner_id, id, org_id, random() < 0.1, random() < 0.05, 1 FROM conversation WHERE random() < 0.5`,
		`INSERT INTO message (id, conversation_id, org_id, seq, generation, role, text, status, created_at)
			SELECT gen_random_uuid(), id, org_id, n, 1, 'assistant', repeat('words ', 20), 'complete', now()
			  FROM conversation, generate_series(1, 20) n`,
		`INSERT INTO turn (id, conversation_id, org_id, prompt_id, user_id, analyst_id, attempt, status, started_at)
			SELECT gen_random_uuid(), id, org_id, gen_random_uuid(), owner_id, 1, 1,
			       CASE WHEN random() < 0.02 THEN 'running' ELSE 'complete' END, now() FROM conversation`,
	} {
		_, err := conn.Exec(ctx, sql)
		require.NoError(b, err)
	}
	_, err = conn.Exec(ctx, "RESET ROLE")
	require.NoError(b, err)
	_, err = conn.Exec(ctx, "VACUUM ANALYZE")
	require.NoError(b, err)
}

// BenchmarkNumbers measures the cost of numbers that are made from times: 1,000 for each round.
func BenchmarkNumbers(b *testing.B) {
	_, url := openURL(b)
	c := persistencetest.Connect(b, url, "parley_app")
	for b.Loop() {
		_, err := c.Exec(b.Context(), "SELECT next_number() FROM generate_series(1, 1000)")
		require.NoError(b, err)
	}
}

// BenchmarkStore_Looks compares 10,000 sessions and 10,000 owners with the database, as a node with as many idle
// sockets does every 2 s. B/op is what it costs: such a node allocates little else.
func BenchmarkStore_Looks(b *testing.B) {
	s, _ := openURL(b)
	heads, ids := make([]domain.SessionHead, 10_000), make([]uuid.UUID, 10_000)
	for i := range heads {
		heads[i] = domain.SessionHead{User: uuid.New(), Head: int64(i), Node: "node-with-a-name-of-usual-length"}
		ids[i] = uuid.New()
	}
	for name, look := range map[string]func() error{
		"Sessions": func() error { _, err := s.Sessions.SessionHeads(b.Context(), heads); return err },
		"Owners":   func() error { _, err := s.ConversationStore.Superseded(b.Context(), "node", ids); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, look())
			}
		})
	}
}
