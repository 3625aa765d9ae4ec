package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// TestPlanner_Overlooked asks questions of business tables of which a word was overlooked, and what they are read as, or why they are
// refused.
func TestPlanner_Overlooked(t *testing.T) {
	t.Parallel()
	day := func(name, low, high string, nulls int64) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnDate, Distinct: 90, Min: low, Max: high, Nulls: nulls}
	}
	text := func(name string, values ...string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnText, Distinct: int64(len(values)), Values: values}
	}
	number := func(name, title string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnInteger, Description: title, Distinct: 80, Min: "1", Max: "900"}
	}
	key := func(name string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnText, Distinct: 100}
	}
	answers := []string{"Disagree", "Neutral", "Agree"}
	clinics := []domain.Column{
		key("clinic_id"), text("county", "Kent", "Essex"), {
			Name: "employees", Type: domain.ColumnInteger, Description: "# Employees", Distinct: 100, Min: "12", Max: "4200",
		}, {Name: "customer_since", Type: domain.ColumnDate, Distinct: 100, Min: "2001-01-02", Max: "2025-06-30"},
	}
	crew := []domain.Column{
		key("emp_no"), text("team", "Deck", "Galley"), day("hire_date", "2017-01-02", "2026-10-01", 0),
		day("exit_date", "2018-01-02", "2026-10-01", 60), number("base_salary", "Base Salary"),
	}
	faults := []domain.Column{
		key("fault_no"), day("opened", "2026-01-01", "2026-11-01", 0), text("state", "Open", "Closed"), text("fault_reason", "Wear", "Heat"),
		number("repair_cost", "Repair Cost"),
	}
	panel := []domain.Column{
		key("response_id"), text("plan", "Plus", "Basic"), text("easy_to_use", answers...), text("support_was_helpful", answers...),
		{Name: "would_switch", Type: domain.ColumnBoolean, Distinct: 2},
	}
	tours := []domain.Column{
		key("tour"), day("booked_on", "2026-01-01", "2026-11-01", 0), day("paid_on", "2026-01-01", "2026-11-01", 20),
		text("guide", "Ann", "Bo"), number("children", "Children"), number("price", "Total Price"),
	}
	gas := []domain.Column{
		key("reading"), text("site", "Dock", "Yard"), day("read_on", "2026-01-01", "2026-11-01", 0),
		number("consumption_kwh", "Consumption (kWh)"),
	}
	for question, c := range map[string]struct {
		columns   []domain.Column
		sql, says string
	}{
		"total employees by county":                    {columns: clinics, sql: "sum(employees) AS total_employees FROM things GROUP BY 1"},
		"headcount on 31 December 2024":                {columns: crew, says: "who was there at an earlier time"},
		"payroll by team":                              {columns: crew, sql: "sum(base_salary)"},
		"average payroll by team":                      {columns: crew, sql: "avg(base_salary)"},
		"how many faults are still open?":              {columns: faults, sql: "WHERE state = 'Open'"},
		"top fault reasons":                            {columns: faults, sql: "count(*) AS count"},
		"top fault reasons by repair cost":             {columns: faults, sql: "sum(repair_cost)"},
		"how many agree that the support was helpful?": {columns: panel, sql: "WHERE support_was_helpful = 'Agree'"},
		"share of plus things that would switch":       {columns: panel, sql: "WHERE plan = 'Plus'"},
		"share of tours paid on time":                  {columns: tours, says: "“on time”"},
		"bookings by guide":                            {columns: tours, sql: "guide, count(*) AS count"},
		"bookings with children":                       {columns: tours, says: "“with” children"},
		"which site used the most?":                    {columns: gas, sql: "sum(consumption_kwh)"},
		"how many people joined and left in 2026":      {columns: crew, says: "are two dates"},
		"average salary by team last year":             {columns: crew, says: "who was there at an earlier time"},
		"average salary of people hired last year":     {columns: crew, sql: "hire_date >= DATE '2025-01-01'"},
		"tours longer than a week":                     {columns: tours, says: "is no time"},
		"total price per booking":                      {columns: tours, says: "“per booking”"},
		"guides without children":                      {columns: tours, says: "“without”"},
		"average monthly consumption by site":          {columns: gas, sql: "GROUP BY 1, 2) AS periods"},
	} {
		tables := []analyst.Table{{Name: "things", Title: "things", SourceID: 1, Rows: 100, Columns: c.columns}}
		requireReading(t, newPlanner(newLanguage(), tables, nil, date(2026, 11, 15), nil), question, c.sql, c.says)
	}
}

// TestPlanner_DateBefore reads a time after a question about another date by that date.
func TestPlanner_DateBefore(t *testing.T) {
	t.Parallel()
	tables := listOf("crew",
		domain.Column{Name: "emp_no", Type: domain.ColumnText, Distinct: 100},
		domain.Column{Name: "hire_date", Type: domain.ColumnDate, Distinct: 90, Min: "2017-01-02", Max: "2026-10-01"},
		domain.Column{Name: "exit_date", Type: domain.ColumnDate, Distinct: 30, Min: "2018-01-02", Max: "2026-10-01", Nulls: 60})
	p := newPlanner(newLanguage(), tables, nil, date(2026, 11, 15), nil)
	before := p.read("how many people left in 2026?", nil)
	require.True(t, before.understood(), before.reason)
	now := p.read("and in 2025?", before)
	require.True(t, now.understood(), now.reason)
	require.Contains(t, flat(sql(now)), "exit_date >= DATE '2025-01-01'")
	require.NotContains(t, flat(sql(now)), "hire_date")
}
