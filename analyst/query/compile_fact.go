package query

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// fact is a SELECT that aggregates the rows of one table: dims and aggs are its columns.
type fact struct {
	home  place
	dims  []string
	aggs  []string
	from  string
	where string
	// alias names the subquery that a fact of periods, of ranks or of a test reads; empty for all other facts.
	alias string
}

// facts are the facts of a question, and where each aggregate is found.
type facts struct {
	c     *compiler
	by    []*node
	where []*node
	all   []*fact
	// plain are the facts whose aggregates can share their rows, by home; place finds an aggregate.
	plain  map[string]int
	scopes map[int]*scope
	place  map[string][2]int
}

// key identifies an aggregate with its conditions.
func (l leaf) key() string { return l.n.text() + conditions(l.when).text() }

func conditions(all []*node) *node { return normal(op(opAnd, all...)) }

func (c *compiler) facts(by, where, figures []*node) *facts {
	f := &facts{c: c, by: by, where: where, plain: map[string]int{}, scopes: map[int]*scope{}, place: map[string][2]int{}}
	for _, n := range figures {
		leaves, err := c.m.leaves(n)
		if err != nil {
			c.fail(err)
			return f
		}
		for _, l := range leaves {
			if _, ok := f.place[l.key()]; !ok {
				f.add(l)
			}
		}
	}
	// Joins can be added until all aggregates are written.
	for i, s := range f.scopes {
		f.all[i].from = s.from.String()
	}
	return f
}

func (f *facts) add(l leaf) {
	pick := Pick("")
	if l.n.Op == opAt && Pick(l.n.word(0)) != Each {
		pick = Pick(l.n.word(0))
	}
	switch {
	case l.n.Op == opEach:
		f.share(l, op(opEach, l.n.Kids...).with(l.n.word(0)), f.nested,
			func(alias string) string { return f.overPeriods(alias, l.n.word(1)) })
	case ofRanks(l.n):
		f.share(l, op(opPair, l.n.Kids...).with("ranks"), f.ranked,
			func(alias string) string { return f.overRanks(alias, l.n.word(0)) })
	case isTest(l.n):
		f.share(l, l.n.untold(), f.tested, func(alias string) string { return overTest(alias, l.n) })
	case pick == MeanOfPeriods:
		f.put(l, f.nested(l))
	case pick == LastPerEntity:
		f.put(l, f.lastOfEach(l))
	default:
		// A level that is read at picked periods has a fact of its own, with the conditions under which the periods are picked.
		key, own := l.home.key(), []*node(nil)
		if pick == LastPeriod {
			key, own = key+"\x00last"+conditions(l.when).text(), l.when
		}
		i, ok := f.plain[key]
		if !ok {
			i = len(f.all)
			f.plain[key] = i
			f.all = append(f.all, f.start(l, i, own, pick == LastPeriod))
		}
		when := l.when
		if pick == LastPeriod {
			when = nil
		}
		f.all[i].aggs = append(f.all[i].aggs, f.c.aggregate(f.scopes[i], l.n, when))
		f.place[l.key()] = [2]int{i, len(f.all[i].aggs) - 1}
	}
}

// share adds a statistic to the fact of the same periods or ranks, which basis identifies. The first such statistic makes the fact.
func (f *facts) share(l leaf, basis *node, first func(leaf) *fact, further func(alias string) string) {
	same := l
	same.n = basis
	i, ok := f.plain[same.key()]
	if !ok {
		f.plain[same.key()] = len(f.all)
		f.put(l, first(l))
		return
	}
	f.all[i].aggs = append(f.all[i].aggs, further(f.all[i].alias))
	f.place[l.key()] = [2]int{i, len(f.all[i].aggs) - 1}
}

func (f *facts) put(l leaf, made *fact) {
	f.place[l.key()] = [2]int{len(f.all), 0}
	f.all = append(f.all, made)
}

// start begins a fact whose rows are those of its home.
func (f *facts) start(l leaf, i int, own []*node, last bool) *fact {
	s := f.c.scope(l.home)
	f.scopes[i] = s
	where := slices.Concat(f.where, own)
	out := &fact{home: l.home, dims: f.dims(s), where: s.where(where)}
	switch {
	case last && len(f.windows(l.home)) > 0:
		f.lastPeriods(s, where, out.dims)
	case last:
		out.where = and(out.where, f.lastPeriod(s, where))
	}
	return out
}

