package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// How the values of one number are distributed: outliers, classes of equal width, missing values, and the test of two means.

var (
	// outlierRule matches the rule that a question names, with its distance.
	outlierRule = regexp.MustCompile(`(?i)\s*[,(]?\s*(?:\b(?:by|using|with|based\s+on|according\s+to|beyond|more\s+than|over|outsid` +
		`e(?:\s+of)?|at)\s+)?` +
		`(?:the\s+|a\s+)?(?:\b(\d+(?:\.\d+)?)\s*(?:\*|times|x)?\s*(?:the\s+)?)?\b(z[- ]?scores?|standard\s+deviations?|sigmas?|iqr|` +
		`inter-?\s?quartile\s+range|tukey(?:'?s)?)\b(?:\s+(?:rule|method|criterion|fences?|test))?` +
		`(?:\s+(?:above|over|of|beyond)\s+(\d+(?:\.\d+)?))?(?:\s+(?:from|of)\s+the\s+mean)?\)?`)
	// listsThem matches a request for the rows, and not for their number.
	listsThem = regexp.MustCompile(`(?i)^\s*(?:please\s+)?(?:list|show|which|find|what|give|display|get|see|detect|identify)\b`)

	// inClasses matches the number of classes.
	inClasses = regexp.MustCompile(`(?i)\s*,?\s*\b(?:in|into|with|using|over|across|by)\s+(\d+)\s+(?:equal(?:ly)?(?:[- ](?:width|si` +
		`zed|wide))?\s+)?` +
		`(?:bins?|buckets?|classes|intervals?|groups|bands)\b`)
	classed   = regexp.MustCompile(`(?i)\b(?:histogram|distribution|distributed|spread)\b`)
	putsInto  = regexp.MustCompile(`(?i)^\s*(?:please\s+)?(?:bin|bucket|cut|split|divide|group|put|sort)\s+(?:the\s+)?`)
	histogram = regexp.MustCompile(`(?i)\b(?:histogram|bins)\b`)

	asksPart = regexp.MustCompile(`(?i)\b(?:share|percent|percentage|proportion|fraction|part|rate|%)\b`)

	// significance matches the words that turn a question for a difference into a question for a test.
	significance = regexp.MustCompile(`(?i)\b(?:significant(?:ly)?|statistical(?:ly)?)\b`)
	tests        = regexp.MustCompile(`(?i)\b(?:different|differs?|significant(?:ly)?|difference|t-?\s?test)\b`)
)

// difference is the index of the plain question for a difference in asksWelch. It asks for a test only if it speaks of
// significance.
const difference = 2

// outliers reads a question for values that are far from the others.
func (p *planner) outliers(text string) *form {
	if !strings.Contains(strings.ToLower(text), "outl") && !strings.Contains(strings.ToLower(text),
		"extreme value") || p.namesColumn("outlier") {
		return nil
	}
	s := &inquiry{kind: statOutliers, rule: "iqr", factor: 1.5}
	rest := asked(text)
	if m := outlierRule.FindStringSubmatch(rest); m != nil {
		s.chosen = true
		if w := strings.ToLower(m[2]); strings.HasPrefix(w, "z") || strings.HasPrefix(w, "standard") || strings.HasPrefix(w, "sigma") {
			s.rule, s.factor = "z", 3
		}
		for _, number := range []string{m[1], m[3]} {
			if x, err := strconv.ParseFloat(number, 64); err == nil && x > 0 {
				s.factor = x
			}
		}
		rest = strings.TrimSpace(outlierRule.ReplaceAllString(rest, ""))
	}
	for _, shape := range p.lang.inquiries.outliers {
		m := shape.FindStringSubmatch(rest)
		if m == nil {
			continue
		}
		s.list = listsThem.MatchString(m[1])
		return attached(p.readGrammar(carrier+strings.Join(m[2:], ""), nil), s, func(f *form) { f.placeOutliers(s) })
	}
	return nil
}

// placeOutliers takes the rule, and reads the groups as those within which a value is far from the others.
func (f *form) placeOutliers(s *inquiry) {
	f.numeric(1, "A question for outliers")
	if f.blocked {
		return
	}
	f.enough(f.spread()[0], 4, "a rule for outliers")
	for _, d := range f.dims {
		if d.grain != grainNone || d.width > 0 || d.periods != nil || d.col.made != nil || d.col.table != f.view.base {
			f.block(fmt.Sprintf("I look for outliers within the values of a column of `%s` itself, and not by that.", f.view.base.label()))
		}
	}
	if !s.chosen {
		f.note("You named no rule for outliers, so I took Tukey's.")
	}
}

