package builtin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// invoices is a table with two dates, and with money whose unit only people can say.
func invoices() []analyst.Table {
	return []analyst.Table{{
		SourceID: 7, Name: "invoices", Title: "invoices", Rows: 500,
		Columns: []domain.Column{
			{Name: "invoice_id", Type: domain.ColumnInteger, Distinct: 500, Min: "1", Max: "500"},
			{Name: "issued_on", Type: domain.ColumnDate, Distinct: 300, Min: "2024-01-01", Max: "2025-12-31"},
			{Name: "due_date", Type: domain.ColumnDate, Distinct: 300, Min: "2024-01-31", Max: "2026-01-30"},
			{Name: "team", Type: domain.ColumnText, Distinct: 2, Values: []string{"North", "South"}},
			{Name: "worth", Type: domain.ColumnNumber, Distinct: 400, Min: "1", Max: "900"},
			{Name: "fee_cents", Type: domain.ColumnInteger, Distinct: 400, Min: "1", Max: "900"},
		},
	}}
}

// corrected is what tables mean after people said something about the columns of invoices.
func corrected(tables []analyst.Table, today time.Time, said ...meaning.Correction) *meaning.Meaning {
	s := semantic.Source{ID: 7, Resources: []domain.DataResource{{
		Name: tables[0].Title, Table: tables[0].Name, Rows: tables[0].Rows, Columns: tables[0].Columns,
	}}}
	for _, c := range said {
		c.Source, c.Table = 7, tables[0].Name
		s.Corrections = append(s.Corrections, c)
	}
	return semantic.Derive(&semantic.Input{Sources: []semantic.Source{s}, Today: today})
}

// TestPlanner_Corrected asks the same question before and after a person said what is meant.
func TestPlanner_Corrected(t *testing.T) {
	t.Parallel()
	today := date(2026, 3, 10)
	tell := func(t *testing.T, question string, value float64, said ...meaning.Correction) (f *form, answer string) {
		t.Helper()
		tables := invoices()
		f = newPlanner(newLanguage(), tables, corrected(tables, today, said...), today, nil).read(question, nil)
		require.True(t, f.understood(), f.reason)
		found := &domain.ResultSet{Rows: [][]any{{value}}}
		return f, narrate(f, found).answer
	}
	t.Run("DefaultTime", func(t *testing.T) {
		t.Parallel()
		const question = "how many invoices in 2025?"
		f, answer := tell(t, question, 240)
		require.Contains(t, sql(f), "issued_on")
		require.NotContains(t, sql(f), "due_date")
		require.NotContains(t, answer, "by ")

		f, answer = tell(t, question, 244, meaning.Correction{Field: meaning.FieldTime, Value: "due_date"})
		require.Contains(t, sql(f), "due_date")
		require.NotContains(t, sql(f), "issued_on")
		require.Contains(t, answer, "by due date")
		require.Contains(t, plan(f), "by `Due date`")

		f, _ = tell(t, "invoices by month", 3, meaning.Correction{Field: meaning.FieldTime, Value: "due_date"})
		require.NotContains(t, sql(f), "issued_on")
	})
	t.Run("Unit", func(t *testing.T) {
		t.Parallel()
		_, answer := tell(t, "total worth", 1250)
		require.Contains(t, answer, "**1,250**")
		_, answer = tell(t, "total worth", 1250, meaning.Correction{Column: "worth", Field: meaning.FieldUnit, Value: "CHF"})
		require.Contains(t, answer, "**CHF 1,250**")
		_, answer = tell(t, "average worth", 12.5, meaning.Correction{Column: "worth", Field: meaning.FieldUnit, Value: "%"})
		require.Contains(t, answer, "**12.5%**")
		_, answer = tell(t, "average worth", 12.5, meaning.Correction{Column: "worth", Field: meaning.FieldUnit, Value: "kg"})
		require.Contains(t, answer, "**12.5 kg**")
	})
	t.Run("Scale", func(t *testing.T) {
		t.Parallel()
		f, answer := tell(t, "total worth", 1250, meaning.Correction{Column: "worth", Field: meaning.FieldScale, Value: "1000"})
		require.Contains(t, answer, "**1,250 thousand**")
		require.Equal(t, "Total worth (thousand)", title(f))
		_, answer = tell(t, "total worth", 12.5, meaning.Correction{Column: "worth", Field: meaning.FieldScale, Value: "1000"},
			meaning.Correction{Column: "worth", Field: meaning.FieldUnit, Value: "EUR"})
		require.Contains(t, answer, "**€12.5 thousand**")
	})
	t.Run("Cents", func(t *testing.T) {
		t.Parallel()
		_, answer := tell(t, "total fee cents", 1250)
		require.Contains(t, answer, "**1,250 cents**")
	})
	t.Run("NoNumber", func(t *testing.T) {
		t.Parallel()
		f, _ := tell(t, "invoices by worth", 3, meaning.Correction{Column: "worth", Field: meaning.FieldRole, Value: string(meaning.Dimension)})
		require.NotContains(t, sql(f), "sum(worth)")
		require.Contains(t, sql(f), "GROUP BY")
	})
}

// TestSnapshot_LastComplete reads a level at the last complete period, and not at one that has only some of its rows.
func TestSnapshot_LastComplete(t *testing.T) {
	t.Parallel()
	today := date(2026, 11, 23)
	tables, m := stored(t, "samples.json", today, nil, "subscription_revenue")
	read := func() *form {
		return newPlanner(newLanguage(), tables, m, today, nil).read("what is our mrr?", nil)
	}
	require.Contains(t, sql(read()), "2026-10-01")
	for i := range m.Tables {
		m.Tables[i].Snapshot.Last = "2026-09-01"
	}
	f := read()
	require.Contains(t, sql(f), "2026-09-01")
	require.Contains(t, f.notes[0], "September 2026")
}
