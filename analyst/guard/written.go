package guard

// The rows below an aggregate, written as SQL again from the bound plan, for a control that counts each of them once. What
// cannot be written exactly is not written at all.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// writtenMax is the maximum number of bytes of what is written of one relation. A common table expression is written for each
// use of it.
const writtenMax = 12 << 10

// unwrittenError says that a part of a plan has no form here. Its text is for people.
type unwrittenError struct{ what string }

// Error implements error.
func (e *unwrittenError) Error() string { return e.what }

func unwritten(what string) error { return &unwrittenError{what} }

// unwrittenReason returns what could not be written.
func unwrittenReason(err error) string {
	var u *unwrittenError
	if errors.As(err, &u) {
		return u.what
	}
	return err.Error()
}

// source is one source of rows in what is written: a table, or a subquery with groups.
type source struct {
	name string
	// id are expressions whose values together name a row; none for a single row.
	id []string
	// base says that it is a table of the data, and alias is its name in the statement.
	base   bool
	alias  string
	table  string // as SQL
	schema string // of a table
}

// writtenValue is a column as SQL.
type writtenValue struct {
	sql string
	// of are the sources that it comes from, by their places, and counted are those without which a CASE only chooses.
	of, counted []int
	// several says that values of several sources are added to each other.
	several bool
	// column is the column of a table that it is, unchanged; empty for an expression.
	column string
	text   string // as people read it
	// strict is missing where its row is missing.
	strict bool
}

// written is a relation as SQL.
type written struct {
	from  string // empty for a relation of one row without a table
	where []predicate
	// columns without an SQL cannot be used.
	columns []writtenValue
	sources []int
	// outer says that an outer join may have left out a row.
	outer bool
}

// predicate is one condition, with the sources that it is about.
type predicate struct {
	sql string
	of  []int
	// said is how people read it; empty if it is more than a comparison of one column of a table with constants.
	said, column string
}

// writer writes the parts of one plan.
type writer struct {
	sources []source
	ctes    map[int]*node
	// outer are the values of the outer rows for the subquery that is being written.
	outer [][]writtenValue
	// within are the joins around what is written, if it is a part of their subqueries; the innermost one is last.
	within []*node
	depth  int
	bytes  int
}

// add makes a source.
func (w *writer) add(s source) int {
	w.sources = append(w.sources, s)
	return len(w.sources) - 1
}

// alias returns the name of the next source.
func (w *writer) alias() string { return "t" + strconv.Itoa(len(w.sources)+1) }

// rows writes an operator and everything below it.
func (w *writer) rows(n *node) (*written, error) {
	if w.depth++; w.depth > maxDepth || n == nil {
		return nil, unwritten("it is nested too deeply")
	}
	defer func() { w.depth-- }()
	switch n.Type {
	case "LOGICAL_GET":
		return w.scan(n)
	case "LOGICAL_DUMMY_SCAN":
		return &written{}, nil
	case "LOGICAL_DELIM_GET":
		if len(w.outer) == 0 && len(w.within) > 0 {
			return w.eliminated(n)
		}
		if len(w.outer) == 0 || len(w.outer[len(w.outer)-1]) != len(n.ChunkTypes) {
			return nil, unwritten("a subquery that uses outer rows")
		}
		return &written{columns: w.outer[len(w.outer)-1]}, nil
	case "LOGICAL_MATERIALIZED_CTE":
		if len(n.Children) == 2 {
			w.ctes[n.TableIndex] = n.Children[0]
			return w.rows(n.Children[1])
		}
	case "LOGICAL_CTE_REF":
		if d := w.ctes[n.CTEIndex]; d != nil {
			return w.rows(d)
		}
	case "LOGICAL_COMPARISON_JOIN", "LOGICAL_ANY_JOIN", "LOGICAL_CROSS_PRODUCT", "LOGICAL_DELIM_JOIN":
		if len(n.Children) == 2 {
			return w.join(n)
		}
	}
	if len(n.Children) == 1 {
		switch n.Type {
		case "LOGICAL_PROJECTION":
			return w.project(n)
		case "LOGICAL_FILTER":
			return w.filter(n)
		case "LOGICAL_ORDER_BY":
			r, err := w.rows(n.Children[0])
			if err != nil {
				return nil, err
			}
			return r.mapped(n.Projections)
		case "LOGICAL_AGGREGATE_AND_GROUP_BY":
			return w.groups(n)
		case "LOGICAL_DISTINCT":
			return w.distinct(n)
		}
	}
	return nil, unwritten("a part of it, " + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(n.Type, "LOGICAL_"), "_", " ")))
}

