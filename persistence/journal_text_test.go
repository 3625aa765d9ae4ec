package persistence_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// speaking creates conversations that have one open answer each.
func speaking(t *testing.T, s *persistence.Store, n int) (owners []*owned, answers []uuid.UUID) {
	t.Helper()
	j := startJournal(t, s, persistence.JournalConfig{})
	for range n {
		o := own(t, s, j, persistencetest.Anna)
		turn, prompt := o.prompt("?")
		owners, answers = append(owners, o), append(answers, o.open(turn, prompt))
	}
	return owners, answers
}

func requireText(t *testing.T, o *owned, message uuid.UUID, want string) {
	t.Helper()
	text, err := o.store.ConversationStore.OpenText(t.Context(), o.Conversation, message, 0)
	require.NoError(t, err)
	require.Equal(t, want, text)
}

// A group of text only is written by one statement. Like any other group, it reports the
// fenced writes, skips locked conversations, and lets only the invalid write fail.
func TestJournal_TextAlone(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)

	t.Run("ErrFencedRowInAGroup", func(t *testing.T) {
		t.Parallel()
		owners, answers := speaking(t, s, 12)
		stale, deleted, unclaimed := 3, 7, 9
		old := owners[stale].Fence
		owners[stale].claim(owners[stale].Conversation)
		owners[stale].Fence = old
		owners[deleted].must(domain.Write{Delete: true})
		owners[unclaimed].Fence.Activation = uuid.New()
		// A journal that starts late has one group of all that was submitted before.
		j := s.NewJournal(persistence.JournalConfig{})
		var results []<-chan domain.WriteResult
		for i, o := range owners {
			results = append(results, submit(j, o.write(chunk(answers[i], 0, "text"))))
		}
		require.NoError(t, j.Start(t.Context()))
		t.Cleanup(j.Stop)
		for i, c := range results {
			r := <-c
			if i == stale || i == deleted || i == unclaimed {
				requireCode(t, domain.CodeFenced, r.Err)
				requireText(t, owners[i], answers[i], "")
				continue
			}
			require.NoError(t, r.Err)
			requireText(t, owners[i], answers[i], "text")
		}
	})

	t.Run("ErrConflictOffenderAlone", func(t *testing.T) {
		t.Parallel()
		s, url := openURL(t)
		atStretch(t, persistencetest.Connect(t, url, ""), 0)
		owners, answers := speaking(t, s, 9)
		const offender = 4
		owners[offender].must(chunk(answers[offender], 0, "first"))
		j := s.NewJournal(persistence.JournalConfig{})
		var results []<-chan domain.WriteResult
		for i, o := range owners {
			results = append(results, submit(j, o.write(chunk(answers[i], 0, "again"))))
		}
		require.NoError(t, j.Start(t.Context()))
		t.Cleanup(j.Stop)
		for i, c := range results {
			r := <-c
			if i == offender {
				requireCode(t, domain.CodeConflict, r.Err)
				requireText(t, owners[i], answers[i], "first")
				continue
			}
			require.NoError(t, r.Err)
			requireText(t, owners[i], answers[i], "again")
		}
	})

	t.Run("ErrUnavailableAllAtOnceWhereTheDiskIsFull", func(t *testing.T) {
		t.Parallel()
		s, url := openURL(t)
		owners, answers := speaking(t, s, 12)
		raw := persistencetest.Connect(t, url, "")
		// A sequence keeps its count when a transaction is rolled back.
		_, err := raw.Exec(t.Context(), `CREATE SEQUENCE tries; GRANT ALL ON SEQUENCE tries TO PUBLIC;
			CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				PERFORM nextval('tries'); RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full';
			END $$;
			CREATE TRIGGER full_disk BEFORE INSERT ON message_chunk FOR EACH STATEMENT EXECUTE FUNCTION full_disk()`)
		require.NoError(t, err)
		write := func() (results []<-chan domain.WriteResult, j *persistence.Journal) {
			j = s.NewJournal(persistence.JournalConfig{})
			for i, o := range owners {
				results = append(results, submit(j, o.write(chunk(answers[i], 0, "text"))))
			}
			require.NoError(t, j.Start(t.Context()))
			return results, j
		}
		results, j := write()
		for _, r := range results {
			requireCode(t, domain.CodeUnavailable, (<-r).Err)
		}
		j.Stop()
		var tries int
		require.NoError(t, raw.QueryRow(t.Context(), "SELECT last_value FROM tries").Scan(&tries))
		require.Equal(t, 1, tries, "one try for the group, and none for its members alone")

		_, err = raw.Exec(t.Context(), "DROP TRIGGER full_disk ON message_chunk")
		require.NoError(t, err)
		results, j = write()
		for i, r := range results {
			require.NoError(t, (<-r).Err)
			requireText(t, owners[i], answers[i], "text")
		}
		j.Stop()
	})

	t.Run("LockedRowBlocksNobody", func(t *testing.T) {
		t.Parallel()
		owners, answers := speaking(t, s, 3)
		locked, free := owners[0], owners[1:]
		tx := hold(t, url, "SELECT FROM conversation WHERE id = $1 FOR UPDATE", locked.Conversation)
		j := startJournal(t, s, persistence.JournalConfig{})
		waiting := submit(j, locked.write(chunk(answers[0], 0, "late")))
		behind := submit(j, locked.write(chunk(answers[0], 4, "r")))
		for n := range 20 {
			for i, o := range free {
				requireAnswer(t, submit(j, o.write(chunk(answers[1+i], int64(n), "x"))))
			}
		}
		requireSilent(t, waiting, behind)
		require.NoError(t, tx.Rollback(t.Context()))
		require.NoError(t, (<-waiting).Err)
		require.NoError(t, (<-behind).Err)
		requireText(t, owners[0], answers[0], "later")
	})
}

