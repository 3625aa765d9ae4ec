package builtin

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// narration is the text about a result.
type narration struct {
	answer  string
	summary string
	// figures are the numbers of the answer that come from cells, in their order.
	figures []domain.Figure
	// summed are the figures of the summary.
	summed []domain.Figure
	// caveatsAt is the position at which the caveats begin; 0 if there are none.
	caveatsAt int
}

// teller describes a result in words. Each number in its text is a cell of the result, or is derived
// from cells by an addition, a difference or a ratio.
type teller struct {
	form *form
	rows [][]any
	cut  bool // the result was truncated
	dims int
}

// narrate returns the answer for the result of a form.
func narrate(f *form, r *domain.ResultSet) narration {
	t := &teller{form: f, rows: r.Rows, cut: r.Truncated, dims: len(f.dims)}
	var n narration
	switch {
	case f.mode == modeDescribe:
		n = t.described()
	case len(r.Rows) == 0 && (f.stat == nil || !f.stat.list):
		n = t.nothing()
	case f.stat != nil && f.stat.kind != statBins:
		n = t.statistical()
	case f.mode == modeCorrelation:
		n = t.correlated()
	case t.cut && f.mode == modeGroups && t.dims > 0:
		n = t.cutShort()
	case f.latestOf != nil:
		n = t.narrateLatest()
	case f.counted != nil:
		n = t.narrateCount()
	case f.mode == modeRows:
		n = t.listed(r)
	case f.moving != nil:
		n = t.narrateMoving()
	case f.nth > 0 && f.mode == modeGroups:
		n = t.placed(t.dims)
	case f.running:
		n = t.narrateRunning()
	case f.shareOf != nil && t.dims > 0:
		n = t.parts()
	case f.shareOf != nil:
		n = t.part()
	case t.dims == 0 || (len(f.measures) == 1 && f.measures[0].each != grainNone && t.dims == 0):
		n = t.single()
	case f.growth:
		n = t.narrateGrowth()
	case f.dims[0].grain != grainNone && isCourse(f.dims[0].grain) && t.dims == 1 && f.orderDim:
		n = t.course()
	case t.dims == 1:
		n = t.ranked()
	default:
		n = t.crossed()
	}
	n.complete(t.caveats())
	return n
}

// isCourse reports whether a grain is consecutive, and does not recur.
func isCourse(g grain) bool {
	return g != grainWeekday && g != grainMonthName && g != grainHourOfDay && g != grainWeekend
}

func (t *teller) nothing() narration {
	text := "No rows match"
	var parts []string
	for _, c := range t.form.where {
		parts = append(parts, strings.TrimPrefix(c.connected(), "where "))
	}
	if len(parts) > 0 {
		text += ": " + specialist.List(parts, "and")
	}
	text += "."
	return narration{answer: text + " You could widen the filter, or ask for the values that there are.", summary: text}
}

// single narrates a result without groups.
func (t *teller) single() narration {
	var parts []string
	for i, m := range t.form.measures {
		v, ok := specialist.Number(t.cell(0, i))
		name := strings.ReplaceAll(m.said(t.form), "_", " ")
		if s, isText := t.cell(0, i).(string); isText {
			parts = append(parts, fmt.Sprintf("the %s%s is **%s**", name, t.scopeOnce(i), safe(dateText(s))))
			continue
		}
		if !ok {
			parts = append(parts, fmt.Sprintf("there is no %s%s, for no row has a value", name, t.scopeOnce(i)))
			continue
		}
		parts = append(parts, fmt.Sprintf("the %s%s is **%s**", name, t.scopeOnce(i), marked(0, i, t.figure(v, i))))
	}
	text := specialist.Sentence(specialist.List(parts, "and")) + "."
	if m := t.form.measures[0]; m.each != grainNone && len(t.rows[0]) > len(t.form.measures) {
		if n, ok := specialist.Number(t.rows[0][len(t.rows[0])-1]); ok {
			at := len(t.rows[0]) - 1
			text += fmt.Sprintf(" That is the %s over %s %ss.", strings.Replace(m.eachWord(), "average", "mean", 1),
				marked(0, at, specialist.Format(n)), m.each)
		}
	}
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}

