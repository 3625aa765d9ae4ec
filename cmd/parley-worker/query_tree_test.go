package main

// Random questions about random tables: the SQL of the tree, run by the engine, gives what an oracle finds that walks the rows,
// and the guard of totals has nothing against it.

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	checking "parley.dev/parley/analyst/check"
	judging "parley.dev/parley/analyst/guard"
	tree "parley.dev/parley/analyst/query"
	"parley.dev/parley/analyst/query/querytest"
	"parley.dev/parley/domain"
	means "parley.dev/parley/domain/meaning"
)

// trees says how many worlds are tried, and how many questions about each. PARLEY_TREES sets the worlds.
func trees(tb testing.TB) (worlds, questions int) {
	tb.Helper()
	worlds = 25
	if s := os.Getenv("PARLEY_TREES"); s != "" {
		n, err := strconv.Atoi(s)
		require.NoError(tb, err, "PARLEY_TREES is the number of worlds")
		worlds = n
	}
	return worlds, 15
}

// newWorldTotals is an engine with the tables of a world, and what the guard knows of them.
func newWorldTotals(tb testing.TB, w *querytest.World) *totals {
	tb.Helper()
	db, err := openMemory()
	require.NoError(tb, err)
	x := &totals{db: db, schema: judging.NewSchema()}
	require.NoError(tb, db.exec("ATTACH ':memory:' AS s1"))
	for _, sql := range w.SQL("s1.main.") {
		require.NoError(tb, db.exec(sql), sql)
	}
	said := map[string]judging.Described{}
	for i := range w.Meaning.Tables {
		t := &w.Meaning.Tables[i]
		f := x.measured(tb, t.Name)
		for _, d := range t.Implies {
			f.Implied = append(f.Implied, domain.Implication{By: d.By, Columns: d.Columns})
		}
		x.facts = append(x.facts, f)
		said[t.Name] = meantFor(t)
	}
	x.schema.Add("s1", x.facts, said)
	return x
}

// meantFor is what the meaning of a table says to the guard.
func meantFor(t *means.Table) judging.Described {
	out := judging.Described{Row: t.Row, Columns: map[string]judging.Column{}}
	for _, c := range t.Columns {
		if c.Number == nil {
			continue
		}
		k := judging.Column{Adds: map[means.Adds]judging.Adds{
			means.Amount: judging.Amount, means.Level: judging.Level, means.Rate: judging.Rate,
		}[c.Number.Adds]}
		if c.Number.Adds == means.Level {
			k.Period, k.Entity, k.Step = t.Snapshot.Period, t.Snapshot.Entity, string(t.Snapshot.Step)
		}
		for _, b := range c.Number.Barriers {
			k.Barriers = append(k.Barriers, judging.Barrier{Column: b.Column, Of: b.Of})
		}
		out.Columns[c.Name] = k
	}
	return out
}

// cellsOf runs a statement and returns its cells as texts, nil for a missing one.
func (x *totals) cellsOf(tb testing.TB, sql string) [][]*string {
	tb.Helper()
	rows, err := x.db.rows("SELECT coalesce(COLUMNS(*)::VARCHAR, '∅') FROM (" + sql + ")")
	require.NoError(tb, err, sql)
	out := make([][]*string, len(rows))
	for i, r := range rows {
		for j := range r {
			cell := &r[j]
			if *cell == "∅" {
				cell = nil
			}
			out[i] = append(out[i], cell)
		}
	}
	return out
}

func TestQueryTree_Random(t *testing.T) {
	t.Parallel()
	worlds, questions := trees(t)
	verdicts, unchecked, shapes, rows, controls := map[string]int{}, map[string]int{}, map[string]int{}, 0, 0
	checks := &checked{outcomes: map[string]int{}}
	for seed := range uint64(worlds) {
		w := querytest.New(seed)
		x := newWorldTotals(t, w)
		r, err := querytest.NewTrees(seed, w)
		require.NoError(t, err)
		for i := range questions {
			s := r.Script()
			text, err := s.MarshalJSON()
			require.NoError(t, err)
			name := fmt.Sprintf("seed %d, question %d: %s\n%s", seed, i, tree.Say(s.Asks()[0]), text)
			again, err := tree.Read(r.Model(), text)
			require.NoError(t, err, name)
			statement, err := tree.Compile(s.Asks()[0], tree.DuckDB())
			require.NoError(t, err, name)
			same, err := tree.Compile(again.Asks()[0], tree.DuckDB())
			require.NoError(t, err, name)
			require.Equal(t, statement, same, name)
			require.True(t, tree.Equal(s.Asks()[0], again.Asks()[0]), name)
			answer, err := w.Ask(text)
			require.NoError(t, err, name)
			cells := x.cellsOf(t, statement.SQL)
			require.Empty(t, answer.Agrees(cells), "%s\n%s", name, statement.SQL)
			verdict, v := x.judged(t, statement.SQL)
			// The guard knows all that the compiler writes, so nothing is unchecked either.
			require.Equal(t, judging.Verdict{}, v, "the guard and the tree disagree: %s\n%s", name, statement.SQL)
			verdicts[verdict]++
			for _, why := range v.Unchecked {
				unchecked[why]++
			}
			checks.check(t, x, s.Asks()[0], statement, name)
			// What is derived from a plan must hold of these statements too, for they are right.
			plan, missing := planOf(x.db, statement.SQL, 1<<20)
			require.Empty(t, missing, name)
			derived := judging.Derive(plan)
			require.Empty(t, x.differs(t, &derived), "%s\n%s\n%s", name, statement.SQL, derived.Control)
			controls += len(derived.Totals)
			rows += len(cells)
			for _, op := range querytest.Operations(text) {
				shapes[op]++
			}
		}
	}
	t.Logf("%d questions with %d rows; the guard says %v %v; operations %v", worlds*questions, rows, verdicts, unchecked, shapes)
	t.Logf("the checks say %v; %d wrong figures found, %d of them do not add up; %d of %d empty results explained; "+
		"%d derived controls hold", checks.outcomes, checks.planted, checks.again, checks.explained, checks.empty, controls)
	// Random questions do not ask for the lowest, the mean and the highest value of one number.
	for _, k := range []checking.Kind{checking.KindTotal, checking.KindFigures, checking.KindShares, checking.KindLevel, checking.KindCounts} {
		require.Positive(t, checks.outcomes[string(k)+" passed"], k)
	}
	require.Greater(t, checks.planted, checks.again)
	require.Positive(t, checks.again)
	require.Positive(t, controls)
	require.Positive(t, checks.explained)
	var missing []string
	for _, op := range tree.Operations() {
		if shapes[op] == 0 {
			missing = append(missing, op)
		}
	}
	slices.Sort(missing)
	require.Empty(t, strings.Join(missing, " "), "the generator makes no such operations")
}
