package builtin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// writer turns a form into readable SQL.
type writer struct {
	form    *form
	aliases map[*table]string // only if tables are joined
	names   map[string]bool   // output names in use
}

// sql returns the query of a form, in the dialect of its tables.
func sql(f *form) string { return inDialect(f, inDuckDB(f)) }

// inDuckDB returns the query in DuckDB's SQL.
func inDuckDB(f *form) string {
	w := &writer{form: f, names: make(map[string]bool)}
	if used := f.used(); len(used) > 0 {
		w.aliases = aliasesOf(append([]*table{f.view.base}, used...))
	}
	switch {
	case f.mode == modeDescribe:
		return w.overview()
	case f.mode == modeCorrelation:
		return w.correlation()
	case f.mode == modeRows:
		return w.rows()
	case f.counted != nil:
		return w.countedGroups()
	case f.shareOf != nil:
		return w.shareOf()
	case f.growth && f.timed() != nil && len(f.measures) > 0:
		return w.growth()
	case f.moving != nil && f.along() >= 0:
		return w.movingAverage()
	case f.running && f.along() >= 0:
		return w.runningTotal()
	case len(f.measures) == 1 && f.measures[0].each != grainNone:
		return w.each()
	default:
		return w.groups()
	}
}

// selectOf writes the clauses in their order, without empty ones.
func selectOf(columns []string, clauses ...string) string {
	out := "SELECT\n    " + strings.Join(columns, ",\n    ")
	for _, c := range clauses {
		if c != "" {
			out += "\n" + c
		}
	}
	return out
}

func (w *writer) groups() string {
	f := w.form
	var columns, dims []string
	for _, d := range f.dims {
		name := w.unique(d.name(), d.width == 0 && d.periods == nil && (d.grain == grainNone || strings.EqualFold(d.name(), d.col.Name)))
		columns = append(columns, as(w.dim(d), name))
		dims = append(dims, name)
	}
	var measures []string
	for _, m := range f.measures {
		name := w.unique(m.name(), false)
		measures = append(measures, name)
		columns = append(columns, as(w.measure(m), name))
	}
	if f.share && len(dims) > 0 {
		columns = append(columns, as(w.share(), w.unique("share_percent", false)))
	}
	for _, e := range f.empties() {
		columns = append(columns, as(e.sql(w), w.unique(e.name(), false)))
	}
	group := ""
	if len(dims) > 0 {
		group = "GROUP BY ALL"
	}
	if (f.within != nil || f.share && f.timed() != nil) && len(dims) > 0 {
		var by []string
		for _, d := range f.dims {
			by = append(by, w.dim(d))
		}
		// DuckDB does not accept GROUP BY ALL together with QUALIFY, or with a window over a group's
		// own expression.
		group = "GROUP BY " + strings.Join(by, ", ")
	}
	if f.within != nil && len(measures) > 0 {
		return selectOf(columns, w.from(), w.where(), group, w.having(), w.ranking(),
			"ORDER BY "+w.column(f.within)+", "+measures[0]+direction(f.desc))
	}
	return selectOf(columns, w.from(), w.where(), group, w.having(), w.orderBy(dims, measures), w.limit())
}

// ranking keeps the first rows of each group.
func (w *writer) ranking() string {
	f := w.form
	return fmt.Sprintf("QUALIFY row_number() OVER (PARTITION BY %s ORDER BY %s%s) <= %d", w.column(f.within), w.measure(f.measures[0]),
		direction(f.desc), f.limit)
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return ""
}

// share is a group's part of the whole or, if the form also groups by time, of its unit of time.
func (w *writer) share() string {
	m := w.measure(w.form.measures[0])
	over := ""
	if t := w.form.timed(); t != nil && len(w.form.dims) > 1 {
		over = "PARTITION BY " + w.dim(*t)
	}
	return fmt.Sprintf("round(100.0 * %s / nullif(sum(%s) OVER (%s), 0), 2)", m, m, over)
}

