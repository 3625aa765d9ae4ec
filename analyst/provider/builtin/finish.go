package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// finish decides the role of the parts that no production settled, and fills in what the question left
// open; the plan says what was filled in.
func (p *parser) finish() {
	f := p.form
	if f.help || f.mode == modeDescribe {
		p.describeOrAsk()
		if f.mode == modeDescribe {
			return
		}
	}
	p.fragmentary()
	p.ungroupedHaving()
	p.settleAlternatives()
	p.placeSpans()
	p.placeRecurring()
	if f.share {
		p.placeNumbers()
	}
	p.placeBins()
	if f.compare && len(f.measures) == 2 && f.measures[0].assumed && f.measures[1].assumed && len(f.dims)+len(f.where)+len(p.mentions) == 0 {
		// "vibration vs temperature" asks how two numbers are related.
		f.mode = modeCorrelation
	}
	if f.mode == modeCorrelation && p.correlate() {
		return
	}
	if p.drawn() {
		p.account()
		return
	}
	p.placeOfWhere()
	p.placeExtreme()
	p.onAverage()
	p.placeAgg()
	p.placeMentions()
	p.placeCompare()
	p.placeShare()
	p.causeOfShare()
	p.nounOfShare()
	if f.growth && f.timed() == nil {
		p.addGrain(grainAuto)
	}
	p.latestOfEach()
	p.blockPartialAnswers()
	if f.mode == modeRows && f.latestOf == nil && (len(f.dims) > 0 || slices.ContainsFunc(f.measures, func(m measure) bool {
		return !m.assumed
	})) {
		f.mode = modeGroups
	}
	if p.superDir != "" && p.hasWhich() && f.limit == 0 && f.mode == modeGroups && len(f.dims) > 0 {
		f.single = true
	}
	p.defaultMeasure()
	p.figuresInPercent()
	p.monthly()
	p.onAverage()
	p.grains()
	p.whoMost()
	p.rankRows()
	p.rowsOnly()
	p.order()
	p.placeNumbers()
	p.addDateFilters()
	p.spent()
	p.countedValue()
	p.consumed()
	p.payrolls()
	p.soldPieces()
	p.meanOfRows()
	p.dividedBy()
	p.placeRunning()
	p.placeMoving()
	p.placeNth()
	p.repeats()
	p.noMonth()
	p.whichFlow()
	p.settled = true
	p.blockPartialAnswers()
	f.hasEmpty()
	f.whole()
	p.account()
}

// hasEmpty removes a contradiction: rows that "have a remark that is empty" have no remark, although
// "have" means that there is one.
func (f *form) hasEmpty() {
	f.where = slices.DeleteFunc(f.where, func(c condition) bool {
		return c.op == opNotNull && slices.ContainsFunc(f.where, func(o condition) bool { return o.op == opNull && o.col == c.col })
	})
}

// spent turns the sign of money that was spent, so that the most is the highest number.
func (p *parser) spent() {
	f, c := p.form, p.signed()
	if f.flow != "<" || f.mode != modeGroups || c == nil {
		return
	}
	for i := range f.measures {
		m := &f.measures[i]
		if m.col != c || m.agg == aggCount || m.agg == aggDistinct || m.over != nil || m.per != nil {
			continue
		}
		m.minus, m.assumed = true, false
		switch m.agg {
		case aggMin:
			m.agg = aggMax
		case aggMax:
			m.agg = aggMin
		default:
		}
	}
	if f.flowed && len(f.dims) > 0 {
		f.desc = !f.desc
	}
}

// guessedNote begins the note on a comparison for which the question names no column.
const guessedNote = "You did not name a measure, so I compared "

// placeNumbers settles comparisons for which the question names no column.
func (p *parser) placeNumbers() {
	f := p.form
	nums := p.nums
	p.nums = nil
	for _, n := range nums {
		if n.col = p.likely(n.nums[0]); n.col == nil {
			n.col = p.scaledUp(n.nums[0])
		}
		if c := primary(f.view.base); n.col == nil && c != nil && c.strong() && !c.rate() &&
			(len(f.dims) > 0 || slices.ContainsFunc(p.mentions, func(m *column) bool {
				return m.groups() && !p.unique(m)
			})) {
			n.col = c // the total of a group may exceed each of its rows
		}
		if n.col == nil {
			f.ignored = append(f.ignored, fmt.Sprintf("%s %s", n.op, trimFloat(n.nums[0])))
			f.blocked = true // without the bound it would be another question
			continue
		}
		n.guessed = true
		p.compareWith(n)
		f.note(fmt.Sprintf(guessedNote+"%s.", quoteName(n.col)))
	}
}

