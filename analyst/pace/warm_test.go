package pace_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/pace"
)

// readOver stands for a reading that came after the end.
const readOver = 99

// attentive is a walk that notes what was read of it before its step.
type attentive struct {
	step  func()
	parts []int // written by Warm and read by Step without a lock: the race detector sees both at once
	ended bool
}

func (a *attentive) Warm(part int) int {
	a.parts = append(a.parts, part)
	if a.ended {
		a.parts = append(a.parts, readOver)
	}
	return part
}

func (a *attentive) Step() (time.Time, bool) {
	a.step()
	a.ended = true
	return time.Time{}, false
}

func TestWheel_Warm(t *testing.T) {
	t.Parallel()
	c, w := setup(1)
	const walks = 20
	at := c.Now().Add(tick)
	row := make([]*attentive, walks)
	var all sync.WaitGroup
	for i := range row {
		row[i] = &attentive{step: func() {}}
	}
	// One in the middle is called off by the first step, while it stands in the row.
	off, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := make(chan struct{})
	var once sync.Once
	for i, a := range row {
		if i == walks/2 {
			all.Go(func() {
				require.Error(t, w.Walk(off, at, a))
				a.ended = true
				close(gone)
			})
		} else {
			a.step = func() {
				once.Do(func() {
					cancel()
					<-gone
				})
			}
			all.Go(func() { require.NoError(t, w.Walk(t.Context(), at, a)) })
		}
		require.Eventually(t, func() bool { return w.Waiting() == i+1 }, time.Minute, 100*time.Microsecond)
	}
	c.Advance(tick)
	all.Wait()
	whole := 0
	for _, a := range row {
		require.NotContains(t, a.parts, readOver, "nothing is read of a walk that is over")
		require.IsIncreasing(t, append([]int{-1}, a.parts...), "each part follows those that it stands on")
		if len(a.parts) == pace.WarmParts {
			whole++
		}
	}
	require.Positive(t, whole, "all parts, of those in the middle of the row")
}
