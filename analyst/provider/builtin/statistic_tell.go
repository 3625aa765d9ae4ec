package builtin

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// phrase describes a statistic in the words of a plan.
func (s *inquiry) phrase(f *form) string {
	by := ""
	if len(f.dims) > 0 && s.kind != statBins {
		var ds []string
		for _, d := range f.dims {
			ds = append(ds, d.phrase())
		}
		by = " by " + specialist.List(ds, "and")
	}
	names := func(all []*column) string {
		var out []string
		for _, c := range all {
			out = append(out, quoteName(c))
		}
		return specialist.List(out, "and")
	}
	switch s.kind {
	case statShape:
		var all []string
		for _, m := range f.measures {
			if m.agg != aggStddev {
				all = append(all, m.phrase(f.view))
				continue
			}
			for _, x := range s.shapes {
				all = append(all, x.said+" of "+quoteName(m.col))
			}
		}
		return specialist.List(all, "and") + by
	case statRelated:
		text := "Pearson's correlation of "
		if s.ranks {
			text = "Spearman's rank correlation of "
		}
		return text + names(f.spread()) + s.withP() + by
	case statMatrix:
		return "Pearson's correlation of each two of " + names(s.columns)
	case statLine:
		return fmt.Sprintf("the line of least squares of %s by %s%s%s", quoteName(f.measures[0].col), quoteName(f.measures[1].col),
			s.withP(), by)
	case statOutliers:
		what := "how many values of "
		if s.list {
			what = "the rows whose values of "
		}
		text := what + names(f.spread()) + " are outliers, " + s.ruled()
		if by != "" {
			text += ", within each group" + by
		}
		return text
	case statBins:
		return fmt.Sprintf("number of rows of `%s` by %s in %d classes of equal width", f.view.base.label(), quoteName(f.dims[0].col), s.bins)
	case statWelch:
		sides, _ := f.twoSides()
		return fmt.Sprintf("whether the mean of %s differs between %s of %s, by Welch's test (two-sided, equal variances not assumed)",
			quoteName(f.measures[0].col), specialist.List(sides.values, "and"), quoteName(sides.col))
	case statMissing:
		if s.share {
			return fmt.Sprintf("the share of missing values in each column of `%s`", f.view.base.label())
		}
		return fmt.Sprintf("the number of missing values in each column of `%s`", f.view.base.label())
	default:
		return s.testPhrase(f)
	}
}

// compares reports whether a condition is about the two sides of a test, which the phrase of the test already names.
func (s *inquiry) compares(f *form, c condition) bool {
	sides, ok := f.twoSides()
	return (s.kind == statWelch || s.kind == statMann) && ok && sides.col == c.col && slices.Equal(sides.values, c.values)
}

func (s *inquiry) withP() string {
	if s.tested {
		return " with the two-sided p-value"
	}
	return ""
}

// ruled describes a rule for outliers.
func (s *inquiry) ruled() string {
	if s.rule == "z" {
		return "more than " + specialist.Format(s.factor) + " standard deviations (of a sample) from the mean"
	}
	return "more than " + specialist.Format(s.factor) + " times the distance of the quartiles outside of them"
}

// title is the title of a statistic's result.
func (s *inquiry) title(f *form) string {
	said := func(i int) string { return f.measures[i].col.saidTitle() }
	switch s.kind {
	case statShape:
		var all []string
		for _, c := range f.spread() {
			for _, x := range s.shapes {
				all = append(all, x.short+" of "+c.saidTitle())
			}
		}
		return specialist.List(all, "and") + byGroups(f)
	case statRelated:
		return "correlation of " + said(0) + " and " + said(1) + byGroups(f)
	case statMatrix:
		return "correlations of " + f.view.base.label()
	case statLine:
		return "regression of " + said(0) + " on " + said(1) + byGroups(f)
	case statOutliers:
		return "outliers of " + f.spread()[0].saidTitle() + byGroups(f)
	case statBins:
		return fmt.Sprintf("%s in %d classes", f.dims[0].col.saidTitle(), s.bins)
	case statWelch:
		return "test of the mean " + said(0)
	case statMissing:
		return "missing values of " + f.view.base.label()
	default:
		return s.testTitle(f)
	}
}

