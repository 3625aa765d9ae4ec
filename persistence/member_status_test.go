package persistence_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

func TestStore_MemberStatuses(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	a, b := member("a"), member("b")
	require.NoError(t, s.Members.Join(ctx, a, time.Minute))
	require.NoError(t, s.Members.Join(ctx, b, time.Minute))
	report := &domain.NodeReport{
		Version: "v1", Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Draining: true, Conversations: 1, Sessions: 2, Tasks: 3, Sockets: 4,
		Running: 5, Members: []string{a.Node, b.Node}, Silent: []string{b.Node}, ClockAhead: 0.5,
	}
	require.NoError(t, s.Members.Report(ctx, a.Node, report))
	require.NoError(t, s.Members.Report(ctx, "nobody@1", report), "a node that was declared dead changes nothing")

	list, err := s.Members.MemberStatuses(ctx)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, a.Node, list[0].Node)
	require.Equal(t, a.Address, list[0].Address)
	require.Greater(t, list[0].Left, 50*time.Second)
	require.Equal(t, report, list[0].Report)
	require.Less(t, list[0].ReportAge, 10*time.Second)
	require.Nil(t, list[1].Report)

	// A request to drain is in the rows that the nodes and the operators read; the first one counts.
	db := persistencetest.Connect(t, url, "")
	var first, second time.Time
	for _, at := range []*time.Time{&first, &second} {
		asked, err := s.Members.AskToDrain(ctx, b.Node)
		require.NoError(t, err)
		require.True(t, asked)
		require.NoError(t, db.QueryRow(ctx, "SELECT drain_asked_at FROM cluster_member WHERE node = $1", b.Node).Scan(at))
	}
	require.Equal(t, first, second)
	asked, err := s.Members.AskToDrain(ctx, "nobody@1")
	require.NoError(t, err)
	require.False(t, asked)
	list, err = s.Members.MemberStatuses(ctx)
	require.NoError(t, err)
	members, err := s.Members.Members(ctx)
	require.NoError(t, err)
	for i := range 2 {
		require.Equal(t, list[i].Node == b.Node, list[i].DrainAsked)
		require.Equal(t, members[i].Node == b.Node, members[i].DrainAsked)
	}
	require.NoError(t, s.Members.Renew(ctx, b.Node, 0, time.Minute))
	list, err = s.Members.MemberStatuses(ctx)
	require.NoError(t, err)
	require.True(t, list[1].DrainAsked, "a renewal leaves it")

	// A report of a later release has more fields; one release earlier there is no column.
	_, err = db.Exec(ctx, `UPDATE cluster_member
		SET report = '{"version":"v2","later":{"x":1}}', reported_at = clock_timestamp() - interval '9 s'`)
	require.NoError(t, err)
	list, err = s.Members.MemberStatuses(ctx)
	require.NoError(t, err)
	require.Equal(t, &domain.NodeReport{Version: "v2"}, list[1].Report)
	require.GreaterOrEqual(t, list[1].ReportAge, 9*time.Second)
	_, err = db.Exec(ctx, "ALTER TABLE cluster_member DROP COLUMN report, DROP COLUMN reported_at, DROP COLUMN drain_asked_at")
	require.NoError(t, err)
	older := persistencetest.OpenURL(t, url)
	list, err = older.Members.MemberStatuses(ctx)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Nil(t, list[0].Report)
	require.False(t, list[1].DrainAsked)
	_, err = older.Members.AskToDrain(ctx, b.Node)
	require.ErrorContains(t, errors.Unwrap(err), "drain_asked_at")
}

func TestStore_WhereaboutsAndNodes(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	c, err := s.Conversations.CreateConversation(ctx, persistencetest.Caller(t, s, persistencetest.Anna), domain.NewConversation{Name: "A"})
	require.NoError(t, err)
	w, err := s.Members.Whereabouts(ctx, c.ID)
	require.NoError(t, err)
	require.Empty(t, w.Node)
	require.Nil(t, w.Claimed)
	require.Nil(t, w.RunningSince)
	require.False(t, w.Deleted)

	claim, err := s.ConversationStore.Claim(ctx, c.ID, uuid.New(), "node", nil)
	require.NoError(t, err)
	w, err = s.Members.Whereabouts(ctx, c.ID)
	require.NoError(t, err)
	require.Equal(t, "node", w.Node)
	require.NotNil(t, w.Claimed)
	require.Equal(t, claim.Fence.Epoch, w.Epoch)
	require.Equal(t, claim.NextSeq-1, w.Head)

	_, err = s.Members.ClusterNodes(ctx, persistencetest.Caller(t, s, persistencetest.Ben))
	requireCode(t, domain.CodeForbidden, err)
	// Anna is a superuser of the operator's organisation; one of another organisation sees nothing.
	foreign := persistencetest.Caller(t, s, persistencetest.Doris)
	foreign.IsSuperuser = true
	_, err = s.Members.ClusterNodes(ctx, foreign)
	requireCode(t, domain.CodeForbidden, err)
	nodes, err := s.Members.ClusterNodes(ctx, persistencetest.Caller(t, s, persistencetest.Anna))
	require.NoError(t, err)
	require.Empty(t, nodes)

	_, err = s.Members.Whereabouts(ctx, uuid.New())
	requireCode(t, domain.CodeNotFound, err)
}
