package guard

// The rows below an aggregate as SQL, generated from the bound plan, for a control that counts each row once. Parts without an
// exact SQL form are reported as unsupported.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// sqlMax is the maximum number of bytes of one relation's SQL. A common table expression is written once for each use.
const sqlMax = 12 << 10

// unsupportedError means that a part of a plan cannot be written as SQL. Its text is for people.
type unsupportedError struct{ what string }

// Error implements error.
func (e *unsupportedError) Error() string { return e.what }

func unsupported(what string) error { return &unsupportedError{what} }

// unsupportedReason returns which part could not be written.
func unsupportedReason(err error) string {
	var u *unsupportedError
	if errors.As(err, &u) {
		return u.what
	}
	return err.Error()
}

// source is one source of rows in the SQL: a table, or a subquery with groups.
type source struct {
	name string
	// id are expressions whose values together identify a row; none for a single row.
	id []string
	// base means that it is a table of the data; alias is its name in the SQL.
	base   bool
	alias  string
	table  string // as SQL
	schema string // of a table
}

// sqlValue is a column as SQL.
type sqlValue struct {
	sql string
	// sources are the indexes of the sources that it uses. countedSources leaves out those that only a condition of a CASE
	// uses.
	sources, countedSources []int
	// addsSources means that it adds values of several sources.
	addsSources bool
	// column is the table column that is passed through unchanged; empty for an expression.
	column string
	text   string // as people read it
	// strict means that it is NULL if an outer join did not find its row.
	strict bool
}

// sqlRelation is a relation as SQL.
type sqlRelation struct {
	from  string // empty for a relation of one row without a table
	where []predicate
	// columns with an empty SQL are not supported.
	columns []sqlValue
	sources []int
	// outer means that it contains an outer join.
	outer bool
}

// predicate is one condition, with the indexes of the sources that it uses.
type predicate struct {
	sql     string
	sources []int
	// text is the condition as people read it; empty if it does not compare one column of a table with constants.
	text, column string
}

// sqlWriter writes parts of one plan as SQL.
type sqlWriter struct {
	sources []source
	ctes    map[int]*node
	// outerValues are the outer values for the subquery that is being written.
	outerValues [][]sqlValue
	// outerJoins are the joins in whose subquery the written part is; the innermost is last.
	outerJoins []*node
	depth      int
	bytes      int
}

// add adds a source and returns its index.
func (w *sqlWriter) add(s source) int {
	w.sources = append(w.sources, s)
	return len(w.sources) - 1
}

// alias returns the alias of the next source.
func (w *sqlWriter) alias() string { return "t" + strconv.Itoa(len(w.sources)+1) }

// rows writes an operator and all operators below it.
func (w *sqlWriter) rows(n *node) (*sqlRelation, error) {
	if w.depth++; w.depth > maxDepth || n == nil {
		return nil, unsupported("it is nested too deeply")
	}
	defer func() { w.depth-- }()
	switch n.Type {
	case "LOGICAL_GET":
		return w.scan(n)
	case "LOGICAL_DUMMY_SCAN":
		return &sqlRelation{}, nil
	case "LOGICAL_DELIM_GET":
		if len(w.outerValues) == 0 && len(w.outerJoins) > 0 {
			return w.outerRows(n)
		}
		if len(w.outerValues) == 0 || len(w.outerValues[len(w.outerValues)-1]) != len(n.ChunkTypes) {
			return nil, unsupported("a subquery that uses outer rows")
		}
		return &sqlRelation{columns: w.outerValues[len(w.outerValues)-1]}, nil
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
			return r.selectColumns(n.Projections)
		case "LOGICAL_AGGREGATE_AND_GROUP_BY":
			return w.groupedSubquery(n)
		case "LOGICAL_DISTINCT":
			return w.distinctSubquery(n)
		}
	}
	return nil, unsupported("a part of it, " + strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(n.Type, "LOGICAL_"), "_", " ")))
}