// scope says which rows were included: " for Germany in March 2025".
func (t *teller) scope() string { return t.scoped(true) }

func (t *teller) scoped(times bool) string {
	var values, spans, others, events []string
	for _, c := range t.form.where {
		switch {
		case c.events != nil:
			events = append(events, c.saidEvents())
		case c.op == opSpan && c.not:
			others = append(others, strings.ReplaceAll(strings.TrimPrefix(c.connected(), "where "), "`", ""))
		case c.op == opSpan && times:
			spans = append(spans, c.span.when()+t.form.byDate(c.col))
		case c.op == opRecurring:
			spans = append(spans, c.said())
		case c.op == opNotNull && c.col == t.form.thing:
			// Only a thing can have events.
		case t.form.flow != "" && c.op == operator(t.form.flow) && len(c.nums) == 1 && c.nums[0] == 0:
			// The measure already says it.
		case c.op == opSpan:
		case (c.op == opIn || c.op == opNotNull) && t.grouped(c.col):
			// The groups already say it.
		case c.op == opIn && !c.col.booleanLike():
			values = append(values, specialist.List(c.values, "or"))
		default:
			others = append(others, strings.ReplaceAll(c.said(), "`", ""))
		}
	}
	text := ""
	if len(values) > 0 {
		text += " for " + safe(specialist.List(values, "and"))
	}
	if len(events) > 0 {
		if t.form.thing != nil && len(t.form.dims) > 0 {
			text += " of " + plural(coreTitle(t.form.thing))
		} else if len(t.form.measures) > 0 && t.form.measures[0].col != nil {
			text += " of " + t.form.view.base.rowsNamed()
		}
		text += " " + specialist.List(events, "and")
	}
	if len(others) > 0 {
		text += " where " + specialist.List(others, "and")
	}
	if len(spans) > 0 {
		text += " " + specialist.List(spans, "and")
	}
	return text
}

// byDate names the date of a time filter, unless it is the main date of the table and nobody said that it is.
func (f *form) byDate(c *column) string {
	dates := f.view.base.dates()
	said := f.view.base.meaning != nil && f.view.base.meaning.TimeReason.State == meaning.Said
	if len(dates) < 2 || dates[0] == c && !said || c.made != nil {
		return ""
	}
	return " by " + c.spoken(c.titleWords())
}

func (t *teller) grouped(c *column) bool {
	return slices.ContainsFunc(t.form.dims, func(d dimension) bool { return d.col == c })
}