// describeOrAsk decides between a description and an answer: "overview of revenue by region" asks for
// numbers.
func (p *parser) describeOrAsk() {
	if p.form.mode == modeDescribe && (len(p.form.dims) > 0 || len(p.form.measures) > 0 && len(p.form.where)+len(p.mentions) > 0 ||
		len(p.form.measures) > 0) {
		p.form.mode = modeGroups
	}
}

// fragmentary records whether the question itself says what is asked.
func (p *parser) fragmentary() {
	f := p.form
	says := p.tableNamed() || len(f.measures) > 0 || f.orderCol != nil || f.share || f.growth || f.mode != modeGroups || p.hint == "primary"
	cut := len(f.dims) > 0 && len(f.measures) == 0 && f.explained < 4 && !p.hasWhich()
	f.fragment = !says || (cut && f.follows)
	if f.follows && len(f.measures) == 0 {
		f.fragment = true
	}
	f.stance.tabled = p.tableNamed()
	f.stance.measured = len(f.measures)+len(p.agg) > 0 || f.orderCol != nil || p.counting
}

func (p *parser) hasWhich() bool {
	return slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomWhich })
}

// tableNamed reports whether the question names what one row is.
func (p *parser) tableNamed() bool {
	for i := range p.atoms {
		a := &p.atoms[i]
		if a.kind == atomLink && tableOfLink(a) == p.form.view.base && p.tableBeatsColumn(a) {
			return true
		}
	}
	return false
}

// placeSpans turns times into conditions on a date.
func (p *parser) placeSpans() {
	f := p.form
	if len(p.spans) == 0 {
		return
	}
	if p.yearNamed() {
		return
	}
	d := p.dateOf()
	if d == nil {
		p.spansWithoutDate()
		return
	}
	if p.seasonNamed(d) {
		return
	}
	var resolved []span
	p.borrowYears()
	for _, s := range p.spans {
		if s.relative && len(p.spans) > 1 && slices.ContainsFunc(p.spans, func(o span) bool {
			return o.current && o.grain == s.grain
		}) && !s.current {
			// "this year" and "last year" are counted from the same day.
			if _, last := d.reach(); !last.IsZero() && last.Before(p.now) {
				s.from, s.to = s.window(last)
				s.relative = false
				s.label += fmt.Sprintf(" (%s to %s)", s.from.Format("2 Jan 2006"), s.to.AddDate(0, 0, -1).Format("2 Jan 2006"))
			}
		}
		r, note := resolve(s, p.now, d)
		if note != "" {
			f.note(note)
		}
		resolved = append(resolved, r)
	}
	priorStretch(resolved)
	if len(resolved) > 1 && resolved[0].open == "" && resolved[1].open == "" {
		if g := resolved[0].grain; g != grainNone && g == resolved[1].grain && resolved[0].back < 2 && resolved[1].back < 2 && f.timed() == nil {
			f.dims = append([]dimension{{col: d, grain: g}}, f.dims...)
		} else if p.placePeriods(d, resolved) && f.blocked {
			return
		}
	}
	if len(resolved) == 1 && f.growth && f.timed() == nil && strings.Contains(resolved[0].label, " to ") && resolved[0].grain != grainNone {
		f.dims = append([]dimension{{col: d, grain: resolved[0].grain}}, f.dims...)
	}
	if len(resolved) == 2 && resolved[0].open != "" && resolved[1].open != "" && resolved[0].open != resolved[1].open {
		// "since March and before June": both hold at once.
		resolved[0].to, resolved[0].label = resolved[1].to, resolved[0].label+" and "+resolved[1].label
		if resolved[0].from.IsZero() {
			resolved[0].from = resolved[1].from
		}
		resolved = resolved[:1]
	}
	// A thing that was not done since then was done earlier, or never.
	undone := slices.ContainsFunc(p.named, func(m mention) bool { return m.col == d && slices.Contains(p.undone, m.at) })
	for _, s := range resolved {
		f.where = append(f.where, condition{col: d, op: opSpan, span: s, not: undone})
	}
}

