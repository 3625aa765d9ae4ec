package lru

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

func TestCache(t *testing.T) {
	t.Parallel()
	c := New[string, *int](10)
	made := 0
	of := func(key string, weight int) *int {
		return c.Of(key, func() (*int, int) {
			made++
			return new(int), weight
		})
	}
	a, b := of("a", 4), of("b", 4)
	require.Same(t, a, of("a", 4), "it is made once")
	require.Equal(t, 2, made)

	// b was used longest ago, so it makes room.
	of("c", 5)
	require.Same(t, a, of("a", 4))
	values, weight := c.Len()
	require.Equal(t, []int{2, 9}, []int{values, weight})
	require.NotSame(t, b, of("b", 4))

	// What alone is too heavy drops nothing.
	before, _ := c.Len()
	heavy := of("d", 11)
	require.NotSame(t, heavy, of("d", 11))
	values, weight = c.Len()
	require.Equal(t, before, values)
	require.LessOrEqual(t, weight, 10)
	require.Len(t, c.of, values, "the keys are those of the values")
}

func TestCache_AtOnce(t *testing.T) {
	t.Parallel()
	c := New[int, int](50)
	var g errgroup.Group
	for range 8 {
		g.Go(func() error {
			for key := range 500 {
				require.Equal(t, key*key, c.Of(key, func() (int, int) { return key * key, key % 7 }))
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
	values, weight := c.Len()
	require.Len(t, c.of, values)
	require.LessOrEqual(t, weight, 50)
}
