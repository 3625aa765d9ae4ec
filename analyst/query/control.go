package query

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// controlsMax is the maximum number of subqueries of a control; each of them reads a table once.
const controlsMax = 4

// Control recomputes the figures of a question for groups independently: each over all rows of its own table, with lookups instead
// of joins. This finds a row that a join repeats, loses or counts in a wrong group.
type Control struct {
	// SQL gives one row; empty if no figure has a control.
	SQL     string
	Figures []ControlFigure
}

// ControlFigure says which columns of the row of a control belong to a figure. A place that the figure does not have is -1.
type ControlFigure struct {
	// Column is the place of the figure as Compile has it, from 0.
	Column int
	// Value is the figure over all rows, and Size the sum of its absolute values, by which errors of rounding are measured.
	Value, Size int
	// Again says that Value is the sum of the figures of all groups instead: the figure over all rows cannot be compared with those of
	// the groups.
	Again bool
	// Periods is the highest number of periods of which a group, or all rows, have a level.
	Periods int
}

// controls writes a control.
type controls struct {
	c *compiler
	f *facts
	// own is the alias of the figure's own table in its subquery.
	own string
	// rows are the subqueries by the rows that they read, and order lists them in the order in which they are written.
	rows  map[string]*controlRows
	order []*controlRows
	count int
}

// controlRows is a subquery of one row: aggregates of the same rows.
type controlRows struct {
	from    string
	columns []string
	// places are the places of the columns in the row of the control, by their SQL.
	places map[string]int
}

// NewControl writes the control of a question. Its SQL is empty if no figure of the question has a control: for questions for rows,
// tallies and changes, and for figures such as correlations, deviations and statistics of periods.
func NewControl(a Ask, d Dialect) (Control, error) {
	m, n := a.ask()
	if n.Op != opGroups {
		return Control{}, nil
	}
	c := compilerOf(m, d)
	c.lookups = true
	c.steps()
	by := n.Kids[groupsBy].Kids
	x := &controls{
		c: c, f: &facts{c: c, by: by, where: conjuncts(n.Kids[groupsOf])}, own: c.fresh("own"), rows: map[string]*controlRows{},
	}
	var out Control
	var recompute []recomputedFigure
	for i, s := range n.Kids[groupsShow].Kids {
		f, err := x.figure(s)
		if err != nil {
			return Control{}, err
		}
		f.Column = len(by) + i
		if f.Value >= 0 || f.Periods >= 0 {
			out.Figures = append(out.Figures, f)
		} else if showsAll(n) {
			recompute = append(recompute, recomputedFigure{n: s, column: f.Column})
		}
	}
	out.Figures = append(out.Figures, x.recompute(recompute)...)
	if len(out.Figures) == 0 {
		return Control{}, nil
	}
	out.SQL = x.write()
	return out, c.err
}

// figure writes the columns of the control of a measure.
func (x *controls) figure(n *node) (ControlFigure, error) {
	none := ControlFigure{Value: -1, Size: -1, Periods: -1}
	leaves, err := x.c.m.leaves(n)
	if err != nil || len(leaves) != 1 {
		return none, err
	}
	l := leaves[0]
	number := func() string { return x.c.column(x.own, l.n.Kids[0].Column) }
	out := none
	switch {
	case l.n.Op == opCount:
		out.Value = x.put(l, "count(*)")
	case l.n.Op == opDistinct:
		out.Value = x.put(l, "count(DISTINCT "+number()+")")
	case l.n.Op == opTotal:
		out.Value, out.Size = x.put(l, "sum("+number()+")"), x.put(l, "sum(abs("+number()+"))")
	case l.n.Op == opAt && Pick(l.n.word(0)) == LastPeriod && len(x.f.windows(l.home)) == 0:
		out.Value, out.Size = x.put(l, "sum("+number()+")"), x.put(l, "sum(abs("+number()+"))")
		out.Periods = x.put(l, "count(DISTINCT "+x.period(l)+")")
	case l.n.Op == opAt && Pick(l.n.word(0)) == Each:
		out.Periods = x.each(l)
	}
	return out, nil
}

