package builtin

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestForm_Assumptions asks the samples, and says what the answers took against them.
func TestForm_Assumptions(t *testing.T) {
	t.Parallel()
	read := func(t *testing.T, table, question string, said ...meaning.Correction) *form {
		t.Helper()
		today := date(2026, 7, 10)
		tables, m := stored(t, "samples.json", today, func(in *semantic.Input) {
			for _, c := range said {
				c.Source, c.Table = in.Sources[0].ID, table
				in.Sources[0].Corrections = append(in.Sources[0].Corrections, c)
			}
		}, table)
		f := newPlanner(newLanguage(), tables, m, today, nil).read(question, nil)
		require.True(t, f.understood(), f.reason)
		return f
	}
	const accounts, tickets, orders = "subscription_revenue", "service_tickets", "retail_orders"
	last := domain.Statement{Field: meaning.FieldDefault, Value: "last"}
	mean := domain.Statement{Field: meaning.FieldDefault, Value: "mean_of_periods"}
	rate := domain.Statement{Field: meaning.FieldAdds, Value: "rate"}
	level := domain.Statement{Field: meaning.FieldAdds, Value: "level"}
	amount := domain.Statement{Field: meaning.FieldAdds, Value: "amount"}

	for _, c := range []struct {
		table, question, column string
		step                    meaning.Step
		taken                   domain.Statement
		others                  []domain.Statement
	}{
		{accounts, "what is our mrr?", "mrr", meaning.Month, last, []domain.Statement{mean, amount}},
		{accounts, "mrr by plan", "mrr", meaning.Month, last, []domain.Statement{mean, amount}},
		{accounts, "seats by plan", "seats", meaning.Month, last, []domain.Statement{mean, amount}},
		{accounts, "nps score by plan", "nps_score", "", rate, []domain.Statement{amount}},
		{tickets, "satisfaction by agent", "satisfaction", "", rate, []domain.Statement{amount}},
		{accounts, "support tickets by plan", "support_tickets", "", amount, []domain.Statement{level, rate}},
		{orders, "rating by category", "rating", "", rate, []domain.Statement{amount}},
	} {
		t.Run(c.question, func(t *testing.T) {
			t.Parallel()
			got := read(t, c.table, c.question).assumptions()
			require.Len(t, got, 1)
			require.Positive(t, got[0].Source)
			require.Equal(t, domain.Assumption{
				Source: got[0].Source, Table: c.table, Column: c.column, Step: c.step, Taken: c.taken, Others: c.others,
			}, got[0])
			require.NoError(t, (&domain.Annotation{Assumptions: got}).Validate())
		})
	}
	for question, table := range map[string]string{
		"mrr by month": accounts, "average nps score": accounts, "seats in 2025": accounts, "net sales by region": orders,
		"how many tickets by topic": tickets, "support tickets by month": accounts, "mrr change by plan": accounts,
	} {
		t.Run("NothingAssumed/"+question, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, read(t, table, question).assumptions())
		})
	}
	t.Run("SaidLast", func(t *testing.T) {
		t.Parallel()
		f := read(t, accounts, "what is our mrr?", meaning.Correction{Column: "mrr", Field: last.Field, Value: last.Value})
		require.Empty(t, f.assumptions())
		require.Contains(t, strings.Join(f.notes, " "), "so I took the last one")
	})
	t.Run("SaidMeanOfPeriods", func(t *testing.T) {
		t.Parallel()
		for _, question := range []string{"what is our mrr?", "mrr by plan"} {
			f := read(t, accounts, question, meaning.Correction{Column: "mrr", Field: mean.Field, Value: mean.Value})
			require.Empty(t, f.assumptions())
			require.Equal(t, grainMonth, f.measures[0].each)
			require.Contains(t, sql(f), "avg(periods.v)")
			require.Contains(t, strings.Join(f.notes, " "), "the mean of the months")
		}
	})
	t.Run("SaidAmount", func(t *testing.T) {
		t.Parallel()
		f := read(t, accounts, "nps score by plan", meaning.Correction{Column: "nps_score", Field: amount.Field, Value: amount.Value})
		require.Empty(t, f.assumptions())
		require.Contains(t, sql(f), "sum(nps_score)")
	})
	t.Run("SaidRate", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, read(t, accounts, "nps score by plan",
			meaning.Correction{Column: "nps_score", Field: rate.Field, Value: rate.Value}).assumptions())
	})
}

// TestForm_AssumedTime asks a table with two dates, where nobody said which date is meant.
func TestForm_AssumedTime(t *testing.T) {
	t.Parallel()
	read := func(question string, reason meaning.State) []domain.Assumption {
		tables := []analyst.Table{{
			SourceID: 7, Name: "s7.staff", Title: "staff", Rows: 500,
			Columns: []domain.Column{
				{Name: "person_id", Type: domain.ColumnInteger, Distinct: 500},
				{Name: "hire_date", Type: domain.ColumnDate, Distinct: 400, Min: "2019-01-01", Max: "2026-06-30"},
				{Name: "review_date", Type: domain.ColumnDate, Distinct: 300, Min: "2020-01-01", Max: "2026-06-30"},
				{Name: "team", Type: domain.ColumnText, Distinct: 5},
			},
		}}
		m := &meaning.Meaning{Tables: []meaning.Table{{
			Source: 7, Name: "staff", Time: "hire_date", TimeReason: meaning.Reason{State: reason},
		}}}
		f := newPlanner(newLanguage(), tables, m, date(2026, 7, 10), nil).read(question, nil)
		require.True(t, f.understood(), f.reason)
		return f.assumptions()
	}
	require.Equal(t, []domain.Assumption{{
		Source: 7, Table: "staff", Taken: domain.Statement{Field: meaning.FieldTime, Value: "hire_date"},
		Others: []domain.Statement{{Field: meaning.FieldTime, Value: "review_date"}},
	}}, read("number of staff by year", meaning.Inferred))
	require.Empty(t, read("number of staff by year", meaning.Said))
	require.Empty(t, read("number of staff by hire date", meaning.Inferred), "the question names it")
	require.Empty(t, read("number of staff by review date", meaning.Inferred), "the question names another one")
	require.Empty(t, read("number of staff by team", meaning.Inferred), "there is no time in it")
}
