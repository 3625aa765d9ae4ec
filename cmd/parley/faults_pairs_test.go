package main

// Two faults at the same time. What a row promises in seconds holds for one fault; what must hold for two is everything
// that the checker knows: nothing is lost, shown twice or shown to others, every turn ends, and afterwards all is well.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// overlapAfter is the longest time from the beginning of one fault of a pair to that of the other.
const overlapAfter = 2 * time.Second

// pairsOfFaults are the beginnings of the names of faults that can overlap. The first one begins, and lasts until the
// other one has begun. Faults that set the rules of the same proxy, or end the same process in two ways, are no pair.
func pairsOfFaults() [][2]string {
	return [][2]string{
		{"F15", "F06 SIGSTOP of the owner for 10 s"},
		{"F22", "F01"},
		{"F18", "F04"},
		{"F14", "F27"},
		{"F01", "F20"},
		{"F26", "F13"},
		{"F06 SIGSTOP of the owner for 10 s", "F19"},
		{"F28", "F14"},
		{"F13", "F25"},
		{"F07", "F20"},
		{"F18", "F01"},
		{"F26", "F04"},
		{"F22", "F06 SIGSTOP of the owner for 10 s"},
		{"F16", "F27"},
		{"F28", "F50"},
		{"F01", "F52"},
	}
}

// overlapped is a fault that does two at the same time.
func overlapped(first, second *fault) *fault {
	return &fault{
		name: first.name + ", and " + second.name, most: first.most + second.most, leave: true,
		do: func(ctx context.Context, l *load, random *rand.Rand) error {
			l.overlapped = true
			one, other := rand.New(rand.NewPCG(random.Uint64(), 1)), rand.New(rand.NewPCG(random.Uint64(), 2))
			after := time.Duration(random.Int64N(int64(overlapAfter)))
			var both sync.WaitGroup
			var failed [2]error
			var firstOver, secondBegan int64
			both.Go(func() {
				failed[0] = first.do(ctx, l, one)
				firstOver = l.now()
			})
			both.Go(func() {
				wait(ctx, after)
				secondBegan = l.now()
				failed[1] = second.do(ctx, l, other)
			})
			both.Wait()
			err := errors.Join(failed[0], failed[1])
			if firstOver < secondBegan {
				err = errors.Join(err, fmt.Errorf("the faults did not overlap: one was over %.1f s before the other began",
					float64(secondBegan-firstOver)/1e9))
			}
			return err
		},
	}
}

// TestFaults_Pairs does PARLEY_TEST_PAIRS pairs of faults, in an order that the seed chooses, and prints a table (make
// chaos/pairs). PARLEY_TEST_FAULTS is a pattern of the names of the pairs to do.
//
//nolint:paralleltest // its times are those of a machine that does nothing else
func TestFaults_Pairs(t *testing.T) {
	many := setting(t, "PARLEY_TEST_PAIRS", 0)
	if many == 0 {
		t.Skip("make chaos/pairs lets faults overlap")
	}
	seed := uint64(setting(t, "PARLEY_TEST_SEED", rand.IntN(1_000_000)))
	t.Logf("PARLEY_TEST_SEED=%d", seed)
	pairs := pairsOf(t, faults(), regexp.MustCompile(os.Getenv("PARLEY_TEST_FAULTS")))
	require.NotEmpty(t, pairs)
	r := newResults(t)
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(pairs))
	for n := range many {
		// When all were done, they are done again with another seed.
		r.do(pairs[order[n%len(pairs)]], seed+uint64(n/len(pairs)), 1)
	}
	t.Log(r.table.String())
}

// pairsOf makes the faults that do two, of those whose names fit.
func pairsOf(t *testing.T, all []*fault, only *regexp.Regexp) (pairs []*fault) {
	t.Helper()
	named := func(beginning string) *fault {
		var found []*fault
		for _, f := range all {
			if strings.HasPrefix(f.name, beginning) {
				found = append(found, f)
			}
		}
		require.Len(t, found, 1, beginning)
		require.Nil(t, found[0].bed, "%s needs a bed of its own", beginning)
		return found[0]
	}
	for _, p := range pairsOfFaults() {
		if f := overlapped(named(p[0]), named(p[1])); only.MatchString(f.name) {
			pairs = append(pairs, f)
		}
	}
	return pairs
}

// TestPairsOfFaults checks that each pair is of two faults that exist.
func TestPairsOfFaults(t *testing.T) {
	t.Parallel()
	require.Len(t, pairsOf(t, faults(), regexp.MustCompile("")), len(pairsOfFaults()))
}
