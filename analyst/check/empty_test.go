package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/check"
)

func TestPlan_Empty(t *testing.T) {
	t.Parallel()
	single := &check.Plan{Figures: []int{0, 1}}
	require.True(t, single.Empty(table()))
	require.True(t, single.Empty(table([]any{nil, int64(0)})))
	require.False(t, single.Empty(table([]any{nil, int64(1)})))
	require.False(t, single.Empty(table([]any{"2025-01-01", int64(0)})))
	require.False(t, (&check.Plan{}).Empty(table([]any{nil})), "rows are shown as they are")
	require.False(t, (&check.Plan{Grouped: 1, Figures: []int{1}}).Empty(table([]any{"A", nil})))
}

func TestProbe_Explain(t *testing.T) {
	t.Parallel()
	country := check.Filter{Said: "country is Germny"}
	status := check.Filter{Said: "status is open"}
	time := check.Filter{Said: "ordered is from 2030-01-01 to before 2031-01-01", Of: "ordered", From: "2030-01-01", Before: "2031-01-01"}
	n := func(alone, others int) []any { return []any{int64(alone), int64(others), nil, nil} }
	span := func(alone, others int, first, last string) []any {
		return []any{int64(alone), int64(others), first, last}
	}
	row := func(rows, all int, filters ...[]any) []any {
		out := []any{int64(rows), int64(all)}
		for _, f := range filters {
			out = append(out, f...)
		}
		return out
	}
	for name, c := range map[string]struct {
		filters []check.Filter
		row     []any
		groups  string
		want    string
	}{
		"NoRows":     {[]check.Filter{country}, row(0, 0, n(0, 0)), "", "There are no orders at all."},
		"OneIsNever": {[]check.Filter{country, status}, row(60, 0, n(0, 5), n(5, 0)), "", "No row meets this condition: country is Germny."},
		"After": {
			[]check.Filter{time},
			row(60, 0, span(0, 60, "2024-01-03", "2025-06-30 10:00:00")), "",
			"The data have ordered from 3 January 2024 to 30 June 2025; what you asked for lies after that.",
		},
		"Before": {
			[]check.Filter{time},
			row(60, 0, span(0, 60, "2031-01-01", "2032-06-30")), "",
			"The data have ordered from 1 January 2031 to 30 June 2032; what you asked for lies before that.",
		},
		"InAGap": {
			[]check.Filter{time},
			row(60, 0, span(0, 60, "2024-01-03", "2032-06-30")), "",
			"The data have ordered from 3 January 2024 to 30 June 2032, and none in the time that you asked for.",
		},
		"NoTimes": {
			[]check.Filter{time},
			row(60, 0, []any{int64(0), int64(60), nil, nil}), "",
			"No row meets this condition: ordered is from 2030-01-01 to before 2031-01-01.",
		},
		"NeverTogether": {
			[]check.Filter{country, status},
			row(60, 0, n(7, 5), n(5, 7)), "",
			"Each condition is met by some rows, but never all of them together: without “country is Germny” it would be 5 orders; " +
				"without “status is open” it would be 7 orders.",
		},
		"NeverAll": {
			[]check.Filter{country, status, time},
			row(60, 0, n(7, 0), n(5, 0), span(3, 0, "2024-01-03", "2032-06-30")), "",
			"Each condition is met by some orders, but never all of them together.",
		},
		"NoGroup": {
			[]check.Filter{country}, row(60, 4, n(4, 60)), "number of orders above 10", "Rows match, but no group has number of orders above 10.",
		},
		"RowsMatch":   {[]check.Filter{country}, row(60, 4, n(4, 60)), "", ""},
		"AnotherForm": {[]check.Filter{country}, row(60, 4), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &check.Probe{Filters: c.filters, Rows: "orders", Groups: c.groups}
			require.Equal(t, c.want, p.Explain(table(c.row)))
		})
	}
	require.Empty(t, (&check.Probe{}).Explain(nil))
}
