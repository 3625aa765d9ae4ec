package persistence_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// A claim in a group is what a claim alone is, for conversations in every state.
func TestStore_ClaimTogether(t *testing.T) { // G1, G7, G12
	t.Parallel()
	s, _ := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	fresh := own(t, s, j, persistencetest.Anna)
	kept := own(t, s, j, persistencetest.Ben)
	kept.must(domain.Write{Snapshot: &domain.Snapshot{Seq: 2, Epoch: 1, SchemaVersion: 3, Checksum: 7, Body: []byte("two")}})
	running, answers := speaking(t, s, 2)
	for i, o := range running {
		o.must(chunk(answers[i], 0, fmt.Sprintf("answer %d", i)))
	}
	stopped := own(t, s, j, persistencetest.Anna)
	turn, _ := stopped.prompt("stop this")
	stopped.must(domain.Write{TurnEnd: &domain.TurnEnd{Turn: turn, Status: domain.TurnStopped}})
	deleted := own(t, s, j, persistencetest.Anna)
	deleted.must(domain.Write{Delete: true})
	locked := own(t, s, j, persistencetest.Anna)
	goOn, err := s.LockConversation(ctx, locked.Conversation)
	require.NoError(t, err)

	all := []uuid.UUID{
		running[1].Conversation, fresh.Conversation, uuid.New(), kept.Conversation, deleted.Conversation, locked.Conversation,
		stopped.Conversation, running[0].Conversation, fresh.Conversation,
	}
	activation := uuid.New()
	together, err := s.ClaimTogether(ctx, activation, all...)
	require.NoError(t, err)
	require.NoError(t, goOn(), "the lock was held to the end, and nobody has waited for it")
	skipped := map[int]bool{2: true, 4: true, 5: true, 8: true} // unknown, deleted, locked, twice in the group
	for i, claim := range together {
		if skipped[i] {
			require.Nil(t, claim, i)
			continue
		}
		alone, err := s.ClaimAlone(ctx, activation, all[i])
		require.NoError(t, err)
		require.Equal(t, claim.Fence.Epoch+1, alone.Fence.Epoch)
		alone.Fence.Epoch--
		require.Equal(t, alone, claim, i)
	}
	require.NotNil(t, together[3].Snapshot)
	require.NotNil(t, together[6].Stopped)
	for i, o := range map[int]*owned{0: running[1], 7: running[0]} {
		require.NotNil(t, together[i].Running)
		require.True(t, together[i].Running.Spoke)
		require.Equal(t, o.Conversation, together[i].Running.Turn.ConversationID)
	}
	require.Nil(t, together[1].Running)

	t.Run("OldOwnersAreFenced", func(t *testing.T) {
		requireCode(t, domain.CodeFenced, fresh.try(domain.Write{Events: []domain.Event{event(domain.EventConversationUpdated)}}).Err)
	})
	t.Run("ErrNotFound", func(t *testing.T) {
		for _, id := range []uuid.UUID{uuid.New(), deleted.Conversation} {
			_, err := s.ConversationStore.Claim(ctx, id, uuid.New(), "node", nil)
			requireCode(t, domain.CodeNotFound, err)
		}
	})
}