// statistical narrates the result of a statistic.
func (t *teller) statistical() narration {
	text, more := "", ""
	switch t.form.stat.kind {
	case statShape:
		text, more = t.narrateShapes()
	case statRelated:
		text, more = t.narrateRelated()
	case statMatrix:
		text, more = t.narrateMatrix()
	case statLine:
		text, more = t.narrateLine()
	case statOutliers:
		text, more = t.narrateOutliers()
	case statWelch:
		text, more = t.narrateTest()
	case statMissing:
		text, more = t.narrateMissing()
	case statBins:
	default:
		text, more = t.tests()
	}
	text = specialist.Sentence(text)
	return narration{answer: strings.TrimSpace(text + " " + more), summary: strings.ReplaceAll(text, "**", "")}
}

// at marks a number of a row, rounded as numbers are.
func (t *teller) at(row, column int) string {
	v, ok := specialist.Number(t.cell(row, column))
	if !ok {
		return "not defined"
	}
	return marked(row, column, specialist.Format(v))
}

// in marks a number of the first row in the unit of a column.
func (t *teller) in(c *column, at int) string {
	v, ok := specialist.Number(t.cell(0, at))
	if !ok {
		return "not defined"
	}
	return marked(0, at, quantity(v, c))
}

// lacking reports for how many groups a figure is not defined, and why; "" if it is defined for all.
func (t *teller) lacking(at int, why string) string {
	n := 0
	for i := range t.rows {
		if _, ok := specialist.Number(t.cell(i, at)); !ok {
			n++
		}
	}
	switch {
	case n == 0:
		return ""
	case len(t.rows) == 1:
		return specialist.Sentence(why) + "."
	}
	return fmt.Sprintf("In %s of the groups it is not defined: %s.", specialist.Format(float64(n)), why)
}

// farthest names the groups with the highest and the lowest figure; what is the figure with its article.
func (t *teller) farthest(what string, at int, said func(row int) string) string {
	values := t.values(at)
	best, worst := extremes(values)
	switch {
	case best < 0:
		return "No group has " + what + "."
	case best != worst && values[best] == values[worst]:
		return fmt.Sprintf("%s%s is the same in all groups that have it: **%s**.", what, t.scope(), said(best))
	case best == worst:
		return fmt.Sprintf("%s%s of **%s** is **%s**.", what, t.scope(), t.label(best), said(best))
	}
	return fmt.Sprintf("%s%s is highest for **%s**: **%s**. It is lowest for %s with %s.", what, t.scope(), t.label(best), said(best),
		t.label(worst), said(worst))
}

func (t *teller) narrateShapes() (text, more string) {
	f := t.form
	var parts, needs []string
	at := t.dims
	first := -1
	var least int64
	for i, m := range f.measures {
		if m.agg != aggStddev {
			parts = append(parts, fmt.Sprintf("the %s is **%s**", m.said(f), marked(0, at, t.figure(t.values(at)[0], i))))
			at++
			continue
		}
		for _, s := range f.stat.shapes {
			if first < 0 {
				first, least = at, s.least
			}
			parts = append(parts, fmt.Sprintf("the %s of %s%s is **%s**", s.said, m.col.saidTitle(), t.scopeOnce(len(parts)), t.at(0, at)))
			needs = append(needs, fmt.Sprintf("a %s needs %d different values at least", s.short, max(s.least, 1)))
			at++
		}
	}
	why := "there are too few values, or all are equal (" + needs[0] + ")"
	if least < 3 {
		why = "there are too few values"
	}
	if t.dims > 0 {
		s := f.stat.shapes[0]
		text = t.farthest("the "+s.said+" of "+f.spread()[0].saidTitle(), first, func(row int) string { return t.at(row, first) })
		return text, t.lacking(first, why)
	}
	text = specialist.List(parts, "and") + fmt.Sprintf(", over %s values.", t.at(0, at))
	return text, t.lacking(first, why)
}

