package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestForm_Write has questions that the query tree refuses, or writes in its own way.
func TestForm_Write(t *testing.T) {
	t.Parallel()
	tables := listOf("sales",
		domain.Column{Name: "amount", Type: domain.ColumnNumber, Distinct: 90, Min: "-5", Max: "900"},
		domain.Column{Name: "heat", Type: domain.ColumnNumber, Distinct: 90, Min: "1", Max: "900"},
		domain.Column{Name: "currency", Type: domain.ColumnText, Distinct: 2, Values: []string{"EUR", "USD"}},
		domain.Column{Name: "region", Type: domain.ColumnText, Distinct: 2, Nulls: 3, Values: []string{"North", "South"}},
		domain.Column{Name: "order_id", Type: domain.ColumnInteger, Distinct: 60, Min: "1", Max: "60"},
		domain.Column{Name: "sold", Type: domain.ColumnTime, Distinct: 99, Min: "2024-01-01", Max: "2025-06-30"},
	)
	number := func(name string, adds meaning.Adds, state meaning.State, barriers ...meaning.Barrier) meaning.Column {
		return meaning.Column{
			Name: name, Role: meaning.Measure, Number: &meaning.Number{Adds: adds, Scale: 1, Barriers: barriers},
			Reasons: map[string]meaning.Reason{"adds": {State: state}},
		}
	}
	m := &meaning.Meaning{Tables: []meaning.Table{{Source: 1, Name: "sales", Columns: []meaning.Column{
		number("amount", meaning.Amount, meaning.Said, meaning.Barrier{Column: "currency", Resolve: meaning.FixOrGroup, Of: "currencies"}),
		number("heat", meaning.Rate, meaning.Inferred),
	}}}}
	read := func(question string) *form {
		return newPlanner(newLanguage(), tables, m, date(2025, 7, 1), nil).read(question, nil)
	}
	for question, reason := range map[string]string{
		"total amount by region": "mixes currencies. Possible instead: grouped by currency; one currency.",
		"total heat by region":   "A rate is not added up",
	} {
		f := read(question)
		require.False(t, f.understood(), question)
		require.Empty(t, sql(f))
		require.Contains(t, f.reason, reason, question)
	}
	for question, statement := range map[string]string{
		"total amount by currency": "SELECT currency, sum(amount) AS total_amount FROM sales GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1 NULLS LAST",
		"total amount in EUR":      "SELECT sum(amount) AS total_amount FROM sales WHERE currency = 'EUR'",
		"average heat by weekday": "SELECT dayname(sold) AS weekday, avg(heat) AS average_heat FROM sales GROUP BY 1 ORDER BY CASE WHEN " +
			"dayname(sold) = 'Monday' THEN 1 WHEN dayname(sold) = 'Tuesday' THEN 2 WHEN dayname(sold) = 'Wednesday' THEN 3 WHEN " +
			"dayname(sold) = 'Thursday' THEN 4 WHEN dayname(sold) = 'Friday' THEN 5 WHEN dayname(sold) = 'Saturday' THEN 6 WHEN " +
			"dayname(sold) = 'Sunday' THEN 7 WHEN dayname(sold) IS NOT NULL THEN 8 END NULLS LAST",
		"median EUR amount per order": "SELECT median(CAST(periods.v AS DOUBLE)) AS median_amount_per_order FROM (SELECT sales.order_id AS " +
			"period, sum(sales.amount) AS v FROM sales WHERE sales.currency = 'EUR' AND sales.order_id IS NOT NULL GROUP BY 1) AS periods",
	} {
		f := read(question)
		require.True(t, f.understood(), "%s: %s", question, f.reason)
		require.Equal(t, statement, flat(sql(f)), question)
	}
}

// TestTidy leaves out what a statement does not need, and nothing else.
func TestTidy(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`SELECT "a"."x" AS "x" FROM "a" AS "a" WHERE "a"."y" = 'it''s "a"."x"'`:         `SELECT x FROM a WHERE y = 'it''s "a"."x"'`,
		`SELECT "a"."x" AS "x", "b"."x" AS "y" FROM a AS "a" LEFT JOIN b AS "b" ON 1=1`: `SELECT a.x, b.x AS y FROM a LEFT JOIN b ON 1=1`,
		`SELECT "a b"."Größe" AS "n" FROM "s1"."a b" AS "a b"`:                          `SELECT "Größe" AS n FROM s1."a b"`,
		`SELECT count(*) AS "order" FROM "select" AS "select"`:                          `SELECT count(*) AS "order" FROM "select"`,
		"WITH \"f\" AS (\nSELECT 1\nFROM \"t\" AS \"t\"\n)\nSELECT 2":                   "WITH f AS (\n    SELECT 1\n    FROM t\n)\nSELECT 2",
	} {
		require.Equal(t, want, tidy(given, nil))
	}
	require.Equal(t, `SELECT "user" FROM a`, tidy(`SELECT "a"."user" AS "user" FROM "a" AS "a"`, reservedInPostgres))
}
