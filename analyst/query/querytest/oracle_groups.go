package querytest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/domain/meaning"
)

func (o *oracle) tableMeaning(table string) *meaning.Table {
	for i := range o.w.Meaning.Tables {
		if t := &o.w.Meaning.Tables[i]; "s1."+t.Name == table {
			return t
		}
	}
	panic("no table " + table)
}

func (o *oracle) time(table string) string                { return o.tableMeaning(table).Time }
func (o *oracle) snapshot(table string) *meaning.Snapshot { return o.tableMeaning(table).Snapshot }

func (o *oracle) snapshotPeriod(table string) string {
	if s := o.snapshot(table); s != nil {
		return s.Period
	}
	return ""
}

func (o *oracle) ask(n *Node) Answer {
	switch n.Op {
	case "rows":
		return o.askRows(n)
	case "change":
		return o.askChange(n)
	case "tally":
		return Answer{{float64(len(o.ask(n.Of[0])))}}
	}
	return o.askGroups(n)
}

// group is the values of the dimensions, and the rows of each home in it.
type group struct {
	dims []any
	rows map[string][]at
}

// keys are the groups of a row. A row with several values of overlapping dimensions is in several groups: those of the rows of
// the other table that belong to it.
func (o *oracle) keys(r at, by []*Node) [][]any {
	first := make([]any, len(by))
	many := map[string][]int{}
	for i, d := range by {
		if d.Op != "overlap" {
			first[i] = o.scalar(r, d)
			continue
		}
		if _, once := o.up(r, d.Of[0].Table); once {
			first[i] = o.scalar(r, d.Of[0])
			continue
		}
		many[d.Of[0].Table] = append(many[d.Of[0].Table], i)
	}
	out := [][]any{first}
	for table, places := range many {
		rows := o.down(r, table)
		var next [][]any
		seen := map[string]bool{}
		for _, k := range out {
			for i := range max(1, len(rows)) {
				key := slices.Clone(k)
				for _, p := range places {
					if len(rows) > 0 {
						key[p] = o.scalar(rows[i], by[p].Of[0])
					}
				}
				if !seen[keyOf(key)] {
					seen[keyOf(key)] = true
					next = append(next, key)
				}
			}
		}
		out = next
	}
	return out
}

func keyOf(dims []any) string {
	var b strings.Builder
	for _, d := range dims {
		fmt.Fprintf(&b, "%T %s|", d, show(d))
	}
	return b.String()
}

// asked is a question for groups while it is answered.
type asked struct {
	o      *oracle
	n      *Node
	by     []*Node
	where  *Node
	groups map[string]*group
	order  []string
}

func (o *oracle) askGroups(n *Node) Answer {
	a := &asked{o: o, n: n, by: n.Of[1].Of, where: n.Of[0].Of[0], groups: map[string]*group{}}
	figures := slices.Clone(n.Of[2].Of)
	for _, h := range n.Of[3].Of {
		figures = append(figures, h.Of[0])
	}
	for _, w := range n.Of[4].Of {
		figures = append(figures, w.Of[0])
	}
	for _, k := range n.Of[5].Of {
		f := k.Of[0]
		if slices.Contains([]string{"running", "moving", "growth", "rankby", "partof"}, f.Op) {
			f = f.Of[0]
		}
		if !slices.ContainsFunc(a.by, func(d *Node) bool { return d.text() == f.text() }) {
			figures = append(figures, f)
		}
	}
	for _, t := range n.Of[6].Of {
		if t.Op == "top" {
			figures = append(figures, t.Of[0])
		}
	}
	if len(a.by) == 0 {
		a.group(nil)
	}
	for _, f := range figures {
		for _, l := range leaves(f, nil) {
			for _, r := range a.chosen(l) {
				for _, k := range o.keys(r, a.by) {
					a.group(k)
				}
			}
		}
	}
	return a.answer()
}

func (a *asked) group(dims []any) {
	key := keyOf(dims)
	if a.groups[key] == nil {
		a.groups[key] = &group{dims: dims}
		a.order = append(a.order, key)
	}
}

// leafNode is an aggregate with its conditions.
type leafNode struct {
	n    *Node
	when []*Node
}

