package builtin

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// wide makes tables with many columns, half of them with a hundred values each.
func wide(tables, columns int) []analyst.Table {
	out := make([]analyst.Table, tables)
	for i := range out {
		t := analyst.Table{Source: fmt.Sprintf("Plant %d", i), SourceID: int64(i), Name: fmt.Sprintf("plant_%d", i), Title: fmt.Sprintf("Plant %d", i), Rows: 10_000}
		for k := range columns {
			c := domain.Column{Name: fmt.Sprintf("reading_%d_of_line_%d", k, i), Type: domain.ColumnNumber}
			if k%2 == 0 {
				c.Type = domain.ColumnText
				for v := range 100 {
					c.Values = append(c.Values, fmt.Sprintf("Machine %d in hall %d of shift %d", v, k, i))
				}
			}
			t.Columns = append(t.Columns, c)
		}
		out[i] = t
	}
	return out
}

// BenchmarkPlanner reads a question about twelve wide tables, as each call of a turn does.
func BenchmarkPlanner(b *testing.B) {
	p := New(Config{})
	tables := wide(12, 100)
	b.ReportAllocs()
	for b.Loop() {
		f := newPlanner(p.lang, tables, nil, time.Now(), []string{"total reading 7 of line 3 by reading 8 of line 3"}).
			follow([]string{"total reading 7 of line 3 by reading 8 of line 3"})
		require.NotNil(b, f)
	}
}
