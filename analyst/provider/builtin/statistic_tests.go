package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Questions for tests with p-values, and for a regression on several numbers. As with other statistics the test is replaced by
// plain words, and the grammar reads the result; what it reads must be exactly what the test needs, or the test is refused.

var (
	// namedTest matches a question that names its test, so that it means nothing else.
	namedTest = regexp.MustCompile(`(?i)\b(?:anova|analysis\s+of\s+variance)\b`)
	// notThere matches tests that I do not have.
	notThere = regexp.MustCompile(`(?i)\b(shapiro(?:[-–\s]+wilk)?|kolmogorov(?:[-–\s]+smirnov)?|anderson[-–\s]+darling|` +
		`fisher'?s?\s+exact|kruskal(?:[-–\s]+wallis)?|wilcoxon(?:'?s)?\s+signed[-\s]rank|mcnemar'?s?|` +
		`two[-\s]way\s+(?:anova|analysis\s+of\s+variance)|ancova|` +
		`manova|repeated\s+measures)\b`)
	// twoThings matches two values that are compared.
	twoThings = regexp.MustCompile(`(?i)^(.+?)\s+(?:and|vs\.?|versus|against)\s+(?:the\s+|those\s+of\s+)?(.+)$`)
	// notSaid matches the beginning of the other side of a yes and no.
	notSaid = regexp.MustCompile(`(?i)^(?:not|non|un)[-\s]*`)
	// betweenPredictors matches what separates the predictors of a regression.
	betweenPredictors = regexp.MustCompile(`(?i)\s*,\s*(?:and\s+)?(?:the\s+)?|\s+and\s+(?:the\s+)?`)
)

// groupsMax is how many groups a test compares at most. More of them have hardly a row each.
const groupsMax = 30

// tested reads a question for a test other than that of two means.
func (p *planner) tested(text string) *form {
	if m := notThere.FindString(text); m != "" && !p.namesColumn(m) {
		f := p.readGrammar(text, nil)
		if f != nil && !f.help {
			f.mode, f.asks, f.reason = modeGroups, false, "" // the words of the test are not what is missing
			f.block(fmt.Sprintf("I do not have the test “%s”. I have the analysis of variance, the chi-square test, Mann–Whitney's, "+
				"Welch's and the paired t test, and D'Agostino's test of normality.", strings.ToLower(m)))
		}
		return f
	}
	rest, _ := wantsTest(asked(text))
	for _, read := range []func(string) *form{
		p.testOfRanks, p.testOfNormality, p.testOfPairs, p.testTogether, p.testOfRelation, p.testOfGroups,
	} {
		if f := read(rest); f != nil {
			return f
		}
	}
	return nil
}

// firstOf returns the parts of the first expression that matches.
func firstOf(shapes []*regexp.Regexp, text string) []string {
	for _, s := range shapes {
		if m := s.FindStringSubmatch(text); m != nil {
			return m
		}
	}
	return nil
}

// testOfGroups reads a question whether a number or a rate differs between groups. Two values that are named are left to Welch's
// test, and so are groups that are two.
func (p *planner) testOfGroups(text string) *form {
	m := firstOf(p.lang.tests.groups, text)
	clearly := significance.MatchString(text) || namedTest.MatchString(text)
	if m == nil || !clearly && (m[1] == "" || strings.Contains(strings.ToLower(text), "difference")) {
		return nil
	}
	if twoThings.MatchString(m[3]) && !strings.Contains(m[3], ",") {
		return nil
	}
	if m[1] == "" {
		if f := p.readGrammar(m[2]+" by "+m[3], nil); f.sharesOfGroups() {
			return p.testOfShares(f)
		}
	}
	f := p.readGrammar("average "+m[2]+" by "+m[3], nil)
	if strings.Contains(m[3], ",") {
		f = p.readGrammar("average "+m[2]+" for "+m[3], nil)
		f.groupedByValues()
	}
	if f == nil {
		return nil
	}
	if f = attached(f, &inquiry{kind: statAnova, tested: true}, (*form).placeGroups); !clearly && !f.understood() {
		return nil // a plain comparison of the means may still be what is meant
	}
	return f
}