func leaves(n *Node, when []*Node) []leafNode {
	switch n.Op {
	case "named":
		return leaves(n.Of[0], when)
	case "when":
		return leaves(n.Of[0], append(slices.Clone(when), n.Of[1]))
	case "ratio", "diff", "percent":
		return append(leaves(n.Of[0], when), leaves(n.Of[1], when)...)
	case "share":
		return leaves(n.Of[0], when)
	case "per":
		return append(leaves(n.Of[0], when), leafNode{&Node{Op: "distinct", Of: n.Of[1:]}, when})
	}
	return []leafNode{{n, when}}
}

// homeOf is the table of an aggregate.
func homeOf(n *Node) string {
	for n.Op == "each" || n.Op == "when" {
		n = n.Of[0]
	}
	if isTest(n) {
		return n.Table
	}
	return n.Of[0].Table
}

// chosen returns the rows from which an aggregate takes its groups: those under the condition of the question that a pick or the
// periods of the measure take.
func (a *asked) chosen(l leafNode) []at {
	home := homeOf(l.n)
	rows := slices.DeleteFunc(a.o.rows(home), func(r at) bool { return !a.o.holds(r, a.where) })
	switch {
	case l.n.Op == "pair" && strings.HasPrefix(l.n.Words[0], "spearman"):
		return slices.DeleteFunc(rows, func(r at) bool {
			return !a.o.counted(r, leafNode{&Node{Of: []*Node{{}}}, l.when}) || a.o.scalar(r, l.n.Of[0]) == nil || a.o.scalar(r, l.n.Of[1]) == nil
		})
	case isTest(l.n):
		return slices.DeleteFunc(rows, func(r at) bool {
			_, ok := a.o.tested(r, l.n)
			return !ok || slices.ContainsFunc(l.when, func(p *Node) bool { return !a.o.holds(r, p) })
		})
	case l.n.Op == "at" && l.n.Words[0] != "each":
		return a.picked(l, rows)
	case l.n.Op == "each":
		return slices.DeleteFunc(rows, func(r at) bool { return !a.o.counted(r, l) || a.o.scalar(r, l.n.Of[1]) == nil })
	}
	return rows
}

// counted reports whether a row meets the conditions of an aggregate of periods.
func (o *oracle) counted(r at, l leafNode) bool {
	ok := !slices.ContainsFunc(l.when, func(p *Node) bool { return !o.holds(r, p) })
	inner := l.n.Of[0]
	for inner.Op == "when" {
		ok = ok && o.holds(r, inner.Of[1])
		inner = inner.Of[0]
	}
	if inner.Op == "count" {
		ok = ok && o.holds(r, inner.Of[0].Of[0])
	}
	return ok
}

// picked are the rows that the pick of a level takes.
func (a *asked) picked(l leafNode, rows []at) []at {
	home := homeOf(l.n)
	s := a.o.snapshot(home)
	period := func(r at) (time.Time, bool) {
		t, ok := r.row[s.Period].(time.Time)
		return t, ok
	}
	rows = slices.DeleteFunc(rows, func(r at) bool {
		_, ok := period(r)
		return !ok || slices.ContainsFunc(l.when, func(p *Node) bool { return !a.o.holds(r, p) })
	})
	if s.Last != "" && !slices.ContainsFunc(append(slices.Clone(l.when), a.where), func(p *Node) bool { return a.o.names(p, home) }) {
		rows = slices.DeleteFunc(rows, func(r at) bool { t, _ := period(r); return t.After(date(s.Last)) })
	}
	if l.n.Words[0] == "mean_of_periods" {
		return rows
	}
	if l.n.Words[0] == "last_per_entity" {
		rows = slices.DeleteFunc(rows, func(r at) bool { return r.row[l.n.Of[0].Column] == nil })
	}
	best := map[string]time.Time{}
	window := func(r at) string {
		var key []any
		for _, d := range a.by {
			if d.Op == "col" && d.Table == home && d.Column == s.Period || (d.Op == "trunc" || d.Op == "part") && a.o.isPeriod(d.Of[0], home) {
				key = append(key, a.o.scalar(r, d))
			}
		}
		if l.n.Words[0] == "last_per_entity" {
			for _, e := range s.Entity {
				key = append(key, r.row[e])
			}
		}
		return keyOf(key)
	}
	for _, r := range rows {
		if t, _ := period(r); t.After(best[window(r)]) {
			best[window(r)] = t
		}
	}
	return slices.DeleteFunc(rows, func(r at) bool { t, _ := period(r); return !t.Equal(best[window(r)]) })
}

