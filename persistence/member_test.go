package persistence_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

func member(name string) domain.Member {
	id := uuid.New()
	return domain.Member{Node: name + "@" + id.String(), Name: name, Incarnation: id, Address: name + ":1"}
}

func TestStore_Members(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	a, b := member("a"), member("b")
	require.NoError(t, s.Members.Join(ctx, a, time.Minute))
	require.NoError(t, s.Members.Join(ctx, b, time.Minute))
	nodes := func() []string {
		t.Helper()
		list, err := s.Members.Members(ctx)
		require.NoError(t, err)
		names := make([]string, len(list))
		for i, m := range list {
			names[i] = m.Node
			require.Same(t, time.UTC, m.ExpiresAt.Location())
		}
		return names
	}
	require.Equal(t, []string{a.Node, b.Node}, nodes())
	require.NoError(t, s.Members.Renew(ctx, a.Node, 0.5, time.Minute))

	again := member("a")
	require.NoError(t, s.Members.Join(ctx, again, time.Minute))
	require.Equal(t, []string{again.Node, b.Node}, nodes())
	requireCode(t, domain.CodeFenced, s.Members.Renew(ctx, a.Node, 0, time.Minute))

	// The lease ends by the clock of the database. That clock may have been changed, so
	// this alone does not stop a node.
	_, err := persistencetest.Connect(t, url, "parley_engine").Exec(ctx, "UPDATE cluster_member SET expires_at = clock_timestamp() "+
		"WHERE node = $1", b.Node)
	require.NoError(t, err)
	list, err := s.Members.Members(ctx)
	require.NoError(t, err)
	for _, m := range list {
		require.Equal(t, m.Node == b.Node, m.Left <= 0)
	}
	require.NoError(t, s.Members.Renew(ctx, b.Node, 0, time.Minute))
	list, err = s.Members.Members(ctx)
	require.NoError(t, err)
	require.Len(t, list, 2)
	for _, m := range list {
		require.Positive(t, m.Left)
	}
	require.NoError(t, s.Members.Leave(ctx, again.Node))
	require.Equal(t, []string{b.Node}, nodes())
}

// A clock of the database that was set ahead by a day makes all leases look old. A node that joins
// just then ends none of them, except that of its own name.
func TestStore_JoinAfterTheClockWasSet(t *testing.T) { // F43
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	a, b := member("a"), member("b")
	require.NoError(t, s.Members.Join(ctx, a, time.Minute))
	require.NoError(t, s.Members.Join(ctx, b, time.Minute))
	_, err := persistencetest.Connect(t, url, "parley_engine").Exec(ctx,
		"UPDATE cluster_member SET expires_at = expires_at - interval '1 day'")
	require.NoError(t, err)
	require.NoError(t, s.Members.Join(ctx, member("a"), time.Minute))
	requireCode(t, domain.CodeFenced, s.Members.Renew(ctx, a.Node, 0, time.Minute))
	require.NoError(t, s.Members.Renew(ctx, b.Node, 0, time.Minute))
}

func TestStore_DeclareDead(t *testing.T) { // G7
	t.Parallel()
	s, _ := openURL(t)
	ctx := t.Context()
	a := member("a")
	require.NoError(t, s.Members.Join(ctx, a, time.Minute))
	seen := func() domain.Member {
		t.Helper()
		list, err := s.Members.Members(ctx)
		require.NoError(t, err)
		require.Len(t, list, 1)
		return list[0]
	}
	before := seen()
	require.Greater(t, before.Left, time.Duration(0))
	require.LessOrEqual(t, before.Left, time.Minute)
	require.NoError(t, s.Members.Renew(ctx, a.Node, 0, time.Minute))
	declared, err := s.Members.DeclareDead(ctx, before)
	require.NoError(t, err)
	require.False(t, declared, "it was renewed since it was seen")
	declared, err = s.Members.DeclareDead(ctx, seen())
	require.NoError(t, err)
	require.True(t, declared)
	list, err := s.Members.Members(ctx)
	require.NoError(t, err)
	require.Empty(t, list)
	requireCode(t, domain.CodeFenced, s.Members.Renew(ctx, a.Node, 0, time.Minute))
}

