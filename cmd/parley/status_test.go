package main

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/persistence/persistencetest"
)

// reporting makes a member with a report about the members that it sees.
func reporting(name string, left, age time.Duration, r *domain.NodeReport) domain.MemberStatus {
	return domain.MemberStatus{
		Member: domain.Member{Node: name + "@1", Name: name, Address: name + ":1", Left: left}, Report: r, ReportAge: age,
	}
}

func TestClusterStatus(t *testing.T) {
	t.Parallel()
	all := []string{"a@1", "b@1", "c@1"}
	members := []domain.MemberStatus{
		reporting("a", 4*time.Second, time.Second, &domain.NodeReport{
			Version: "v2", Conversations: 3, Sessions: 4, Tasks: 5, Sockets: 6, Running: 7, Members: all, Silent: []string{"b@1"}, ClockAhead: -70,
		}),
		reporting("b", -1500*time.Millisecond, 7*time.Second, &domain.NodeReport{Version: "v1", Draining: true, Members: all}),
		reporting("c", 5*time.Second, 0, nil),
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := newClusterStatus(at, members, []string{reachable, refusing, unreachable})
	require.Equal(t, []string{"b"}, s.Members[0].SeenBy)
	require.Equal(t, []string{"a"}, s.Members[1].SilentFor)
	require.Equal(t, []string{"a", "b"}, s.Members[2].SeenBy)
	require.Nil(t, s.Members[2].ReportAge)
	require.Equal(t, strings.TrimLeft(`
2026-01-02T03:04:05Z  3 members
NODE  ADDRESS  LEASE   REACHABLE  SEEN BY  CONVERSATIONS  SESSIONS  TASKS  SOCKETS  RUNNING  STATE     CLOCK    VERSION
a     a:1      4.0 s   yes        1 of 2   3              4         5      6        7        serving   +70.0 s  v2
b     b:1      -1.5 s  refused    1 of 2   0              0         0      0        0        draining  +0.0 s   v1
c     c:1      5.0 s   no answer  2 of 2   -              -         -      -        -        -         -        -
! a: its clock differs from the database's by 70.0 s
! b: its lease ended 1.5 s ago; the other nodes take over what it owned
! b: b:1 does not accept a connection from this machine (refused)
! b: does not answer a
! b: its figures are 7.0 s old
! c: c:1 does not accept a connection from this machine (no answer)
! c: has not reported; it runs an earlier release
`, "\n"), s.text())
}

func TestReach(t *testing.T) {
	t.Parallel()
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.Equal(t, reachable, reach(t.Context(), l.Addr().String()))
	require.NoError(t, l.Close())
	require.Equal(t, refusing, reach(t.Context(), l.Addr().String()))
	require.Equal(t, unreachable, reach(t.Context(), "no-such-host.invalid:1"))
}

func TestWhereabouts(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("01990000-0000-7000-8000-000000000001")
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	members := []domain.MemberStatus{reporting("a", 4*time.Second, 0, nil), reporting("b", -2*time.Second, 0, nil)}
	for state, c := range map[string]struct {
		found domain.Whereabouts
		owner string
	}{
		ownedBy:       {domain.Whereabouts{Node: "a@1", Claimed: &at, Epoch: 3}, "a@1 at a:1, lease 4.0 s left"},
		ownerLapsed:   {domain.Whereabouts{Node: "b@1", Claimed: &at, Epoch: 3}, "b@1 at b:1, whose lease ended 2.0 s ago: any"},
		ownerGone:     {domain.Whereabouts{Node: "a@0", Claimed: &at, Epoch: 3}, "a@0, which is no member any more: the next"},
		ownedByNobody: {domain.Whereabouts{}, "nobody: no person has it open, and no answer is being made"},
		isDeleted:     {domain.Whereabouts{Node: "a@1", Deleted: true}, "nobody: it is deleted"},
	} {
		w := newWhereabouts(id, &c.found, members)
		require.Equal(t, state, w.State)
		require.Contains(t, w.text(), "owner         "+c.owner)
		require.Equal(t, c.found.Claimed != nil, strings.Contains(w.text(), "claimed       2026-01-02T03:04:05Z, as owner number 3\n"))
		require.Contains(t, w.text(), "answer        none is being made\n")
	}
	running := newWhereabouts(id, &domain.Whereabouts{RunningSince: &at}, nil)
	require.Contains(t, running.text(), "answer        running since 2026-01-02T03:04:05Z\n")
}

// view runs a command that looks at the cluster of a database, and returns what it prints.
func view(t *testing.T, database string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	p := &program{stdout: &out, stderr: &out, getenv: env(map[string]string{"DATABASE_URL": database, "PARLEY_DATA": t.TempDir()})}
	err := p.main(t.Context(), args)
	return out.String(), err
}

// Two real processes, of which one then stands still and at last is killed.
func TestStatus_Processes(t *testing.T) {
	t.Parallel()
	database := persistencetest.URL(t)
	servers := fleet(t, database, nil, "one", "two")
	look := func() clusterStatus {
		t.Helper()
		text, err := view(t, database, "status", "--json")
		require.NoError(t, err, text)
		var s clusterStatus
		require.NoError(t, json.Unmarshal([]byte(text), &s), text)
		return s
	}
	require.True(t, waitUntil(t.Context(), func() bool {
		s := look()
		return len(s.Members) == 2 && len(s.Members[0].SeenBy) == 1 && len(s.Members[1].SeenBy) == 1
	}), "the nodes do not see each other")
	for i, m := range look().Members {
		require.Equal(t, servers[i].name, m.Name)
		require.Equal(t, reachable, m.Reachable)
		require.Positive(t, m.LeaseLeft)
		require.Empty(t, m.SilentFor)
		require.Equal(t, version, m.Report.Version)
		require.False(t, m.Report.Draining)
		require.InDelta(t, 0, m.Report.ClockAhead, 1, "one machine, one clock")
	}
	text, err := view(t, database, "status")
	require.NoError(t, err)
	require.Contains(t, text, "2 members\n")
	require.NotContains(t, text, "!", "nothing is wrong")

	bearer, err := bearerOf(t.Context(), servers[0].url, demo.People()[0].Email, demoPassword)
	require.NoError(t, err)
	var made struct {
		ID uuid.UUID `json:"id"`
	}
	me := &caller{t, bearer}
	me.call(servers[0], http.MethodPost, "discourse/conversations", map[string]any{"name": "A title that no operator sees"}, &made)
	db, err := pgxpool.New(t.Context(), database)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	at := func() whereabouts {
		t.Helper()
		text, err := view(t, database, "where", made.ID.String(), "--json")
		require.NoError(t, err, text)
		require.NotContains(t, text, "title")
		var w whereabouts
		require.NoError(t, json.Unmarshal([]byte(text), &w), text)
		return w
	}
	require.Equal(t, ownedByNobody, at().State)
	// The row says who the owner is (ADR 1), so the test writes the row.
	_, err = db.Exec(t.Context(), "UPDATE conversation SET node = (SELECT node FROM cluster_member WHERE name = 'two'), "+
		"claimed_at = clock_timestamp(), epoch = epoch + 1 WHERE id = $1", made.ID)
	require.NoError(t, err)
	w := at()
	require.Equal(t, ownedBy, w.State)
	require.Equal(t, "two", w.Name)
	require.Equal(t, look().Members[1].Address, w.Address)

	// A process that stands still keeps its row for as long as its lease, and its figures grow old.
	require.NoError(t, servers[1].cmd.Process.Signal(syscall.SIGSTOP))
	require.True(t, waitUntil(t.Context(), func() bool {
		s := look()
		return len(s.Members) == 2 && *s.Members[1].ReportAge >= 3 && s.Members[1].LeaseLeft < 4 && s.Members[1].Reachable == reachable
	}), "nothing shows that it stands still")
	// Then the other node ends its lease.
	require.True(t, waitUntil(t.Context(), func() bool { return len(look().Members) == 1 }), "it stays a member")
	w = at()
	require.Equal(t, ownerGone, w.State)
	require.True(t, strings.HasPrefix(w.Node, "two@"))
	servers[1].kill(t)
	require.Equal(t, "one", look().Members[0].Name)

	servers[0].kill(t)
	require.Equal(t, refusing, look().Members[0].Reachable, "it works without any node, and shows the last rows")
}

func TestStatus_Refuses(t *testing.T) {
	t.Parallel()
	_, err := view(t, "postgres://nobody@"+processtest.FreeAddress(t)+"/parley", "status")
	require.ErrorContains(t, err, "read the members from the database")
	_, err = view(t, "", "status")
	require.ErrorContains(t, err, "no node runs with the data folder")
	for _, args := range [][]string{{"where"}, {"where", "x"}, {"where", uuid.NewString(), "y"}, {"status", "--every", "0s"}} {
		_, err := view(t, "postgres://localhost/parley", args...)
		require.Error(t, err)
		require.Equal(t, exitUsage, (&program{stderr: &bytes.Buffer{}}).exit(err), args)
	}
	_, err = view(t, persistencetest.URL(t), "where", uuid.NewString())
	require.ErrorContains(t, err, "there is no conversation")
}
