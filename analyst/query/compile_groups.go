package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// final is the last SELECT of a statement.
type final struct {
	outs    []out
	from    string
	where   string
	groupBy int // that many columns from the first one
	having  string
	top     *top
	order   []order
	// first keeps that many rows, after the ones that are skipped; 0 keeps all.
	first, skip int
}

// out is a column of the result: SQL, its name, and what it is. percent is SQL for it as a percentage, if it is a part.
type out struct{ sql, name, said, percent string }

// top keeps the places low to high of a ranking; sql is the ranking, and value what is ranked, if it must be known.
type top struct {
	sql, value string
	low, high  int
}

// order is what a result is ordered by: SQL, or the place of a column if it is not 0.
type order struct {
	sql   string
	place int
	desc  bool
}

// rename gives the columns the names k1, k2 …
func (f *final) rename() {
	for i := range f.outs {
		f.outs[i].name = fmt.Sprintf("k%d", i+1)
	}
}

// headed writes the columns under their headings. The places that the order names move with their columns.
func (f *final) headed(c *compiler, headings []Heading) {
	if len(headings) == 0 {
		return
	}
	if len(headings) < f.groupBy {
		c.fail(refuse(nil, "What is grouped by has no heading."))
		return
	}
	outs := make([]out, 0, len(headings))
	places := map[int]int{}
	for i, h := range headings {
		if h.Column < 0 || h.Column >= len(f.outs) || i < f.groupBy && h.Column != i {
			c.fail(refuse(nil, "A heading is of no column of the result."))
			return
		}
		o := f.outs[h.Column]
		if h.Percent {
			o.sql = cmp.Or(o.percent, "100.0 * "+o.sql)
		}
		if h.Digits > 0 {
			o.sql = c.d.Func("round", o.sql, h.Digits)
		}
		o.name = h.Name
		outs = append(outs, o)
		places[h.Column+1] = i + 1
	}
	for i, o := range f.order {
		// A column that is not shown has no place in the result, so the order repeats its expression.
		if o.place > 0 && places[o.place] == 0 {
			f.order[i].sql = f.outs[o.place-1].sql
		}
		f.order[i].place = places[o.place]
	}
	f.outs = outs
}

func (f *final) write(c *compiler) string {
	if f.top != nil && !c.d.Qualify() {
		return f.stacked(c)
	}
	columns := make([]string, len(f.outs))
	for i, o := range f.outs {
		columns[i] = o.sql + " AS " + c.name(o.name)
	}
	sql := "SELECT " + strings.Join(columns, ", ") + "\nFROM " + f.from + f.where
	if f.groupBy > 0 {
		var places []string
		for i := range f.groupBy {
			places = append(places, fmt.Sprint(i+1))
		}
		sql += "\nGROUP BY " + strings.Join(places, ", ")
	}
	if f.having != "" {
		sql += "\nHAVING " + f.having
	}
	if f.top != nil {
		sql += fmt.Sprintf("\nQUALIFY %s BETWEEN %d AND %d", f.top.sql, f.top.low, f.top.high)
		if f.top.value != "" {
			sql += " AND " + f.top.value + " IS NOT NULL"
		}
	}
	return sql + orderBy(f.order) + f.limit()
}

func (f *final) limit() string {
	switch {
	case f.first == 0:
		return ""
	case f.skip > 0:
		return fmt.Sprintf("\nLIMIT %d OFFSET %d", f.first, f.skip)
	}
	return fmt.Sprintf("\nLIMIT %d", f.first)
}

