package builtin

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// level is the p-value below which a test finds more than chance.
const level = 0.05

// tests reports whether a statistic is one of the tests of this file.
func (s *inquiry) tests() bool {
	return slices.Contains([]statKind{statAnova, statChi2, statMann, statNormal, statPaired, statFit}, s.kind)
}

// testPhrase describes a test in the words of a plan.
func (s *inquiry) testPhrase(f *form) string {
	switch s.kind {
	case statAnova:
		return fmt.Sprintf("whether the mean of %s differs between the values of %s, by a one-way analysis of variance (equal variances assumed)",
			quoteName(f.measures[0].col), quoteName(s.columns[0]))
	case statChi2:
		if s.part != nil {
			return fmt.Sprintf("whether the share of rows of `%s` where %s differs between the values of %s, by Pearson's chi-square test",
				f.view.base.label(), s.part.phrase(), quoteName(s.columns[0]))
		}
		return fmt.Sprintf("whether %s and %s are related in the rows of `%s`, by Pearson's chi-square test", quoteName(s.columns[0]),
			quoteName(s.columns[1]), f.view.base.label())
	case statMann:
		sides, _ := f.twoSides()
		return fmt.Sprintf("whether %s is higher for %s of %s, by the Mann–Whitney test (two-sided, of the ranks)",
			quoteName(f.measures[0].col), specialist.List(sides.values, "or"), quoteName(sides.col))
	case statNormal:
		return fmt.Sprintf("whether %s is normally distributed, by D'Agostino's test of its skewness and kurtosis", quoteName(f.spread()[0]))
	case statPaired:
		return fmt.Sprintf("whether %s and %s of the same rows differ, by a paired t test (two-sided)", quoteName(f.measures[0].col),
			quoteName(f.measures[1].col))
	default:
		var xs []string
		for _, m := range f.measures[1:] {
			xs = append(xs, quoteName(m.col))
		}
		return fmt.Sprintf("the regression of %s on %s by least squares, with p-values", quoteName(f.measures[0].col), specialist.List(xs, "and"))
	}
}

// testTitle is the title of the result of a test.
func (s *inquiry) testTitle(f *form) string {
	switch s.kind {
	case statAnova:
		return "analysis of variance of " + f.measures[0].col.saidTitle() + " by " + s.columns[0].saidTitle()
	case statChi2:
		return "chi-square test of " + s.side() + " and " + s.columns[len(s.columns)-1].saidTitle()
	case statMann:
		return "Mann–Whitney test of " + f.measures[0].col.saidTitle()
	case statNormal:
		return "normality test of " + f.spread()[0].saidTitle()
	case statPaired:
		return "paired test of " + f.measures[0].col.saidTitle() + " and " + f.measures[1].col.saidTitle()
	default:
		return "regression of " + f.measures[0].col.saidTitle()
	}
}

// side names the first side of a chi-square test.
func (s *inquiry) side() string {
	if s.part != nil {
		return s.part.col.saidTitle()
	}
	return s.columns[0].saidTitle()
}

// tests narrates the result of a test.
func (t *teller) tests() (text, more string) {
	switch t.form.stat.kind {
	case statAnova:
		return t.narrateAnova()
	case statChi2:
		return t.narrateChi2()
	case statMann:
		return t.narrateMann()
	case statNormal:
		return t.narrateNormal()
	case statPaired:
		return t.narratePaired()
	default:
		return t.narrateFit()
	}
}

// p marks a p-value. A rounded zero would claim certainty.
func (t *teller) p(at int) (said string, p float64, ok bool) {
	p, ok = specialist.Number(t.cell(0, at))
	switch {
	case !ok:
		return "", 0, false
	case p > 0 && p < 0.0001:
		return marked(0, at, fmt.Sprintf("%.1e", p)), p, true
	}
	return marked(0, at, specialist.Format(p)), p, true
}

