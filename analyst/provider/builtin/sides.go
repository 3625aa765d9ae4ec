package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/analyst/query"
)

// sides are the two figures of a ratio, each with its own conditions. The figures can be of two tables.
type sides struct {
	above, below *form
}

var (
	// asksRatio matches a question for a ratio: what is before it, and its sides with what follows them.
	asksRatio = regexp.MustCompile(`(?i)^(.*?)\b(?:ratio|proportion)\s+of\s+(?:the\s+)?(.+?)\s*[?.!]*$`)
	// eachGroup matches the groups at the end of such a question.
	eachGroup = regexp.MustCompile(`(?i),?\s+(?:(?:for|in|within|of)\s+(?:each|every)|per|by)\s+[^,]+$`)
	// varies matches the groups of a ratio that a question asks to compare.
	varies = regexp.MustCompile(`(?i)\s+(?:vary|varies|differ|differs|change|changes)\s+` +
		`(?:across|by|between|among|with|over)\s+(?:the\s+|different\s+)*`)
	// holdsForBoth matches a last part that may hold for both sides: in New York.
	holdsForBoth = regexp.MustCompile(`(?i)\s+(?:in|at|from|for|during)\s+[^,]+$`)
	// toWhole matches the word between the two sides.
	toWhole = regexp.MustCompile(`(?i)\s+(?:to|out\s+of)\s+(?:all\s+)?(?:the\s+)?`)
)

// ratio reads a phrased question for the ratio of two figures. Each side is read as a question of its own, with the same checks; nil if
// the question asks for something else, or if a side is not understood.
func (p *planner) ratio(text string) *form {
	m := asksRatio.FindStringSubmatch(text)
	if m == nil || slices.ContainsFunc(lex(m[1]), func(t token) bool {
		return !p.lang.stop[t.norm] && t.norm != "get" || t.norm == "average"
	}) {
		return nil
	}
	rest := varies.ReplaceAllString(m[2], " for each ")
	groups := eachGroup.FindString(rest)
	rest = strings.TrimSuffix(rest, groups)
	for _, cut := range toWhole.FindAllStringIndex(rest, -1) {
		above, below := rest[:cut[0]], rest[cut[1]:]
		b := p.side(below+groups, groups != "")
		if b == nil {
			continue
		}
		for _, text := range []string{above + holdsForBoth.FindString(below) + groups, above + groups} {
			if a := p.side(text, groups != ""); a != nil && comparable(a, b) {
				return divided(a, b)
			}
		}
	}
	return nil
}

// side reads one side of a ratio: a plain figure of some rows.
func (p *planner) side(text string, grouped bool) *form {
	if p.namesThings(text) {
		text = "number of " + text
	}
	f := p.readPhrased(text, nil)
	if f == nil || f.blocked || !f.understood() || f.help || f.mode != modeGroups || f.changesPrevious() || len(f.measures) != 1 ||
		len(f.ignored)+len(f.notes)+len(f.read) > 0 || grouped != (len(f.dims) > 0) || len(f.having) > 0 || f.limit > 0 ||
		f.shareOf != nil || f.share || f.growth ||
		f.running || f.moving != nil || f.counted != nil {
		return nil
	}
	m := f.measures[0]
	if m.sides != nil || m.per != nil || m.over != nil || m.minus || m.each != grainNone || m.col != nil &&
		(m.col.made != nil || m.col.table.Name != f.view.base.Name) {
		return nil
	}
	return f
}

// namesThings reports whether a side of a ratio names things to count, and no figure: the restaurants with a high rating.
func (p *planner) namesThings(text string) bool {
	for _, t := range lex(text) {
		if t.kind != tokenWord || p.lang.keywords[t.norm].kind == atomAgg || isOne(t.norm, "number", "count", "with", "in", "of", "that", "who",
			"from", "at", "for", "by", "per") {
			return false
		}
		for _, ix := range p.indexes {
			if slices.ContainsFunc(ix.phrases[t.stem], func(l link) bool { return l.calls(ix.view.base, t.stem) }) {
				return true
			}
		}
	}
	return false
}

// comparable reports whether two sides have the same groups.
func comparable(a, b *form) bool {
	return slices.EqualFunc(a.dims, b.dims, func(x, y dimension) bool {
		return x.col.Name == y.col.Name && x.col.table.Name == y.col.table.Name && x.grain == y.grain && x.width == y.width &&
			len(x.periods)+len(y.periods) == 0
	})
}

// divided makes the form of a ratio. A condition that both sides have is a condition of the form.
func divided(above, below *form) *form {
	f := above.clone()
	f.desc, f.ordered, f.orderCol, f.single, f.fragment = true, false, nil, false, false
	if above.view == below.view {
		f.where = conditions(above, below, true)
		one, other := above.clone(), below.clone()
		one.where, other.where = conditions(above, below, false), conditions(below, above, false)
		above, below = one, other
	} else {
		f.where = nil
	}
	f.measures = []measure{{sides: &sides{above: above, below: below}}}
	if a, b := above.measures[0], below.measures[0]; a.agg == aggSum && b.agg == aggSum && a.col != nil && b.col != nil && a.col != b.col &&
		a.col.table == b.col.table && len(above.where)+len(below.where) == 0 {
		f.measures = []measure{{agg: aggSum, col: a.col, over: b.col}}
	}
	f.write()
	return f
}

// conditions returns the conditions of a form that another form has too, or those that only the form has.
func conditions(of, other *form, shared bool) []condition {
	return slices.DeleteFunc(slices.Clone(of.where), func(c condition) bool {
		has := slices.ContainsFunc(other.where, func(o condition) bool { return o.col == c.col && o.phrase() == c.phrase() })
		return has != shared
	})
}

// phrase says a side in the words of a plan, and said in those of an answer.
func (s *sides) phrase() string {
	part := func(f *form) string {
		out := f.measures[0].phrase(f.view)
		for _, c := range f.where {
			out += " " + c.connected()
		}
		return out
	}
	return part(s.above) + " divided by " + part(s.below)
}

func (s *sides) said() string {
	part := func(f *form) string {
		out := f.measures[0].said(f)
		for i, c := range f.where {
			if i == 0 {
				out += " where "
			} else {
				out += " and "
			}
			out += c.said()
		}
		return strings.ReplaceAll(out, "`", "")
	}
	return fmt.Sprintf("ratio of %s to %s", part(s.above), part(s.below))
}

// sides makes the ratio of two figures, each of its own rows.
func (a *adapter) sides(s *sides) (query.Measure, error) {
	part := func(f *form) (query.Measure, error) {
		own := &adapter{form: f, script: a.script, names: a.names, lets: a.lets}
		var err error
		if own.base, err = own.table(f.view.base); err != nil {
			return nil, unsupported("the table: " + err.Error())
		}
		figure, err := own.measure(f.measures[0])
		if err != nil {
			return nil, err
		}
		where, err := own.where()
		if err != nil {
			return nil, err
		}
		for _, w := range where {
			if figure, err = a.m().When(figure, w); err != nil {
				return nil, err
			}
		}
		return figure, nil
	}
	above, err := part(s.above)
	if err != nil {
		return nil, err
	}
	below, err := part(s.below)
	if err != nil {
		return nil, err
	}
	return query.Ratio(above, below), nil
}
