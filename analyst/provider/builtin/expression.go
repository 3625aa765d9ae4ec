package builtin

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// measure writes the expression of a measure.
func (w *writer) measure(m measure) string {
	if m.over != nil {
		factor := "1.0"
		if m.percent {
			factor = "100.0"
		}
		above, below := w.measure(measure{agg: aggSum, col: m.col}), w.measure(measure{agg: aggSum, col: m.over})
		switch {
		// A row with only one of the two numbers does not contribute to the quotient.
		case m.col.Nulls > 0 && m.over.Nulls == 0:
			below += " FILTER (WHERE " + w.column(m.col) + " IS NOT NULL)"
		case m.over.Nulls > 0 && m.col.Nulls == 0:
			above += " FILTER (WHERE " + w.column(m.over) + " IS NOT NULL)"
		}
		return fmt.Sprintf("%s * %s / nullif(%s, 0)", factor, above, below)
	}
	if m.per != nil {
		return fmt.Sprintf("1.0 * %s / nullif(count(DISTINCT %s), 0)", w.measure(measure{agg: m.agg, col: m.col}), w.column(m.per))
	}
	if m.col == nil {
		return "count(*)"
	}
	col := w.column(m.col)
	if m.col.made != nil {
		// The brackets of the aggregate are enough.
		col = strings.TrimSuffix(strings.TrimPrefix(col, "("), ")")
		if m.col.made.op == opDuration {
			col = w.column(m.col)
		}
	}
	if m.minus {
		// The most money spent is the lowest of the negative values.
		turned := measure{agg: m.agg, col: m.col}
		switch m.agg {
		case aggMin:
			turned.agg = aggMax
		case aggMax:
			turned.agg = aggMin
		default:
		}
		return "-" + w.measure(turned)
	}
	if q, ok := m.agg.quantile(); ok {
		col = between(m.col, col)
		return "quantile_cont(" + col + ", " + q + ")"
	}
	switch m.agg {
	case aggStddev:
		return "stddev_samp(" + col + ")"
	case aggCount:
		return "count(" + col + ")"
	case aggDistinct:
		return "count(DISTINCT " + col + ")"
	case aggMedian:
		return "median(" + between(m.col, col) + ")"
	case aggSum, aggAvg, aggMin, aggMax:
		return string(m.agg) + "(" + col + ")"
	default:
		return "count(*)"
	}
}

// between writes a number so that a value between two others is not truncated to their digits: the
// median of 0.1 and 0.2 in a column of one decimal is 0.15.
func between(c *column, sql string) string {
	if c.Column != nil && c.Type == domain.ColumnNumber {
		return "CAST(" + sql + " AS DOUBLE)"
	}
	return sql
}

// dim writes the expression that the rows are grouped by.
func (w *writer) dim(d dimension) string {
	col := w.column(d.col)
	switch d.grain {
	case grainNone, grainAuto, grainMinute:
	case grainWeekday:
		return "dayname(" + col + ")"
	case grainMonthName:
		return "monthname(" + col + ")"
	case grainWeekend:
		return "CASE WHEN isodow(" + col + ") >= 6 THEN 'Weekend' ELSE 'Weekday' END"
	case grainHourOfDay:
		if d.col.isText() {
			return "hour(CAST(" + col + " AS TIME))"
		}
		return "hour(" + col + ")"
	case grainYear:
		return "year(" + col + ")"
	case grainHour:
		return "date_trunc('hour', " + col + ")"
	case grainDay:
		if d.col.Type == domain.ColumnDate {
			return col
		}
		return "CAST(" + col + " AS DATE)"
	case grainWeek, grainMonth, grainQuarter:
		return fmt.Sprintf("CAST(date_trunc('%s', %s) AS DATE)", d.grain, col)
	}
	if len(d.periods) > 0 {
		return w.period(d)
	}
	if d.width > 0 {
		width := trimFloat(d.width)
		return fmt.Sprintf("floor(%s / %s) * %s", col, width, width)
	}
	return col
}

