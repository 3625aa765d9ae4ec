package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/check"
	"parley.dev/parley/domain"
)

// table returns a result with these rows.
func table(rows ...[]any) *domain.ResultSet { return &domain.ResultSet{Rows: rows} }

// verdict returns the first failure of a result as text, or the outcomes.
func verdict(p *check.Plan, result, control *domain.ResultSet) string {
	r := p.Judge(result, control)
	if len(r.Failures) > 0 {
		return r.Failures[0].Said
	}
	text := ""
	r.Outcomes(func(k check.Kind, o check.Outcome) { text += string(k) + " " + string(o) + "\n" })
	return text
}

// differ and together return texts of failed checks.
func differ(groups, table string) string {
	return "I got two different totals for this: the groups add up to " + groups + ", and the table alone gives " + table + "."
}

func together(percent string) string {
	return "The parts of the whole do not add up: together they make " + percent + " %."
}

func TestPlan_Judge_Total(t *testing.T) {
	t.Parallel()
	p := &check.Plan{Totals: []check.Total{{Column: 1, Control: 0, Size: 1}}}
	groups := table([]any{"A", 100.0}, []any{"B", nil}, []any{nil, int64(234)})
	for name, c := range map[string]struct {
		result, control *domain.ResultSet
		want            string
	}{
		"OK": {groups, table([]any{334.0, 334.0}), "total passed\n"},
		"RepeatedRows": {
			table([]any{"A", 569.0}, []any{"B", 234.0}), table([]any{334.0, 334.0}),
			differ("803", "334"),
		},
		// The order in which fractions are added changes the last digits, also if the terms cancel out.
		"Rounding":      {table([]any{"A", 1e15 + 0.25}, []any{"B", -1e15}), table([]any{0.0, 2e15}), "total passed\n"},
		"SmallError":    {groups, table([]any{334.01, 334.01}), differ("334", "334.01")},
		"NothingAdded":  {table([]any{"A", nil}), table([]any{nil, nil}), "total passed\n"},
		"LostRows":      {table(), table([]any{5.0, 5.0}), differ("nothing", "5")},
		"FoundRows":     {table([]any{"A", 5.0}), table([]any{nil, nil}), differ("5", "nothing")},
		"NoControl":     {groups, nil, "total skipped\n"},
		"ShortControl":  {groups, table([]any{}), "total skipped\n"},
		"TextInControl": {groups, table([]any{"334", 1.0}), "total skipped\n"},
		"Truncated":     {&domain.ResultSet{Rows: groups.Rows, Truncated: true}, table([]any{900.0, 900.0}), "total skipped\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, verdict(p, c.result, c.control))
		})
	}
	t.Run("RoundedCells", func(t *testing.T) {
		t.Parallel()
		rounded := &check.Plan{Totals: []check.Total{{Column: 1, Control: 0, Size: 1, Digits: 2}}}
		require.Equal(t, "total passed\n", verdict(rounded, table([]any{"A", 0.33}, []any{"B", 0.67}), table([]any{1.0099, 1.0})))
	})
}

