package persistence_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// G1, G3, G5: 40 claimers fight over 20 conversations, through the journals of two nodes.
// Exactly the acknowledged writes are stored, without a gap and with epochs that never
// decrease.
func TestJournal_Fence(t *testing.T) {
	t.Parallel()
	const conversations, claimers, writes = 20, 40, 60
	s, url := openURL(t)
	ctx := t.Context()
	journals := []*persistence.Journal{
		startJournal(t, s, persistence.JournalConfig{}),
		startJournal(t, persistencetest.OpenURL(t, url), persistence.JournalConfig{GroupSize: 7}),
	}
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	ids := make([]uuid.UUID, conversations)
	for i := range ids {
		c, err := s.Conversations.CreateConversation(ctx, anna, domain.NewConversation{Name: "Fought over"})
		require.NoError(t, err)
		ids[i] = c.ID
	}
	var (
		mu           sync.Mutex
		acknowledged = make(map[string]bool)
		refused      atomic.Int64
		wait         sync.WaitGroup
	)
	for n := range claimers {
		wait.Go(func() {
			id, journal := ids[n%conversations], journals[n/conversations]
			var claim *domain.Claim
			for i := range writes {
				if claim == nil {
					var err error
					claim, err = s.ConversationStore.Claim(ctx, id, uuid.New(), "node", nil)
					if !assertNoError(t, err) {
						return
					}
				}
				mark := fmt.Sprintf("%d/%d", n, i)
				r := <-submit(journal, &domain.Write{
					Conversation: id, OrganisationID: claim.OrganisationID, Fence: claim.Fence, NextSeq: claim.NextSeq,
					Events: []domain.Event{{Type: domain.EventTurnProgress, Generation: 1, Data: json.RawMessage(`"` + mark + `"`)}},
				})
				switch domain.CodeOf(r.Err) {
				case "":
					claim.NextSeq++
					mu.Lock()
					acknowledged[mark] = true
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

	kept := 0
	for _, id := range ids {
		events, err := s.ConversationStore.Events(ctx, id, 1, 1_000_000)
		require.NoError(t, err)
		for i, e := range events {
			require.Equal(t, int64(i+2), e.Seq, "a gap")
			if i > 0 {
				require.GreaterOrEqual(t, e.Epoch, events[i-1].Epoch)
			}
			var mark string
			require.NoError(t, json.Unmarshal(e.Data, &mark))
			require.True(t, acknowledged[mark], "a refused write was stored")
			kept++
		}
	}
	require.Len(t, acknowledged, kept, "an acknowledged write is missing")
	t.Logf("%d rows kept, %d stale writes refused", kept, refused.Load())
}

// assertNoError is require.NoError for goroutines of a test, which may not end it.
func assertNoError(t *testing.T, err error) bool {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	return err == nil
}

func TestJournal_FencedWrites(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	j := startJournal(t, s, persistence.JournalConfig{})
	t.Run("ErrFencedChunks", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		turn, prompt := o.prompt("?")
		answer := o.open(turn, prompt)
		o.must(chunk(answer, 0, "mine"))
		old := o.Fence
		o.claim(o.Conversation)
		stale := o.write(chunk(answer, 4, " and late"))
		stale.Fence = old
		requireCode(t, domain.CodeFenced, (<-submit(j, stale)).Err)
		text, err := s.ConversationStore.OpenText(t.Context(), o.Conversation, answer, 0)
		require.NoError(t, err)
		require.Equal(t, "mine", text)
	})
	t.Run("ErrFencedSameEpochOtherActivation", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		w := o.write(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}})
		w.Fence.Activation = uuid.New()
		requireCode(t, domain.CodeFenced, (<-submit(j, w)).Err)
	})
	t.Run("ErrFencedNeverClaimed", func(t *testing.T) {
		t.Parallel()
		anna := persistencetest.Caller(t, s, persistencetest.Anna)
		c, err := s.Conversations.CreateConversation(t.Context(), anna, domain.NewConversation{})
		require.NoError(t, err)
		w := &domain.Write{
			Conversation: c.ID, OrganisationID: anna.OrganisationID, NextSeq: 2,
			Events: []domain.Event{event(domain.EventTurnProgress)},
		}
		requireCode(t, domain.CodeFenced, (<-submit(j, w)).Err)
	})
	t.Run("ErrConflictSeq", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		w := o.write(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}})
		w.NextSeq++
		requireCode(t, domain.CodeConflict, (<-submit(j, w)).Err)
	})
	t.Run("ReleaseByAnOldOwnerChangesNothing", func(t *testing.T) {
		t.Parallel()
		o := own(t, s, j, persistencetest.Anna)
		require.NoError(t, s.Members.Join(t.Context(), domain.Member{Node: "node", Name: "node", Incarnation: uuid.New()}, 60e9))
		old := o.Fence
		o.claim(o.Conversation)
		require.NoError(t, s.ConversationStore.Release(t.Context(), o.Conversation, old))
		home, err := s.ConversationStore.Home(t.Context(), o.Conversation)
		require.NoError(t, err)
		require.Equal(t, "node", home)
		require.NoError(t, s.ConversationStore.Release(t.Context(), o.Conversation, o.Fence))
		home, err = s.ConversationStore.Home(t.Context(), o.Conversation)
		require.NoError(t, err)
		require.Empty(t, home)
		o.must(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}})
	})
}

