package builtin

import (
	"testing"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// TestPlanner_Unsaid asks questions that leave out what is counted, by what something is the best, or which direction of money is meant.
func TestPlanner_Unsaid(t *testing.T) {
	t.Parallel()
	day := func(name, low, high string, distinct int64) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnDate, Distinct: distinct, Min: low, Max: high}
	}
	number := func(name string) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnNumber, Distinct: 80, Min: "1", Max: "900"}
	}
	payroll := analyst.Table{Name: "payroll", Rows: 120, Columns: []domain.Column{
		day("period", "2026-01-31", "2026-10-31", 10),
		{Name: "emp_no", Type: domain.ColumnInteger, Distinct: 12, Min: "1001", Max: "1012"},
		textColumn("department", "Sales", "IT"), textColumn("contract", "full-time", "part-time"),
		day("start_date", "2015-01-01", "2026-09-01", 12),
		number("basic_pay"),
	}}
	harvest := analyst.Table{Name: "harvest", Rows: 100, Columns: []domain.Column{
		textColumn("field", "Hollow", "Mill Bank"),
		{Name: "season", Type: domain.ColumnInteger, Distinct: 5, Min: "2021", Max: "2025"},
		textColumn("crop", "Oats", "Wheat"), day("sown_on", "2020-09-02", "2025-04-25", 90), number("area_ha"), number("yield_t"),
	}}
	scales := analyst.Table{Name: "weighings", Rows: 100, Columns: []domain.Column{
		textColumn("customer", "Abel", "Becker"), textColumn("direction", "In", "Out"), day("weighed_on", "2026-01-02", "2026-10-30", 90),
		number("amount_eur"),
	}}
	results := analyst.Table{Name: "results", Rows: 100, Columns: []domain.Column{
		textColumn("client", "Kreis Celle", "Klinik Nord"), textColumn("term", "Autumn 2025", "Spring 2026"),
		number("result"), number("limit_value"),
	}}
	visits := analyst.Table{Name: "visits", Rows: 100, Columns: []domain.Column{
		textColumn("vet", "Dr Okafor", "Dr Lund"), number("minutes"), number("fee"), number("malt_cost"), number("boxes"),
		{Name: "paid_on", Type: domain.ColumnDate, Distinct: 70, Nulls: 20, Min: "2026-01-02", Max: "2026-10-30"},
	}}
	for question, c := range map[string]struct {
		of        analyst.Table
		sql, says string
	}{
		"headcount by department":                      {of: payroll, sql: "period >= DATE '2026-10-01'"},
		"how many part-time people do we have":         {of: payroll, sql: "AND contract = 'part-time'"},
		"how many people started in 2025?":             {of: payroll, sql: "count(DISTINCT emp_no)"},
		"how many rows of payroll are there":           {of: payroll, sql: "SELECT count(*) AS count FROM payroll"},
		"total basic pay by department":                {of: payroll, sql: "sum(basic_pay)"},
		"harvest by crop":                              {of: harvest, says: "y which number: `Area ha` or `Yield t`?"},
		"total area of wheat in 2025":                  {of: harvest, sql: "season = 2025"},
		"what did we grow on Mill Bank over the years": {of: harvest, says: "grow"},
		"how much did we spend this year":              {of: scales, says: "`Direction` is In or Out"},
		"total amount by direction":                    {of: scales, sql: "GROUP BY 1"},
		"total amount of out weighings":                {of: scales, sql: "direction = 'Out'"},
		"clients with more than 10 results":            {of: results, sql: "HAVING count(*) > 10"},
		"average result by client":                     {of: results, sql: "avg(result)"},
		"do vets with longer visits get lower fees":    {of: visits, says: "what is compared by"},
		"which is the best vet":                        {of: visits, says: "y which number"},
	} {
		table := c.of
		table.Title, table.SourceID = table.Name, 1
		p := newPlanner(newLanguage(), []analyst.Table{table}, nil, date(2026, 11, 15), nil)
		requireReading(t, p, question, c.sql, c.says)
	}
}
