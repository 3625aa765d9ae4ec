package query

import (
	"slices"

	"parley.dev/parley/domain/meaning"
)

// Measure is one figure of each group. It knows its own table: no measure is ever added up over the rows of another one.
//
//sumtype:decl
type Measure interface {
	measure() *node
}

type measureNode struct{ n *node }

func (m measureNode) measure() *node { return m.n }

// Count is the number of rows, or things, of a set.
func Count(of Set) Measure { return measureNode{op(opCount, of.n)} }

// Distinct is the number of different values of a column.
func Distinct(c Col) Measure { return measureNode{op(opDistinct, c.scalar())} }

// Total adds up an amount. A level or a rate cannot be given to it.
func Total(n Amount) Measure { return measureNode{op(opTotal, n.scalar())} }

// Pick says which periods of a level are taken.
type Pick string

// The picks.
const (
	// LastPeriod is the sum within the last period of a time, the same for all groups.
	LastPeriod Pick = "last_period"
	// LastPerEntity is the sum of each thing's own last value within a time.
	LastPerEntity Pick = "last_per_entity"
	// MeanOfPeriods is the mean of the sums of each period.
	MeanOfPeriods Pick = "mean_of_periods"
	// Each is the sum of each period; the answer must be grouped by the period.
	Each Pick = "each"
)

// At adds up a level at the periods that a pick takes.
func At(n Level, pick Pick) (Measure, error) {
	switch pick {
	case LastPeriod, MeanOfPeriods, Each:
	case LastPerEntity:
		if len(n.c.t.Snapshot.Entity) == 0 {
			return nil, refuse([]string{"the last period"}, "Nothing says whose level %s is.", n.c.label())
		}
	default:
		return nil, refuse([]string{"the last period", "the last value of each", "the mean of the periods", "each period"},
			"%s is a level: it must be said at which periods it is added up.", n.c.label())
	}
	return measureNode{op(opAt, n.scalar()).with(string(pick))}, nil
}

// statistics are the aggregates of one number that accept every kind of number, because none of them adds values up.
func statistics() []string {
	return []string{
		"mean", "median", "quantile", "std", "stdp", "var", "varp", "min", "max", "range", "iqr", "mad", "mode", "skew", "kurtosis",
	}
}

func stat(name string, n Number) Measure {
	return measureNode{op(opStat, n.number().scalar()).with(name)}
}

// Mean is the mean of a number. A rate with a known weight is weighed with it.
func Mean(n Number) Measure { return stat("mean", n) }

// Median is the value in the middle.
func Median(n Number) Measure { return stat("median", n) }

// Quantile is the value below which a part of the rows lie, 0 to 1, between two values if need be.
func Quantile(n Number, part float64) (Measure, error) {
	if !(part >= 0 && part <= 1) {
		return nil, refuse(nil, "A quantile is between 0 and 1.")
	}
	return measureNode{op(opStat, n.number().scalar()).with("quantile").num(part)}, nil
}

// Std is the standard deviation, of a sample or of a whole population.
func Std(n Number, population bool) Measure {
	if population {
		return stat("stdp", n)
	}
	return stat("std", n)
}

// Var is the variance, of a sample or of a whole population.
func Var(n Number, population bool) Measure {
	if population {
		return stat("varp", n)
	}
	return stat("var", n)
}

// Min is the lowest value.
func Min(n Number) Measure { return stat("min", n) }

// Max is the highest value.
func Max(n Number) Measure { return stat("max", n) }

// Lowest is the lowest value of a column that is no number: the first date, the first text by its letters.
func Lowest(c Col) Measure { return measureNode{op(opStat, c.scalar()).with("min")} }

// Highest is the highest value of a column that is no number.
func Highest(c Col) Measure { return measureNode{op(opStat, c.scalar()).with("max")} }

// Range is the highest value minus the lowest one.
func Range(n Number) Measure { return stat("range", n) }

// IQR is the distance of the quartiles.
func IQR(n Number) Measure { return stat("iqr", n) }

// MAD is the median of the distances from the median.
func MAD(n Number) Measure { return stat("mad", n) }

// Mode is a most frequent value. If there are several, it is one of them.
func Mode(n Number) Measure { return stat("mode", n) }

