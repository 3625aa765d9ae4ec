package columns_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
)

const (
	text, whole, num, day = domain.ColumnText, domain.ColumnInteger, domain.ColumnNumber, domain.ColumnDate
)

func orders() []columns.Table {
	return []columns.Table{{
		Name:       "orders",
		Dictionary: "net_sales: what the customer paid for the line in euros\nlist_price = price of one piece in euros\nrating - 1 to 5\n",
		Columns: []domain.Column{
			{Name: "order_id", Type: text},
			{Name: "order_date", Type: day, Description: "Order Date", Min: "2024-01-01", Max: "2026-11-22", Distinct: 900},
			{Name: "region", Type: text, Description: "Region"},
			{Name: "customer_id", Type: whole},
			{Name: "net_sales", Type: num},
			{Name: "list_price", Type: num},
			{Name: "quantity", Type: whole},
			{Name: "weight", Type: num, Description: "Weight, in kg"},
			{Name: "amount", Type: num, Description: "in €"},
			{Name: "yield_t_ha", Type: num, Description: "Yield (t/ha)"},
			{Name: "discount_rate", Type: num, Min: "0", Max: "0.3"},
			{Name: "fee_usd", Type: num},
			{Name: "rating", Type: num},
		},
	}}
}

type shown = domain.ShownColumn