// Only a conversation that another transaction has locked waits; the others continue.
func TestJournal_SkipLocked(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	j := startJournal(t, s, persistence.JournalConfig{Alone: 1})
	locked := []*owned{own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna)}
	free := own(t, s, j, persistencetest.Anna)

	conn := persistencetest.Connect(t, url, "parley_engine")
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	for _, o := range locked {
		_, err = tx.Exec(t.Context(), "SELECT FROM conversation WHERE id = $1 FOR UPDATE", o.Conversation)
		require.NoError(t, err)
	}
	progress := domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}}
	var waiting []<-chan domain.WriteResult
	for _, o := range locked {
		waiting = append(waiting, submit(j, o.write(progress)))
		o.NextSeq++
		waiting = append(waiting, submit(j, o.write(progress))) // it waits for the first one
	}
	patience, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for range 20 {
		select {
		case r := <-submit(j, free.write(progress)):
			require.NoError(t, r.Err)
			free.NextSeq++
		case <-patience.Done():
			require.Fail(t, "the locked conversations delay another one")
		}
	}
	for _, c := range waiting {
		select {
		case r := <-c:
			require.Fail(t, "a locked conversation was written", "%v", r)
		default:
		}
	}
	require.NoError(t, tx.Commit(t.Context()))
	for _, c := range waiting {
		require.NoError(t, (<-c).Err)
	}
}

// If one write of a group is invalid, only that write fails.
func TestJournal_OffenderAlone(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	setup := startJournal(t, s, persistence.JournalConfig{})
	taken := own(t, s, setup, persistencetest.Anna)
	_, message := taken.prompt("first")

	// A journal that starts late has one group of all that was submitted before.
	j := s.NewJournal(persistence.JournalConfig{})
	var results []<-chan domain.WriteResult
	var all []*owned
	const offender = 17
	for i := range 40 {
		o := own(t, s, setup, persistencetest.Anna)
		w := domain.Write{Events: []domain.Event{event(domain.EventMessageCreated)}, Messages: []domain.Message{{
			ID: uuid.New(), Seq: o.NextSeq, Generation: 1, Role: domain.RoleUser, Text: "x", Status: domain.MessageComplete,
		}}}
		if i == offender {
			w.Messages[0].ID = message
		}
		all = append(all, o)
		results = append(results, submit(j, o.write(w)))
	}
	require.NoError(t, j.Start(t.Context()))
	t.Cleanup(j.Stop)
	for i, c := range results {
		r := <-c
		if i == offender {
			requireCode(t, domain.CodeConflict, r.Err)
			events, err := s.ConversationStore.Events(t.Context(), all[i].Conversation, 1, 10)
			require.NoError(t, err)
			require.Empty(t, events, "a part of the failed write is stored")
			continue
		}
		require.NoError(t, r.Err)
	}
}

func TestJournal_Stop(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	setup := startJournal(t, s, persistence.JournalConfig{})
	j := s.NewJournal(persistence.JournalConfig{GroupSize: 3})
	var results []<-chan domain.WriteResult
	for range 10 {
		o := own(t, s, setup, persistencetest.Anna)
		// submit answers in a goroutine, which may run after Stop.
		c := make(chan domain.WriteResult, 1)
		j.Submit(o.write(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}}), func(r domain.WriteResult) { c <- r })
		results = append(results, c)
	}
	require.NoError(t, j.Start(t.Context()))
	j.Stop()
	j.Stop()
	for _, c := range slices.Backward(results) {
		select {
		case r := <-c:
			require.NoError(t, r.Err)
		default:
			require.Fail(t, "Stop returned before everything was answered")
		}
	}
	requireCode(t, domain.CodeUnavailable, (<-submit(j, &domain.Write{})).Err)
}

// G3: writes of one conversation commit in the order of Submit, however many wait.
func TestJournal_Order(t *testing.T) {
	t.Parallel()
	const writes = 30
	s := persistencetest.Open(t)
	setup := startJournal(t, s, persistence.JournalConfig{})
	o, other := own(t, s, setup, persistencetest.Anna), own(t, s, setup, persistencetest.Anna)
	j := s.NewJournal(persistence.JournalConfig{})
	var (
		order []int // written by the journal's goroutine, read after Stop
		all   []<-chan domain.WriteResult
	)
	for i := range writes {
		w := o.write(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}})
		o.NextSeq++
		j.Submit(w, func(r domain.WriteResult) {
			assertNoError(t, r.Err)
			order = append(order, i)
		})
		all = append(all, submit(j, other.write(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}})))
		other.NextSeq++
	}
	require.NoError(t, j.Start(t.Context()))
	j.Stop()
	require.Len(t, order, writes)
	require.True(t, slices.IsSorted(order))
	for _, c := range all {
		require.NoError(t, (<-c).Err)
	}
}
