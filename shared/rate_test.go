package shared_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestRates_Count(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		// An hour has slices of three minutes: the real time that passes meanwhile is shorter.
		hour := domain.Window{Key: "send/1", Most: 4, Per: time.Hour}
		one, two := b.nodes[0].Rates, b.nodes[1].Rates
		for i := range 4 {
			_, ok := []*counter{of(one), of(two)}[i%2].count(t, hour)
			require.True(t, ok, "both nodes together admit one limit")
			b.advance(5 * time.Minute)
		}
		wait, ok := of(two).count(t, hour)
		require.False(t, ok)
		require.Positive(t, wait)
		require.LessOrEqual(t, wait, time.Hour)
		_, ok = of(one).count(t, domain.Window{Key: "send/2", Most: 4, Per: time.Hour})
		require.True(t, ok, "another person is not affected")

		b.advance(wait - 2*time.Minute)
		_, ok = of(one).count(t, hour)
		require.False(t, ok, "not before the wait that was returned is over")
		b.advance(2 * time.Minute)
		_, ok = of(one).count(t, hour)
		require.True(t, ok, "when the wait that was returned is over")
		b.advance(2 * time.Hour)
		for range 4 {
			_, ok = of(two).count(t, hour)
			require.True(t, ok, "a window that has passed counts nothing")
		}
	})
}

func TestRates_SeveralWindows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		person := domain.Window{Key: "person", Most: 100, Per: time.Minute}
		address := domain.Window{Key: "address", Most: 1, Per: time.Hour}
		rates := of(b.nodes[0].Rates)
		_, ok := rates.count(t, person, address)
		require.True(t, ok)
		for range 200 {
			wait, ok := rates.count(t, person, address)
			require.False(t, ok)
			require.Greater(t, wait, time.Minute, "the longest wait of all windows")
		}
		for range 99 {
			_, ok = rates.count(t, person)
			require.True(t, ok, "a refused request counts in no window")
		}
		_, ok = rates.count(t, person)
		require.False(t, ok)
	})
}

// counter counts with the context of a test.
type counter struct{ rates domain.RateCounter }

func of(r domain.RateCounter) *counter { return &counter{r} }

func (c *counter) count(t *testing.T, windows ...domain.Window) (time.Duration, bool) {
	t.Helper()
	return c.rates.Count(t.Context(), windows...)
}
