package query

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// The statistics of two numbers whose ranks are taken, and the test of two means. Their formulas are those of docs/statistics.md.

// pairsOfRanks are the statistics of the ranks of two numbers.
func pairsOfRanks() []string { return []string{"spearman", "spearman_p"} }

// Spearman is the correlation of the ranks of two numbers of one table, over the rows with both. Equal values have the mean of
// their ranks.
func Spearman(y, x Number) (Measure, error) { return pair("spearman", y, x) }

// SpearmanSignificance is the p-value of Spearman's correlation, two-sided, by the approximation with Student's t. It needs three
// pairs.
func SpearmanSignificance(y, x Number) (Measure, error) { return pair("spearman_p", y, x) }

// ofRanks reports whether an aggregate is one of ranks, which are made in a fact of its own.
func ofRanks(n *node) bool { return n.Op == opPair && slices.Contains(pairsOfRanks(), n.word(0)) }

// welchParts are the results of Welch's test.
func welchParts() []string { return []string{"t", "df", "p"} }

// Welch is a part of Welch's test of the means of a number in two sets of rows: t, df (degrees of freedom by Welch and
// Satterthwaite) or p (two-sided). The rows of the first set are not in the second one. It has no value with fewer than two rows in
// a set, or if all values are equal.
func (m *Model) Welch(part string, x Number, one, other Pred) (Measure, error) {
	if !slices.Contains(welchParts(), part) {
		return nil, refuse(welchParts(), "Welch's test has no %s.", part)
	}
	c := x.number()
	a, b := normal(one.pred()), normal(other.pred())
	if !disjoint(a, b) {
		return nil, refuse([]string{"two values of one column"}, "A test of two means needs two sets of rows that have no row in common.")
	}
	mean := op(opStat, c.scalar()).with("mean")
	if w := weight(c.t, mean); w != "" {
		return nil, refuse([]string{"the two means"}, "The mean of %s is weighed by %s, and the test is of plain means.", c.label(),
			label(c.t, w))
	}
	home := place{t: c.t}
	for _, p := range []*node{a, b} {
		if err := m.placed(home, p); err != nil {
			return nil, err
		}
	}
	return measureNode{op(opWelch, c.scalar(), a, b).with(part)}, nil
}

// disjoint reports whether it is certain that no row meets both conditions: they require different values of one column, or one is
// the negation of the other.
func disjoint(a, b *node) bool {
	if a.Op == opNot && a.Kids[0].same(b) || b.Op == opNot && b.Kids[0].same(a) {
		return true
	}
	if a.Op != opIn || b.Op != opIn || !a.Kids[0].same(b.Kids[0]) {
		return false
	}
	return !slices.ContainsFunc(a.Words, func(w string) bool { return slices.Contains(b.Words, w) })
}

// welch writes a part of Welch's test over the rows of a scope.
func (c *compiler) welch(s *scope, n *node, when []*node) string {
	x := "CAST(" + s.column(n.Kids[0]) + " AS DOUBLE PRECISION)"
	set := func(p *node) (mean, part, values string) {
		filter := " FILTER (WHERE " + s.pred(conditions(append(slices.Clone(when), p))) + ")"
		values = "count(" + x + ")" + filter
		return "avg(" + x + ")" + filter, "(var_samp(" + x + ")" + filter + " / nullif(" + values + ", 0))", values
	}
	meanA, a, valuesA := set(n.Kids[1])
	meanB, b, valuesB := set(n.Kids[2])
	t := "((" + meanA + " - " + meanB + ") / nullif(sqrt(" + a + " + " + b + "), 0))"
	df := fmt.Sprintf("((%[1]s + %[2]s) * (%[1]s + %[2]s) / nullif(%[1]s * %[1]s / nullif(%[3]s - 1, 0) + %[2]s * %[2]s / "+
		"nullif(%[4]s - 1, 0), 0))",
		a, b, valuesA, valuesB)
	switch n.word(0) {
	case "t":
		return t
	case "df":
		return df
	}
	return c.must(c.d.P("p_t", t, df))
}

// ranked is the fact of statistics of ranks: one row for each pair, with its ranks within its groups.
func (f *facts) ranked(l leaf) *fact {
	s := f.c.scope(l.home)
	dims := f.dims(s)
	y, x := s.column(l.n.Kids[0]), s.column(l.n.Kids[1])
	conditions := and(and(s.where(slices.Concat(f.where, l.when)), y+" IS NOT NULL"), x+" IS NOT NULL")
	rank := func(v string) string {
		within := "PARTITION BY " + strings.Join(append(slices.Clone(dims), v), ", ")
		order := "ORDER BY " + v
		if len(dims) > 0 {
			order = "PARTITION BY " + strings.Join(dims, ", ") + " " + order
		}
		return "CAST(rank() OVER (" + order + ") + (count(*) OVER (" + within + ") - 1) / 2.0 AS DOUBLE PRECISION)"
	}
	columns, _ := named(dims)
	columns = append(columns, rank(y)+` AS "ry"`, rank(x)+` AS "rx"`)
	alias := f.c.fresh("ranks")
	sql := "(SELECT " + strings.Join(columns, ", ") + " FROM " + s.from.String() + conditions + ")"
	out := f.over(l.home, alias, sql, len(dims), f.overRanks(alias, l.n.word(0)))
	out.alias = alias
	return out
}

// overRanks writes a statistic of the ranks of a fact.
func (f *facts) overRanks(alias, statistic string) string {
	name := map[string]string{"spearman": "corr", "spearman_p": "p"}[statistic]
	from := sqltext.QuoteName(alias)
	return f.c.must(f.c.d.Pair(name, from+`."ry"`, from+`."rx"`, ""))
}
