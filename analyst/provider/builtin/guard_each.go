package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// guardEach refuses readings that drop what follows "per": things with a key must divide, group, or be
// the rows themselves.
func (p *parser) guardEach() {
	f := p.form
	if f.mode != modeGroups || f.blocked {
		return
	}
	for _, m := range p.named {
		if m.at == 0 || p.atoms[m.at-1].kind != atomEach && p.atoms[m.at-1].kind != atomBy || !m.col.keyLike() &&
			m.col.table == f.view.base {
			continue
		}
		if p.uses(m.col) || p.unique(m.col) {
			continue
		}
		p.refuse(p.atoms[m.at-1].words+" "+m.words, "")
	}
	p.guardParted()
}

// uses reports whether the form uses a column, or the name that represents its key.
func (p *parser) uses(c *column) bool {
	f := p.form
	same := func(o *column) bool {
		return o != nil && (o == c || o == p.known(c) || o.table == c.table && c.table != f.view.base || c.table.on == o ||
			o.table.on == c)
	}
	return slices.ContainsFunc(f.dims, func(d dimension) bool { return same(d.col) }) ||
		slices.ContainsFunc(f.measures, func(m measure) bool { return same(m.per) || same(m.col) }) || same(f.within) ||
		same(f.counted) || same(f.latestOf) || f.mode == modeRows ||
		slices.ContainsFunc(f.where, func(w condition) bool { return same(w.col) })
}

// namesToo reports whether the next word belongs to the name of the same column.
func (p *parser) namesToo(i int, c *column) bool {
	return i < len(p.atoms) && p.atoms[i].kind == atomLink && slices.ContainsFunc(p.atoms[i].links,
		func(l link) bool { return l.column == c && !l.isValue })
}

// dividedBy reads "cost per employee by team" as the cost of each team divided by its employees: a list
// of all employees would not need the team. "days per employee on average" has the same meaning.
func (p *parser) dividedBy() {
	f := p.form
	if f.mode != modeGroups || len(f.measures) != 1 || f.limit > 0 || f.ordered || f.single || len(f.having) > 0 || f.share ||
		f.shareOf != nil || f.growth || f.counted != nil {
		return
	}
	m := &f.measures[0]
	if p.medianOfEach(m) {
		return
	}
	if m.per != nil || m.over != nil || m.each != grainNone || m.agg != aggSum && m.agg != aggAvg && !(m.agg == aggCount &&
		m.col == nil) {
		return
	}
	late := slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomAgg && strings.EqualFold(a.words, "on average") })
	if len(f.dims) < 2 && !late || m.agg == aggAvg && !late || m.col != nil && m.col.rate() && !late {
		return
	}
	for i, d := range f.dims {
		if d.grain != grainNone || d.width > 0 || !p.behindPer(d.col) {
			continue
		}
		key := d.col
		if key.table.on != nil {
			key = key.table.on
		}
		if key.Distinct <= 30 || p.perTimes() > 1 {
			continue // with few values, or with two units, a table of both is meant
		}
		if len(f.dims) == 1 && (p.unique(key) || key.table == f.view.base && !key.keyLike()) {
			continue
		}
		m.per, m.agg, m.assumed = key, aggSum, false
		if m.col == nil {
			m.agg = aggCount
		}
		f.dims = slices.Delete(slices.Clone(f.dims), i, i+1)
		return
	}
}

// medianOfEach reads "median sales per order" as the median of the totals of the orders, if an order can have several rows: a
// separate median for each of thousands of orders would not be an answer.
func (p *parser) medianOfEach(m *measure) bool {
	f := p.form
	if m.agg != aggMedian || m.col == nil || m.col.table != f.view.base || m.per != nil || m.over != nil || m.each != grainNone ||
		m.col.rate() || m.col.level() || p.perTimes() > 1 {
		return false
	}
	for i, d := range f.dims {
		key := d.col
		if d.grain != grainNone || d.width > 0 || !p.behindPer(key) || key.made != nil || key.table != f.view.base || !key.keyLike() ||
			key.Distinct <= 30 || p.unique(key) {
			continue
		}
		m.per, m.assumed = key, false
		f.dims = slices.Delete(slices.Clone(f.dims), i, i+1)
		return true
	}
	return false
}

