package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// parcels are deliveries whose columns have what the guard for dropped parts is about: values that differ by a sign, flags, a date with
// days to come, pieces that were sold, and several currencies.
func parcels() []analyst.Table {
	day := func(name, low, high string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnDate, Distinct: 90, Min: low, Max: high}
	}
	text := func(name string, values ...string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnText, Distinct: int64(len(values)), Values: values}
	}
	number := func(name string, of domain.ColumnType) domain.Column {
		return domain.Column{Name: name, Type: of, Distinct: 80, Min: "1", Max: "900"}
	}
	return listOf("parcels",
		domain.Column{Name: "parcel_id", Type: domain.ColumnText, Distinct: 100}, day("day", "2025-01-01", "2025-10-01"),
		day("expires_on", "2025-02-01", "2026-04-01"), text("grade", "O+", "O-", "AB+"), text("lining", "none", "foil", "paper"),
		text("origin", "Bergen", "Oslo"), text("state", "Lost", "Delivered"), text("currency", "EUR", "USD"),
		domain.Column{Name: "first_time_sender", Type: domain.ColumnBoolean, Distinct: 2},
		number("temperature_c", domain.ColumnNumber), number("boxes_sold", domain.ColumnInteger), number("pledged", domain.ColumnNumber),
		number("handling_hours", domain.ColumnNumber))
}

// TestPlanner_Dropped asks questions of which a part was dropped, and what they are read as, or why they are refused.
func TestPlanner_Dropped(t *testing.T) {
	t.Parallel()
	for question, c := range map[string]struct{ sql, says string }{
		"how many parcels have grade O-":                     {sql: "WHERE grade = 'O-'"},
		"how many O+ parcels are there":                      {sql: "WHERE grade = 'O+'"},
		"how many parcels of grade O":                        {says: "“O” may be “O+” or “O-” in `Grade`"},
		"how many parcels have no lining":                    {sql: "WHERE lining = 'none'"},
		"how many parcels have expired":                      {says: "`Expires on` has a day in each row, and some are still to come"},
		"how many parcels expired in May 2025":               {sql: "expires_on >= DATE '2025-05-01'"},
		"how many senders are from Oslo":                     {says: "“senders” may be all of them"},
		"how many first time senders are from Oslo":          {sql: "first_time_sender"},
		"revenue from boxes sold by origin":                  {says: "I found no revenue here"},
		"boxes sold by origin":                               {sql: "sum(boxes_sold)"},
		"boxes sold including lost parcels without a lining": {says: "“including”"},
		"days when all origins were delivered":               {says: "“all”"},
		"coldest day":                                        {sql: "min(temperature_c) AS lowest_temperature_c FROM parcels GROUP BY 1"},
		"day with the most boxes sold":                       {sql: "sum(boxes_sold) AS total_boxes_sold FROM parcels GROUP BY 1"},
		"cleanest parcels":                                   {says: "“cleanest”"},
		"lost vs Oslo":                                       {says: "“lost” and “Oslo” are not two values of one column"},
		"lost vs delivered parcels by month":                 {sql: "state IN ('Delivered', 'Lost')"},
		"which grade is most common in each origin":          {sql: "rank() OVER (PARTITION BY d2 ORDER BY m1 DESC NULLS LAST) BETWEEN 1 AND 1"},
		"total pledged by origin":                            {says: "mixes currencies"},
		"total pledged in EUR by origin":                     {sql: "sum(pledged)"},
		"which origin had the most hours":                    {sql: "sum(handling_hours)"},
	} {
		requireReading(t, newPlanner(newLanguage(), parcels(), nil, date(2025, 10, 15), nil), question, c.sql, c.says)
	}
}

// TestPlanner_TimeOfAnotherTable groups by the time of the thing that the question names, and not by that of the rows.
func TestPlanner_TimeOfAnotherTable(t *testing.T) {
	t.Parallel()
	tables := []analyst.Table{
		{Name: "tickets", Title: "tickets", SourceID: 1, Rows: 90, Columns: []domain.Column{
			{Name: "ticket_id", Type: domain.ColumnInteger, Distinct: 90, Min: "1", Max: "90"},
			{Name: "performance_id", Type: domain.ColumnText, Distinct: 30},
			{Name: "booked_on", Type: domain.ColumnDate, Distinct: 60, Min: "2025-01-01", Max: "2025-10-01"},
			{Name: "amount", Type: domain.ColumnNumber, Distinct: 60, Min: "1", Max: "90"},
		}},
		{Name: "performances", Title: "performances", SourceID: 1, Rows: 30, Columns: []domain.Column{
			{Name: "performance_id", Type: domain.ColumnText, Distinct: 30},
			{Name: "performance_date", Type: domain.ColumnDate, Distinct: 20, Min: "2025-02-01", Max: "2025-11-01"},
		}},
	}
	for question, want := range map[string]string{
		"total amount by month of performance": "date_trunc('month', performances.performance_date)",
		"total amount by performance month":    "date_trunc('month', performances.performance_date)",
		"total amount by month":                "date_trunc('month', booked_on)",
	} {
		f := newPlanner(newLanguage(), tables, nil, date(2025, 10, 15), nil).read(question, nil)
		require.True(t, f.understood(), "%s: %s", question, f.reason)
		require.Contains(t, sql(f), want, question)
	}
}

