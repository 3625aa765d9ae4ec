package guard

// What must hold of the figures of a statement, derived from its plan. It is a second way beside the walk: the walk proves from
// keys that no row is counted twice, and this one counts. Its caller runs the control and compares.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// controlMax is the maximum number of bytes of a control.
	controlMax = 40 << 10
	// totalsMax is the maximum number of totals that are controlled.
	totalsMax = 8
	// probesMax is the maximum number of tables whose conditions are looked at for an empty result, and probedMax that of the
	// conditions of one table.
	probesMax = 3
	probedMax = 6
)

// Derived are the checks of a statement. Columns are places in its result, from 0, and -1 for a figure that the result does not
// have as it was added up; places of the control are those of its one row.
type Derived struct {
	// Control is a statement with one row; empty if no total needs one.
	Control string
	Totals  []DerivedTotal
	Shares  []DerivedShare
	Bounds  []DerivedBounds
	// Counts are the columns that are numbers of rows.
	Counts []int
	Probes []DerivedProbe
	// Sums are the columns of tables that are added up as they are.
	Sums []DerivedSum
	// Grouped says that each row is a group; Figures are the columns that were added up.
	Grouped bool
	Figures []int
	// Unchecked are the reasons why a total over several tables has no control, as people read them.
	Unchecked []string
}

// DerivedTotal is a total over joined rows: with each row of its own table once in each group it must be the same.
type DerivedTotal struct {
	Column int
	// Joined is the total over the rows as they were joined, Once that with each row once, and Size the sum of the absolute
	// values; -1 for counts, which are exact. For a mean, Joined is the largest difference of a group and Once is -1.
	Joined, Once, Size int
	// Digits is to how many digits the result is rounded; -1 for not at all. Cut says that the result leaves groups out.
	Digits int
	Cut    bool
	// Total is the aggregate as people read it, and Table is the table whose rows it adds up.
	Total, Table string
}

// DerivedShare is a column with parts of a whole.
type DerivedShare struct {
	Column int
	// Whole is 100 for percentages and 1 otherwise; Within are the columns that name the whole.
	Whole  float64
	Within []int
	Digits int
	Cut    bool
	Counts bool
}

// DerivedBounds are statistics of one number: Middle lies between Low and High, which are -1 where there is none.
type DerivedBounds struct{ Low, High, Middle, Digits int }

// DerivedProbe counts the rows of a table that meet its conditions, each alone and all others without it, in the form of
// check.Probe.
type DerivedProbe struct {
	SQL, Rows string
	Said      []string
}

// DerivedSum is a column of a table that is added up. Source is the schema of the table in SQL, such as s12.
type DerivedSum struct{ Source, Table, Column string }

// deriver derives the checks of one plan.
type deriver struct {
	out  Derived
	root *node
	ctes map[int]*node
	// outer are the joins whose subquery is looked at, the innermost one last.
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
	shown := d.shown(root, d.width(root))
	d.visit(root, shown)
	d.free(shown)
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

// visit looks at each aggregate of a plan.
func (d *deriver) visit(n *node, s shownColumns) {
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
		if len(n.Children) == 1 && d.joins(n.Children[0]) {
			d.window(n)
		}
	}
}

// adds reports whether an aggregate depends on how often a row is there.
func adds(k class, e *expr) bool {
	return (k == sum || k == count || k == weigh || k == other) && e.Kind != "DISTINCT" && !e.Distinct
}