// shareOf writes the query for the part of all rows, or of a total, that meets a condition.
func (w *writer) shareOf() string {
	f := w.form
	cond := w.condition(*f.shareOf)
	m := measure{agg: aggCount}
	if len(f.measures) > 0 && f.measures[0].agg != aggAvg && f.measures[0].per == nil && f.measures[0].each == grainNone {
		m = f.measures[0]
	}
	part := w.measure(m) + " FILTER (WHERE " + cond + ")"
	name := m.name()
	var columns, dims []string
	for _, d := range f.dims {
		dim := w.unique(d.name(), d.grain == grainNone && d.width == 0)
		columns, dims = append(columns, as(w.dim(d), dim)), append(dims, dim)
	}
	columns = append(columns,
		as(part, "matching_"+name),
		as(w.measure(m), "all_"+name),
		as(fmt.Sprintf("round(100.0 * %s / nullif(%s, 0), 2)", part, w.measure(m)), "share_percent"))
	if len(dims) == 0 {
		return selectOf(columns, w.from(), w.where())
	}
	order := "ORDER BY share_percent DESC, " + strings.Join(dims, ", ")
	if f.timed() != nil {
		order = "ORDER BY " + strings.Join(dims, ", ")
	}
	return selectOf(columns, w.from(), w.where(), "GROUP BY ALL", order)
}

// growth writes the query with a column for the change from the value before.
func (w *writer) growth() string {
	f := w.form
	var columns []string
	var split []string
	time := ""
	for _, d := range f.dims {
		name := w.unique(d.name(), d.grain == grainNone || strings.EqualFold(d.name(), d.col.Name))
		columns = append(columns, as(w.dim(d), name))
		if d.grain != grainNone && time == "" {
			time = name
		}
		if d.grain == grainNone {
			split = append(split, name)
		}
	}
	m := f.measures[0]
	name := w.unique(m.name(), false)
	columns = append(columns, as(w.measure(m), name))
	over := "ORDER BY " + time
	order := "ORDER BY " + time
	if len(split) > 0 {
		over = "PARTITION BY " + strings.Join(split, ", ") + " " + over
		order = "ORDER BY " + strings.Join(split, ", ") + ", " + time
	}
	inner := selectOf(columns, w.from(), w.where(), "GROUP BY ALL")
	outer := []string{time}
	outer = append(outer, split...)
	before := fmt.Sprintf("lag(%s) OVER (%s)", name, over)
	outer = append(outer, name, as(fmt.Sprintf("%s - %s", name, before), "change"))
	if !f.interval() {
		outer = append(outer, as(fmt.Sprintf("round(100.0 * (%s - %s) / nullif(abs(%s), 0), 2)", name, before, before), "change_percent"))
	}
	return "WITH totals AS (\n" + indent(inner) + "\n)\n" + selectOf(outer, "FROM totals", order)
}

// each writes the query for the mean, or another aggregate, of the totals of a unit of time.
func (w *writer) each() string {
	f := w.form
	m := f.measures[0]
	d := dimension{col: f.dateColumn(nil), grain: m.each}
	var columns, dims []string
	for _, x := range f.dims {
		name := w.unique(x.name(), true)
		columns, dims = append(columns, as(w.dim(x), name)), append(dims, name)
	}
	total := measure{agg: m.agg, col: m.col, minus: m.minus}
	inner := append(slices.Clone(columns), as(w.dim(d), string(m.each)), as(w.measure(total), ident(total.name())))
	cte := selectOf(inner, w.from(), w.where(), "GROUP BY ALL")
	outer := append(slices.Clone(dims), as(string(cmp.Or(m.eachAgg, aggAvg))+"("+ident(total.name())+")", ident(m.name())),
		as("count(*)", ident(string(m.each)+"s")))
	group, order := "", ""
	if len(dims) > 0 {
		group, order = "GROUP BY ALL", "ORDER BY "+ident(m.name())+" DESC"
	}
	return "WITH totals AS (\n" + indent(cte) + "\n)\n" + selectOf(outer, "FROM totals", group, order)
}

func (w *writer) rows() string {
	f := w.form
	columns := []string{"*"}
	if len(f.columns) > 0 {
		columns = nil
		for _, c := range f.columns {
			if columns = append(columns, w.column(c)); c.made != nil {
				columns[len(columns)-1] += " AS " + ident(c.Name)
			}
		}
	} else if len(w.aliases) > 0 {
		columns = []string{w.aliases[f.view.base] + ".*"}
	}
	if f.latestOf != nil {
		return w.latestRows(columns)
	}
	order := ""
	if f.orderCol != nil {
		order = "ORDER BY " + w.column(f.orderCol)
		if f.desc {
			order += " DESC"
		}
	}
	return selectOf(columns, w.from(), w.where(), order, w.limit())
}