// groupedByValues groups a form by the column whose values are compared.
func (f *form) groupedByValues() {
	if f == nil || len(f.dims) > 0 {
		return
	}
	for _, w := range f.where {
		if w.op == opIn && len(w.values) > 2 && len(w.also) == 0 {
			f.dims = []dimension{{col: w.col}}
		}
	}
}

// sharesOfGroups reports whether a form is the share of the rows that meet a condition, by one column.
func (f *form) sharesOfGroups() bool {
	return f != nil && f.understood() && !f.help && f.mode == modeGroups && f.shareOf != nil && len(f.dims) == 1 && len(f.ignored) == 0
}

// testOfShares makes the chi-square test of a share of rows by groups.
func (p *planner) testOfShares(f *form) *form {
	s := &inquiry{kind: statChi2, tested: true, part: f.shareOf}
	f.shareOf, f.share, f.measures = nil, false, []measure{{agg: aggCount, assumed: true}}
	return attached(f, s, func(f *form) {
		if f.separates(f.dims) {
			s.columns, f.dims = []*column{f.dims[0].col}, nil
		}
	})
}

// placeGroups takes the groups of an analysis of variance. If they are two, it is Welch's test.
func (f *form) placeGroups() {
	switch {
	case f.mode != modeGroups || len(f.measures) != 1 || len(f.dims) != 1 || f.measures[0].agg != aggAvg || f.measures[0].col == nil ||
		f.measures[0].per != nil || f.measures[0].over != nil || f.measures[0].each != grainNone:
		f.block("An analysis of variance compares the means of one number between the values of one column, and I could not read both here.")
		return
	}
	f.spreadOut(f.measures[0].col, "An analysis of variance")
	if f.blocked || !f.separates(f.dims) {
		return
	}
	f.enough(f.measures[0].col, 4, "an analysis of variance")
	by := f.dims[0].col
	f.stat.columns, f.dims = []*column{by}, nil
	if values := f.groupValues(by); len(values) == 2 {
		f.where = slices.DeleteFunc(f.where, func(c condition) bool { return c.col == by })
		f.where = append(f.where, condition{col: by, op: opIn, values: values})
		f.stat.kind, f.stat.columns = statWelch, nil
	}
}

// separates refuses what does not separate the rows into groups that can be compared.
func (f *form) separates(dims []dimension) bool {
	for _, d := range dims {
		c := d.col
		switch {
		case d.grain != grainNone || d.width > 0 || d.periods != nil || c.made != nil || c.isDate() || c.quantity() && c.Distinct > groupsMax:
			f.block(fmt.Sprintf("A test compares the values of a column with a few of them, and %s is none as it is asked for. For two numbers "+
				"ask for their correlation or a regression.", quoteName(c)))
		case c.identifies() || c.keyLike():
			f.block(fmt.Sprintf("%s names single things, so there are no groups to compare.", quoteName(c)))
		case c.Distinct > groupsMax && len(f.groupValues(c)) > groupsMax || c.Distinct > groupsMax && !f.compared(c):
			f.block(fmt.Sprintf("%s has %d different values, and I compare at most %d groups.", quoteName(c), c.Distinct, groupsMax))
		case c.Distinct == 1:
			f.block(fmt.Sprintf("%s has one value only, so there is nothing to compare.", quoteName(c)))
		}
	}
	return !f.blocked
}

// groupValues are the values of a column that the rows of the question have; nil if they are not known.
func (f *form) groupValues(c *column) []string {
	for _, w := range f.where {
		if w.col == c && w.op == opIn && len(w.values) > 1 && len(w.also) == 0 {
			return w.values
		}
	}
	if c.booleanLike() && c.isBool() {
		return []string{c.truth(true), c.truth(false)}
	}
	if !c.isText() || len(c.Values) != int(c.Distinct) {
		return nil
	}
	return c.Values
}

