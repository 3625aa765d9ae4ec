package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/builtin/corpus"
	"parley.dev/parley/domain"
)

// TestRead_RowsOfMark reads the questions that the web asks when a mark of a chart is pressed
// (web/src/components/chart/rows-question.ts), for every column of the corpus that can be on an axis.
func TestRead_RowsOfMark(t *testing.T) {
	t.Parallel()
	asked := 0
	for _, s := range corpus.Schemas() {
		for i := range s.Tables {
			table := &s.Tables[i]
			for j := range table.Columns {
				for first, mark := range marksOf(table.Name, &table.Columns[j]) {
					if !builtin.Read(s.Tables, corpus.Now(), first).Understood {
						continue
					}
					asked++
					r := builtin.Read(s.Tables, corpus.Now(), first, "Of those, show the rows "+mark.words)
					require.True(t, r.Understood, "%s > %s: %s", first, mark.words, r.Plan)
					require.Contains(t, r.SQL, mark.sql, "%s > %s", first, mark.words)
					require.NotContains(t, r.SQL, "count(", "%s > %s", first, mark.words)
				}
			}
		}
	}
	require.Greater(t, asked, 100)

	r := builtin.Read(corpus.Schemas()[0].Tables, corpus.Now(), "revenue by region in 2025 for Furniture",
		"Of those, show the rows where region is “North”")
	for _, kept := range []string{"region = 'North'", "category = 'Furniture'", "order_date >= DATE '2025-01-01'"} {
		require.Contains(t, r.SQL, kept, "the conditions of the chart stay")
	}
}

// mark is a mark of a chart: how a question names it, and what its statement must contain.
type mark struct{ words, sql string }

// marksOf returns questions that lead to a chart with the column along its axis, each with a mark of it.
func marksOf(table string, c *domain.Column) map[string]mark {
	out := map[string]mark{}
	switch {
	case c.Type == domain.ColumnText && len(c.Values) > 0:
		value := c.Values[0]
		out[fmt.Sprintf("number of %s by %s", table, c.Name)] = mark{
			fmt.Sprintf("where %s is “%s”", c.Name, value), "'" + strings.ReplaceAll(value, "'", "''") + "'",
		}
	case (c.Type == domain.ColumnDate || c.Type == domain.ColumnTime) && len(c.Min) >= len("2006-01-02"):
		year := c.Min[:4]
		for unit, words := range map[string]string{"month": "March " + year, "quarter": "Q2 " + year, "year": year, "day": c.Min[:10]} {
			out[fmt.Sprintf("number of %s by %s of %s", table, unit, c.Name)] = mark{"of " + words, "DATE '" + year}
		}
	}
	return out
}