// Skew is the skewness of a sample (the adjusted Fisher-Pearson coefficient). It needs three different rows.
func Skew(n Number) Measure { return stat("skew", n) }

// Kurtosis is the excess kurtosis of a sample (G2). It needs four rows.
func Kurtosis(n Number) Measure { return stat("kurtosis", n) }

func pair(name string, y, x Number) (Measure, error) {
	if err := sameTable(y, x); err != nil {
		return nil, err
	}
	return measureNode{op(opPair, y.number().scalar(), x.number().scalar()).with(name)}, nil
}

// Corr is Pearson's correlation of two numbers of one table.
func Corr(y, x Number) (Measure, error) { return pair("corr", y, x) }

// Slope is how much y grows for each x, by least squares.
func Slope(y, x Number) (Measure, error) { return pair("slope", y, x) }

// Intercept is y where x is 0, by least squares.
func Intercept(y, x Number) (Measure, error) { return pair("intercept", y, x) }

// Significance is the p-value of the correlation of two numbers of one table, two-sided. It needs three pairs.
func Significance(y, x Number) (Measure, error) { return pair("p", y, x) }

// R2 is the part of the variance of y that x explains.
func R2(y, x Number) (Measure, error) { return pair("r2", y, x) }

// When is a measure of only those rows that meet a condition. The condition belongs to the measure and to no other one.
func (m *Model) When(of Measure, p Pred) (Measure, error) {
	leaves, err := m.leaves(of.measure())
	if err != nil {
		return nil, err
	}
	for _, l := range leaves {
		if err := m.placed(l.home, p.pred()); err != nil {
			return nil, err
		}
	}
	return measureNode{op(opWhen, of.measure(), normal(p.pred()))}, nil
}

// Ratio is a measure by another one; no value where that is 0.
func Ratio(a, b Measure) Measure { return measureNode{op(opRatio, a.measure(), b.measure())} }

// Diff is a measure minus another one.
func Diff(a, b Measure) Measure { return measureNode{op(opDiff, a.measure(), b.measure())} }

// Percent is a measure in percent of another one.
func Percent(a, b Measure) Measure { return measureNode{op(opPercent, a.measure(), b.measure())} }

// Share is the part, 0 to 1, that the rows that meet a condition have of a measure. Means and counts of different values have
// no parts and are refused.
func (m *Model) Share(of Measure, p Pred) (Measure, error) {
	if !m.adds(of.measure()).groups {
		return nil, refuse([]string{"the figure itself for these rows"}, "%s has no parts that add up to a whole.", m.say(of.measure()))
	}
	if _, err := m.When(of, p); err != nil {
		return nil, err
	}
	return measureNode{op(opShare, of.measure(), normal(p.pred()))}, nil
}

// Per divides a measure by the number of different values of a column: orders per customer.
func Per(of Measure, c Col) Measure { return measureNode{op(opPer, of.measure(), c.scalar())} }

// EachPeriod is a statistic (mean, median, min or max) of a measure of each period that has rows: the mean sales per month. The
// statistic count is the number of these periods. A level is picked at Each, and its own periods are taken.
func (m *Model) EachPeriod(of Measure, t Time, grain, statistic string) (Measure, error) {
	if _, err := t.By(grain); err != nil {
		return nil, err
	}
	return m.eachOf(of, t.node(), grain, statistic)
}

// EachOf is such a statistic of a measure of each value of a column, which each row has once: the median sales per order. Rows
// without a value do not count.
func (m *Model) EachOf(of Measure, c Col, statistic string) (Measure, error) {
	return m.eachOf(of, c.node(), "", statistic)
}

