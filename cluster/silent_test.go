package cluster

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/nodetest"
)

// patience bounds every wait of these tests; no test waits until it is over.
const patience = time.Minute

// lines keeps the messages of a log. Its lock guards them.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }
func (l *lines) WithAttrs([]slog.Attr) slog.Handler               { return l }
func (l *lines) WithGroup(string) slog.Handler                    { return l }

func (l *lines) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, r.Level.String()+" "+r.Message)
	return nil
}

func (l *lines) has(line string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, x := range l.all {
		if x == line {
			n++
		}
	}
	return n
}

// looks makes nodes read the members a number of times, and waits for the answers of the others.
func looks(t *testing.T, times int, nodes ...*Node) {
	t.Helper()
	for range times {
		for _, n := range nodes {
			require.NoError(t, n.membership.refresh(t.Context()))
		}
		for _, n := range nodes {
			n.membership.reach.wait()
		}
	}
}

// TestNodes_Silent cuts the network between nodes that all keep their leases.
func TestNodes_Silent(t *testing.T) { // F13, F16
	t.Parallel()
	for name, cut := range map[string]func(*nodetest.Network){
		"BothWays":  func(n *nodetest.Network) { n.Apart("a", "b") },
		"OneWay":    func(n *nodetest.Network) { n.Cut("a", "b") },
		"TheOther":  func(n *nodetest.Network) { n.Cut("b", "a") },
		"NoAnswers": func(n *nodetest.Network) { n.Hold("b", "a") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, log := newWorld(t), &lines{}
			a := w.start(t, "a", func(c *Config) { c.Logger = slog.New(log) })
			b, c := w.start(t, "b"), w.start(t, "c")
			meet(t, a, b, c)
			w.setHome("there", b.ID())
			require.Equal(t, b.ID(), where(t, a, "there"))
			a.Forget("thing", "there")

			cut(w.network)
			looks(t, silentAfter, a, c)
			require.Equal(t, []string{"b"}, a.SilentNames())
			require.Empty(t, c.SilentNames(), "one pair is cut")
			all := []string{a.ID(), b.ID(), c.ID()}
			for n, silent := range map[*Node][]string{a: {b.ID()}, c: {}} {
				n.membership.writeReport(t.Context())
				report := w.report(n.ID())
				require.ElementsMatch(t, all, report.Members)
				require.Equal(t, silent, report.Silent)
				require.False(t, report.Draining)
			}
			const line = "WARN a node that lives does not answer: is the network between the nodes cut?"
			looks(t, 1, a)
			require.Equal(t, 1, log.has(line), "once, and not with each check")
			lapses, answers := a.Answers(b.system.Address())
			require.EqualValues(t, silentAfter+1, lapses)
			require.False(t, answers)

			pid, silent := a.Locate("thing", "there")
			require.Nil(t, pid, "the owner of a living node is not taken over")
			require.True(t, silent)
			_, _, silences := a.Placements()
			require.Positive(t, silences)
			before, _, _ := c.Placements()
			require.Equal(t, b.ID(), where(t, c, "there"))
			named, refusals, silences := c.Placements()
			require.Equal(t, before+1, named)
			require.Zero(t, refusals+silences)
			// An identity without an owner is placed at once on a member that answers.
			owners := map[string]bool{}
			for _, id := range identities() {
				owners[where(t, a, id)] = true
			}
			require.Equal(t, map[string]bool{a.ID(): true, c.ID(): true}, owners)

			w.network.Together("a", "b")
			looks(t, 1, a)
			require.Empty(t, a.SilentNames())
			require.Equal(t, 1, log.has("INFO a node answers again"))
			lapses, answers = a.Answers(b.system.Address())
			require.EqualValues(t, silentAfter+1, lapses, "a request that was sent before can see it")
			require.True(t, answers)
			require.Equal(t, b.ID(), where(t, a, "there"))
		})
	}
}

// Before a node is known to be silent, two requests without an answer are enough.
func TestNodes_SilentAtTheFirstQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.start(t, "a"), w.start(t, "b")
	meet(t, a, b)
	theirs := slices.IndexFunc(identities(), func(id string) bool {
		m, _ := owner(a.Members(), "thing", id)
		return m.Node == b.ID()
	})
	w.network.Apart("a", "b")
	pid, silent := a.Locate("thing", identities()[theirs])
	require.False(t, silent)
	require.Equal(t, a.system.Address(), pid.Address)
}

// A node does not wait for a member that has left, and keeps nothing of it.
func TestNodes_SilentAndGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.start(t, "a"), w.start(t, "b")
	meet(t, a, b)
	w.network.Apart("a", "b")
	looks(t, silentAfter, a)
	require.Equal(t, []string{"b"}, a.SilentNames())
	require.NoError(t, b.Stop())
	looks(t, 1, a)
	require.Empty(t, a.SilentNames())
	require.Empty(t, a.membership.reach.missed)
	require.Empty(t, a.membership.reach.lapses)
}

// A node takes over an identity, when asked, from a member that is alive but does not answer.
func TestNodes_Take(t *testing.T) { // F13
	t.Parallel()
	w, log := newWorld(t), &lines{}
	a := w.start(t, "a", func(c *Config) { c.Logger = slog.New(log) })
	b, c := w.start(t, "b"), w.start(t, "c")
	meet(t, a, b, c)
	w.setHome("there", b.ID())
	w.setHome("elsewhere", c.ID())
	w.setHome("dead", "d@1")
	w.network.Apart("a", "b")
	require.False(t, a.Take("thing", "there"), "the node does not know yet that the member does not answer")
	looks(t, silentAfter, a, c)
	require.False(t, c.Take("thing", "there"), "the member answers this node")
	require.False(t, a.Take("thing", "elsewhere"), "its node answers")
	require.False(t, a.Take("thing", "dead"), "the next node owns it")
	require.False(t, a.Take("thing", "nobody's"))
	a.Drain()
	require.False(t, a.Take("thing", "there"))
	a.placement.draining.Store(false)
	require.True(t, a.Take("thing", "there"))
	require.True(t, a.Take("thing", "there"), "twice at once")
	require.Equal(t, a.ID(), where(t, a, "there"))
	require.Equal(t, 1, log.has("WARN taken over from a node that lives and does not answer"))
	require.Equal(t, b.ID(), where(t, c, "there"), "the row names the owner, and the claim writes the row")
}