// selectColumns returns some columns in a new order; an empty list keeps all.
func (r *sqlRelation) selectColumns(list []int) (*sqlRelation, error) {
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

func (w *sqlWriter) scan(n *node) (*sqlRelation, error) {
	if n.Function == nil || n.Function.Table == "" {
		return nil, unsupported("the rows of a function")
	}
	s := source{name: n.Function.Table, alias: w.alias(), base: true, schema: n.Function.Catalog}
	s.table = sqltext.QuoteName(n.Function.Catalog) + "." + sqltext.QuoteName(n.Function.Table)
	s.id = []string{s.alias + ".rowid"}
	at := w.add(s)
	out := &sqlRelation{from: s.table + " AS " + s.alias, sources: []int{at}}
	for _, i := range n.Indexes {
		c := sqlValue{sources: []int{at}, countedSources: []int{at}, strict: true}
		switch {
		case i.Index < uint64(len(n.Names)):
			c.column = n.Names[i.Index]
			c.sql, c.text = s.alias+"."+sqltext.QuoteName(c.column), s.name+"."+c.column
		case i.Index == rowNumber:
			c.sql, c.text = s.alias+".rowid", s.name+".rowid"
		}
		out.columns = append(out.columns, c)
	}
	return out.selectColumns(n.Projected)
}

// input writes the only child of an operator and returns it with the operator's expressions.
func (w *sqlWriter) input(n *node) (*sqlRelation, []*expr, error) {
	r, err := w.rows(n.Children[0])
	if err != nil {
		return nil, nil, err
	}
	list := n.list()
	if list == nil {
		return nil, nil, errPlan
	}
	return r, list, nil
}

func (w *sqlWriter) project(n *node) (*sqlRelation, error) {
	r, list, err := w.input(n)
	if err != nil {
		return nil, err
	}
	out := *r
	out.columns = nil
	for _, e := range list {
		c, err := w.value(r, e)
		if err != nil {
			// An unsupported column matters only if it is used.
			c = sqlValue{text: unsupportedReason(err)}
		}
		out.columns = append(out.columns, c)
	}
	return &out, nil
}

func (w *sqlWriter) filter(n *node) (*sqlRelation, error) {
	r, list, err := w.input(n)
	if err != nil {
		return nil, err
	}
	out := *r
	out.where = slices.Clone(r.where)
	for _, e := range conjuncts(list) {
		p, err := w.predicate(r, e)
		if err != nil {
			return nil, err
		}
		out.where = append(out.where, p)
	}
	return out.selectColumns(n.Projection)
}

// join writes a join of two relations.
func (w *sqlWriter) join(n *node) (*sqlRelation, error) {
	left, err := w.rows(n.Children[0])
	if err != nil {
		return nil, err
	}
	correlated := n.Type == "LOGICAL_DELIM_JOIN"
	if correlated {
		var outer []sqlValue
		for _, e := range n.Eliminated {
			c, err := w.value(left, e)
			if err != nil {
				return nil, err
			}
			outer = append(outer, c)
		}
		w.outerValues = append(w.outerValues, outer)
	}
	right, err := w.rows(n.Children[1])
	if correlated {
		w.outerValues = w.outerValues[:len(w.outerValues)-1]
	}
	if err != nil {
		return nil, err
	}
	if n.Predicate != nil {
		return nil, unsupported("a join with a condition of its own")
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
		return w.existsJoin(left, right, on, n)
	case "SINGLE":
		return w.scalarSubquery(left, right, on)
	case "INNER", "LEFT", "RIGHT", "FULL", "OUTER":
		if correlated {
			break
		}
		out, err := w.innerOrOuter(left, right, on, kind)
		if err != nil || len(n.LeftColumns)+len(n.RightColumns) == 0 {
			return out, err
		}
		l, err := left.selectColumns(n.LeftColumns)
		if err != nil {
			return nil, err
		}
		r, err := right.selectColumns(n.RightColumns)
		if err != nil {
			return nil, err
		}
		// out has the columns of both sides in full, so the column positions refer to it.
		columns := slices.Clone(out.columns)
		out.columns = nil
		pick := func(list []int, of *sqlRelation, base int) {
			if len(list) == 0 {
				out.columns = append(out.columns, columns[base:base+len(of.columns)]...)
				return
			}
			for _, i := range list {
				out.columns = append(out.columns, columns[base+i])
			}
		}
		pick(n.LeftColumns, l, 0)
		pick(n.RightColumns, r, len(left.columns))
		return out, nil
	}
	return nil, unsupported("a subquery that uses outer rows")
}

// conditions writes the conditions of a join.
func (w *sqlWriter) conditions(left, right *sqlRelation, n *node) ([]predicate, error) {
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
			return nil, unsupported("a comparison of a join")
		}
		on = append(on, predicate{sql: a.sql + " " + op + " " + b.sql, sources: union(a.sources, b.sources)})
	}
	if n.Condition != nil {
		both := &sqlRelation{columns: slices.Concat(left.columns, right.columns)}
		p, err := w.predicate(both, n.Condition)
		if err != nil {
			return nil, err
		}
		on = append(on, p)
	}
	return on, nil
}

