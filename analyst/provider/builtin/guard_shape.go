package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// guardDescription refuses a description of a table's columns as the answer to a question that names
// columns, times or numbers.
func (p *parser) guardDescription() {
	f := p.form
	if f.mode != modeDescribe {
		return
	}
	for i := range p.atoms {
		a := &p.atoms[i]
		switch a.kind {
		case atomAgg, atomHowMany, atomSpan, atomCorrelation, atomSignificance, atomNumber, atomSuper, atomTop, atomCmp, atomBetween, atomShare,
			atomGrowth, atomTrend, atomBy, atomEach, atomGrain, atomNot, atomLatest, atomRatio, atomMissing, atomQuoted:
			f.block(fmt.Sprintf("I could describe the data, but that would not answer “%s”.", a.words))
		case atomUnknown:
			f.ignored = append(f.ignored, a.words)
			f.blocked = true
		case atomLink:
			if tableOfLink(a) == nil {
				f.block(fmt.Sprintf("I could describe the data, but that would not answer what you ask of “%s”.", a.words))
			}
		default:
		}
	}
}

// guardShape compares the shape of the answer with the shape of the question: one number is not a list,
// and rows are not a number.
func (p *parser) guardShape() {
	f := p.form
	words := p.said()
	lists := slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomRows && !isOne(strings.ToLower(a.words), "rows", "records", "entries", "everything", "details", "detail")
	})
	if f.mode == modeGroups && len(f.dims) == 0 && f.counted == nil && (lists || p.listAnd(words)) && !f.follows {
		f.block("I read one figure, and you ask for a list.")
	}
	if f.mode == modeGroups && len(f.dims) == 0 && f.counted == nil {
		for _, m := range p.named {
			c := m.col
			if w := strings.Fields(strings.ToLower(m.words)); len(w) > 0 && isOne(w[len(w)-1], "names", "titles") && c.isText() &&
				!p.placed(c) {
				f.block(fmt.Sprintf("I read one figure, and you ask for the %s.", m.words))
			}
		}
	}
	p.guardPlurals(words)
	if f.mode == modeGroups && len(f.dims) == 1 && lists && len(f.measures) == 1 && f.measures[0].assumed &&
		f.filters(f.dims[0].col) && !f.follows {
		f.block("I read one figure, and you ask for a list.")
	}
	if f.mode == modeRows {
		p.guardRows()
	}
	for i := range p.atoms {
		if a := &p.atoms[i]; a.kind == atomCompare && strings.Contains(strings.ToLower(a.words), "ratio") && f.shareOf == nil &&
			!f.share &&
			!slices.ContainsFunc(f.measures, func(m measure) bool { return m.over != nil || m.per != nil }) {
			f.block("I divide one column by another (“A per B”), but I could not read the two sides of this ratio.")
		}
	}
	p.guardSignificance()
	if f.mode == modeCorrelation {
		p.guardCorrelation()
	}
}

// guardPlurals refuses to answer with one mean what asks for several numbers, and groups that are not in the order that was asked
// for: "what are the scores of the courses", "by title, ordered by the id".
func (p *parser) guardPlurals(words []saidWord) {
	f := p.form
	if f.mode != modeGroups || f.follows {
		return
	}
	if len(words) > 2 && words[0].text == "what" && words[1].text == "are" && len(f.dims) == 0 && len(f.measures) == 1 && f.counted == nil {
		m := f.measures[0]
		if m.assumed && m.agg == aggAvg && m.col != nil && slices.ContainsFunc(p.named, func(n mention) bool {
			return n.col == m.col && strings.HasSuffix(strings.ToLower(n.words), "s")
		}) {
			f.block("I read one figure, and you ask for several.")
		}
	}
	ordered := slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kind == atomOrder })
	if c := f.orderCol; ordered && c != nil && !c.isNumber() || ordered && c != nil && c.keyLike() {
		if !slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == c }) {
			f.block(fmt.Sprintf("I could not order by %s, which the answer does not show.", quoteName(c)))
		}
	}
}

