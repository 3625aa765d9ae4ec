package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// growthGrain groups by the unit that a phrase such as year over year names.
func (p *parser) growthGrain(a *atom) {
	words := strings.ToLower(a.words)
	for _, g := range []grain{grainYear, grainMonth, grainWeek, grainQuarter, grainDay} {
		if strings.HasPrefix(words, string(g)+" over") {
			p.addGrain(g)
		}
	}
	switch words {
	case "yoy":
		p.addGrain(grainYear)
	case "mom":
		p.addGrain(grainMonth)
	case "qoq":
		p.addGrain(grainQuarter)
	case "wow":
		p.addGrain(grainWeek)
	}
}

// sinceThen opens a time whose "since" was read as the end of a column's name: customers since 2025 are those from 2025 on, and
// not only those of that year.
func (p *parser) sinceThen(s span) span {
	if p.pos == 0 || s.open != "" || s.relative || s.upto != nil || p.atoms[p.pos-1].kind != atomLink ||
		lastWord(p.atoms[p.pos-1].words) != "since" {
		return s
	}
	s.open, s.label = "since", "since "+s.label
	return s
}

// grainAuto is a grain that depends on the length of time that the data cover.
const grainAuto grain = "auto"

// clock returns the column with the time of day as text, such as 08:30, next to a date; if there are
// several, the one that the question refers to. It returns nil if there is none.
func (p *parser) clock() *column {
	var best *column
	for _, c := range p.form.view.base.columns {
		if !c.isClock() {
			continue
		}
		if best == nil || p.shared(c) > p.shared(best) {
			best = c
		}
	}
	return best
}

// isClock reports whether all known values of a text column are times of day.
func (c *column) isClock() bool {
	return c.isText() && len(c.Values) > 0 && !slices.ContainsFunc(c.Values, func(v string) bool {
		return !clockTime.MatchString(v) || strings.HasSuffix(v, "m")
	})
}

// addGrain groups by time.
func (p *parser) addGrain(g grain) {
	if g == grainNone {
		g = grainAuto
	}
	for i := range p.form.dims {
		if p.form.dims[i].grain == grainAuto {
			p.form.dims[i].grain = g
			return
		}
		if p.form.dims[i].grain != grainNone && g == grainAuto {
			return
		}
	}
	if d := p.dateOf(); d != nil {
		hourly := isOne(string(g), string(grainHour), string(grainHourOfDay))
		if c := p.clock(); hourly && d.Type == domain.ColumnDate && c != nil {
			p.addDim(dimension{col: c, grain: grainHourOfDay})
			return
		}
		if hourly && d.Type == domain.ColumnDate {
			p.form.block(fmt.Sprintf("%s has days and no hours.", quoteName(d)))
		}
		p.addDim(dimension{col: d, grain: g})
		return
	}
	for _, c := range p.form.view.columns() {
		if c.isPart() && (g == grainAuto || slices.Contains(c.words, stem(string(g)))) {
			p.addDim(dimension{col: c})
			return
		}
	}
	p.form.block(fmt.Sprintf("There is no date in %s, so I could not group by time.", p.form.view.told()))
}