func and(where, more string) string {
	if where == "" {
		return "\nWHERE " + more
	}
	return where + " AND " + more
}

// windows returns the dimensions that are made of the period of a snapshot: the last period is taken within each of their values.
func (f *facts) windows(home place) []*node {
	var out []*node
	period := column(home.t, home.t.Snapshot.Period)
	for _, d := range f.by {
		if d.same(period) || (d.Op == opTrunc || d.Op == opPart) && ofPeriod(home.t, d.Kids[0]) {
			out = append(out, d)
		}
	}
	return out
}

// lastPeriod writes that a row is in the last complete period under the conditions of the fact. A condition that names periods
// itself may name one that is not complete.
func (f *facts) lastPeriod(s *scope, where []*node) string {
	in, period, conditions := f.periods(s.p, where)
	return s.column(column(s.p.t, s.p.t.Snapshot.Period)) + " IN (SELECT max(" + period + ") FROM " + in.from.String() + conditions + ")"
}

// lastPeriods joins the last complete period of each window and reads the windows from that join, so that the statement itself
// shows that each group has one period.
func (f *facts) lastPeriods(s *scope, where []*node, dims []string) {
	alias := f.c.fresh("last")
	in, period, conditions := f.periods(s.p, where)
	var columns, on, by []string
	for i, w := range f.windows(s.p) {
		name := fmt.Sprintf("%s.\"w%d\"", sqltext.QuoteName(alias), i+1)
		columns = append(columns, fmt.Sprintf("%s AS \"w%d\"", in.scalar(w), i+1))
		on = append(on, s.scalar(w)+" = "+name)
		by = append(by, fmt.Sprint(i+1))
		dims[slices.IndexFunc(f.by, w.same)] = name
	}
	columns = append(columns, "max("+period+`) AS "period"`)
	on = append(on, s.column(column(s.p.t, s.p.t.Snapshot.Period))+" = "+sqltext.QuoteName(alias)+`."period"`)
	s.from.WriteString("\nJOIN (SELECT " + strings.Join(columns, ", ") + " FROM " + in.from.String() + conditions + " GROUP BY " +
		strings.Join(by, ", ") + ") AS " + sqltext.QuoteName(alias) + " ON " + strings.Join(on, " AND "))
}

// periods makes the scope of the rows that a last period is taken of.
func (f *facts) periods(p place, where []*node) (in *scope, period, conditions string) {
	in = f.c.scope(p)
	period = in.column(column(p.t, p.t.Snapshot.Period))
	conditions = in.where(where)
	if done := f.complete(in, where); done != "" {
		conditions = and(conditions, done)
	}
	return in, period, conditions
}

// complete writes that a period is complete, or nothing if that is not known or a condition names the period.
func (f *facts) complete(s *scope, where []*node) string {
	t := s.p.t
	period := column(t, t.Snapshot.Period)
	named := func(n *node) bool { return reads(n, t, period) }
	if t.Snapshot.Last == "" || isDay(t.Snapshot.Last) != nil || slices.ContainsFunc(where, named) {
		return ""
	}
	return s.column(period) + " <= " + day(t.Snapshot.Last)
}

// reads reports whether a condition is about a column itself, not about the rows of another set.
func reads(n *node, t *table, c *node) bool {
	switch n.Op {
	case opCol, opCalendar:
		return n.same(c) || ofPeriod(t, n)
	case opAlive, opGone:
		return n.Table == t.key()
	case opSome, opEvery, opCountOf, opAllOf, opRank, opOf, opOverall:
		return false
	}
	return slices.ContainsFunc(n.Kids, func(k *node) bool { return reads(k, t, c) })
}

