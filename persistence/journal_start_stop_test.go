package persistence_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/startstop/startstoptest"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// When any call of Stop returns, all waiting writes are answered and no more writes are
// accepted.
func TestJournal_StartStop(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	startstoptest.Stress(t, 30, func(tb testing.TB) startstoptest.Subject {
		tb.Helper()
		j := s.NewJournal(persistence.JournalConfig{})
		var started, answered atomic.Bool
		// Only the first of these writes has the next seq; the others get conflicts.
		j.Submit(o.write(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}}), func(domain.WriteResult) {
			answered.Store(true)
		})
		return startstoptest.Subject{
			Start: func() error {
				err := j.Start(context.Background())
				if err == nil {
					started.Store(true)
				}
				return err
			},
			Stop: func() error { j.Stop(); return nil },
			Ended: func(tb testing.TB) {
				tb.Helper()
				require.Equal(tb, started.Load(), answered.Load())
				requireCode(tb, domain.CodeUnavailable, (<-submit(j, &domain.Write{})).Err)
			},
		}
	})
}
