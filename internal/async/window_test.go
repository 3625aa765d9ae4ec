package async_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

func TestWindow_Take(t *testing.T) {
	t.Parallel()
	setup := func(t *testing.T) (put func(int), take func(again bool) []int, told *int) {
		t.Helper()
		told = new(int)
		w := async.NewWindow[int](100, clock.System{}, func() { *told++ })
		return func(n int) { require.NoError(t, w.Put(t.Context(), n, 1)) }, w.Take, told
	}

	t.Run("ToldOnceUntilTaken", func(t *testing.T) {
		t.Parallel()
		put, take, told := setup(t)
		put(1)
		put(2)
		require.Equal(t, 1, *told)
		require.Equal(t, []int{1, 2}, take(false))
		put(3)
		require.Equal(t, 2, *told)
		require.Equal(t, []int{3}, take(false))
	})

	t.Run("WhoComesAgainIsNotTold", func(t *testing.T) {
		t.Parallel()
		put, take, told := setup(t)
		put(1)
		require.Equal(t, []int{1}, take(true))
		put(2)
		put(3)
		require.Equal(t, 1, *told)
		require.Equal(t, []int{2, 3}, take(true))
		require.Empty(t, take(false))
		put(4)
		require.Equal(t, 2, *told)
	})
}
