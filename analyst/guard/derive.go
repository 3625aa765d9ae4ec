package guard

// What must hold of the figures of a statement, derived from its plan. It is a second check in addition to the walk: Walk
// proves from keys that no row is counted twice, Derive verifies it by counting. The caller runs the control and compares.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// controlMax is the maximum number of bytes of a control.
	controlMax = 40 << 10
	// totalsMax is the maximum number of totals that the control computes.
	totalsMax = 8
	// probesMax limits the tables examined to explain an empty result, and conditionsMax the conditions of one table.
	probesMax     = 3
	conditionsMax = 6
)

// Derived are the checks of a statement. Columns are indexes of the result, from 0; -1 means that the result does not contain
// the figure unchanged. Control indexes refer to the one row of the control.
type Derived struct {
	// Control is a statement that returns one row; empty if no total needs it.
	Control string
	Totals  []DerivedTotal
	Shares  []DerivedShare
	Bounds  []DerivedBounds
	// Counts are the columns that contain numbers of rows.
	Counts []int
	Probes []DerivedProbe
	// Sums are the columns of tables that are added up unchanged.
	Sums []DerivedSum
	// Grouped means that each row is a group; Figures are the aggregated columns.
	Grouped bool
	Figures []int
	// Unchecked are the reasons why a total over several tables has no control, as texts for people.
	Unchecked []string
}

// DerivedTotal is a total over joined rows. It must not change if each row of its own table is counted once in each group.
type DerivedTotal struct {
	Column int
	// Joined is the index of the total over the joined rows, Once of the total with each row once, and Size of the sum of the
	// absolute values, -1 for counts, which are exact. For a mean, Joined is the largest difference within a group and Once is
	// -1.
	Joined, Once, Size int
	// Digits is the number of digits to which the result is rounded; -1 means not rounded. Cut means that the result leaves out
	// groups.
	Digits int
	Cut    bool
	// Total is the aggregate as people read it, and Table the table whose rows it adds up.
	Total, Table string
}

// DerivedShare is a column with parts of a whole.
type DerivedShare struct {
	Column int
	// Whole is 100 for percentages and 1 otherwise. Within are the columns that identify the whole.
	Whole  float64
	Within []int
	Digits int
	Cut    bool
	Counts bool
}

// DerivedBounds are statistics of one column: Middle lies between Low and High, which are -1 if the result has none.
type DerivedBounds struct{ Low, High, Middle, Digits int }

// DerivedProbe counts the rows of a table that satisfy each condition alone, and all other conditions without it, in the form
// of check.Probe.
type DerivedProbe struct {
	SQL, Rows string
	Said      []string
}

// DerivedSum is a column of a table that is added up. Source is the SQL schema of the table, such as s12.
type DerivedSum struct{ Source, Table, Column string }

// deriver derives the checks of one plan.
type deriver struct {
	out  Derived
	root *node
	ctes map[int]*node
	// outer are the joins in whose subquery the visited operator is; the innermost is last.
	outer []*node
	// selects are the columns of the control, and withs its common table expressions.
	selects, withs []string
	nodes          int
}

// Derive returns what must hold of the result of a statement. It needs no facts.
func Derive(plan []byte) Derived {
	root, err := decode(plan)
	if err != nil {
		return Derived{Unchecked: []string{"its plan cannot be read"}}
	}
	d := &deriver{root: root, ctes: map[int]*node{}}
	shown := d.traceResult(root, d.width(root))
	d.visit(root, shown)
	d.withoutControl(shown)
	d.probes(shown)
	if len(d.selects) > 0 {
		d.out.Control = "WITH " + strings.Join(d.withs, ", ") + " SELECT " + strings.Join(d.selects, ", ")
	}
	if len(d.out.Control) > controlMax {
		d.out.Control, d.out.Totals = "", nil
		d.unchecked("it is too long")
	}
	return d.out
}

func (d *deriver) unchecked(why string) {
	if !slices.Contains(d.out.Unchecked, why) {
		d.out.Unchecked = append(d.out.Unchecked, why)
	}
}

