package querytest

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Node is an operation of a tree as its JSON has it.
type Node struct {
	Op      string    `json:"op"`
	Table   string    `json:"table"`
	Column  string    `json:"column"`
	Part    string    `json:"part"`
	Words   []string  `json:"words"`
	Numbers []float64 `json:"numbers"`
	Of      []*Node   `json:"of"`
}

func (n *Node) text() string {
	b, err := json.Marshal(n)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Answer is a result: its rows in no order. A cell is nil, float64, string, bool or time.Time.
type Answer [][]any

// Ask answers the first question of a script by walking the rows.
func (w *World) Ask(script []byte) (answer Answer, err error) {
	defer func() {
		// The oracle panics for what it does not know; a test must not take that for an answer.
		if r := recover(); r != nil {
			answer, err = nil, fmt.Errorf("the oracle: %v", r)
		}
	}()
	var n Node
	if err := json.Unmarshal(script, &n); err != nil {
		return nil, fmt.Errorf("the oracle: %w", err)
	}
	o := &oracle{w: w, data: map[string]*Table{}}
	for name, t := range w.Tables {
		o.data["s1."+name] = &Table{Name: t.Name, Columns: slices.Clone(t.Columns), Rows: t.Rows}
	}
	for _, step := range n.Of[0].Of {
		o.step(step)
	}
	return o.ask(n.Of[1].Of[0]), nil
}

// oracle walks rows. data are the tables after the steps so far.
type oracle struct {
	w    *World
	data map[string]*Table
}

// at is a row of a table.
type at struct {
	table string
	row   Row
}

func (o *oracle) step(n *Node) {
	switch n.Op {
	case "let":
		t := o.data[n.Table]
		var rows []Row
		for _, r := range t.Rows {
			c := Row{}
			for k, v := range r {
				c[k] = v
			}
			c[n.Words[0]] = o.scalar(at{n.Table, r}, n.Of[0])
			rows = append(rows, c)
		}
		o.data[n.Table] = &Table{Name: t.Name, Columns: append(slices.Clone(t.Columns), n.Words[0]), Rows: rows}
	case "keep":
		t := o.data[n.Of[0].Table]
		var rows []Row
		for _, r := range t.Rows {
			if o.holds(at{n.Of[0].Table, r}, n.Of[0].Of[0]) {
				rows = append(rows, r)
			}
		}
		o.data[n.Of[0].Table] = &Table{Name: t.Name, Columns: t.Columns, Rows: rows}
	case "fill":
		c := n.Of[0]
		t := o.data[c.Table]
		var have []float64
		for _, r := range t.Rows {
			if x, ok := r[c.Column].(float64); ok {
				have = append(have, x)
			}
		}
		by := statistic(n.Words[0], have, 0)
		var rows []Row
		for _, r := range t.Rows {
			k := Row{}
			for name, v := range r {
				k[name] = v
			}
			if k[c.Column] == nil {
				k[c.Column] = by
			}
			rows = append(rows, k)
		}
		o.data[c.Table] = &Table{Name: t.Name, Columns: t.Columns, Rows: rows}
	default:
		panic("step " + n.Op)
	}
}

func (o *oracle) rows(table string) []at {
	var out []at
	for _, r := range o.data[table].Rows {
		out = append(out, at{table, r})
	}
	return out
}

// up returns the row of another table that belongs to a row; ok is false if nothing leads there.
func (o *oracle) up(r at, table string) (Row, bool) {
	type step struct {
		table string
		row   Row
	}
	queue := []step{{r.table, r.row}}
	seen := map[string]bool{r.table: true}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if s.table == table {
			return s.row, true
		}
		for _, l := range o.w.Links {
			if "s1."+l.From != s.table || seen["s1."+l.To] {
				continue
			}
			seen["s1."+l.To] = true
			var next Row
			if s.row != nil && s.row[l.FromColumn] != nil {
				for _, t := range o.data["s1."+l.To].Rows {
					if t[l.ToColumn] == s.row[l.FromColumn] {
						next = t
					}
				}
			}
			queue = append(queue, step{"s1." + l.To, next})
		}
	}
	return nil, false
}

