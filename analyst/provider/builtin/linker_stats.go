package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// The name of a column may contain the statistic in it: temp_max and temp_min. The word for the
// statistic is part of the name, and says which column is meant.

// statistic returns the aggregate that a word of a name means; "" for other words.
func statistic(w string) aggregate {
	switch w {
	case "max", "maximum", "high", "highest", "peak":
		return aggMax
	case "min", "minimum", "low", "lowest":
		return aggMin
	case "mean", "avg", "averag", "average":
		return aggAvg
	default:
		return ""
	}
}

// statistics returns the words that people use for the aggregate.
func (a aggregate) statistics() []string {
	switch a {
	case aggMax:
		return []string{"max", "maximum", "highest", "high", "peak"}
	case aggMin:
		return []string{"min", "minimum", "lowest", "low"}
	case aggAvg:
		return []string{"mean", "avg", "average"}
	default:
		return nil
	}
}

// held returns the statistic that a column contains, and the other words of its name: the maximum and
// temperature. It is a statistic only if another column of the table contains another statistic of the
// same thing, because min may also mean minutes.
func (c *column) held() (aggregate, []string) {
	stat, rest := splitStatistic(c.words)
	if stat == "" || c.made != nil || !c.isNumber() || len(rest) == 0 {
		return "", nil
	}
	for _, other := range c.table.columns {
		if s, r := splitStatistic(other.words); other != c && s != "" && s != stat && slices.Equal(r, rest) {
			return stat, rest
		}
	}
	return "", nil
}

func splitStatistic(words []string) (aggregate, []string) {
	for i, w := range words {
		if stat := statistic(w); stat != "" {
			return stat, slices.Delete(slices.Clone(words), i, i+1)
		}
	}
	return "", words
}

// addStatistic links the words of such a name in any order to the column, and the name without the
// statistic to the column of means, if there is one.
func (ix *index) addStatistic(c *column, quality float64, lex map[string][]string) {
	stat, rest := c.held()
	if stat == "" {
		return
	}
	core := coreOf(rest)
	names := [][]string{core}
	for i := range core {
		for _, other := range lex[core[i]] {
			name := slices.Clone(core)
			name[i] = other
			names = append(names, name)
		}
	}
	l := link{column: c, quality: 0.97 * quality}
	for i, name := range names {
		if i > 0 {
			l.quality = 0.9 * quality
		}
		for _, w := range stat.statistics() {
			l.stat = stat
			ix.add(append([]string{stem(w)}, name...), l)
			l.stat = ""
			ix.add(append(slices.Clone(name), stem(w)), l)
		}
	}
	if stat == aggAvg {
		ix.both(core, link{column: c, quality: 0.9 * quality}, lex)
	}
}

// readStatistic reads "max temperature" for a column of maxima as the highest of them, unless the
// question asks for another measure.
func (p *parser) readStatistic(a *atom, c *column) {
	for _, l := range a.links {
		if l.column == c && (l.stat == aggMax || l.stat == aggMin) && len(p.agg) == 0 && p.superPos < 0 && !p.byNext && !p.orderBy {
			p.agg, p.aggPos = []aggregate{l.stat}, p.pos
		}
	}
}

// sibling returns the column with another statistic of the same thing, or nil.
func (c *column) sibling(stat aggregate) *column {
	_, rest := c.held()
	if rest == nil {
		return nil
	}
	for _, other := range c.table.columns {
		if s, r := splitStatistic(other.words); s == stat && slices.Equal(r, rest) {
			return other
		}
	}
	return nil
}

// extremeSibling returns the column in which the extreme of a number is found: the coldest day has the
// lowest of the minima.
func (p *parser) extremeSibling(c *column) *column {
	stat := aggregate("")
	switch p.superDir {
	case "desc":
		stat = aggMax
	case "asc":
		stat = aggMin
	}
	if other := c.sibling(stat); other != nil {
		return other
	}
	if other := c.sibling(aggAvg); other != nil && stat == "" {
		return other
	}
	return c
}

// A table may have one column for each month.