// stacked writes a ranking as a subquery, for databases that have no condition on windows.
func (f *final) stacked(c *compiler) string {
	var inner, outer []string
	for i, o := range f.outs {
		inner = append(inner, fmt.Sprintf("%s AS \"o%d\"", o.sql, i+1))
		outer = append(outer, fmt.Sprintf("\"o%d\" AS %s", i+1, c.name(o.name)))
	}
	inner = append(inner, f.top.sql+` AS "place"`, cmp.Or(f.top.value, "1")+` AS "ranked"`)
	orders := slices.Clone(f.order)
	for i, o := range orders {
		if o.place == 0 {
			inner = append(inner, fmt.Sprintf("%s AS \"by%d\"", o.sql, i+1))
			orders[i].sql = fmt.Sprintf("\"by%d\"", i+1)
		}
	}
	return "SELECT " + strings.Join(outer, ", ") + "\nFROM (SELECT " + strings.Join(inner, ", ") + "\nFROM " + f.from + f.where +
		fmt.Sprintf(") AS \"places\"\nWHERE \"place\" BETWEEN %d AND %d AND \"ranked\" IS NOT NULL", f.top.low, f.top.high) + orderBy(orders)
}

func orderBy(orders []order) string {
	var out []string
	for _, o := range orders {
		sql := o.sql
		if o.place > 0 {
			sql = fmt.Sprint(o.place)
		}
		if o.desc {
			sql += " DESC"
		}
		out = append(out, sql+" NULLS LAST")
	}
	if len(out) == 0 {
		return ""
	}
	return "\nORDER BY " + strings.Join(out, ", ")
}

// figures writes measures, windows and dimensions over the facts of a question.
type figures struct {
	c *compiler
	f *facts
	// dims and aggs are how the facts' columns are named where the figures are written.
	dims []string
	aggs [][]string
	// sums says that windows add figures up. The facts are then combined by UNION ALL and grouped once more, which shows the guard of
	// totals that each group is one row. It cannot see that behind a FULL JOIN of several facts.
	sums bool
}

// groups writes a question for groups.
func (c *compiler) groups(n *node) *final {
	g := Groups{c.m, n}
	by := n.Kids[groupsBy].Kids
	f := c.facts(by, conjuncts(n.Kids[groupsOf]), g.figures())
	if c.err != nil {
		return &final{}
	}
	if len(f.all) > 1 {
		*c.joins++
	}
	x := &figures{c: c, f: f, sums: c.stack || has(n, opRunning) || has(n, opMoving) || has(n, opPartOf)}
	out := &final{}
	having := x.having(n)
	ranked := func(t *node) bool { return t.Op == opTop || len(t.Kids) > 0 }
	simple := len(f.all) == 1 && len(n.Kids[groupsOver].Kids) == 0 && !slices.ContainsFunc(n.Kids[groupsTop].Kids, ranked) &&
		!slices.ContainsFunc(n.Kids[groupsOrder].Kids, func(o *node) bool { return isWindow(o.Kids[0]) })
	if simple {
		one := f.all[0]
		x.dims, x.aggs = one.dims, [][]string{one.aggs}
		out.from, out.where, out.groupBy, out.having = one.from, one.where, len(by), having()
	} else {
		out.from = x.together()
		if h := having(); h != "" {
			out.where = "\nWHERE " + h
		}
	}
	names := map[string]bool{}
	for i, d := range by {
		out.outs = append(out.outs, newOut(names, x.dims[i], c.m.nameOf(d), c.m.say(d)))
	}
	for _, s := range n.Kids[groupsShow].Kids {
		out.outs = append(out.outs, newOut(names, x.measure(s, nil), c.m.nameOf(s), c.m.say(s)))
	}
	for _, w := range n.Kids[groupsOver].Kids {
		o := newOut(names, x.window(w), c.m.nameOf(w), c.m.say(w))
		if w.Op == opPartOf {
			o.percent = x.partOf(w, "100.0 * ")
		}
		out.outs = append(out.outs, o)
	}
	out.order = x.orders(n)
	for _, t := range n.Kids[groupsTop].Kids {
		switch {
		case t.Op == opTop:
			out.top = x.top(t)
		case len(t.Kids) == 0:
			out.first, out.skip = int(t.Numbers[0]), int(t.Numbers[1])-1
		default:
			out.top = x.firstWithin(t, out)
		}
	}
	return out
}

