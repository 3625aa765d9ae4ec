package builtin

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
)

// scopeOnce returns the scope only for the first of several numbers.
func (t *teller) scopeOnce(i int) string {
	if i > 0 {
		return ""
	}
	return t.scope()
}

// when returns a span in the form for a sentence.
func (s span) when() string {
	label := strings.Split(s.label, " (")[0]
	rest := strings.TrimPrefix(s.label, label)
	switch {
	case s.open != "", isOne(label, "today", "yesterday"), strings.HasPrefix(label, "last "), strings.HasPrefix(label, "this "),
		strings.HasPrefix(label, "past "), strings.HasPrefix(label, "previous "):
		return label + rest
	case strings.Contains(label, " to "):
		return "from " + label + rest
	case s.grain == grainDay && !s.relative:
		return "on " + label
	default:
		return "in " + label + rest
	}
}

// said returns a condition in the form for a sentence, with readable names.
func (c condition) said() string {
	if c.events != nil {
		return c.saidEvents()
	}
	if c.op == opRecurring {
		at := "in "
		if c.recur.part == grainWeekday {
			at = "on "
		}
		return map[bool]string{true: "not ", false: ""}[c.not] + at + c.recur.label
	}
	if c.op == opIn && c.col.isFlag() && len(c.values) == 1 {
		return c.col.flagged() + map[bool]string{true: " is yes", false: " is no"}[c.values[0] == "1"]
	}
	text := strings.ReplaceAll(c.phrase(), quoteName(c.col), c.col.spoken(c.col.titleWords()))
	if c.op == opIn && c.col.isBool() && len(c.values) == 1 {
		return c.col.flagged() + map[bool]string{true: " is yes", false: " is no"}[c.values[0] == "true"]
	}
	return text
}

func (t *teller) cell(row, i int) any {
	if row < 0 || row >= len(t.rows) || i >= len(t.rows[row]) {
		return nil
	}
	return t.rows[row][i]
}

// values returns a column of numbers; an empty cell is NaN.
func (t *teller) values(at int) []float64 {
	out := make([]float64, len(t.rows))
	for i := range t.rows {
		out[i] = math.NaN()
		if v, ok := specialist.Number(t.cell(i, at)); ok {
			out[i] = v
		}
	}
	return out
}

// label names a row by its groups.
func (t *teller) label(row int) string {
	var parts []string
	for k := range t.form.dims {
		parts = append(parts, t.groupLabel(row, k))
	}
	return strings.Join(parts, ", ")
}

// groupLabel names one group of a row.
func (t *teller) groupLabel(row, k int) string {
	d := t.form.dims[k]
	if t.form.growth {
		// The writer makes time the first column.
		if d.grain != grainNone {
			return periodText(t.cell(row, 0), d.grain)
		}
		n := 1
		for i := range k {
			if t.form.dims[i].grain == grainNone {
				n++
			}
		}
		return safe(specialist.Text(t.cell(row, n)))
	}
	v := t.cell(row, k)
	switch {
	case d.grain != grainNone && isCourse(d.grain):
		return periodText(v, d.grain)
	case t.form.stat != nil && t.form.stat.kind == statBins:
		if low, ok := specialist.Number(v); ok {
			return "from " + specialist.Format(low)
		}
	case d.width > 0:
		if low, ok := specialist.Number(v); ok && d.col.isYear() {
			return fmt.Sprintf("%.0f to %.0f", low, low+d.width-1)
		} else if ok {
			return fmt.Sprintf("%s to %s", specialist.Format(low), specialist.Format(low+d.width))
		}
	case d.col.isYear() || d.col.identifies() || d.grain == grainHourOfDay:
		if n, ok := v.(int64); ok && d.grain == grainHourOfDay {
			return fmt.Sprintf("%02d:00", n)
		} else if ok {
			return fmt.Sprint(n)
		}
	case d.col.isBool():
		if b, ok := v.(bool); ok {
			return d.col.yesOrNo(b)
		}
	case d.col.isFlag():
		if n, ok := v.(int64); ok {
			return d.col.yesOrNo(n == 1)
		}
	}
	if _, ok := specialist.Number(v); ok {
		return coreTitle(d.col) + " " + safe(specialist.Text(v))
	}
	return safe(specialist.Text(v))
}

