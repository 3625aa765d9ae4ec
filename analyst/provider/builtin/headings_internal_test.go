package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// ships is a file with headings that are years, and headings that contain signs.
func ships(more ...domain.Column) []analyst.Table {
	return listOf("fleet", append([]domain.Column{
		{Name: "flag", Type: domain.ColumnText, Description: "Flag", Distinct: 4, Values: []string{"Malta", "Panama", "Liberia", "Greece"}},
		{Name: "n_2022", Type: domain.ColumnInteger, Description: "2022", Distinct: 80, Min: "50", Max: "500"},
		{Name: "n_2023", Type: domain.ColumnInteger, Description: "2023", Distinct: 80, Min: "50", Max: "500"},
		{Name: "n_2024_01", Type: domain.ColumnInteger, Description: "2024-01", Distinct: 80, Min: "50", Max: "500"},
		{Name: "r_d_cost", Type: domain.ColumnNumber, Description: "R&D cost", Distinct: 80, Min: "50", Max: "500"},
		{Name: "temp_c_c", Type: domain.ColumnNumber, Description: "Temp C (°C)", Distinct: 80, Min: "-5", Max: "30"},
		{Name: "total_net", Type: domain.ColumnNumber, Description: "Total (net)", Distinct: 80, Min: "50", Max: "500"},
	}, more...)...)
}

// A year that is the heading of a column of numbers means that column if the table has no date, and a
// year if it has one.
func TestRead_HeadingsOfYears(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"total 2023 by Flag": "SELECT flag, sum(n_2023) AS total_2023 FROM fleet GROUP BY 1 ORDER BY " +
			"2 DESC NULLS LAST, 1 NULLS LAST",
		"difference between 2023 and 2022 by flag": "WITH step AS ( SELECT *, (n_2023 - n_2022) AS \"2023_minus_2022\" FROM fleet ) " +
			"SELECT flag, sum(\"2023_minus_2022\") AS total_2023_minus_2022 FROM step GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1 NULLS LAST",
		"sum of 2022": "SELECT sum(n_2022) AS total_2022 FROM fleet",
		"total 2024-01 by flag": "SELECT flag, sum(n_2024_01) AS total_2024_01 FROM fleet GROUP BY 1 ORDER BY " +
			"2 DESC NULLS LAST, 1 NULLS LAST",
		"compare 2022 and 2023 by flag": "SELECT flag, sum(n_2022) AS total_2022, sum(n_2023) AS total_2023 FROM fleet GROUP BY " +
			"1 ORDER BY 2 DESC NULLS LAST, 1 NULLS LAST",
		"how many rows have \"2023\" of over 300?": "SELECT count(*) AS count FROM fleet WHERE n_2023 > 300",
	} {
		f := newPlanner(newLanguage(), ships(), nil, date(2025, 10, 15), nil).read(question, nil)
		require.Equal(t, want, flat(sql(f)), question)
	}
	dated := ships(domain.Column{
		Name: "built", Type: domain.ColumnDate, Description: "Built", Min: "2020-01-01", Max: "2024-12-31",
		Distinct: 90,
	})
	f := newPlanner(newLanguage(), dated, nil, date(2025, 10, 15), nil).read("total R&D cost 2023 by Flag", nil)
	require.Contains(t, flat(sql(f)), "sum(r_d_cost) AS total_r_d_cost FROM fleet WHERE (built >= DATE '2023-01-01' AND built < DATE "+
		"'2024-01-01')")
}

// Sentences and titles use the letters and signs of the headings.
func TestNarrate_HeadingsAsWritten(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"total 2023":      "The total 2023 is **12**.",
		"total R&D cost":  "The total R&D cost is **12**.",
		"average temp c":  "The average temp C is **12 °C**.",
		"total total net": "The total (net) is **12**.",
	} {
		_, n := narrated(ships(), question, []any{12.0})
		require.Equal(t, want, n.answer, question)
	}
	tables := listOf("orders",
		domain.Column{
			Name: "bestell_nr", Type: domain.ColumnText, Description: "Bestell-Nr, mostly numbers, kept as text because of “B7”",
			Distinct: 3,
		},
		domain.Column{Name: "kwh_verbrauch", Type: domain.ColumnNumber, Description: "kWh-Verbrauch", Distinct: 80, Min: "5", Max: "90"})
	f, _ := narrated(tables, "total kWh-Verbrauch by Bestell-Nr", []any{"1", 12.0})
	require.Equal(t, "Total kWh-Verbrauch by Bestell-Nr", title(f))
	require.Equal(t, "`Bestell-Nr`", quoteName(f.dims[0].col))
	require.Equal(t, "mostly numbers, kept as text because of “B7”", f.dims[0].col.remark())
}

// A question that names a column whose numbers seem to number the rows means that column.
func TestRead_NumbersThatCountTheRows(t *testing.T) {
	t.Parallel()
	tables := listOf("stock",
		domain.Column{Name: "sales", Type: domain.ColumnInteger, Description: "Sales", Distinct: 80, Min: "5", Max: "90"},
		domain.Column{Name: "boxes", Type: domain.ColumnInteger, Description: "Boxes", Distinct: 100, Min: "1", Max: "100"},
		domain.Column{Name: "n_1st_half", Type: domain.ColumnInteger, Description: "1st half", Distinct: 100, Min: "1", Max: "100"})
	for _, question := range []string{"total boxes", "average 1st half"} {
		f, _ := narrated(tables, question)
		require.True(t, f.blocked, question)
	}
	f, _ := narrated(tables, "total sales")
	require.False(t, f.blocked)
}

// If the table has a date, a year that is also a heading may mean either: the provider asks, and it
// understands each way of saying which.
func TestRead_HeadingOrYear(t *testing.T) {
	t.Parallel()
	dated := ships(domain.Column{
		Name: "built", Type: domain.ColumnDate, Description: "Built", Min: "2020-01-01", Max: "2024-12-31",
		Distinct: 90,
	})
	for _, question := range []string{"total 2023 by Flag", "sum of 2022", "average 2022 per flag"} {
		f := newPlanner(newLanguage(), dated, nil, date(2025, 10, 15), nil).read(question, nil)
		require.True(t, f.blocked, question)
	}
	for question, want := range map[string]string{
		"sum of \"2023\" by flag": "SELECT flag, sum(n_2023) AS total_2023 FROM fleet GROUP BY 1 ORDER BY 2 DESC " +
			"NULLS LAST, 1 NULLS LAST",
		"R&D cost in 2023": "SELECT sum(r_d_cost) AS total_r_d_cost FROM fleet WHERE (built >= DATE '2023-01-01' AND built < " +
			"DATE '2024-01-01')",
		"sum of \"2022\" in 2023": "SELECT sum(n_2022) AS total_2022 FROM fleet WHERE (built >= DATE '2023-01-01' AND built < DATE " +
			"'2024-01-01')",
		"average R&D cost by flag in 2022": "SELECT flag, avg(r_d_cost) AS average_r_d_cost FROM fleet WHERE (built >= DATE '2022-01-01' AND " +
			"built < DATE '2023-01-01') GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1 NULLS LAST",
	} {
		f := newPlanner(newLanguage(), dated, nil, date(2025, 10, 15), nil).read(question, nil)
		require.False(t, f.blocked, question)
		require.Equal(t, want, flat(sql(f)), question)
	}
}
