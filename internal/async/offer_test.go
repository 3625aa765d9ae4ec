package async_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/async"
)

func TestOffer(t *testing.T) {
	t.Parallel()
	setup := func() (*async.Offer[int, string], *[]int) {
		asked := new([]int)
		return async.NewOffer(func(n int) string {
			*asked = append(*asked, n)
			return string(rune('a' + n))
		}), asked
	}

	t.Run("IsTakenOnce", func(t *testing.T) {
		t.Parallel()
		o, asked := setup()
		require.Empty(t, o.Take(), "not open yet")
		o.Open(1)
		require.Equal(t, "b", o.Take())
		require.Empty(t, o.Take())
		taken, was := o.Withdraw()
		require.True(t, was)
		require.Equal(t, "b", taken)
		require.Equal(t, []int{1}, *asked)
	})

	t.Run("IsNotTakenAfterItWasWithdrawn", func(t *testing.T) {
		t.Parallel()
		o, asked := setup()
		o.Open(1)
		taken, was := o.Withdraw()
		require.True(t, was)
		require.Empty(t, taken)
		require.Empty(t, o.Take())
		_, was = o.Withdraw()
		require.False(t, was)
		require.Empty(t, *asked)
	})

	t.Run("OpensAgainForSomethingElse", func(t *testing.T) {
		t.Parallel()
		o, asked := setup()
		o.Open(1)
		o.Take()
		o.Withdraw()
		o.Open(2)
		require.Equal(t, "c", o.Take())
		taken, _ := o.Withdraw()
		require.Equal(t, "c", taken)
		require.Equal(t, []int{1, 2}, *asked)
	})
}
