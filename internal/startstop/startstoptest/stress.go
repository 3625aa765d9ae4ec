// Package startstoptest tests the contract of package startstop on types that promise it.
package startstoptest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/startstop"
)

// patience is the time limit of every wait; a test that passes never waits so long.
const patience = time.Minute

// Subject is a value that can be started and stopped, with the methods that do it.
type Subject struct {
	// Start is nil for a value that runs as soon as it is made. Then only the part of the
	// contract that is about Stop is tested.
	Start, Stop func() error
	// Ended checks that nothing runs any more; nil if that cannot be observed from outside.
	Ended func(testing.TB)
}

// stops is the number of concurrent calls of Stop.
const stops = 4

// Stress tests the contract, each time on a new subject, which fresh makes. rounds is how
// often concurrent starts and stops are tried: at least some tens if they are fast.
func Stress(t *testing.T, rounds int, fresh func(testing.TB) Subject) {
	t.Helper()
	t.Run("OKStopWithoutStart", func(t *testing.T) {
		s := fresh(t)
		s.stop(t)
		if s.Start != nil {
			require.ErrorIs(t, s.Start(), startstop.ErrStopped)
		}
		s.ended(t)
	})
	t.Run("OKTwice", func(t *testing.T) {
		s := fresh(t)
		if s.Start != nil {
			require.NoError(t, s.Start())
			require.NoError(t, s.Start())
		}
		s.stop(t)
		s.stop(t)
		if s.Start != nil {
			require.ErrorIs(t, s.Start(), startstop.ErrStopped)
		}
		s.ended(t)
	})
	t.Run("OKStopsAtOnce", func(t *testing.T) {
		for range rounds {
			s := fresh(t)
			if s.Start != nil {
				require.NoError(t, s.Start())
			}
			returned := make(chan struct{}, stops)
			for range stops {
				go func() {
					s.stop(t)
					returned <- struct{}{}
				}()
			}
			<-returned
			s.ended(t) // when any of the calls returns, everything must have ended
			for range stops - 1 {
				<-returned
			}
		}
	})
	t.Run("OKAtOnce", func(t *testing.T) {
		for range rounds {
			s := fresh(t)
			var calls sync.WaitGroup
			for range stops {
				if s.Start != nil {
					calls.Go(func() {
						if err := s.Start(); err != nil && !errors.Is(err, startstop.ErrStopped) {
							t.Errorf("start: %v", err)
						}
					})
				}
				calls.Go(func() { s.stop(t) })
			}
			calls.Wait()
			s.ended(t)
		}
	})
}

// stop fails the test if Stop hangs or fails.
func (s *Subject) stop(t *testing.T) {
	t.Helper()
	stopped := make(chan error, 1)
	go func() { stopped <- s.Stop() }()
	select {
	case err := <-stopped:
		if err != nil {
			t.Errorf("stop: %v", err)
		}
	case <-time.After(patience):
		t.Error("the stop hangs")
	}
}

func (s *Subject) ended(t *testing.T) {
	t.Helper()
	if s.Ended != nil {
		s.Ended(t)
	}
}
