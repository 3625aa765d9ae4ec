package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// TestNewDataSource_Weight keeps a page of 600 small: what a list reads of a data
// source weighs little however wide its tables are.
func TestNewDataSource_Weight(t *testing.T) {
	t.Parallel()
	row := domain.DataSource{
		ID: 1, Name: strings.Repeat("n", 40), Description: strings.Repeat("d", 200), Type: domain.DataSourceCSV, Scope: domain.ScopeUser,
		Permission: domain.PermissionRead, HasFile: true, FileName: "orders.csv", ProjectLabels: []int64{1},
		Resources: []domain.DataResource{{ID: 1, Name: "Orders", Description: strings.Repeat("t", 200), Rows: 12_000}},
	}
	weight := func() int {
		encoded, err := json.Marshal(wire.NewDataSource(wire.ProjectLabelNames{1: {ID: 1, Name: "P", Color: "Royal Blue"}})(&row))
		require.NoError(t, err)
		return len(encoded)
	}
	listed := weight()
	require.Less(t, listed, 1800)
	for range 50 {
		row.Resources[0].Columns = append(row.Resources[0].Columns, domain.Column{
			Name: strings.Repeat("c", 20), Type: domain.ColumnText, Values: []string{strings.Repeat("v", 10_000)}, Min: "a", Max: "z", Distinct: 100,
		})
	}
	row.Resources[0].Preview = strings.Repeat("x", 4000)
	nested := weight()
	require.Less(t, nested, listed+50*100+2*4000+100, "statistics never leave the server")
	t.Logf("a row of a list has %d bytes, with nested objects of 50 columns %d", listed, nested)
}