// newOut names a column of the result; a name that is taken gets a number.
func newOut(names map[string]bool, sql, name, said string) out {
	unique := name
	for i := 2; names[strings.ToLower(unique)]; i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	names[strings.ToLower(unique)] = true
	return out{sql: sql, name: unique, said: said}
}

// having writes the conditions on groups, when it is known how the figures are written.
func (x *figures) having(n *node) func() string {
	return func() string {
		var all []string
		for _, h := range n.Kids[groupsHave].Kids {
			all = append(all, x.measure(h.Kids[0], nil)+" "+h.word(0)+" "+number(h.Numbers[0]))
		}
		return strings.Join(all, " AND ")
	}
}

// together combines the facts into one relation, and sets how its columns are named.
func (x *figures) together() string {
	c := x.c
	names := make([]string, len(x.f.all))
	x.aggs = make([][]string, len(x.f.all))
	count := 0
	for i, f := range x.f.all {
		columns, places := named(f.dims)
		for _, a := range f.aggs {
			count++
			columns = append(columns, fmt.Sprintf("%s AS \"m%d\"", a, count))
			x.aggs[i] = append(x.aggs[i], fmt.Sprintf("\"m%d\"", count))
		}
		sql := "SELECT " + strings.Join(columns, ", ") + "\nFROM " + f.from + f.where
		if len(places) > 0 {
			sql += "\nGROUP BY " + strings.Join(places, ", ")
		}
		names[i] = c.cte("fact", sql)
	}
	dims := len(x.f.by)
	for i := range dims {
		x.dims = append(x.dims, fmt.Sprintf("\"d%d\"", i+1))
	}
	switch {
	case len(names) == 1:
		return sqltext.QuoteName(names[0])
	case dims == 0:
		var all []string
		for _, n := range names {
			all = append(all, sqltext.QuoteName(n))
		}
		return strings.Join(all, " CROSS JOIN ")
	case c.d.FullJoin() && !x.sums:
		return sqltext.QuoteName(c.cte("facts", x.joined(names, dims)))
	}
	return sqltext.QuoteName(c.cte("facts", x.stacked(names, dims, count)))
}

// joined writes a FULL JOIN of the facts, in which missing values are equal.
func (x *figures) joined(names []string, dims int) string {
	var columns []string
	from := sqltext.QuoteName(names[0])
	same := func(i, until int) string {
		var all []string
		for _, n := range names[:until] {
			all = append(all, fmt.Sprintf("%s.\"d%d\"", sqltext.QuoteName(n), i+1))
		}
		if len(all) == 1 {
			return all[0]
		}
		return "coalesce(" + strings.Join(all, ", ") + ")"
	}
	for j := 1; j < len(names); j++ {
		var on []string
		for i := range dims {
			on = append(on, fmt.Sprintf("%s IS NOT DISTINCT FROM %s.\"d%d\"", same(i, j), sqltext.QuoteName(names[j]), i+1))
		}
		from += "\nFULL JOIN " + sqltext.QuoteName(names[j]) + " ON " + strings.Join(on, " AND ")
	}
	for i := range dims {
		columns = append(columns, fmt.Sprintf("%s AS \"d%d\"", same(i, len(names)), i+1))
	}
	for _, a := range x.aggs {
		columns = append(columns, a...)
	}
	return "SELECT " + strings.Join(columns, ", ") + "\nFROM " + from
}

