package builtin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/domain"
)

func followTables() []analyst.Table {
	return []analyst.Table{{
		Source: "Sales", SourceID: 1, Name: "sales", Title: "Sales", Rows: 1000,
		Columns: []domain.Column{
			{Name: "order_id", Type: domain.ColumnText, Distinct: 1000},
			{Name: "day", Type: domain.ColumnDate, Distinct: 365, Min: "2025-01-01", Max: "2025-12-31"},
			{Name: "region", Type: domain.ColumnText, Distinct: 3, Values: []string{"North", "South", "West"}},
			{Name: "channel", Type: domain.ColumnText, Distinct: 2, Values: []string{"Online", "Store"}},
			{Name: "revenue_eur", Type: domain.ColumnNumber, Distinct: 900, Min: "1", Max: "500"},
		},
	}}
}

func TestProvider_FollowUps(t *testing.T) {
	t.Parallel()
	p := builtin.New(builtin.Config{})
	tables := followTables()
	day := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)
	byRegion := &domain.ResultSet{
		Columns: []domain.Column{{Name: "region", Type: domain.ColumnText}, {Name: "total_revenue_eur", Type: domain.ColumnNumber}},
		Rows:    [][]any{{"North", 300.0}, {"South", 200.0}, {"West", 100.0}},
	}
	for _, c := range []struct {
		name      string
		questions []string
		found     *domain.ResultSet
		want      []string
	}{
		{"Groups", []string{"total revenue by region"}, byRegion, []string{"And by channel?", "And by month?", "Only for North?"}},
		{"OneNumber", []string{"What is the total revenue?"}, nil, []string{"And by region?", "And by month?", "And by channel?"}},
		{"OverTime", []string{"total revenue by month"}, nil, []string{"And by region?", "As a share of the total?", "And by channel?"}},
		{
			"Following",
			[]string{"total revenue by region", "and only for 2025"},
			byRegion,
			[]string{"And by channel?", "And by month?", "Only for North?"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, p.FollowUps(tables, nil, c.questions, c.found, 3))
		})
	}
	t.Run("NoMonthsOfDataOfOneMonth", func(t *testing.T) {
		t.Parallel()
		one := followTables()
		one[0].Columns[1].Min, one[0].Columns[1].Max = "2025-03-01", "2025-03-31"
		for _, q := range []string{"total revenue by region", "What is the total revenue?", "florb the blarg of our zork"} {
			offers := p.FollowUps(one, nil, []string{q}, nil, 20)
			require.NotEmpty(t, offers, q)
			require.NotContains(t, offers, "And by month?", q)
			require.NotContains(t, strings.Join(offers, " "), "develop by month", q)
		}
		// The same questions of a year are followed by months.
		require.Contains(t, p.FollowUps(tables, nil, []string{"total revenue by region"}, nil, 20), "And by month?")
		require.Contains(t, strings.Join(p.FollowUps(tables, nil, []string{"florb the blarg of our zork"}, nil, 20), " "), "develop by month")
	})
	t.Run("NoShareOfOneGroup", func(t *testing.T) {
		t.Parallel()
		alone := &domain.ResultSet{Columns: byRegion.Columns, Rows: byRegion.Rows[:1]}
		question := []string{"total revenue by region"}
		require.NotContains(t, p.FollowUps(tables, nil, question, alone, 20), "As a share of the total?")
		require.Contains(t, p.FollowUps(tables, nil, question, byRegion, 20), "As a share of the total?")
	})
	t.Run("EachIsAnswered", func(t *testing.T) {
		t.Parallel()
		before := builtin.Read(tables, day, "total revenue by region")
		for _, q := range p.FollowUps(tables, nil, []string{"total revenue by region"}, byRegion, 8) {
			r := builtin.Read(tables, day, "total revenue by region", q)
			require.True(t, r.Understood, q)
			require.Empty(t, r.Ignored, q)
			require.NotEqual(t, before.SQL, r.SQL, q)
		}
	})
	t.Run("AtLeastTwoHoweverLittleIsLeftToAsk", func(t *testing.T) {
		t.Parallel()
		small := []analyst.Table{{
			Source: "Visits", SourceID: 1, Name: "visits", Title: "Visits", Rows: 6,
			Columns: []domain.Column{
				{Name: "region", Type: domain.ColumnText, Distinct: 2, Values: []string{"North", "South"}},
				{Name: "visits", Type: domain.ColumnInteger, Distinct: 6, Min: "800", Max: "1500"},
				{Name: "month", Type: domain.ColumnDate, Distinct: 3, Min: "2024-01-01", Max: "2025-01-01"},
			},
		}}
		for _, q := range []string{
			"visits by region in 2025 vs 2024", "visits by region by month", "share of visits by region",
			"how many visits in 2025?",
		} {
			offers := p.FollowUps(small, nil, []string{q}, nil, 3)
			require.GreaterOrEqual(t, len(offers), 2, q)
			for _, next := range offers {
				r := builtin.Read(small, day, q, next)
				require.True(t, r.Understood, next)
				require.NotEqual(t, builtin.Read(small, day, q).SQL, r.SQL, next)
			}
		}
	})
	t.Run("OfTheSchemaWhereAQuestionWasReadByAModelAlone", func(t *testing.T) {
		t.Parallel()
		offers := p.FollowUps(tables, nil, []string{"florb the blarg of our zork"}, nil, 2)
		require.Len(t, offers, 2)
		for _, q := range offers {
			require.True(t, builtin.Read(tables, day, q).Understood, q)
		}
	})
	t.Run("NoneWithoutTables", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, p.FollowUps(nil, nil, []string{"total revenue"}, nil, 3))
	})
	t.Run("NoneWithMarkup", func(t *testing.T) {
		t.Parallel()
		odd := &domain.ResultSet{Columns: byRegion.Columns, Rows: [][]any{{"[x](y)", 1.0}, {"b", 0.0}}}
		for _, q := range p.FollowUps(tables, nil, []string{"total revenue by region"}, odd, 8) {
			require.NotContains(t, q, "x")
		}
	})
}

// A question that is complete by itself keeps nothing of the question before.
func TestRead_WholeQuestion(t *testing.T) {
	t.Parallel()
	tables := followTables()
	day := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)
	for _, question := range []string{
		"how many rows are there?", "How many rows?", "how many records are there?",
		"how many sales are there?",
	} {
		alone := builtin.Read(tables, day, question)
		require.True(t, alone.Understood, question)
		require.Equal(t, alone.SQL, builtin.Read(tables, day, "total revenue by region in 2025", question).SQL, question)
	}
}
