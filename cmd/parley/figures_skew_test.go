package main

// The figure of the spread: how evenly conversations lie on the nodes after joins, leaves and restarts.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	// skewMost is how much more than the mean the fullest node may own, skewTime after a change.
	skewMost = 1.2
	skewTime = 40 * time.Second * slower
	// skewTalks is how many conversations live, each with a reader, as in open pages.
	skewTalks = 240
	// skewAsks is how many of them get a prompt after each change.
	skewAsks = 60
	// skewKinds is how many kinds of changes there are.
	skewKinds = 4
)

// TestFigures_Skew lets four nodes join, leave and restart in an order by chance, PARLEY_TEST_SKEW times, while people have
// conversations open and ask in some of them, and prints how evenly the nodes own them 40 s after each change (make chaos/figures).
//
//nolint:paralleltest // it uses the whole machine
func TestFigures_Skew(t *testing.T) {
	changes := setting(t, "PARLEY_TEST_SKEW", 0)
	if changes == 0 {
		t.Skip("make chaos/figures measures")
	}
	seed := uint64(setting(t, "PARLEY_TEST_SEED", rand.IntN(1_000_000)))
	random := rand.New(rand.NewPCG(seed, 0))
	b := newBedOf(t, bedding{direct: true, names: []string{"one", "two", "three", "four"}, env: []string{"PARLEY_SENDS_PER_MINUTE=100000"}})
	l := &load{world: newWorld(t, b)}
	life, over := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	t.Cleanup(readers.Wait)
	t.Cleanup(over)
	var talks []*talk
	for i := range skewTalks {
		k, err := l.newTalk(t.Context(), l.humans[i%len(l.humans)], l.humans[i%len(l.humans)])
		require.NoError(t, err)
		talks = append(talks, k)
		readers.Go(func() { k.own.follow(life) })
	}
	ask := func(talks []*talk) {
		for i, k := range talks {
			a := figureSend(t.Context(), l, k, l.serving(i), "tokens=5 rate=20")
			require.Contains(t, []int{http.StatusOK, http.StatusConflict}, a.status, "%s %v", a.body, a.err)
		}
	}
	ask(talks)
	worst := 0.0
	for n := range changes {
		// The first ones are one of each kind.
		kind := n
		if n >= skewKinds {
			kind = random.IntN(skewKinds)
		}
		what, err := l.change(t.Context(), random, kind)
		require.NoError(t, err, what)
		// Where a lost node's conversations go is decided when somebody asks for them.
		random.Shuffle(len(talks), func(i, j int) { talks[i], talks[j] = talks[j], talks[i] })
		ask(talks[:skewAsks])
		skew, owned := 0.0, ""
		within, cancel := context.WithTimeout(t.Context(), skewTime)
		began := time.Now()
		waitUntil(within, func() bool {
			skew, owned, err = l.skew(t.Context())
			return err == nil && skew <= skewMost
		})
		cancel()
		require.NoError(t, err)
		worst = max(worst, skew)
		t.Logf("skew     change %2d, %s: %.2f times the mean after %.1f s (%s)", n+1, what, skew, time.Since(began).Seconds(), owned)
		if skew > skewMost {
			t.Errorf("PARLEY_TEST_SEED=%d: after change %d (%s) the fullest node owned %.2f times the mean: %s", seed, n+1, what, skew, owned)
		}
	}
	t.Logf("skew     all    : %d changes, %d conversations, %.2f times the mean at most", changes, skewTalks, worst)
}

// serving is the number of a member that runs, from any number.
func (b *bed) serving(i int) int {
	for n := range b.members {
		at := (i + n) % len(b.members)
		m := b.members[at]
		m.mu.Lock()
		away := m.away
		m.mu.Unlock()
		if !away {
			return at
		}
	}
	return 0
}

// change lets one node leave (kind 0), join again (1), restart (2), or be killed and come back (3). Two always run.
func (b *bed) change(ctx context.Context, random *rand.Rand, kind int) (string, error) {
	var here, gone []*member
	for _, m := range b.members {
		m.mu.Lock()
		if m.away {
			gone = append(gone, m)
		} else {
			here = append(here, m)
		}
		m.mu.Unlock()
	}
	end := func(m *member, s syscall.Signal, code int) error {
		before := len(m.ends())
		if err := m.signal(s); err != nil {
			return err
		}
		return expectEnd(ctx, m, before, code)
	}
	m := here[random.IntN(len(here))]
	ready := func(m *member) bool { return waitUntil(ctx, func() bool { return readyAt(ctx, m.server.operator) }) }
	switch {
	case len(gone) > 0 && (kind == 1 || kind == 0 && len(here) == 2):
		m = gone[random.IntN(len(gone))]
		m.keepAway(false)
		return m.name + " joins", errOr(nil, ready(m))
	case kind < 2: // nobody is away who could join
		m.keepAway(true)
		return m.name + " leaves", end(m, syscall.SIGTERM, 0)
	case kind == 2:
		err := end(m, syscall.SIGTERM, 0)
		return m.name + " restarts", errOr(err, ready(m))
	default:
		err := end(m, syscall.SIGKILL, -1)
		return m.name + " is killed and comes back", errOr(err, ready(m))
	}
}

// errOr is an error, or that of a node that is not ready.
func errOr(err error, ready bool) error {
	if err == nil && !ready {
		return fmt.Errorf("it is not ready again")
	}
	return err
}

// skew is how much more than the mean the fullest node owns, with what each of those that run owns.
func (b *bed) skew(ctx context.Context) (float64, string, error) {
	var of []string
	var counts []int
	total := 0
	for _, m := range b.members {
		m.mu.Lock()
		away := m.away
		m.mu.Unlock()
		if away {
			continue
		}
		n := 0
		err := b.db.QueryRow(ctx, "SELECT count(*) FROM conversation c JOIN cluster_member k ON k.node = c.node WHERE k.name = $1 AND "+
			"k.expires_at > clock_timestamp() AND c.deleted_at IS NULL", m.name).Scan(&n)
		if err != nil {
			return 0, "", fmt.Errorf("count what %s owns: %w", m.name, err)
		}
		counts, total = append(counts, n), total+n
		of = append(of, fmt.Sprintf("%s %d", m.name, n))
	}
	if total < skewTalks/2 {
		return 0, "", fmt.Errorf("only %d conversations have an owner", total)
	}
	return float64(slices.Max(counts)) * float64(len(counts)) / float64(total), strings.Join(of, ", "), nil
}
