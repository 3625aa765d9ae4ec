package builtin

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// wide makes tables with many columns, half of them with a hundred values each.
func wide(tables, columns int) []analyst.Table {
	out := make([]analyst.Table, tables)
	for i := range out {
		t := analyst.Table{
			Source: fmt.Sprintf("Plant %d", i), SourceID: int64(i), Name: fmt.Sprintf("plant_%d", i),
			Title: fmt.Sprintf("Plant %d", i), Rows: 10_000,
		}
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

// BenchmarkPlanner reads a question about twelve wide tables: with an index of its own, and with one from the cache.
func BenchmarkPlanner(b *testing.B) {
	tables, questions := wide(12, 100), []string{"total reading 7 of line 3 by reading 8 of line 3"}
	p := New(Config{})
	for name, s := range map[string]*indexCache{"First": nil, "Again": p.indexCache} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NotNil(b, s.planner(p.lang, tables, nil, date(2026, 11, 23), questions).follow(questions))
			}
		})
	}
}

// TestIndexCache checks what the cache keeps, and that questions that are asked at the same time can share it.
func TestIndexCache(t *testing.T) {
	t.Parallel()
	p := New(Config{})
	tables := shopIn("")
	_, first := p.indexCache.get(p.lang, tables, nil)
	_, again := p.indexCache.get(p.lang, slices.Clone(tables), nil)
	require.Same(t, first[0], again[0], "equal tables have one index")
	other := slices.Clone(tables)
	other[0].Description += " x"
	_, changed := p.indexCache.get(p.lang, other, nil)
	require.NotSame(t, first[0], changed[0], "another description may be read in another way")
	_, meant := p.indexCache.get(p.lang, tables, &meaning.Meaning{Hash: "m"})
	require.NotSame(t, first[0], meant[0])

	var g errgroup.Group
	for range 8 {
		g.Go(func() error {
			questions := []string{"total revenue by region in 2025", "and by month?", "only the top 3"}
			f := p.planner(tables, nil, questions).follow(questions)
			require.NotNil(t, f)
			return nil
		})
	}
	require.NoError(t, g.Wait())

	for i := range 40 {
		p.indexCache.get(p.lang, wide(2, 20+i), nil)
	}
	_, phrases := p.indexCache.kept.Len()
	require.LessOrEqual(t, phrases, indexCacheMax)
}
