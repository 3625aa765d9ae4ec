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
	setup := func(t *testing.T) (put func(int), take func(again bool) []int, told *int) {
		t.Helper()
		told = new(int)
		w := async.NewWindow[int](100, clock.System{}, func() { *told++ })
		return func(n int) { require.NoError(t, w.Put(t.Context(), n, 1)) }, func(again bool) []int { return w.Take(again, nil) }, told
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

	t.Run("WhatWasTakenIsTheTakers", func(t *testing.T) {
		t.Parallel()
		w := async.NewWindow[int](100, clock.System{}, func() {})
		room := make([]int, 1, 8)
		for n := range 3 {
			require.NoError(t, w.Put(t.Context(), n, 1))
		}
		taken := w.Take(true, room[:1])
		require.Equal(t, []int{0, 0, 1, 2}, taken, "it is appended")
		for n := range 6 {
			require.NoError(t, w.Put(t.Context(), 10+n, 1))
		}
		require.Equal(t, []int{0, 0, 1, 2, 0, 0, 0, 0}, taken[:8], "the window does not write to it")
		require.Equal(t, []int{10, 11, 12, 13, 14, 15}, w.Take(true, nil))
		require.Empty(t, w.Take(true, nil))
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

func TestWindow_Grow(t *testing.T) {
	t.Parallel()
	setup := func() (*clock.Fake, *async.Window[string]) {
		c := clock.NewFake(time.Unix(1000, 0))
		return c, async.NewWindow[string](10, c, func() {})
	}
	more := func(last *string) bool { *last += "b"; return true }

	t.Run("OnlyWhatIsThere", func(t *testing.T) {
		t.Parallel()
		_, w := setup()
		require.False(t, w.Grow(1, more), "nothing is there")
		require.NoError(t, w.Put(t.Context(), "a", 1))
		require.True(t, w.Grow(1, more))
		require.False(t, w.Grow(1, func(*string) bool { return false }), "the function refuses")
		require.Equal(t, []string{"ab"}, w.Take(true, nil))
		require.False(t, w.Grow(1, more), "it was taken")
	})

	t.Run("AsFarAsThereIsRoom", func(t *testing.T) {
		t.Parallel()
		_, w := setup()
		require.NoError(t, w.Put(t.Context(), "a", 8))
		require.True(t, w.Grow(2, more))
		require.False(t, w.Grow(1, more))
		w.Release(1)
		require.True(t, w.Grow(1, more), "what was refused took no room")
	})

	t.Run("NothingAfterTheEnd", func(t *testing.T) {
		t.Parallel()
		_, w := setup()
		require.NoError(t, w.Put(t.Context(), "a", 1))
		w.Finish("end")
		require.False(t, w.Grow(1, more))
		require.Equal(t, []string{"a", "end"}, w.Take(true, nil))
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

	t.Run("WhatGrowsIsNotSilent", func(t *testing.T) {
		t.Parallel()
		c, w := setup()
		require.NoError(t, w.Put(t.Context(), "a", 1))
		c.Advance(time.Minute)
		require.Equal(t, time.Minute, w.Silent())
		require.True(t, w.Grow(1, more))
		require.Zero(t, w.Silent(), "who looks has heard it just now")
		c.Advance(time.Second)
		require.Equal(t, time.Second, w.Silent())
		require.True(t, w.Grow(1, more))
		w.Take(true, nil)
		c.Advance(time.Second)
		require.Equal(t, time.Second, w.Silent(), "and so has who takes it")
	})
}