// innerOrOuter writes a join that keeps the columns of both sides.
func (w *sqlWriter) innerOrOuter(left, right *sqlRelation, on []predicate, kind string) (*sqlRelation, error) {
	out := &sqlRelation{
		columns: slices.Concat(left.columns, right.columns), sources: slices.Concat(left.sources, right.sources),
		outer: left.outer || right.outer || kind != "INNER",
	}
	switch kind {
	case "INNER":
		if left.from == "" || right.from == "" {
			// A relation without a table has one row, and only its values are used.
			out.from = left.from + right.from
			out.where = slices.Concat(left.where, right.where, on)
			return out, nil
		}
		out.where = slices.Concat(left.where, right.where)
	case "LEFT":
		// A condition on the optional side must be part of the join condition.
		out.where = left.where
		on = slices.Concat(on, right.where)
		out.columns = slices.Concat(left.columns, nullableOnly(right.columns))
	case "RIGHT":
		out.where = right.where
		on = slices.Concat(on, left.where)
		out.columns = slices.Concat(nullableOnly(left.columns), right.columns)
	default:
		if len(left.where)+len(right.where) > 0 {
			return nil, unsupported("a full join of parts of tables")
		}
		kind = "FULL"
		out.columns = slices.Concat(nullableOnly(left.columns), nullableOnly(right.columns))
	}
	if left.from == "" || right.from == "" {
		return nil, unsupported("a join without a table")
	}
	out.from = "(" + left.from + " " + kind + " JOIN " + right.from + " ON " + andAll(on) + ")"
	if w.bytes += len(out.from); w.bytes > sqlMax {
		return nil, unsupported("it is too long")
	}
	return out, nil
}

// nullableOnly marks values as unsupported that an outer join would not turn into NULL, such as constants.
func nullableOnly(list []sqlValue) []sqlValue {
	out := slices.Clone(list)
	for i := range out {
		if !out[i].strict {
			out[i] = sqlValue{text: "a value of a row that may be missing"}
		}
	}
	return out
}

// existsJoin writes a join that only tests whether a row on the right exists.
func (w *sqlWriter) existsJoin(left, right *sqlRelation, on []predicate, n *node) (*sqlRelation, error) {
	where := slices.Concat(right.where, on)
	var of []int
	for _, p := range where {
		of = union(of, p.sources)
	}
	// Only the sources of the left side are visible outside.
	of = slices.DeleteFunc(of, func(i int) bool { return !slices.Contains(left.sources, i) })
	from := ""
	if right.from != "" {
		from = " FROM " + right.from
	}
	exists := "EXISTS (SELECT 1" + from + " WHERE " + andAll(where) + ")"
	out := *left
	switch n.JoinType {
	case "SEMI", "ANTI":
		if n.JoinType == "ANTI" {
			exists = "NOT " + exists
		}
		out.where = append(slices.Clone(left.where), predicate{sql: exists, sources: of})
		return out.selectColumns(n.LeftColumns)
	}
	mark := sqlValue{sql: exists, sources: of, countedSources: of, text: "…"}
	if len(n.Conditions) == 1 && n.Conditions[0].Comparison == "COMPARE_EQUAL" && n.Condition == nil {
		// IN is NULL if the list contains NULL, and EXISTS is not, so IN is written as IN.
		a, err := w.value(left, n.Conditions[0].Left)
		if err != nil {
			return nil, err
		}
		b, err := w.value(right, n.Conditions[0].Right)
		if err != nil {
			return nil, err
		}
		mark.sql = "(" + a.sql + " IN (SELECT " + b.sql + from + " WHERE " + andAll(right.where) + "))"
	}
	out.columns = append(slices.Clone(left.columns), mark)
	return &out, nil
}