// A second group, with other conversations, begins while the first one is in flight; the
// next write of a conversation waits for its previous one.
func TestJournal_Lanes(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	atStretch(t, persistencetest.Connect(t, url, ""), 0)
	owners, answers := speaking(t, s, 5)
	// An open transaction has inserted the key of the first piece, so the group with that
	// piece waits in the server.
	tx := hold(t, url, "INSERT INTO message_chunk (message_id, byte_offset, org_id, text) SELECT $1, 0, org_id, 'x' FROM message "+
		"WHERE id = $1", answers[0])
	j := s.NewJournal(persistence.JournalConfig{GroupSize: 2})
	var (
		mu    sync.Mutex
		order []int
	)
	results := make([]chan domain.WriteResult, 3)
	for i, w := range []domain.Write{chunk(answers[0], 0, "one "), chunk(answers[0], 4, "two "), chunk(answers[0], 8, "three")} {
		results[i] = make(chan domain.WriteResult, 1)
		j.Submit(owners[0].write(w), func(r domain.WriteResult) {
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
			results[i] <- r
		})
	}
	beside := submit(j, owners[1].write(chunk(answers[1], 0, "with the first")))
	var others []<-chan domain.WriteResult
	for i := 2; i < 5; i++ {
		others = append(others, submit(j, owners[i].write(chunk(answers[i], 0, "others"))))
	}
	require.NoError(t, j.Start(t.Context()))
	t.Cleanup(j.Stop)
	requireAnswer(t, others[0])
	requireAnswer(t, others[1])
	requireSilent(t, results[0], results[1], results[2], beside)
	require.NoError(t, tx.Rollback(t.Context()))
	for _, c := range results {
		require.NoError(t, (<-c).Err)
	}
	require.NoError(t, (<-beside).Err)
	require.NoError(t, (<-others[2]).Err)
	require.Equal(t, []int{0, 1, 2}, order)
	requireText(t, owners[0], answers[0], "one two three")
}

// A group that is slow holds up only its own conversations, although the text of the others is no whole group.
func TestJournal_SlowGroup(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	atStretch(t, persistencetest.Connect(t, url, ""), 0)
	owners, answers := speaking(t, s, 2)
	tx := hold(t, url, "INSERT INTO message_chunk (message_id, byte_offset, org_id, text) SELECT $1, 0, org_id, 'x' FROM message "+
		"WHERE id = $1", answers[0])
	j := startJournal(t, s, persistence.JournalConfig{})
	slow := submit(j, owners[0].write(chunk(answers[0], 0, "slow")))
	second := submit(j, owners[0].write(chunk(answers[0], 4, " more")))
	// What is submitted before the group begins would be in it.
	db := persistencetest.Connect(t, url, "")
	require.Eventually(t, func() bool {
		waits := false
		return db.QueryRow(t.Context(), "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND "+
			"wait_event_type = 'Lock'").Scan(&waits) == nil && waits
	}, time.Minute, 5*time.Millisecond)
	quick := submit(j, owners[1].write(chunk(answers[1], 0, "quick")))
	requireAnswer(t, quick)
	requireText(t, owners[1], answers[1], "quick")
	require.Empty(t, slow)
	require.Empty(t, second, "a conversation has one write in flight")
	require.NoError(t, tx.Rollback(t.Context()))
	requireAnswer(t, slow)
	requireAnswer(t, second)
	requireText(t, owners[0], answers[0], "slow more")
}