// visit derives the controls of each aggregate of a plan.
func (d *deriver) visit(n *node, s resultColumns) {
	if n == nil {
		return
	}
	if d.nodes++; d.nodes > maxNodes {
		d.unchecked("it is too long")
		return
	}
	if n.Type == "LOGICAL_MATERIALIZED_CTE" && len(n.Children) == 2 {
		d.ctes[n.TableIndex] = n.Children[0]
	}
	for i, c := range n.Children {
		inside := n.Type == "LOGICAL_DELIM_JOIN" && i == 1
		if inside {
			d.outer = append(d.outer, n)
		}
		d.visit(c, s)
		if inside {
			d.outer = d.outer[:len(d.outer)-1]
		}
	}
	switch n.Type {
	case "LOGICAL_AGGREGATE_AND_GROUP_BY":
		if len(n.Children) == 1 {
			d.aggregate(n, s)
		}
	case "LOGICAL_WINDOW":
		if len(n.Children) == 1 && d.mayRepeatRows(n.Children[0]) {
			d.window(n)
		}
	}
}

// countsEachRow reports whether repeated rows change an aggregate.
func countsEachRow(k class, e *expr) bool {
	return (k == sum || k == count || k == weighted || k == other) && e.Kind != "DISTINCT" && !e.Distinct
}

// mayRepeatRows reports whether an operator may repeat the rows of a table: there is a join in it or below it, down to the next
// GROUP BY.
func (d *deriver) mayRepeatRows(n *node) bool {
	for n != nil {
		switch n.Type {
		case "LOGICAL_AGGREGATE_AND_GROUP_BY", "LOGICAL_DUMMY_SCAN", "LOGICAL_EXPRESSION_GET", "LOGICAL_DELIM_GET":
			return false
		case "LOGICAL_GET":
			return len(n.Children) > 0
		case "LOGICAL_CTE_REF":
			n = d.ctes[n.CTEIndex]
			continue
		case "LOGICAL_MATERIALIZED_CTE":
			if len(n.Children) == 2 {
				d.ctes[n.TableIndex] = n.Children[0]
				n = n.Children[1]
				continue
			}
			return true
		case "LOGICAL_COMPARISON_JOIN", "LOGICAL_DELIM_JOIN":
			// A join that only tests whether a row exists repeats no row.
			if (n.JoinType == "SEMI" || n.JoinType == "ANTI" || n.JoinType == "MARK" || n.JoinType == "SINGLE") && len(n.Children) == 2 {
				n = n.Children[0]
				continue
			}
			return true
		case "LOGICAL_PROJECTION", "LOGICAL_FILTER", "LOGICAL_ORDER_BY", "LOGICAL_LIMIT", "LOGICAL_DISTINCT", "LOGICAL_WINDOW", "LOGICAL_SAMPLE":
		default:
			return true
		}
		if len(n.Children) != 1 {
			return true
		}
		n = n.Children[0]
	}
	return false
}

// aggregate derives the controls of the totals of one operator.
func (d *deriver) aggregate(n *node, s resultColumns) {
	list := n.list()
	if !slices.ContainsFunc(list, func(e *expr) bool { return countsEachRow(classOf(e.Name), e) }) {
		return
	}
	w := d.newWriter()
	r, err := w.rows(n.Children[0])
	if err == nil {
		d.sums(w, r, list)
	}
	switch {
	case !d.mayRepeatRows(n.Children[0]):
		return
	case len(n.Sets) > 1 || len(n.Grouping) > 0:
		d.unchecked("subtotals")
		return
	case err != nil:
		d.unchecked(unsupportedReason(err))
		return
	}
	groups, err := w.values(r, n.Groups)
	if err != nil {
		d.unchecked(unsupportedReason(err))
		return
	}
	c := d.newControl(w, r, groups)
	var totals []DerivedTotal
	for i, e := range list {
		if !countsEachRow(classOf(e.Name), e) {
			continue
		}
		t, err := c.total(e)
		if err != nil {
			d.unchecked(unsupportedReason(err))
			continue
		}
		if t.Total == "" {
			continue
		}
		t.Column, t.Digits, t.Cut = -1, -1, true
		if s.at == n {
			t.Column, t.Digits, t.Cut = s.column(len(n.Groups)+i, s.cut)
		}
		totals = append(totals, t)
	}
	c.finish(totals)
}