// classes reads a question for a histogram with a number of classes, and refuses it for a column whose values have no classes.
func (p *planner) classes(text string) *form {
	m := inClasses.FindStringSubmatchIndex(text)
	if m == nil {
		if !histogram.MatchString(text) {
			return nil
		}
		f := p.readGrammar(text, nil)
		if f != nil && f.understood() && f.mode == modeGroups && len(f.dims) == 0 && len(f.where) > 0 {
			for _, c := range f.where {
				if c.col != nil && c.col.booleanLike() && len(f.where) == 1 {
					f.block(fmt.Sprintf("%s says yes or no, so it has no classes: ask how many rows there are by it.", quoteName(c.col)))
				}
			}
		}
		return f
	}
	n, err := strconv.Atoi(text[m[2]:m[3]])
	rest := text[:m[0]] + text[m[1]:]
	switch {
	case classed.MatchString(rest):
	case putsInto.MatchString(rest):
		rest = putsInto.ReplaceAllString(rest, "histogram of ")
	default:
		return nil
	}
	return attached(p.readGrammar(rest, nil), &inquiry{kind: statBins, bins: n}, func(f *form) {
		switch {
		case err != nil || n < 2 || n > classesMax:
			f.block(fmt.Sprintf("A histogram has 2 to %d classes.", classesMax))
		case f.mode != modeGroups || len(f.dims) != 1 || !f.dims[0].col.quantity() || f.dims[0].grain != grainNone:
			f.block("Classes of equal width are made of one column of numbers, and I could not read one here.")
		case f.dims[0].col.table != f.view.base:
			f.spreadOut(f.dims[0].col, "A histogram")
		case len(f.measures) != 1 || !f.measures[0].counts():
			f.block("I count the rows of classes of equal width, and show no other number of them.")
		}
	})
}

// classesMax is the maximum number of classes of a histogram.
const classesMax = 100

// missingOfColumns reads a question for the missing values of each column of a table.
func (p *planner) missingOfColumns(text string) *form {
	for _, shape := range p.lang.inquiries.missing {
		m := shape.FindStringSubmatch(asked(text))
		if m == nil {
			continue
		}
		s := &inquiry{kind: statMissing, share: asksPart.MatchString(text)}
		return attached(p.tableFor(m[1]), s, func(f *form) {
			s.columns = slices.Clone(f.view.base.columns)
			if len(f.dims) > 0 {
				f.block("I count the missing values of all columns over all rows or those of a filter, and of one column by groups.")
			}
			if len(s.columns) > missingMax {
				f.block(fmt.Sprintf("`%s` has %d columns, and I count the missing values of at most %d at once.", f.view.base.label(), len(s.columns),
					missingMax))
			}
		})
	}
	return nil
}

// missingMax is the maximum number of columns whose missing values are counted.
const missingMax = 40

// testOfMeans reads a question whether two means differ by more than chance. "Higher" and "lower" are only tested if the question
// mentions a test.
func (p *planner) testOfMeans(text string) *form {
	if !tests.MatchString(text) {
		return nil
	}
	rest, _ := wantsTest(asked(text))
	for i, shape := range p.lang.inquiries.welch {
		m := shape.FindStringSubmatch(rest)
		if m == nil || i == difference && !significance.MatchString(text) {
			continue
		}
		f := p.readGrammar("average "+m[1]+" for "+m[2]+" vs "+m[3], nil)
		if f != nil && f.understood() && !f.help && len(f.ignored) == 0 {
			if _, ok := f.twoSides(); !ok {
				f.block("I test whether the means of a number differ between two values of one column, and could not read two of them here.")
			}
		}
		return attached(f, &inquiry{kind: statWelch, tested: true}, func(f *form) { f.placeSides("A test of means", "a test of two means") })
	}
	return nil
}

// placeSides takes the number and the two sides of a test. Its names begin a sentence, and stand within one.
func (f *form) placeSides(begins, within string) {
	sides, ok := f.twoSides()
	if !ok {
		return
	}
	f.spreadOut(f.measures[0].col, begins)
	f.enough(f.measures[0].col, 4, within)
	f.dims = slices.DeleteFunc(f.dims, func(d dimension) bool { return d.col == sides.col })
}

// twoSides returns the condition with the two values whose means are compared.
func (f *form) twoSides() (condition, bool) {
	if f.mode != modeGroups || len(f.measures) != 1 || f.measures[0].agg != aggAvg || f.measures[0].col == nil || f.measures[0].per != nil ||
		f.measures[0].over != nil || f.measures[0].each != grainNone {
		return condition{}, false
	}
	at := slices.IndexFunc(f.where, func(c condition) bool { return c.op == opIn && len(c.values) == 2 && len(c.also) == 0 })
	if at < 0 || len(f.dims) > 1 || len(f.dims) == 1 && f.dims[0].col != f.where[at].col {
		return condition{}, false
	}
	return f.where[at], true
}
