package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestPlanner_Torn asks for what two links lead to: the airports of a flight.
func TestPlanner_Torn(t *testing.T) {
	t.Parallel()
	number := func(name string, distinct int64) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnNumber, Distinct: distinct}
	}
	text := func(name string, values ...string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnText, Distinct: int64(len(values)), Values: values}
	}
	tables := []analyst.Table{
		{Name: "s1.flights", Title: "Flights", SourceID: 1, Rows: 900, Columns: []domain.Column{
			number("flight_id", 900), number("from_airport", 3), number("to_airport", 3), number("seats", 40),
		}},
		{Name: "s1.airports", Title: "Airports", SourceID: 1, Rows: 3, Columns: []domain.Column{
			number("airport_id", 3), text("country", "Italy", "Norway", "Peru"),
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
