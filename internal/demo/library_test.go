package demo_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/demo"
)

func TestLibrary(t *testing.T) {
	t.Parallel()

	sources := map[string]demo.Source{}
	for _, s := range demo.Sources() {
		sources[s.Seed] = s
	}

	seen, scheduled, asking := map[string]bool{}, map[string]int{}, map[string]int{}

	for _, b := range demo.Library() {
		require.False(t, seen[b.Seed], b.Seed)
		seen[b.Seed] = true

		require.NotEmpty(t, b.Categories, b.Seed)
		require.NotEmpty(t, b.Description, b.Seed)
		require.NotEmpty(t, b.Steps, b.Seed)

		for _, seed := range b.Sources {
			require.Equal(t, b.Organisation, sources[seed].Organisation, "%s asks %s", b.Seed, seed)
		}

		about := domain.Blueprint{InputParameters: b.Inputs}
		if about.NeedsInputs() {
			asking[b.Organisation]++
		} else {
			scheduled[b.Organisation]++
		}

		var texts strings.Builder

		for _, step := range b.Steps {
			require.True(t, step.Ask != "" || step.SQL != "", "%s: %s does nothing without a model", b.Seed, step.Name)
			texts.WriteString(step.Name + step.Ask + step.SQL)

			if step.SQL == "" {
				continue
			}

			known := false
			for _, seed := range b.Sources {
				known = known || strings.Contains(step.SQL, sources[seed].Table)
			}

			require.True(t, known, "%s: %s asks none of its sources", b.Seed, step.Name)
		}

		for _, in := range about.Inputs() {
			require.Contains(t, texts.String(), "{{"+in.Name+"}}", "%s does not use %s", b.Seed, in.Name)
		}
	}

	for _, o := range demo.Organisations() {
		require.Equal(t, 8, scheduled[o.Name]+asking[o.Name])
		require.GreaterOrEqual(t, scheduled[o.Name], 3, "some can be scheduled")
		require.GreaterOrEqual(t, asking[o.Name], 2, "some ask first")
	}
}
