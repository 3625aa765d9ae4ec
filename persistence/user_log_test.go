package persistence_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// G3, G8 for a person's own log: two nodes and a service write to the same
// people at once; each log has every entry once and no gap.
func TestUserLog_ConcurrentWriters(t *testing.T) {
	t.Parallel()
	const each = 60
	s, url := openURL(t)
	ctx := t.Context()
	second := persistencetest.OpenURL(t, url)
	journals := []*persistence.Journal{
		startJournal(t, s, persistence.JournalConfig{}), startJournal(t, second, persistence.JournalConfig{}),
	}
	var (
		mu   sync.Mutex
		told = make(map[int64]map[int64]bool)
	)
	hear := func(events []domain.UserEvent) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range events {
			if told[e.UserID] == nil {
				told[e.UserID] = make(map[int64]bool)
			}
			if told[e.UserID][e.Seq] {
				t.Errorf("entry %d of %d was returned twice", e.Seq, e.UserID)
			}
			told[e.UserID][e.Seq] = true
		}
	}
	s.AnnounceTo(hear)
	var talks []*owned
	for i, email := range []string{
		persistencetest.Anna, persistencetest.Ben, persistencetest.Anna, persistencetest.Ben,
		persistencetest.Cleo, persistencetest.Anna,
	} {
		o := own(t, s, journals[i%2], email)
		for _, reader := range []string{persistencetest.Anna, persistencetest.Ben, persistencetest.Cleo} {
			if reader != email {
				hear(o.grant(reader, domain.PermissionRead).UserEvents)
			}
		}
		talks = append(talks, o)
	}
	var wait sync.WaitGroup
	for _, o := range talks {
		wait.Go(func() {
			for range each {
				r := o.try(domain.Write{
					Events: []domain.Event{event(domain.EventMessageCreated)},
					UserEvents: []domain.UserEventDraft{{
						Type: domain.EventMessageCreated, Data: json.RawMessage(`{}`), Unread: true,
						Except: o.caller.UserID,
					}},
				})
				assertNoError(t, r.Err)
				hear(r.UserEvents)
			}
		})
		wait.Go(func() {
			ben := persistencetest.Caller(t, s, persistencetest.Ben)
			for i := range each {
				assertNoError(t, s.Conversations.SetFavorite(ctx, ben, o.Conversation, i%2 == 0))
				assertNoError(t, s.Conversations.MarkRead(ctx, ben, o.Conversation))
			}
		})
	}
	wait.Wait()
	for _, email := range []string{persistencetest.Anna, persistencetest.Ben, persistencetest.Cleo} {
		caller := persistencetest.Caller(t, s, email)
		events, held, err := s.Sessions.UserEvents(ctx, caller.UserID, 0, 1_000_000)
		require.NoError(t, err)
		require.True(t, held)
		require.GreaterOrEqual(t, len(events), 6*each)
		for i, e := range events {
			require.Equal(t, int64(i+1), e.Seq, "a gap")
			require.True(t, told[caller.UserID][e.Seq], "an entry that was not announced")
			require.Equal(t, caller.UserUUID, e.UserUUID)
		}
		require.Len(t, told[caller.UserID], len(events))
		head, _, err := s.Sessions.ClaimSession(ctx, caller.UserUUID, "node")
		require.NoError(t, err)
		require.Equal(t, int64(len(events)), head)
	}
}

func TestStore_UserEvents(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	for range 5 {
		_, err := s.Conversations.CreateConversation(ctx, anna, domain.NewConversation{})
		require.NoError(t, err)
	}
	read := func(after int64, limit int) (int, bool) {
		t.Helper()
		events, held, err := s.Sessions.UserEvents(ctx, anna.UserID, after, limit)
		require.NoError(t, err)
		return len(events), held
	}
	for _, row := range []struct {
		after int64
		limit int
		count int
		held  bool
	}{
		{0, 100, 5, true},
		{3, 100, 2, true},
		{0, 2, 2, true},
		{5, 100, 0, true},
		{6, 100, 0, false}, // beyond the head: a cursor of another log
		{-7, 100, 5, false},
	} {
		n, held := read(row.after, row.limit)
		require.Equal(t, row.count, n, row)
		require.Equal(t, row.held, held, row)
	}
	engine := persistencetest.Connect(t, url, "parley_engine")
	_, err := engine.Exec(ctx, "UPDATE user_event SET at = at - interval '8 days' WHERE seq <= 3")
	require.NoError(t, err)
	require.NoError(t, s.Prune(ctx))
	n, held := read(1, 100)
	require.Equal(t, 2, n)
	require.False(t, held, "the log does not have entries that old")
	n, held = read(3, 100)
	require.Equal(t, 2, n)
	require.True(t, held)
	_, err = engine.Exec(ctx, "DELETE FROM user_event")
	require.NoError(t, err)
	_, held = read(3, 100)
	require.False(t, held)
	_, held = read(5, 100)
	require.True(t, held)
}

