package builtin

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/clock"
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

// BenchmarkPlanner_Questions reads forty questions over twelve wide tables, whose meaning is derived: totals, groups, conditions,
// ranks and months. It reports the time within which 95 of 100 are read, with what is kept of the tables, and the time of the
// first question, which makes that.
func BenchmarkPlanner_Questions(b *testing.B) {
	tables := wide(12, 100)
	m := meaningOf(tables, date(2026, 11, 23))
	var questions []string
	for i := range 8 {
		n := 3 + 7*i
		for _, form := range []string{
			"total reading %[1]d of line %[2]d by reading %[3]d of line %[2]d", "average reading %[1]d of line %[2]d",
			"top 5 reading %[3]d of line %[2]d by reading %[1]d", "how many rows have reading %[1]d of line %[2]d above 10?",
			"what is the highest reading %[1]d of line %[2]d and the lowest reading %[3]d?",
		} {
			questions = append(questions, fmt.Sprintf(form, n, 1+i, n+1))
		}
	}
	var first, again []time.Duration
	var watch clock.System
	for b.Loop() {
		p := New(Config{})
		for i, q := range questions {
			began := watch.Now()
			p.indexCache.planner(p.lang, tables, m, date(2026, 11, 23), []string{q}).follow([]string{q})
			if took := watch.Now().Sub(began); i == 0 {
				first = append(first, took)
			} else {
				again = append(again, took)
			}
		}
	}
	slices.Sort(again)
	slices.Sort(first)
	b.ReportMetric(float64(again[len(again)*95/100].Microseconds())/1e3, "p95-ms")
	b.ReportMetric(float64(first[len(first)/2].Microseconds())/1e3, "first-ms")
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
