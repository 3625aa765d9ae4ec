package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// oracle is a table whose facts are found by walking its rows, without the engine's own aggregates.
type oracle struct {
	columns []domain.Column
	rows    [][]any
}

// oracleOf reads all rows of a table.
func oracleOf(t *testing.T, b *bundle, source domain.DataSource, table string) *oracle {
	t.Helper()
	found := b.query(t, "SELECT * FROM s"+strconv.FormatInt(source.ID, 10)+"."+sqltext.QuoteName(table), source)
	require.False(t, found.Truncated)
	return &oracle{columns: found.Columns, rows: found.Rows}
}

func (o *oracle) at(name string) int {
	return slices.IndexFunc(o.columns, func(c domain.Column) bool { return c.Name == name })
}

// text is a value of some columns of a row that can be compared, and whether one of them is missing.
func (o *oracle) text(row []any, names ...string) (text string, missing bool) {
	var b strings.Builder
	for _, name := range names {
		cell := row[o.at(name)]
		missing = missing || cell == nil
		fmt.Fprintf(&b, "%T %v\x00", cell, cell)
	}
	return b.String(), missing
}

// unique reports whether no two rows are equal in the columns, and nothing is missing.
func (o *oracle) unique(names ...string) bool {
	seen := map[string]bool{}
	for _, row := range o.rows {
		text, missing := o.text(row, names...)
		if missing || seen[text] {
			return false
		}
		seen[text] = true
	}
	return true
}

// counts returns how many rows each value of the columns has.
func (o *oracle) counts(names ...string) map[string]int64 {
	out := map[string]int64{}
	for _, row := range o.rows {
		if text, missing := o.text(row, names...); !missing {
			out[text]++
		}
	}
	return out
}

// implies reports whether rows with equal values in by have equal values in column.
func (o *oracle) implies(by, column string) bool {
	of := map[string]string{}
	for _, row := range o.rows {
		key, _ := o.text(row, by)
		value, _ := o.text(row, column)
		if before, ok := of[key]; ok && before != value {
			return false
		}
		of[key] = value
	}
	return true
}

// number is a cell as a number.
func number(t *testing.T, cell any) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(fmt.Sprint(cell), 64)
	require.NoError(t, err)
	return f
}

// checkFacts compares the facts of a table with its rows, line by line.
func (o *oracle) checkFacts(t *testing.T, facts *domain.TableFacts) {
	t.Helper()
	require.Empty(t, facts.Unmeasured)
	require.Equal(t, int64(len(o.rows)), facts.Rows)
	require.Len(t, facts.Columns, len(o.columns))
	for i := range facts.Columns {
		o.checkColumn(t, &facts.Columns[i], &o.columns[i])
	}
	o.checkKeys(t, facts)
	o.checkImplied(t, facts)
	if facts.Panel != nil {
		o.checkPanel(t, facts.Panel, facts.Rows)
	}
}

func (o *oracle) checkColumn(t *testing.T, c *domain.ColumnFacts, known *domain.Column) {
	t.Helper()
	require.Equal(t, known.Name, c.Name)
	var missing int64
	least, most := "", ""
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range o.rows {
		switch cell := row[o.at(c.Name)]; {
		case cell == nil:
			missing++
		case known.Type == domain.ColumnInteger || known.Type == domain.ColumnNumber:
			low, high = min(low, number(t, cell)), max(high, number(t, cell))
		default:
			// Dates and times are in the order of their text.
			if text := fmt.Sprint(cell); least == "" || text < least {
				least = text
			}
			most = max(most, fmt.Sprint(cell))
		}
	}
	require.Equal(t, missing, c.Missing, c.Name)
	require.NotNil(t, c.Distinct, c.Name)
	require.Len(t, o.counts(c.Name), int(*c.Distinct), c.Name)
	switch {
	case missing == int64(len(o.rows)) || known.Type == domain.ColumnText || known.Type == domain.ColumnBoolean:
		require.Nil(t, c.Min, c.Name)
		require.Nil(t, c.Max, c.Name)
	case known.Type == domain.ColumnInteger || known.Type == domain.ColumnNumber:
		require.InDelta(t, low, number(t, *c.Min), 0, c.Name)
		require.InDelta(t, high, number(t, *c.Max), 0, c.Name)
	default:
		require.Equal(t, strings.ReplaceAll(least, "T", " "), strings.ReplaceAll(*c.Min, "T", " "), c.Name)
		require.Equal(t, strings.ReplaceAll(most, "T", " "), strings.ReplaceAll(*c.Max, "T", " "), c.Name)
	}
}

// checkKeys checks that each key is one and none of its parts is, and that no text and no integer that is one is left out.
func (o *oracle) checkKeys(t *testing.T, facts *domain.TableFacts) {
	t.Helper()
	for _, key := range facts.Keys {
		require.True(t, o.unique(key...), key)
		for i := range key {
			if rest := slices.Delete(slices.Clone(key), i, i+1); len(rest) > 0 {
				require.False(t, o.unique(rest...), "%v is not minimal", key)
			}
		}
	}
	for _, c := range o.columns {
		single := slices.ContainsFunc(facts.Keys, func(key []string) bool { return slices.Equal(key, []string{c.Name}) })
		if (c.Type == domain.ColumnText || c.Type == domain.ColumnInteger) && len(facts.Keys) < keysMax && len(o.rows) > 0 {
			require.Equal(t, o.unique(c.Name), single, c.Name)
		}
	}
}

