package query

// Controls of figures that do not add up: means, medians, differences and ratios. The figure of each group is computed a second
// time, each aggregate over its own table; the sum over all groups must equal that of the answer.

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// recomputedFigure is a figure of a question, with its place as Compile has it.
type recomputedFigure struct {
	n      *node
	column int
}

// showsAll reports whether a question shows all of its groups, and each row is in one of them.
func showsAll(n *node) bool {
	return len(n.Kids[groupsHave].Kids)+len(n.Kids[groupsTop].Kids) == 0 &&
		!slices.ContainsFunc(n.Kids[groupsBy].Kids, func(d *node) bool { return d.Op == opOverlap })
}

// recomputedGroups writes the groups of a question with the aggregates of which its figures are calculated.
type recomputedGroups struct {
	x *controls
	// facts are the aggregates of one table each; places are those of all aggregates, from 1, by their keys.
	facts  []*recomputedFact
	places map[string]int
	// counted are the places of counts, which are 0 in a group that has no rows of their table.
	counted map[int]bool
}

type recomputedFact struct {
	s *scope
	// columns are the aggregates, "m1" with its size "z1"; places are their numbers.
	columns []string
	places  []int
}

// recompute writes one subquery for the figures that can be computed a second time. A figure made of anything else is left out:
// deviations and correlations depend too much on the order of adding, and a level has its own control.
func (x *controls) recompute(figures []recomputedFigure) []ControlFigure {
	g := &recomputedGroups{x: x, places: map[string]int{}, counted: map[int]bool{}}
	var able []recomputedFigure
	for _, f := range figures {
		leaves, err := x.c.m.leaves(f.n)
		if err != nil || slices.ContainsFunc(leaves, func(l leaf) bool { return !x.repeats(l) }) {
			continue
		}
		for _, l := range leaves {
			g.add(l)
		}
		able = append(able, f)
	}
	if len(able) == 0 {
		return nil
	}
	var columns []string
	for i, f := range able {
		value, size := g.measure(f.n, nil)
		columns = append(columns, fmt.Sprintf(`%s AS "v%d", abs(%s) + %s AS "s%d"`, value, i+1, value, size, i+1))
	}
	from := func() string {
		return "(SELECT " + strings.Join(columns, ", ") + " FROM " + g.write() + `) AS "figures"`
	}
	var out []ControlFigure
	for i, f := range able {
		value := x.in("again", fmt.Sprintf(`sum("v%d")`, i+1), from)
		if value < 0 {
			return nil
		}
		size := x.in("again", fmt.Sprintf(`sum("s%d")`, i+1), from)
		out = append(out, ControlFigure{Column: f.column, Value: value, Size: size, Periods: -1, Again: true})
	}
	return out
}

// repeats reports whether a second computation of an aggregate gives the same value, apart from the rounding of a sum.
func (x *controls) repeats(l leaf) bool {
	switch l.n.Op {
	case opCount, opDistinct, opTotal:
		return true
	case opStat:
		known := []string{"mean", "median", "quantile", "min", "max", "range", "iqr", "mad"}
		return slices.Contains(known, l.n.word(0)) && !x.c.m.isEnd(l.n) && weight(x.c.m.find(l.n.Kids[0].Table), l.n) == ""
	}
	return false
}

// add adds an aggregate to those of its table.
func (g *recomputedGroups) add(l leaf) {
	if g.places[l.key()] > 0 {
		return
	}
	i := slices.IndexFunc(g.facts, func(f *recomputedFact) bool { return f.s.p.key() == l.home.key() })
	if i < 0 {
		i = len(g.facts)
		g.facts = append(g.facts, &recomputedFact{s: g.x.scope(l)})
	}
	f, at := g.facts[i], len(g.places)+1
	g.places[l.key()] = at
	g.counted[at] = counts(l.n)
	// Exact aggregates have the size 0.
	size := "0"
	switch {
	case l.n.Op == opTotal:
		size = "sum(abs(" + f.s.column(l.n.Kids[0]) + "))" + f.s.filter(l.when)
	case l.n.Op == opStat && l.n.word(0) == "mean":
		size = "avg(abs(" + f.s.column(l.n.Kids[0]) + "))" + f.s.filter(l.when)
	}
	f.columns = append(f.columns, fmt.Sprintf(`CAST(%s AS DOUBLE) AS "m%d", CAST(%s AS DOUBLE) AS "z%d"`,
		g.x.c.aggregate(f.s, l.n, l.when), at, size, at))
	f.places = append(f.places, at)
}