// safe removes from a cell the characters that a Markdown viewer would interpret.
func safe(s string) string {
	s = withoutMarkdown(s, "_", "\\_", "!(", "(")
	if short := domain.Shorten(s, 80); len(short) < len(s) {
		return short + "…"
	}
	return s
}

// withoutMarkdown replaces characters that a Markdown viewer would interpret; more are further pairs of
// a text and its replacement.
func withoutMarkdown(s string, more ...string) string {
	pairs := slices.Concat(more, []string{"`", "'", "*", "∗", "[", "(", "]", ")", "<", "‹", ">", "›", "|", "/", "\n", " ", "\r", " "})
	return strings.NewReplacer(pairs...).Replace(noMarks(s))
}

// figure writes a value of a measure with its unit.
func (t *teller) figure(v float64, measure int) string {
	if times := t.percent(measure); times != 0 {
		return percentText(times * v)
	}
	if measure < len(t.form.measures) {
		if m := t.form.measures[measure]; m.col != nil && m.over == nil && m.agg != aggCount && m.agg != aggDistinct {
			if m.col.isYear() && m.agg != aggSum {
				return trimFloat(math.Round(10*v) / 10) // 1951, and not 1,951
			}
			return quantity(v, m.col)
		}
	}
	return specialist.Format(v)
}

// percent is the factor that makes a measure a percentage; 0 if it is not one.
func (t *teller) percent(measure int) float64 { return t.form.percent(measure) }

func (f *form) percent(measure int) float64 {
	if measure >= len(f.measures) {
		return 0
	}
	m := f.measures[measure]
	switch {
	case m.over != nil && m.percent:
		return 1
	case m.over != nil, m.col == nil, m.agg == aggCount, m.agg == aggDistinct:
		return 0
	default:
		times, _ := m.col.percentages()
		return times
	}
}

// interval reports whether only differences of the first measure are meaningful, and not ratios:
// degrees have no true zero, and changes of percentages are in percentage points.
func (f *form) interval() bool {
	if f.percent(0) != 0 {
		return true
	}
	m := f.measures[0]
	return m.over == nil && m.agg != aggCount && m.agg != aggDistinct && m.col.interval()
}

// interval reports whether a column is in degrees or on another scale whose zero does not mean that
// there is nothing.
func (c *column) interval() bool {
	if c == nil || c.made != nil {
		return false
	}
	if isOne(strings.TrimPrefix(strings.TrimSpace(unit(c)), "°"), "C", "F") || isOne(c.sign, "°C", "°F", "°") {
		return true
	}
	return slices.ContainsFunc(append(splitName(c.Name), c.words...), func(w string) bool {
		return isOne(w, "temperature", "temperatur", "temp", "celsius", "fahrenheit", "ph", "latitude", "longitude")
	})
}

// unit returns the currency or unit of a column, as its name, the data dictionary or its header says.
func unit(c *column) string {
	if u, ok := c.unitMeant(); ok {
		return c.written(u)
	}
	if c.currency != "" {
		return c.currency
	}
	if c.made != nil {
		if c.made.op == opDuration {
			return " " + string(c.made.unit) + "s"
		}
		if unit(c.made.a) == unit(c.made.b) && c.made.op != opTimes {
			return unit(c.made.a)
		}
		return ""
	}
	words := c.titleWords()
	if len(words) < 2 {
		return c.headerUnit()
	}
	if columns.Describes(words[len(words)-2]) {
		return "" // the name already says it, as in weekly hours
	}
	switch words[len(words)-1] {
	case "eur", "usd", "gbp", "chf":
		return " " + strings.ToUpper(words[len(words)-1])
	case "kwh":
		return " kWh"
	case "kg", "km", "cm", "mm", "ms":
		return " " + words[len(words)-1]
	case "c", "celsius":
		return " °C"
	case "days", "hours", "minutes", "seconds", "weeks", "months", "years":
		return " " + words[len(words)-1]
	default:
		return c.headerUnit()
	}
}

// headerUnit returns the unit in the header of an uploaded column: min for "How long (min)".
func (c *column) headerUnit() string {
	if c.made != nil || !c.isNumber() {
		return ""
	}
	if u := columns.Unit(c.Column); u != "" && u != "%" {
		return " " + u
	}
	return ""
}