// readGrain groups by a unit of time, or takes the mean over it.
func (p *parser) readGrain(a *atom) {
	if p.pos > 0 && p.atoms[p.pos-1].words == "in" && strings.HasSuffix(a.words, "s") && len(p.form.measures) > 0 {
		// "in days" is a unit of a number, and not a group.
		p.form.ignored = append(p.form.ignored, "in "+a.words)
		p.form.blocked = true
		return
	}
	if p.pos > 0 && strings.EqualFold(p.atoms[p.pos-1].words, "all") && isOne(strings.ToLower(a.words), "year", "day", "week", "month") {
		// "open all year" is not a time series.
		p.form.ignored = append(p.form.ignored, "all "+a.words)
		return
	}
	before := max(0, p.pos-1)
	for before > 0 && p.atoms[before].kind == atomStop && len(p.atoms[before].words) == 1 {
		before--
	}
	if p.pos > 0 && strings.HasSuffix(a.words, "s") && !p.byNext && !p.perNext && p.atoms[before].kind == atomLink &&
		valueOf(&p.atoms[before]) != nil && p.last != nil && !p.last.isDate() &&
		slices.ContainsFunc(append(splitName(p.last.Description), p.last.words...), func(w string) bool {
			return stem(w) == stem(strings.ToLower(a.words)) || abbreviated(w) == stem(strings.ToLower(a.words))
		}) {
		return // "10+ years" is a value of the column
	}
	p.explain(a, 0.7)
	if d := p.dateOfThing(); d != nil {
		p.dateNamed = d
	}
	g := grain(a.text)
	if len(p.agg) > 0 && p.agg[0] == aggAvg && p.aggPos == p.pos-1 && strings.HasSuffix(strings.ToLower(a.words), "ly") {
		p.eachGrain = g // the average monthly spending is the mean of the months
		return
	}
	if len(p.agg) == 1 && isOne(string(p.agg[0]), string(aggMedian), string(aggMin), string(aggMax)) && p.aggPos == p.pos-1 &&
		strings.HasSuffix(strings.ToLower(a.words), "ly") {
		p.eachGrain, p.eachAgg = g, p.agg[0]
		return
	}
	if p.counting && p.pos > 0 && p.atoms[p.pos-1].kind == atomHowMany {
		p.form.block(fmt.Sprintf("I could not tell which %ss to count.", g))
		return
	}
	per := p.perNext || strings.HasPrefix(strings.ToLower(a.words), "per ")
	p.byNext, p.perNext = false, false
	if n := len(p.form.measures); n > 0 && per && !p.basket && p.form.dateColumn(p.spanHint) != nil {
		m := &p.form.measures[n-1]
		if (m.agg == aggAvg && m.col != nil && !m.col.rate()) || p.hint == "ratio" {
			if m.agg == aggAvg {
				m.agg = aggSum
			}
			m.each, p.hint = g, ""
			return
		}
	}
	if p.superPos >= 0 && p.superPos == p.pos-1 {
		p.form.single = p.form.limit == 0
		if g == grainHour && p.hint == "count" {
			g = grainHourOfDay // the busiest hour is one of the day
		}
	}
	if p.which {
		p.which = false
		p.form.single = p.superPos >= 0
		p.hint = orElse(p.hint, "which")
	}
	top := p.topOfEach()
	p.addGrain(g)
	if d := p.form.timed(); top && d != nil {
		p.form.within = d.col
	}
}

// topOfEach reports whether the unit of time that follows has a ranking of its own in each of it: the top route each month, the most
// common fault by month.
func (p *parser) topOfEach() bool {
	f := p.form
	if len(f.dims) != 1 || f.dims[0].grain != grainNone || p.pos == 0 {
		return false
	}
	switch each := p.atoms[p.pos-1].kind == atomEach && p.atoms[p.pos-1].words != "per"; {
	case each && f.limit > 0:
		if p.topOpen {
			f.limit = p.topFew
		}
		return true
	case f.limit == 0 && f.single && p.countedMost() && !p.hasWhich() && (each || p.atoms[p.pos-1].kind == atomBy ||
		p.atoms[p.pos-1].kind == atomEach || strings.HasPrefix(strings.ToLower(p.atoms[p.pos].words), "per ") ||
		strings.HasPrefix(strings.ToLower(p.atoms[p.pos].words), "by ")):
		f.limit, f.single = 1, false
		return true
	default:
		return false
	}
}

