package builtin

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestPlanner_JoinsBySeveralColumns asks over a table whose rows are named by two columns together: the shelf of a product
// in a shop. No single column of the sales stands for a shelf.
func TestPlanner_JoinsBySeveralColumns(t *testing.T) {
	t.Parallel()
	tables := []analyst.Table{
		{Name: "s1.sales", Title: "Sales", SourceID: 1, Rows: 900, Columns: []domain.Column{
			numberColumn("sale_id", 900), textColumn("shop", "North", "South", "West"), textColumn("article", "A1", "A2", "A3", "A4"),
			numberColumn("units", 40),
		}},
		{Name: "s1.shelves", Title: "Shelves", SourceID: 1, Rows: 12, Columns: []domain.Column{
			textColumn("shop", "North", "South", "West"), textColumn("article", "A1", "A2", "A3", "A4"),
			textColumn("aisle", "Left", "Middle", "Right"),
			numberColumn("planner_id", 2),
		}},
		{Name: "s1.planners", Title: "Planners", SourceID: 1, Rows: 2, Columns: []domain.Column{
			numberColumn("planner_id", 2), textColumn("region", "Inland", "Coast"),
		}},
	}
	ends := func(table string, columns ...string) meaning.Ends {
		return meaning.Ends{Source: 1, Table: table, Columns: columns}
	}
	link := func(distinct int64) meaning.Link {
		return meaning.Link{
			From: ends("sales", "shop", "article"), To: ends("shelves", "shop", "article"), Distinct: distinct, Matched: distinct,
			Cardinality: meaning.ManyToOne, Reason: meaning.Reason{State: meaning.Measured},
		}
	}
	further := meaning.Link{
		From: ends("shelves", "planner_id"), To: ends("planners", "planner_id"), Distinct: 2, Matched: 2,
		Cardinality: meaning.ManyToOne, Reason: meaning.Reason{State: meaning.Measured},
	}
	read := func(question string, links ...meaning.Link) *form {
		return newPlanner(newLanguage(), tables, &meaning.Meaning{Links: links}, date(2026, 10, 15), nil).read(question, nil)
	}

	f := read("total units by aisle", link(12))
	require.True(t, f.understood(), f.reason)
	require.Contains(t, sql(f), "LEFT JOIN s1.shelves ON sales.shop = shelves.shop AND sales.article = shelves.article")
	require.Contains(t, plan(f), "I joined `Shelves` by `Shop` and `Article`.")

	f = read("total units by region", link(12), further)
	require.True(t, f.understood(), f.reason)
	require.Contains(t, plan(f), "I joined `Shelves` by `Shop` and `Article`. I joined `Planners` by `Planner ID`.")

	for _, question := range []string{"total units by shop", "total units by article for North", "units per shop on average"} {
		f = read(question, link(12))
		require.True(t, f.understood(), f.reason)
		require.NotContains(t, sql(f), "shelves", question)
	}

	guess := link(12)
	guess.Reason.State = meaning.Inferred
	require.False(t, read("total units by aisle", guess).understood(), "a guess joins nothing")

	for _, distinct := range []int64{12, 9} {
		v := views(tables, &meaning.Meaning{Links: []meaning.Link{link(distinct)}})[0]
		require.Len(t, v.joined, 1)
		shelves := v.joined[0]
		require.Nil(t, shelves.on, "neither a shop nor an article is a shelf")
		require.False(t, shelves.onceInBase(), "a shelf has many sales")
		require.Equal(t, distinct == 12, shelves.covered())
	}
}

// TestPlanner_JoinsBySeveralColumns_Any asks all kinds of questions over a table that is joined by two columns, and another one
// that cannot be joined because two links lead to it. No question may fail, and none may use one column of the key for the whole
// row.
func TestPlanner_JoinsBySeveralColumns_Any(t *testing.T) {
	t.Parallel()
	tables := []analyst.Table{
		{Name: "s1.flights", Title: "Flights", SourceID: 1, Rows: 600, Columns: []domain.Column{
			numberColumn("flight_id", 600), numberColumn("origin_airport_id", 20), numberColumn("destination_airport_id", 20),
			numberColumn("seats", 240),
			textColumn("gate", "A", "B", "C"), numberColumn("terminal", 4),
		}},
		{Name: "s2.airports", Title: "Airports", SourceID: 2, Rows: 20, Columns: []domain.Column{
			numberColumn("airport_id", 20),
			{Name: "airport_name", Type: domain.ColumnText, Distinct: 20},
			textColumn("country", "Italy", "Norway", "Peru"),
		}},
		{Name: "s3.gates", Title: "Gates", SourceID: 3, Rows: 12, Columns: []domain.Column{
			textColumn("gate", "A", "B", "C"), numberColumn("terminal", 4), textColumn("lounge", "Quiet", "Family"), numberColumn("walk_minutes", 9),
		}},
	}
	link := func(from string, source int64, to, part string, columns ...string) meaning.Link {
		return meaning.Link{
			From: meaning.Ends{Source: 1, Table: "flights", Columns: strings.Fields(from)},
			To:   meaning.Ends{Source: source, Table: to, Columns: columns}, Part: part, Distinct: 11, Matched: 11,
			Cardinality: meaning.ManyToOne, Reason: meaning.Reason{State: meaning.Measured},
		}
	}
	m := &meaning.Meaning{Links: []meaning.Link{
		link("origin_airport_id", 2, "airports", "origin", "airport_id"),
		link("destination_airport_id", 2, "airports", "destination", "airport_id"),
		link("gate terminal", 3, "gates", "", "gate", "terminal"),
	}}
	p := newPlanner(newLanguage(), tables, m, date(2026, 10, 15), nil)
	sums := []string{
		"total seats", "average seats", "number of flights", "average walk minutes", "total walk minutes", "number of gates", "gates",
		"number of airports", "seats per flight", "flights per gate", "seats per gate on average", "the gate with the most seats", "median seats",
	}
	by := []string{
		"", "by country", "by origin country", "by destination country", "by lounge", "by gate", "by terminal", "by gate and lounge",
		"for Norway", "for the Quiet lounge", "by airport", "per gate", "without a gate", "by origin airport and lounge", "by mood",
	}
	for _, what := range sums {
		for _, group := range by {
			one := what + " " + group
			for _, question := range []string{one, "which lounge has the highest " + one + "?", "top 3 " + one} {
				f := p.follow([]string{question, "and by destination country?"})
				require.NotNil(t, f, question)
				f = p.follow([]string{"total seats by lounge", question})
				if f.understood() && strings.Contains(sql(f), "JOIN s3.gates") {
					require.Contains(t, sql(f), "flights.gate = gates.gate AND flights.terminal = gates.terminal", question)
				}
			}
		}
	}
}
