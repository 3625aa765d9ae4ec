package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestPlanner_TiedPaths asks for a table to which two links lead: the airports of a flight.
func TestPlanner_TiedPaths(t *testing.T) {
	t.Parallel()
	tables := []analyst.Table{
		{Name: "s1.flights", Title: "Flights", SourceID: 1, Rows: 900, Columns: []domain.Column{
			numberColumn("flight_id", 900), numberColumn("from_airport", 3), numberColumn("to_airport", 3), numberColumn("seats", 40),
		}},
		{Name: "s1.airports", Title: "Airports", SourceID: 1, Rows: 3, Columns: []domain.Column{
			numberColumn("airport_id", 3), textColumn("country", "Italy", "Norway", "Peru"),
		}},
	}
	link := func(from string) meaning.Link {
		return meaning.Link{
			From:        meaning.Ends{Source: 1, Table: "flights", Columns: []string{from}},
			To:          meaning.Ends{Source: 1, Table: "airports", Columns: []string{"airport_id"}},
			Cardinality: meaning.ManyToOne, Reason: meaning.Reason{State: meaning.Measured},
		}
	}
	read := func(question string, links ...meaning.Link) *form {
		return newPlanner(newLanguage(), tables, &meaning.Meaning{Links: links}, date(2026, 10, 15), nil).read(question, nil)
	}
	from, to := link("from_airport"), link("to_airport")

	f := read("total seats by country", from, to)
	require.Equal(t, domain.GradeAsked, f.grade(), f.reason)
	require.Contains(t, f.reason, "flights.from_airport → airports.airport_id; or flights.to_airport → airports.airport_id")
	require.Contains(t, f.reason, "Which one do you mean?")

	to.Preferred = true
	f = read("total seats by country", from, to)
	require.True(t, f.understood(), f.reason)
	require.Contains(t, sql(f), "to_airport")

	f = read("total seats by moon", from, link("to_airport"))
	require.Equal(t, domain.GradeRefused, f.grade(), "no table has moons")
}