// A node that hangs in the middle of a write keeps its locks for no longer than its lease,
// so the node that takes over its conversation does not wait for them.
func TestStore_Claim_WhileTheRowIsLocked(t *testing.T) { // G7, F06
	t.Parallel()
	s, _ := openURL(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	goOn, err := s.LockConversation(t.Context(), o.Conversation)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = s.ConversationStore.Claim(ctx, o.Conversation, uuid.New(), "next", nil)
	require.NoError(t, err)
	requireCode(t, domain.CodeUnavailable, goOn())
}

// A claim says whether the earlier owner was lost or only superseded: whether its node is another one that has a
// lease, and which the claimer takes for silent.
func TestStore_Claim_OwnerLives(t *testing.T) { // G7
	t.Parallel()
	s, _ := openURL(t)
	ctx := t.Context()
	one, two := member("one"), member("two")
	require.NoError(t, s.Members.Join(ctx, one, time.Minute))
	require.NoError(t, s.Members.Join(ctx, two, time.Minute))
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	for _, c := range []struct {
		by    string
		lives bool
	}{
		{one.Node, false}, // no member has the name of the first owner's node
		{one.Node, false},
		{two.Node, true},
		{one.Node, true},
	} {
		claim, err := s.ConversationStore.Claim(ctx, o.Conversation, uuid.New(), c.by, []string{one.Node, two.Node})
		require.NoError(t, err)
		require.Equal(t, c.lives, claim.OwnerLives)
	}
	claim, err := s.ClaimAlone(ctx, uuid.New(), o.Conversation, one.Node) // by the node "node"
	require.NoError(t, err)
	require.True(t, claim.OwnerLives)

	claim, err = s.ConversationStore.Claim(ctx, o.Conversation, uuid.New(), two.Node, nil)
	require.NoError(t, err)
	require.False(t, claim.OwnerLives, "the node \"node\" has no lease")
	require.NoError(t, s.Members.Leave(ctx, two.Node))
	claim, err = s.ClaimAlone(ctx, uuid.New(), o.Conversation)
	require.NoError(t, err)
	require.False(t, claim.OwnerLives, "its node has no lease any more")
}

// Two nodes claim the same conversations at once: the first stays the owner, whatever comes first, for as long
// as it has a lease and the other one does not take it for silent.
func TestStore_Claim_ErrOwnerLives(t *testing.T) { // G1, G7
	t.Parallel()
	s, _ := openURL(t)
	ctx := t.Context()
	one, two := member("one"), member("two")
	require.NoError(t, s.Members.Join(ctx, one, time.Minute))
	require.NoError(t, s.Members.Join(ctx, two, time.Minute))
	caller := persistencetest.Caller(t, s, persistencetest.Anna)
	var (
		all    sync.WaitGroup
		claims [40][2]*domain.Claim
		ids    [40]uuid.UUID
	)
	for i := range ids {
		c, err := s.Conversations.CreateConversation(ctx, caller, domain.NewConversation{Name: "Talk"})
		require.NoError(t, err)
		ids[i] = c.ID
	}
	for i, id := range ids {
		for j, by := range []string{one.Node, two.Node} {
			all.Go(func() {
				claim, err := s.ConversationStore.Claim(ctx, id, uuid.New(), by, nil)
				if err != nil && domain.CodeOf(err) != domain.CodeFenced {
					t.Error(err)
				}
				claims[i][j] = claim
			})
		}
	}
	all.Wait()
	for i, id := range ids {
		first, second := claims[i][0], claims[i][1]
		require.NotEqual(t, first == nil, second == nil, "one of them owns it")
		owner, other := one.Node, two.Node
		if second != nil {
			first, owner, other = second, two.Node, one.Node
		}
		home, err := s.ConversationStore.Home(ctx, id)
		require.NoError(t, err)
		require.Equal(t, owner, home)
		require.Equal(t, int64(1), first.Fence.Epoch)
		_, err = s.ConversationStore.Claim(ctx, id, uuid.New(), other, []string{other, "another"})
		requireCode(t, domain.CodeFenced, err)
		_, err = s.ClaimAlone(ctx, uuid.New(), id, other)
		requireCode(t, domain.CodeFenced, err)
		own, err := s.ConversationStore.Claim(ctx, id, uuid.New(), owner, nil)
		require.NoError(t, err)
		require.Equal(t, int64(2), own.Fence.Epoch, "a refused claim changes nothing")
	}

	taken, err := s.ConversationStore.Claim(ctx, ids[0], uuid.New(), two.Node, []string{one.Node})
	require.NoError(t, err)
	require.Equal(t, int64(3), taken.Fence.Epoch)
	require.NoError(t, s.Members.Leave(ctx, one.Node))
	require.NoError(t, s.Members.Leave(ctx, two.Node))
	_, err = s.ClaimAlone(ctx, uuid.New(), ids[0])
	require.NoError(t, err, "nobody has a lease any more")
}

func TestStore_Orphans(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	j := startJournal(t, s, persistence.JournalConfig{})
	node := member("node")
	node.Node = "node" // the node for which own claims
	require.NoError(t, s.Members.Join(ctx, node, time.Minute))
	running, idle, let := own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Anna)
	running.prompt("?")
	let.prompt("?")
	orphans := func(limit int) []uuid.UUID {
		t.Helper()
		ids, err := s.ConversationStore.Orphans(ctx, limit)
		require.NoError(t, err)
		return ids
	}
	require.Empty(t, orphans(10))
	require.NoError(t, s.ConversationStore.Release(ctx, let.Conversation, let.Fence))
	require.Equal(t, []uuid.UUID{let.Conversation}, orphans(10), "released with a running turn")
	_, err := persistencetest.Connect(t, url, "parley_engine").Exec(ctx, "UPDATE cluster_member SET expires_at = clock_timestamp()")
	require.NoError(t, err)
	require.Len(t, orphans(10), 2, "a node whose lease has ended keeps nothing")
	require.NoError(t, s.Members.Leave(ctx, "node"))
	require.ElementsMatch(t, []uuid.UUID{let.Conversation, running.Conversation}, orphans(10))
	require.Len(t, orphans(1), 1)
	home, err := s.ConversationStore.Home(ctx, idle.Conversation)
	require.NoError(t, err)
	require.Empty(t, home)
}

func TestStore_Authority(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	var (
		mu   sync.Mutex
		seen = make(map[string]bool)
		wait sync.WaitGroup
	)
	for range 20 {
		wait.Go(func() {
			mine := uuid.NewString()
			cert, key, err := s.Members.Authority(ctx, func() ([]byte, []byte, error) { return []byte("cert " + mine), []byte("key " + mine), nil })
			if assertNoError(t, err) {
				mu.Lock()
				defer mu.Unlock()
				seen[string(cert[5:])] = true
				seen[string(key[4:])] = true
			}
		})
	}
	wait.Wait()
	require.Len(t, seen, 1, "one authority for all")
	_, _, err := s.Members.Authority(ctx, func() ([]byte, []byte, error) { panic("it is there already") })
	require.NoError(t, err)
}

func TestStore_Secret(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	keys := s.Secrets.Secret("devidp-keys")
	body, err := keys.Load(ctx)
	require.NoError(t, err)
	require.Nil(t, body)
	require.NoError(t, keys.Save(ctx, []byte{0, 1}))
	require.NoError(t, keys.Save(ctx, []byte{2, 3}))
	body, err = keys.Load(ctx)
	require.NoError(t, err)
	require.Equal(t, []byte{2, 3}, body)
}
