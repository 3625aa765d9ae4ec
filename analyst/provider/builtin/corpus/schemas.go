// Package corpus contains schemas with data, and the questions that the tests of builtin check. It is a
// separate package so that a test with DuckDB can run all queries, and not only compare their text.
package corpus

import (
	"fmt"
	"strings"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// Schema is one or more tables with invented rows.
type Schema struct {
	Name   string
	Tables []analyst.Table
	// Setup are the statements that create and fill the tables in DuckDB.
	Setup []string
}

// field describes a column and how its cells are made.
type field struct {
	name   string
	typ    domain.ColumnType
	db     string
	cell   string // SQL expression over the row number i
	min    string
	max    string
	values string // separated by |
	count  int64  // number of distinct values
	nulls  int64
	about  string
}

func table(source int64, name string, rows int64, fields ...field) (analyst.Table, []string) {
	t := analyst.Table{Source: name, SourceID: source, Name: name, Title: name, Rows: rows}
	var columns, cells []string
	for _, f := range fields {
		c := domain.Column{
			Name: f.name, Type: f.typ, DatabaseType: f.db, Distinct: f.count, Nulls: f.nulls, Min: f.min, Max: f.max,
			Description: f.about,
		}
		if f.values != "" {
			c.Values = strings.Split(f.values, "|")
			if c.Distinct == 0 {
				c.Distinct = int64(len(c.Values))
			}
			var quoted []string
			for _, v := range c.Values {
				quoted = append(quoted, sqltext.QuoteText(v))
			}
			if f.cell == "" {
				f.cell = fmt.Sprintf("([%s])[1 + CAST(hash(i * 31 + %d) %% %d AS BIGINT)]", strings.Join(quoted, ", "), len(f.name)*7, len(c.Values))
			}
		}
		t.Columns = append(t.Columns, c)
		name := sqltext.QuoteName(f.name)
		columns = append(columns, name+" "+f.db)
		cells = append(cells, fmt.Sprintf("CAST(%s AS %s)", f.cell, f.db))
	}
	ident := `"` + name + `"`
	return t, []string{
		fmt.Sprintf("CREATE TABLE %s (%s)", ident, strings.Join(columns, ", ")),
		fmt.Sprintf("INSERT INTO %s SELECT %s FROM range(%d) AS r(i)", ident, strings.Join(cells, ", "), rows),
	}
}

// The functions below are short constructors of fields.
func key(name string) field {
	return field{name: name, typ: domain.ColumnInteger, db: "BIGINT", cell: "i + 1", min: "1", max: "2000", count: 2000}
}

func text(name, values string) field {
	return field{name: name, typ: domain.ColumnText, db: "VARCHAR", values: values}
}

func whole(name, low, high string, distinct int64) field {
	return field{
		name: name, typ: domain.ColumnInteger, db: "BIGINT", min: low, max: high, count: distinct,
		cell: fmt.Sprintf("%s + CAST(hash(i + %d) %% (%s - %s + 1) AS BIGINT)", low, len(name), high, low),
	}
}

func decimal(name, low, high string) field {
	return field{
		name: name, typ: domain.ColumnNumber, db: "DOUBLE", min: low, max: high, count: 1500,
		cell: fmt.Sprintf("round(%s + (%s - %s) * ((hash(i * 17 + %d) %% 10000) / 10000.0), 2)", low, high, low, len(name)),
	}
}

func day(name, first string, days int) field {
	return field{
		name: name, typ: domain.ColumnDate, db: "DATE", min: first, max: lastDay(first, days), count: int64(days),
		cell: fmt.Sprintf("DATE '%s' + CAST(i * %d / 2000 AS INTEGER)", first, days),
	}
}

func lastDay(first string, days int) string {
	d, err := parseDay(first)
	if err != nil {
		return first
	}
	return d.AddDate(0, 0, days-1).Format("2006-01-02")
}

// Schemas returns all schemas of the corpus.
func Schemas() []Schema {
	return []Schema{sales(), people(), sensors(), survey(), web(), flights(), bank(), campaigns(), grades(), reserved(), cases(), passengers()}
}

func sales() Schema {
	orders, s1 := table(1, "orders", 2000,
		key("order_id"),
		day("order_date", "2024-01-01", 731),
		field{
			name: "customer_id", typ: domain.ColumnInteger, db: "BIGINT", min: "1", max: "300", count: 300,
			cell: "1 + CAST(hash(i) % 300 AS BIGINT)",
		},
		text("region", "North|South|East|West"),
		text("country", "Germany|France|United Kingdom|Spain|Italy|Netherlands"),
		text("product", "Desk Lamp|Office Chair|Standing Desk|Monitor Arm|Keyboard|Headset|Webcam|Notebook"),
		text("category", "Furniture|Electronics|Stationery"),
		text("channel", "Online|Retail|Partner"),
		whole("quantity", "1", "20", 20),
		decimal("unit_price_eur", "4.9", "499"),
		decimal("discount_pct", "0", "30"),
		decimal("revenue_eur", "5", "8000"),
		decimal("cost_eur", "2", "6000"),
		field{name: "returned", typ: domain.ColumnBoolean, db: "BOOLEAN", cell: "hash(i) % 9 = 0", count: 2, min: "false", max: "true"},
		field{
			name: "ship_date", typ: domain.ColumnDate, db: "DATE", min: "2024-01-03", max: "2026-01-03", count: 700, nulls: 40,
			cell: "CASE WHEN i % 50 = 0 THEN NULL ELSE DATE '2024-01-03' + CAST(i * 731 / 2000 AS INTEGER) END",
		},
	)
	customers, s2 := table(2, "customers", 300,
		field{name: "customer_id", typ: domain.ColumnInteger, db: "BIGINT", min: "1", max: "300", count: 300, cell: "i + 1"},
		field{
			name: "customer_name", typ: domain.ColumnText, db: "VARCHAR", count: 300, cell: "'Customer ' || (i + 1)",
			values: "Customer 1|Customer 2",
		},
		text("segment", "Enterprise|Mid-Market|Small Business"),
		text("city", "Berlin|Paris|London|Madrid|Rome|Amsterdam"),
		day("signup_date", "2020-01-01", 1500),
	)
	customers.Columns[1].Distinct = 300
	return Schema{Name: "sales", Tables: []analyst.Table{orders, customers}, Setup: append(s1, s2...)}
}

func people() Schema {
	t, setup := table(3, "employees", 2000,
		key("employee_id"),
		field{name: "full_name", typ: domain.ColumnText, db: "VARCHAR", count: 2000, cell: "'Person ' || i", values: ""},
		text("department", "Engineering|Sales|Marketing|Finance|Human Resources|Support"),
		text("job_title", "Engineer|Senior Engineer|Account Executive|Analyst|Manager|Director"),
		text("gender", "Female|Male|Non-binary"),
		day("hire_date", "2015-01-01", 3900),
		field{
			name: "termination_date", typ: domain.ColumnDate, db: "DATE", min: "2018-01-01", max: "2025-10-31", count: 200, nulls: 1700,
			cell: "CASE WHEN i % 7 = 0 THEN DATE '2018-01-01' + CAST(i AS INTEGER) ELSE NULL END",
		},
		decimal("salary", "28000", "185000"),
		whole("age", "19", "66", 48),
		text("location", "Berlin|London|New York|Remote"),
		field{name: "is_manager", typ: domain.ColumnBoolean, db: "BOOLEAN", cell: "hash(i) % 8 = 0", count: 2, min: "false", max: "true"},
		whole("performance_rating", "1", "5", 5),
		decimal("bonus_eur", "0", "20000"),
	)
	return Schema{Name: "people", Tables: []analyst.Table{t}, Setup: setup}
}

func sensors() Schema {
	t, setup := table(4, "sensor_log", 2000,
		field{
			name: "ts", typ: domain.ColumnTime, db: "TIMESTAMP", min: "2025-09-01 00:00:00", max: "2025-09-30 23:50:00", count: 2000,
			cell: "TIMESTAMP '2025-09-01 00:00:00' + to_minutes(CAST(i * 21 AS BIGINT))", about: "time of the measurement",
		},
		text("machine_id", "M-01|M-02|M-03|M-04|M-05"),
		text("site", "Hamburg|Leipzig|Graz"),
		field{
			name: "temperature_c", typ: domain.ColumnNumber, db: "DOUBLE", min: "18.2", max: "96.7", count: 900, nulls: 25,
			cell: "CASE WHEN i % 80 = 0 THEN NULL ELSE round(18.2 + 78.5 * ((hash(i) % 1000) / 1000.0), 1) END",
		},
		decimal("vibration_mm_s", "0.1", "9.8"),
		decimal("pressure_bar", "1", "12"),
		text("status", "ok|warning|alarm"),
		decimal("energy_kwh", "0.2", "14"),
	)
	return Schema{Name: "sensors", Tables: []analyst.Table{t}, Setup: setup}
}

func survey() Schema {
	t, setup := table(5, "survey_responses", 2000,
		key("respondent_id"),
		field{
			name: "submitted_at", typ: domain.ColumnTime, db: "TIMESTAMP", min: "2025-02-01 08:00:00", max: "2025-04-30 18:00:00", count: 2000,
			cell: "TIMESTAMP '2025-02-01 08:00:00' + to_minutes(CAST(i * 63 AS BIGINT))",
		},
		text("age_group", "18-24|25-34|35-44|45-54|55+"),
		text("country", "Austria|Germany|Switzerland"),
		whole("satisfaction", "1", "5", 5),
		whole("nps_score", "0", "10", 11),
		text("product_used", "Basic|Pro|Team"),
		text("would_recommend", "yes|no"),
		field{
			name: "comment", typ: domain.ColumnText, db: "VARCHAR", count: 1400, nulls: 500,
			cell: "CASE WHEN i % 4 = 0 THEN NULL ELSE 'The support was quick, case ' || i END",
		},
	)
	return Schema{Name: "survey", Tables: []analyst.Table{t}, Setup: setup}
}

// web has column names of the kind that spreadsheets have.
func web() Schema {
	t, setup := table(6, "web_sessions", 2000,
		field{name: "Session ID", typ: domain.ColumnText, db: "VARCHAR", count: 2000, cell: "'S' || i"},
		day("Visit Date", "2025-01-01", 273),
		text("Traffic Source", "Organic|Paid|Referral|Direct|Email"),
		text("Device Type", "Desktop|Mobile|Tablet"),
		text("Country/Region", "US|DE|FR|BR"),
		whole("Page Views", "1", "40", 40),
		decimal("Duration (min)", "0.1", "59"),
		field{name: "Bounced?", typ: domain.ColumnBoolean, db: "BOOLEAN", cell: "hash(i) % 3 = 0", count: 2, min: "false", max: "true"},
		decimal("Order Value (USD)", "0", "900"),
		field{name: "select", typ: domain.ColumnText, db: "VARCHAR", values: "A|B"},
	)
	return Schema{Name: "web", Tables: []analyst.Table{t}, Setup: setup}
}