// months returns the columns of numbers that are named after a month.
func (t *table) months() []*column {
	var out []*column
	for _, c := range t.columns {
		if len(c.words) == 1 && c.isNumber() && monthOf(strings.ToLower(splitName(c.Name)[0])) > 0 {
			out = append(out, c)
		}
	}
	if len(out) < 3 {
		return nil
	}
	return out
}

// addMonths links the short and the long name of a month to its column.
func (ix *index) addMonths() {
	for _, c := range ix.view.base.months() {
		m := monthOf(strings.ToLower(splitName(c.Name)[0]))
		for _, name := range []string{strings.ToLower(m.String()), strings.ToLower(m.String()[:3])} {
			ix.add([]string{stem(name)}, link{column: c, quality: 1})
		}
	}
}

// noMonth refuses questions that would need the columns of all months at once.
func (p *parser) noMonth() {
	f := p.form
	months := f.view.base.months()
	if len(months) == 0 || f.mode != modeGroups || slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomHowMany }) {
		return
	}
	counts := len(f.measures) == 1 && f.measures[0].ofRows()
	if counts && !p.tableWritten() {
		f.block("Each month is a column of its own here, and I do not add them up; ask for one of them, such as " + quoteName(months[0]) + ".")
	}
}

// tableWritten reports whether the question contains the table's own name.
func (p *parser) tableWritten() bool {
	return slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomLink && slices.ContainsFunc(a.links, func(l link) bool { return l.table == p.form.view.base && l.quality >= 0.95 })
	})
}

// holds reports whether a column contains a statistic, next to a column with another statistic of the
// same thing.
func (c *column) holds() bool {
	stat, _ := c.held()
	return stat != ""
}

// daily reports whether each row is a day, or a day of one of the things that a column names: the
// weather of each station on each day.
func (t *table) daily() bool {
	dates := t.dates()
	if len(dates) != 1 || dates[0].Type != domain.ColumnDate || dates[0].Distinct < 20 {
		return false
	}
	if first, last := dates[0].reach(); int64(last.Sub(first).Hours()/24+1.5) != dates[0].Distinct {
		return false // some days are missing
	}
	each := func(n int64) bool {
		return t.Rows == n*dates[0].Distinct
	}
	return each(1) || slices.ContainsFunc(t.columns, func(c *column) bool {
		last := c.words[max(0, len(c.words)-1):]
		return c.isText() && c.Distinct > 1 && each(c.Distinct) &&
			(c.keyLike() || len(last) == 1 && isOne(last[0], "station", "sensor", stem("site"), stem("store"), "shop", "branch", "city", "town",
				"location", "region", "country", "meter", stem("machine"), "plant", "building", "symbol", "ticker", "name"))
	})
}

// metric returns the column with the names of measures, if the table has many measures in one column of
// numbers: the question then asks for the number with that name. It returns nil for other tables.
func (t *table) metric() *column {
	var named *column
	numbers := 0
	for _, c := range t.columns {
		if c.isNumber() {
			numbers++
		}
		if c.isText() && len(c.words) > 0 && isOne(c.words[len(c.words)-1], "metric", stem("measure"), "kpi", "indicator", stem("variable")) {
			named = c
		}
	}
	if numbers != 1 {
		return nil
	}
	return named
}

// long reports whether the table has such a column.
func (t *table) long() bool { return t.metric() != nil }

// figuresInPercent averages the figure of a long table that is a percentage by its name: it is never added up.
func (p *parser) figuresInPercent() {
	f := p.form
	name := f.view.base.metric()
	if name == nil || f.mode != modeGroups {
		return
	}
	for _, w := range f.where {
		if w.col != name || w.op != opIn || slices.ContainsFunc(w.values, func(v string) bool {
			return !strings.Contains(v, "%") && !slices.ContainsFunc(splitName(v), func(x string) bool {
				return isOne(x, "percent", "percentage", "pct", "rate", "ratio", "share")
			})
		}) {
			continue
		}
		for i := range f.measures {
			if m := &f.measures[i]; m.agg == aggSum && m.col != nil && m.col.isNumber() && m.over == nil && m.per == nil {
				m.agg = aggAvg
				f.note(fmt.Sprintf("%s is a percentage, so I took the mean of it.", quoteAll(w.values)[0]))
			}
		}
	}
}
