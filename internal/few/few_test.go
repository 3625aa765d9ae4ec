package few

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is set and deleted in whatever order, the map has what Go's own map has, below and
// above the number of entries from which it has an index.
func TestMap(t *testing.T) {
	t.Parallel()
	for _, keys := range []int{1, 3, indexFrom - 1, indexFrom, 5 * indexFrom} {
		random := rand.New(rand.NewPCG(1, uint64(keys)))
		var m Map[int, int]
		want := map[int]int{}
		for i := range 5_000 {
			key := random.IntN(keys)
			if random.IntN(2) == 0 {
				m.Set(key, i)
				want[key] = i
			} else {
				m.Delete(key)
				delete(want, key)
			}
			require.Equal(t, want[key], m.Get(key))
			require.Equal(t, len(want), m.Len())
			require.Equal(t, want, maps.Collect(m.All()))
		}
		for key := range keys {
			m.Delete(key)
		}
		require.Equal(t, Map[int, int]{}, m, "an empty map holds no memory")
	}
}

// A loop over the entries can end early.
func TestMap_AllEnds(t *testing.T) {
	t.Parallel()
	var m Map[string, bool]
	m.Set("a", true)
	m.Set("b", true)
	seen := 0
	for range m.All() {
		seen++
		break
	}
	require.Equal(t, 1, seen)
}
