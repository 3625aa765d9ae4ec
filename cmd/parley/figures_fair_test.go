package main

// The figure of fairness: an organisation or a person floods three nodes, and another one asks as before.

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	// fairSlots is how many answers each node makes at the same time, and fairFlood how many prompts the
	// organisation that floods sends at once: 17 times what three nodes can begin.
	fairSlots, fairFlood = 16, 800
	// fairTalks is how many conversations of the other organisation ask, one answer after the other, which is
	// a twelfth of the slots, and fairRounds how many answers each of them gets.
	fairTalks, fairRounds = 4, 6
	// fairAnswer is an answer of two seconds.
	fairAnswer = "tokens=40 rate=20"
	// fairMost is how much longer the answers of the other organisation may take.
	fairMost = 1.2
)

// TestFigures_Fair lets a person ask, first alone and then while another organisation, or another person of the same one, floods
// all nodes, and compares how long the answers take, from the prompt to the end, by the clients' clock (make chaos/figures).
//
//nolint:paralleltest // its times are those of a machine that does nothing else
func TestFigures_Fair(t *testing.T) {
	runs := setting(t, "PARLEY_TEST_FAIR", 0)
	if runs == 0 {
		t.Skip("make chaos/figures measures")
	}
	b := newBedOf(t, bedding{direct: true, env: []string{
		"PARLEY_TURNS=" + strconv.Itoa(fairSlots), "PARLEY_SENDS_PER_MINUTE=100000",
	}})
	l := &load{world: newWorld(t, b)}
	asks, colleague, stranger := l.humans[0], l.humans[1], l.humans[len(l.humans)-1]
	require.Equal(t, asks.org, colleague.org)
	require.NotEqual(t, asks.org, stranger.org)
	talks := fairTalksOf(t, l, asks, fairTalks)
	for n := range 2 * runs {
		floods, who := stranger, "another organisation"
		if n%2 == 1 {
			floods, who = colleague, "another person of the organisation"
		}
		alone := fairAsk(t, l, talks)
		flood := fairTalksOf(t, l, floods, fairFlood)
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				for at := i; at < len(flood); at += 16 {
					a := figureSend(t.Context(), l, flood[at], at, fairAnswer)
					if a.status != http.StatusOK {
						t.Errorf("the flood: %d %s %v", a.status, a.body, a.err)
					}
				}
			})
		}
		all.Wait()
		meanwhile := fairAsk(t, l, talks)
		left := 0
		require.NoError(t, l.db.QueryRow(t.Context(), "SELECT count(*) FROM turn WHERE status = 'running'").Scan(&left))
		require.Greater(t, left, 3*fairSlots, "the flood was over before the others had asked")
		t.Logf("fair     run %2d: alone mean %.2f s, most %.2f s; beside %d prompts of %s mean %.2f s, most %.2f s: %.2f times",
			n/2+1, mean(alone).Seconds(), slices.Max(alone).Seconds(), fairFlood, who, mean(meanwhile).Seconds(), slices.Max(meanwhile).Seconds(),
			float64(mean(meanwhile))/float64(mean(alone)))
		require.LessOrEqual(t, float64(mean(meanwhile)), fairMost*float64(mean(alone)))
		for i, k := range flood {
			a := l.call(t.Context(), k.owner, i, http.MethodDelete, "discourse/conversations/"+k.id.String(), nil)
			require.Equal(t, http.StatusNoContent, a.status)
		}
		require.True(t, waitUntil(t.Context(), func() bool {
			return l.db.QueryRow(t.Context(), "SELECT count(*) FROM turn WHERE status = 'running'").Scan(&left) == nil && left == 0
		}))
	}
}

func fairTalksOf(t *testing.T, l *load, h *human, n int) []*talk {
	t.Helper()
	var talks []*talk
	for range n {
		k, err := l.newTalk(t.Context(), h, h)
		require.NoError(t, err)
		talks = append(talks, k)
	}
	return talks
}

// fairAsk asks in each conversation, again when the answer has ended, and returns how long each answer took.
func fairAsk(t *testing.T, l *load, talks []*talk) []time.Duration {
	t.Helper()
	ctx := t.Context()
	took := make([]time.Duration, len(talks)*fairRounds)
	var all sync.WaitGroup
	for i, k := range talks {
		all.Go(func() {
			for n := range fairRounds {
				began := time.Now()
				if a := figureSend(ctx, l, k, i+n, fairAnswer); a.status != http.StatusOK {
					t.Errorf("%d %s %v", a.status, a.body, a.err)
					return
				}
				var ended *time.Time
				if !waitUntil(ctx, func() bool {
					return l.db.QueryRow(ctx, "SELECT ended_at FROM turn WHERE conversation_id = $1 ORDER BY started_at DESC LIMIT 1", k.id).
						Scan(&ended) == nil && ended != nil
				}) {
					t.Error("an answer has not ended")
					return
				}
				took[i*fairRounds+n] = ended.Sub(began)
			}
		})
	}
	all.Wait()
	return took
}

func mean(all []time.Duration) time.Duration {
	var sum time.Duration
	for _, d := range all {
		sum += d
	}
	return sum / time.Duration(len(all))
}
