package query

import (
	"fmt"
	"slices"
)

// Tests with p-values and the regression on several numbers. Each result is a row with several parts, and a measure is one part of
// it; the compiler makes the row once for all parts that are asked for. Their formulas are those of docs/statistics.md.

// MaxPredictors is how many numbers a regression explains another one by at most. Each is a step of its statement.
const MaxPredictors = 6

// testParts are the parts of the results of each test.
func testParts() map[string][]string {
	return map[string][]string{
		opAnova:     {"f", "df_between", "df_within", "p"},
		opChi2:      {"chi2", "df", "p", "least", "v"},
		opMann:      {"u", "z", "p"},
		opNormality: {"k2", "p"},
		opPaired:    {"t", "df", "p"},
		opFit:       append(termParts(), "intercept", "r2", "adjusted_r2", "f", "df", "p_of_f"),
	}
}

// termParts are the parts of a regression that each predictor has.
func termParts() []string { return []string{"coefficient", "se", "t", "p"} }

// isTest reports whether a measure is a part of a test or of a regression on several numbers.
func isTest(n *node) bool {
	switch n.Op {
	case opAnova, opChi2, opMann, opNormality, opPaired, opFit:
		return true
	}
	return false
}

// untold is a test without the part of it that is asked for.
func (n *node) untold() *node { return &node{Op: n.Op, Table: n.Table, Kids: n.Kids} }

// test makes a part of a test over the rows of a table, which must have each value that it needs at most once.
func (m *Model) test(name, part string, of *table, kids ...*node) (Measure, error) {
	if known := testParts()[name]; !slices.Contains(known, part) {
		return nil, refuse(known, "The result of this test has no %s.", part)
	}
	for i, k := range kids {
		if err := m.placed(place{t: of}, k); err != nil {
			return nil, err
		}
		if k.among(kids[:i]) {
			return nil, refuse(nil, "%s is named twice.", m.say(k))
		}
	}
	return measureNode{op(name, kids...).with(part).at(Table{m: m, t: of})}, nil
}

// Anova is a part of the one-way analysis of variance of a number by the values of another column: f, df_between, df_within or
// p. It assumes that all groups have the same variance. Rows without a value of both do not count.
func (m *Model) Anova(part string, x Number, by Scalar) (Measure, error) {
	c := x.number()
	if err := m.classes("An analysis of variance", by.scalar()); err != nil {
		return nil, err
	}
	return m.test(opAnova, part, c.t, c.scalar(), by.scalar())
}

// Independence is a part of Pearson's chi-square test whether two values of the rows of a table are independent: chi2, df, p, least
// (the smallest expected count) or v (Cramér's V). It has no correction for continuity.
func (m *Model) Independence(part string, of Table, a, b Scalar) (Measure, error) {
	for _, s := range []Scalar{a, b} {
		if err := m.classes("A chi-square test", s.scalar()); err != nil {
			return nil, err
		}
	}
	return m.test(opChi2, part, of.t, a.scalar(), b.scalar())
}

// classes refuses what has no classes to compare: an amount or a level has another value in almost each row, and a time as well.
func (m *Model) classes(what string, n *node) error {
	if n.Op == opCol {
		c, err := m.Col(n.Table, n.Column)
		if err != nil {
			return err
		}
		if x := c.number(); x != nil {
			if x, err := m.Number(c); err == nil {
				switch x.(type) {
				case Amount, Level:
					return refuse([]string{"the correlation", "a regression"}, "%s compares groups, and %s is a number to calculate with.", what,
						c.label())
				case Rate, Plain:
				}
			}
		}
	}
	if m.kind(n) == kindTime && n.Op != opTrunc {
		return refuse(grains(), "%s compares groups, and %s has another value in almost each row.", what, m.say(n))
	}
	return nil
}

// MannWhitney is a part of the test whether a number is higher in one of two sets of rows, by the ranks of its values: u (of the
// first set), z or p. It takes the normal approximation, with corrections for ties and for continuity.
func (m *Model) MannWhitney(part string, x Number, one, other Pred) (Measure, error) {
	a, b := normal(one.pred()), normal(other.pred())
	if !disjoint(a, b) {
		return nil, refuse([]string{"two values of one column"}, "A test of two sets of rows needs sets that have no row in common.")
	}
	c := x.number()
	return m.test(opMann, part, c.t, c.scalar(), a, b)
}

// Normality is a part of D'Agostino's test whether a number is normally distributed, by its skewness and its kurtosis: k2 or p. It
// needs eight different rows.
func (m *Model) Normality(part string, x Number) (Measure, error) {
	c := x.number()
	return m.test(opNormality, part, c.t, c.scalar())
}

// Paired is a part of the t test whether two numbers of the same rows differ, by the mean of their differences: t, df or p.
func (m *Model) Paired(part string, y, x Number) (Measure, error) {
	if err := sameTable(y, x); err != nil {
		return nil, err
	}
	c := y.number()
	return m.test(opPaired, part, c.t, c.scalar(), x.number().scalar())
}