// joins reports whether the rows of an operator may repeat those of a table: it, or what is below it down to the next groups,
// puts several relations together.
func (d *deriver) joins(n *node) bool {
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
			// A join that only asks whether there is a row repeats none.
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
func (d *deriver) aggregate(n *node, s shownColumns) {
	list := n.list()
	if !slices.ContainsFunc(list, func(e *expr) bool { return adds(classOf(e.Name), e) }) {
		return
	}
	w := d.writer()
	r, err := w.rows(n.Children[0])
	if err == nil {
		d.sums(w, r, list)
	}
	switch {
	case !d.joins(n.Children[0]):
		return
	case len(n.Sets) > 1 || len(n.Grouping) > 0:
		d.unchecked("subtotals")
		return
	case err != nil:
		d.unchecked(unwrittenReason(err))
		return
	}
	groups, err := w.values(r, n.Groups)
	if err != nil {
		d.unchecked(unwrittenReason(err))
		return
	}
	c := d.controlled(w, r, groups)
	var totals []DerivedTotal
	for i, e := range list {
		if !adds(classOf(e.Name), e) {
			continue
		}
		t, err := c.total(e)
		if err != nil {
			d.unchecked(unwrittenReason(err))
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

// values writes expressions over a relation.
func (w *writer) values(r *written, list []*expr) ([]string, error) {
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

func (d *deriver) controlled(w *writer, r *written, groups []string) *controlled {
	return &controlled{d: d, w: w, r: r, groups: groups, name: "r" + strconv.Itoa(len(d.withs)+1)}
}

// writer makes a writer that knows the common table expressions, and the outer rows of a subquery.
func (d *deriver) writer() *writer {
	w := &writer{ctes: map[int]*node{}, within: slices.Clone(d.outer)}
	for k, v := range d.ctes {
		w.ctes[k] = v
	}
	return w
}

// sums notes which columns of tables are added up as they are.
func (d *deriver) sums(w *writer, r *written, list []*expr) {
	for _, e := range list {
		if classOf(e.Name) != sum || len(e.Children) != 1 || len(d.out.Sums) == totalsMax {
			continue
		}
		if v, err := w.value(r, e.Children[0]); err == nil && v.column != "" && len(v.of) == 1 {
			s := &w.sources[v.of[0]]
			d.out.Sums = append(d.out.Sums, DerivedSum{Source: s.schema, Table: s.name, Column: v.column})
		}
	}
}

// column finds the result's column of an aggregate.
func (s *shownColumns) column(index int, cut bool) (column, digits int, left bool) {
	for i, e := range s.exprs {
		if at, digits := direct(e); at == index {
			return i, digits, cut
		}
	}
	return -1, -1, true
}

// controlled writes the control of one operator's totals.
type controlled struct {
	d      *deriver
	w      *writer
	r      *written
	groups []string
	name   string
	// columns are those of the joined rows: values and whether a row is the first of its kind.
	columns []string
	selects []string
}

// column adds a column of the joined rows and returns its name.
func (c *controlled) column(sql string) string {
	for i, have := range c.columns {
		if have == sql {
			return "c" + strconv.Itoa(i+1)
		}
	}
	c.columns = append(c.columns, sql)
	return "c" + strconv.Itoa(len(c.columns))
}

// place adds a column of the control and returns its place.
func (c *controlled) place(sql string) int {
	c.selects = append(c.selects, "(SELECT "+sql+" FROM "+c.name+")")
	return len(c.d.selects) + len(c.selects) - 1
}

// first adds a column that is true for the first row of each row of some sources in a group.
func (c *controlled) first(of []int, value string) string {
	by := slices.Clone(c.groups)
	for _, i := range of {
		by = append(by, c.w.sources[i].id...)
	}
	// A row whose value is left out must not stand for one whose value counts.
	by = append(by, value)
	return c.column("row_number() OVER (PARTITION BY " + strings.Join(by, ", ") + ") = 1")
}

// total writes the control of one aggregate.
func (c *controlled) total(e *expr) (DerivedTotal, error) {
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
		return out, unwritten("the function " + e.Name)
	}
	v := writtenValue{sql: "1"}
	if len(e.Children) == 1 {
		var err error
		if v, err = c.w.value(c.r, e.Children[0]); err != nil {
			return out, err
		}
	}
	text := v.sql
	if e.Name == "count_if" || e.Name == "countif" {
		text, v.counted = "CASE WHEN "+v.sql+" THEN 1 END", nil
	}
	if condition != "" {
		text = "CASE WHEN " + condition + " THEN " + text + " END"
	}
	if v.several {
		c.d.unchecked("a total of values of several tables that are added to each other")
	}
	if len(v.counted) == 0 {
		// A constant for each row counts the rows.
		if kind != sum && kind != count {
			return out, nil
		}
		return c.rows(e, text)
	}
	of := v.counted
	value := c.column(text)
	first := c.first(of, text)
	out.Total, out.Table = totalText(e.Name, []column{{text: v.text}}), c.names(of)
	switch {
	case kind == sum:
		out.Joined = c.place("sum(" + value + ")")
		out.Once = c.place("sum(" + value + ") FILTER (WHERE " + first + ")")
		out.Size = c.place("sum(abs(CAST(" + value + " AS DOUBLE)))")
	case kind == count:
		out.Joined = c.place("count(" + value + ")")
		out.Once = c.place("count(" + value + ") FILTER (WHERE " + first + ")")
	case slices.Contains([]string{"avg", "mean", "median", "stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop"}, e.Name):
		by := make([]string, len(c.groups))
		for i, g := range c.groups {
			by[i] = c.column(g)
		}
		tail := ""
		if len(by) > 0 {
			tail = " GROUP BY " + strings.Join(by, ", ")
		}
		// The figure of each group is compared, for the groups have no total.
		each := fmt.Sprintf("(SELECT CAST(%[1]s(%[2]s) AS DOUBLE) AS a, CAST(%[1]s(%[2]s) FILTER (WHERE %[3]s) AS DOUBLE) AS b FROM %[4]s%[5]s)",
			e.Name, value, first, c.name, tail)
		c.selects = append(c.selects, "(SELECT max(abs(a - b)) FROM "+each+")", "(SELECT max(abs(a)) + max(abs(b)) FROM "+each+")")
		out.Joined, out.Size = len(c.d.selects)+len(c.selects)-2, len(c.d.selects)+len(c.selects)-1
	default:
		return out, unwritten("the function " + e.Name)
	}
	return out, nil
}

// rows writes the control of a count of rows: they are those of some source, each once.
func (c *controlled) rows(e *expr, text string) (DerivedTotal, error) {
	out := DerivedTotal{Size: -1, Total: "count(*)", Table: c.names(c.r.sources)}
	if c.r.outer {
		// A row without a match is counted as one, and belongs to no row of the other table.
		return out, unwritten("a count of rows over an outer join")
	}
	function := "count"
	if classOf(e.Name) == sum {
		function = "sum"
	}
	value := c.column(text)
	out.Joined = c.place(function + "(" + value + ")")
	var each []string
	for _, i := range c.r.sources {
		each = append(each, function+"("+value+") FILTER (WHERE "+c.first([]int{i}, text)+")")
	}
	if len(each) == 0 {
		return out, unwritten("rows without a table")
	}
	out.Once = c.place("greatest(" + strings.Join(each, ", ") + ")")
	return out, nil
}

// names are the tables of some sources.
func (c *controlled) names(of []int) string {
	var out []string
	for _, i := range of {
		if n := c.w.sources[i].name; !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return strings.Join(out, " and ")
}

// finish adds the joined rows and the totals over them to the control.
func (c *controlled) finish(totals []DerivedTotal) {
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
	c.d.withs = append(c.d.withs, c.name+" AS MATERIALIZED (SELECT "+strings.Join(list, ", ")+c.r.tail()+")")
	c.d.selects = append(c.d.selects, c.selects...)
	c.d.out.Totals = append(c.d.out.Totals, totals...)
}