// column writes a column, with its table's alias where tables are joined.
func (w *writer) column(c *column) string {
	if c.made != nil {
		return w.made(c.made)
	}
	if alias := w.aliases[c.table]; alias != "" {
		return alias + "." + ident(c.Name)
	}
	return ident(c.Name)
}

// asText writes a column so that it can be compared with text.
func (w *writer) asText(c *column) string {
	if c.isText() {
		return w.column(c)
	}
	return "CAST(" + w.column(c) + " AS VARCHAR)"
}

// unique returns an output name that no column of the tables has, unless it is that column itself: a
// query must not use one name for two things.
func (w *writer) unique(name string, itself bool) string {
	taken := func(n string) bool {
		if w.names[strings.ToLower(n)] {
			return true
		}
		if itself {
			return false
		}
		for _, t := range w.form.view.tables() {
			for _, c := range t.columns {
				if strings.EqualFold(c.Name, n) {
					return true
				}
			}
		}
		return false
	}
	for i := 0; taken(name); i++ {
		if i == 0 && !strings.HasSuffix(name, "_value") {
			name += "_value"
			continue
		}
		name = fmt.Sprintf("%s_%d", name, i+1)
	}
	w.names[strings.ToLower(name)] = true
	return ident(name)
}

// as gives an expression a name, unless it already has that name.
func as(expression, name string) string {
	if expression == name || strings.HasSuffix(expression, "."+name) {
		return expression
	}
	return expression + " AS " + name
}

func aliasesOf(tables []*table) map[*table]string {
	out := make(map[*table]string)
	used := make(map[string]bool)
	for _, t := range tables {
		alias := ""
		for _, w := range splitName(bareName(t.Name)) {
			alias += w[:1]
		}
		if alias == "" || !plainIdent.MatchString(alias) {
			alias = "t"
		}
		for base, i := alias, 2; used[alias] || reserved(alias); i++ {
			alias = fmt.Sprintf("%s%d", base, i)
		}
		used[alias] = true
		out[t] = alias
	}
	return out
}

func bareName(name string) string {
	if _, bare, ok := strings.Cut(name, "."); ok {
		return bare
	}
	return name
}

// tableName writes a table's name, each of its parts.
func tableName(t *table) string {
	parts := strings.Split(t.Name, ".")
	for i := range parts {
		parts[i] = ident(parts[i])
	}
	return strings.Join(parts, ".")
}

var plainIdent = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// ident quotes a name that SQL would not accept without quotes.
func ident(name string) string {
	if plainIdent.MatchString(name) && !reserved(name) {
		return name
	}
	return sqltext.QuoteName(name)
}

// reserved reports whether DuckDB rejects a word as a bare name in some places.
func reserved(w string) bool {
	switch w {
	case "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "at", "both", "case",
		"cast", "check", "collate", "column", "constraint", "create", "default", "deferrable", "desc", "describe", "distinct", "do",
		"else", "end", "except", "false", "fetch", "for", "foreign", "from", "grant", "group", "having", "in",
		"initially", "intersect", "into", "is", "join", "lambda", "lateral", "leading", "left", "like", "limit", "not",
		"null", "offset", "on", "only", "or", "order", "pivot", "pivot_longer", "pivot_wider", "placing", "primary", "qualify",
		"references", "returning", "right", "select", "show", "some", "summarize", "symmetric", "table", "then", "to", "trailing",
		"true", "union", "unique", "unpivot", "using", "variadic", "when", "where", "window", "with", "values", "time",
		"interval", "row", "position", "anti", "asof", "full", "inner", "natural", "outer", "overlaps", "positional", "semi",
		"similar", "cross", "glob", "ilike", "isnull", "notnull", "tablesample", "try_cast", "between", "extract", "exists", "map",
		"struct", "current_date":
		return true
	default:
		return false
	}
}

// text writes a string literal.
func text(s string) string { return sqltext.QuoteText(s) }

// moment writes a day, or a timestamp if the time has an hour.
func moment(t time.Time) string {
	if t.Hour() == 0 && t.Minute() == 0 {
		return "DATE '" + t.Format(time.DateOnly) + "'"
	}
	return "TIMESTAMP '" + t.Format("2006-01-02 15:04:05") + "'"
}

func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }
