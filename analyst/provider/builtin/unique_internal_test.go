package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestColumn_Unique checks what proves that a column has one row for each value: a count in small files, and a measured key in
// large ones, where the number of values is an estimate.
func TestColumn_Unique(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		rows     int64
		distinct int64
		nulls    int64
		keys     *[][]string // nil if they were not measured
		remote   bool        // the count is an estimate of a remote database
		repeats  bool
		unique   bool
	}{
		{name: "counted", rows: domain.DistinctCountedRows, distinct: domain.DistinctCountedRows, unique: true},
		{name: "counted, with repeats", rows: 100, distinct: 99},
		{name: "counted, with empty cells", rows: 100, distinct: 100, nulls: 1},
		{name: "estimated", rows: domain.DistinctCountedRows + 1, distinct: domain.DistinctCountedRows + 1},
		{name: "estimated too high", rows: domain.DistinctCountedRows + 1, distinct: 2 * domain.DistinctCountedRows},
		{name: "estimated, and no key", rows: domain.DistinctCountedRows + 1, distinct: domain.DistinctCountedRows + 1, keys: &[][]string{}},
		{name: "estimated, and a part of a key", rows: 3_000_000, distinct: 3_000_000, keys: &[][]string{{"meter_id", "read_at"}}},
		{name: "a key", rows: 3_000_000, distinct: 3_000_000, keys: &[][]string{{"meter_id"}}, unique: true},
		{name: "estimated by a database", rows: 100, distinct: 100, remote: true},
		{name: "declared by a database", rows: 100, distinct: 90, remote: true, keys: &[][]string{{"meter_id"}}, unique: true},
		{name: "repeated since it was counted", rows: 100, distinct: 100, repeats: true},
		{name: "a key, estimated too low", rows: 3_000_000, distinct: 2_900_000, keys: &[][]string{{"meter_id"}}, unique: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			meters := &analyst.Table{Name: "meters", Rows: c.rows}
			known := &meaning.Table{}
			if c.keys != nil {
				known.Keys, known.KeysKnown = *c.keys, !c.remote
			}
			column := &column{
				Column: &domain.Column{
					Name: "meter_id", Type: domain.ColumnInteger, Distinct: c.distinct, Nulls: c.nulls, Estimated: c.remote, Repeats: c.repeats,
				},
				table: &table{Table: meters, meaning: known},
			}
			require.Equal(t, c.unique, column.unique())
		})
	}
}

// TestJoinKey_Estimate checks that two tables are not joined by a key that is only estimated to be one.
func TestJoinKey_Estimate(t *testing.T) {
	t.Parallel()
	of := func(name string, rows, distinct int64) *table {
		out := &table{Table: &analyst.Table{Name: name, Rows: rows}}
		out.columns = []*column{{
			Column: &domain.Column{Name: "parcel_id", Type: domain.ColumnText, Distinct: distinct}, table: out, words: []string{"parcel", "id"},
		}}
		return out
	}
	on, _ := joinKey(of("scans", 5_000_000, 900_000), of("parcels", 900_000, 900_000))
	require.NotNil(t, on)
	on, _ = joinKey(of("scans", 9_000_000, 5_000_000), of("parcels", 5_000_000, 5_000_000))
	require.Nil(t, on)
}

// TestTable_CoveredEstimate checks that a join is not said to reach each row of a table because of an estimate.
func TestTable_CoveredEstimate(t *testing.T) {
	t.Parallel()
	for _, rows := range []int64{domain.DistinctCountedRows, domain.DistinctCountedRows + 1} {
		scans := &table{Table: &analyst.Table{Name: "scans", Rows: rows}}
		on := &column{Column: &domain.Column{Name: "gate_id", Distinct: 41}, table: scans}
		gates := &table{Table: &analyst.Table{Name: "gates", Rows: 40}}
		gates.joinTo(scans, []*column{on}, []*column{{Column: &domain.Column{Name: "gate_id", Distinct: 40}, table: gates}})
		require.Equal(t, rows == domain.DistinctCountedRows, gates.covered())
	}
}
