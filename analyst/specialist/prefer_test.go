package specialist_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/specialist"
)

func TestPreferredKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		kind specialist.Kind
		none bool
	}{
		"":                               {},
		"Keep titles short.":             {},
		"Prefer bar charts.":             {kind: specialist.Bar},
		"No pie charts, use lines":       {kind: specialist.Line},
		"bars rather than pies":          {kind: specialist.Bar},
		"Never use a pie chart.":         {},
		"No charts.":                     {none: true},
		"Don't draw graphs":              {none: true},
		"Always a column chart, not bar": {kind: specialist.Column},
	} {
		kind, none := specialist.PreferredKind(text)
		require.Equal(t, want.kind, kind, text)
		require.Equal(t, want.none, none, text)
	}
}