func TestShown(t *testing.T) {
	t.Parallel()
	const (
		measure, category, key, times = domain.RoleOfMeasure, domain.RoleOfCategory, domain.RoleOfKey, domain.RoleOfTime
		money, count, percent, plain  = domain.FormatMoney, domain.FormatCount, domain.FormatPercent, domain.FormatNumber
	)
	for _, c := range []struct {
		name string
		sql  string
		col  domain.Column
		cell any
		want shown
	}{
		{
			"ATotalHasTheUnitOfItsColumn", "SELECT sum(net_sales) AS total_net_sales FROM orders",
			domain.Column{Name: "total_net_sales", Type: num},
			12.5,
			shown{
				Label: "Total net sales", Unit: "EUR", Format: money, Role: measure,
				Adds: true,
			},
		},
		{
			"AMeanDoesNotAddUp", "SELECT avg(net_sales) AS avg_net_sales FROM orders",
			domain.Column{Name: "avg_net_sales", Type: num},
			12.5,
			shown{Label: "Average net sales", Unit: "EUR", Format: money, Role: measure},
		},
		{
			"APriceDoesNotAddUp", "SELECT list_price FROM orders",
			domain.Column{Name: "list_price", Type: num},
			12.5,
			shown{Label: "List price", Unit: "EUR", Format: money, Role: measure},
		},
		{
			"ARoundedTotal", "SELECT round(sum(o.\"net_sales\"), 2) AS sales FROM orders o",
			domain.Column{Name: "sales", Type: num},
			12.5,
			shown{Label: "Sales", Unit: "EUR", Format: money, Role: measure, Adds: true},
		},
		{
			"PriceTimesQuantity", "SELECT sum(list_price * quantity) AS value FROM orders",
			domain.Column{Name: "value", Type: num},
			12.5,
			shown{Label: "Value", Unit: "EUR", Format: money, Role: measure, Adds: true},
		},
		{
			"MoneyPerCount", "SELECT sum(net_sales) / count(DISTINCT order_id) AS aov FROM orders",
			domain.Column{Name: "aov", Type: num},
			12.5,
			shown{Label: "AOV", Unit: "EUR", Format: money, Role: measure},
		},
		{
			"AnotherUnit", "SELECT sum(weight) total_weight FROM orders",
			domain.Column{Name: "total_weight", Type: num},
			12.5,
			shown{Label: "Total weight", Unit: "kg", Format: plain, Role: measure, Adds: true},
		},
		{
			"ASignNextToTheNumbers", "SELECT amount FROM orders",
			domain.Column{Name: "amount", Type: num},
			12.5,
			shown{Label: "Amount", Unit: "EUR", Format: money, Role: measure, Adds: true},
		},
		{
			"AUnitInTheHeader", "SELECT yield_t_ha FROM orders",
			domain.Column{Name: "yield_t_ha", Type: num},
			12.5,
			shown{Label: "Yield", Unit: "t/ha", Format: plain, Role: measure, Adds: true},
		},
		{
			"AUnitInTheName", "SELECT fee_usd FROM orders",
			domain.Column{Name: "fee_usd", Type: num},
			12.5,
			shown{Label: "Fee", Unit: "USD", Format: money, Role: measure, Adds: true},
		},
		{
			"AFraction", "SELECT discount_rate FROM orders",
			domain.Column{Name: "discount_rate", Type: num},
			0.1,
			shown{Label: "Discount rate", Unit: "%", Format: domain.FormatFraction, Role: measure},
		},
		{
			"ACount", "SELECT count(*) AS orders FROM orders",
			domain.Column{Name: "orders", Type: whole},
			int64(3),
			shown{Label: "Orders", Format: count, Role: measure, Adds: true},
		},
		{
			"ADistinctCountDoesNotAddUp", "SELECT count(DISTINCT customer_id) AS customers FROM orders",
			domain.Column{Name: "customers", Type: whole},
			int64(3),
			shown{Label: "Customers", Format: count, Role: measure},
		},
		{
			"APercentage", "SELECT round(100.0 * sum(net_sales) / nullif(sum(sum(net_sales)) OVER (), 0), 2) AS share_percent FROM orders " +
				"GROUP BY region",
			domain.Column{Name: "share_percent", Type: num},
			35.7,
			shown{Label: "Share", Unit: "%", Format: percent, Role: measure},
		},
		{
			"APercentageOfCounts", "SELECT 100.0 * count(*) FILTER (WHERE rating > 3) / count(*) AS good FROM orders",
			domain.Column{Name: "good", Type: num},
			35.7,
			shown{Label: "Good", Unit: "%", Format: percent, Role: measure},
		},
		{
			"AQuotientTimesAHundred", "SELECT count(*) FILTER (WHERE rating > 3) / count(*) * 100 AS good FROM orders",
			domain.Column{Name: "good", Type: num},
			35.7,
			shown{Label: "Good", Unit: "%", Format: percent, Role: measure},
		},
		{
			"AShareThatWasNotMultipliedBy100", "SELECT count(*) FILTER (WHERE rating > 3) / count(*) AS good_share FROM orders",
			domain.Column{Name: "good_share", Type: num},
			0.35,
			shown{Label: "Good share", Unit: "%", Format: domain.FormatFraction, Role: measure},
		},
		{
			"ThousandsLoseTheUnit", "SELECT sum(net_sales) / 1000 AS sales FROM orders",
			domain.Column{Name: "sales", Type: num},
			12.5,
			shown{Label: "Sales", Format: plain, Role: measure},
		},
		{
			"ASumOfDifferentUnitsHasNone", "SELECT sum(net_sales) + sum(weight) AS odd FROM orders",
			domain.Column{Name: "odd", Type: num},
			12.5,
			shown{Label: "Odd", Format: plain, Role: measure},
		},
		{
			"ACaseExpression", "SELECT sum(CASE WHEN region = 'x' THEN net_sales ELSE 0 END) AS x FROM orders",
			domain.Column{Name: "x", Type: num},
			12.5,
			shown{Label: "X", Unit: "EUR", Format: money, Role: measure, Adds: true},
		},
		{
			"ThroughAWithClause", "WITH a AS (SELECT region, sum(net_sales) AS total FROM orders GROUP BY 1) SELECT max(total) AS best FROM a",
			domain.Column{Name: "best", Type: num},
			12.5,
			shown{Label: "Best", Unit: "EUR", Format: money, Role: measure},
		},
		{
			"ThroughASubquery", "SELECT avg(b) AS mean FROM (SELECT sum(net_sales) AS b FROM orders GROUP BY region) q",
			domain.Column{Name: "mean", Type: num},
			12.5,
			shown{Label: "Mean", Unit: "EUR", Format: money, Role: measure},
		},
		{
			"WithAStar", "SELECT * FROM orders LIMIT 3",
			domain.Column{Name: "net_sales", Type: num},
			12.5,
			shown{Label: "Net sales", Unit: "EUR", Format: money, Role: measure, Adds: true},
		},
		{
			"AKey", "SELECT customer_id FROM orders",
			domain.Column{Name: "customer_id", Type: whole},
			int64(1001),
			shown{Label: "Customer ID", Format: domain.FormatPlain, Role: key},
		},
		{
			"ACategoryKeepsItsHeader", "SELECT region FROM orders",
			domain.Column{Name: "region", Type: text},
			"Nord",
			shown{Label: "Region", Format: domain.FormatText, Role: category},
		},
		{
			"AMonth", "SELECT CAST(date_trunc('month', order_date) AS DATE) AS month FROM orders",
			domain.Column{Name: "month", Type: day},
			"2026-01-01",
			shown{Label: "Month", Format: domain.FormatMonth, Role: times, Until: "2026-11-22"},
		},
		{
			"AQuarter", "SELECT date_trunc('quarter', order_date) AS q FROM orders",
			domain.Column{Name: "q", Type: day},
			"2026-04-01",
			shown{Label: "Q", Format: domain.FormatQuarter, Role: times, Until: "2026-11-22"},
		},
		{
			"AYear", "SELECT year(order_date) AS year FROM orders",
			domain.Column{Name: "year", Type: whole},
			int64(2026),
			shown{Label: "Year", Format: domain.FormatYear, Role: times, Until: "2026-11-22"},
		},
		{
			"AMonthAsText", "SELECT strftime(order_date, '%Y-%m') AS month FROM orders",
			domain.Column{Name: "month", Type: text},
			"2026-01",
			shown{Label: "Month", Format: domain.FormatMonth, Role: times, Until: "2026-11-22"},
		},
		{
			"AMinuteIsNoMonth", "SELECT CAST(strftime(order_date, '%Y-%m-%d %H:%M') AS TIMESTAMP) AS starts FROM orders",
			domain.Column{Name: "starts", Type: domain.ColumnTime},
			"2026-01-01 00:00:00",
			shown{Label: "Starts", Format: domain.FormatDate, Role: times, Until: "2026-11-22"},
		},
		{
			"ADay", "SELECT order_date FROM orders",
			domain.Column{Name: "order_date", Type: day},
			"2026-01-03",
			shown{Label: "Order Date", Format: domain.FormatDate, Role: times, Until: "2026-11-22"},
		},
		{
			"ADifferenceOfDates", "SELECT date_diff('day', order_date, current_date) AS age FROM orders",
			domain.Column{Name: "age", Type: whole},
			int64(4),
			shown{Label: "Age", Unit: "days", Format: plain, Role: measure},
		},
		{
			"AnUnknownFunctionHasNoUnit", "SELECT my_macro(net_sales) AS m FROM orders",
			domain.Column{Name: "m", Type: num},
			12.5,
			shown{Label: "M", Format: plain, Role: measure},
		},
		{"NotSQL", "give me the sales", domain.Column{Name: "sales", Type: num}, 12.5, shown{Label: "Sales", Format: plain, Role: measure}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := columns.Shown(c.sql, orders(), &domain.ResultSet{Columns: []domain.Column{c.col}, Rows: [][]any{{c.cell}}})
			c.want.Name = c.col.Name
			require.Equal(t, []domain.ShownColumn{c.want}, got)
		})
	}
}

