package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/analyst/specialist/columns"
)

// plan returns one sentence with the meaning of a form, which a person can check.
func plan(f *form) string {
	var b strings.Builder
	b.WriteString("I read this as: ")
	b.WriteString(f.sentence())
	b.WriteString(".")
	for _, r := range f.read {
		b.WriteString(" I took " + r + ".")
	}
	for _, n := range f.notes {
		b.WriteString(" " + n)
	}
	for _, c := range f.measured() {
		fmt.Fprintf(&b, " The cells of %s are numbers of %s, so I read them as such.", quoteName(c), c.sign)
	}
	if used := f.used(); len(used) > 0 {
		for _, t := range used {
			names := make([]string, len(t.ons))
			for i, c := range t.ons {
				names[i] = quoteName(c)
			}
			fmt.Fprintf(&b, " I joined `%s` by %s.", t.label(), specialist.List(names, "and"))
		}
	}
	if len(f.ignored) > 0 {
		fmt.Fprintf(&b, " I could not place %s and left that out.", specialist.List(quoteAll(f.ignored), "and"))
	}
	return b.String()
}

// sentence returns the form in words.
func (f *form) sentence() string {
	var parts []string
	switch {
	case f.mode == modeDescribe:
		return fmt.Sprintf("what is in `%s`", f.view.base.label())
	case f.stat != nil:
		parts = append(parts, f.stat.phrase(f))
	case f.mode == modeCorrelation:
		parts = append(parts, fmt.Sprintf("how %s and %s go together", quoteName(f.measures[0].col), quoteName(f.measures[1].col)))
		if f.tested {
			parts = append(parts, "with the p-value")
		}
	case f.latestOf != nil:
		parts = append(parts, f.latestPhrase())
	case f.mode == modeRows:
		parts = append(parts, f.rowsPhrase())
	case f.shareOf != nil:
		of := "rows of `" + f.view.base.label() + "`"
		if len(f.measures) > 0 && f.measures[0].col != nil {
			of = f.measures[0].phrase(f.view)
		}
		text := fmt.Sprintf("the share of %s where %s", of, f.shareOf.phrase())
		var ds []string
		for _, d := range f.dims {
			ds = append(ds, d.phrase())
		}
		if len(ds) > 0 {
			text += ", by " + specialist.List(ds, "and")
		}
		parts = append(parts, text)
	default:
		var ms []string
		for _, m := range f.measures {
			ms = append(ms, m.phrase(f.view))
		}
		text := specialist.List(ms, "and")
		if f.share {
			text = "the share of " + text
		}
		if f.growth {
			text = "the change of " + text
		}
		if f.running {
			text = "the running " + strings.TrimPrefix(text, "the ")
		}
		if f.moving != nil {
			text = "the " + f.moving.phrase() + " of the " + strings.TrimPrefix(text, "the ")
		}
		var ds []string
		for _, d := range f.dims {
			ds = append(ds, d.phrase())
		}
		if len(ds) > 0 {
			text += " by " + specialist.List(ds, "and")
		}
		if f.counted != nil {
			text = "how many different " + quoteName(f.counted) + " there are"
		}
		parts = append(parts, text)
	}
	for _, c := range f.where {
		if f.stat == nil || !f.stat.compares(f, c) {
			parts = append(parts, c.connected())
		}
	}
	for _, h := range f.having {
		parts = append(parts, "only where "+f.measures[h.measure].phrase(f.view)+" is "+numbersPhrase(h.op, h.nums))
	}
	if s := f.orderPhrase(); s != "" {
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func (f *form) rowsPhrase() string {
	what := "rows of `" + f.view.base.label() + "`"
	if f.limit > 0 {
		what = fmt.Sprintf("up to %d %s", f.limit, what)
	}
	if len(f.columns) > 0 {
		var names []string
		for _, c := range f.columns {
			names = append(names, quoteName(c))
		}
		what += " with " + specialist.List(names, "and")
	}
	return what
}

// rankPhrase returns the order of a ranking of which one place is asked for.
func (f *form) rankPhrase() string {
	dir := map[bool]string{true: "highest", false: "lowest"}[f.desc]
	if f.mode == modeRows {
		if f.orderCol.isDate() {
			dir = map[bool]string{true: "latest", false: "earliest"}[f.desc]
		}
		return dir + " " + quoteName(f.orderCol) + " first"
	}
	return dir + " first"
}

func (f *form) orderPhrase() string {
	switch {
	case f.latestOf != nil, f.running, f.moving != nil, f.counted != nil, f.stat != nil && f.stat.kind != statShape:
		return ""
	case f.nth > 0:
		return "the " + placeText(f.nth) + " of them, " + f.rankPhrase()
	case f.mode == modeRows && f.orderCol != nil:
		dir := "lowest"
		if f.desc {
			dir = "highest"
		}
		if f.orderCol.isDate() {
			dir = map[bool]string{true: "latest", false: "earliest"}[f.desc]
		}
		return fmt.Sprintf("%s %s first", dir, quoteName(f.orderCol))
	case f.mode != modeGroups || len(f.dims) == 0 || f.growth || f.shareOf != nil:
		return ""
	case f.orderDim:
		return ""
	}
	dir := "lowest first"
	if f.desc {
		dir = "highest first"
	}
	if f.limit > 0 && !f.single {
		dir = fmt.Sprintf("the %d %s", f.limit, strings.TrimSuffix(dir, " first"))
		if f.within != nil {
			dir += " of each " + quoteName(f.within)
		}
	}
	return dir
}

// phrase returns a measure in words.
func (m measure) phrase(v *view) string {
	of := "rows of `" + v.base.label() + "`"
	if m.col != nil {
		of = quoteName(m.col)
	}
	if m.minus {
		of += " spent (its sign turned)"
	}
	switch {
	case m.sides != nil:
		return m.sides.phrase()
	case m.each != grainNone:
		return fmt.Sprintf("the %s %s per %s", m.eachWord(), measure{agg: m.agg, col: m.col}.phrase(v), m.each)
	case m.over != nil && m.percent:
		return fmt.Sprintf("total of %s as a percentage of the total of %s", of, quoteName(m.over))
	case m.over != nil:
		return fmt.Sprintf("total of %s divided by the total of %s", of, quoteName(m.over))
	case m.per != nil && m.agg == aggMedian:
		return fmt.Sprintf("median of the total %s of each %s", quoteName(m.col), quoteName(m.per))
	case m.per != nil:
		return fmt.Sprintf("%s for each different %s", measure{agg: m.agg, col: m.col}.phrase(v), quoteName(m.per))
	}
	if _, ok := m.agg.quantile(); ok {
		return m.agg.percentile() + " of " + of
	}
	switch m.agg {
	case aggStddev:
		return "standard deviation of " + of
	case aggCount:
		return "number of " + of
	case aggDistinct:
		return "number of different " + of
	case aggSum:
		return "total of " + of
	case aggAvg:
		return "average of " + of
	case aggMedian:
		return "median of " + of
	case aggMin:
		return "lowest " + of
	case aggMax:
		return "highest " + of
	default:
		return of
	}
}

func (d dimension) phrase() string {
	switch {
	case d.grain != grainNone:
		return fmt.Sprintf("%s of %s", strings.TrimSuffix(string(d.grain), " of the year"), quoteName(d.col))
	case len(d.periods) > 0:
		return "the times compared, of " + quoteName(d.col)
	case d.width > 0:
		return fmt.Sprintf("%s in steps of %s", quoteName(d.col), specialist.Format(d.width))
	default:
		return quoteName(d.col)
	}
}

// connected returns a condition as it follows in the sentence.
func (c condition) connected() string {
	if c.op == opSpan && c.not {
		return "where " + quoteName(c.col) + " is not in the time " + c.span.label + ", or empty"
	}
	if c.op == opSpan {
		if strings.HasPrefix(c.span.label, "since ") || strings.HasPrefix(c.span.label, "before ") ||
			strings.HasPrefix(c.span.label, "after ") || strings.HasPrefix(c.span.label, "until ") {
			if len(c.col.table.dates()) > 1 {
				return quoteName(c.col) + " " + c.span.label
			}
			return c.span.label
		}
		if len(c.col.table.dates()) > 1 {
			return "for " + c.span.label + " by " + quoteName(c.col)
		}
		return "for " + c.span.label
	}
	return "where " + c.phrase()
}

// phrase returns a condition in words.
func (c condition) phrase() string {
	name := quoteName(c.col)
	for _, also := range c.also {
		name += " or " + quoteName(also)
	}
	if c.other != nil {
		return name + " is " + map[operator]string{opGt: "more than", opGe: "at least", opLt: "less than", opLe: "at most", opNe: "not"}[c.op] +
			" " + quoteName(c.other)
	}
	switch c.op {
	case opHasNone, opHasSome, opHasFew:
		return c.phraseEvents()
	case opRecurring:
		return name + map[bool]string{true: " is not in ", false: " is in "}[c.not] + c.recur.label
	case opIn:
		return name + " is " + specialist.List(c.values, "or")
	case opNotIn:
		return name + " is not " + specialist.List(c.values, "or")
	case opContains:
		return name + " contains " + specialist.List(quoteAll(c.values), "or")
	case opStarts:
		return name + " starts with " + quoteAll(c.values)[0]
	case opEnds:
		return name + " ends with " + quoteAll(c.values)[0]
	case opNull:
		return name + " is empty"
	case opNotNull:
		return name + " is not empty"
	case opSpan:
		return name + " is in " + c.span.label
	case opEq, opNe, opGt, opGe, opLt, opLe, opBetween:
		if len(c.values) > 0 {
			if c.op == opNe {
				return name + " is not " + quoteAll(c.values)[0]
			}
			return name + " is " + quoteAll(c.values)[0]
		}
		if c.col.isYear() {
			return name + " is " + strings.ReplaceAll(numbersPhrase(c.op, c.nums), ",", "")
		}
		return name + " is " + numbersPhrase(c.op, c.nums)
	default:
		return name
	}
}

func numbersPhrase(op operator, nums []float64) string {
	n := specialist.Format(nums[0])
	switch op {
	case opGt:
		return "more than " + n
	case opGe:
		return "at least " + n
	case opLt:
		return "less than " + n
	case opLe:
		return "at most " + n
	case opNe:
		return "not " + n
	case opBetween:
		return "between " + n + " and " + specialist.Format(nums[1])
	default:
		return n
	}
}

// inUnit returns the unit of a measure for a title.
func inUnit(m measure) string {
	if m.col == nil || m.over != nil || m.agg == aggCount || m.agg == aggDistinct {
		return ""
	}
	if _, ok := m.col.percentages(); ok {
		return " (%)"
	}
	if code := m.col.currencyOf(); code != "" {
		return " (" + columns.Sign(code) + m.col.scaleWord() + ")"
	}
	if _, known := m.col.unitMeant(); m.col.sign != "" && m.col.made == nil && m.col.currency == "" && !known {
		return " (" + m.col.sign + ")"
	}
	if u := strings.TrimSpace(unit(m.col) + m.col.scaleWord()); u != "" {
		return " (" + u + ")"
	}
	return ""
}

// quoteName returns the heading that tables show above a column, with quotation marks around it.
func quoteName(c *column) string {
	if c.made != nil {
		return c.made.phrase()
	}
	return "`" + c.heading() + "`"
}

// heading returns the text that tables show above the column. It comes from files, and some sentences
// remove the marks around a name, so the heading must not contain Markdown.
func (c *column) heading() string {
	text := columns.Heading(c.Column)
	if slices.ContainsFunc(c.table.columns, func(o *column) bool { return o != c && columns.Heading(o.Column) == text }) {
		text = columns.Label(c.Name) // without the unit, revenue and revenue_eur look the same
	}
	return cut(withoutMarkdown(text, "_", " "))
}

func quoteAll(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = "“" + cut(strings.NewReplacer("`", "'", "<", "‹", ">", "›").Replace(w)) + "”"
	}
	return out
}

// title returns the title of a result, for its table, file and chart.
func title(f *form) string {
	var text string
	switch {
	case f.mode == modeDescribe:
		text = "Overview of " + f.view.base.label()
	case f.stat != nil:
		text = f.stat.title(f)
	case f.mode == modeCorrelation:
		text = f.measures[0].col.saidTitle() + " and " + f.measures[1].col.saidTitle()
	case f.mode == modeRows:
		text = f.view.base.label()
		if f.orderCol != nil && f.orderCol.isNumber() {
			text += " by " + f.orderCol.saidTitle() + inUnit(measure{col: f.orderCol})
		}
	case f.shareOf != nil:
		text = "share where " + f.shareOf.said() + byGroups(f)
	default:
		var ms []string
		for _, m := range f.measures {
			if m.counts() {
				ms = append(ms, "number of "+f.view.base.rowsNamed())
				continue
			}
			ms = append(ms, m.said(f)+inUnit(m))
		}
		text = specialist.List(ms, "and")
		if f.share {
			text = "share of " + text
		}
		if f.growth {
			text = "change of " + text
		}
		if f.running {
			text = "running " + text
		}
		if f.moving != nil {
			text = f.moving.phrase() + " of " + text
		}
		text += byGroups(f)
	}
	for _, c := range f.where {
		switch c.op {
		case opSpan:
			text += ", " + strings.Split(c.span.label, " (")[0] + f.byDate(c.col)
		case opIn:
			if c.col.isBool() || c.col.isFlag() {
				text += ", " + c.said()
				continue
			}
			text += ", " + specialist.List(c.values, "and")
		default:
			text += ", " + c.said()
		}
	}
	return specialist.Sentence(strings.ReplaceAll(text, "`", ""))
}

// byGroups returns the part of a title that says what the groups are; "" without groups.
func byGroups(f *form) string {
	var ds []string
	for _, d := range f.dims {
		ds = append(ds, d.said())
	}
	if len(ds) == 0 {
		return ""
	}
	return " by " + specialist.List(ds, "and")
}