// checkImplied checks that each dependency holds, and that those of a column are complete.
func (o *oracle) checkImplied(t *testing.T, facts *domain.TableFacts) {
	t.Helper()
	for _, implied := range facts.Implied {
		require.Len(t, implied.By, 1)
		require.False(t, o.unique(implied.By...))
		for _, c := range o.columns {
			if c.Name != implied.By[0] && !o.unique(c.Name) {
				require.Equal(t, o.implies(implied.By[0], c.Name), slices.Contains(implied.Columns, c.Name), "%s → %s", implied.By[0], c.Name)
			}
		}
	}
}

// checkPanel walks the rows of each entity in the order of the periods.
func (o *oracle) checkPanel(t *testing.T, p *domain.PanelFacts, rows int64) {
	t.Helper()
	require.True(t, o.unique(append(slices.Clone(p.Entity), p.Period)...))
	entities := o.counts(p.Entity...)
	require.GreaterOrEqual(t, rows, int64(periodsOfEntity*len(entities)))
	require.GreaterOrEqual(t, rows, int64(rowsOfPeriod*len(o.counts(p.Period))))
	of := map[string][][]any{}
	for _, row := range o.rows {
		entity, _ := o.text(row, p.Entity...)
		of[entity] = append(of[entity], row)
	}
	period := o.at(p.Period)
	for _, list := range of {
		slices.SortFunc(list, func(a, b []any) int { return strings.Compare(fmt.Sprint(a[period]), fmt.Sprint(b[period])) })
	}
	o.checkLives(t, p, of, rows)
	for _, s := range p.Series {
		want := domain.SeriesFacts{Column: s.Column, SampledEntities: int64(len(entities)), ChangeColumn: s.ChangeColumn}
		var wrong, moves int
		for _, entity := range slices.Sorted(maps.Keys(of)) {
			var before any
			for i, row := range of[entity] {
				now := row[o.at(s.Column)]
				o.step(t, &want, i, before, now)
				if s.ChangeColumn != "" && i > 0 && before != nil && now != nil && row[o.at(s.ChangeColumn)] != nil {
					change := number(t, row[o.at(s.ChangeColumn)])
					if math.Abs(number(t, now)-number(t, before)-change) > 1e-6 {
						wrong++
					}
					if change != 0 {
						moves++
					}
				}
				before = now
			}
		}
		require.Equal(t, want, s)
		require.Zero(t, wrong, "%s is not the change of %s", s.ChangeColumn, s.Column)
		if s.ChangeColumn != "" {
			require.GreaterOrEqual(t, moves, movesLeast)
		}
	}
}

// checkLives walks the rows of each entity and compares its first, its last and its number of periods.
func (o *oracle) checkLives(t *testing.T, p *domain.PanelFacts, of map[string][][]any, rows int64) {
	t.Helper()
	period := o.at(p.Period)
	rowsOf := map[string]int64{}
	for _, row := range o.rows {
		rowsOf[fmt.Sprint(row[period])]++
	}
	all := slices.Sorted(maps.Keys(rowsOf))
	place := func(row []any) int { return slices.Index(all, fmt.Sprint(row[period])) }
	var lived int64
	for _, list := range of {
		lived += int64(place(list[len(list)-1]) - place(list[0]) + 1)
	}
	require.Equal(t, lived, p.Lived)
	require.GreaterOrEqual(t, lived, rows)
	require.Len(t, p.Recent, min(len(all), recentPeriods))
	for i, r := range p.Recent {
		require.Equal(t, rowsOf[all[len(all)-len(p.Recent)+i]], r.Rows, r.Period)
	}
	for _, f := range p.Flags {
		var yes, last int64
		for _, list := range of {
			for i, row := range list {
				if isYes(row[o.at(f.Column)]) {
					yes++
					if i == len(list)-1 {
						last++
					}
				}
			}
		}
		require.Equal(t, domain.FlagFacts{Column: f.Column, Yes: yes, Last: last}, f)
	}
	for _, b := range p.Births {
		var begun, equal int64
		for _, list := range of {
			first := place(list[0])
			born := list[0][o.at(b.Column)]
			if first == 0 || born == nil {
				continue
			}
			begun++
			if text := fmt.Sprint(born); text >= all[first] && (first == len(all)-1 || text < all[first+1]) {
				equal++
			}
		}
		require.Equal(t, domain.BirthFacts{Column: b.Column, Entities: begun, Equal: equal}, b)
	}
}

// isYes reports whether a cell says yes.
func isYes(cell any) bool {
	switch v := cell.(type) {
	case bool:
		return v
	case string:
		return slices.Contains(yesWords(), strings.ToLower(v))
	}
	return fmt.Sprint(cell) == "1"
}

// step counts one step of a series.
func (o *oracle) step(t *testing.T, s *domain.SeriesFacts, i int, before, now any) {
	t.Helper()
	if now == nil {
		return
	}
	s.Values++
	if number(t, now) == 0 {
		s.Zero++
	}
	if i == 0 || before == nil {
		return
	}
	s.Steps++
	switch a, b := number(t, before), number(t, now); {
	case a == b:
		s.Equal++
	case a > b:
		s.Falling++
	default:
		s.Rising++
	}
}

// checkLink counts the values of a link that the other table has.
func checkLinkFacts(t *testing.T, child, home *oracle, l *domain.LinkFacts) {
	t.Helper()
	values, keys := child.counts(l.From...), home.counts(l.To...)
	want := domain.LinkFacts{
		FromTable: l.FromTable, From: l.From, ToTable: l.ToTable, To: l.To, Distinct: int64(len(values)), Unique: true, Shared: l.Shared,
	}
	for value, n := range values {
		if keys[value] > 0 {
			want.Matched++
		} else {
			want.Orphans += n
		}
		want.Unique = want.Unique && n == 1
	}
	require.Equal(t, want, *l)
	require.Equal(t, !l.Shared, home.unique(l.To...))
	require.GreaterOrEqual(t, float64(l.Matched), linkedLeast*float64(l.Distinct))
}