// value is a column, wherever it is.
func (o *oracle) value(r at, n *Node) any {
	if row, ok := o.up(r, n.Table); ok {
		if row == nil {
			return nil
		}
		return row[n.Column]
	}
	for _, columns := range o.w.Shared {
		mine, theirs := columns[r.table[3:]], columns[n.Table[3:]]
		if mine == "" || theirs == "" {
			continue
		}
		if r.row[mine] == nil {
			return nil
		}
		for _, t := range o.data[n.Table].Rows {
			if t[theirs] == r.row[mine] && t[n.Column] != nil {
				return t[n.Column]
			}
		}
		return nil
	}
	panic("no way to " + n.Column)
}

// down are the rows of a table that belong to a thing.
func (o *oracle) down(thing at, table string) []at {
	var out []at
	for _, r := range o.rows(table) {
		if row, ok := o.up(r, thing.table); ok && table != thing.table {
			if row != nil && same(row, thing.row) {
				out = append(out, r)
			}
			continue
		}
		for _, columns := range o.w.Shared {
			mine, theirs := columns[thing.table[3:]], columns[table[3:]]
			if mine != "" && theirs != "" && thing.row[mine] != nil && r.row[theirs] == thing.row[mine] {
				out = append(out, r)
			}
		}
	}
	return out
}

