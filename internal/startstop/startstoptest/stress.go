// Package startstoptest tries the contract of package startstop on what promises it.
package startstoptest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/startstop"
)

// patience bounds every wait; nothing waits for it to pass.
const patience = time.Minute

// Subject is something that can be started and stopped, as its own methods do it.
type Subject struct {
	// Start is nil for what runs from its making on. Then the half of the contract that
	// is about Stop is tried.
	Start, Stop func() error
	// Ended checks that nothing runs any more; nil where that cannot be seen from outside.
	Ended func(testing.TB)
}

// stops is how many calls of Stop meet at once.
const stops = 4

// Stress runs the contract on subjects of which each is made for one try. Rounds is
// how often starts and stops meet at once: some tens where they are quick.
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
			s.ended(t) // when the first of them returns, whichever that is
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

// stop fails the test where a stop hangs or fails.
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