// dateOfThing returns the date of the thing whose time is asked for: the month of the performance, if the rows are its tickets; nil if
// it is none of another table.
func (p *parser) dateOfThing() *column {
	date := func(a *atom) *column {
		if a == nil || valueOf(a) != nil {
			return nil
		}
		for _, t := range p.form.view.joined {
			if dates := t.dates(); len(dates) > 0 && slices.ContainsFunc(a.links, func(l link) bool {
				return l.table == t && l.quality >= 0.8 || l.column != nil && !l.isValue && l.column == t.on && l.quality >= 0.8
			}) && !slices.ContainsFunc(a.links, func(l link) bool { return l.table == p.form.view.base && l.quality >= 0.8 }) {
				return dates[0]
			}
		}
		return nil
	}
	if p.pos+1 < len(p.atoms) && strings.EqualFold(p.atoms[p.pos+1].words, "of") {
		if a := p.beside(p.pos+1, 1); date(a) != nil {
			a.kind = atomStop
			return date(a)
		}
	}
	n := len(p.form.dims)
	if p.pos > 1 && n > 0 && p.lastAt == p.pos-1 && isOne(strings.ToLower(p.atoms[p.pos-2].words), "by", "per") &&
		p.form.dims[n-1].grain == grainNone {
		if d := date(&p.atoms[p.pos-1]); d != nil {
			p.form.dims = p.form.dims[:n-1]
			p.byNext = true
			return d
		}
	}
	return nil
}

// asksDay reads "on what date" and "which day" as a request for the day itself, if the data have a
// date.
func (p *parser) asksDay(a *atom) bool {
	if !p.which || p.pos-p.whichPos > 1 || !isOne(strings.ToLower(a.words), "date", "dates", "day", "days") || p.dateOf() == nil {
		return false
	}
	p.which = false
	p.hint = orElse(p.hint, "which")
	p.addGrain(grainDay)
	return true
}

// grains sets each automatic grain by the length of time that the data cover.
func (p *parser) grains() {
	f := p.form
	for i := range f.dims {
		d := &f.dims[i]
		if d.grain != grainAuto {
			continue
		}
		from, to := d.col.reach()
		for _, w := range f.where {
			if w.op == opSpan && w.col == d.col {
				if !w.span.from.IsZero() {
					from = w.span.from
				}
				if !w.span.to.IsZero() {
					to = w.span.to
				}
			}
		}
		days := to.Sub(from).Hours() / 24
		switch {
		case from.IsZero() || to.IsZero():
			d.grain = grainMonth
		case days <= 2 && d.col.Type == "timestamp":
			d.grain = grainHour
		case days <= 45:
			d.grain = grainDay
		case days <= 120:
			d.grain = grainWeek
		case days <= 365*5:
			d.grain = grainMonth
		default:
			d.grain = grainYear
		}
	}
	for _, d := range f.dims {
		c := d.col
		known := slices.ContainsFunc(f.where, func(w condition) bool { return w.col == c })
		if d.grain != grainNone && c.Nulls > 0 && c.Nulls*2 <= c.table.Rows && !known && f.mode == modeGroups {
			f.where = append(f.where, condition{col: c, op: opNotNull})
			f.note(fmt.Sprintf("Rows without a %s are left out.", quoteName(c)))
		}
		if c.table.Rows > 0 && c.Nulls*2 > c.table.Rows && !known && f.mode == modeGroups {
			f.where = append(f.where, condition{col: c, op: opNotNull})
			f.note(fmt.Sprintf("Most rows have no %s; I left those out.", quoteName(c)))
		}
	}
	// "by month" with a column of that name named it twice.
	f.dims = slices.CompactFunc(f.dims, func(a, b dimension) bool {
		return a.col == b.col && a.grain == b.grain && a.grain != grainNone
	})
	// Time is first, because it becomes the axis.
	slices.SortStableFunc(f.dims, func(a, b dimension) int {
		at, bt := a.grain != grainNone, b.grain != grainNone
		switch {
		case at && !bt:
			return -1
		case bt && !at:
			return 1
		default:
			return 0
		}
	})
	if len(f.dims) > 3 {
		for _, d := range f.dims[3:] {
			f.ignored = append(f.ignored, d.col.title())
		}
		f.dims = f.dims[:3]
	}
}
