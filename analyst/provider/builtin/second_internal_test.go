package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// TestPlanner_Second asks questions whose best reading leaves out a part, while the rows of another table answer all of it; and
// questions that only the person can decide.
func TestPlanner_Second(t *testing.T) {
	t.Parallel()
	key := func(name string, distinct int64) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnInteger, Distinct: distinct, Min: "1", Max: "99"}
	}
	number := func(name string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnNumber, Distinct: 40, Min: "1", Max: "5"}
	}
	made := func(name string, columns ...domain.Column) analyst.Table {
		return analyst.Table{SourceID: 1, Name: name, Title: name, Rows: 60, Columns: columns}
	}
	cities := textColumn("city", "Oslo", "Bergen")
	shops := made("shops", key("shop_id", 60), cities, number("rating"))
	read := func(question string, tables ...analyst.Table) *form {
		return newPlanner(newLanguage(), tables, nil, date(2026, 7, 10), nil).read(question, nil)
	}

	t.Run("HoursAreANumberElsewhere", func(t *testing.T) {
		t.Parallel()
		day := domain.Column{Name: "start_date", Type: domain.ColumnDate, Distinct: 50, Min: "2025-01-01", Max: "2025-12-30"}
		projects := made("projects", key("project_id", 60), textColumn("client", "Harbour Trust", "Moreno Foods"), number("budget"), day)
		timesheets := made("timesheets", key("project_id", 30), number("hours"))
		f := read("total hours by client", projects, timesheets)
		require.True(t, f.understood(), f.reason)
		require.Equal(t, "timesheets", f.view.base.Name)
	})
	t.Run("ATableWithALongerName", func(t *testing.T) {
		t.Parallel()
		f := read("How many shops are there by city?", made("shop_openings", key("shop_id", 60), cities), shops)
		require.True(t, f.understood(), f.reason)
		require.Equal(t, "shops", f.view.base.Name)
	})
	t.Run("OnlyThePersonKnows", func(t *testing.T) {
		t.Parallel()
		f := read("total sales by city", made("north", cities, number("sales")), made("south", cities, number("sales")))
		require.True(t, f.blocked)
		require.True(t, f.asks)
	})
	t.Run("SeveralNumbersAreNoMean", func(t *testing.T) {
		t.Parallel()
		require.True(t, read("What are the ratings in Oslo?", shops).blocked)
		require.True(t, read("What is the average rating in Oslo?", shops).understood())
	})
	t.Run("AnOrderThatIsNotShown", func(t *testing.T) {
		t.Parallel()
		require.True(t, read("number of shops by city, sorted by shop id", shops).blocked)
		require.True(t, read("number of shops by city, sorted by city", shops).understood())
	})
}
