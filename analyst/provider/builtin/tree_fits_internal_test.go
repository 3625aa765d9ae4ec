package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestForm_together adds a part to a form that is understood: what no query tree has beside it is refused and said, and never
// left out of the answer.
func TestForm_together(t *testing.T) {
	t.Parallel()
	tables := listOf("sales",
		domain.Column{Name: "amount", Type: domain.ColumnNumber, Distinct: 90, Min: "-5", Max: "900"},
		domain.Column{Name: "cost", Type: domain.ColumnNumber, Distinct: 90, Min: "-5", Max: "900"},
		domain.Column{Name: "region", Type: domain.ColumnText, Distinct: 2, Values: []string{"North", "South"}},
		domain.Column{Name: "sold", Type: domain.ColumnTime, Distinct: 99, Min: "2024-01-01", Max: "2025-06-30"},
	)
	column := func(f *form, name string) *column {
		c := f.view.base.named(name)
		require.NotNil(t, c, name)
		return c
	}
	for name, c := range map[string]struct {
		question string
		add      func(f *form)
		reason   string // what the refusal names; empty if the parts fit
	}{
		"nothing":             {"total amount by region", func(*form) {}, ""},
		"share":               {"total amount by region", func(f *form) { f.share = true }, ""},
		"change":              {"total amount by month", func(f *form) { f.growth = true }, ""},
		"running":             {"total amount by month", func(f *form) { f.running = true }, ""},
		"first of each":       {"total amount by region and month", func(f *form) { f.limit, f.within = 1, column(f, "region") }, ""},
		"change without date": {"total amount by region", func(f *form) { f.growth = true }, "changes without a date to follow"},
		"running of a mean": {
			"average amount by month", func(f *form) { f.running = true }, "running totals of what does not add up",
		},
		"running of a change": {
			"total amount by month", func(f *form) { f.running, f.growth = true, true }, "changes of running totals",
		},
		"changes of two": {
			"total amount and total cost by month", func(f *form) { f.growth = true }, "changes beside other figures",
		},
		"share of nothing": {"total amount", func(f *form) { f.share = true }, "a share of nothing"},
		"no figure":        {"total amount by region", func(f *form) { f.measures = nil }, "groups without a figure"},
		"latest rows": {
			"total amount by region", func(f *form) { f.latestOf = column(f, "region") }, "the latest rows beside figures of groups",
		},
		"latest rows without time": {
			"list the sales", func(f *form) { f.latestOf, f.orderCol = column(f, "region"), nil }, "the latest rows without a time",
		},
		"share of rows": {"list the sales", func(f *form) { f.share = true }, "shares of single rows"},
		"condition on another figure": {
			"total amount by region", func(f *form) { f.having = []having{{measure: 1, op: opGt, nums: []float64{1}}} },
			"a condition on a figure that is not shown",
		},
		"condition on a change": {
			"total amount by month", func(f *form) { f.growth, f.having = true, []having{{op: opGt, nums: []float64{1}}} },
			"changes beside a condition on figures",
		},
		"groups that are not chosen": {
			"total amount by region", func(f *form) { f.counted = column(f, "region") }, "a count of groups that are not chosen",
		},
		"places of a ranking": {
			"top 3 regions by total amount", func(f *form) { f.nth = 2 }, "one place of a ranking beside several",
		},
		"first of each of others": {
			"total amount by month", func(f *form) { f.limit, f.within = 1, column(f, "region") }, "the first of each group in this way",
		},
		"means of months by month": {
			"total amount by month", func(f *form) { f.measures[0].each = grainMonth }, "a mean of units of time by time",
		},
		"correlation of texts": {
			"correlation of amount and cost", func(f *form) { f.measures[1].col = column(f, "region") }, "how other things than two numbers",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newPlanner(newLanguage(), tables, nil, date(2025, 7, 1), nil).read(c.question, nil)
			require.True(t, f.understood(), f.reason)
			c.add(f)
			f.write()
			if c.reason == "" {
				require.True(t, f.understood(), f.reason)
				return
			}
			require.False(t, f.understood())
			require.Contains(t, f.reason, c.reason)
		})
	}
}