// nested writes the aggregate of the values of each period.
func (f *facts) nested(l leaf) *fact {
	s := f.c.scope(l.home)
	where := slices.Concat(f.where, l.when)
	inner, statistic, period := l.n.Kids[0], "mean", column(l.home.t, "")
	aggregate := op(opTotal, l.n.Kids[0])
	if l.n.Op == opEach {
		leaves, err := f.c.m.leaves(inner)
		if err != nil {
			f.c.fail(err)
			return &fact{}
		}
		aggregate, statistic = leaves[0].n, l.n.word(1)
		if period = l.n.Kids[1]; l.n.word(0) != "" {
			period = op(opTrunc, period).with(l.n.word(0))
		}
		if aggregate.Op == opCount {
			where = append(where, conjuncts(aggregate.Kids[0])...)
		}
	} else {
		period.Column = l.home.t.Snapshot.Period
	}
	dims := f.dims(s)
	at := s.scalar(period)
	value := f.c.aggregate(s, aggregate, nil)
	conditions := and(s.where(where), at+" IS NOT NULL")
	if l.n.Op == opAt {
		if done := f.complete(s, where); done != "" {
			conditions = and(conditions, done)
		}
	}
	alias := f.c.fresh("periods")
	columns, by := named(dims)
	columns = append(columns, at+" AS \"period\"", value+" AS \"v\"")
	by = append(by, fmt.Sprint(len(dims)+1))
	sql := "(SELECT " + strings.Join(columns, ", ") + " FROM " + s.from.String() + conditions + " GROUP BY " + strings.Join(by, ", ") + ")"
	out := f.over(l.home, alias, sql, len(dims), f.overPeriods(alias, statistic))
	out.alias = alias
	return out
}

// overPeriods writes a statistic of the values of periods.
func (f *facts) overPeriods(alias, statistic string) string {
	if statistic == "count" {
		return "count(*)"
	}
	return f.c.must(f.c.d.Stat(statistic, sqltext.QuoteName(alias)+`."v"`, 0, ""))
}

// named writes dimensions as columns d1, d2 …, and their places.
func named(dims []string) (columns, places []string) {
	for i, d := range dims {
		columns = append(columns, fmt.Sprintf("%s AS \"d%d\"", d, i+1))
		places = append(places, fmt.Sprint(i+1))
	}
	return columns, places
}

// over makes a fact of a subquery with the columns d1, d2 …
func (f *facts) over(home place, alias, sql string, dims int, aggregate string) *fact {
	out := &fact{home: home, from: sql + " AS " + sqltext.QuoteName(alias), aggs: []string{aggregate}}
	for i := range dims {
		out.dims = append(out.dims, fmt.Sprintf("%s.\"d%d\"", sqltext.QuoteName(alias), i+1))
	}
	return out
}

// lastOfEach writes the sum of the last value of each thing, within each window.
func (f *facts) lastOfEach(l leaf) *fact {
	s := f.c.scope(l.home)
	t := l.home.t
	where := slices.Concat(f.where, l.when)
	dims := f.dims(s)
	x := s.column(l.n.Kids[0])
	within := s.columns(t, t.Snapshot.Entity)
	for _, w := range f.windows(l.home) {
		within = append(within, s.scalar(w))
	}
	period := s.column(column(t, t.Snapshot.Period))
	// With overlapping groups a row occurs once in each of its groups, and must be kept in all of them.
	place := "row_number()"
	if slices.ContainsFunc(f.by, func(d *node) bool { return d.Op == opOverlap }) {
		place = "rank()"
	}
	place += " OVER (PARTITION BY " + strings.Join(within, ", ") + " ORDER BY " + period + " DESC)"
	conditions := and(and(s.where(where), x+" IS NOT NULL"), period+" IS NOT NULL")
	if done := f.complete(s, where); done != "" {
		conditions = and(conditions, done)
	}
	columns, _ := named(dims)
	columns = append(columns, x+` AS "v"`)
	alias := f.c.fresh("last")
	from := " FROM " + s.from.String() + conditions
	sql := "(SELECT " + strings.Join(columns, ", ") + from + "\nQUALIFY " + place + " = 1)"
	if !f.c.d.Qualify() {
		columns = append(columns, place+` AS "place"`)
		sql = "(SELECT * FROM (SELECT " + strings.Join(columns, ", ") + from + `) AS "placed" WHERE "place" = 1)`
	}
	return f.over(l.home, alias, sql, len(dims), "sum("+sqltext.QuoteName(alias)+`."v")`)
}