func (m *Model) eachOf(of Measure, by *node, grain, statistic string) (Measure, error) {
	if known := []string{"mean", "median", "min", "max", "count"}; !slices.Contains(known, statistic) {
		return nil, refuse(known, "There is no %s of periods.", statistic)
	}
	inner := of.measure()
	for inner.Op == opWhen {
		inner = inner.Kids[0]
	}
	if m.isEnd(inner) {
		return nil, refuse(nil, "%s is nothing to calculate with.", m.say(inner))
	}
	if ofRanks(inner) {
		return nil, refuse(nil, "Ranks are taken over all rows, so there is no %s of each.", m.say(inner))
	}
	switch inner.Op {
	case opCount, opDistinct, opTotal, opStat, opPair, opWelch:
	case opAt:
		l, err := m.leaves(inner)
		if err != nil {
			return nil, err
		}
		home := l[0].home.t
		if Pick(inner.word(0)) != Each || !ofPeriod(home, by) || grain != string(home.Snapshot.Step) {
			return nil, refuse([]string{"each " + string(home.Snapshot.Step)}, "A level is taken of each of its own periods.")
		}
	default:
		return nil, refuse(nil, "A %s of periods is taken of one plain figure, not of %s.", statistic, m.say(of.measure()))
	}
	n := op(opEach, of.measure(), by).with(grain, statistic)
	leaves, err := m.leaves(n)
	if err != nil {
		return nil, err
	}
	if err := m.placed(leaves[0].home, by); err != nil {
		return nil, err
	}
	return measureNode{n}, nil
}

// maxName is how many characters a name of a column of a result can have.
const maxName = 120

// Named gives a measure its name in the result.
func Named(name string, of Measure) (Measure, error) {
	if name == "" || len([]rune(name)) > maxName {
		return nil, refuse(nil, "A name has 1 to %d characters.", maxName)
	}
	return measureNode{op(opNamed, of.measure()).with(name)}, nil
}

// leaf is an aggregate of the rows of one table, with the conditions that belong to it.
type leaf struct {
	n    *node
	when []*node
	home place
}

// leaves are the aggregates of which a measure is calculated.
func (m *Model) leaves(n *node) ([]leaf, error) {
	var out []leaf
	var walk func(n *node, when []*node) error
	walk = func(n *node, when []*node) error {
		n = lowerMeasure(n)
		switch n.Op {
		case opWhen:
			return walk(n.Kids[0], append(slices.Clone(when), n.Kids[1]))
		case opNamed:
			return walk(n.Kids[0], when)
		case opRatio, opDiff, opPercent:
			for _, k := range n.Kids {
				if err := walk(k, when); err != nil {
					return err
				}
			}
			return nil
		case opEach:
			inner, err := m.leaves(n.Kids[0])
			if err != nil {
				return err
			}
			out = append(out, leaf{n: n, when: slices.Concat(inner[0].when, when), home: inner[0].home})
			return nil
		}
		of := n.Kids[0]
		if isTest(n) {
			of = n
		}
		t, err := m.base(of)
		if err != nil {
			return err
		}
		home := t.place()
		if n.Op != opCount {
			home = place{t: t.t}
		}
		out = append(out, leaf{n: n, when: when, home: home})
		return nil
	}
	err := walk(n, nil)
	return out, err
}

// lowerMeasure replaces a measure that is shorthand by the measures that it stands for.
func lowerMeasure(n *node) *node {
	switch n.Op {
	case opShare:
		return op(opRatio, op(opWhen, n.Kids[0], n.Kids[1]), n.Kids[0])
	case opPer:
		return op(opRatio, n.Kids[0], op(opDistinct, n.Kids[1]))
	}
	return n
}

// additive says over what the values of a measure add up to the value of all rows.
type additive struct{ groups, time bool }

func (m *Model) adds(n *node) additive {
	switch n.Op {
	case opCount, opTotal:
		return additive{true, true}
	case opAt:
		return additive{groups: Pick(n.word(0)) != MeanOfPeriods}
	case opWhen, opNamed:
		return m.adds(n.Kids[0])
	case opDiff:
		a, b := m.adds(n.Kids[0]), m.adds(n.Kids[1])
		return additive{a.groups && b.groups, a.time && b.time}
	}
	return additive{}
}

// barriers are the columns that must be fixed or grouped by for a leaf.
func (m *Model) barriers(l leaf) []meaning.Barrier {
	n := l.n
	if n.Op == opEach {
		inner, err := m.leaves(n.Kids[0])
		if err != nil {
			return nil
		}
		n = inner[0].n
	}
	if n.Op == opCount || n.Op == opDistinct {
		return nil
	}
	var out []meaning.Barrier
	for _, k := range n.Kids {
		if c, err := m.Col(k.Table, k.Column); err == nil && c.c.Number != nil {
			for _, b := range c.c.Number.Barriers {
				if b.Resolve == meaning.FixOrGroup {
					out = append(out, b)
				}
			}
		}
	}
	return out
}