// strength describes a correlation in words.
func strength(r float64) string {
	switch s := math.Abs(r); {
	case s >= 0.7:
		return "strong"
	case s >= 0.4:
		return "moderate"
	case s >= 0.2:
		return "weak"
	}
	return "hardly there"
}

const tooFewPairs = "it needs at least three rows with both numbers, and different values of each"

func (t *teller) narrateRelated() (text, more string) {
	f := t.form
	what := "the correlation"
	if f.stat.ranks {
		what = "the rank correlation (Spearman)"
	}
	what += fmt.Sprintf(" of %s and %s", f.measures[0].col.saidTitle(), f.measures[1].col.saidTitle())
	said := func(row int) string { return t.at(row, t.dims) }
	if t.dims > 0 {
		more = t.lacking(t.dims, tooFewPairs)
		if f.stat.tested {
			more += " The p-value of each group is in the table."
		}
		return t.farthest(what, t.dims, said), strings.TrimSpace(more + " " + causeNote)
	}
	r, ok := specialist.Number(t.cell(0, 0))
	if !ok {
		return fmt.Sprintf("%s%s is not defined: %s.", what, t.scope(), tooFewPairs), ""
	}
	text = fmt.Sprintf("%s%s is **%s** over %s pairs, which is %s.", what, t.scope(), said(0), t.at(0, 1), strength(r))
	if f.stat.tested {
		text += " " + t.pValue(2) + "."
	}
	return text, causeNote
}

const causeNote = "That does not tell which one is the cause, if any."

// pValue writes a two-sided p-value. A rounded zero would claim certainty.
func (t *teller) pValue(at int) string {
	p, ok := specialist.Number(t.cell(0, at))
	switch {
	case !ok:
		return "There are too few values for a p-value"
	case p > 0 && p < 0.0001:
		return fmt.Sprintf("The p-value is **%s** (two-sided)", marked(0, at, fmt.Sprintf("%.1e", p)))
	}
	return fmt.Sprintf("The p-value is **%s** (two-sided)", marked(0, at, specialist.Format(p)))
}

func (t *teller) narrateMatrix() (text, more string) {
	pairs := pairsOf(t.form.stat.columns)
	best := -1
	values := make([]float64, len(pairs))
	for i := range pairs {
		v, ok := specialist.Number(t.cell(0, i))
		if !ok {
			continue
		}
		values[i] = v
		if best < 0 || math.Abs(v) > math.Abs(values[best]) {
			best = i
		}
	}
	if best < 0 {
		return "none of the correlations is defined: " + tooFewPairs + ".", ""
	}
	text = fmt.Sprintf("of the %d pairs%s, **%s** and **%s** go together the most: their correlation is **%s**, over %s rows.",
		len(pairs), t.scope(),
		pairs[best][0].saidTitle(), pairs[best][1].saidTitle(), t.at(0, best), t.at(0, len(pairs)))
	return text, "A row counts for a pair if it has both numbers. " + causeNote
}