// mapped keeps some columns in a new order; an empty list keeps all.
func (r *written) mapped(list []int) (*written, error) {
	if len(list) == 0 {
		return r, nil
	}
	out := *r
	out.columns = nil
	for _, i := range list {
		if i < 0 || i >= len(r.columns) {
			return nil, errPlan
		}
		out.columns = append(out.columns, r.columns[i])
	}
	return &out, nil
}

func (w *writer) scan(n *node) (*written, error) {
	if n.Function == nil || n.Function.Table == "" {
		return nil, unwritten("the rows of a function")
	}
	s := source{name: n.Function.Table, alias: w.alias(), base: true, schema: n.Function.Catalog}
	s.table = sqltext.QuoteName(n.Function.Catalog) + "." + sqltext.QuoteName(n.Function.Table)
	s.id = []string{s.alias + ".rowid"}
	at := w.add(s)
	out := &written{from: s.table + " AS " + s.alias, sources: []int{at}}
	for _, i := range n.Indexes {
		c := writtenValue{of: []int{at}, counted: []int{at}, strict: true}
		switch {
		case i.Index < uint64(len(n.Names)):
			c.column = n.Names[i.Index]
			c.sql, c.text = s.alias+"."+sqltext.QuoteName(c.column), s.name+"."+c.column
		case i.Index == rowNumber:
			c.sql, c.text = s.alias+".rowid", s.name+".rowid"
		}
		out.columns = append(out.columns, c)
	}
	return out.mapped(n.Projected)
}

func (w *writer) project(n *node) (*written, error) {
	r, err := w.rows(n.Children[0])
	if err != nil {
		return nil, err
	}
	list := n.list()
	if list == nil {
		return nil, errPlan
	}
	out := *r
	out.columns = nil
	for _, e := range list {
		c, err := w.value(r, e)
		if err != nil {
			// A column that nothing uses need not be written.
			c = writtenValue{text: unwrittenReason(err)}
		}
		out.columns = append(out.columns, c)
	}
	return &out, nil
}

func (w *writer) filter(n *node) (*written, error) {
	r, err := w.rows(n.Children[0])
	if err != nil {
		return nil, err
	}
	list := n.list()
	if list == nil {
		return nil, errPlan
	}
	out := *r
	out.where = slices.Clone(r.where)
	for _, e := range flat(list) {
		p, err := w.predicate(r, e)
		if err != nil {
			return nil, err
		}
		out.where = append(out.where, p)
	}
	return out.mapped(n.Projection)
}

// join writes a join of two relations.
func (w *writer) join(n *node) (*written, error) {
	left, err := w.rows(n.Children[0])
	if err != nil {
		return nil, err
	}
	correlated := n.Type == "LOGICAL_DELIM_JOIN"
	if correlated {
		var outer []writtenValue
		for _, e := range n.Eliminated {
			c, err := w.value(left, e)
			if err != nil {
				return nil, err
			}
			outer = append(outer, c)
		}
		w.outer = append(w.outer, outer)
	}
	right, err := w.rows(n.Children[1])
	if correlated {
		w.outer = w.outer[:len(w.outer)-1]
	}
	if err != nil {
		return nil, err
	}
	if n.Predicate != nil {
		return nil, unwritten("a join with a condition of its own")
	}
	on, err := w.conditions(left, right, n)
	if err != nil {
		return nil, err
	}
	kind := n.JoinType
	if n.Type == "LOGICAL_CROSS_PRODUCT" {
		kind = "INNER"
	}
	switch kind {
	case "SEMI", "ANTI", "MARK":
		return w.found(left, right, on, n)
	case "SINGLE":
		return w.scalar(left, right, on)
	case "INNER", "LEFT", "RIGHT", "FULL", "OUTER":
		if correlated {
			break
		}
		out, err := w.sides(left, right, on, kind)
		if err != nil || len(n.Left)+len(n.Right) == 0 {
			return out, err
		}
		l, err := left.mapped(n.Left)
		if err != nil {
			return nil, err
		}
		r, err := right.mapped(n.Right)
		if err != nil {
			return nil, err
		}
		// Both sides are in out as they were joined, so the places of their columns are taken from there.
		columns := slices.Clone(out.columns)
		out.columns = nil
		pick := func(list []int, of *written, base int) {
			if len(list) == 0 {
				out.columns = append(out.columns, columns[base:base+len(of.columns)]...)
				return
			}
			for _, i := range list {
				out.columns = append(out.columns, columns[base+i])
			}
		}
		pick(n.Left, l, 0)
		pick(n.Right, r, len(left.columns))
		return out, nil
	}
	return nil, unwritten("a subquery that uses outer rows")
}