// values returns expressions over a relation as SQL.
func (w *sqlWriter) values(r *sqlRelation, list []*expr) ([]string, error) {
	var out []string
	for _, e := range list {
		c, err := w.value(r, e)
		if err != nil {
			return nil, err
		}
		out = append(out, c.sql)
	}
	return out, nil
}

func (d *deriver) newControl(w *sqlWriter, r *sqlRelation, groups []string) *controlWriter {
	return &controlWriter{d: d, w: w, r: r, groups: groups, name: "r" + strconv.Itoa(len(d.withs)+1)}
}

// newWriter returns a writer that knows the common table expressions and the outer joins of a subquery.
func (d *deriver) newWriter() *sqlWriter {
	w := &sqlWriter{ctes: map[int]*node{}, outerJoins: slices.Clone(d.outer)}
	for k, v := range d.ctes {
		w.ctes[k] = v
	}
	return w
}

// sums records which columns of tables are added up unchanged.
func (d *deriver) sums(w *sqlWriter, r *sqlRelation, list []*expr) {
	for _, e := range list {
		if classOf(e.Name) != sum || len(e.Children) != 1 || len(d.out.Sums) == totalsMax {
			continue
		}
		if v, err := w.value(r, e.Children[0]); err == nil && v.column != "" && len(v.sources) == 1 {
			s := &w.sources[v.sources[0]]
			d.out.Sums = append(d.out.Sums, DerivedSum{Source: s.schema, Table: s.name, Column: v.column})
		}
	}
}

// column returns the result's column of an aggregate.
func (s *resultColumns) column(index int, cut bool) (column, digits int, left bool) {
	for i, e := range s.exprs {
		if at, digits := directColumn(e); at == index {
			return i, digits, cut
		}
	}
	return -1, -1, true
}

// controlWriter writes the control of one operator's totals.
type controlWriter struct {
	d      *deriver
	w      *sqlWriter
	r      *sqlRelation
	groups []string
	name   string
	// columns are those of the joined rows: values, and whether a row is the first occurrence.
	columns []string
	selects []string
}

// addColumn adds a column of the joined rows and returns its name.
func (c *controlWriter) addColumn(sql string) string {
	for i, have := range c.columns {
		if have == sql {
			return "c" + strconv.Itoa(i+1)
		}
	}
	c.columns = append(c.columns, sql)
	return "c" + strconv.Itoa(len(c.columns))
}

// addSelect adds a column to the control and returns its index.
func (c *controlWriter) addSelect(sql string) int {
	c.selects = append(c.selects, "(SELECT "+sql+" FROM "+c.name+")")
	return len(c.d.selects) + len(c.selects) - 1
}

// firstRow adds a column that is true for the first occurrence of each row of some sources in a group.
func (c *controlWriter) firstRow(of []int, value string) string {
	by := slices.Clone(c.groups)
	for _, i := range of {
		by = append(by, c.w.sources[i].id...)
	}
	// A row whose value is NULL must not represent one whose value counts.
	by = append(by, value)
	return c.addColumn("row_number() OVER (PARTITION BY " + strings.Join(by, ", ") + ") = 1")
}