// ranked narrates groups of one dimension.
func (t *teller) ranked() narration {
	f := t.form
	all := t.values(1)
	values, named := t.rankedValues(all)
	what := f.measures[0].said(f)
	dim := f.dims[0].said()
	best, worst := extremes(values)
	if best < 0 {
		text := fmt.Sprintf("There are %s groups by %s, but none has a value of %s.", rowCount(len(t.rows)), dim, what)
		return narration{answer: text, summary: text}
	}
	if len(values) > 1 && values[best] == values[worst] && !slices.ContainsFunc(values, math.IsNaN) {
		return t.alike(what, values)
	}
	var b strings.Builder
	first, firstWord, other, otherWord := best, "highest", worst, "lowest"
	if f.ordered && !f.desc {
		first, firstWord, other, otherWord = worst, "lowest", best, "highest"
	}
	level, has, each := tied(values, first), "has", ""
	if len(level) > 1 {
		has, each = "have", " each"
	}
	fmt.Fprintf(&b, "%s %s the %s %s%s: **%s**%s%s.", t.named(level, "**"), has, firstWord, strings.TrimPrefix(what, firstWord+" "), t.scope(),
		t.valued(first, 1, values), each, t.shareText(first, all))
	lead := strings.ReplaceAll(b.String(), "**", "")
	switch {
	case named == 1 && (f.limit > 0 || len(f.having) > 0):
	case named == 1:
		fmt.Fprintf(&b, " It is the only %s there is here.", dim)
	case named == 2 && len(level) == 2:
	case named == 2:
		b.WriteString(" " + t.versus(first, other, values))
	default:
		saysLast := (f.limit == 0 || len(values) < f.limit) && len(level) < named
		// If several groups lead, the next group may also be the last one, which is said only once.
		if second := nth(values, firstWord == "highest", len(level)); second >= 0 &&
			(!saysLast || len(level) == 1 || values[second] != values[other]) {
			fmt.Fprintf(&b, " Next is %s with %s", t.label(second), t.valued(second, 1, values))
			if third := nth(values, firstWord == "highest", len(level)+1); third >= 0 && named > 3 {
				fmt.Fprintf(&b, ", then %s with %s", t.label(third), t.valued(third, 1, values))
			}
			b.WriteString(".")
		}
		if saysLast {
			last, be, each := tied(values, other), "is", ""
			if len(last) > 1 {
				be, each = "are", " each"
			}
			of := " of the " + rowCount(len(values))
			if named < len(values) {
				of = "" // the named groups are not all rows
			}
			fmt.Fprintf(&b, " The %s%s %s %s with %s%s.", otherWord, of, be, t.named(last, ""), t.valued(other, 1, values), each)
		}
	}
	if extra := t.otherMeasures(first); extra != "" {
		b.WriteString(extra)
	}
	summary := lead
	if named == 2 && len(level) == 1 {
		summary += " " + strings.ReplaceAll(t.versus(first, other, values), "**", "")
	}
	return narration{answer: b.String(), summary: summary}
}

// valued returns the first measure of a row as text, marked with its column of the result.
func (t *teller) valued(row, column int, values []float64) string {
	return marked(row, column, t.figure(values[row], 0))
}

// named lists groups, each between two marks; if there are more than three, the first two and the
// number of the others.
func (t *teller) named(groups []int, mark string) string {
	var names []string
	for i, g := range groups {
		if i == 2 && len(groups) > 3 {
			names = append(names, fmt.Sprintf("%d others", len(groups)-2))
			break
		}
		names = append(names, mark+t.label(g)+mark)
	}
	return specialist.List(names, "and")
}

// alike narrates groups that all have the same value.
func (t *teller) alike(what string, values []float64) narration {
	who := "All " + rowCount(len(values)) + " groups"
	if len(values) == 2 {
		who = t.named([]int{0, 1}, "**")
	}
	what = strings.TrimPrefix(strings.TrimPrefix(what, "highest "), "lowest ")
	text := fmt.Sprintf("%s have the same %s%s: **%s**.", who, what, t.scope(), t.valued(0, 1, values))
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}

// versus compares two groups.
func (t *teller) versus(a, b int, values []float64) string {
	diff := math.Abs(values[a] - values[b])
	compared := domain.Figure{Row: a, Column: 1, Of: domain.FigureDifference, Other: b}
	text := fmt.Sprintf("%s has %s, a difference of %s", t.label(b), t.valued(b, 1, values), derived(compared, t.distance(diff)))
	if values[b] > 0 && values[a] > 0 && !t.form.interval() {
		text += fmt.Sprintf(": %s has %s", t.label(a), t.relative(a, b, values))
	}
	return text + "."
}

// distance writes the difference of two values of the first measure; for percentages in percentage
// points.
func (t *teller) distance(v float64) string {
	if times := t.percent(0); times != 0 {
		return strings.TrimSuffix(percentText(times*v), "%") + " percentage points"
	}
	return t.figure(v, 0)
}

// relative says how much more or less the first row has than the second.
func (t *teller) relative(row, other int, values []float64) string {
	a, b := values[row], values[other]
	of := domain.Figure{Row: row, Column: t.dims, Of: domain.FigureChange, Other: other}
	change := 100 * (a - b) / math.Abs(b)
	switch {
	case change >= 200:
		of.Of = domain.FigureTimes
		return derived(of, specialist.Format(math.Round(10*a/b)/10)) + " times as much"
	case change >= 0:
		return derived(of, specialist.Percent(change)) + " more"
	default:
		return derived(of, specialist.Percent(-change)) + " less"
	}
}