// testOfRelation reads a question whether two columns are related. Two columns of groups are tested by their counts, and a number and
// a column of groups by the means; two numbers are correlated, which the grammar reads.
func (p *planner) testOfRelation(text string) *form {
	m := firstOf(p.lang.tests.related, text)
	if m == nil {
		return nil
	}
	f := p.readGrammar("how many rows are there by "+m[1]+" and "+m[2], nil)
	if !f.counts2() || f.timed() != nil {
		return nil
	}
	first, second := f.dims[0].col.quantity(), f.dims[1].col.quantity()
	switch {
	case first && second:
		return nil
	case first:
		return p.testOfGroups("anova of " + m[1] + " by " + m[2])
	case second:
		return p.testOfGroups("anova of " + asked(m[2]) + " by " + m[1])
	}
	return attached(f, &inquiry{kind: statChi2, tested: true}, (*form).placeTwo)
}

// counts2 reports whether a form counts rows by two columns.
func (f *form) counts2() bool {
	return f != nil && f.understood() && !f.help && f.mode == modeGroups && len(f.dims) == 2 && len(f.measures) == 1 &&
		f.measures[0].counts() && len(f.ignored) == 0
}

// testTogether reads a request for the chi-square test by its name.
func (p *planner) testTogether(text string) *form {
	m := firstOf(p.lang.tests.together, text)
	if m == nil {
		return nil
	}
	f := p.readGrammar("how many rows are there by "+m[1]+" and "+m[2], nil)
	return attached(f, &inquiry{kind: statChi2, tested: true}, (*form).placeTwo)
}

// placeTwo takes the two columns of a chi-square test.
func (f *form) placeTwo() {
	if f.mode != modeGroups || len(f.dims) != 2 || len(f.measures) != 1 || !f.measures[0].counts() {
		f.block("A chi-square test needs two columns, each with a few values, and I could not read two here.")
		return
	}
	if f.separates(f.dims) {
		f.stat.columns, f.dims = []*column{f.dims[0].col, f.dims[1].col}, nil
	}
}

// testOfRanks reads a request for the test of Mann and Whitney.
func (p *planner) testOfRanks(text string) *form {
	m := firstOf(p.lang.tests.ranks, text)
	if m == nil {
		return nil
	}
	var f *form
	sides := twoThings.FindStringSubmatch(m[2])
	switch {
	case sides == nil:
		f = p.readGrammar("average "+m[1]+" by "+m[2], nil)
		f.twoGroups()
	case notSaid.MatchString(sides[2]) || notSaid.MatchString(sides[1]):
		yes := 2
		if notSaid.MatchString(sides[1]) {
			yes = 1
		}
		f = p.readGrammar("average "+m[1]+" for "+notSaid.ReplaceAllString(sides[yes], ""), nil)
		f.bothTruths()
	default:
		f = p.readGrammar("average "+m[1]+" for "+sides[1]+" vs "+sides[2], nil)
	}
	if f != nil && f.understood() && !f.help && len(f.ignored) == 0 {
		if _, ok := f.twoSides(); !ok {
			f.block("The test of Mann and Whitney compares a number between two values of one column, and I could not read two of them here.")
		}
	}
	return attached(f, &inquiry{kind: statMann, tested: true}, func(f *form) { f.placeSides("A test of ranks", "a test of two groups") })
}

// twoGroups compares the two values of the column that a form is grouped by.
func (f *form) twoGroups() {
	if f == nil || len(f.dims) != 1 || f.dims[0].col == nil || f.dims[0].grain != grainNone || f.dims[0].width > 0 {
		return
	}
	by := f.dims[0].col
	if values := f.groupValues(by); len(values) == 2 {
		f.where = slices.DeleteFunc(f.where, func(c condition) bool { return c.col == by })
		f.where, f.dims = append(f.where, condition{col: by, op: opIn, values: values}), nil
	}
}