// perTimes counts the occurrences of "per" in the question.
func (p *parser) perTimes() int {
	n := 0
	for i := range p.atoms {
		if w := strings.ToLower(p.atoms[i].words); w == "per" || strings.HasPrefix(w, "per ") {
			n++
		}
	}
	return n
}

// behindPer reports whether "per" is before a column, or before the key or the table that it names.
func (p *parser) behindPer(c *column) bool {
	for i := 1; i < len(p.atoms); i++ {
		a := &p.atoms[i]
		if a.kind == atomLink && strings.EqualFold(p.atoms[i-1].words, "per") && slices.ContainsFunc(a.links, func(l link) bool {
			return !l.isValue && (l.column != nil && (l.column == c || p.known(l.column) == c) || l.table != nil &&
				l.table == c.table && c.table != p.form.view.base)
		}) {
			return true
		}
	}
	return false
}

// guardParted refuses a number that was chosen for a noun which is only the beginning of its name, if
// the noun is also the name of a key: meters are not meter readings.
func (p *parser) guardParted() {
	f := p.form
	for i := range p.atoms {
		a := &p.atoms[i]
		c, word := nounOf(a)
		if c == nil || !slices.ContainsFunc(a.links, func(l link) bool {
			return l.column != nil && l.column.keyLike() && len(l.column.words) > 1 &&
				slices.Equal(coreOf(l.column.words), []string{word})
		}) {
			continue
		}
		for _, m := range f.measures {
			if m.col != nil && m.col.isNumber() && len(coreOf(m.col.words)) > 1 && coreOf(m.col.words)[0] == word &&
				slices.ContainsFunc(a.links, func(l link) bool { return l.column == m.col }) &&
				!slices.ContainsFunc(p.named, func(o mention) bool { return o.col == m.col && o.at != i }) && !p.namesToo(i+1, m.col) {
				f.block(fmt.Sprintf("I could not tell whether “%s” is %s.", a.words, quoteName(m.col)))
			}
		}
	}
}

// guardAggregations compares each word of aggregation with the measures: the answer must contain the
// mean or median that was asked for, or it is refused.
func (p *parser) guardAggregations() {
	f := p.form
	if f.mode != modeGroups || f.share || f.shareOf != nil || f.growth || f.moving != nil {
		return
	}
	for i := range p.atoms {
		a := &p.atoms[i]
		if a.kind != atomAgg {
			continue
		}
		want := aggregate(a.text)
		carried := slices.ContainsFunc(f.measures, func(m measure) bool {
			return m.agg == want || m.eachAgg == want || m.per != nil || m.over != nil || m.each != grainNone || m.col != nil &&
				m.col.made != nil ||
				want == aggSum && (m.agg == aggCount || m.agg == aggDistinct)
		})
		if !carried && isOne(string(want), string(aggMax), string(aggMin)) && !f.ordered && !f.single && f.orderCol == nil &&
			f.limit == 0 {
			p.refuse(a.words, ": I could not tell of what")
		}
		if !carried && want == aggSum && slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggAvg && m.assumed }) &&
			strings.HasSuffix(strings.ToLower(a.words), "total") {
			p.refuse(a.words, ": I would give an average")
		}
		if !carried && isOne(string(want), string(aggAvg), string(aggMedian), string(aggStddev)) && !p.atoms[i].isMean(f) {
			p.refuse(a.words, ": I could not tell of what")
		}
	}
}

// isMean reports whether a measure is a column that already contains the statistic.
func (a *atom) isMean(f *form) bool {
	return slices.ContainsFunc(f.measures, func(m measure) bool {
		if m.col == nil {
			return false
		}
		stat, _ := m.col.held()
		return stat == aggregate(a.text)
	})
}
