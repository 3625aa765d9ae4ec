package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

func teams() []analyst.Table {
	return listOf("results",
		domain.Column{
			Name: "team", Type: domain.ColumnText, Description: "Team", Distinct: 3, Nulls: 30,
			Values: []string{"Red", "Blue", "Green"},
		},
		domain.Column{Name: "region", Type: domain.ColumnText, Description: "Region", Distinct: 2, Values: []string{"North", "South"}},
		domain.Column{Name: "goals", Type: domain.ColumnNumber, Description: "Goals", Distinct: 90, Min: "1", Max: "900"},
	)
}

// The first group with a name leads; a group without one is reported in a remark.
func TestNarrate_TheNamelessDoNotLead(t *testing.T) {
	t.Parallel()
	const remark = "\n\nIn rows where `Team` is empty, the total goals is 1,500."
	for _, c := range []struct {
		question string
		rows     [][]any
		answer   string
	}{
		{
			"total goals by team",
			[][]any{{nil, 1500.0}, {"Red", 200.0}, {"Blue", 100.0}, {"Green", 50.0}},
			"**Red** has the highest total goals: **200**, 10.8% of the total of 1,850.\n\nNext is Blue with 100. The lowest is Green with 50." +
				remark,
		},
		{
			"total goals by team",
			[][]any{{" ", 1500.0}, {"Red", 200.0}, {"Blue", 100.0}},
			"**Red** has the highest total goals: **200**, 11.1% of the total of 1,800. Blue has 100, a difference of 100: Red has 100% more." +
				remark,
		},
		{
			"total goals by team",
			[][]any{{"Red", 200.0}, {nil, 1500.0}},
			"**Red** has the highest total goals: **200**.\n\nIt is the only team there is here." + remark,
		},
		{"total goals by team", [][]any{{nil, 1500.0}}, "**(empty)** has the highest total goals: **1,500**.\n\nIt is the only team " +
			"there is here."},
		{
			"total goals by team and region",
			[][]any{{nil, "North", 1500.0}, {"Red", "North", 200.0}, {"Blue", "South", 100.0}},
			"Of the 3 combinations of team and region, **Red, North** has the highest total goals: **200**.",
		},
	} {
		_, n := narrated(teams(), c.question, c.rows...)
		require.Contains(t, n.answer, c.answer, c.question)
	}
	f, _ := narrated(teams(), "top 2 teams by goals")
	require.Contains(t, flat(sql(f)), "WHERE team IS NOT NULL GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1 NULLS LAST LIMIT 2",
		"a team without a name is not among them")
}