func (t *teller) narrateLine() (text, more string) {
	f := t.form
	y, x := f.measures[0].col, f.measures[1].col
	if t.dims > 0 {
		text = t.farthest(fmt.Sprintf("the slope of %s by %s", y.saidTitle(), x.saidTitle()), t.dims,
			func(row int) string { return t.at(row, t.dims) })
		return text, t.lacking(t.dims, tooFewPairs)
	}
	if _, ok := specialist.Number(t.cell(0, 0)); !ok {
		return fmt.Sprintf("there is no line of %s by %s%s: %s.", y.saidTitle(), x.saidTitle(), t.scope(), tooFewPairs), ""
	}
	text = fmt.Sprintf("%s%s is about **%s** plus **%s** for each unit of %s (least squares, over %s pairs). R² is **%s**: that "+
		"part of the "+
		"variance of %s goes with %s.", y.saidTitle(), t.scope(), t.at(0, 1), t.at(0, 0), x.saidTitle(), t.at(0, 3), t.at(0, 2),
		y.saidTitle(), x.saidTitle())
	if f.stat.tested {
		text += " " + t.pValue(4) + ", of the slope."
	}
	return text, causeNote
}

func (t *teller) narrateOutliers() (text, more string) {
	f := t.form
	c := f.spread()[0]
	if f.stat.list {
		return fmt.Sprintf("**%s** rows%s have an outlier of %s: %s.", rowCount(len(t.rows)), t.scope(), c.saidTitle(), f.stat.ruled()), ""
	}
	if t.dims > 0 {
		text = t.farthest(fmt.Sprintf("the number of outliers of %s", c.saidTitle()), t.dims, func(row int) string { return t.at(row, t.dims) })
		return text, fmt.Sprintf("An outlier is %s of its own group.", f.stat.ruled())
	}
	bounds := fmt.Sprintf("the quartiles are %s and %s", t.in(c, 2), t.in(c, 3))
	if f.stat.rule == "z" {
		bounds = fmt.Sprintf("the mean is %s and the standard deviation %s", t.in(c, 2), t.in(c, 3))
	}
	return fmt.Sprintf("**%s** of %s values of %s%s are outliers: %s (%s).", t.at(0, 0), t.at(0, 1), c.saidTitle(), t.scope(),
		f.stat.ruled(), bounds), ""
}

func (t *teller) narrateTest() (text, more string) {
	c := t.form.measures[0].col
	sides, _ := t.form.twoSides()
	a, b := safe(sides.values[0]), safe(sides.values[1])
	p, ok := specialist.Number(t.cell(0, 6))
	means := fmt.Sprintf("the mean %s is **%s** for %s (%s values) and **%s** for %s (%s values)", c.saidTitle(), t.in(c, 0), a, t.at(0, 2),
		t.in(c, 1), b, t.at(0, 3))
	if !ok {
		return means + ". A test needs at least two values of each, and values that differ, so there is no p-value.", ""
	}
	verdict := "so the difference is more than chance would usually make, at a level of 0.05"
	if p >= 0.05 {
		verdict = "so chance alone could well make such a difference, at a level of 0.05"
	}
	return fmt.Sprintf("%s. %s by Welch's test (t %s, %s degrees of freedom), %s.", means, t.pValue(6), t.at(0, 4), t.at(0, 5), verdict),
		"The test takes the rows as independent of each other, and does not assume equal variances."
}

// missingListed is how many columns with missing values are named.
const missingListed = 6

func (t *teller) narrateMissing() (text, more string) {
	s := t.form.stat
	var parts []string
	n := 0
	for i, c := range s.columns {
		v, ok := specialist.Number(t.cell(0, i))
		if !ok || v == 0 {
			continue
		}
		if n++; n > missingListed {
			continue
		}
		said := marked(0, i, specialist.Format(v))
		if s.share {
			said = marked(0, i, percentText(v))
		}
		parts = append(parts, fmt.Sprintf("%s **%s**", c.saidTitle(), said))
	}
	rows := t.at(0, len(s.columns))
	switch {
	case n == 0:
		return fmt.Sprintf("none of the %d columns has a missing value in %s rows%s.", len(s.columns), rows, t.scope()), ""
	case n > missingListed:
		parts = append(parts, fmt.Sprintf("%d others", n-missingListed))
	}
	return fmt.Sprintf("missing values of %s rows%s: %s.", rows, t.scope(), specialist.List(parts, "and")), "The other columns are complete."
}