// dims writes the dimensions of a fact. A dimension of which a row has several values is joined as pairs that are all different.
func (f *facts) dims(s *scope) []string {
	out := make([]string, len(f.by))
	type relation struct {
		t  *table
		at []int
	}
	var overlaps []*relation
	for i, d := range f.by {
		if d.Op != opOverlap {
			out[i] = s.scalar(d)
			continue
		}
		t := f.c.m.find(d.Kids[0].Table)
		if _, once, err := f.c.m.route(s.p, t, d.Kids[0].Column, d.Kids[0].Part); err == nil && once {
			out[i] = s.scalar(d.Kids[0])
			continue
		}
		j := slices.IndexFunc(overlaps, func(r *relation) bool { return r.t == t })
		if j < 0 {
			j = len(overlaps)
			overlaps = append(overlaps, &relation{t: t})
		}
		overlaps[j].at = append(overlaps[j].at, i)
	}
	for _, r := range overlaps {
		found, err := f.c.m.many(s.p, r.t)
		if err != nil || found == nil {
			f.c.fail(fmt.Errorf("no rows of %s for %s: %w", r.t.Name, s.p.t.Name, err))
			return out
		}
		in := f.c.scope(place{t: r.t})
		alias := f.c.fresh("pairs")
		end := in.follow(found.path)
		var columns, on []string
		for i, their := range found.their {
			columns = append(columns, fmt.Sprintf("%s AS \"k%d\"", f.c.column(end, their), i+1))
			on = append(on, fmt.Sprintf("%s = %s.\"k%d\"", f.c.column(s.alias, found.cols[i]), sqltext.QuoteName(alias), i+1))
		}
		for _, i := range r.at {
			columns = append(columns, fmt.Sprintf("%s AS \"d%d\"", in.scalar(f.by[i].Kids[0]), i+1))
			out[i] = fmt.Sprintf("%s.\"d%d\"", sqltext.QuoteName(alias), i+1)
		}
		s.join("(SELECT DISTINCT "+strings.Join(columns, ", ")+" FROM "+in.from.String()+")", alias, on)
	}
	return out
}

// aggregate writes an aggregate over the rows of a scope that meet its conditions.
func (c *compiler) aggregate(s *scope, n *node, when []*node) string {
	if n.Op == opCount {
		when = slices.Concat(when, conjuncts(n.Kids[0]))
	}
	filter := s.filter(when)
	switch n.Op {
	case opCount:
		return "count(*)" + filter
	case opDistinct:
		return "count(DISTINCT " + s.column(n.Kids[0]) + ")" + filter
	case opTotal, opAt:
		return "sum(" + s.column(n.Kids[0]) + ")" + filter
	case opWelch:
		return c.welch(s, n, when)
	case opPair:
		return c.must(c.d.Pair(n.word(0), s.column(n.Kids[0]), s.column(n.Kids[1]), filter))
	case opStat:
		x := s.column(n.Kids[0])
		t := c.m.find(n.Kids[0].Table)
		if w := weight(t, n); w != "" {
			weight := s.column(column(t, w))
			weights := "CASE WHEN " + x + " IS NOT NULL THEN " + weight + " END"
			return "(" + c.d.Quotient("sum("+x+" * "+weight+")"+filter, "nullif(sum("+weights+")"+filter+", 0)") + ")"
		}
		q := 0.0
		if len(n.Numbers) > 0 {
			q = n.Numbers[0]
		}
		return c.must(c.d.Stat(n.word(0), x, q, filter))
	}
	return c.fail(fmt.Errorf("no SQL for the aggregate %s", n.Op))
}

// filter writes the conditions of an aggregate behind it; nothing if there are none.
func (s *scope) filter(when []*node) string {
	p := conditions(when)
	if p.Op == opAll {
		return ""
	}
	return " FILTER (WHERE " + s.pred(p) + ")"
}

// weight is the column that weighs the mean of a rate; empty for all other statistics.
func weight(t *table, n *node) string {
	c := t.columns[n.Kids[0].Column]
	if n.Op != opStat || n.word(0) != "mean" || c.Number == nil || c.Number.Adds != "rate" || t.columns[c.Number.Weight] == nil {
		return ""
	}
	return c.Number.Weight
}