// stacked writes the facts below each other, and groups them once more: each group has one value of each figure.
func (x *figures) stacked(names []string, dims, count int) string {
	var parts, outer, by []string
	for i, n := range names {
		var columns []string
		for d := range dims {
			columns = append(columns, fmt.Sprintf("\"d%d\"", d+1))
		}
		for j := 1; j <= count; j++ {
			name := fmt.Sprintf("\"m%d\"", j)
			if !slices.Contains(x.aggs[i], name) {
				columns = append(columns, "CAST(NULL AS DOUBLE PRECISION) AS "+name)
				continue
			}
			columns = append(columns, "CAST("+name+" AS DOUBLE PRECISION) AS "+name)
		}
		parts = append(parts, "SELECT "+strings.Join(columns, ", ")+" FROM "+sqltext.QuoteName(n))
	}
	for d := range dims {
		outer = append(outer, fmt.Sprintf("\"d%d\"", d+1))
		by = append(by, fmt.Sprint(d+1))
	}
	for j := 1; j <= count; j++ {
		outer = append(outer, fmt.Sprintf("max(\"m%d\") AS \"m%d\"", j, j))
	}
	return "SELECT " + strings.Join(outer, ", ") + "\nFROM (" + strings.Join(parts, "\nUNION ALL ") + ") AS \"stack\"\nGROUP BY " +
		strings.Join(by, ", ")
}

// measure writes a measure over the aggregates.
func (x *figures) measure(n *node, when []*node) string {
	n = lowerMeasure(n)
	switch n.Op {
	case opNamed:
		return x.measure(n.Kids[0], when)
	case opWhen:
		return x.measure(n.Kids[0], append(slices.Clone(when), n.Kids[1]))
	case opRatio, opPercent, opDiff:
		a, b := x.measure(n.Kids[0], when), x.measure(n.Kids[1], when)
		switch n.Op {
		case opRatio:
			return x.c.arith("/", a, b)
		case opDiff:
			return x.c.arith("-", a, b)
		}
		return x.c.arith("/", "100.0 * "+a, b)
	}
	l := leaf{n: n, when: when}
	if n.Op == opEach {
		// The conditions inside come first, in the order in which leaves lists them.
		inner, err := x.c.m.leaves(n)
		if err != nil {
			return x.c.fail(err)
		}
		l.when = slices.Concat(inner[0].when, when)
	}
	at, ok := x.f.place[l.key()]
	if !ok {
		return x.c.fail(fmt.Errorf("no aggregate for %s", n.Op))
	}
	sql := x.aggs[at[0]][at[1]]
	if len(x.f.all) > 1 && counts(n) {
		return "coalesce(" + sql + ", 0)"
	}
	return sql
}

// dim writes a dimension of the question.
func (x *figures) dim(n *node) string {
	for i, d := range x.f.by {
		if d.same(n) {
			return x.dims[i]
		}
	}
	return x.c.fail(fmt.Errorf("no dimension %s", n.Op))
}

// orders writes what a question is ordered by: what it says, else its ranking, and at last its dimensions, so that equal
// statements give equal results.
func (x *figures) orders(n *node) []order {
	var out []order
	add := func(k *node, desc bool) {
		for i, list := range []int{groupsBy, groupsShow, groupsOver} {
			at := slices.IndexFunc(n.Kids[list].Kids, k.same)
			if at < 0 {
				continue
			}
			if list == groupsBy {
				if own := calendarOrder(x.c, k, x.dims[at]); own != "" {
					out = append(out, order{sql: own, desc: desc})
					return
				}
			}
			for _, before := range []int{groupsBy, groupsShow}[:i] {
				at += len(n.Kids[before].Kids)
			}
			out = append(out, order{place: at + 1, desc: desc})
			return
		}
		if isWindow(k) {
			out = append(out, order{sql: x.window(k), desc: desc})
			return
		}
		out = append(out, order{sql: x.measure(k, nil), desc: desc})
	}
	for _, o := range n.Kids[groupsOrder].Kids {
		add(o.Kids[0], o.word(0) == "desc")
	}
	for _, t := range n.Kids[groupsTop].Kids {
		if len(out) == 0 && t.Op == opTop {
			add(t.Kids[0], t.word(0) == "desc")
		}
	}
	for _, d := range n.Kids[groupsBy].Kids {
		if !slices.ContainsFunc(n.Kids[groupsOrder].Kids, func(o *node) bool { return o.Kids[0].same(d) }) {
			add(d, false)
		}
	}
	return out
}