func TestShown_AnAmountAndItsPercentage(t *testing.T) {
	t.Parallel()
	got := columns.Shown("SELECT month, change, change_percent, discount_percent FROM t", nil, &domain.ResultSet{
		Columns: []domain.Column{
			{Name: "month", Type: text},
			{Name: "change", Type: num},
			{Name: "change_percent", Type: num},
			{Name: "discount_percent", Type: num},
		},
		Rows: [][]any{{"2025-01", 1.5, 2.5, 3.5}},
	})
	labels := make([]string, len(got))
	for i := range got {
		labels[i] = got[i].Label
	}
	require.Equal(t, []string{"Month", "Change", "Change in percent", "Discount percent"}, labels)
}

func TestHeading(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, header, want string }{
		{"when_", "When?", "When?"},
		{"umsatz_netto", "Umsatz netto", "Umsatz netto"},
		{"yield_t_ha", "Yield (t/ha)", "Yield"},
		{"total_net", "Total (net)", "Total (net)"},
		{"revenue_gross", "Revenue (gross)", "Revenue (gross)"},
		{"happy_1_5", "Happy (1-5)", "Happy"},
		{"order_status", "", "Order status"},
		{"revenue_eur", "", "Revenue"},
		{"note", "What people wrote", "Note"},
	} {
		require.Equal(t, c.want, columns.Heading(&domain.Column{Name: c.name, Type: num, Description: c.header}), c.name)
	}
}

