package wire_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// TestNewDataSource_Weight checks that a page of 600 data sources stays small: what a list
// contains of a data source is small, however wide its tables are.
func TestNewDataSource_Weight(t *testing.T) {
	t.Parallel()
	row := domain.DataSource{
		ID: 1, Name: strings.Repeat("n", 40), Description: strings.Repeat("d", 200), Type: domain.DataSourceCSV, Scope: domain.ScopeUser,
		Permission: domain.PermissionRead, HasFile: true, FileName: "orders.csv", ProjectLabels: []int64{1},
		Resources: []domain.DataResource{{ID: 1, Name: "Orders", Description: strings.Repeat("t", 200), Rows: 12_000}},
	}
	weight := func() int {
		encoded, err := json.Marshal(wire.NewDataSource(domain.Caller{},
			wire.ProjectLabelNames{1: {ID: 1, Name: "P", Color: "Royal Blue"}})(&row))
		require.NoError(t, err)
		return len(encoded)
	}
	listed := weight()
	require.Less(t, listed, 1800)
	for range 50 {
		row.Resources[0].Columns = append(row.Resources[0].Columns, domain.Column{
			Name: strings.Repeat("c", 20), Type: domain.ColumnText,
		})
	}
	row.Resources[0].Preview = strings.Repeat("x", 4000)
	nested := weight()
	require.Less(t, nested, listed+50*100+2*4000+100)
	for i := range row.Resources[0].Columns {
		c := &row.Resources[0].Columns[i]
		c.Values, c.Min, c.Max, c.Distinct = slices.Repeat([]string{strings.Repeat("v", 10_000)}, 100), "a", "z", 100
	}
	require.Less(t, weight(), nested+50*600, "at most five of a hundred values are shown, each of them shortened")
	t.Logf("a row of a list has %d bytes, with nested objects of 50 columns %d", listed, nested)
}

func TestNewDataSource_Columns(t *testing.T) {
	t.Parallel()
	shown := wire.NewDataSource(domain.Caller{}, nil)(&domain.DataSource{Resources: []domain.DataResource{{Columns: []domain.Column{
		{Name: "rating", Type: domain.ColumnInteger, Nulls: 59, Distinct: 5, Min: "1", Max: "5"},
		{Name: "region", Type: domain.ColumnText, Distinct: 9, Values: []string{"a", "b", "c", "d", "e", "f"}},
		{Name: "unknown", Type: domain.ColumnText},
	}}}}).DataResourceSet[0].Columns
	require.Equal(t, &wire.ColumnValues{Empty: 59, Distinct: 5, Min: "1", Max: "5", Examples: []string{}}, shown[0].Values)
	require.Equal(t, []string{"a", "b", "c", "d", "e"}, shown[1].Values.Examples)
	require.Nil(t, shown[2].Values)
}