// yearNamed reads "built after 2000" as a condition on a column of years.
func (p *parser) yearNamed() bool {
	f := p.form
	for _, m := range p.named {
		if !m.col.isYear() {
			continue
		}
		for _, s := range p.spans {
			if s.grain != grainYear || s.relative || s.from.IsZero() {
				return false
			}
			p.addYear(m.col, s)
		}
		f.dims = slices.DeleteFunc(f.dims, func(d dimension) bool { return d.col == m.col })
		p.mentions = slices.DeleteFunc(p.mentions, func(c *column) bool { return c == m.col })
		f.measures = slices.DeleteFunc(f.measures, func(x measure) bool { return x.col == m.col && x.agg == aggDistinct })
		p.counting = p.counting || len(f.measures) == 0 && slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomHowMany })
		return true
	}
	return false
}

// seasonNamed takes a year as the season of that name, if the rows have a season: what was sown in autumn belongs to the year after. It
// does so only if the question names no date.
func (p *parser) seasonNamed(d *column) bool {
	at := slices.IndexFunc(p.form.view.base.columns, func(c *column) bool {
		return c.isYear() && c.words[len(c.words)-1] == stem("season")
	})
	if at < 0 || p.dateNamed != nil || slices.ContainsFunc(p.spans, func(s span) bool { return s.grain != grainYear || s.from.IsZero() }) {
		return false
	}
	c := p.form.view.base.columns[at]
	for _, s := range p.spans {
		year, _ := resolve(s, p.now, d)
		p.addYear(c, year)
	}
	p.form.note(fmt.Sprintf("I took the year as the %s.", c.title()))
	return true
}

// yearCondition is a span of whole years as a condition on a column of years.
func yearCondition(c *column, s span) condition {
	year, op := float64(s.from.Year()), opEq
	switch s.open {
	case "after":
		op = opGt
	case "since":
		op = opGe
	case "before":
		op = opLt
	case "until":
		op = opLe
	}
	if last := float64(s.to.Year() - 1); s.open == "" && last > year {
		return condition{col: c, op: opBetween, nums: []float64{year, last}}
	}
	return condition{col: c, op: op, nums: []float64{year}}
}

// whoMost reads "who resolved the most tickets" as a ranking of the people that the rows name.
func (p *parser) whoMost() {
	f := p.form
	if f.mode != modeGroups || len(f.dims) > 0 || !p.hasWho() || p.superDir == "" || len(f.measures) != 1 || f.measures[0].agg != aggCount {
		return
	}
	if c := p.person(); c != nil {
		if money := primary(f.view.base); f.measures[0].assumed && money != nil && money.strong() && !money.rate() && !p.tableNamed() {
			f.measures = []measure{{agg: aggSum, col: money, assumed: true}}
			f.note(fmt.Sprintf("You did not say the most of what, so I took %s.", quoteName(money)))
		}
		f.dims, f.single, f.ordered, f.desc = []dimension{{col: c}}, true, true, p.superDir == "desc"
		return
	}
	f.block("I could not tell who is meant.")
}

// drawn reads a question for a chart: a scatter plot shows two numbers of each row; other charts of one
// number show it for each row, or over time.
func (p *parser) drawn() bool {
	f := p.form
	var numbers []*column
	for _, m := range f.measures {
		if m.col != nil && m.col.isNumber() && m.over == nil {
			numbers = append(numbers, m.col)
		}
	}
	if f.chart == "" || f.chart == "none" || len(f.dims) > 0 || len(p.mentions) > 0 || len(numbers) != len(f.measures) ||
		f.mode == modeRows || f.share || f.growth || len(f.having) > 0 {
		return false
	}
	switch {
	case f.chart == "scatter" && len(numbers) == 2:
		f.mode, f.columns, f.limit, f.fragment = modeRows, numbers, 2000, false
		f.measures = nil
		return true
	case f.chart == "scatter", len(numbers) == 0, f.follows:
		return false
	}
	for _, c := range f.view.base.columns {
		if c.isText() && p.unique(c) && c.Distinct <= 60 && len(numbers) == 1 {
			p.addDim(dimension{col: c})
			return false
		}
	}
	if p.dateOf() != nil {
		p.addGrain(grainAuto)
	}
	return false
}