// listAnd recognises "cities and their population", which asks for one line for each city.
func (p *parser) listAnd(words []saidWord) bool {
	for i, w := range words {
		if i > 1 && isOne(w.text, "their", "its") && isOne(words[i-1].text, "and", "with") && p.atoms[words[i-2].at].kind == atomLink {
			return true
		}
	}
	return false
}

// placed reports whether a column is part of the answer or filters its rows.
func (p *parser) placed(c *column) bool {
	f := p.form
	for _, m := range f.measures {
		if m.col == c || m.per == c || m.over == c {
			return true
		}
	}
	return f.filters(c) || slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == c }) || slices.Contains(f.columns, c) ||
		f.orderCol == c || f.latestOf == c || f.within == c || f.shareOf != nil && f.shareOf.col == c
}

// guardRows refuses rows unless the question asks for rows, or for which ones they are.
func (p *parser) guardRows() {
	f := p.form
	named := false
	for i := range p.atoms {
		a := &p.atoms[i]
		switch a.kind {
		case atomLink, atomRows, atomLatest, atomTop, atomQuoted, atomContains, atomMissing, atomWhich, atomOpen, atomCmp, atomSign,
			atomUnknown:
			named = true
		case atomHowMany, atomShare, atomGrowth:
			if a.kind == atomHowMany && f.orderCol == nil && p.few == 0 && len(f.where) > 0 &&
				!slices.ContainsFunc(f.columns, func(c *column) bool { return !f.filters(c) }) {
				f.mode, f.measures, f.columns = modeGroups, []measure{{agg: aggCount}}, nil
				f.limit = 0
				return
			}
			if !f.blocked && !slices.Contains([]atomKind{atomRows}, a.kind) && len(f.having) == 0 && f.orderCol == nil {
				f.block(fmt.Sprintf("I read a list of rows, which is no answer to “%s”.", a.words))
			}
		default:
		}
	}
	asks := slices.ContainsFunc(p.atoms, func(a atom) bool {
		return a.kind == atomLink || a.kind == atomRows || a.kind == atomLatest || a.kind == atomTop || a.kind == atomQuoted ||
			a.kind == atomMissing || a.kind == atomOpen || a.kind == atomCmp || a.kind == atomSign || a.kind == atomUnknown
	})
	if !named || !asks {
		f.unsure = orElse(f.unsure, "I could not tell what is asked of the rows.")
	}
}

// guardCorrelation refuses a correlation if the question also asks for something else: two numbers are related over
// all rows, or over the rows of a filter.
func (p *parser) guardCorrelation() {
	f := p.form
	for _, m := range p.named {
		if !p.placed(m.col) && !m.col.keyLike() {
			f.block(fmt.Sprintf("I relate two numbers at a time, and could not place “%s” beside them.", m.words))
		}
	}
	for i := range p.atoms {
		a := &p.atoms[i]
		switch a.kind {
		case atomBy, atomEach, atomGrain, atomNumber, atomCmp, atomBetween, atomNot, atomSuper, atomTop, atomMissing, atomRecurring,
			atomShare, atomTrend:
			if a.kind == atomBetween || a.kind == atomBy && strings.Contains(strings.ToLower(a.words), "across") ||
				a.kind == atomNumber && len(f.where) > 0 || a.kind == atomCmp && len(f.where) > 0 {
				continue
			}
			f.block(fmt.Sprintf("I relate two numbers over all rows or over those of a filter, and could not place “%s”.", a.words))
		case atomUnknown:
			f.blocked = true
		case atomLink:
			if v := valueOf(a); v != nil && len(f.where) == 0 && columnOf(a) == nil {
				f.block(fmt.Sprintf("I relate two numbers, and could not place “%s” beside them.", a.words))
			}
		default:
		}
	}
	if len(p.mentions) > 0 && slices.ContainsFunc(p.mentions, func(c *column) bool { return !p.placed(c) && !c.keyLike() }) {
		f.block("I relate two numbers at a time, over all rows or those of a filter.")
	}
	if len(f.ignored) > 0 {
		f.blocked = true
	}
}