// verdict says what a p-value means: found if it is below the level, otherwise not found.
func verdict(p float64, found, not string) string {
	if p < level {
		return fmt.Sprintf("%s, at a level of %s", found, specialist.Format(level))
	}
	return fmt.Sprintf("%s, at a level of %s", not, specialist.Format(level))
}

const (
	moreThanChance = "so the difference is more than chance would usually make"
	chanceAlone    = "so chance alone could well make such a difference"
	independence   = "The test takes the rows as independent of each other"
)

func (t *teller) narrateAnova() (text, more string) {
	f := t.form
	c, by := f.measures[0].col, f.stat.columns[0]
	p, value, ok := t.p(3)
	if !ok {
		return fmt.Sprintf("a test of the mean %s by %s%s is not defined: it needs two groups at least, and values that differ within one.",
			c.saidTitle(), by.saidTitle(), t.scope()), ""
	}
	text = fmt.Sprintf("the p-value of the mean %s by %s%s is **%s** (one-way analysis of variance over %s values, F %s with %s and %s "+
		"degrees of freedom), %s.", c.saidTitle(), by.saidTitle(), t.scope(), p, t.at(0, 4), t.at(0, 0), t.at(0, 1), t.at(0, 2),
		verdict(value, moreThanChance, chanceAlone))
	if values := f.groupValues(by); len(values) > 0 && len(values) <= shownGroups {
		if best, worst := extremes(t.firstRow(5, len(values))); best >= 0 && best != worst {
			more = fmt.Sprintf("The highest mean is %s for %s, the lowest %s for %s. ", t.in(c, 5+best), safe(values[best]), t.in(c, 5+worst),
				safe(values[worst]))
		}
	}
	return text, more + independence + ", and assumes equal variances of the groups. It does not tell which of them differ."
}

// firstRow returns numbers of the first row, NaN for those that are not defined.
func (t *teller) firstRow(from, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		v, ok := specialist.Number(t.cell(0, from+i))
		if !ok {
			v = math.NaN()
		}
		out[i] = v
	}
	return out
}

func (t *teller) narrateChi2() (text, more string) {
	s := t.form.stat
	by := s.columns[len(s.columns)-1]
	p, value, ok := t.p(2)
	if !ok {
		return fmt.Sprintf("a test of %s and %s%s is not defined: it needs two different values of each at least.", s.side(), by.saidTitle(),
			t.scope()), ""
	}
	what, found, not := fmt.Sprintf("%s and %s", s.side(), by.saidTitle()), "so they are related by more than chance would usually make",
		"so chance alone could well make them look that much related"
	if s.part != nil {
		what = fmt.Sprintf("the share where %s by %s", strings.ReplaceAll(s.part.said(), "`", ""), by.saidTitle())
		found, not = moreThanChance, chanceAlone
	}
	text = fmt.Sprintf("the p-value of %s%s is **%s** (chi-square %s with %s degrees of freedom, over %s rows), %s. Cramér's V, from 0 for "+
		"unrelated to 1, is %s.", what, t.scope(), p, t.at(0, 0), t.at(0, 1), t.at(0, 5), verdict(value, found, not), t.at(0, 4))
	more = independence + ". It does not tell which one is the cause, if any."
	if least, ok := specialist.Number(t.cell(0, 3)); ok && least < 5 {
		more = fmt.Sprintf("The smallest expected count is %s, below 5, so the p-value is rough. ", t.at(0, 3)) + more
	}
	return text, more
}

