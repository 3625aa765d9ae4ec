package builtin

import (
	"testing"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// TestPlanner_Meant asks for numbers and rows that a word names only in part.
func TestPlanner_Meant(t *testing.T) {
	t.Parallel()
	text := func(name string, values ...string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnText, Distinct: int64(len(values)), Values: values}
	}
	number := func(name, low, high string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnInteger, Distinct: 30, Min: low, Max: high}
	}
	day := func(name string, of domain.ColumnType) domain.Column {
		return domain.Column{Name: name, Type: of, Distinct: 90, Min: "2025-01-01", Max: "2025-10-01"}
	}
	key := func(name string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnText, Distinct: 100}
	}
	courts := listOf("court_bookings", key("booking_id"), day("starts_at", domain.ColumnTime), text("court", "One", "Two"),
		text("member", "Ada", "Bo", "Cem"), number("duration_min", "30", "120"), number("fee", "5", "30"))
	targets := listOf("shop_targets", text("shop", "Mall", "Station"), number("year", "2024", "2025"), number("target_revenue", "100", "900"))
	calls := listOf("helpline", key("call_ref"), day("called_on", domain.ColumnDate), text("reason", "Leak", "Billing"),
		text("office", "Hull", "York"), number("talk_minutes", "1", "90"), number("discount", "0", "9"))
	figures := listOf("greenhouse", day("month", domain.ColumnDate), text("house", "North", "South"), text("metric", "Water used", "Losses %"),
		domain.Column{Name: "value", Type: domain.ColumnNumber, Distinct: 90, Min: "1", Max: "900"})
	shows := listOf("shows", key("show"), day("opened", domain.ColumnDate), text("theme", "Art", "History"), number("price", "5", "30"))
	shows[0].Columns[0].Values = []string{"Deep Sea", "Light"}
	for question, c := range map[string]struct {
		of        []analyst.Table
		sql, says string
	}{
		"busiest hour":                    {of: courts, sql: "date_part('hour', CAST(starts_at AS TIMESTAMP))"},
		"average fee per hour":            {of: courts, says: "“per hour”"},
		"top court by member":             {of: courts, sql: "QUALIFY rank() OVER (PARTITION BY d2"},
		"total target":                    {of: targets, says: "which number is the total target"},
		"revenue by shop":                 {of: targets, says: "“revenue” may not be `Target revenue`"},
		"revenue vs target by shop":       {of: targets, says: "`Target revenue`"},
		"target revenue by shop":          {of: targets, sql: "sum(target_revenue)"},
		"longest call":                    {of: calls, sql: "ORDER BY talk_minutes DESC"},
		"calls by reason":                 {of: calls, sql: "count(*) AS count FROM helpline GROUP BY 1"},
		"calls with a discount":           {of: calls, says: "which rows have a discount"},
		"losses by house":                 {of: figures, sql: "avg(value)"},
		"water used by house":             {of: figures, sql: "sum(value)"},
		"number of shows named Deep Sea":  {of: shows, sql: "count(*)"},
		"busiest month of Deep Sea shows": {of: shows, says: "“Deep Sea” has one row"},
	} {
		requireReading(t, newPlanner(newLanguage(), c.of, nil, date(2025, 10, 15), nil), question, c.sql, c.says)
	}
}