func TestStore_Sessions(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	require.NoError(t, s.Members.Join(ctx, domain.Member{Node: "a@1", Name: "a", Incarnation: uuid.New()}, 60e9))
	home := func() string {
		t.Helper()
		node, err := s.Sessions.SessionHome(ctx, anna.UserUUID)
		require.NoError(t, err)
		return node
	}
	require.Empty(t, home())
	_, id, err := s.Sessions.ClaimSession(ctx, anna.UserUUID, "a@1")
	require.NoError(t, err)
	require.Equal(t, anna.UserID, id)
	require.Equal(t, "a@1", home())
	require.NoError(t, s.Sessions.ReleaseSession(ctx, anna.UserUUID, "another"))
	require.Equal(t, "a@1", home())
	heads := func(head int64, node string) []domain.SessionHead {
		t.Helper()
		news, err := s.Sessions.SessionHeads(ctx, []domain.SessionHead{
			{User: anna.UserUUID, Head: head, Node: node},
			{User: uuid.New(), Head: -1},
		})
		require.NoError(t, err)
		return news
	}
	now := heads(-1, "a@1")
	require.Len(t, now, 1)
	require.Equal(t, domain.SessionHead{User: anna.UserUUID, Head: now[0].Head, Node: "a@1"}, now[0])
	require.Empty(t, heads(now[0].Head, "a@1"), "nothing has changed")
	require.Equal(t, now, heads(now[0].Head, "b@1"), "another home")
	require.NoError(t, s.Members.Leave(ctx, "a@1"))
	require.Empty(t, home(), "a node that has left is no home")
	require.NoError(t, s.Sessions.ReleaseSession(ctx, anna.UserUUID, "a@1"))
	_, _, err = s.Sessions.ClaimSession(ctx, uuid.New(), "a@1")
	requireCode(t, domain.CodeNotFound, err)
}

// A list and the position in the log that it names are from one snapshot: a client that
// drops the entries up to that position, and applies the later ones, counts each unread
// answer once.
func TestStore_ConversationsLogHead(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	o.grant(persistencetest.Ben, domain.PermissionRead)
	ben := persistencetest.Caller(t, s, persistencetest.Ben)
	before, err := s.Users.LogHead(ctx, ben)
	require.NoError(t, err)
	require.Positive(t, before)

	const answers = 100
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range answers {
			r := o.try(domain.Write{
				Events: []domain.Event{event(domain.EventMessageCreated)},
				UserEvents: []domain.UserEventDraft{{
					Type: domain.EventStreamingComplete, Data: json.RawMessage(`{}`), Unread: true,
					Except: o.caller.UserID,
				}},
			})
			assertNoError(t, r.Err)
		}
	}()
	for _, f := range []domain.ConversationFilter{{}, {Scope: "shared"}, {Sort: "name"}} {
		for ended := false; !ended; {
			select {
			case <-done:
				ended = true
			default:
			}
			list, err := s.Conversations.Conversations(ctx, ben, f)
			require.NoError(t, err)
			require.Len(t, list.Results, 1)
			require.EqualValues(t, list.LogHead-before, list.Results[0].Unread)
		}
	}
	head, err := s.Users.LogHead(ctx, ben)
	require.NoError(t, err)
	require.Equal(t, before+answers, head)
	_, err = s.Users.LogHead(ctx, domain.Caller{UserID: 1 << 40, OrganisationID: ben.OrganisationID})
	require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
}