// said returns a measure in the form for a sentence.
func (m measure) said(f *form) string {
	entity := f.view.base.entity()
	switch {
	case m.sides != nil:
		return m.sides.said()
	case m.each != grainNone:
		return fmt.Sprintf("%s %s per %s", m.eachWord(), measure{agg: m.agg, col: m.col}.said(f), m.each)
	case m.over != nil && m.percent:
		return m.col.saidTitle() + " as a percentage of " + m.over.saidTitle()
	case m.over != nil:
		return m.col.saidTitle() + " per " + singular(m.over.title())
	case m.per != nil:
		return fmt.Sprintf("%s per %s", measure{agg: m.agg, col: m.col}.said(f), singular(coreTitle(m.per)))
	case m.col == nil:
		return "number of " + f.view.base.rowsNamed()
	}
	name := m.col.saidTitle()
	if m.minus {
		name += " spent"
	}
	if _, ok := m.agg.quantile(); ok {
		return m.agg.percentile() + " of " + name
	}
	switch m.agg {
	case aggStddev:
		return "standard deviation of " + name
	case aggDistinct:
		words := strings.Fields(entity)
		if len(words) > 0 && m.col.countable() && plural(coreTitle(m.col)) == plural(words[len(words)-1]) {
			return "number of " + m.col.many()
		}
		return "number of different " + m.col.many()
	case aggSum:
		return prefix("total ", name)
	case aggAvg:
		return prefix("average ", name)
	case aggMedian:
		return "median " + name
	case aggMin:
		return "lowest " + name
	case aggMax:
		return "highest " + name
	case aggCount:
		return "number of values of " + name
	default:
		return name
	}
}

// saidTitle returns the column's name without its unit, which is written after the number.
func (c *column) saidTitle() string {
	if c.made != nil && c.made.op == opDuration {
		return fmt.Sprintf("time from %s to %s", c.made.a.title(), c.made.b.title())
	}
	words := c.titleWords()
	u := strings.ToLower(strings.TrimSpace(unit(c)))
	inName := c.currency == "" || len(words) > 1 && strings.EqualFold(words[len(words)-1], strings.TrimSpace(c.currency))
	switch last := len(words) - 1; {
	case last > 0 && len(c.bare) > 0 && u != "" && c.headerUnit() != "":
		words = words[:min(len(c.bare), len(words))]
	case last > 0 && u != "" && inName && strings.EqualFold(strings.Trim(words[last], "°"), strings.Trim(u, "°")),
		last > 0 && isOne(words[last], "pct", "percent") && !columns.Describes(words[last-1]), last > 0 && u == "°c" && words[last] == "celsius":
		words = words[:last]
	case c.bareAlone():
		words = words[:min(len(c.bare), len(words))] // the text in brackets is a remark
	}
	if last := len(words) - 1; last > 0 && last < len(c.titleWords())-1 && words[last] == "in" {
		words = words[:last] // "Height in cm" becomes Height
	}
	return c.spoken(words)
}

func (d dimension) said() string {
	if d.grain != grainNone {
		return string(d.grain)
	}
	if len(d.periods) > 0 {
		return "period"
	}
	if d.col.isBool() {
		return d.col.flagged()
	}
	core := strings.Fields(coreTitle(d.col))
	if _, _, signs := d.col.table.manner.Words(headerOf(d.col.Column)); len(core) > 0 && len(core) < len(signs) && signs[len(core)-1] == "-" {
		return d.col.spoken(d.col.titleWords()) // the first part of Bestell-Nr is not a word
	}
	return d.col.spoken(core)
}

// listed narrates rows.
func (t *teller) listed(r *domain.ResultSet) narration {
	f := t.form
	entity := f.view.base.label()
	if f.single && f.orderCol != nil {
		at := indexOf(r.Columns, f.orderCol.Name)
		if at >= 0 && f.nth > 0 {
			return t.placed(at)
		}
		if at >= 0 {
			word := map[bool]string{true: "highest", false: "lowest"}[f.desc]
			if f.orderCol.isDate() {
				word = map[bool]string{true: "latest", false: "earliest"}[f.desc]
			}
			name, who := "The first row", t.labelAt(r, at)
			if at != who && !specialist.IsEmpty(t.cell(0, who)) {
				name = "**" + safe(specialist.Text(t.cell(0, who))) + "**"
			}
			value := safe(dateText(specialist.Text(t.cell(0, at))))
			if v, ok := specialist.Number(t.cell(0, at)); ok && !f.orderCol.isYear() {
				value = marked(0, at, quantity(v, f.orderCol))
			}
			text := fmt.Sprintf("%s has the %s %s%s: **%s**.", name, word, f.orderCol.saidTitle(), t.scope(), value)
			summary := strings.ReplaceAll(text, "**", "")
			if len(t.rows) > 1 && at != who {
				next := safe(dateText(specialist.Text(t.cell(1, at))))
				if v, ok := specialist.Number(t.cell(1, at)); ok && !f.orderCol.isYear() {
					next = marked(1, at, quantity(v, f.orderCol))
				}
				text += fmt.Sprintf(" Next is %s with %s.", safe(specialist.Text(t.cell(1, who))), next)
			}
			return narration{answer: text, summary: summary}
		}
	}
	text := fmt.Sprintf("Here are **%s** rows of %s%s.", rowCount(len(t.rows)), entity, t.scope())
	if len(t.rows) == 1 {
		text = fmt.Sprintf("Here is the one row of %s%s.", entity, t.scope())
	}
	if f.limit > 0 && len(t.rows) == f.limit {
		text += " I stopped there; there may be more."
	}
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}

