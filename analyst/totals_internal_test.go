package analyst

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// What a model adds up in a database is said to be unchecked if there is no plan, also over one table, where levels and rates
// can be added up; a statement of one table that the query tree has generated cannot be wrong in this way.
func TestRun_judge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan      domain.QueryPlan
		written   bool
		unchecked []string
	}{
		"ATotalOfOneTableThatAModelWrote": {domain.QueryPlan{Missing: "the database Shop", OneTable: true}, true, []string{"the database Shop"}},
		"ATotalOfOneTableOfTheTree":       {plan: domain.QueryPlan{Missing: "the database Shop", OneTable: true}},
		"AJoinThatAModelWrote":            {domain.QueryPlan{Missing: "the database Shop"}, true, []string{"the database Shop"}},
		"AJoinOfTheTree":                  {domain.QueryPlan{Missing: "the database Shop"}, false, []string{"the database Shop"}},
		"NothingToCheck":                  {written: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verdict := (&run{}).judge(t.Context(), nil, &domain.ResultSet{Plan: c.plan}, c.written)
			require.Equal(t, c.unchecked, verdict.Unchecked)
			require.Empty(t, verdict.Faults)
		})
	}
}
