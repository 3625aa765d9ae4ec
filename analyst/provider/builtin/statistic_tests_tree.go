package builtin

import (
	"cmp"
	"fmt"

	"parley.dev/parley/analyst/query"
)

// predictorsMax is how many numbers a regression explains another one by at most.
const predictorsMax = query.MaxPredictors

// shownGroups is how many groups a test shows the means or the shares of.
const shownGroups = 8

// parted are the parts of a test, with the names of their columns.
type parted struct{ part, name string }

// addParts adds parts of a test.
func (a *adapter) addParts(out *answer, parts []parted, made func(part string) (query.Measure, error)) error {
	for _, p := range parts {
		m, err := made(p.part)
		if err != nil {
			return err
		}
		a.add(out, m, a.names.free(p.name, false))
	}
	return nil
}

// eachGroup adds a figure of each group of a column, as far as its values are known and few.
func (a *adapter) eachGroup(out *answer, by *column, name string, figure query.Measure) error {
	values := a.form.groupValues(by)
	if len(values) > shownGroups {
		return nil
	}
	preds, err := a.valuePreds(by, values)
	if err != nil {
		return err
	}
	return a.eachSide(out, preds, values, name, figure)
}

// valuePreds are the conditions that a column has each of some values.
func (a *adapter) valuePreds(by *column, values []string) ([]query.Pred, error) {
	var out []query.Pred
	for _, v := range values {
		p, err := a.pred(condition{col: by, op: opIn, values: []string{v}})
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// eachSide adds a figure of the rows that meet each condition, named by the value that the condition asks for.
func (a *adapter) eachSide(out *answer, preds []query.Pred, values []string, name string, figure query.Measure) error {
	for i, v := range values {
		m, err := a.m().When(figure, preds[i])
		if err != nil {
			return err
		}
		a.add(out, m, a.names.free(name+"_"+cmp.Or(snake(v), fmt.Sprint(i+1)), false))
	}
	return nil
}

// twoSided makes the question for a test of a number between two values of a column: a figure of each side, how many values it is of,
// and the parts of the test.
func (a *adapter) twoSided(name string, figure func(query.Number) query.Measure, parts []parted,
	test func(part string, n query.Number, one, other query.Pred) (query.Measure, error),
) (*queryTree, error) {
	f, out := a.form, &answer{}
	sides, ok := f.twoSides()
	if !ok {
		return nil, unsupported("a test of what are not two sides")
	}
	col, n, err := a.quantity(f.measures[0].col)
	if err != nil {
		return nil, err
	}
	values, err := a.valuesOf(col)
	if err != nil {
		return nil, err
	}
	preds, err := a.valuePreds(sides.col, sides.values)
	if err != nil {
		return nil, err
	}
	if err := a.eachSide(out, preds, sides.values, name, figure(n)); err != nil {
		return nil, err
	}
	if err := a.eachSide(out, preds, sides.values, "values", values); err != nil {
		return nil, err
	}
	if err := a.addParts(out, parts, func(part string) (query.Measure, error) { return test(part, n, preds[0], preds[1]) }); err != nil {
		return nil, err
	}
	return a.ask(out)
}

// welch makes the question for the test of two means: both means, how many values each is of, and t, its degrees of freedom and
// the p-value.
func (a *adapter) welch() (*queryTree, error) {
	return a.twoSided("mean", query.Mean, []parted{{"t", "t"}, {"df", "degrees_of_freedom"}, {"p", "p_value"}}, a.m().Welch)
}

// mannWhitney makes the question for the test of two sides by ranks: both medians and numbers of values, U, z and p.
func (a *adapter) mannWhitney() (*queryTree, error) {
	return a.twoSided("median", query.Median, []parted{{"u", "u"}, {"z", "z"}, {"p", "p_value"}}, a.m().MannWhitney)
}

// anova makes the question for an analysis of variance: F, its degrees of freedom and p, the number of values, and the mean of each
// group.
func (a *adapter) anova() (*queryTree, error) {
	f, out := a.form, &answer{}
	col, n, err := a.quantity(f.measures[0].col)
	if err != nil {
		return nil, err
	}
	by, err := a.scalar(f.stat.columns[0])
	if err != nil {
		return nil, err
	}
	if err := a.addParts(out, []parted{
		{"f", "f"}, {"df_between", "degrees_of_freedom_between"}, {"df_within", "degrees_of_freedom_within"}, {"p", "p_value"},
	}, func(part string) (query.Measure, error) { return a.m().Anova(part, n, by) }); err != nil {
		return nil, err
	}
	values, err := a.valuesOf(col, by)
	if err != nil {
		return nil, err
	}
	a.add(out, values, a.names.free("values", false))
	if err := a.eachGroup(out, f.stat.columns[0], "mean", query.Mean(n)); err != nil {
		return nil, err
	}
	return a.ask(out)
}

// independence makes the question for a chi-square test of two columns, or of a share of rows and a column: then with the share of
// each group, in percent.
func (a *adapter) independence() (*queryTree, error) {
	s, out := a.form.stat, &answer{}
	var sides []query.Scalar
	var share query.Measure
	if s.part != nil {
		p, err := a.pred(*s.part)
		if err != nil {
			return nil, err
		}
		side, err := a.m().Case([]query.Branch{{If: p, Then: query.Word("yes")}}, query.Word("no"))
		if err != nil {
			return nil, err
		}
		sides = append(sides, side)
		of, err := a.set(p)
		if err != nil {
			return nil, err
		}
		all, err := a.set()
		if err != nil {
			return nil, err
		}
		share = query.Percent(query.Count(of), query.Count(all))
	}
	var named []query.Scalar
	for _, c := range s.columns {
		x, err := a.scalar(c)
		if err != nil {
			return nil, err
		}
		sides, named = append(sides, x), append(named, x)
	}
	if err := a.addParts(out, []parted{
		{"chi2", "chi_square"}, {"df", "degrees_of_freedom"}, {"p", "p_value"}, {"least", "smallest_expected_count"}, {"v", "cramers_v"},
	}, func(part string) (query.Measure, error) { return a.m().Independence(part, a.base, sides[0], sides[1]) }); err != nil {
		return nil, err
	}
	rows, err := a.valuesOf(named...)
	if err != nil {
		return nil, err
	}
	a.add(out, rows, a.names.free("all_rows", false))
	if share != nil {
		if err := a.eachGroup(out, s.columns[0], "percent", share); err != nil {
			return nil, err
		}
	}
	return a.ask(out)
}

// normality makes the question for the test of a normal distribution: K² and p, the skewness, the kurtosis and the number of values.
func (a *adapter) normality() (*queryTree, error) {
	out := &answer{}
	col, n, err := a.quantity(a.form.spread()[0])
	if err != nil {
		return nil, err
	}
	if err := a.addParts(out, []parted{{"k2", "k_squared"}, {"p", "p_value"}}, func(part string) (query.Measure, error) {
		return a.m().Normality(part, n)
	}); err != nil {
		return nil, err
	}
	values, err := a.valuesOf(col)
	if err != nil {
		return nil, err
	}
	a.add(out, query.Skew(n), a.names.free("skewness", false))
	a.add(out, query.Kurtosis(n), a.names.free("kurtosis", false))
	a.add(out, values, a.names.free("values", false))
	return a.ask(out)
}

// paired makes the question for the paired test of two numbers: their means over the rows with both, the number of these, t, its
// degrees of freedom and p.
func (a *adapter) paired() (*queryTree, error) {
	f, out := a.form, &answer{}
	y, ny, err := a.quantity(f.measures[0].col)
	if err != nil {
		return nil, err
	}
	x, nx, err := a.quantity(f.measures[1].col)
	if err != nil {
		return nil, err
	}
	both, err := query.And(query.Not(query.Missing(y)), query.Not(query.Missing(x)))
	if err != nil {
		return nil, err
	}
	for i, n := range []query.Number{ny, nx} {
		m, err := a.m().When(query.Mean(n), both)
		if err != nil {
			return nil, err
		}
		a.add(out, m, a.names.free("mean_"+snake(f.measures[i].col.title()), false))
	}
	pairs, err := a.valuesOf(y, x)
	if err != nil {
		return nil, err
	}
	a.add(out, pairs, a.names.free("pairs", false))
	if err := a.addParts(out, []parted{{"t", "t"}, {"df", "degrees_of_freedom"}, {"p", "p_value"}}, func(part string) (query.Measure, error) {
		return a.m().Paired(part, ny, nx)
	}); err != nil {
		return nil, err
	}
	return a.ask(out)
}

// fit makes the question for a regression on several numbers: the coefficient and its p of each, the intercept, R², its adjusted
// form, F with its p, and the number of rows.
func (a *adapter) fit() (*queryTree, error) {
	f, out := a.form, &answer{}
	var cols []query.Scalar
	var numbers []query.Number
	for _, m := range f.measures {
		c, n, err := a.quantity(m.col)
		if err != nil {
			return nil, err
		}
		cols, numbers = append(cols, c), append(numbers, n)
	}
	for i := range numbers[1:] {
		name := snake(f.measures[i+1].col.title())
		if err := a.addParts(out, []parted{{"coefficient", "coefficient_of_" + name}, {"p", "p_value_of_" + name}},
			func(part string) (query.Measure, error) { return a.m().Fit(part, i+1, numbers[0], numbers[1:]...) }); err != nil {
			return nil, err
		}
	}
	if err := a.addParts(out, []parted{
		{"intercept", "intercept"}, {"r2", "r_squared"}, {"adjusted_r2", "adjusted_r_squared"}, {"f", "f"}, {"p_of_f", "p_value"},
	}, func(part string) (query.Measure, error) { return a.m().Fit(part, 0, numbers[0], numbers[1:]...) }); err != nil {
		return nil, err
	}
	rows, err := a.valuesOf(cols...)
	if err != nil {
		return nil, err
	}
	a.add(out, rows, a.names.free("all_rows", false))
	return a.ask(out)
}