// TestPlanner_CountsThings counts the things of a table that has a row for each of them and month.
func TestPlanner_CountsThings(t *testing.T) {
	t.Parallel()
	tables := []analyst.Table{{Name: "garages", Title: "garages", SourceID: 1, Rows: 60, Columns: []domain.Column{
		{Name: "month", Type: domain.ColumnDate, Distinct: 10, Min: "2025-01-01", Max: "2025-10-01"},
		{Name: "garage", Type: domain.ColumnText, Distinct: 6, Values: []string{"Dock", "Opera", "Mill", "Quay", "Hill", "Park"}},
		{Name: "entries", Type: domain.ColumnInteger, Distinct: 60, Min: "1", Max: "900"},
	}}}
	read := func(q string) string {
		return sql(newPlanner(newLanguage(), tables, nil, date(2025, 10, 15), nil).read(q, nil))
	}
	require.Contains(t, flat(read("how many garages do we have?")), "count(DISTINCT garage)")
	require.Contains(t, flat(read("how many rows are there?")), "count(*)")
}

// TestPlanner_Ranked asks for the best of something where a part of the ranking was dropped.
func TestPlanner_Ranked(t *testing.T) {
	t.Parallel()
	text := func(name string, values ...string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnText, Distinct: int64(len(values)), Values: values}
	}
	number := func(name, low, high string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnInteger, Distinct: 30, Min: low, Max: high}
	}
	trips := listOf("trips", domain.Column{Name: "trip_id", Type: domain.ColumnText, Distinct: 100},
		domain.Column{Name: "night", Type: domain.ColumnDate, Distinct: 90, Min: "2025-01-01", Max: "2025-10-01"},
		text("route", "North", "South", "West"), text("port", "Bergen", "Oslo"), text("priority", "High", "Low"), text("cause", "Fog", "Ice"),
		domain.Column{Name: "cancelled", Type: domain.ColumnBoolean, Distinct: 2}, number("passengers", "1", "900"),
		domain.Column{Name: "delay_minutes", Type: domain.ColumnInteger, Distinct: 60, Nulls: 7, Min: "0", Max: "90"},
		number("snow_depth_cm", "1", "300"))
	boats := listOf("boats", domain.Column{Name: "boat_name", Type: domain.ColumnText, Distinct: 100}, text("port", "Bergen", "Oslo"),
		number("built", "1998", "2022"), number("capacity", "100", "900"))
	wines := listOf("wines", domain.Column{Name: "lot", Type: domain.ColumnText, Distinct: 100}, number("vintage", "2015", "2024"),
		number("bottles_produced", "100", "9000"), number("bottle_price", "5", "90"))
	for question, c := range map[string]struct {
		of        []analyst.Table
		sql, says string
	}{
		"how many passengers did we carry in May 2025":         {of: trips, sql: "sum(passengers)"},
		"top route each month by passengers":                   {of: trips, sql: "QUALIFY rank() OVER (PARTITION BY d1"},
		"most common cause by port":                            {of: trips, sql: "QUALIFY rank() OVER (PARTITION BY d2"},
		"most common cause by month":                           {of: trips, sql: "QUALIFY rank() OVER (PARTITION BY d1"},
		"which port cancelled the most":                        {of: trips, sql: "count(*) AS count FROM trips WHERE cancelled = 'true'"},
		"busiest night":                                        {of: trips, sql: "count(*) AS count FROM trips GROUP BY 1 ORDER BY 2 DESC"},
		"trips per night":                                      {of: trips, sql: "date_trunc('day', night)"},
		"number of trips delayed by more than 30 minutes":      {of: trips, sql: "count(*) AS count FROM trips WHERE delay_minutes > 30"},
		"trips without a delay":                                {of: trips, says: "`Delay` is 0 in some rows and empty in others"},
		"highest snow depth by port":                           {of: trips, sql: "max(snow_depth_cm)"},
		"total passengers of the three largest trips":          {of: trips, says: "“largest”"},
		"share of cancellations due to fog":                    {of: trips, sql: "FILTER (WHERE cause = 'Fog')"},
		"cancelled trips in Oslo vs cancelled trips in Bergen": {of: trips, sql: "cancelled = 'true' GROUP BY 1"},
		"trips that came in 2024 and cancelled in 2025":        {of: trips, says: "which date each of the two times belongs to"},
		"newest boat":                                          {of: boats, sql: "ORDER BY built DESC"},
		"newest boat by port":                                  {of: boats, says: "latest row of each group"},
		"total capacity by port":                               {of: boats, sql: "sum(capacity) AS total_capacity FROM boats GROUP BY 1"},
		"how many vintages do we have":                         {of: wines, sql: "count(DISTINCT vintage)"},
		"bottles produced in 2020":                             {of: wines, sql: "WHERE vintage = 2020"},
		"worst vintage by bottles produced":                    {of: wines, sql: "GROUP BY 1 ORDER BY 2"},
		"most expensive bottle":                                {of: wines, sql: "max(bottle_price)"},
	} {
		requireReading(t, newPlanner(newLanguage(), c.of, nil, date(2025, 10, 15), nil), question, c.sql, c.says)
	}
}

// requireReading checks what a planner makes of a question: its query contains sql or, if says is not empty, the question is refused
// with a sentence that contains it.
func requireReading(t *testing.T, p *planner, question, query, says string) {
	t.Helper()
	f := p.read(question, nil)
	if says != "" {
		require.False(t, f.understood(), "%s: %s", question, sql(f))
		require.Contains(t, misunderstood(f, p), says, question)
		return
	}
	require.True(t, f.understood(), "%s: %s %v", question, f.reason, f.ignored)
	require.Contains(t, flat(sql(f)), query, question)
}