// conditions are the conditions on the rows of a leaf.
func (x *controls) conditions(l leaf) []*node {
	where := slices.Concat(x.f.where, l.when)
	if l.n.Op == opCount {
		where = append(where, conjuncts(l.n.Kids[0])...)
	}
	return where
}

func (x *controls) period(l leaf) string { return x.c.column(x.own, l.home.t.Snapshot.Period) }

// put adds an aggregate to the subquery of the rows of a leaf and returns its place: -1 if a further subquery would exceed
// controlsMax.
func (x *controls) put(l leaf, aggregate string) int {
	key := l.home.key() + "\x00" + conditions(x.conditions(l)).text()
	if l.n.Op == opAt {
		key += "\x00last"
	}
	return x.in(key, aggregate, func() string {
		s := x.scope(l)
		where := x.conditions(l)
		written := s.where(where)
		if l.n.Op == opAt {
			written = and(written, x.f.lastPeriod(s, where))
		}
		return s.from.String() + written
	})
}

// scope is the FROM clause of the rows of a leaf.
func (x *controls) scope(l leaf) *scope {
	s := &scope{c: x.c, p: l.home, joined: map[string]string{}, alias: x.own}
	s.from.WriteString(x.c.source(l.home) + " AS " + sqltext.QuoteName(s.alias))
	return s
}

// in writes a column of the subquery of a key. from writes what it is read from.
func (x *controls) in(key, aggregate string, from func() string) int {
	r := x.rows[key]
	if r == nil {
		if len(x.order) == controlsMax {
			return -1
		}
		r = &controlRows{from: from(), places: map[string]int{}}
		x.rows[key], x.order = r, append(x.order, r)
	}
	at, ok := r.places[aggregate]
	if !ok {
		at = x.count
		x.count++
		r.places[aggregate] = at
		r.columns = append(r.columns, fmt.Sprintf("%s AS \"c%d\"", aggregate, at+1))
	}
	return at
}

// each writes the highest number of periods of a group, for a level that is read at each of its periods.
func (x *controls) each(l leaf) int {
	if slices.ContainsFunc(x.f.by, func(d *node) bool { return d.Op == opOverlap }) {
		return -1
	}
	return x.in("each\x00"+l.home.key()+conditions(x.conditions(l)).text(), `max("periods")`, func() string {
		s := x.scope(l)
		written := s.where(x.conditions(l))
		columns, by := named(x.f.dims(s))
		columns = append(columns, "count(DISTINCT "+x.period(l)+`) AS "periods"`)
		return "(SELECT " + strings.Join(columns, ", ") + " FROM " + s.from.String() + written + " GROUP BY " + strings.Join(by, ", ") +
			`) AS "groups"`
	})
}

// write writes the statement: one row with the columns of all subqueries.
func (x *controls) write() string {
	var columns, from []string
	for i, r := range x.order {
		from = append(from, fmt.Sprintf("(SELECT %s FROM %s) AS \"control%d\"", strings.Join(r.columns, ", "), r.from, i+1))
	}
	for i := range x.count {
		columns = append(columns, fmt.Sprintf("\"c%d\"", i+1))
	}
	return x.c.with("SELECT " + strings.Join(columns, ", ") + "\nFROM " + strings.Join(from, "\nCROSS JOIN "))
}

// lookup writes a column at the end of a path as a subquery of one value. If the path led to several rows, which it must not, the
// number of rows read here would still be the same.
func (s *scope) lookup(path route, name string) string {
	if len(path) == 0 {
		return s.c.column(s.alias, name)
	}
	last := path[len(path)-1]
	source, alias := s.c.source(last.to), s.c.alias(last.to)
	on := []string{"TRUE"}
	for i := range last.fromCols {
		on = append(on, s.c.column(alias, last.toCols[i])+" = "+s.lookup(path[:len(path)-1], last.fromCols[i]))
	}
	return "(SELECT " + s.c.d.First(s.c.column(alias, name)) + " FROM " + source + " AS " + sqltext.QuoteName(alias) + " WHERE " +
		strings.Join(on, " AND ") + ")"
}