// scalarSubquery writes a subquery that returns one value.
func (w *sqlWriter) scalarSubquery(left, right *sqlRelation, on []predicate) (*sqlRelation, error) {
	out := *left
	out.columns = slices.Clone(left.columns)
	limited := *right
	limited.where = slices.Concat(right.where, on)
	for _, c := range right.columns {
		if c.sql == "" {
			out.columns = append(out.columns, c)
			continue
		}
		// A value that is equal for all rows does not depend on them. With a condition it comes from a row of another table,
		// which is not tracked.
		v := sqlValue{sql: "(SELECT " + c.sql + limited.fromClause() + ")", text: c.text, addsSources: len(on) > 0}
		if len(on) > 0 {
			v.sources, v.countedSources = left.sources, left.sources
		}
		out.columns = append(out.columns, v)
	}
	return &out, nil
}

// groupedSubquery writes an aggregate below another aggregate as a subquery.
func (w *sqlWriter) groupedSubquery(n *node) (*sqlRelation, error) {
	r, err := w.rows(n.Children[0])
	if err != nil {
		return nil, err
	}
	if len(n.Sets) > 1 || len(n.Grouping) > 0 {
		return nil, unsupported("subtotals")
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

func (w *sqlWriter) distinctSubquery(n *node) (*sqlRelation, error) {
	r, err := w.rows(n.Children[0])
	if err != nil {
		return nil, err
	}
	if n.DistinctType != "DISTINCT" || len(n.Targets) != len(r.columns) {
		return nil, unsupported("a choice of one row for each value")
	}
	var columns, texts []string
	for _, c := range r.columns {
		if c.sql == "" {
			return nil, unsupported(c.text)
		}
		columns, texts = append(columns, c.sql), append(texts, c.text)
	}
	return w.subquery(r, "SELECT DISTINCT ", columns, texts, "", len(columns))
}

// subquery writes a subquery whose first columns, key many, identify a row.
func (w *sqlWriter) subquery(r *sqlRelation, verb string, columns, texts []string, tail string, key int) (*sqlRelation, error) {
	s := source{name: "a group", alias: w.alias()}
	list := make([]string, len(columns))
	out := &sqlRelation{}
	at := len(w.sources)
	for i, c := range columns {
		name := "c" + strconv.Itoa(i+1)
		list[i] = c + " AS " + name
		out.columns = append(out.columns, sqlValue{
			sql: s.alias + "." + name, sources: []int{at}, countedSources: []int{at}, text: texts[i], strict: true,
		})
		if i < key {
			s.id = append(s.id, s.alias+"."+name)
		}
	}
	from := ""
	if r.from != "" {
		from = " FROM " + r.from
	}
	out.from = "(" + verb + strings.Join(list, ", ") + from + " WHERE " + andAll(r.where) + tail + ") AS " + s.alias
	out.sources = []int{w.add(s)}
	if w.bytes += len(out.from); w.bytes > sqlMax {
		return nil, unsupported("it is too long")
	}
	return out, nil
}

// aggregate writes one aggregate.
func (w *sqlWriter) aggregate(r *sqlRelation, e *expr) (string, error) {
	if !slices.Contains([]string{
		"count", "count_star", "sum", "sum_no_overflow", "avg", "mean", "min", "max", "median", "any_value", "bool_or", "bool_and",
		"stddev", "stddev_samp", "variance", "count_if", "first",
	}, e.Name) || len(e.Sorted) > 0 && string(e.Sorted) != "null" {
		return "", unsupported("the function " + e.Name)
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

// andAll returns the conjunction of conditions.
func andAll(list []predicate) string {
	if len(list) == 0 {
		return "true"
	}
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = p.sql
	}
	return strings.Join(texts, " AND ")
}

// fromClause returns the FROM clause of the relation with its conditions.
func (r *sqlRelation) fromClause() string {
	if r.from == "" {
		return " WHERE " + andAll(r.where)
	}
	return fmt.Sprintf(" FROM %s WHERE %s", r.from, andAll(r.where))
}