func TestShown_TwoTablesThatDiffer(t *testing.T) {
	t.Parallel()
	tables := []columns.Table{
		{Name: "a", Columns: []domain.Column{{Name: "amount", Type: num, Description: "in €"}}},
		{Name: "b", Columns: []domain.Column{{Name: "amount", Type: num, Description: "in $"}}},
	}
	got := columns.Shown("SELECT sum(amount) AS total FROM a", tables,
		&domain.ResultSet{Columns: []domain.Column{{Name: "total", Type: num}}, Rows: [][]any{{1.5}}})
	require.Empty(t, got[0].Unit, "the query may have read either table, so the unit is not known")
}

// TestShown_AnyQuery checks that there is one entry per column and no panic for any query.
func TestShown_AnyQuery(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"SELECT", "WITH", "FROM", "AS", "(", ")", ",", "*", "/", "+", "-", "sum(", "case", "when", "then", "end", "over",
		"filter", "net_sales", "\"net", "'", "100", "1e", "::", "a", "x AS", ".", "--", "/*", "\x00", "é",
	}
	rapid.Check(t, func(t *rapid.T) {
		sql := ""
		for range rapid.IntRange(0, 30).Draw(t, "length") {
			sql += " " + rapid.SampledFrom(pieces).Draw(t, "piece")
		}
		result := &domain.ResultSet{Columns: []domain.Column{{Name: "a", Type: num}, {Name: "b", Type: text}}, Rows: [][]any{{1.5, "x"}, {nil}}}
		require.Len(t, columns.Shown(sql, orders(), result), 2)
	})
}

func TestLabel(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"order_date": "Order date", "orderDate": "Order date", "customer_id": "Customer ID", "aov": "AOV",
		"avg_order_value": "Average order value",
		"Net VAT":         "Net VAT", "NetVAT": "Net VAT", "REVENUE": "Revenue", "REVENUE_TOTAL": "Revenue total", "straße": "Straße",
		"sales (gross)": "Sales (gross)", "": "", "q1_sales": "Q1 sales",
		"count": "Count", "kpi_yoy": "KPI YoY",
	} {
		require.Equal(t, want, columns.Label(name), name)
	}
}

// TestHeading_UnitsAndLetters checks that headings do not repeat a unit, keep their letters, and
// keep nouns that are not units.
func TestHeading_UnitsAndLetters(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"USD": "USD", "kWh used": "kWh used", "weekly_hours": "Weekly hours", "vacation_days": "Vacation", "Cost £": "Cost",
		"How long (min)": "How long", "Temp °C": "Temp", "Fte": "FTE",
	} {
		name := strings.Trim(strings.ToLower(strings.Join(columns.Split(header), "_")), "_")
		if header == "kWh used" {
			name = "kwh_used"
		}
		description := header
		if name == header || header == "Fte" {
			description = ""
		}
		require.Equal(t, want, columns.Heading(&domain.Column{Name: name, Type: domain.ColumnNumber, Description: description}), header)
	}
	long := []columns.Table{{Columns: []domain.Column{{Name: "how_long_min", Type: domain.ColumnNumber, Description: "How long (min)"}}}}
	got := columns.Shown("SELECT avg(how_long_min) AS average_how_long_min FROM t", long, &domain.ResultSet{
		Columns: []domain.Column{{Name: "average_how_long_min", Type: domain.ColumnNumber}}, Rows: [][]any{{12.5}},
	})
	require.Equal(t, []string{"Average how long", "min"}, []string{got[0].Label, got[0].Unit}, "min is minutes here, not a minimum")
}

// TestUnit_InBrackets checks that only known units in brackets are units; other words stay in the
// heading.
func TestUnit_InBrackets(t *testing.T) {
	t.Parallel()
	for inside, want := range map[string]string{
		"net": "", "gross": "", "total": "", "all": "", "est": "", "old": "", "new": "", "n": "", "Q1": "", "A/B": "", "1-5": "",
		"min": "min", "t/ha": "t/ha", "µg/m³": "µg/m³", "m²": "m²", "°C": "°C", "€": "EUR", "€/kWh": "€/kWh", "M€": "M€", "FTE": "FTE",
		"Stk":        "Stk",
		"orders/day": "orders/day", "kg/m2": "kg/m2", "%": "%", "mg/l": "mg/l",
	} {
		name := strings.Trim(strings.ToLower(strings.Join(columns.Split("Sum ("+inside+")"), "_")), "_")
		require.Equal(t, want, columns.Unit(&domain.Column{Name: name, Type: num, Description: "Sum (" + inside + ")"}), inside)
	}
}
