package main

// The figures of a node that is lost or leaves: how soon what it owned can be used again.

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// figureTalks is how many conversations are asked for when a node goes. A third of them is its own.
const figureTalks = 60

// TestFigures kills nodes, and lets nodes leave, PARLEY_TEST_FIGURES times each, and prints after which time a
// prompt to one of their conversations, sent at once to another node, is acknowledged (make chaos/figures). It
// checks only that each one is: times are compared by who reads them, on a machine that does nothing else.
//
//nolint:paralleltest // its times are those of a machine that does nothing else
func TestFigures(t *testing.T) {
	runs := setting(t, "PARLEY_TEST_FIGURES", 0)
	if runs == 0 {
		t.Skip("make chaos/figures measures")
	}
	w := newWorld(t, newBedOf(t, bedding{direct: true}))
	l := &load{world: w}
	var talks []*talk
	for i := range figureTalks {
		k, err := l.newTalk(t.Context(), w.humans[2*(i%3)], w.humans[2*(i%3)+1])
		require.NoError(t, err)
		talks = append(talks, k)
	}
	for place, how := range []struct {
		name string
		do   func(ctx context.Context, m *member) error
	}{
		{"kill -9", func(ctx context.Context, m *member) error { return kill(ctx, m, 5*time.Second) }},
		{"SIGTERM", func(ctx context.Context, m *member) error {
			before := len(m.ends())
			m.keepAway(true)
			defer m.keepAway(false)
			if err := m.signal(syscall.SIGTERM); err != nil {
				return err
			}
			return expectEnd(ctx, m, before, 0)
		}},
	} {
		var all []time.Duration
		for n := range runs {
			// One after the other, since the one that has just come back owns nothing.
			took := figureRun(t, l, talks, w.members[(place*runs+n)%len(w.members)], how.do)
			t.Logf("%-8s run %2d: %2d conversations, p50 %4d ms, p95 %4d ms, most %4d ms", how.name, n+1, len(took),
				took[len(took)/2].Milliseconds(), took[len(took)*95/100].Milliseconds(), took[len(took)-1].Milliseconds())
			all = append(all, took...)
		}
		slices.Sort(all)
		t.Logf("%-8s all    : %2d conversations, p50 %4d ms, p95 %4d ms, most %4d ms", how.name, len(all),
			all[len(all)/2].Milliseconds(), all[len(all)*95/100].Milliseconds(), all[len(all)-1].Milliseconds())
	}
}

// figureRun gives each conversation an owner, does something to one node, and returns, in order, how long after
// that each conversation which the node owned took a prompt.
func figureRun(t *testing.T, l *load, talks []*talk, m *member, do func(context.Context, *member) error) []time.Duration {
	t.Helper()
	ctx := t.Context()
	ended := func() bool {
		return waitUntil(ctx, func() bool {
			running := 1
			err := l.db.QueryRow(ctx, "SELECT count(*) FROM turn WHERE status = 'running'").Scan(&running)
			return err == nil && running == 0
		})
	}
	require.True(t, ended())
	for i, k := range talks {
		require.Equal(t, http.StatusOK, figureSend(ctx, l, k, i, figureAnswer).status)
	}
	require.True(t, ended(), "so no answer is harmed")
	var owned []*talk
	for _, k := range talks {
		name := ""
		require.NoError(t, l.db.QueryRow(ctx, "SELECT split_part(node, '@', 1) FROM conversation WHERE id = $1", k.id).Scan(&name))
		if name == m.name {
			owned = append(owned, k)
		}
	}
	require.NotEmpty(t, owned)
	at := slices.Index(l.members, m)
	began, result := time.Now(), make(chan error, 1)
	go func() { result <- do(ctx, m) }()
	took := make([]time.Duration, len(owned))
	var all sync.WaitGroup
	for i, k := range owned {
		all.Go(func() {
			// A client that has lost its node comes to one of the others.
			a := figureSend(ctx, l, k, at+1+i%2, figureAnswer)
			took[i] = time.Since(began)
			if a.status != http.StatusOK {
				t.Errorf("%d %s %v", a.status, a.body, a.err)
			}
		})
	}
	all.Wait()
	require.NoError(t, <-result)
	require.NoError(t, l.awaitReady(ctx))
	slices.Sort(took)
	return took
}

// figureAnswer is a short answer.
const figureAnswer = "tokens=3 rate=100"

// figureSend sends a prompt for an answer, and repeats it until there is a definite result.
func figureSend(ctx context.Context, l *load, k *talk, node int, answer string) answered {
	id := uuid.Must(uuid.NewV7())
	return l.call(ctx, k.owner, node, http.MethodPost, "discourse/user-text", map[string]any{
		"conversationId": k.id,
		"message": map[string]any{
			"id": id, "text": fmt.Sprintf("%s key=%s seed=7 %s", canary(k.owner.org), id, answer), "analystId": k.owner.agent,
		},
	})
}
