package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestAnalystUpdate_Validate(t *testing.T) {
	t.Parallel()
	text := func(n int) *string { s := strings.Repeat("x", n); return &s }
	many := make([]int64, domain.AnalystListMax+1)
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, (&domain.AnalystUpdate{}).Validate())
		exact := many[1:]
		require.NoError(t, (&domain.AnalystUpdate{
			Name: text(80), Description: text(5000), Instructions: text(10_000), Connectors: &exact,
			Knowledge: domain.AnalystSectionUpdate{SpecialInstructions: text(10_000), Memories: &exact},
		}).Validate())
	})
	t.Run("ErrName", func(t *testing.T) {
		t.Parallel()
		for _, name := range []string{"", " ", "\u200b", "a\x00", "\xff"} {
			require.Equal(t, map[string]string{"name": "Enter agent name"}, broken(t, (&domain.AnalystUpdate{Name: &name}).Validate()), "%q", name)
		}
		require.Contains(t, broken(t, (&domain.AnalystUpdate{Name: text(81)}).Validate()), "name")
	})
	t.Run("ErrEachFieldAtOnce", func(t *testing.T) {
		t.Parallel()
		script := "javascript:alert(1)"
		section := domain.AnalystSectionUpdate{SpecialInstructions: text(10_001), MemoryLabels: &many, Memories: &many}
		wrong := broken(t, (&domain.AnalystUpdate{
			Name: text(0), Description: text(5001), Controller: text(81), Picture: &script, Instructions: text(10_001), Knowledge: section,
			ChartReview: section,
			Insights:    section, Summary: domain.AnalystSummaryUpdate{Name: text(81), SpecialInstructions: text(10_001)}, Connectors: &many,
			ProjectLabels: &many,
		}).Validate())
		require.Len(t, wrong, 18)
		require.Contains(t, wrong, "chartReview.memoryLabels")
		require.Contains(t, wrong, "summary.name")
	})
}
