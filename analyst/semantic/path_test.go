package semantic_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain/meaning"
)

// schema reads links, one a line: "orders.customer_id > customers.id", with "=" for one to one and "*" for many to many, and
// then words: inferred, preferred, or the part that the other table plays.
func schema(t *testing.T, text string) *meaning.Meaning {
	t.Helper()
	m := &meaning.Meaning{}
	end := func(s string) meaning.Ends {
		table, columns, ok := strings.Cut(s, ".")
		require.True(t, ok, s)
		return meaning.Ends{Source: 1, Table: table, Columns: strings.Split(columns, "+")}
	}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		f := strings.Fields(line)
		require.GreaterOrEqual(t, len(f), 3, line)
		l := meaning.Link{From: end(f[0]), To: end(f[2]), Reason: meaning.Reason{State: meaning.Measured}}
		l.Cardinality = map[string]meaning.Cardinality{">": meaning.ManyToOne, "=": meaning.OneToOne, "*": meaning.ManyToMany}[f[1]]
		require.NotEmpty(t, l.Cardinality, line)
		for _, w := range f[3:] {
			switch w {
			case "inferred":
				l.Reason.State = meaning.Inferred
			case "preferred":
				l.Preferred = true
			default:
				l.Part = w
			}
		}
		m.Links = append(m.Links, l)
	}
	return m
}

// academic, flights and broker have the forms of schemas that text-to-SQL benchmarks use.
const (
	academic = `
writes.author_id > author.author_id
writes.paper_id > paper.paper_id
paper.journal_id > journal.journal_id
paper.conference_id > conference.conference_id
author.organization_id > organization.organization_id
domain_journal.journal_id > journal.journal_id
domain_journal.domain_id > domain.domain_id
domain_author.author_id > author.author_id
domain_author.domain_id > domain.domain_id
cite.citing > paper.paper_id citing
cite.cited > paper.paper_id cited`
	flights = `
flight.from_airport > airport.airport_code from
flight.to_airport > airport.airport_code to
flight.airline_code > airline.airline_code
airport.city_code > city.city_code
city.state_code > state.state_code
state.country_code > country.country_code
country.region_code > region.region_code
flight_fare.flight_id > flight.flight_id
flight_fare.fare_id > fare.fare_id`
	broker = `
transaction.customer_id > customer.id
transaction.ticker_id > ticker.id
price.ticker_id > ticker.id
customer.country_code > country.code inferred
branch.country_code > country.code
customer.branch_id > branch.id
profile.customer_id = customer.id
tickets.order_id * orders.order_id`
)

func TestPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, schema, from, to string
		// want is the path, or the number of equally good ones, or "none".
		want string
	}{
		{"ItsOwnTable", academic, "paper", "paper", ""},
		{"OneHop", academic, "paper", "journal", "paper.journal_id → journal.journal_id"},
		{"TwoHops", academic, "writes", "journal", "writes.paper_id → paper.paper_id, paper.journal_id → journal.journal_id"},
		{
			"TwoHopsByAnother", academic, "writes", "organization",
			"writes.author_id → author.author_id, author.organization_id → organization.organization_id",
		},
		{"NeverToTheManySide", academic, "journal", "paper", "none"},
		{"NeverOverABridge", academic, "author", "paper", "none"},
		{"TwoDomains", academic, "domain_author", "domain", "domain_author.domain_id → domain.domain_id"},
		{"TwoRolesAreATie", academic, "cite", "paper", "2"},
		{"TwoRolesStayATieFurtherOn", academic, "cite", "journal", "2"},
		{"FromOrTo", flights, "flight", "city", "2"},
		{
			"ThreeHops", flights, "airport", "country",
			"airport.city_code → city.city_code, city.state_code → state.state_code, state.country_code → country.country_code",
		},
		{"FourHops", flights, "airport", "region", "airport.city_code → city.city_code, city.state_code → state.state_code, " +
			"state.country_code → country.country_code, country.region_code → region.region_code"},
		{"NotFive", flights, "flight", "region", "none"},
		{
			"FareAirline", flights, "flight_fare", "airline",
			"flight_fare.flight_id → flight.flight_id, flight.airline_code → airline.airline_code",
		},
		{"MeasuredBeforeInferred", broker, "customer", "country", "customer.branch_id → branch.id, branch.country_code → country.code"},
		{"OneToOneBackwards", broker, "transaction", "profile", "transaction.customer_id → customer.id, customer.id → profile.customer_id"},
		{"TheSameDimensionOfTwoTables", broker, "price", "ticker", "price.ticker_id → ticker.id"},
		{"NotThroughADimension", broker, "transaction", "price", "none"},
		{"NoTableOfTheirOwn", broker, "tickets", "orders", "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := semantic.Path(schema(t, c.schema), semantic.Place{Source: 1, Table: c.from}, semantic.Place{Source: 1, Table: c.to})
			switch c.want {
			case "none":
				require.Nil(t, w.Best)
				require.Empty(t, w.Tied)
			case "2":
				require.Nil(t, w.Best, "a tie is not broken")
				require.Len(t, w.Tied, 2)
				require.Len(t, w.Tell(), 2)
				require.NotEqual(t, w.Tell()[0], w.Tell()[1])
			default:
				require.NotNil(t, w.Best)
				require.Empty(t, w.Tied)
				hops := make([]string, len(w.Best))
				for i, h := range w.Best {
					hops[i] = h.String()
				}
				require.Equal(t, c.want, strings.Join(hops, ", "))
			}
		})
	}
}

// TestPath_Preferred says that a person's choice decides a tie, and wins against a shorter path.
func TestPath_Preferred(t *testing.T) {
	t.Parallel()
	m := schema(t, strings.Replace(flights, "airport.airport_code to", "airport.airport_code to preferred", 1))
	w := semantic.Path(m, semantic.Place{Source: 1, Table: "flight"}, semantic.Place{Source: 1, Table: "state"})
	require.Equal(t, "flight.to_airport → airport.airport_code", w.Best[0].String())
	require.Len(t, w.Best, 3)

	m = schema(t, strings.Replace(broker, "country.code inferred", "country.code inferred preferred", 1))
	w = semantic.Path(m, semantic.Place{Source: 1, Table: "customer"}, semantic.Place{Source: 1, Table: "country"})
	require.Len(t, w.Best, 1)
}

// TestPath_Asked walks the measured links of the joined tables of the evaluation.
func TestPath_Asked(t *testing.T) {
	t.Parallel()
	m := semantic.Derive(measuredInput(t, "asked"))
	place := func(table string) semantic.Place {
		for i := range m.Tables {
			if m.Tables[i].Name == table {
				return semantic.Place{Source: m.Tables[i].Source, Table: table}
			}
		}
		t.Fatal(table)
		return semantic.Place{}
	}
	for _, c := range []struct{ from, to, want string }{
		{"order_items", "customers", "order_items.order_id → orders.order_id; orders.customer_id → customers.customer_id"},
		{"payments", "customers", "payments.order_id → orders.order_id; orders.customer_id → customers.customer_id"},
		{"employees", "departments", "employees.department_id → departments.department_id"},
		{"payments", "products", ""},
		{"customers", "orders", ""},
	} {
		var hops []string
		for _, h := range semantic.Path(m, place(c.from), place(c.to)).Best {
			hops = append(hops, h.String())
		}
		require.Equal(t, c.want, strings.Join(hops, "; "), "%s to %s", c.from, c.to)
	}
}