// conditions writes what a join compares.
func (w *writer) conditions(left, right *written, n *node) ([]predicate, error) {
	var on []predicate
	for _, c := range n.Conditions {
		a, err := w.value(left, c.Left)
		if err != nil {
			return nil, err
		}
		b, err := w.value(right, c.Right)
		if err != nil {
			return nil, err
		}
		op := comparisons()[c.Comparison]
		if op == "" {
			return nil, unwritten("a comparison of a join")
		}
		on = append(on, predicate{sql: a.sql + " " + op + " " + b.sql, of: union(a.of, b.of)})
	}
	if n.Condition != nil {
		both := &written{columns: slices.Concat(left.columns, right.columns)}
		p, err := w.predicate(both, n.Condition)
		if err != nil {
			return nil, err
		}
		on = append(on, p)
	}
	return on, nil
}

// sides writes a join that keeps the columns of both sides.
func (w *writer) sides(left, right *written, on []predicate, kind string) (*written, error) {
	out := &written{
		columns: slices.Concat(left.columns, right.columns), sources: slices.Concat(left.sources, right.sources),
		outer: left.outer || right.outer || kind != "INNER",
	}
	switch kind {
	case "INNER":
		if left.from == "" || right.from == "" {
			// A relation without a table has one row, and only its values take part.
			out.from = left.from + right.from
			out.where = slices.Concat(left.where, right.where, on)
			return out, nil
		}
		out.where = slices.Concat(left.where, right.where)
	case "LEFT":
		// What limits the side that is found belongs to the condition of the join.
		out.where = left.where
		on = slices.Concat(on, right.where)
		out.columns = slices.Concat(left.columns, nullable(right.columns))
	case "RIGHT":
		out.where = right.where
		on = slices.Concat(on, left.where)
		out.columns = slices.Concat(nullable(left.columns), right.columns)
	default:
		if len(left.where)+len(right.where) > 0 {
			return nil, unwritten("a full join of parts of tables")
		}
		kind = "FULL"
		out.columns = slices.Concat(nullable(left.columns), nullable(right.columns))
	}
	if left.from == "" || right.from == "" {
		return nil, unwritten("a join without a table")
	}
	out.from = "(" + left.from + " " + kind + " JOIN " + right.from + " ON " + all(on) + ")"
	if w.bytes += len(out.from); w.bytes > writtenMax {
		return nil, unwritten("it is too long")
	}
	return out, nil
}

// nullable leaves out what an outer join would not make missing: a constant stays, where its row is not found.
func nullable(list []writtenValue) []writtenValue {
	out := slices.Clone(list)
	for i := range out {
		if !out[i].strict {
			out[i] = writtenValue{text: "a value of a row that may be missing"}
		}
	}
	return out
}

// found writes a join that only asks whether there is a row on the right.
func (w *writer) found(left, right *written, on []predicate, n *node) (*written, error) {
	where := slices.Concat(right.where, on)
	var of []int
	for _, p := range where {
		of = union(of, p.of)
	}
	// Only the sources of the left are there outside.
	of = slices.DeleteFunc(of, func(i int) bool { return !slices.Contains(left.sources, i) })
	from := ""
	if right.from != "" {
		from = " FROM " + right.from
	}
	exists := "EXISTS (SELECT 1" + from + " WHERE " + all(where) + ")"
	out := *left
	switch n.JoinType {
	case "SEMI", "ANTI":
		if n.JoinType == "ANTI" {
			exists = "NOT " + exists
		}
		out.where = append(slices.Clone(left.where), predicate{sql: exists, of: of})
		return out.mapped(n.Left)
	}
	mark := writtenValue{sql: exists, of: of, counted: of, text: "…"}
	if len(n.Conditions) == 1 && n.Conditions[0].Comparison == "COMPARE_EQUAL" && n.Condition == nil {
		// IN is neither true nor false if the list has a missing value, so it is written as it was.
		a, err := w.value(left, n.Conditions[0].Left)
		if err != nil {
			return nil, err
		}
		b, err := w.value(right, n.Conditions[0].Right)
		if err != nil {
			return nil, err
		}
		mark.sql = "(" + a.sql + " IN (SELECT " + b.sql + from + " WHERE " + all(right.where) + "))"
	}
	out.columns = append(slices.Clone(left.columns), mark)
	return &out, nil
}

