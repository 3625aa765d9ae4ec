package eval

import (
	"testing"

	"github.com/stretchr/testify/require"
)

type table = [][]any

func TestMeasure_Compare(t *testing.T) {
	t.Parallel()
	want := table{{"North", 1488266.24}, {"South", 20.0}, {nil, 3.0}}
	for name, c := range map[string]struct {
		got, want table
		rows      Rows
		m         measure
		verdict   verdict
	}{
		"OtherOrderOfRowsAndColumns": {
			table{{20.0, "South"}, {3.0, nil}, {1488266.24, "North"}}, want, RowsSet, measure{decimals: 2}, agrees,
		},
		"FurtherColumn": {
			table{{"x", "North", 1488266.24}, {"x", "South", int64(20)}, {"x", "", 3.0}}, want, RowsSet, measure{decimals: 2}, agrees,
		},
		"RoundedTruth":        {table{{5.86248}}, table{{5.86}}, RowsSet, measure{decimals: 2}, agrees},
		"NotSoRounded":        {table{{5.87}}, table{{5.86}}, RowsSet, measure{decimals: 2}, differs},
		"SixFigures":          {table{{1234567.8}}, table{{1234567.9}}, RowsSet, measure{decimals: exactly}, agrees},
		"FiveFigures":         {table{{1234567.8}}, table{{1234579.8}}, RowsSet, measure{decimals: exactly}, differs},
		"ZeroOfFractions":     {table{{1e-12}}, table{{0.0}}, RowsSet, measure{decimals: exactly}, agrees},
		"PercentShown":        {table{{0.438}}, table{{43.8}}, RowsSet, measure{decimals: 2, percent: true}, agrees},
		"FractionWithoutUnit": {table{{0.438}}, table{{43.8}}, RowsSet, measure{decimals: 2}, differs},
		"DateAtMidnight": {
			table{{"2026-10-01T00:00:00", int64(1)}}, table{{"2026-10-01", 1.0}}, RowsSet, measure{decimals: 2}, agrees,
		},
		"TextIsNoNumber": {table{{"20"}}, table{{20.0}}, RowsSet, measure{decimals: 2}, differs},
		"InOrder":        {table{{"a"}, {"b"}}, table{{"a"}, {"b"}}, RowsOrdered, measure{}, agrees},
		"OutOfOrder":     {table{{"b"}, {"a"}}, table{{"a"}, {"b"}}, RowsOrdered, measure{}, differs},
		"FirstRow":       {table{{"a"}, {"x"}}, table{{"a"}, {"b"}, {"c"}}, RowsFirst, measure{}, agrees},
		"OtherFirstRow":  {table{{"b"}, {"a"}}, table{{"a"}, {"b"}}, RowsFirst, measure{}, differs},
		"FurtherRows":    {table{{"a"}, {"b"}, {"c"}}, table{{"c"}, {"a"}}, RowsSome, measure{}, agrees},
		"TooManyRows":    {table{{"a"}, {"b"}, {"c"}}, table{{"c"}, {"a"}}, RowsSet, measure{}, differs},
		"RepeatedRow":    {table{{"a"}, {"a"}}, table{{"a"}, {"b"}}, RowsSet, measure{}, differs},
		"SomeOfTheRows":  {table{{"x", "a"}, {"x", "b"}}, table{{"a"}, {"b"}, {"c"}}, RowsSet, measure{}, part},
		"OneOfTheRows":   {table{{"a"}}, table{{"a"}, {"b"}, {"c"}}, RowsSet, measure{}, differs},
		"MissingColumn":  {table{{"a", 1.0}, {"b", 2.0}}, table{{"a", 1.0, 5.0}, {"b", 2.0, 6.0}}, RowsSet, measure{}, part},
		"OneOfTwoNumbersWrong": {
			table{{"a", 1.0, 7.0}, {"b", 2.0, 7.0}}, table{{"a", 1.0, 5.0}, {"b", 2.0, 6.0}}, RowsSet, measure{}, differs,
		},
		"SwappedValues": {table{{"a", 2.0}, {"b", 1.0}}, table{{"a", 1.0}, {"b", 2.0}}, RowsSet, measure{}, differs},
		"Nothing":       {nil, table{{"a"}}, RowsSet, measure{}, differs},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, reason := c.m.compare(c.got, c.want, c.rows)
			require.Equal(t, c.verdict, v, reason)
			require.Equal(t, v == agrees, reason == "", "what differs is said")
		})
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	require.Equal(t, []figure{
		{1488266.24, 2, false},
		{43.8, 1, true},
		{-59998.56, 2, false},
		{2025, 0, false},
		{7, 0, false},
	}, figures("It is **1,488,266.24**, or **43.8**% of all; it was -59,998.56 in Q4 2025, 7 more."))
	for _, c := range []struct {
		text string
		want any
		ok   bool
	}{
		{"It is 1,122,550.", 1122550.3, true},
		{"It is 1.12 million.", 1122550.3, false},
		{"It is 7.", 7.0, true},
		{"It is 7.", 7.3, false},
		{"It is 43.8%.", 0.438, true},
		{"It is 43.8.", 0.438, false},
		{"In Porto.", "Porto", true},
		{"In Paris.", "Porto", false},
	} {
		require.Equal(t, c.ok, says(c.text, figures(c.text), c.want), "%s %v", c.text, c.want)
	}
}