// sameTable refuses numbers that no row has all of.
func sameTable(y Number, others ...Number) error {
	for _, x := range others {
		if y.number().t.key() != x.number().t.key() {
			return refuse(nil, "%s and %s are in different tables, so no row has both.", y.number().label(), x.number().label())
		}
	}
	return nil
}

// Fit is a part of the regression of y on several numbers of its table by least squares, over the rows that have all of them. A
// predictor has a coefficient, its standard error se, t and p; term is its place, from 1 on. The whole has an intercept, r2,
// adjusted_r2, f, df (of the rest) and p_of_f; its term is 0. It has no value with fewer than two rows more than predictors, and
// where a predictor follows from the others.
func (m *Model) Fit(part string, term int, y Number, xs ...Number) (Measure, error) {
	if len(xs) == 0 || len(xs) > MaxPredictors {
		return nil, refuse(nil, "A regression has 1 to %d predictors.", MaxPredictors)
	}
	if ofTerm := slices.Contains(termParts(), part); term < 0 || term > len(xs) || ofTerm != (term > 0) {
		return nil, refuse(testParts()[opFit], "The regression has no %s at the place %d.", part, term)
	}
	if err := sameTable(y, xs...); err != nil {
		return nil, err
	}
	kids := []*node{y.number().scalar()}
	for _, x := range xs {
		kids = append(kids, x.number().scalar())
	}
	made, err := m.test(opFit, part, y.number().t, kids...)
	if err != nil {
		return nil, err
	}
	return measureNode{made.measure().num(float64(term))}, nil
}

// test builds a test again.
func (r *reader) test(n *node) (Measure, error) {
	if n.Op == opChi2 {
		t, err := r.m.base(n)
		if err != nil {
			return nil, err
		}
		k, err := each(n.Kids, r.scalar)
		if err != nil {
			return nil, err
		}
		return r.m.Independence(n.word(0), t, k[0], k[1])
	}
	y, err := r.number(n.Kids[0])
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case opAnova:
		by, err := r.scalar(n.Kids[1])
		if err != nil {
			return nil, err
		}
		return r.m.Anova(n.word(0), y, by)
	case opMann:
		p, err := each(n.Kids[1:], r.pred)
		if err != nil {
			return nil, err
		}
		return r.m.MannWhitney(n.word(0), y, p[0], p[1])
	case opNormality:
		return r.m.Normality(n.word(0), y)
	}
	xs, err := each(n.Kids[1:], r.number)
	if err != nil {
		return nil, err
	}
	if n.Op == opPaired {
		return r.m.Paired(n.word(0), y, xs[0])
	}
	return r.m.Fit(n.word(0), int(n.Numbers[0]), y, xs...)
}

// test says a part of a test, with what it assumes.
func (s *speaker) test(n *node) string {
	words := map[string]string{
		"f": "F", "df_between": "degrees of freedom between the groups", "df_within": "degrees of freedom within the groups",
		"p": "p-value", "chi2": "chi-square", "df": "degrees of freedom", "least": "smallest expected count", "v": "Cramér's V", "u": "U",
		"z": "z", "k2": "K²", "t": "t", "coefficient": "coefficient", "se": "standard error", "intercept": "intercept",
		"r2": "explained part of the variance", "adjusted_r2": "explained part of the variance, adjusted,", "p_of_f": "p-value",
	}
	part := words[n.word(0)]
	switch n.Op {
	case opAnova:
		s.note("The analysis of variance assumes equal variances of the groups.")
		return fmt.Sprintf("%s of the one-way analysis of variance of %s by %s", part, s.withUnit(n.Kids[0]), s.scalar(n.Kids[1]))
	case opChi2:
		s.note("The chi-square test has no correction for continuity.")
		return fmt.Sprintf("%s of the chi-square test of %s and %s over the %s", part, s.scalar(n.Kids[0]), s.scalar(n.Kids[1]),
			s.m.find(n.Table).plural())
	case opMann:
		s.note("The Mann–Whitney test is two-sided, by the normal approximation.")
		return fmt.Sprintf("%s of the Mann–Whitney test of %s where %s and where %s", part, s.withUnit(n.Kids[0]), s.pred(n.Kids[1]),
			s.pred(n.Kids[2]))
	case opNormality:
		return fmt.Sprintf("%s of D'Agostino's test whether %s is normally distributed", part, s.withUnit(n.Kids[0]))
	case opPaired:
		s.note("The paired test is two-sided.")
		return fmt.Sprintf("%s of the paired t test of %s and %s", part, s.withUnit(n.Kids[0]), s.withUnit(n.Kids[1]))
	}
	if at := int(n.Numbers[0]); at > 0 {
		part += " of " + s.scalar(n.Kids[at])
	}
	return fmt.Sprintf("%s in the regression of %s on %s", part, s.withUnit(n.Kids[0]), join(s.list(n.Kids[1:]), "and"))
}