func TestPlan_Judge_Again(t *testing.T) {
	t.Parallel()
	p := &check.Plan{Again: []check.Again{{Column: 1, Control: 0, Size: 1}}}
	groups := table([]any{"A", 2.5}, []any{"B", nil}, []any{nil, int64(4)})
	one := table([]any{"A", 2.5})
	const again = "I computed this in two ways and got "
	for name, c := range map[string]struct {
		result, control *domain.ResultSet
		want            string
	}{
		"OK":       {groups, table([]any{6.5, 6.5}), "figures passed\n"},
		"Rounding": {groups, table([]any{6.5 + 1e-9, 6.5}), "figures passed\n"},
		"OneIsWrong": {
			groups, table([]any{7.5, 7.5}),
			again + "different figures: those of all groups together make 6.5, and 7.5 without a join.",
		},
		"One":       {one, table([]any{3.0, 3.0}), again + "two different figures: 2.5, and 3 without a join."},
		"Lost":      {table(), table([]any{3.0, 3.0}), again + "two different figures: nothing, and 3 without a join."},
		"Found":     {one, table([]any{nil, nil}), again + "two different figures: 2.5, and nothing without a join."},
		"Nothing":   {table([]any{"A", nil}), table([]any{nil, nil}), "figures passed\n"},
		"NoControl": {groups, nil, "figures skipped\n"},
		"NoSize":    {groups, table([]any{6.5, nil}), "figures skipped\n"},
		"Truncated": {&domain.ResultSet{Rows: groups.Rows, Truncated: true}, table([]any{9.0, 9.0}), "figures skipped\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, verdict(p, c.result, c.control))
		})
	}
	t.Run("RoundedPercentages", func(t *testing.T) {
		t.Parallel()
		p := &check.Plan{Again: []check.Again{{Column: 0, Control: 0, Size: 1, Digits: 1, Percent: true}}}
		thirds := table([]any{33.3}, []any{66.7})
		require.Equal(t, "figures passed\n", verdict(p, thirds, table([]any{1.0003, 1.0})))
		require.Contains(t, verdict(p, thirds, table([]any{1.01, 1.0})), "together make 100, and 101 without a join")
	})
}

func TestPlan_Judge_Shares(t *testing.T) {
	t.Parallel()
	percent := check.Share{Column: 1, Whole: 100, Digits: 2}
	within := check.Share{Column: 1, Whole: 1, Within: []int{0}}
	cut := check.Share{Column: 1, Whole: 100, Cut: true, Counts: true}
	for name, c := range map[string]struct {
		share  check.Share
		result *domain.ResultSet
		want   string
	}{
		"OK":             {percent, table([]any{"A", 33.33}, []any{"B", 33.33}, []any{"C", 33.33}), "shares passed\n"},
		"PartMissing":    {percent, table([]any{"A", 60.0}, []any{"B", 30.0}), together("90")},
		"TooMuch":        {percent, table([]any{"A", 60.0}, []any{"B", 50.0}), together("110")},
		"Negative":       {percent, table([]any{"A", 140.0}, []any{"B", -40.0}), "shares passed\n"},
		"NoWhole":        {percent, table([]any{"A", nil}, []any{"B", nil}), "shares passed\n"},
		"Within":         {within, table([]any{"A", 0.5}, []any{"A", 0.5}, []any{"B", 1.0}), "shares passed\n"},
		"OneWithinWrong": {within, table([]any{"A", 0.5}, []any{"A", 0.5}, []any{"B", 0.9}), together("90")},
		"CutCounts":      {cut, table([]any{"A", 60.0}, []any{"B", 30.0}), "shares passed\n"},
		"CutTooMuch":     {cut, table([]any{"A", 60.0}, []any{"B", 50.0}), together("110")},
		"NegativeCount":  {cut, table([]any{"A", -60.0}), "A part of the whole is -60 % of it, which cannot be."},
		"CutAmounts":     {check.Share{Column: 1, Whole: 100, Cut: true}, table([]any{"A", 60.0}), "shares skipped\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, verdict(&check.Plan{Shares: []check.Share{c.share}}, c.result, nil))
		})
	}
}

func TestPlan_Judge_Level(t *testing.T) {
	t.Parallel()
	p := &check.Plan{Levels: []check.Level{{Control: 0}}}
	require.Equal(t, "level passed\n", verdict(p, table([]any{1122550.0}), table([]any{int64(1)})))
	require.Equal(t, "level passed\n", verdict(p, table([]any{nil}), table([]any{int64(0)})))
	require.Equal(t, "level passed\n", verdict(p, table(), table([]any{nil})))
	require.Equal(t, "A level was added up over 46 periods, although it is to be read at one.",
		verdict(p, table([]any{28109424.0}), table([]any{int64(46)})))
	require.Equal(t, "level skipped\n", verdict(p, table([]any{1.0}), nil))
}

