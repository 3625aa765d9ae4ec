package builtin

import (
	"fmt"
	"math"
	"strings"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// wholeCall marks the call that computes values over all rows of a result of which the workbench
// returned only the beginning.
const wholeCall = "builtin_whole"

// These are the columns of the query of wholeSQL.
const (
	wholeRows = iota
	wholeHighest
	wholeHighestIn // how many groups have it
	wholeLowest
	wholeLowestIn
	wholeTotal
	wholeHighestAt // with one dimension: a group that has it
	wholeLowestAt
	wholeFirst // of a course: where it begins, followed by the value there
	wholeFirstValue
	wholeLast
	wholeLastValue
)

// plainGroups reports whether the rows of a form are groups with measures after them, without any
// further feature.
func (f *form) plainGroups() bool {
	return f.mode == modeGroups && len(f.dims) > 0 && len(f.measures) > 0 && f.latestOf == nil && f.counted == nil && f.shareOf == nil &&
		!f.growth && !f.running && f.moving == nil && f.nth == 0 && f.measures[0].each == grainNone
}

// isCourseForm reports whether the groups of a form are consecutive units of time, in their order.
func (f *form) isCourseForm() bool {
	return len(f.dims) == 1 && f.orderDim && f.dims[0].grain != grainNone && isCourse(f.dims[0].grain)
}

// wholeSQL returns the query over all rows of a form's query. It computes the number of rows; for
// groups also the highest and the lowest value and the total; and for a course both ends.
func wholeSQL(f *form, r *domain.ResultSet) string {
	inner := "WITH result AS (\n" + indent(f.statement) + "\n)"
	if !f.plainGroups() || len(r.Columns) <= len(f.dims) {
		return inner + "\n" + selectOf([]string{as("count(*)", "all_rows")}, "FROM result")
	}
	value, at := "result."+f.name(r.Columns[len(f.dims)].Name), "result."+f.name(r.Columns[0].Name)
	columns := []string{
		as("count(*)", "all_rows"),
		as("max(ends.highest)", "highest"), as("count(*) FILTER (WHERE "+value+" = ends.highest)", "groups_of_the_highest"),
		as("max(ends.lowest)", "lowest"), as("count(*) FILTER (WHERE "+value+" = ends.lowest)", "groups_of_the_lowest"),
		as("sum("+value+")", "total"),
	}
	if len(f.dims) == 1 {
		columns = append(columns, as(f.valueAt(at, value, true), "highest_at"), as(f.valueAt(at, value, false), "lowest_at"))
	}
	if f.isCourseForm() {
		columns = append(columns, as("min("+at+")", "first_at"), as(f.valueAt(value, at, false), "value_at_first"),
			as("max("+at+")", "last_at"), as(f.valueAt(value, at, true), "value_at_last"))
	}
	ends := "ends AS (\n" + indent(selectOf([]string{as("max("+value+")", "highest"), as("min("+value+")", "lowest")}, "FROM result")) + "\n)"
	return inner + ", " + ends + "\n" + selectOf(columns, "FROM result, ends")
}

// valueAt writes the value of a row in which another value is the highest or the lowest.
func (f *form) valueAt(x, by string, highest bool) string {
	if f.view.base.Dialect == domain.DialectPostgres {
		order := map[bool]string{true: " DESC NULLS LAST", false: " NULLS LAST"}[highest]
		return "(array_agg(" + x + " ORDER BY " + by + order + "))[1]"
	}
	return map[bool]string{true: "arg_max", false: "arg_min"}[highest] + "(" + x + ", " + by + ")"
}

// wholeOf returns the result of the call over all rows since the last question; nil if there is none.
func wholeOf(turns []analyst.Utterance) *analyst.ToolResult {
	var found *analyst.ToolResult
	for _, u := range turns {
		switch {
		case u.Role == analyst.UtteranceUser:
			found = nil
		case u.Role == analyst.UtteranceTool && u.CallID == wholeCall && u.Result != nil:
			found = u.Result
		}
	}
	return found
}

// narrateWhole narrates a truncated result with the values that were computed over all rows. Its
// figures are cells of that second result. Without it, the narration says only that the result was
// truncated.
func narrateWhole(f *form, cut, whole *domain.ResultSet) narration {
	if whole == nil || len(whole.Rows) != 1 || len(whole.Rows[0]) == 0 {
		return narrate(f, cut)
	}
	t := &teller{form: f, rows: whole.Rows, dims: len(f.dims)}
	all, ok := specialist.Number(t.cell(0, wholeRows))
	if !ok {
		return narrate(f, cut)
	}
	count := marked(0, wholeRows, specialist.Format(all))
	var n narration
	switch {
	case f.mode == modeRows:
		n.answer = fmt.Sprintf("There are **%s** rows of %s%s.", count, f.view.base.label(), t.scope())
	case !f.plainGroups() || len(whole.Rows[0]) <= wholeTotal:
		n.answer = fmt.Sprintf("The result has **%s** rows, which are too many to list.", count)
	case len(whole.Rows[0]) > wholeLastValue:
		n.answer = t.wholeCourse(count)
	default:
		n.answer = t.wholeGroups(count)
	}
	n.summary = n.answer
	if end := strings.Index(n.answer, ". "); end >= 0 {
		n.summary = n.answer[:end+1]
	}
	n.summary = strings.ReplaceAll(n.summary, "**", "")
	n.complete(fmt.Sprintf("The table and the chart show only the first %s of the %s rows; the numbers above are of all of them.",
		specialist.Format(float64(len(cut.Rows))), count))
	return n
}

func (t *teller) wholeCourse(count string) string {
	f := t.form
	g, what := f.dims[0].grain, f.measures[0].said(f)
	place := func(column int) string { return periodText(t.cell(0, column), f.dims[0].grain) }
	text := fmt.Sprintf("There are %s %ss with data: from %s to %s%s, the %s went from %s to **%s**.", count, g, place(wholeFirst),
		place(wholeLast),
		t.scoped(false), what, t.wholeValue(wholeFirstValue), t.wholeValue(wholeLastValue))
	return text + t.wholeEnds("The", string(g)+"s", place) + t.wholeSum(fmt.Sprintf(" Over all %s %ss", count, g))
}

func (t *teller) wholeGroups(count string) string {
	f := t.form
	what := f.measures[0].said(f)
	var names []string
	for _, d := range f.dims {
		names = append(names, d.said())
	}
	kind := "groups by "
	if len(names) > 1 {
		kind = "combinations of "
	}
	text := fmt.Sprintf("There are **%s** %s%s%s.", count, kind, specialist.List(names, "and"), t.scope())
	place := func(column int) string {
		if len(f.dims) > 1 {
			return ""
		}
		return (&teller{form: f, rows: [][]any{{t.cell(0, column)}}, dims: 1}).groupLabel(0, 0)
	}
	return text + t.wholeEnds("Of the "+what+", the", "groups", place) + t.wholeSum(" All of them")
}

// wholeEnds says the highest and the lowest value, and the group of each if only one group has it.
func (t *teller) wholeEnds(begin, groups string, place func(column int) string) string {
	end := func(word string, value, in, at int) string {
		text := word + " is " + t.wholeValue(value)
		n, _ := specialist.Number(t.cell(0, in))
		switch {
		case n > 1:
			return text + " (in " + marked(0, in, specialist.Format(n)) + " " + groups + ")"
		case len(t.form.dims) == 1:
			return text + " (" + place(at) + ")"
		default:
			return text
		}
	}
	if v, ok := specialist.Number(t.cell(0, wholeHighest)); !ok || math.IsNaN(v) {
		return ""
	}
	return " " + begin + " " + end("highest", wholeHighest, wholeHighestIn, wholeHighestAt) + ", the " +
		end("lowest", wholeLowest, wholeLowestIn, wholeLowestAt) + "."
}

// wholeSum says the total, where a sum of the groups makes sense.
func (t *teller) wholeSum(begin string) string {
	if c := t.form.measures[0].col; !t.whole() || c != nil && t.form.measures[0].agg == aggSum && c.level() {
		return ""
	}
	if begin == " All of them" {
		return " All of them add up to " + t.wholeValue(wholeTotal) + "."
	}
	return begin + " it adds up to " + t.wholeValue(wholeTotal) + "."
}

func (t *teller) wholeValue(column int) string {
	v, ok := specialist.Number(t.cell(0, column))
	if !ok {
		return "none"
	}
	return marked(0, column, t.figure(v, 0))
}

// cutShort is the narration of the beginning of a result alone: it says only that rows are missing.
func (t *teller) cutShort() narration {
	text := fmt.Sprintf("The result has more than %s rows and was cut there, so the highest, the lowest and the total cannot be read from it.",
		rowCount(len(t.rows)))
	return narration{answer: text, summary: text}
}