func (t *teller) narrateMann() (text, more string) {
	c := t.form.measures[0].col
	sides, _ := t.form.twoSides()
	a, b := safe(sides.values[0]), safe(sides.values[1])
	if sides.col.booleanLike() {
		a, b = sides.col.saidTitle()+" "+a, sides.col.saidTitle()+" "+b
	}
	text = fmt.Sprintf("the median %s is **%s** for %s (%s values) and **%s** for %s (%s values)", c.saidTitle(), t.in(c, 0), a, t.at(0, 2),
		t.in(c, 1), b, t.at(0, 3))
	p, value, ok := t.p(6)
	if !ok {
		return text + ". A test needs values of both, and values that differ, so there is no p-value.", ""
	}
	text = fmt.Sprintf("%s. The p-value is **%s** by the Mann–Whitney test (U %s, z %s, two-sided), %s.", text, p, t.at(0, 4), t.at(0, 5),
		verdict(value, moreThanChance, chanceAlone))
	for _, at := range []int{2, 3} {
		if n, ok := specialist.Number(t.cell(0, at)); ok && n < 8 && more == "" {
			more = "The p-value is rough below 8 values in a group. "
		}
	}
	return text, more + independence + ", and compares the ranks of their values."
}

func (t *teller) narrateNormal() (text, more string) {
	c := t.form.spread()[0]
	p, value, ok := t.p(1)
	if !ok {
		return fmt.Sprintf("a test of %s%s is not defined: it needs at least 8 values that differ.", c.saidTitle(), t.scope()), ""
	}
	text = fmt.Sprintf("the p-value of a normal distribution of %s%s is **%s** (D'Agostino's test over %s values, K² %s; skewness %s, excess "+
		"kurtosis %s), %s.", c.saidTitle(), t.scope(), p, t.at(0, 4), t.at(0, 0), t.at(0, 2), t.at(0, 3),
		verdict(value, "so the values are not normally distributed", "so nothing speaks against a normal distribution"))
	more = "With many values the test finds small deviations as well, and with few it misses large ones."
	if n, ok := specialist.Number(t.cell(0, 4)); ok && n < 20 {
		more = "The p-value is rough below 20 values. " + more
	}
	return text, more
}

func (t *teller) narratePaired() (text, more string) {
	y, x := t.form.measures[0].col, t.form.measures[1].col
	text = fmt.Sprintf("over the %s rows%s with both, the mean of %s is **%s** and that of %s is **%s**", t.at(0, 2), t.scope(), y.saidTitle(),
		t.in(y, 0), x.saidTitle(), t.in(x, 1))
	p, value, ok := t.p(5)
	if !ok {
		return text + ". A test needs at least two rows with both, and differences that are not all the same, so there is no p-value.", ""
	}
	return fmt.Sprintf("%s. The p-value is **%s** by a paired t test (t %s, %s degrees of freedom, two-sided), %s.", text, p, t.at(0, 3),
		t.at(0, 4), verdict(value, moreThanChance, chanceAlone)), independence + ", and their differences as about normally distributed."
}

func (t *teller) narrateFit() (text, more string) {
	f := t.form
	y, xs := f.measures[0].col, f.measures[1:]
	whole := 2 * len(xs)
	if _, ok := specialist.Number(t.cell(0, 0)); !ok {
		return fmt.Sprintf("there is no such regression of %s%s: it needs at least %d rows with all numbers, and no predictor that follows from "+
			"the others.", y.saidTitle(), t.scope(), len(xs)+2), ""
	}
	var terms []string
	for i, m := range xs {
		said := "not defined"
		if p, _, ok := t.p(2*i + 1); ok {
			said = p
		}
		terms = append(terms, fmt.Sprintf("**%s** for each unit of %s (p-value %s)", t.at(0, 2*i), m.col.saidTitle(), said))
	}
	text = fmt.Sprintf("%s%s is about **%s** plus %s (least squares, over %s rows). R² is **%s**: that part of the variance goes with them "+
		"(%s adjusted for their number).", y.saidTitle(), t.scope(), t.at(0, whole), specialist.List(terms, "and"), t.at(0, whole+5),
		t.at(0, whole+1), t.at(0, whole+2))
	if p, _, ok := t.p(whole + 4); ok {
		text += fmt.Sprintf(" The p-value of the whole is %s (F %s).", p, t.at(0, whole+3))
	}
	return text, "Each p-value is two-sided, with the other predictors held fixed; the rows are taken as independent of each other. " +
		causeNote
}
