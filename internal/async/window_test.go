package async_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

func TestWindow_Take(t *testing.T) {
	t.Parallel()
	setup := func(t *testing.T) (put func(int), take func() []int, notified *int) {
		t.Helper()
		notified = new(int)
		w := async.NewWindow[int](100, clock.System{}, func() { *notified++ })
		take = func() []int {
			items, _ := w.Take(nil)
			return items
		}
		return func(n int) { require.NoError(t, w.Put(t.Context(), n, 1)) }, take, notified
	}

	t.Run("NotifiesOnceUntilTaken", func(t *testing.T) {
		t.Parallel()
		put, take, notified := setup(t)
		put(1)
		put(2)
		require.Equal(t, 1, *notified)
		require.Equal(t, []int{1, 2}, take())
		require.Empty(t, take())
		put(3)
		require.Equal(t, 2, *notified)
		require.Equal(t, []int{3}, take())
	})

	t.Run("OKTakenItemsBelongToTheTaker", func(t *testing.T) {
		t.Parallel()
		w := async.NewWindow[int](100, clock.System{}, func() {})
		own := make([]int, 1, 8)
		for n := range 3 {
			require.NoError(t, w.Put(t.Context(), n, 1))
		}
		taken, _ := w.Take(own[:1])
		require.Equal(t, []int{0, 0, 1, 2}, taken, "the items are appended")
		for n := range 6 {
			require.NoError(t, w.Put(t.Context(), 10+n, 1))
		}
		require.Equal(t, []int{0, 0, 1, 2, 0, 0, 0, 0}, taken[:8], "the window does not write to the taker's slice")
		taken, _ = w.Take(nil)
		require.Equal(t, []int{10, 11, 12, 13, 14, 15}, taken)
		taken, _ = w.Take(nil)
		require.Empty(t, taken)
	})

	t.Run("NotNotifiedBeforeAnEmptyTake", func(t *testing.T) {
		t.Parallel()
		put, take, notified := setup(t)
		put(1)
		require.Equal(t, []int{1}, take())
		put(2)
		put(3)
		require.Equal(t, 1, *notified)
		require.Equal(t, []int{2, 3}, take())
		require.Empty(t, take())
		put(4)
		require.Equal(t, 2, *notified)
	})
}

// Items are picked only between the Take that returned the mark and the next one, so items
// leave the window in the order in which they were put.
func TestWindow_Pick(t *testing.T) {
	t.Parallel()
	w := async.NewWindow[int](100, clock.System{}, func() {})
	first := func(mark uint64) (picked int) {
		w.Pick(mark, func(items []int) []int {
			if len(items) == 0 {
				return items
			}
			picked = items[0]
			return items[1:]
		})
		return picked
	}
	put := func(n int) { require.NoError(t, w.Put(t.Context(), n, 1)) }
	put(1)
	items, mark := w.Take(nil)
	require.Equal(t, []int{1}, items)
	require.Zero(t, first(mark), "the window is empty")
	put(2)
	put(3)
	require.Equal(t, 2, first(mark))
	items, later := w.Take(nil)
	require.Equal(t, []int{3}, items)
	put(4)
	require.Zero(t, first(mark), "the item follows others that were taken later")
	require.Equal(t, 4, first(later))
}

func TestWindow_Grow(t *testing.T) {
	t.Parallel()
	setup := func() (*clock.Fake, *async.Window[string]) {
		c := clock.NewFake(time.Unix(1000, 0))
		return c, async.NewWindow[string](10, c, func() {})
	}
	more := func(last *string) bool { *last += "b"; return true }

	t.Run("OnlyItemsNotTaken", func(t *testing.T) {
		t.Parallel()
		_, w := setup()
		require.False(t, w.Grow(1, more), "the window is empty")
		require.NoError(t, w.Put(t.Context(), "a", 1))
		require.True(t, w.Grow(1, more))
		require.False(t, w.Grow(1, func(*string) bool { return false }), "the function refuses")
		taken, _ := w.Take(nil)
		require.Equal(t, []string{"ab"}, taken)
		require.False(t, w.Grow(1, more), "the item was taken")
	})

	t.Run("OnlyWithinTheLimit", func(t *testing.T) {
		t.Parallel()
		_, w := setup()
		require.NoError(t, w.Put(t.Context(), "a", 8))
		require.True(t, w.Grow(2, more))
		require.False(t, w.Grow(1, more))
		w.Release(1)
		require.True(t, w.Grow(1, more), "a refused growth uses no space")
	})

	t.Run("NothingAfterFinish", func(t *testing.T) {
		t.Parallel()
		_, w := setup()
		require.NoError(t, w.Put(t.Context(), "a", 1))
		w.Finish("end")
		require.False(t, w.Grow(1, more))
		taken, _ := w.Take(nil)
		require.Equal(t, []string{"a", "end"}, taken)
	})

	t.Run("TouchedIsNotSilent", func(t *testing.T) {
		t.Parallel()
		now := clock.NewFake(time.Unix(0, 0))
		w := async.NewWindow[string](10, now, func() {})
		now.Advance(time.Minute)
		require.Equal(t, time.Minute, w.Silent())
		w.Touch()
		require.Zero(t, w.Silent())
	})

	t.Run("GrowthIsNotSilent", func(t *testing.T) {
		t.Parallel()
		c, w := setup()
		require.NoError(t, w.Put(t.Context(), "a", 1))
		c.Advance(time.Minute)
		require.Equal(t, time.Minute, w.Silent())
		require.True(t, w.Grow(1, more))
		require.Zero(t, w.Silent(), "growth counts from the time at which it is noticed")
		c.Advance(time.Second)
		require.Equal(t, time.Second, w.Silent())
		require.True(t, w.Grow(1, more))
		w.Take(nil)
		c.Advance(time.Second)
		require.Equal(t, time.Second, w.Silent(), "Take notices the growth, too")
	})
}
