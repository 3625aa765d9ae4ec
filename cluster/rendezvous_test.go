package cluster

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/domain"
)

func members(n int) []domain.Member {
	ms := make([]domain.Member, n)
	for i := range ms {
		ms[i] = domain.Member{Node: fmt.Sprintf("10.0.0.%d:8100@x", 11+i)}
	}
	return ms
}

func TestOwner(t *testing.T) {
	t.Parallel()

	t.Run("SpreadsEvenly", func(t *testing.T) {
		t.Parallel()
		counts := map[string]int{}
		for i := range 30_000 {
			m, ok := owner(members(3), "conversation", fmt.Sprint("id-", i))
			require.True(t, ok)
			counts[m.Node]++
		}
		require.Len(t, counts, 3)
		for node, n := range counts {
			require.InDelta(t, 10_000, n, 500, "share of %s", node)
		}
	})

	t.Run("MovesOnlyTheShareOfWhoLeft", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			ms := members(rapid.IntRange(2, 8).Draw(t, "members"))
			gone := rapid.IntRange(0, len(ms)-1).Draw(t, "gone")
			id := rapid.String().Draw(t, "id")
			before, _ := owner(ms, "k", id)
			left := append(append([]domain.Member{}, ms[:gone]...), ms[gone+1:]...)
			after, ok := owner(left, "k", id)
			require.True(t, ok)
			if before.Node != ms[gone].Node {
				require.Equal(t, before.Node, after.Node)
			}
		})
	})

	t.Run("NobodyLives", func(t *testing.T) {
		t.Parallel()
		_, ok := owner(nil, "k", "id")
		require.False(t, ok)
	})
}
