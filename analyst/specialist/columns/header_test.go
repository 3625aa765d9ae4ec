package columns_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
)

// TestHeading_AsWritten checks that headings are shown as people wrote them, whatever the name in
// SQL and the notes after them.
func TestHeading_AsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, description, want string }{
		{"n_2023", "2023", "2023"},
		{"n_2024_01", "2024-01", "2024-01"},
		{"n_1st_half", "1st half", "1st half"},
		{"bestell_nr", "Bestell-Nr, mostly numbers, kept as text because of “B7”", "Bestell-Nr"},
		{"r_d_cost", "R&D cost", "R&D cost"},
		{"artikel_größe", "Artikel/Größe", "Artikel/Größe"},
		{"temp_c_c", "Temp C (°C)", "Temp C"},
		{"sales_2023", "Sales (2023)", "Sales (2023)"},
		{"ndvi", "NDVI", "NDVI"},
		{"email", "eMail", "eMail"},
		{"ph", "pH", "pH"},
		{"iphone_sales", "iPhone sales", "iPhone sales"},
		{"hometeam", "HomeTeam", "Home team"},
		{"price_per_kwh", "Price per kWh", "Price per kWh"},
		{"column_12", "%", "%"},
		{"rabatt_in", "Rabatt in %", "Rabatt"},
		{"order_", "Order", "Order"},
		{"amount_2", "Amount", "Amount 2"},
		{"n_2023", "what came in that year", "N 2023"},
		{strings.Repeat("why_", 20) + "n", strings.Repeat("Why ", 20) + "not", strings.Repeat("Why ", 20) + "not"},
	} {
		require.Equal(t, c.want, columns.Heading(&domain.Column{Name: c.name, Type: num, Description: c.description}), c.description)
	}
}

func TestHeader_Notes(t *testing.T) {
	t.Parallel()
	header, note := columns.Header(&domain.Column{Name: "name_first", Description: "Name, first, read as it stands"})
	require.Equal(t, []string{"Name, first", "read as it stands"}, []string{header, note})
	header, note = columns.Header(&domain.Column{Name: "day", Description: "read as day/month/year"})
	require.Equal(t, []string{"", "read as day/month/year"}, []string{header, note})
}

func TestManner_Spoken(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]string{
		"Temp C": "temp C", "R&D cost": "R&D cost", "Order Date": "order date", "KWh used": "kWh used", "pH": "pH", "2023": "2023",
		"Total (net)": "total (net)", "TOTAL NET": "total net", "NDVI": "NDVI", "A score": "a score",
	} {
		require.Equal(t, want, columns.Manner{}.Spoken(heading), heading)
	}
	german := columns.MannerOf([]domain.Column{{Name: "bestell_nr", Description: "Bestell-Nr"}, {Name: "ort", Description: "Ort"}})
	require.Equal(t, "Bestell-Nr", german.Spoken("Bestell-Nr"))
	shouts := columns.MannerOf([]domain.Column{{Name: "revenue", Description: "REVENUE"}, {Name: "city", Description: "CITY"}})
	require.Equal(t, "revenue", shouts.Spoken("REVENUE"))
}

// TestShown_DerivedNames checks that the heading of a name that a query derived from a column keeps
// the letters and signs of the column's heading.
func TestShown_DerivedNames(t *testing.T) {
	t.Parallel()
	tables := []columns.Table{{Name: "t", Columns: []domain.Column{
		{Name: "n_2023", Type: whole, Description: "2023"},
		{Name: "r_d_cost", Type: num, Description: "R&D cost"},
		{Name: "temp_c_c", Type: num, Description: "Temp C (°C)"},
		{Name: "total_net", Type: num, Description: "Total (net)"},
	}}, {Name: "u", Columns: []domain.Column{
		{Name: "umsatz", Type: num, Description: "Umsatz €"},
		{Name: "bestell_nr", Type: text, Description: "Bestell-Nr"},
	}}}
	for sql, want := range map[string]string{
		"sum(n_2023) AS total_2023":            "Total 2023",
		"avg(n_2023) AS average_n_2023":        "Average 2023",
		"sum(r_d_cost) AS total_r_d_cost":      "Total R&D cost",
		"max(temp_c_c) AS highest_temp_c_c":    "Highest temp C",
		"sum(total_net) AS total_net_value":    "Total (net)",
		"avg(total_net) AS average_total_net":  "Average total (net)",
		"sum(umsatz) AS total_umsatz":          "Total Umsatz",
		"sum(r_d_cost) AS spending":            "Spending",
		"sum(r_d_cost) AS _r_d_cost":           "R&D cost",
		"sum(n_2023) AS _2023":                 "2023",
		"bestell_nr":                           "Bestell-Nr",
		"count(DISTINCT bestell_nr) AS orders": "Orders",
	} {
		name := sql[strings.LastIndexByte(sql, ' ')+1:]
		got := columns.Shown("SELECT "+sql+" FROM t", tables, &domain.ResultSet{
			Columns: []domain.Column{{Name: name, Type: num}},
			Rows:    [][]any{{1.5}},
		})
		require.Equal(t, want, got[0].Label, sql)
	}
}
