package statistics_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/statistics"
	"parley.dev/parley/domain"
)

func known() []domain.Column {
	out := []domain.Column{
		{Name: "Age", Type: domain.ColumnInteger},
		{Name: "weight", Type: domain.ColumnNumber},
		{Name: "city", Type: domain.ColumnText},
		{Name: "born", Type: domain.ColumnDate},
		{Name: `odd"name`, Type: domain.ColumnNumber},
	}
	for i := range 30 {
		out = append(out, domain.Column{Name: "x" + strings.Repeat("i", i), Type: domain.ColumnNumber})
	}
	return out
}

func many(n int) []string {
	var out []string
	for i := range n {
		out = append(out, "x"+strings.Repeat("i", i))
	}
	return out
}

// TestRequest_SQL_Errors checks that each limit and each misunderstanding is told in a sentence.
func TestRequest_SQL_Errors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		q    statistics.Request
		want string
	}{
		"Kind":           {statistics.Request{Kind: "magic"}, `There is no statistic "magic". The kinds are: profile, outliers,`},
		"NoColumn":       {statistics.Request{Kind: statistics.Profile}, "profile takes 1 to 20 columns, and 0 were given."},
		"TooManyColumns": {statistics.Request{Kind: statistics.Correlation, Columns: many(21)}, "takes 2 to 20 columns, and 21 were given"},
		"OneColumn":      {statistics.Request{Kind: statistics.Bins, Columns: many(2)}, "bins takes one column, and 2 were given"},
		"TooManyPredict": {statistics.Request{Kind: statistics.Regression, Columns: many(8)}, "takes 2 to 7 columns"},
		"UnknownColumn": {statistics.Request{
			Kind:    statistics.Bins,
			Columns: []string{"size"},
		}, `There is no column "size". The columns are: Age, weight`},
		"Twice":         {statistics.Request{Kind: statistics.Correlation, Columns: []string{"age", "AGE"}}, "named twice"},
		"NotANumber":    {statistics.Request{Kind: statistics.Anova, Columns: []string{"city"}, By: "age"}, "the column city is text"},
		"NeedsGroups":   {statistics.Request{Kind: statistics.WelchT, Columns: []string{"age"}}, "say in by"},
		"TakesNoGroups": {statistics.Request{Kind: statistics.PairedT, Columns: []string{"age", "weight"}, By: "city"}, "takes no by"},
		"UnknownBy":     {statistics.Request{Kind: statistics.Anova, Columns: []string{"age"}, By: "town"}, `There is no column "town"`},
		"ByIsMeasured":  {statistics.Request{Kind: statistics.Anova, Columns: []string{"age"}, By: "AGE"}, "at once"},
		"Method": {statistics.Request{
			Kind:    statistics.Correlation,
			Columns: []string{"age", "weight"}, Method: "kendall",
		}, "pearson, spearman"},
		"NoMethod":      {statistics.Request{Kind: statistics.Anova, Columns: []string{"age"}, By: "city", Method: "z"}, "no method"},
		"K":             {statistics.Request{Kind: statistics.Outliers, Columns: []string{"age"}, K: -1}, "k must be above 0"},
		"KTooLarge":     {statistics.Request{Kind: statistics.Outliers, Columns: []string{"age"}, K: 101}, "at most 100"},
		"KElsewhere":    {statistics.Request{Kind: statistics.Profile, Columns: []string{"age"}, K: 2}, "Only outliers"},
		"StepElsewhere": {statistics.Request{Kind: statistics.Profile, Columns: []string{"age"}, Step: "month"}, "Only percent_change"},
		"Step": {statistics.Request{Kind: statistics.Change, Columns: []string{"age", "born"}, Step: "decade"}, "The " +
			"steps are: month,"},
		"NoTime":       {statistics.Request{Kind: statistics.Change, Columns: []string{"age", "city"}}, "and then a column of dates"},
		"TooManyBins":  {statistics.Request{Kind: statistics.Bins, Columns: []string{"age"}, Count: 51}, "1 to 50 bins"},
		"FallingEdges": {statistics.Request{Kind: statistics.Bins, Columns: []string{"age"}, Edges: []float64{1, 1}}, "must rise"},
		"EndlessEdges": {statistics.Request{
			Kind:    statistics.Bins,
			Columns: []string{"age"}, Edges: []float64{1, math.Inf(1)},
		}, "must rise"},
		"OneEdge":       {statistics.Request{Kind: statistics.Bins, Columns: []string{"age"}, Edges: []float64{1}}, "1 to 50 bins"},
		"EdgesAndCount": {statistics.Request{Kind: statistics.Bins, Columns: []string{"age"}, Edges: []float64{1, 2}, Count: 3}, "not both"},
		"BinsElsewhere": {statistics.Request{Kind: statistics.Anova, Columns: []string{"age"}, By: "city", Count: 3}, "Only bins"},
		"GroupsElsewhere": {statistics.Request{
			Kind:    statistics.Anova,
			Columns: []string{"age"}, By: "city", Groups: []string{"a", "b"},
		}, "Only welch_t"},
		"GroupsOfOneValue": {statistics.Request{
			Kind:    statistics.WelchT,
			Columns: []string{"age"}, By: "city", Groups: []string{"a", "a"},
		}, "two different"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.q.From, c.q.Known = "people", known()
			_, err := c.q.SQL()
			require.ErrorContains(t, err, c.want)
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		})
	}
}

func TestRequest_SQL_Quotes(t *testing.T) {
	t.Parallel()
	q := statistics.Request{
		Kind: statistics.WelchT, From: "people", Known: known(), Columns: []string{`odd"name`}, By: "city", Groups: []string{"O'Hara", "b"},
	}
	sql, err := q.SQL()
	require.NoError(t, err)
	require.Contains(t, sql, `"odd""name"`)
	require.Contains(t, sql, `'O''Hara'`)
}

func TestUsed(t *testing.T) {
	t.Parallel()
	table := func(names []string, rows ...[]any) *domain.ResultSet {
		out := &domain.ResultSet{Rows: rows}
		for _, n := range names {
			out.Columns = append(out.Columns, domain.Column{Name: n})
		}
		return out
	}
	const of = "; left out because a value is missing or no finite number: "
	require.Equal(t, "Used 4 values"+of+"1.", statistics.Used(table([]string{"n", "left_out"}, []any{int64(4), int64(1)})))
	require.Equal(t, "Used 2 to 4 values in each line"+of+"0 to 1.",
		statistics.Used(table([]string{"left_out", "n"}, []any{int64(1), int64(4)}, []any{int64(0), int64(2)})))
	require.Equal(t, "Used 5 values"+of+"3.",
		statistics.Used(table([]string{"first_n", "second_n", "left_out"}, []any{int64(2), int64(3), int64(3)})))
	require.Empty(t, statistics.Used(table([]string{"age"}, []any{int64(4)})), "the rows of outliers")
}
