package guard

// Control queries: they compute the correct figure for a wrong one, where it is exact.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/english"
	"parley.dev/parley/internal/sqltext"
)

// Sign begins each line about a wrong figure.
const Sign = "⚠ "

// Control is a query of this package. Its result is passed to Fault.Line.
type Control struct {
	SQL string

	aggregate string // sum, avg or count; empty for a level
	column    string
	table     string
	one, many string
	// over is the number of periods up to which a level was not added up over time.
	over int
}

// control returns the query of a measure over its own table. It is exact if the statement removes rows only by conditions on
// this table. With any other condition it is unknown which rows of the table are meant.
func (j *judgement) control(t term) *Control {
	o := t.origin
	if o == nil || o.leaf.table == nil || len(j.call.groups) == 0 && j.r.filtered || j.r.filtered {
		return nil
	}
	aggregate := j.call.name
	switch classOf(aggregate) {
	case sum:
		aggregate = "sum"
	case count:
		aggregate = "count"
	case weighted:
		if aggregate != "avg" && aggregate != "mean" {
			return nil
		}
		aggregate = "avg"
	default:
		return nil
	}
	for row, w := range j.r.tableConditions {
		if row != o.leaf.row && len(w) > 0 {
			return nil
		}
	}
	return &Control{
		SQL:       "SELECT " + aggregate + "(" + sqltext.QuoteName(o.column) + ") FROM " + j.tableName(o) + j.whereClause(o),
		aggregate: aggregate, column: o.column, table: o.leaf.name,
	}
}

// levelControl returns the query of a level in each of its periods.
func (j *judgement) levelControl(t term, one, many string) *Control {
	o := t.measure.origin
	if o == nil || o.leaf.table == nil || j.r.filtered {
		return nil
	}
	for row, w := range j.r.tableConditions {
		if row != o.leaf.row && len(w) > 0 {
			return nil
		}
	}
	period := sqltext.QuoteName(o.leaf.table.Columns[fold(o.column)].Period)
	return &Control{
		SQL: fmt.Sprintf("SELECT CAST(%s AS VARCHAR) AS period, sum(%s) AS level, count(*) AS found FROM %s%s GROUP BY 1 ORDER BY 1",
			period, sqltext.QuoteName(o.column), j.tableName(o), j.whereClause(o)),
		column: o.column, table: o.leaf.name, one: one, many: many, over: 1,
	}
}

func (j *judgement) tableName(o *origin) string {
	t := o.leaf.table
	name := sqltext.QuoteName(t.Source) + "."
	if t.Database != "" {
		name += sqltext.QuoteName(t.Database) + "."
	}
	return name + sqltext.QuoteName(t.Name)
}

func (j *judgement) whereClause(o *origin) string {
	var texts []string
	for _, w := range j.r.tableConditions[o.leaf.row] {
		texts = append(texts, w.text)
	}
	if len(texts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(texts, " AND ")
}

// Line is the text above the table. result is the result of the control query, or nil. Periods after today are not complete.
func (f *Fault) Line(result *domain.ResultSet, today time.Time) string {
	line := Sign + f.People
	c := f.Control
	if c == nil || result == nil || len(result.Rows) == 0 {
		return line
	}
	if c.aggregate == "" {
		if more := c.level(result, today); more != "" {
			return Sign + more
		}
		return line
	}
	if len(result.Rows[0]) != 1 {
		return line
	}
	n, ok := number(result.Rows[0][0])
	if !ok {
		return line
	}
	text := english.Figure(n)
	switch c.aggregate {
	case "sum":
		return line + " The " + pluralOf(c.column) + " themselves add up to " + text + "."
	case "avg":
		return line + " The average of the " + pluralOf(c.column) + " themselves is " + text + "."
	}
	return line + " Counted alone, " + strings.ReplaceAll(c.table, "_", " ") + " has " + text + "."
}

// level says what a level was in its last complete period.
func (c *Control) level(result *domain.ResultSet, today time.Time) string {
	type point struct {
		period      string
		level, rows float64
	}
	var points []point
	for _, row := range result.Rows {
		if len(row) != 3 {
			return ""
		}
		period, named := row[0].(string)
		level, has := number(row[1])
		rows, counted := number(row[2])
		if named && has && counted {
			points = append(points, point{period, level, rows})
		}
	}
	if len(points) <= c.over || result.Truncated {
		return ""
	}
	last := -1
	for i := len(points) - 1; i >= 0 && last < 0; i-- {
		var before []float64
		for _, p := range points[max(0, i-6):i] {
			before = append(before, p.rows)
		}
		day, err := domain.DayOfFact(points[i].period)
		future := err == nil && day.After(today)
		// A period that has only begun has fewer rows than the periods before it.
		if !future && (len(before) == 0 || points[i].rows >= 0.7*median(before)) {
			last = i
		}
	}
	if last < 0 {
		return ""
	}
	p := points[last]
	return fmt.Sprintf("%s is a level: this adds %d %s of it up. %s it was %s.", c.column, len(points), c.many, periodText(p.period, c.one),
		english.Figure(p.level))
}

// periodText names a period: In October 2026.
func periodText(period, step string) string {
	day, err := domain.DayOfFact(period)
	switch {
	case err != nil:
		return "In " + period
	case step == "month":
		return "In " + day.Format("January 2006")
	case step == "year":
		return "In " + day.Format("2006")
	case step == "quarter":
		return fmt.Sprintf("In the %d. quarter of %d", (int(day.Month())+2)/3, day.Year())
	}
	return "On " + day.Format("2 January 2006")
}

func median(list []float64) float64 {
	slices.Sort(list)
	n := len(list)
	if n%2 == 1 {
		return list[n/2]
	}
	return (list[n/2-1] + list[n/2]) / 2
}

// number returns the number of a control's cell. The engine returns sums of large integers as text.
func number(cell any) (float64, bool) {
	if text, ok := cell.(string); ok {
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	}
	return domain.CellNumber(cell)
}