func (o *oracle) isPeriod(n *Node, home string) bool {
	s := o.snapshot(home)
	return n.Op == "calendar" && o.time(home) == s.Period || n.Op == "col" && n.Table == home && n.Column == s.Period
}

// names reports whether a condition is about the period of a snapshot itself.
func (o *oracle) names(n *Node, home string) bool {
	switch n.Op {
	case "col", "calendar":
		return o.isPeriod(n, home)
	case "alive", "gone":
		return n.Table == home
	case "some", "every", "countof", "allof", "rank", "of", "overall":
		return false
	}
	return slices.ContainsFunc(n.Of, func(k *Node) bool { return o.names(k, home) })
}

// value is the value of a measure in a group.
func (a *asked) value(n *Node, g *group) any {
	return a.o.measureOf(n, nil, func(l leafNode) []at {
		if g.rows == nil {
			g.rows = map[string][]at{}
		}
		key := l.n.text()
		for _, w := range l.when {
			key += w.text()
		}
		if rows, ok := g.rows[key]; ok {
			return rows
		}
		var rows []at
		for _, r := range a.chosen(l) {
			if slices.ContainsFunc(a.o.keys(r, a.by), func(k []any) bool { return keyOf(k) == keyOf(g.dims) }) {
				rows = append(rows, r)
			}
		}
		g.rows[key] = rows
		return rows
	})
}

// measure is a measure of rows that are given for each home.
func (o *oracle) measure(n *Node, rows func(home string, leaf *Node) []at) any {
	return o.measureOf(n, nil, func(l leafNode) []at {
		a := &asked{o: o, where: &Node{Op: "all"}}
		chosen := a.chosen(l)
		return slices.DeleteFunc(rows(homeOf(l.n), l.n), func(r at) bool {
			return !slices.ContainsFunc(chosen, func(c at) bool { return sameRow(c.row, r.row) })
		})
	})
}

// sameRow compares the identity of rows: a map is a reference.
func sameRow(a, b Row) bool { return fmt.Sprintf("%p", a) == fmt.Sprintf("%p", b) }

func (o *oracle) measureOf(n *Node, when []*Node, rows func(leafNode) []at) any {
	two := func(operator string, times float64, a, b any) any {
		x, ok := a.(float64)
		y, ok2 := b.(float64)
		if !ok || !ok2 {
			return nil
		}
		v, ok := arithmetic(operator, x, y).(float64)
		if !ok {
			return nil
		}
		return v * times
	}
	switch n.Op {
	case "named":
		return o.measureOf(n.Of[0], when, rows)
	case "when":
		return o.measureOf(n.Of[0], append(slices.Clone(when), n.Of[1]), rows)
	case "ratio":
		return two("/", 1, o.measureOf(n.Of[0], when, rows), o.measureOf(n.Of[1], when, rows))
	case "percent":
		return two("/", 100, o.measureOf(n.Of[0], when, rows), o.measureOf(n.Of[1], when, rows))
	case "diff":
		return two("-", 1, o.measureOf(n.Of[0], when, rows), o.measureOf(n.Of[1], when, rows))
	case "share":
		return two("/", 1, o.measureOf(n.Of[0], append(slices.Clone(when), n.Of[1]), rows), o.measureOf(n.Of[0], when, rows))
	case "per":
		return two("/", 1, o.measureOf(n.Of[0], when, rows), o.measureOf(&Node{Op: "distinct", Of: n.Of[1:]}, when, rows))
	}
	l := leafNode{n, when}
	in := slices.DeleteFunc(slices.Clone(rows(l)), func(r at) bool {
		return n.Op != "each" && slices.ContainsFunc(when, func(p *Node) bool { return !o.holds(r, p) })
	})
	if n.Op == "each" || n.Op == "at" && n.Words[0] == "mean_of_periods" {
		return o.periods(n, in)
	}
	return o.aggregate(n, in)
}