// scalar writes a subquery with one value.
func (w *writer) scalar(left, right *written, on []predicate) (*written, error) {
	out := *left
	out.columns = slices.Clone(left.columns)
	limited := *right
	limited.where = slices.Concat(right.where, on)
	for _, c := range right.columns {
		if c.sql == "" {
			out.columns = append(out.columns, c)
			continue
		}
		// A value that is the same for all rows says nothing about them; with a condition it is that of a row of another table,
		// which is not followed.
		v := writtenValue{sql: "(SELECT " + c.sql + limited.tail() + ")", text: c.text, several: len(on) > 0}
		if len(on) > 0 {
			v.of, v.counted = left.sources, left.sources
		}
		out.columns = append(out.columns, v)
	}
	return &out, nil
}

// groups writes an aggregate below another one as a subquery.
func (w *writer) groups(n *node) (*written, error) {
	r, err := w.rows(n.Children[0])
	if err != nil {
		return nil, err
	}
	if len(n.Sets) > 1 || len(n.Grouping) > 0 {
		return nil, unwritten("subtotals")
	}
	var columns, by []string
	var texts []string
	for _, g := range n.Groups {
		c, err := w.value(r, g)
		if err != nil {
			return nil, err
		}
		by = append(by, c.sql)
		columns, texts = append(columns, c.sql), append(texts, c.text)
	}
	for _, e := range n.list() {
		sql, err := w.aggregate(r, e)
		if err != nil {
			return nil, err
		}
		columns, texts = append(columns, sql), append(texts, e.Name)
	}
	tail := ""
	if len(by) > 0 {
		tail = " GROUP BY " + strings.Join(by, ", ")
	}
	return w.subquery(r, "SELECT ", columns, texts, tail, len(by))
}

func (w *writer) distinct(n *node) (*written, error) {
	r, err := w.rows(n.Children[0])
	if err != nil {
		return nil, err
	}
	if n.DistinctType != "DISTINCT" || len(n.Targets) != len(r.columns) {
		return nil, unwritten("a choice of one row for each value")
	}
	var columns, texts []string
	for _, c := range r.columns {
		if c.sql == "" {
			return nil, unwritten(c.text)
		}
		columns, texts = append(columns, c.sql), append(texts, c.text)
	}
	return w.subquery(r, "SELECT DISTINCT ", columns, texts, "", len(columns))
}

// subquery writes rows of which the first columns name a row.
func (w *writer) subquery(r *written, verb string, columns, texts []string, tail string, key int) (*written, error) {
	s := source{name: "a group", alias: w.alias()}
	list := make([]string, len(columns))
	out := &written{}
	at := len(w.sources)
	for i, c := range columns {
		name := "c" + strconv.Itoa(i+1)
		list[i] = c + " AS " + name
		out.columns = append(out.columns, writtenValue{
			sql: s.alias + "." + name, of: []int{at}, counted: []int{at}, text: texts[i], strict: true,
		})
		if i < key {
			s.id = append(s.id, s.alias+"."+name)
		}
	}
	from := ""
	if r.from != "" {
		from = " FROM " + r.from
	}
	out.from = "(" + verb + strings.Join(list, ", ") + from + " WHERE " + all(r.where) + tail + ") AS " + s.alias
	out.sources = []int{w.add(s)}
	if w.bytes += len(out.from); w.bytes > writtenMax {
		return nil, unwritten("it is too long")
	}
	return out, nil
}

// aggregate writes one aggregate.
func (w *writer) aggregate(r *written, e *expr) (string, error) {
	if !slices.Contains([]string{
		"count", "count_star", "sum", "sum_no_overflow", "avg", "mean", "min", "max", "median", "any_value", "bool_or", "bool_and",
		"stddev", "stddev_samp", "variance", "count_if", "first",
	}, e.Name) || len(e.Sorted) > 0 && string(e.Sorted) != "null" {
		return "", unwritten("the function " + e.Name)
	}
	args := make([]string, 0, len(e.Children))
	for _, c := range e.Children {
		v, err := w.value(r, c)
		if err != nil {
			return "", err
		}
		args = append(args, v.sql)
	}
	name, list := e.Name, strings.Join(args, ", ")
	if name == "count_star" {
		name, list = "count", "*"
	}
	if e.Kind == "DISTINCT" {
		list = "DISTINCT " + list
	}
	sql := name + "(" + list + ")"
	if e.Filter != nil {
		f, err := w.value(r, e.Filter)
		if err != nil {
			return "", err
		}
		sql += " FILTER (WHERE " + f.sql + ")"
	}
	return sql, nil
}

// all joins conditions.
func all(list []predicate) string {
	if len(list) == 0 {
		return "true"
	}
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = p.sql
	}
	return strings.Join(texts, " AND ")
}

// tail writes the relation from FROM on, with its conditions.
func (r *written) tail() string {
	if r.from == "" {
		return " WHERE " + all(r.where)
	}
	return fmt.Sprintf(" FROM %s WHERE %s", r.from, all(r.where))
}