// shareText returns a group's part of the whole, if a sum of the groups makes sense.
func (t *teller) shareText(i int, values []float64) string {
	if t.form.share {
		if p, ok := specialist.Number(t.cell(i, t.dims+len(t.form.measures))); ok {
			return ", " + marked(i, t.dims+len(t.form.measures), percentText(p)) + " of the whole"
		}
	}
	if !t.whole() || len(values) < 3 {
		return ""
	}
	sum := 0.0
	for _, v := range values {
		switch {
		case v < 0:
			return ""
		case !math.IsNaN(v):
			sum += v
		}
	}
	if sum <= 0 {
		return ""
	}
	part := derived(domain.Figure{Row: i, Column: t.dims, Of: domain.FigureShare}, specialist.Percent(100*values[i]/sum))
	return fmt.Sprintf(", %s of the total of %s", part, derived(domain.Figure{Column: t.dims, Of: domain.FigureSum}, t.figure(sum, 0)))
}

// whole reports whether the groups together are everything that was asked for.
func (t *teller) whole() bool {
	m := t.form.measures[0]
	return t.form.limit == 0 && !t.cut && len(t.form.having) == 0 && m.per == nil && m.over == nil && m.each == grainNone &&
		(m.agg == aggSum || m.agg == aggCount)
}