// periods is a statistic of the values of periods.
func (o *oracle) periods(n *Node, rows []at) any {
	by := map[any][]at{}
	name, inner := "mean", &Node{Op: "total", Of: n.Of}
	for _, r := range rows {
		v := r.row[o.snapshotPeriod(r.table)]
		if n.Op == "each" {
			v = o.scalar(r, n.Of[1])
		}
		if t, ok := v.(time.Time); ok && n.Op == "each" && n.Words[0] != "" {
			v = cut(n.Words[0], t)
		}
		if v != nil {
			by[v] = append(by[v], r)
		}
	}
	if n.Op == "each" {
		name, inner = n.Words[1], n.Of[0]
		for inner.Op == "when" {
			inner = inner.Of[0]
		}
	}
	if name == "count" {
		return float64(len(by))
	}
	var values []float64
	for _, p := range by {
		if v, ok := o.aggregate(inner, p).(float64); ok {
			values = append(values, v)
		}
	}
	return statistic(name, values, 0)
}

func (o *oracle) aggregate(n *Node, rows []at) any {
	numbers := func(k *Node) []float64 {
		var out []float64
		for _, r := range rows {
			if x, ok := o.scalar(r, k).(float64); ok {
				out = append(out, x)
			}
		}
		return out
	}
	switch n.Op {
	case "count":
		return float64(len(slices.DeleteFunc(slices.Clone(rows), func(r at) bool { return !o.holds(r, n.Of[0].Of[0]) })))
	case "distinct":
		found := map[any]bool{}
		for _, r := range rows {
			if v := o.scalar(r, n.Of[0]); v != nil {
				found[v] = true
			}
		}
		return float64(len(found))
	case "total", "at":
		all := numbers(n.Of[0])
		if len(all) == 0 {
			return nil
		}
		return mean(all) * float64(len(all))
	case "pair":
		var y, x []float64
		for _, r := range rows {
			a, ok := o.scalar(r, n.Of[0]).(float64)
			b, ok2 := o.scalar(r, n.Of[1]).(float64)
			if ok && ok2 {
				y, x = append(y, a), append(x, b)
			}
		}
		return pairs(n.Words[0], y, x)
	case "welch":
		set := func(p *Node) []float64 {
			var out []float64
			for _, r := range rows {
				if x, ok := o.scalar(r, n.Of[0]).(float64); ok && o.holds(r, p) {
					out = append(out, x)
				}
			}
			return out
		}
		return welch(n.Words[0], set(n.Of[1]), set(n.Of[2]))
	case "anova", "chi2", "mannwhit", "normality", "paired", "regression":
		return o.test(n, rows)
	case "stat":
		if w := o.weight(n); w != "" {
			return weighed(rows, n.Of[0].Column, w)
		}
		if v, ok := o.end(n, rows); ok {
			return v
		}
		q := 0.0
		if len(n.Numbers) > 0 {
			q = n.Numbers[0]
		}
		return statistic(n.Words[0], numbers(n.Of[0]), q)
	}
	panic("measure " + n.Op)
}

// end is the lowest or the highest of values that are no numbers.
func (o *oracle) end(n *Node, rows []at) (any, bool) {
	var found any
	for _, r := range rows {
		v := o.scalar(r, n.Of[0])
		if _, isNumber := v.(float64); v == nil || isNumber {
			continue
		}
		if found == nil || compare(v, map[string]string{"min": "<", "max": ">"}[n.Words[0]], found) {
			found = v
		}
	}
	return found, found != nil
}

func (o *oracle) weight(n *Node) string {
	if n.Words[0] != "mean" {
		return ""
	}
	for _, c := range o.tableMeaning(n.Of[0].Table).Columns {
		if c.Name == n.Of[0].Column && c.Number != nil {
			return c.Number.Weight
		}
	}
	return ""
}

func weighed(rows []at, column, weight string) any {
	sum, all := 0.0, 0.0
	for _, r := range rows {
		x, ok := r.row[column].(float64)
		w, ok2 := r.row[weight].(float64)
		if ok && ok2 {
			sum, all = sum+x*w, all+w
		}
	}
	if all == 0 {
		return nil
	}
	return sum / all
}