func (w *writer) correlation() string {
	a, b := w.column(w.form.measures[0].col), w.column(w.form.measures[1].col)
	columns := []string{
		as(fmt.Sprintf("round(corr(%s, %s), 3)", a, b), "correlation"),
		as(fmt.Sprintf("count(*) FILTER (WHERE %s IS NOT NULL AND %s IS NOT NULL)", a, b), "pairs"),
	}
	if w.form.tested {
		columns = append(columns, correlationP(a, b))
	}
	return selectOf(columns, w.from(), w.where())
}

func (w *writer) from() string {
	f := w.form
	out := "FROM " + tableName(f.view.base)
	if len(w.aliases) == 0 {
		return out
	}
	out += " AS " + w.aliases[f.view.base]
	for _, t := range f.used() {
		out += fmt.Sprintf("\nLEFT JOIN %s AS %s ON %s = %s", tableName(t), w.aliases[t], w.column(t.on), w.column(t.key))
	}
	return out
}

func (w *writer) where() string {
	var parts []string
	spans := make(map[*column][]string)
	var order []*column
	for _, c := range w.form.where {
		if c.op == opSpan {
			if _, ok := spans[c.col]; !ok {
				order = append(order, c.col)
			}
			spans[c.col] = append(spans[c.col], w.condition(c))
			continue
		}
		parts = append(parts, w.condition(c))
	}
	for _, col := range order {
		if list := spans[col]; len(list) == 1 {
			parts = append(parts, list[0])
		} else {
			// Several times are alternatives.
			parts = append(parts, "(("+strings.Join(list, ")\n   OR (")+"))")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "WHERE " + strings.Join(parts, "\n  AND ")
}

func (w *writer) condition(c condition) string {
	col := w.column(c.col)
	list := func() string {
		out := make([]string, len(c.values))
		for i, v := range c.values {
			out[i] = w.literal(c.col, v)
		}
		return strings.Join(out, ", ")
	}
	number := func(i int) string { return trimFloat(c.nums[i]) }
	like := func(before, after string) string {
		return fmt.Sprintf("%s ILIKE %s ESCAPE '\\'", w.asText(c.col), text(before+escapeLike(c.values[0])+after))
	}
	if len(c.also) > 0 {
		return w.anywhere(c)
	}
	if c.other != nil {
		op := string(c.op)
		if c.op == opNe {
			op = "<>"
		}
		return fmt.Sprintf("%s %s %s", col, op, w.column(c.other))
	}
	switch c.op {
	case opRecurring:
		if c.col.isText() {
			col = "CAST(" + col + " AS TIME)"
		}
		return c.recur.sql(col, c.not)
	case opIn:
		if len(c.values) == 1 {
			return col + " = " + list()
		}
		return col + " IN (" + list() + ")"
	case opNotIn:
		if len(c.values) == 1 {
			return col + " IS DISTINCT FROM " + list()
		}
		return "(" + col + " NOT IN (" + list() + ") OR " + col + " IS NULL)"
	case opBetween:
		return fmt.Sprintf("%s BETWEEN %s AND %s", col, number(0), number(1))
	case opContains:
		if len(c.values) > 1 {
			var parts []string
			for _, v := range c.values {
				one := c
				one.values = []string{v}
				parts = append(parts, w.condition(one))
			}
			return "(" + strings.Join(parts, " OR ") + ")"
		}
		return like("%", "%")
	case opStarts:
		return like("", "%")
	case opEnds:
		return like("%", "")
	case opNull:
		if c.col.isText() {
			return fmt.Sprintf("(%s IS NULL OR trim(%s) = '')", col, col)
		}
		return col + " IS NULL"
	case opNotNull:
		if c.col.isText() {
			return fmt.Sprintf("trim(%s) <> ''", col)
		}
		return col + " IS NOT NULL"
	case opSpan:
		return w.span(col, c)
	case opEq, opNe, opGt, opGe, opLt, opLe:
		if len(c.values) > 0 {
			if c.op == opNe {
				return "NOT (" + like("", "") + ")"
			}
			return like("", "")
		}
		op := string(c.op)
		if c.op == opNe {
			op = "<>"
		}
		if c.col.isText() {
			return fmt.Sprintf("%s %s %s", col, op, text(number(0)))
		}
		return fmt.Sprintf("%s %s %s", col, op, number(0))
	default:
		return "true"
	}
}

// anywhere returns a condition that holds if one of several columns meets it or, if it excludes values,
// if none of them contains one.
func (w *writer) anywhere(c condition) string {
	word := " OR "
	if c.op == opNotIn {
		word = " AND "
	}
	var parts []string
	for _, col := range append([]*column{c.col}, c.also...) {
		one := c
		one.col, one.also = col, nil
		parts = append(parts, w.condition(one))
	}
	return "(" + strings.Join(parts, word) + ")"
}

func (w *writer) span(col string, c condition) string {
	var parts []string
	if !c.span.from.IsZero() {
		parts = append(parts, fmt.Sprintf("%s >= %s", col, moment(c.span.from)))
	}
	if !c.span.to.IsZero() {
		parts = append(parts, fmt.Sprintf("%s < %s", col, moment(c.span.to)))
	}
	if len(parts) == 0 {
		return "true"
	}
	if c.not {
		return fmt.Sprintf("(%s IS NULL OR NOT (%s))", col, strings.Join(parts, " AND "))
	}
	return strings.Join(parts, "\n  AND ")
}

func (w *writer) having() string {
	var parts []string
	for _, h := range w.form.having {
		m := w.measure(w.form.measures[h.measure])
		switch h.op {
		case opBetween:
			parts = append(parts, fmt.Sprintf("%s BETWEEN %s AND %s", m, trimFloat(h.nums[0]), trimFloat(h.nums[1])))
		case opNe:
			parts = append(parts, fmt.Sprintf("%s <> %s", m, trimFloat(h.nums[0])))
		default:
			parts = append(parts, fmt.Sprintf("%s %s %s", m, h.op, trimFloat(h.nums[0])))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "HAVING " + strings.Join(parts, "\n   AND ")
}

func (w *writer) orderBy(dims, measures []string) string {
	f := w.form
	if len(dims) == 0 {
		return ""
	}
	dir := direction(f.desc)
	if f.orderCol != nil && !f.orderCol.isNumber() {
		for i, d := range f.dims {
			if d.col == f.orderCol {
				return "ORDER BY " + dims[i] + dir
			}
		}
	}
	switch {
	case f.orderDim && f.dims[0].grain == grainWeekday:
		return "ORDER BY isodow(" + "min(" + w.column(f.dims[0].col) + "))"
	case f.orderDim && f.dims[0].periods != nil:
		return "ORDER BY min(" + w.column(f.dims[0].col) + ")" + strings.Join(append([]string{""}, dims[1:]...), ", ")
	case f.orderDim && f.dims[0].grain == grainMonthName:
		return "ORDER BY min(month(" + w.column(f.dims[0].col) + "))"
	case f.orderDim:
		return "ORDER BY " + strings.Join(dims, ", ") + dir
	case f.timed() != nil && len(dims) > 1 && f.limit == 0:
		return "ORDER BY " + dims[0] + ", " + measures[0] + " DESC"
	default:
		return "ORDER BY " + w.namedFirst() + measures[0] + dir + ", " + strings.Join(dims, ", ")
	}
}

// namedFirst puts the group of rows without a value after the groups that have one if only the first
// groups are kept: it cannot be one of the three best teams. DuckDB does not allow an expression over a
// group's column there, but it allows a count of its values.
func (w *writer) namedFirst() string {
	f := w.form
	if f.limit == 0 || len(f.dims) != 1 || !f.dims[0].byValue() || f.dims[0].col.Nulls == 0 {
		return ""
	}
	return "count(" + w.column(f.dims[0].col) + ") = 0, "
}

func (w *writer) limit() string {
	if w.form.limit == 0 {
		return ""
	}
	if w.form.nth > 0 {
		return fmt.Sprintf("LIMIT 1 OFFSET %d", w.form.nth-1)
	}
	return fmt.Sprintf("LIMIT %d", w.form.limit)
}

// literal writes a value in the form that its column's type needs.
func (w *writer) literal(c *column, v string) string {
	switch c.kind() {
	case domain.ColumnBoolean:
		return strings.ToLower(v)
	case domain.ColumnNumber:
		if v != "" && onlyDigits(v) {
			return v
		}
		return text(v)
	default:
		return text(v)
	}
}
