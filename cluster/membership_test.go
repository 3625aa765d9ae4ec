package cluster

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// TestMembership_Renew drives the lease with a clock of its own: what counts is
// this node's monotonic time since the last renewal that went through.
func TestMembership_Renew(t *testing.T) {
	t.Parallel()

	setup := func(t *testing.T) (*membership, *table, *clock.Fake, *[]string) {
		t.Helper()
		s, c := newTable(), clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		var reasons []string
		m := newMembership(&Config{
			Members: s, Clock: c, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: defaultLease,
			OnFenced: func(r string) { reasons = append(reasons, r) },
		}, domain.Member{Node: "a@1", Name: "a"})
		return m, s, c, &reasons
	}

	t.Run("FailingRenewalsLoseTrustAtFourAndTheNodeAtSixSeconds", func(t *testing.T) {
		t.Parallel()
		m, s, c, reasons := setup(t)
		s.failRenewals(errors.New("no answer"))
		require.True(t, m.trusted())
		c.Advance(4*time.Second - time.Millisecond)
		require.True(t, m.renew())
		require.True(t, m.trusted())
		c.Advance(time.Millisecond)
		require.False(t, m.trusted(), "at four seconds no more calls")
		c.Advance(2*time.Second - time.Millisecond)
		require.True(t, m.renew())
		require.Empty(t, *reasons)
		c.Advance(time.Millisecond)
		require.False(t, m.renew(), "at six seconds it is over")
		require.Equal(t, []string{"the lease ran out"}, *reasons)
	})

	t.Run("RenewsEveryTwoSecondsAndLooksEverySecond", func(t *testing.T) {
		t.Parallel()
		m, _, c, _ := setup(t)
		require.Equal(t, time.Second, m.nextDelay())
		c.Advance(time.Second)
		require.Equal(t, time.Second, m.nextDelay())
		c.Advance(700 * time.Millisecond)
		require.Equal(t, 300*time.Millisecond, m.nextDelay(), "a look that took long delays no renewal")
		c.Advance(2 * time.Second)
		require.Equal(t, 250*time.Millisecond, m.nextDelay(), "while renewals fail")
	})

	t.Run("GivesNothingNewToALeaseThatHasEnded", func(t *testing.T) {
		t.Parallel()
		m, _, c, _ := setup(t)
		a, b := domain.Member{Node: "a@1", Left: defaultLease}, domain.Member{Node: "b@1", Left: time.Second}
		m.seen.Store(&sight{members: []domain.Member{a, b}})
		require.Equal(t, []domain.Member{a, b}, m.present())
		c.Advance(time.Second)
		require.Equal(t, []domain.Member{a}, m.present())
		_, known := m.member("b@1")
		require.True(t, known, "whether an owner lives is for the row to say")
	})

	t.Run("DeclaredDeadExitsAtOnce", func(t *testing.T) {
		t.Parallel()
		m, _, _, reasons := setup(t)
		require.False(t, m.renew())
		require.Equal(t, []string{"the cluster has declared this node dead"}, *reasons)
	})
}
