package builtin

import (
	"fmt"
	"regexp"
	"strings"
)

// How two or more numbers are related: correlations and the line of least squares.

var (
	// byEach matches the groups that follow a number.
	byEach = regexp.MustCompile(`(?i)\s(?:by|per|(?:for|in|within|of)\s+(?:each|every)|across|grouped\s+by|split\s+by|broken\s+down\s+by)\s`)
	// byRanks matches the method where it follows.
	byRanks = regexp.MustCompile(`(?i)\s*[,(]?\s*(?:\b(?:by|using|with)\s+)?(?:the\s+|their\s+)?(?:spearman(?:'?s)?(?:\s+(?:method|` +
		`rank\s+correlation|rank))?|ranks)\)?\s*(\?*)$`)
	// andTested matches a request for the p-value in addition to a figure, or for its significance.
	andTested = regexp.MustCompile(`(?i)\s*,?\s*\b(?:with|and|including|plus)\s+(?:its\s+|the\s+|their\s+|a\s+)?(?:p[- ]?values?|si` +
		`gnificance)\b|` +
		`\b(?:p[- ]?values?|significance)\s+of\s+(?:the\s+)?`)
	// asksSignificant matches a question whether what it names is significant.
	asksSignificant = regexp.MustCompile(`(?i)^(?:is|are)\s+(?:the\s+)?(.+?)\s+(?:statistically\s+)?significant$`)
)

// asked returns the end of a question without its marks.
func asked(text string) string { return strings.TrimRight(strings.TrimSpace(text), "?.! ") }

// wantsTest takes a request for a p-value out of a question.
func wantsTest(text string) (rest string, tested bool) {
	rest = andTested.ReplaceAllString(text, "")
	if m := asksSignificant.FindStringSubmatch(rest); m != nil {
		rest = m[1]
	}
	return rest, rest != text
}

// bothOf is a carrier for two numbers.
func bothOf(one, other string) string { return carrier + one + " and " + carrier + asked(other) }

// related reads a question for the correlation of two numbers by groups or of their ranks. A plain one is one of the grammar,
// which must find two numbers.
func (p *planner) related(text string) *form {
	plainly, tested := wantsTest(asked(text))
	ranked := byRanks.ReplaceAllString(plainly, "")
	for _, shape := range p.lang.inquiries.related {
		m := shape.FindStringSubmatch(ranked)
		if m == nil {
			continue
		}
		kind, one, other := strings.ToLower(m[1]), m[2], strings.Join(m[3:], "")
		s := &inquiry{
			kind: statRelated, tested: tested,
			ranks: ranked != plainly || strings.HasPrefix(kind,
				"spearman") || kind == "rank" || strings.Contains(strings.ToLower(ranked), "rank correlat"),
		}
		grouped := byEach.MatchString(" " + other + " ")
		switch {
		case strings.HasPrefix(kind, "kendall"):
			f := p.readGrammar(carrier+one, nil)
			if f != nil {
				f.block("I have Pearson's correlation and Spearman's rank correlation, and not Kendall's.")
			}
			return f
		case strings.Contains(one, ","):
			return p.matrixOf(strings.ReplaceAll(one, ",", " and "+carrier), other)
		case !s.ranks && !grouped:
			f := p.readGrammar(text, nil)
			if f != nil && f.understood() && f.mode != modeCorrelation && !f.help {
				f.block("A correlation needs two columns of numbers of one table, and I could not read two of them here.")
			}
			return f
		}
		return attached(p.readGrammar(bothOf(one, other), nil), s, func(f *form) {
			f.numeric(2, "A correlation")
			for _, c := range f.spread() {
				f.enough(c, 3, "a correlation")
			}
		})
	}
	return nil
}

// matrixOf reads a request for the correlations of the numbers that it lists.
func (p *planner) matrixOf(one, other string) *form {
	s := &inquiry{kind: statMatrix}
	return attached(p.readGrammar(bothOf(one, other), nil), s, func(f *form) {
		f.numeric(0, "A correlation")
		s.columns = f.spread()
		f.measures = []measure{{agg: aggCount}}
		f.several(s)
	})
}

// matrix reads a request for the correlations of all numbers of a table.
func (p *planner) matrix(text string) *form {
	for _, shape := range p.lang.inquiries.matrix {
		m := shape.FindStringSubmatch(asked(text))
		if m == nil {
			continue
		}
		s := &inquiry{kind: statMatrix}
		return attached(p.tableFor(m[1]), s, func(f *form) {
			for _, c := range f.view.base.columns {
				if c.quantity() {
					s.columns = append(s.columns, c)
				}
			}
			f.several(s)
		})
	}
	return nil
}

// quantity reports whether a column is a number to calculate with, and not the name of a thing, a year or a yes and no.
func (c *column) quantity() bool {
	return c.made == nil && c.isNumber() && !c.identifies() && !c.keyLike() && !c.isYear() && !c.isPart() && !c.isFlag()
}

// matrixMax is how many columns are correlated with each other at most: twenty-eight pairs.
const matrixMax = 8

// several refuses correlations of too few or too many columns.
func (f *form) several(s *inquiry) {
	switch n := len(s.columns); {
	case len(f.dims) > 0:
		f.block("I correlate several columns over all rows or those of a filter, and two of them by groups.")
	case n < 2:
		f.block(fmt.Sprintf("Correlations need at least two columns of numbers, and `%s` has %s.", f.view.base.label(), count(n,
			"such column")))
	case n > matrixMax:
		f.block(fmt.Sprintf("`%s` has %d columns of numbers, and I correlate at most %d with each other: please name them.",
			f.view.base.label(), n,
			matrixMax))
	}
	for _, c := range s.columns {
		f.enough(c, 3, "a correlation")
	}
}

// tableFor reads what follows a request that is about the columns of a table: its name, and conditions.
func (p *planner) tableFor(rest string) *form {
	f := p.readGrammar("how many rows are there"+rest, nil)
	if f == nil || f.blocked || len(p.views) == 1 || strings.TrimSpace(rest) != "" && f.namesBase() {
		return f
	}
	f.ask("There are several tables: please say of which one you ask.")
	return f
}

// line reads a question for a line of least squares.
func (p *planner) line(text string) *form {
	plainly, tested := wantsTest(asked(text))
	for _, shape := range p.lang.inquiries.line {
		m := shape.FindStringSubmatch(plainly)
		if m == nil || p.namesColumn("regression") {
			continue
		}
		if f := p.fitted(m[1], m[2]); f != nil {
			return f
		}
		return attached(p.readGrammar(bothOf(m[1], m[2]), nil), &inquiry{kind: statLine, tested: tested}, func(f *form) {
			if len(f.spread()) > 2 {
				f.block("I fit a line to one number by one other number, and not by several of them.")
			}
			f.numeric(2, "A line of least squares")
			for _, c := range f.spread() {
				f.enough(c, 3, "a line of least squares")
			}
		})
	}
	return nil
}