// total returns the control of one aggregate.
func (c *controlWriter) total(e *expr) (DerivedTotal, error) {
	kind := classOf(e.Name)
	out := DerivedTotal{Once: -1, Size: -1}
	condition := ""
	if e.Filter != nil {
		f, err := c.w.value(c.r, e.Filter)
		if err != nil {
			return out, err
		}
		condition = f.sql
	}
	if len(e.Children) > 1 || len(e.Sorted) > 0 && string(e.Sorted) != "null" {
		return out, unsupported("the function " + e.Name)
	}
	v := sqlValue{sql: "1"}
	if len(e.Children) == 1 {
		var err error
		if v, err = c.w.value(c.r, e.Children[0]); err != nil {
			return out, err
		}
	}
	text := v.sql
	if e.Name == "count_if" || e.Name == "countif" {
		text, v.countedSources = "CASE WHEN "+v.sql+" THEN 1 END", nil
	}
	if condition != "" {
		text = "CASE WHEN " + condition + " THEN " + text + " END"
	}
	if v.addsSources {
		c.d.unchecked("a total of values of several tables that are added to each other")
	}
	if len(v.countedSources) == 0 {
		// A constant for each row counts the rows.
		if kind != sum && kind != count {
			return out, nil
		}
		return c.rows(e, text)
	}
	of := v.countedSources
	value := c.addColumn(text)
	first := c.firstRow(of, text)
	out.Total, out.Table = totalText(e.Name, []column{{text: v.text}}), c.tableNames(of)
	switch {
	case kind == sum:
		out.Joined = c.addSelect("sum(" + value + ")")
		out.Once = c.addSelect("sum(" + value + ") FILTER (WHERE " + first + ")")
		out.Size = c.addSelect("sum(abs(CAST(" + value + " AS DOUBLE)))")
	case kind == count:
		out.Joined = c.addSelect("count(" + value + ")")
		out.Once = c.addSelect("count(" + value + ") FILTER (WHERE " + first + ")")
	case slices.Contains([]string{"avg", "mean", "median", "stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop"}, e.Name):
		by := make([]string, len(c.groups))
		for i, g := range c.groups {
			by[i] = c.addColumn(g)
		}
		tail := ""
		if len(by) > 0 {
			tail = " GROUP BY " + strings.Join(by, ", ")
		}
		// The figures of each group are compared, because averages of groups have no total.
		each := fmt.Sprintf("(SELECT CAST(%[1]s(%[2]s) AS DOUBLE) AS a, CAST(%[1]s(%[2]s) FILTER (WHERE %[3]s) AS DOUBLE) AS b FROM %[4]s%[5]s)",
			e.Name, value, first, c.name, tail)
		c.selects = append(c.selects, "(SELECT max(abs(a - b)) FROM "+each+")", "(SELECT max(abs(a)) + max(abs(b)) FROM "+each+")")
		out.Joined, out.Size = len(c.d.selects)+len(c.selects)-2, len(c.d.selects)+len(c.selects)-1
	default:
		return out, unsupported("the function " + e.Name)
	}
	return out, nil
}

// rows returns the control of a count of rows: it counts the rows of one source, each once.
func (c *controlWriter) rows(e *expr, text string) (DerivedTotal, error) {
	out := DerivedTotal{Size: -1, Total: "count(*)", Table: c.tableNames(c.r.sources)}
	if c.r.outer {
		// A row without a match is counted, and is no row of the other table.
		return out, unsupported("a count of rows over an outer join")
	}
	function := "count"
	if classOf(e.Name) == sum {
		function = "sum"
	}
	value := c.addColumn(text)
	out.Joined = c.addSelect(function + "(" + value + ")")
	var each []string
	for _, i := range c.r.sources {
		each = append(each, function+"("+value+") FILTER (WHERE "+c.firstRow([]int{i}, text)+")")
	}
	if len(each) == 0 {
		return out, unsupported("rows without a table")
	}
	out.Once = c.addSelect("greatest(" + strings.Join(each, ", ") + ")")
	return out, nil
}

// tableNames returns the table names of some sources.
func (c *controlWriter) tableNames(of []int) string {
	var out []string
	for _, i := range of {
		if n := c.w.sources[i].name; !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return strings.Join(out, " and ")
}

// finish adds the joined rows and the totals over them to the control.
func (c *controlWriter) finish(totals []DerivedTotal) {
	if len(totals) == 0 {
		return
	}
	if len(c.d.out.Totals)+len(totals) > totalsMax {
		c.d.unchecked("it has too many totals")
		return
	}
	list := make([]string, len(c.columns))
	for i, sql := range c.columns {
		list[i] = sql + " AS c" + strconv.Itoa(i+1)
	}
	c.d.withs = append(c.d.withs, c.name+" AS MATERIALIZED (SELECT "+strings.Join(list, ", ")+c.r.fromClause()+")")
	c.d.selects = append(c.d.selects, c.selects...)
	c.d.out.Totals = append(c.d.out.Totals, totals...)
}