func TestPlan_Judge_Counts(t *testing.T) {
	t.Parallel()
	parts := check.Count{Column: 1, Control: 0, Parts: true, Whole: true}
	distinct := check.Count{Column: 1, Control: 0, Distinct: true, Whole: true}
	groups := table([]any{"A", int64(3)}, []any{"B", int64(4)})
	for name, c := range map[string]struct {
		count  check.Count
		result *domain.ResultSet
		whole  int64
		want   string
	}{
		"OK":               {parts, groups, 7, "counts passed\n"},
		"MoreThanTheWhole": {parts, groups, 6, differ("7", "6")},
		"Distinct":         {distinct, groups, 5, "counts passed\n"},
		"OneGroupTooMany":  {distinct, groups, 3, "One group counts 4, and all rows together count 3."},
		"TooFew":           {distinct, groups, 8, "All groups together count 7, and all rows count 8 different ones."},
		"Overlapping":      {check.Count{Column: 1, Control: 0}, groups, 5, "counts passed\n"},
		"Broken":           {parts, table([]any{"A", 2.5}), 3, "A number of rows came out as 2.5, which cannot be."},
		"Negative":         {parts, table([]any{"A", int64(-1)}), 3, "A number of rows came out as -1, which cannot be."},
		"NoControl":        {check.Count{Column: 1, Control: -1}, groups, 0, "counts passed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, verdict(&check.Plan{Counts: []check.Count{c.count}}, c.result, table([]any{c.whole})))
		})
	}
}

func TestPlan_Judge_Bounds(t *testing.T) {
	t.Parallel()
	p := &check.Plan{Bounds: []check.Bounds{{Low: 0, Middle: 1, High: 2}, {Low: 0, Middle: 2, High: -1}}}
	require.Equal(t, "bounds passed\n", verdict(p, table([]any{1.0, 2.0, 3.0}, []any{nil, nil, nil}, []any{2.0, 2.0, 2.0}), nil))
	require.Equal(t, "A mean or a highest value came out as 4, beyond an end of its values, 3.", verdict(p, table([]any{1.0, 4.0, 3.0}), nil))
	require.Equal(t, "A mean or a highest value came out as 0.5, beyond an end of its values, 1.",
		verdict(p, table([]any{1.0, 0.5, 3.0}), nil))
}

func TestReport(t *testing.T) {
	t.Parallel()
	t.Run("Line", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "✓ Checked: adds up to the total of its own table; the parts make 100 %.",
			(&check.Report{Passed: []check.Kind{check.KindTotal, check.KindShares, check.KindCounts}}).Line())
		require.Empty(t, (&check.Report{Passed: []check.Kind{check.KindCounts}, Skipped: []check.Kind{check.KindTotal}}).Line())
		require.Empty(t, (&check.Report{Passed: []check.Kind{check.KindTotal}, Empty: "There are none."}).Line(), "nothing was added up")
	})
	t.Run("Withheld", func(t *testing.T) {
		t.Parallel()
		var none *check.Report
		require.Empty(t, none.Withheld())
		r := check.Report{Failures: []check.Failure{
			{Kind: check.KindTotal, Said: "It differs."}, {Kind: check.KindTotal, Said: "So does this."},
		}}
		require.Equal(t, "It differs. I do not show this result. This is a fault of mine; it has been counted.", r.Withheld())
		counted := map[check.Outcome]int{}
		r.Outcomes(func(_ check.Kind, o check.Outcome) { counted[o]++ })
		require.Equal(t, map[check.Outcome]int{check.Failed: 1}, counted, "a kind is counted once for a result")
	})
	t.Run("Unmade", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "total skipped\n", verdict(&check.Plan{Unmade: "no SQL"}, table(), nil))
	})
}