// G1, G3 for text: claimers fight over conversations whose answers grow. Acknowledged text
// is stored without a gap, and no refused text is stored.
func TestJournal_TextFence(t *testing.T) {
	t.Parallel()
	const conversations, claimers, writes = 6, 18, 40
	s := persistencetest.Open(t)
	owners, answers := speaking(t, s, conversations)
	j := startJournal(t, s, persistence.JournalConfig{GroupSize: 3})
	var (
		mu           sync.Mutex
		acknowledged = make(map[uuid.UUID]int)
		refused      atomic.Int64
		offset       atomic.Int64
		wait         sync.WaitGroup
	)
	for n := range claimers {
		wait.Go(func() {
			o, answer := owners[n%conversations], answers[n%conversations]
			var claim *domain.Claim
			for range writes {
				if claim == nil {
					var err error
					claim, err = s.ConversationStore.Claim(t.Context(), o.Conversation, uuid.New(), "node", nil)
					if !assertNoError(t, err) {
						return
					}
				}
				w := chunk(answer, offset.Add(1), "x")
				w.Conversation, w.OrganisationID, w.Fence = o.Conversation, claim.OrganisationID, claim.Fence
				switch r := <-submit(j, &w); domain.CodeOf(r.Err) {
				case "":
					mu.Lock()
					acknowledged[answer]++
					mu.Unlock()
				case domain.CodeFenced:
					refused.Add(1)
					claim = nil
				default:
					assertNoError(t, r.Err)
					return
				}
			}
		})
	}
	wait.Wait()
	require.Positive(t, refused.Load(), "no write was ever fenced: the test proves nothing")
	for i, answer := range answers {
		m, err := s.ConversationStore.OpenText(t.Context(), owners[i].Conversation, answer, 0)
		require.NoError(t, err)
		require.Len(t, m, acknowledged[answer])
	}
}

// The commit of a group of text has succeeded and its answer was lost: the text is stored
// once and acknowledged. Text that was not written is then written.
func TestJournal_TextLostAnswer(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	p := newProxy(t, url)
	p.committed = []byte("SELECT 1\x00")
	weak := persistencetest.OpenURL(t, p.url)
	owners, answers := speaking(t, s, 4)
	warm := startJournal(t, weak, persistence.JournalConfig{})
	require.NoError(t, (<-submit(warm, owners[3].write(chunk(answers[3], 0, "warm")))).Err)
	j := weak.NewJournal(persistence.JournalConfig{})
	var results []<-chan domain.WriteResult
	for i, o := range owners[:3] {
		results = append(results, submit(j, o.write(chunk(answers[i], 0, fmt.Sprint("answer ", i)))))
	}
	p.loseCommits.Store(1)
	require.NoError(t, j.Start(t.Context()))
	t.Cleanup(j.Stop)
	for i, c := range results {
		require.NoError(t, (<-c).Err)
		requireText(t, owners[i], answers[i], fmt.Sprint("answer ", i))
	}
	require.Zero(t, p.loseCommits.Load(), "no answer was lost: the test proves nothing")
}

// hold runs a statement in a transaction that stays open.
func hold(t *testing.T, url, sql string, args ...any) pgx.Tx {
	t.Helper()
	tx, err := persistencetest.Connect(t, url, "parley_engine").Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
	return tx
}

// requireAnswer waits for a success that nothing may delay.
func requireAnswer(t *testing.T, c <-chan domain.WriteResult) {
	t.Helper()
	patience, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	select {
	case r := <-c:
		require.NoError(t, r.Err)
	case <-patience.Done():
		require.Fail(t, "a write is delayed by others")
	}
}

// requireSilent checks that writes that have to wait are not answered.
func requireSilent(t *testing.T, waiting ...<-chan domain.WriteResult) {
	t.Helper()
	for _, c := range waiting {
		select {
		case r := <-c:
			require.Fail(t, "answered too early", "%v", r)
		default:
		}
	}
}