// measure writes a figure from the aggregates, and by how much the rounding of its sums may change it, in units of the precision.
func (g *recomputedGroups) measure(n *node, when []*node) (value, size string) {
	n = lowerMeasure(n)
	switch n.Op {
	case opNamed:
		return g.measure(n.Kids[0], when)
	case opWhen:
		return g.measure(n.Kids[0], append(slices.Clone(when), n.Kids[1]))
	case opDiff, opRatio, opPercent:
		a, ofA := g.measure(n.Kids[0], when)
		b, ofB := g.measure(n.Kids[1], when)
		if n.Op == opDiff {
			return "(" + a + " - " + b + ")", "(" + ofA + " + " + ofB + ")"
		}
		if n.Op == opPercent {
			a, ofA = "100.0 * "+a, "100.0 * "+ofA
		}
		whole := "nullif(" + b + ", 0)"
		return "(" + a + " / " + whole + ")", fmt.Sprintf("((%s + abs(%s / %s) * %s) / abs(%s))", ofA, a, whole, ofB, whole)
	}
	at := g.places[leaf{n: n, when: when}.key()]
	value, size = fmt.Sprintf(`"m%d"`, at), fmt.Sprintf(`"z%d"`, at)
	if g.counted[at] {
		value, size = "coalesce("+value+", 0)", "coalesce("+size+", 0)"
	}
	return value, size
}

// write writes the groups. Several tables are written below each other and grouped once more; the statement of the answer joins
// them.
func (g *recomputedGroups) write() string {
	var parts, outer, by []string
	for i := range g.x.f.by {
		outer = append(outer, fmt.Sprintf(`"d%d"`, i+1))
		by = append(by, fmt.Sprint(i+1))
	}
	for _, f := range g.facts {
		columns, places := named(g.x.f.dims(f.s))
		if len(g.facts) > 1 {
			columns = append(columns, g.padded(f)...)
		} else {
			columns = append(columns, f.columns...)
		}
		where := f.s.where(g.x.f.where)
		sql := "SELECT " + strings.Join(columns, ", ") + " FROM " + f.s.from.String() + where
		if len(places) > 0 {
			sql += " GROUP BY " + strings.Join(places, ", ")
		}
		parts = append(parts, sql)
	}
	alias := " AS " + sqltext.QuoteName(g.x.c.fresh("groups"))
	if len(parts) == 1 {
		return "(" + parts[0] + ")" + alias
	}
	for at := range len(g.places) {
		outer = append(outer, fmt.Sprintf(`max("m%d") AS "m%d", max("z%d") AS "z%d"`, at+1, at+1, at+1, at+1))
	}
	sql := "SELECT " + strings.Join(outer, ", ") + " FROM (" + strings.Join(parts, " UNION ALL ") + `) AS "stack"`
	if len(by) > 0 {
		sql += " GROUP BY " + strings.Join(by, ", ")
	}
	return "(" + sql + ")" + alias
}

// padded returns the aggregates of all tables in their order, with NULL for those of other tables.
func (g *recomputedGroups) padded(f *recomputedFact) []string {
	out := make([]string, len(g.places))
	for i := range out {
		out[i] = fmt.Sprintf(`CAST(NULL AS DOUBLE) AS "m%d", CAST(NULL AS DOUBLE) AS "z%d"`, i+1, i+1)
	}
	for i, at := range f.places {
		out[at-1] = f.columns[i]
	}
	return out
}
