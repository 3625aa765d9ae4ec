package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestPlanner_Parts asks for one of the two airports of a flight by its name.
func TestPlanner_Parts(t *testing.T) {
	t.Parallel()
	tables := []analyst.Table{
		{Name: "s1.flights", Title: "Flights", SourceID: 1, Rows: 900, Columns: []domain.Column{
			numberColumn("flight_id", 900), numberColumn("origin_airport_id", 3), numberColumn("destination_airport_id", 3),
			numberColumn("seats", 40),
		}},
		{Name: "s1.airports", Title: "Airports", SourceID: 1, Rows: 3, Columns: []domain.Column{
			numberColumn("airport_id", 3), textColumn("country", "Italy", "Norway", "Peru"), numberColumn("owner_id", 2),
		}},
		{Name: "s1.owners", Title: "Owners", SourceID: 1, Rows: 2, Columns: []domain.Column{
			numberColumn("owner_id", 2), textColumn("sector", "Public", "Private"),
		}},
	}
	link := func(from, column, to, key, part string) meaning.Link {
		return meaning.Link{
			From: meaning.Ends{Source: 1, Table: from, Columns: []string{column}}, To: meaning.Ends{Source: 1, Table: to, Columns: []string{key}},
			Part: part, Cardinality: meaning.ManyToOne, Reason: meaning.Reason{State: meaning.Measured},
		}
	}
	m := &meaning.Meaning{Hash: "m", Links: []meaning.Link{
		link("flights", "origin_airport_id", "airports", "airport_id", "origin"),
		link("flights", "destination_airport_id", "airports", "airport_id", "destination"),
		link("airports", "owner_id", "owners", "owner_id", ""),
	}}
	s := newIndexCache()
	read := func(m *meaning.Meaning, questions ...string) *form {
		return s.planner(newLanguage(), tables, m, date(2026, 10, 15), questions).follow(questions)
	}
	const origin, destination = "flights.origin_airport_id = airports.airport_id", "flights.destination_airport_id = airports.airport_id"
	for question, by := range map[string]string{
		"total seats by origin country":               origin,
		"total seats by country of origin":            origin,
		"total seats by destination country":          destination,
		"how many flights have destination Norway?":   destination,
		"average seats by country of its destination": destination,
		"total seats by origin sector":                origin,
	} {
		// A meaning of the same hash that was read again has other links in memory.
		again := *m
		again.Links = append([]meaning.Link(nil), m.Links...)
		f := read(&again, question)
		require.True(t, f.understood(), "%s: %s", question, f.reason)
		require.Contains(t, sql(f), by, question)
	}
	for _, question := range []string{
		"total seats by country", "total seats by origin country and destination country", "total seats by origin moon",
	} {
		f := read(m, question)
		require.False(t, f.understood(), "%s: %s", question, sql(f))
	}

	require.Contains(t, read(m, "total seats by country").reason, "Please say “origin” or “destination” in the question.")

	f := read(m, "total seats by origin country", "and by destination country?")
	require.False(t, f.understood(), "%s %v %s", sql(f), f.changesPrevious(), plan(f))
	require.Contains(t, f.reason, "please ask it in full.")
	f = read(m, "total seats by origin country", "average seats by destination country")
	require.True(t, f.understood(), f.reason)
	require.Contains(t, sql(f), destination)
	f = read(m, "total seats", "and by destination country?")
	require.True(t, f.understood(), f.reason)
	require.Contains(t, sql(f), destination)
	require.Contains(t, sql(f), "sum(flights.seats)")
	f = read(m, "total seats by origin country", "only for Norway")
	require.True(t, f.understood(), f.reason)
	require.Contains(t, sql(f), origin)
	require.Contains(t, sql(f), "Norway")

	m.Links[0].Preferred = true
	m.Hash = "preferred"
	for question, by := range map[string]string{
		"total seats by country":             origin,
		"total seats by origin country":      origin,
		"total seats by destination country": destination,
	} {
		f := read(m, question)
		require.True(t, f.understood(), "%s: %s", question, f.reason)
		require.Contains(t, sql(f), by, question)
	}
	require.False(t, read(m, "total seats by origin country and destination country").understood())
	m.Links[0].Preferred = false

	m.Links[0].Part, m.Links[1].Part = "from", "to"
	m.Hash = "prepositions"
	require.False(t, read(m, "total seats from 5 to 9 by country").understood())
}