// bothTruths compares both sides of the one yes or no that a form is limited to.
func (f *form) bothTruths() {
	if f == nil {
		return
	}
	at := -1
	for i, w := range f.where {
		if w.op == opIn && len(w.values) == 1 && w.col.booleanLike() && len(w.also) == 0 {
			if at >= 0 {
				return // it is open which of them is meant
			}
			at = i
		}
	}
	if at < 0 {
		return
	}
	w := &f.where[at]
	other := w.col.truth(true)
	if strings.EqualFold(w.values[0], other) {
		other = w.col.truth(false)
	}
	w.values = []string{w.values[0], other}
}

// testOfNormality reads a question whether a number is normally distributed.
func (p *planner) testOfNormality(text string) *form {
	m := firstOf(p.lang.tests.normal, text)
	if m == nil {
		return nil
	}
	return attached(p.readGrammar(carrier+m[1]+m[2], nil), &inquiry{kind: statNormal, tested: true}, func(f *form) {
		f.numeric(1, "A test of normality")
		if len(f.dims) > 0 {
			f.block("I test all rows or those of a filter for normality, and not each group of them.")
		}
		for _, c := range f.spread() {
			f.enough(c, 8, "a test of normality")
		}
	})
}

// testOfPairs reads a question whether two numbers of the same rows differ. Without the name of the test both must be numbers, for
// other words compare groups.
func (p *planner) testOfPairs(text string) *form {
	for i, shape := range p.lang.tests.paired {
		m := shape.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		f := p.readGrammar(bothOf(m[1], m[2]), nil)
		if i > 0 && (f == nil || !f.understood() || f.help || len(f.spread()) != 2 || len(f.measures) != 2 || len(f.ignored)+len(f.dims) > 0) {
			return nil
		}
		return attached(f, &inquiry{kind: statPaired, tested: true}, func(f *form) {
			f.numeric(2, "A paired test")
			if len(f.dims) > 0 {
				f.block("I make the paired test of all rows or those of a filter, and not of each group of them.")
			}
			for _, c := range f.spread() {
				f.enough(c, 2, "a paired test")
			}
		})
	}
	return nil
}

// predictors splits the predictors of a regression; rest is what follows the last one. A single one has a line of its own.
func predictors(text string) (all []string, rest string) {
	if at := byEach.FindStringIndex(text); at != nil {
		text, rest = text[:at[0]], text[at[0]:]
	}
	for _, one := range betweenPredictors.Split(text, -1) {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	return all, rest
}

// fitted reads a regression of a number on several others; nil if the text names one.
func (p *planner) fitted(y, xs string) *form {
	all, rest := predictors(xs)
	if len(all) < 2 {
		return nil
	}
	carried := make([]string, len(all))
	for i, x := range all {
		carried[i] = carrier + x
	}
	f := p.readGrammar(carrier+y+" and "+strings.Join(carried, " and ")+rest, nil)
	switch {
	case f == nil:
		return nil
	case !f.help && f.understood() && rest == "" && len(f.dims) > 0:
		f.block(fmt.Sprintf("A regression needs numbers, and %s is none.", quoteName(f.dims[0].col)))
		return f
	case !f.help && f.understood() && len(f.spread()) != len(all)+1:
		return nil // a name that has “and” in it, or words that belong to one predictor
	}
	return attached(f, &inquiry{kind: statFit, tested: true}, func(f *form) {
		f.numeric(0, "A regression")
		switch {
		case len(f.dims) > 0:
			f.block("I fit a regression on several numbers to all rows or those of a filter, and not to each group of them.")
		case len(all) > predictorsMax:
			f.block(fmt.Sprintf("I explain a number by at most %d others.", predictorsMax))
		}
		for _, c := range f.spread() {
			f.enough(c, int64(len(all)+2), "such a regression")
		}
	})
}