// same compares rows of a table that has a key, all of whose values are in them.
func same(a, b Row) bool {
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// thing is the row of the thing that a row belongs to, for conditions on things.
func (o *oracle) thing(r at, n *Node) (at, bool) {
	if n.Part != "" {
		// A thing without a table: all rows with its name are one.
		column := o.w.Shared[n.Part][n.Table[3:]]
		v := o.value(r, &Node{Table: n.Table, Column: column})
		if v == nil {
			return at{}, false
		}
		return at{n.Table, Row{column: v}}, true
	}
	row, ok := o.up(r, n.Table)
	if !ok {
		panic("no way to the thing " + n.Table)
	}
	return at{n.Table, row}, row != nil
}

// belongs are the rows of a set that belong to a thing.
func (o *oracle) belongs(thing at, n *Node, part string) []at {
	var rows []at
	if part != "" {
		column := o.w.Shared[part][thing.table[3:]]
		for _, r := range o.rows(n.Table) {
			if theirs := o.w.Shared[part][n.Table[3:]]; theirs != "" && r.row[theirs] == thing.row[column] {
				rows = append(rows, r)
			}
		}
	} else {
		rows = o.down(thing, n.Table)
	}
	return slices.DeleteFunc(rows, func(r at) bool { return !o.holds(r, n.Of[0]) })
}

func (o *oracle) scalar(r at, n *Node) any {
	switch n.Op {
	case "col":
		return o.value(r, n)
	case "calendar":
		return r.row[o.time(r.table)]
	case "number":
		return n.Numbers[0]
	case "text":
		return n.Words[0]
	case "day":
		return date(n.Words[0])
	case "named":
		return o.scalar(r, n.Of[0])
	case "arith":
		a, ok := o.scalar(r, n.Of[0]).(float64)
		b, ok2 := o.scalar(r, n.Of[1]).(float64)
		if !ok || !ok2 {
			return nil
		}
		return arithmetic(n.Words[0], a, b)
	case "func":
		x, ok := o.scalar(r, n.Of[0]).(float64)
		if !ok {
			return nil
		}
		return function(n, x)
	case "part", "trunc":
		t, ok := o.scalar(r, n.Of[0]).(time.Time)
		if !ok {
			return nil
		}
		return timed(n, t)
	case "between":
		a, ok := o.scalar(r, n.Of[0]).(time.Time)
		b, ok2 := o.scalar(r, n.Of[1]).(time.Time)
		if !ok || !ok2 {
			return nil
		}
		return b.Sub(a).Seconds() / map[string]float64{"days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}[n.Words[0]]
	case "length", "extract", "bins", "clock":
		return described(n, o.scalar(r, n.Of[0]))
	case "case":
		for i := 0; i+1 < len(n.Of); i += 2 {
			if o.holds(r, n.Of[i]) {
				return o.scalar(r, n.Of[i+1])
			}
		}
		return o.scalar(r, n.Of[len(n.Of)-1])
	}
	return o.figure(r, n)
}

// figure is a value of a row that comes from other rows.
func (o *oracle) figure(r at, n *Node) any {
	switch n.Op {
	case "of":
		thing, ok := o.thing(r, n)
		if ok {
			return o.measure(n.Of[0], func(home string, _ *Node) []at {
				if home == thing.table && n.Part == "" {
					return []at{thing}
				}
				return o.belongs(thing, &Node{Table: home, Of: []*Node{{Op: "all"}}}, n.Part)
			})
		}
		if counts(n.Of[0]) {
			return 0.0
		}
		return nil
	case "overall":
		return o.ask(&Node{Op: "groups", Of: []*Node{n.Of[1], {}, {Of: n.Of[:1]}, {}, {}, {}, {}}})[0][0]
	case "zscore", "scaled":
		x, ok := o.scalar(r, n.Of[0]).(float64)
		if !ok {
			return nil
		}
		all := o.peers(r, n.Of)
		if n.Op == "scaled" {
			low, high := slices.Min(all), slices.Max(all)
			if low == high {
				return nil
			}
			return (x - low) / (high - low)
		}
		sd, ok := statistic("std", all, 0).(float64)
		if !ok || sd == 0 {
			return nil
		}
		return (x - mean(all)) / sd
	}
	panic("scalar " + n.Op)
}

func counts(n *Node) bool {
	for n.Op == "when" || n.Op == "named" {
		n = n.Of[0]
	}
	return n.Op == "count" || n.Op == "distinct" || n.Op == "each" && n.Words[1] == "count"
}

// peers are the numbers of all rows of a table that have the groups of this row.
func (o *oracle) peers(r at, kids []*Node) []float64 {
	var out []float64
	for _, p := range o.rows(kids[0].Table) {
		equal := true
		for _, k := range kids[1:] {
			equal = equal && o.scalar(p, k) == o.scalar(r, k)
		}
		if x, ok := p.row[kids[0].Column].(float64); ok && equal {
			out = append(out, x)
		}
	}
	return out
}

// holds reports whether a condition holds for a row.
func (o *oracle) holds(r at, n *Node) bool {
	switch n.Op {
	case "all":
		return true
	case "and":
		return !slices.ContainsFunc(n.Of, func(k *Node) bool { return !o.holds(r, k) })
	case "or":
		return slices.ContainsFunc(n.Of, func(k *Node) bool { return o.holds(r, k) })
	case "not":
		return !o.holds(r, n.Of[0])
	case "cmp":
		return compare(o.scalar(r, n.Of[0]), n.Words[0], o.scalar(r, n.Of[1]))
	case "in":
		v := o.scalar(r, n.Of[0])
		return v != nil && slices.ContainsFunc(n.Words, func(s string) bool { return show(v) == s })
	case "match":
		v := o.scalar(r, n.Of[0])
		s, x := strings.ToLower(show(v)), strings.ToLower(n.Words[1])
		found := map[string]func(s, x string) bool{
			"contains": strings.Contains, "starts": strings.HasPrefix, "ends": strings.HasSuffix, "is": func(s, x string) bool { return s == x },
		}
		return v != nil && found[n.Words[0]](s, x)
	case "blank":
		v := o.scalar(r, n.Of[0])
		return v == nil || strings.Trim(show(v), " ") == ""
	case "missing":
		return o.scalar(r, n.Of[0]) == nil
	case "during":
		return inSpan(o.scalar(r, n.Of[0]), n.Words)
	case "recurs":
		t, ok := o.scalar(r, n.Of[0]).(time.Time)
		return ok && slices.Contains(n.Numbers, part(n.Words[0], t))
	case "yes":
		v := o.scalar(r, n.Of[0])
		return v == true || v == "Y"
	case "outlier":
		return o.outlier(r, n)
	case "alive", "born", "gone":
		row, _ := o.up(r, n.Table)
		return row != nil && o.lives(n, row)
	}
	return o.holdsFor(r, n)
}

func inSpan(v any, words []string) bool {
	t, ok := v.(time.Time)
	return ok && !t.Before(date(words[0])) && t.Before(date(words[1]))
}

func (o *oracle) lives(n *Node, row Row) bool {
	s := o.snapshot(n.Table)
	switch n.Op {
	case "alive":
		return show(row[s.Period]) == n.Words[0] && (s.Exit == "" || row[s.Exit] != true)
	case "born":
		return inSpan(row[s.Birth], n.Words)
	}
	return inSpan(row[s.Period], n.Words) && row[s.Exit] == true
}

// holdsFor reports whether a condition holds for the thing that a row belongs to.
func (o *oracle) holdsFor(r at, n *Node) bool {
	thing, ok := o.thing(r, n)
	if n.Op == "rank" {
		return ok && o.ranked(thing, n)
	}
	var rows []at
	if ok {
		rows = o.belongs(thing, n.Of[0], n.Part)
	}
	distinct := func(rows []at) float64 {
		found := map[any]bool{}
		for _, b := range rows {
			if v := o.scalar(b, n.Of[1]); v != nil {
				found[v] = true
			}
		}
		return float64(len(found))
	}
	switch n.Op {
	case "some":
		return len(rows) > 0
	case "every":
		return !slices.ContainsFunc(rows, func(b at) bool { return !o.holds(b, n.Of[1]) })
	case "countof":
		count := float64(len(rows))
		if len(n.Of) > 1 {
			count = distinct(rows)
		}
		return compare(count, n.Words[0], n.Numbers[0])
	case "allof":
		all := distinct(o.rows(n.Of[0].Table))
		return all > 0 && distinct(rows) == all
	}
	panic("condition " + n.Op)
}

func (o *oracle) outlier(r at, n *Node) bool {
	x, ok := o.scalar(r, n.Of[0]).(float64)
	if !ok {
		return false
	}
	all := o.peers(r, n.Of)
	if n.Words[0] == "z" {
		sd, ok := statistic("std", all, 0).(float64)
		return ok && math.Abs(x-mean(all)) > n.Numbers[0]*sd
	}
	low, high := quantile(all, 0.25), quantile(all, 0.75)
	return x < low-n.Numbers[0]*(high-low) || x > high+n.Numbers[0]*(high-low)
}

// things are all things of a kind.
func (o *oracle) things(n *Node) []at {
	if n.Part == "" {
		return o.rows(n.Table)
	}
	var out []at
	seen := map[any]bool{nil: true}
	for _, r := range o.rows(n.Table) {
		column := o.w.Shared[n.Part][n.Table[3:]]
		if v := r.row[column]; !seen[v] {
			seen[v] = true
			out = append(out, at{n.Table, Row{column: v}})
		}
	}
	return out
}

// ranked reports whether fewer things than asked for are better, within the same groups.
func (o *oracle) ranked(thing at, n *Node) bool {
	value := func(t at) (float64, bool) {
		x, ok := o.figure(t, &Node{Op: "of", Table: n.Table, Part: n.Part, Of: n.Of[:1]}).(float64)
		return x, ok
	}
	mine, ok := value(thing)
	if !ok {
		return false
	}
	better := 0.0
	for _, other := range o.things(n) {
		equal := true
		for _, w := range n.Of[1:] {
			equal = equal && o.scalar(other, w) == o.scalar(thing, w)
		}
		if x, ok := value(other); ok && equal && (n.Words[0] == "desc" && x > mine || n.Words[0] == "asc" && x < mine) {
			better++
		}
	}
	return better < n.Numbers[0]
}

// Operations are the operations of a script, each as often as it is there.
func Operations(script []byte) []string {
	var n Node
	if err := json.Unmarshal(script, &n); err != nil {
		panic(err)
	}
	var out []string
	var walk func(n *Node)
	walk = func(n *Node) {
		out = append(out, n.Op)
		for _, k := range n.Of {
			walk(k)
		}
	}
	walk(&n)
	return out
}