// otherMeasures returns the further numbers of the leading group.
func (t *teller) otherMeasures(row int) string {
	var parts []string
	for i, m := range t.form.measures[1:] {
		if v, ok := specialist.Number(t.cell(row, t.dims+1+i)); ok {
			parts = append(parts, fmt.Sprintf("%s %s", m.said(t.form), marked(row, t.dims+1+i, t.figure(v, i+1))))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(" For %s it comes with %s.", t.label(row), specialist.List(parts, "and"))
}

// crossed narrates groups of two or three dimensions.
func (t *teller) crossed() narration {
	f := t.form
	values := t.values(t.dims)
	ranked, _ := t.rankedValues(values)
	best, worst := extremes(ranked)
	what := f.measures[0].said(f)
	if best < 0 {
		text := fmt.Sprintf("None of the %s groups has a value of %s.", rowCount(len(t.rows)), what)
		return narration{answer: text, summary: text}
	}
	if n, ok := t.compared(values); ok {
		return n
	}
	var names []string
	for _, d := range f.dims {
		names = append(names, d.said())
	}
	text := fmt.Sprintf("Of the %s combinations of %s%s, **%s** has the highest %s: **%s**.", rowCount(len(t.rows)),
		specialist.List(names, "and"), t.scope(), t.label(best), what, t.valued(best, t.dims, values))
	summary := strings.ReplaceAll(text, "**", "")
	if len(t.rows) > 1 {
		text += fmt.Sprintf(" The lowest is %s with %s.", t.label(worst), t.valued(worst, t.dims, values))
	}
	if t.whole() {
		text = strings.TrimSpace(text + " " + t.totals(values))
	}
	return narration{answer: text + t.partialLast(), summary: summary + t.partialLast()}
}

// totals adds the groups by the last dimension, if it has few values.
func (t *teller) totals(values []float64) string {
	k := t.dims - 1
	sums := make(map[string]float64)
	var keys []string
	rows := make(map[string]int) // one row for each key
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		key := t.groupLabel(i, k)
		if _, ok := sums[key]; !ok {
			keys, rows[key] = append(keys, key), i
		}
		sums[key] += v
	}
	if len(keys) < 2 || len(keys) > 30 {
		return ""
	}
	slices.SortStableFunc(keys, func(a, b string) int {
		switch {
		case sums[a] > sums[b]:
			return -1
		case sums[a] < sums[b]:
			return 1
		default:
			return 0
		}
	})
	of := func(key string) string {
		return derived(domain.Figure{Row: rows[key], Column: t.dims, Of: domain.FigureGroupSum, Other: k}, t.figure(sums[key], 0))
	}
	return fmt.Sprintf("Added up by %s, %s leads with %s, before %s with %s.", t.form.dims[k].said(), keys[0], of(keys[0]), keys[1],
		of(keys[1]))
}

// part narrates a share of all rows.
func (t *teller) part() narration {
	some, ok1 := specialist.Number(t.cell(0, 0))
	all, ok2 := specialist.Number(t.cell(0, 1))
	share, ok3 := specialist.Number(t.cell(0, 2))
	if !ok2 || !ok3 || all == 0 {
		text := "There is nothing to take a share of" + t.scope() + "."
		return narration{answer: text, summary: text}
	}
	if !ok1 {
		some = 0
	}
	of := t.form.view.base.label()
	if len(t.form.measures) > 0 && t.form.measures[0].col != nil {
		of = t.form.measures[0].said(t.form)
	}
	part := "is where " + strings.ReplaceAll(t.form.shareOf.said(), "`", "")
	if t.form.shareOf.events != nil {
		part = t.form.shareOf.ownedEvents()
	}
	text := fmt.Sprintf("**%s** of %s%s %s: %s out of %s.", marked(0, 2, percentText(share)), of, t.scope(), part,
		marked(0, 0, t.figure(some, 0)), marked(0, 1, t.figure(all, 0)))
	return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
}

// parts narrates a share in each of several groups.
func (t *teller) parts() narration {
	values, _ := t.rankedValues(t.values(t.dims + 2))
	best, worst := extremes(values)
	what := strings.ReplaceAll(t.form.shareOf.said(), "`", "")
	if best < 0 {
		text := "There is nothing to take a share of" + t.scope() + "."
		return narration{answer: text, summary: text}
	}
	if len(values) > 1 && values[best] == values[worst] && !slices.ContainsFunc(values, math.IsNaN) {
		text := fmt.Sprintf("The share where %s is the same for all %s groups%s: **%s**.", what, rowCount(len(values)), t.scope(),
			marked(best, t.dims+2, percentText(values[best])))
		return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
	}
	some, _ := specialist.Number(t.cell(best, t.dims))
	all, _ := specialist.Number(t.cell(best, t.dims+1))
	text := fmt.Sprintf("The share where %s is highest for **%s**%s: **%s** (%s of %s).", what, t.label(best), t.scope(),
		marked(best, t.dims+2, percentText(values[best])), marked(best, t.dims, t.figure(some, 0)), marked(best, t.dims+1, t.figure(all, 0)))
	summary := strings.ReplaceAll(text, "**", "")
	if best != worst {
		text += fmt.Sprintf(" It is lowest for %s with %s.", t.label(worst), marked(worst, t.dims+2, percentText(values[worst])))
	}
	return narration{answer: text, summary: summary}
}

func (t *teller) correlated() narration {
	a, b := t.form.measures[0].col.saidTitle(), t.form.measures[1].col.saidTitle()
	r, ok := specialist.Number(t.cell(0, 0))
	n, _ := specialist.Number(t.cell(0, 1))
	if !ok {
		text := fmt.Sprintf("There are not enough different values of %s and %s to relate them.", a, b)
		return narration{answer: text, summary: text}
	}
	word := "hardly go together"
	switch s := math.Abs(r); {
	case s >= 0.7:
		word = "go together strongly"
	case s >= 0.4:
		word = "go together moderately"
	case s >= 0.2:
		word = "go together weakly"
	}
	dir := ""
	if math.Abs(r) >= 0.2 {
		dir = map[bool]string{true: ": where one is higher, so is the other", false: ": where one is higher, the other is lower"}[r > 0]
	}
	text := fmt.Sprintf("The correlation of %s and %s is **%s** over %s pairs. They %s%s.", a, b, marked(0, 0, specialist.Format(r)),
		marked(0, 1, specialist.Format(n)), word, dir)
	if t.form.tested {
		text += t.significance()
	}
	return narration{answer: text + " That does not tell which one is the cause, if any.", summary: strings.ReplaceAll(text, "**", "")}
}