// labelAt returns the result column by which people know a row of a list: a column that names each row,
// or else the first text that is not filtered to one value. at is the column that the rows are ranked
// by.
func (t *teller) labelAt(r *domain.ResultSet, at int) int {
	best, rank := 0, -1
	for i, shown := range r.Columns {
		for _, c := range t.form.view.columns() {
			if i == at || c.Name != shown.Name {
				continue
			}
			score := 0
			switch held := t.form.filters(c) && !t.form.compared(c); {
			case held:
			case c.isText() && c.names() && !c.keyLike():
				score = 4
			case c == nameColumn(c.table):
				score = 3
			case c.names():
				score = 2
			default:
				score = 1
			}
			if score > rank {
				best, rank = i, score
			}
		}
	}
	return best
}

func indexOf(columns []domain.Column, name string) int {
	for i, c := range columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// ownWordsMax is the maximum length of a quoted description, in characters.
const ownWordsMax = 300

// ownWords returns what is said about a table in addition to its columns: the description by a person,
// and how its file was read, which is at the end of the generated description.
func ownWords(t *analyst.Table) string {
	text, at := t.Description, -1
	for _, begins := range []string{"A last row of totals ", "Please check"} {
		if i := strings.Index(t.Made, begins); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at >= 0 {
		if text = strings.TrimSpace(text); text != "" && !strings.HasSuffix(text, ".") {
			text += "."
		}
		text = strings.TrimSpace(text + " " + t.Made[at:])
	}
	short := domain.ShortenAtWord(text, ownWordsMax)
	if short == "" {
		return ""
	}
	if short != strings.TrimSpace(text) {
		if open := strings.LastIndexByte(short, '('); open > strings.LastIndexByte(short, ')') {
			short = strings.TrimSpace(short[:open]) // the text does not end within brackets
		}
		return safeLine(short, len(short)) + " …"
	}
	return strings.TrimRight(safeLine(short, len(short)), ". ") + "."
}

func firstDay(s string) string {
	if len(s) > 10 {
		return s[:10]
	}
	return s
}

// remark returns the part of the description after the heading.
func (c *column) remark() string {
	header, note := columns.Header(c.Column)
	if header == "" && columns.Label(c.Description) == columns.Heading(c.Column) {
		return ""
	}
	return note
}

// caveats returns what limits the answer.
func (t *teller) caveats() string {
	var out []string
	if len(t.form.ignored) > 0 {
		out = append(out, fmt.Sprintf("Note that I found nothing here for %s and left that out.",
			specialist.List(quoteAll(t.form.ignored), "and")))
	}
	if t.form.chart != "" && t.form.chart != "none" && len(t.rows) == 1 {
		out = append(out, "A chart needs at least two figures, and this is one; ask for it by something, such as by month, to see one.")
	}
	if t.form.chart == "pie" && t.form.mode == modeGroups && t.dims > 0 {
		negative := slices.ContainsFunc(t.values(t.dims), func(v float64) bool { return v < 0 })
		if negative || len(t.rows) > 8 || t.dims > 1 {
			out = append(out, "A pie shows up to eight parts of a whole and no negative values, so I drew it otherwise.")
		}
	}
	if t.cut && t.form.mode != modeGroups {
		out = append(out, "The result was cut at the limit, so groups or rows may be missing.")
	}
	if text := t.unnamed(); text != "" {
		out = append(out, text)
	}
	out = append(out, t.empty()...)
	return strings.Join(out, " ")
}
