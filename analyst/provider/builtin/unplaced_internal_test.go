package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// TestPlanner_Unplaced checks what a refusal says of words that have no part in the answer: never that something is not there
// which one of the attached tables has.
func TestPlanner_Unplaced(t *testing.T) {
	t.Parallel()
	text := func(name string, distinct int64, values ...string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnText, Distinct: distinct, Values: values}
	}
	number := func(name string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnNumber, Distinct: 80, Min: "1.5", Max: "900.5"}
	}
	tables := []analyst.Table{
		{Name: "harvests", Title: "harvests", SourceID: 1, Rows: 90, Columns: []domain.Column{
			text("field_id", 30), text("crop", 3, "rye", "oats", "flax"), number("yield_kg"),
		}},
		{Name: "inspections", Title: "inspections", SourceID: 2, Rows: 70, Columns: []domain.Column{
			text("field_id", 30), text("inspector", 4, "Ada", "Bo", "Cem", "Dora"), number("penalty_eur"),
		}},
	}
	for question, says := range map[string]string{
		"total penalty by crop":       "“penalty” is in inspections, which I could not bring together with harvests: I know of no column",
		"total yield by inspector":    "“yield” is in harvests, which I could not bring together with inspections: I know of no column",
		"total yield by rainfall":     "I found nothing here called “rainfall”.",
		"total yield by crop in 2024": "there is no date in harvests, so it cannot be narrowed to 2024.",
		"total penalty by month":      "there is no date in inspections, so I could not group by time.",
	} {
		p := newPlanner(newLanguage(), tables, nil, date(2025, 10, 15), []string{question})
		f := p.follow([]string{question})
		require.False(t, f.understood(), question)
		answer := misunderstood(f, p)
		if says != "I found nothing here called “rainfall”." {
			require.NotContains(t, answer, "nothing here", question)
		}
		require.Contains(t, answer, says, question)
	}
}
