package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestCluster_Usage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		code int
	}{
		"ErrNothing":     {[]string{"cluster"}, exitUsage},
		"ErrUnknown":     {[]string{"cluster", "dance"}, exitUsage},
		"ErrNoNode":      {[]string{"cluster", "drain"}, exitUsage},
		"ErrNoNodeWait":  {[]string{"cluster", "drain", "--wait"}, exitUsage},
		"ErrTwoNodes":    {[]string{"cluster", "drain", "a", "b"}, exitUsage},
		"ErrUnknownFlag": {[]string{"cluster", "drain", "a", "--fast"}, exitUsage},
		"OKHelp":         {[]string{"cluster", "--help"}, 0},
		"OKHelpOfDrain":  {[]string{"cluster", "drain", "-h"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			p := &program{stdout: &out, stderr: &out, getenv: env(map[string]string{"DATABASE_URL": "postgres://localhost/parley"})}
			require.Equal(t, c.code, p.exit(p.main(t.Context(), c.args)))
			if name != "ErrTwoNodes" && name != "ErrNoNode" && name != "ErrNoNodeWait" {
				require.Contains(t, out.String(), "usage: parley cluster drain <node> [--wait]")
			}
		})
	}
}

// rows is a membership table that changes with each look.
type rows struct {
	domain.ClusterReader
	looks [][]domain.MemberStatus // the last one stays
	asked []string
	gone  bool
}

func (r *rows) MemberStatuses(context.Context) ([]domain.MemberStatus, error) {
	now := r.looks[0]
	if len(r.looks) > 1 {
		r.looks = r.looks[1:]
	}
	return now, nil
}

func (r *rows) AskToDrain(_ context.Context, node string) (bool, error) {
	r.asked = append(r.asked, node)
	return !r.gone, nil
}

func TestCluster_Drain(t *testing.T) {
	t.Parallel()
	const well = 5 * time.Second
	serving := reporting("a", well, 0, &domain.NodeReport{Running: 3})
	draining := reporting("a", well, 0, &domain.NodeReport{Draining: true, Running: 2})
	last := reporting("a", well, 0, &domain.NodeReport{Draining: true, Running: 1})
	dying := reporting("a", 2*time.Second, 0, &domain.NodeReport{Draining: true})
	other := reporting("b", well, 0, &domain.NodeReport{})
	asked := serving
	asked.DrainAsked = true
	ended := reporting("a", -time.Second, 0, nil)
	old := reporting("a", well, 0, nil)
	with := func(m domain.MemberStatus) []domain.MemberStatus { return []domain.MemberStatus{m, other} }
	without := []domain.MemberStatus{other}
	for name, c := range map[string]struct {
		node string
		wait bool
		rows rows
		out  string // what is printed, or the error
		asks bool
	}{
		"OK": {"a", false, rows{looks: [][]domain.MemberStatus{with(serving), with(asked), with(draining)}}, "a@1 is asked to drain\n" +
			"a@1 drains, 2 answers are running\n", true},
		"OKOneProcess": {"a@1", false, rows{looks: [][]domain.MemberStatus{with(serving), with(draining)}}, "a@1 is asked to drain\n" +
			"a@1 drains, 2 answers are running\n", true},
		"OKWait": {
			"a", true,
			rows{looks: [][]domain.MemberStatus{with(serving), with(draining), with(draining), with(last), without}},
			"a@1 is asked to drain\na@1 drains, 2 answers are running\na@1 drains, 1 answer is running\na@1 has left the cluster\n", true,
		},
		"OKItLeavesAtOnce": {"a", true, rows{looks: [][]domain.MemberStatus{with(serving), without}}, "a@1 is asked to drain\n" +
			"a@1 has left the cluster\n", true},
		"OKWaitForTheFirstRequest": {
			"a", true,
			rows{looks: [][]domain.MemberStatus{with(draining), with(draining), without}},
			"a@1 drains already\na@1 is asked to drain\na@1 drains, 2 answers are running\na@1 has left the cluster\n", true,
		},
		"ErrUnknown": {
			"x", false,
			rows{looks: [][]domain.MemberStatus{with(serving)}},
			"there is no node x in the cluster: it has left, or the name is wrong; the members are a, b", false,
		},
		"ErrNoMembers": {"x", false, rows{looks: [][]domain.MemberStatus{{}}}, "there is no node x: the cluster has no members", false},
		"ErrItHasLeft": {
			"a@0", false,
			rows{looks: [][]domain.MemberStatus{with(serving)}},
			"a@0 has left the cluster; the process of that name is a@1 now", false,
		},
		"ErrItJustLeft": {"a", false, rows{gone: true, looks: [][]domain.MemberStatus{with(serving)}}, "a@1 has just left the cluster", true},
		"ErrLeaseOver":  {"a", false, rows{looks: [][]domain.MemberStatus{{ended}}}, "the lease of a@1 ended 1.0 s ago", false},
		"ErrAlready": {
			"a", false,
			rows{looks: [][]domain.MemberStatus{with(draining)}},
			"a@1 drains already, 2 answers are running: --wait waits", false,
		},
		"ErrAskedAlready": {
			"a", false,
			rows{looks: [][]domain.MemberStatus{with(asked)}},
			"a@1 drains already, 3 answers are running: --wait waits", false,
		},
		"ErrItDoesNotBegin": {
			"a", true,
			rows{looks: [][]domain.MemberStatus{with(old)}},
			"a@1 has not begun to drain within 0 s: it hangs, or runs a release that does not know this request", true,
		},
		"ErrLost": {
			"a", true,
			rows{looks: [][]domain.MemberStatus{with(serving), with(draining), with(dying), without}},
			"a@1 was lost while it drained: its lease had 2.0 s left", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			d := drainer{reader: &c.rows, operator: &c.rows, out: &out, begin: time.Minute, look: time.Millisecond}
			if name == "ErrItDoesNotBegin" {
				d.begin = 20 * time.Millisecond
			}
			err := d.drain(t.Context(), c.node, c.wait)
			if strings.HasPrefix(name, "OK") {
				require.NoError(t, err)
				require.Equal(t, c.out, out.String())
			} else {
				require.ErrorContains(t, err, c.out)
			}
			require.Equal(t, c.asks, len(c.rows.asked) == 1)
			if c.asks {
				require.Equal(t, []string{"a@1"}, c.rows.asked)
			}
		})
	}
	t.Run("ErrWhenItsCallerGivesUp", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		var out bytes.Buffer
		table := &rows{looks: [][]domain.MemberStatus{with(serving), with(draining)}}
		d := drainer{reader: table, operator: table, out: &out, begin: time.Minute, look: time.Millisecond}
		time.AfterFunc(20*time.Millisecond, cancel)
		require.ErrorContains(t, d.drain(ctx, "a", true), "a@1 was asked to drain and goes on with it")
	})
}