// rows writes a question for rows.
func (c *compiler) rows(n *node) *final {
	t, err := c.m.base(n.Kids[rowsOf])
	if err != nil {
		c.fail(err)
		return &final{}
	}
	s := c.scope(t.place())
	out := &final{}
	names := map[string]bool{}
	for _, k := range n.Kids[rowsCols].Kids {
		out.outs = append(out.outs, newOut(names, s.scalar(k), c.m.nameOf(k), c.m.say(k)))
	}
	for _, o := range n.Kids[rowsOrder].Kids {
		out.order = append(out.order, order{sql: s.scalar(o.Kids[0]), desc: o.word(0) == "desc"})
	}
	for _, k := range n.Kids[rowsTop].Kids {
		if k.Op == opFirst {
			out.first, out.skip = int(k.Numbers[0]), int(k.Numbers[1])-1
			continue
		}
		value := s.scalar(k.Kids[0])
		partition := ""
		for i, w := range k.Kids[1:] {
			partition += map[bool]string{true: "PARTITION BY ", false: ", "}[i == 0] + s.scalar(w)
		}
		if partition != "" {
			partition += " "
		}
		out.top = newTop(k, value, partition)
		if len(out.order) == 0 {
			out.order = append(out.order, order{sql: value, desc: k.word(0) == "desc"})
		}
	}
	out.where = s.where(conjuncts(n.Kids[rowsOf]))
	out.from = s.from.String()
	return out
}

// tally writes how many groups a question has.
func (c *compiler) tally(n *node) *final {
	inner := c.inner()
	f := inner.groups(n.Kids[0])
	if f.first == 0 {
		f.order = nil
	}
	f.rename()
	sql := c.close(inner, f.write(inner))
	out := &final{from: sql + " AS " + sqltext.QuoteName(c.fresh("groups"))}
	out.outs = append(out.outs, newOut(map[string]bool{}, "count(*)", "count", "number of groups"))
	return out
}

// change writes what a change comes from, one part for each dimension.
func (c *compiler) change(n *node) *final {
	t := n.Kids[2]
	before := op(opDuring, t).with(n.word(0), n.word(1))
	after := op(opDuring, t).with(n.word(2), n.word(3))
	a, b := op(opWhen, n.Kids[1], before), op(opWhen, n.Kids[1], after)
	where := normal(op(opAnd, n.Kids[0].Kids[0], op(opOr, before, after)))
	set := &node{Op: opSet, Table: n.Kids[0].Table, Part: n.Kids[0].Part, Kids: []*node{where}}
	var parts []string
	for _, d := range n.Kids[3].Kids {
		g := op(opGroups, set, op(opList, d), op(opList, a, b), op(opList), op(opList), op(opList), op(opList))
		inner := c.inner()
		inner.stack = true
		f := inner.groups(g)
		f.order = nil
		f.rename()
		sql := c.close(inner, f.write(inner))
		change := `(coalesce("k3", 0) - coalesce("k2", 0))`
		parts = append(parts, "SELECT "+c.text(c.m.nameOf(d))+` AS "c1", CAST("k1" AS VARCHAR) AS "c2", `+
			`CAST(coalesce("k2", 0) AS DOUBLE PRECISION) AS "c3", `+
			`CAST(coalesce("k3", 0) AS DOUBLE PRECISION) AS "c4", CAST(`+change+` AS DOUBLE PRECISION) AS "c5", `+
			c.arith("/", change, "sum("+change+") OVER ()")+` AS "c6"`+" FROM "+sql+" AS "+sqltext.QuoteName(c.fresh("change")))
	}
	out := &final{from: "(" + strings.Join(parts, "\nUNION ALL ") + ") AS " + sqltext.QuoteName(c.fresh("changes"))}
	for i, name := range []string{"dimension", "value", "before", "after", "change", "part_of_change"} {
		out.outs = append(out.outs, newOut(map[string]bool{}, fmt.Sprintf("\"c%d\"", i+1), name, strings.ReplaceAll(name, "_", " ")))
	}
	out.order = []order{{place: 1}, {sql: `abs("c5")`, desc: true}, {place: 2}}
	return out
}
