package main

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/clock"
	"parley.dev/parley/shared"
)

func TestAttempts_Count(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	setup := func(t *testing.T) attempts {
		t.Helper()
		space, err := shared.Open(t.Context(), shared.Config{Clock: now})
		require.NoError(t, err)
		t.Cleanup(space.Close)
		return attempts{rates: space.Rates, limit: 100}
	}

	t.Run("ErrTooManyForOnePerson", func(t *testing.T) {
		t.Parallel()
		a := setup(t)
		for i := range 100 {
			_, ok := a.Count(t.Context(), "ada", "10.0.0."+strconv.Itoa(i))
			require.True(t, ok)
		}
		wait, ok := a.Count(t.Context(), "ada", "10.0.1.1")
		require.False(t, ok)
		require.Positive(t, wait)
		_, ok = a.Count(t.Context(), "grace", "10.0.1.1")
		require.True(t, ok)
	})

	t.Run("ErrTooManyFromOneAddress", func(t *testing.T) {
		t.Parallel()
		a := setup(t)
		for i := range 100 {
			// One customer has 2^64 of these addresses, so they count as one.
			_, ok := a.Count(t.Context(), strconv.Itoa(i), "2001:db8::"+strconv.Itoa(i))
			require.True(t, ok)
		}
		_, ok := a.Count(t.Context(), "ada", "2001:db8::ffff")
		require.False(t, ok)
		_, ok = a.Count(t.Context(), "ada", "2001:db8:1::1")
		require.True(t, ok)
	})
}