// rowsOnly decides between rows and groups: groups of one row each that are only counted become rows.
func (p *parser) rowsOnly() {
	f := p.form
	if f.mode == modeRows && len(f.columns) == 1 && f.orderCol == nil && f.limit == 0 && f.columns[0].isText() && f.columns[0].groups() &&
		!p.unique(f.columns[0]) && f.columns[0].Distinct > 0 && !p.tableNamed() {
		// "list the departments" shows each department once.
		f.mode, f.dims, f.columns, f.measures = modeGroups, []dimension{{col: f.columns[0]}}, nil, []measure{{agg: aggCount, assumed: true}}
		return
	}
	if f.mode != modeGroups || len(f.dims) != 1 || len(f.measures) != 1 || f.measures[0].agg != aggCount || f.share || len(f.having) > 0 ||
		p.superDir != "" {
		return
	}
	if d := f.dims[0]; p.unique(d.col) && d.grain == grainNone && (p.which || p.hint == "which" || f.measures[0].assumed) &&
		!slices.ContainsFunc(p.atoms, func(a atom) bool {
			return a.kind == atomHowMany
		}) {
		f.mode, f.dims, f.measures = modeRows, nil, nil
	}
}

// rankRows reads "the top five employees by salary" as rows, unless many rows have the same name.
func (p *parser) rankRows() {
	f := p.form
	if f.mode != modeGroups || f.limit == 0 || len(f.measures) != 1 || f.measures[0].col == nil || f.share || f.growth {
		return
	}
	m := f.measures[0]
	byRow := len(f.dims) == 1 && p.unique(f.dims[0].col) && f.dims[0].grain == grainNone && !f.dims[0].col.isText()
	byRow = byRow || len(f.dims) == 1 && p.keyed(f.dims[0].col) != nil
	byRow = byRow || len(f.dims) == 1 && p.unique(f.dims[0].col) && f.dims[0].col.keyLike()
	if len(f.dims) > 0 && !byRow || m.over != nil || m.per != nil || m.each != grainNone || m.agg == aggCount || m.agg == aggDistinct ||
		!m.assumed {
		return
	}
	if shown := nameColumn(f.view.base); len(f.dims) == 0 && shown != nil && shown.Distinct > 1 && 2*shown.Distinct < shown.table.Rows &&
		!p.rowsNamed(shown) {
		f.dims = []dimension{{col: shown}}
		return
	}
	if len(f.ignored) > 0 {
		f.blocked = true // a part of the question that was to be ranked has no column
	}
	f.mode, f.dims, f.orderCol, f.single = modeRows, nil, m.col, true
	f.columns = p.showcase(m.col)
}

// spansWithoutDate uses a column of years, or of month numbers, in place of a date.
func (p *parser) spansWithoutDate() {
	f := p.form
	for _, s := range p.spans {
		placed := false
		for _, c := range f.view.columns() {
			switch {
			case c.isYear() && isYearSpan(s):
				p.addYear(c, s)
				placed = true
			case s.noYear && s.month > 0 && c.isPart() && slices.Contains(c.words, "month"):
				f.where = append(f.where, condition{col: c, op: opEq, nums: []float64{float64(s.month)}})
				placed = true
			}
			if placed {
				break
			}
		}
		if year := f.view.base.ofYear(p.asked); year != "" && isYearSpan(s) && strings.Contains(s.label, year) {
			placed = true // all rows of the sheet 2025 belong to that year
			f.note(fmt.Sprintf("I took all rows of `%s`, which have no date of their own.", f.view.base.label()))
		}
		placed = placed || p.partSpan(s)
		if !placed {
			f.block(fmt.Sprintf("There is no date in %s, so it cannot be narrowed to %s.", f.view.told(), s.label))
		}
	}
}

// placeBins reads a distribution: for a text it is a count for each of its values.
func (p *parser) placeBins() {
	f := p.form
	if p.hint != "bins" && !slices.ContainsFunc(f.dims, func(d dimension) bool { return d.width > 0 }) {
		return
	}
	if p.hint == "bins" {
		p.hint = ""
		for _, m := range f.measures {
			if len(f.dims) > 0 {
				// "how revenue is distributed across regions" asks for the total of each.
				return
			}
			if m.col != nil && m.assumed {
				f.dims = append(f.dims, binned(m.col))
				f.measures = nil
				break
			}
		}
		for _, c := range p.mentions {
			if c.keyLike() && c.Distinct > 50 {
				p.passed = append(p.passed, c) // "the ages of the patients" does not ask for each patient
				continue
			}
			p.addDim(dimension{col: c})
		}
		p.mentions = nil
	}
	if len(f.measures) == 0 {
		f.measures = []measure{{agg: aggCount}}
	}
}

// correlate selects the two numbers that are to be related.
func (p *parser) correlate() bool {
	f := p.form
	numbers := slices.DeleteFunc(slices.Clone(f.measures), func(m measure) bool { return m.col == nil || !m.col.isNumber() })
	if len(numbers) < 2 {
		f.mode = modeGroups
		return false
	}
	f.measures = numbers[:2]
	return true
}
