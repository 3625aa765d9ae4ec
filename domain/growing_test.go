package domain_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestGrowing(t *testing.T) {
	t.Parallel()
	var empty domain.Growing
	require.Zero(t, empty.Len())
	require.Empty(t, empty.String())
	empty.Append("")
	require.Empty(t, empty.From(0))

	random := rand.New(rand.NewPCG(1, 2))
	var (
		got  domain.Growing
		want strings.Builder
		kept []string
	)
	for range 3000 {
		n := random.IntN(40)
		if random.IntN(100) == 0 {
			n = random.IntN(20_000)
		}
		piece := strings.Repeat(string(rune('a'+random.IntN(26))), n)
		from := got.Len()
		got.Append(piece)
		kept = append(kept, got.From(from), piece)
		want.WriteString(piece)
	}
	require.Equal(t, want.Len(), got.Len())
	require.Equal(t, want.String(), got.String())
	for range 2000 {
		from := random.IntN(want.Len() + 1)
		to := min(want.Len(), from+random.IntN(1+10*random.IntN(3000)))
		require.Equal(t, want.String()[from:to], got.Slice(from, to))
	}
	// Texts that were returned earlier have not changed.
	for i := 0; i < len(kept); i += 2 {
		require.Equal(t, kept[i+1], kept[i])
	}
}

// TestGrowing_Allocations checks that a long text needs only a few allocations for each block,
// because growing never copies the existing text.
func TestGrowing_Allocations(t *testing.T) { //nolint:paralleltest // allocations are counted
	const words = 200_000
	allocations := testing.AllocsPerRun(1, func() {
		var g domain.Growing
		for range words {
			g.Append("word ")
		}
	})
	require.Less(t, allocations, 3*words*5.0/(8<<10))
}
