package analyst_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// TestRun_Shown checks that a table and its chart contain the units that the sources know, whichever
// model wrote the query, in this turn and in a later one.
func TestRun_Shown(t *testing.T) {
	t.Parallel()
	b := newTalk(t)
	priced := sales()
	priced.Resources[0].Columns[1].Description = "Total, in €"
	b.config.DataSources = analysttest.NewSources(priced)
	b.table.Shown = nil

	want := []domain.ShownColumn{
		{Name: "region", Label: "Region", Format: domain.FormatText, Role: domain.RoleOfCategory},
		{Name: "total", Label: "Total", Unit: "EUR", Format: domain.FormatMoney, Role: domain.RoleOfMeasure, Adds: true},
	}
	require.NoError(t, b.turn(t, "total by region?", asksFor("SELECT region, sum(total) AS total FROM sales GROUP BY 1", "Total by region"),
		callsTool(analyst.ToolMakeChart, analyst.MakeChartArgs{}), speaks("", "North has 11.")))
	table := b.sink.Role(domain.RoleUserProxy)[0].Objects[1]
	require.Equal(t, domain.DisplayCSV, table.Type)
	require.Equal(t, want, table.Columns)
	chart := b.sink.Role(domain.RoleAssistant)[0].Objects[0]
	require.Equal(t, domain.DisplayHighcharts, chart.Type)
	require.Equal(t, want, chart.Columns)
	require.Contains(t, b.files.Text(chart.FileKey), `"unit":"EUR"`)

	require.NoError(t, b.turn(t, "as a pie", callsTool(analyst.ToolMakeChart, analyst.MakeChartArgs{Kind: "pie"}), speaks("", "Here it is.")))
	again := b.sink.Role(domain.RoleAssistant)[0].Objects[0]
	require.Equal(t, want, again.Columns, "the table was read from its file again")
}