// Many claims at once, of many conversations and some of the same: each gets its own epoch, and
// the one with the highest epoch is the owner. A conversation that is locked holds up only its
// own claim, and a caller that leaves is not held up either.
func TestStore_ClaimStorm(t *testing.T) { // G1
	t.Parallel()
	const conversations, rounds = 60, 4
	s, url := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	owners := make([]*owned, conversations)
	for i := range owners {
		owners[i] = own(t, s, j, persistencetest.Anna)
	}
	locked := own(t, s, j, persistencetest.Anna)
	goOn, err := s.LockConversation(ctx, locked.Conversation)
	require.NoError(t, err)
	waiting := make(chan error, 1)
	go func() {
		claim, err := s.ConversationStore.Claim(ctx, locked.Conversation, uuid.New(), "node", nil)
		if err == nil && claim.Fence.Epoch != locked.Fence.Epoch+1 {
			err = fmt.Errorf("epoch %d", claim.Fence.Epoch)
		}
		waiting <- err
	}()

	var (
		all    sync.WaitGroup
		mu     sync.Mutex
		claims = map[uuid.UUID]map[int64]uuid.UUID{}
	)
	for range rounds {
		for _, o := range owners {
			all.Go(func() {
				claim, err := s.ConversationStore.Claim(ctx, o.Conversation, uuid.New(), "node", nil)
				if !assertNoError(t, err) {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				if claims[o.Conversation] == nil {
					claims[o.Conversation] = map[int64]uuid.UUID{}
				}
				claims[o.Conversation][claim.Fence.Epoch] = claim.Fence.Activation
			})
		}
	}
	for range 20 {
		all.Go(func() {
			leaving, leave := context.WithCancel(ctx)
			leave()
			_, err := s.ConversationStore.Claim(leaving, owners[0].Conversation, uuid.New(), "node", nil)
			if err == nil {
				t.Error("a caller that has left got a claim")
			}
		})
	}
	all.Wait()
	require.Empty(t, waiting, "the locked one still waits")
	require.NoError(t, goOn())
	require.NoError(t, <-waiting)

	engine := persistencetest.Connect(t, url, "parley_engine")
	for _, o := range owners {
		require.Len(t, claims[o.Conversation], rounds, "every claim has an epoch of its own")
		var epoch int64
		var activation uuid.UUID
		require.NoError(t, engine.QueryRow(ctx, "SELECT epoch, activation FROM conversation WHERE id = $1", o.Conversation).
			Scan(&epoch, &activation))
		require.Equal(t, o.Fence.Epoch+rounds, epoch)
		require.Equal(t, claims[o.Conversation][epoch], activation)
	}
}

func TestStore_SessionsTogether(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	engine := persistencetest.Connect(t, url, "parley_engine")
	anna, ben := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben)
	_, err := engine.Exec(ctx, "UPDATE app_user SET next_seq = 8 WHERE id = $1", anna.UserID)
	require.NoError(t, err)

	t.Run("OK", func(t *testing.T) {
		heads, ids, err := s.SessionsTogether(ctx, "one", ben.UserUUID, uuid.New(), anna.UserUUID, ben.UserUUID)
		require.NoError(t, err)
		require.Equal(t, []int64{ben.UserID, 0, anna.UserID, 0}, ids, "nobody, and the second of the same, are left to a claim alone")
		require.EqualValues(t, 7, heads[2])
		head, id, err := s.Sessions.ClaimSession(ctx, anna.UserUUID, "two")
		require.NoError(t, err)
		require.Equal(t, []int64{7, anna.UserID}, []int64{head, id})
		var node string
		require.NoError(t, engine.QueryRow(ctx, "SELECT session_node FROM app_user WHERE id = $1", anna.UserID).Scan(&node))
		require.Equal(t, "two", node)
	})
	t.Run("ErrNotFound", func(t *testing.T) {
		_, _, err := s.Sessions.ClaimSession(ctx, uuid.New(), "one")
		requireCode(t, domain.CodeNotFound, err)
	})
	t.Run("ALockedRowBlocksOnlyItsOwnClaim", func(t *testing.T) {
		tx, err := engine.Begin(ctx)
		require.NoError(t, err)
		_, err = tx.Exec(ctx, "UPDATE app_user SET next_seq = next_seq + 1 WHERE id = $1", anna.UserID)
		require.NoError(t, err)
		_, ids, err := s.SessionsTogether(ctx, "one", anna.UserUUID, ben.UserUUID)
		require.NoError(t, err)
		require.Equal(t, []int64{0, ben.UserID}, ids)
		got := make(chan int64, 1)
		go func() {
			head, _, err := s.Sessions.ClaimSession(ctx, anna.UserUUID, "one")
			if err != nil {
				head = -1
			}
			got <- head
		}()
		_, _, err = s.Sessions.ClaimSession(ctx, ben.UserUUID, "one")
		require.NoError(t, err)
		require.Empty(t, got)
		require.NoError(t, tx.Commit(ctx))
		require.EqualValues(t, 8, <-got, "the event of the transaction before is included")
	})
}

func TestStore_ReadTogether(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	engine := persistencetest.Connect(t, url, "parley_engine")
	anna, ben := persistencetest.Caller(t, s, persistencetest.Anna), persistencetest.Caller(t, s, persistencetest.Ben)
	for subject, id := range map[string]int64{"a": anna.UserID, "b": ben.UserID} {
		_, err := engine.Exec(ctx, "UPDATE app_user SET issuer = 'https://id', subject = $1 WHERE id = $2", subject, id)
		require.NoError(t, err)
	}

	t.Run("OKUsers", func(t *testing.T) {
		ids, err := s.UsersTogether(ctx, "https://id", "b", "nobody", "a", "b")
		require.NoError(t, err)
		require.Equal(t, []int64{ben.UserID, 0, anna.UserID, ben.UserID}, ids)
	})
	t.Run("ErrOfOneUser", func(t *testing.T) {
		// A subject that Postgres refuses fails the statement of its group, but not the others in the group.
		var all sync.WaitGroup
		for n := range 100 {
			all.Go(func() {
				id := domain.Identity{Issuer: "https://id", Subject: "a"}
				if n%10 == 3 {
					id.Subject = "\x00"
				}
				u, err := s.Users.UserByIdentity(ctx, id)
				switch {
				case id.Subject != "a":
					if domain.CodeOf(err) != domain.CodeInvalid {
						t.Errorf("a subject that cannot be stored: %v", err)
					}
				case assertNoError(t, err) && u.ID != anna.UserID:
					t.Errorf("another person: %d", u.ID)
				}
			})
		}
		all.Wait()
	})
	t.Run("OKAccess", func(t *testing.T) {
		j := startJournal(t, s, persistence.JournalConfig{})
		shared, deleted := own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna)
		shared.grant(persistencetest.Ben, domain.PermissionRead)
		deleted.must(domain.Write{Delete: true})
		stranger := int64(1 << 40)
		permissions, versions, err := s.AccessTogether(ctx,
			[]uuid.UUID{shared.Conversation, deleted.Conversation, shared.Conversation, uuid.New(), shared.Conversation},
			[]int64{ben.UserID, anna.UserID, stranger, ben.UserID, anna.UserID})
		require.NoError(t, err)
		require.Equal(t, []domain.Permission{
			domain.PermissionRead, domain.PermissionNone, domain.PermissionNone, domain.PermissionNone, domain.PermissionOwner,
		}, permissions)
		require.Zero(t, versions[1])
		require.Zero(t, versions[3])
		for i, user := range []int64{ben.UserID, stranger, anna.UserID} {
			p, version, err := s.ConversationStore.Access(ctx, shared.Conversation, user)
			require.NoError(t, err)
			require.Equal(t, permissions[2*i], p)
			require.Equal(t, versions[2*i], version)
		}
	})
	t.Run("OKHomes", func(t *testing.T) {
		for _, id := range []uuid.UUID{uuid.New(), anna.UserUUID} {
			home, err := s.Sessions.SessionHome(ctx, id)
			require.NoError(t, err)
			require.Empty(t, home)
		}
	})
}
