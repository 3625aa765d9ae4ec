package builtin

import (
	"slices"

	"parley.dev/parley/analyst/query"
)

// statistical makes the query tree of a statistic.
func (a *adapter) statistical() (*queryTree, error) {
	switch a.form.stat.kind {
	case statShape:
		return a.shapes()
	case statRelated, statLine:
		return a.pairs()
	case statMatrix:
		return a.matrix()
	case statOutliers:
		return a.outliers()
	case statBins:
		return a.classes()
	case statWelch:
		return a.welch()
	case statMissing:
		return a.missingOfColumns()
	case statAnova:
		return a.anova()
	case statChi2:
		return a.independence()
	case statMann:
		return a.mannWhitney()
	case statNormal:
		return a.normality()
	case statPaired:
		return a.paired()
	case statFit:
		return a.fit()
	}
	return nil, unsupported("the statistic " + string(a.form.stat.kind))
}

// quantity finds a column and the number that it is.
func (a *adapter) quantity(c *column) (query.Col, query.Number, error) {
	col, err := a.measured(c, false)
	if err != nil {
		return col, nil, err
	}
	n, err := a.m().Number(col)
	return col, n, err
}

// valuesOf counts the rows that have a value of each of the scalars.
func (a *adapter) valuesOf(all ...query.Scalar) (query.Measure, error) {
	var where []query.Pred
	for _, s := range all {
		where = append(where, query.Not(query.Missing(s)))
	}
	set, err := a.set(where...)
	return query.Count(set), err
}

// shapes makes the question for figures of a distribution, with the number of values of each.
func (a *adapter) shapes() (*queryTree, error) {
	f, out := a.form, &answer{}
	if err := a.dims(out); err != nil {
		return nil, err
	}
	for _, m := range f.measures {
		if m.agg != aggStddev {
			x, err := a.measure(m)
			if err != nil {
				return nil, err
			}
			a.add(out, x, a.names.free(m.name(), false))
			continue
		}
		_, n, err := a.quantity(m.col)
		if err != nil {
			return nil, err
		}
		for _, s := range f.stat.shapes {
			a.add(out, figureOf(s, n), a.names.free(s.column()+"_"+snake(m.col.title()), false))
		}
	}
	measures := len(out.show)
	for _, c := range f.spread() {
		col, _, err := a.quantity(c)
		if err != nil {
			return nil, err
		}
		values, err := a.valuesOf(col)
		if err != nil {
			return nil, err
		}
		a.add(out, values, a.names.free(f.valuesName(c), false))
	}
	more, err := a.ranked(out, out.show[:measures])
	if err != nil {
		return nil, err
	}
	return a.ask(out, more...)
}

// column names a figure in a result.
func (s shape) column() string {
	switch s.name {
	case "skew", "kurtosis":
		return s.short
	case "var":
		return "variance"
	case "std":
		return "stddev"
	}
	return s.name
}

// valuesName names the number of values of a column.
func (f *form) valuesName(c *column) string {
	if len(f.spread()) == 1 {
		return "values"
	}
	return "values_of_" + snake(c.title())
}

// figureOf makes a figure of a distribution.
func figureOf(s shape, n query.Number) query.Measure {
	switch s.name {
	case "skew":
		return query.Skew(n)
	case "kurtosis":
		return query.Kurtosis(n)
	case "var":
		return query.Var(n, false)
	case "mad":
		return query.MAD(n)
	case "iqr":
		return query.IQR(n)
	}
	return query.Std(n, false)
}

// pairs makes the question for a correlation or a line of two numbers, of all rows or of groups.
func (a *adapter) pairs() (*queryTree, error) {
	f, out := a.form, &answer{}
	if err := a.dims(out); err != nil {
		return nil, err
	}
	y, ny, err := a.quantity(f.measures[0].col)
	if err != nil {
		return nil, err
	}
	x, nx, err := a.quantity(f.measures[1].col)
	if err != nil {
		return nil, err
	}
	makes := []struct {
		name string
		make func(y, x query.Number) (query.Measure, error)
	}{{"correlation", query.Corr}}
	p := query.Significance
	switch {
	case f.stat.kind == statLine:
		makes[0].name, makes[0].make = "slope", query.Slope
		makes = append(makes, struct {
			name string
			make func(y, x query.Number) (query.Measure, error)
		}{"intercept", query.Intercept}, struct {
			name string
			make func(y, x query.Number) (query.Measure, error)
		}{"r_squared", query.R2})
	case f.stat.ranks:
		makes[0].name, makes[0].make, p = "rank_correlation", query.Spearman, query.SpearmanSignificance
	}
	for _, one := range makes {
		m, err := one.make(ny, nx)
		if err != nil {
			return nil, err
		}
		a.add(out, m, a.names.free(one.name, false))
		if one.name != "slope" && one.name != "intercept" {
			out.headings[len(out.headings)-1].Digits = 4
		}
	}
	values, err := a.valuesOf(y, x)
	if err != nil {
		return nil, err
	}
	a.add(out, values, a.names.free("pairs", false))
	if f.stat.tested {
		m, err := p(ny, nx)
		if err != nil {
			return nil, err
		}
		a.add(out, m, a.names.free("p_value", false))
	}
	if _, err := a.ranked(out, out.show[:1]); err != nil {
		return nil, err
	}
	return a.ask(out)
}

// pairsOf are the pairs of several columns, in their order.
func pairsOf(all []*column) [][2]*column {
	var out [][2]*column
	for i, one := range all {
		for _, other := range all[i+1:] {
			out = append(out, [2]*column{one, other})
		}
	}
	return out
}

// matrix makes the question for the correlations of each two of several numbers: one row with a column for each pair.
func (a *adapter) matrix() (*queryTree, error) {
	out := &answer{}
	for _, pair := range pairsOf(a.form.stat.columns) {
		_, y, err := a.quantity(pair[0])
		if err != nil {
			return nil, err
		}
		_, x, err := a.quantity(pair[1])
		if err != nil {
			return nil, err
		}
		r, err := query.Corr(y, x)
		if err != nil {
			return nil, err
		}
		a.add(out, r, a.names.free(snake(pair[0].title())+"_and_"+snake(pair[1].title()), false))
		out.headings[len(out.headings)-1].Digits = 4
	}
	return a.counting(out)
}

// counting adds the number of all rows, and asks.
func (a *adapter) counting(out *answer) (*queryTree, error) {
	rows, err := a.set()
	if err != nil {
		return nil, err
	}
	a.add(out, query.Count(rows), a.names.free("all_rows", false))
	return a.ask(out)
}

// missingOfColumns makes the question for the missing values of each column: one row with a column for each, and the number of
// all rows.
func (a *adapter) missingOfColumns() (*queryTree, error) {
	out := &answer{}
	rows, err := a.set()
	if err != nil {
		return nil, err
	}
	for _, c := range a.form.stat.columns {
		x, err := a.scalar(c)
		if err != nil {
			return nil, err
		}
		missing, err := a.missing(c, x)
		if err != nil {
			return nil, err
		}
		of, err := a.set(missing)
		if err != nil {
			return nil, err
		}
		m, name := query.Count(of), "missing_"+snake(c.title())
		if a.form.stat.share {
			m, name = query.Percent(m, query.Count(rows)), name+"_percent"
		}
		a.add(out, m, a.names.free(name, false))
		if a.form.stat.share {
			out.headings[len(out.headings)-1].Digits = 2
		}
	}
	return a.counting(out)
}

// outliers makes the question for the values that are far from the others: of the rows that meet the conditions, or of each group
// of them. Quartiles and means are of the same rows, which a step keeps before.
func (a *adapter) outliers() (*queryTree, error) {
	f, out := a.form, &answer{}
	if err := a.keep(); err != nil {
		return nil, err
	}
	col, n, err := a.quantity(f.spread()[0])
	if err != nil {
		return nil, err
	}
	var by []query.Col
	for _, d := range f.dims {
		c, err := a.col(d.col)
		if err != nil {
			return nil, err
		}
		by = append(by, c)
	}
	far, err := a.m().Outlier(n, f.stat.rule, f.stat.factor, by...)
	if err != nil {
		return nil, err
	}
	if f.stat.list {
		return a.farRows(col, far)
	}
	if err := a.dims(out); err != nil {
		return nil, err
	}
	set, err := a.set(far)
	if err != nil {
		return nil, err
	}
	values, err := a.valuesOf(col)
	if err != nil {
		return nil, err
	}
	a.add(out, query.Count(set), a.names.free("outliers", false))
	a.add(out, values, a.names.free("values", false))
	lower, upper := query.Mean(n), query.Std(n, false)
	names := []string{"mean", "standard_deviation"}
	if f.stat.rule == "iqr" {
		names = []string{"first_quartile", "third_quartile"}
		if lower, err = query.Quantile(n, 0.25); err != nil {
			return nil, err
		}
		if upper, err = query.Quantile(n, 0.75); err != nil {
			return nil, err
		}
	}
	a.add(out, lower, a.names.free(names[0], false))
	a.add(out, upper, a.names.free(names[1], false))
	if _, err := a.ranked(out, out.show[:1]); err != nil {
		return nil, err
	}
	return a.askAll(out)
}

// keep makes a step of the conditions of the form, so that everything after it is about the rows that meet them.
func (a *adapter) keep() error {
	where, err := a.where()
	if err != nil || len(where) == 0 {
		return err
	}
	set, err := a.set(where...)
	if err != nil {
		return err
	}
	if err := a.script.Keep(set); err != nil {
		return err
	}
	// A step makes a new model, so what was looked up before is looked up again.
	if a.base, err = a.table(a.form.view.base); err != nil {
		return unsupported("the table: " + err.Error())
	}
	for key, c := range a.lets {
		if a.lets[key], err = a.base.Col(c.Name()); err != nil {
			return unsupported("a column: " + err.Error())
		}
	}
	return nil
}

// askAll makes the question about all rows of the base, after a step has kept the rows that are meant.
func (a *adapter) askAll(out *answer) (*queryTree, error) {
	set, err := a.set()
	if err != nil {
		return nil, err
	}
	g, err := a.m().Groups(set, out.by, out.show, out.parts...)
	if err != nil {
		return nil, err
	}
	return &queryTree{ask: g, headings: out.headings}, nil
}

// farRows makes the question for the rows with outliers, the highest first.
func (a *adapter) farRows(col query.Col, far query.Pred) (*queryTree, error) {
	set, err := a.set(far)
	if err != nil {
		return nil, err
	}
	var show []query.Column
	var headings []query.Heading
	for i, c := range a.form.view.base.columns {
		x, err := a.scalar(c)
		if err != nil {
			return nil, err
		}
		show = append(show, query.Column{Is: x})
		headings = append(headings, query.Heading{Column: i, Name: c.Name})
	}
	order, err := query.RowOrder(col, "desc")
	if err != nil {
		return nil, err
	}
	r, err := a.m().Rows(set, show, order)
	if err != nil {
		return nil, err
	}
	return &queryTree{ask: r, headings: headings}, nil
}

// classes makes the question for the rows in classes of equal width, from the lowest value of the rows to the highest one. Each
// has its lower border; the last one has the highest value too.
func (a *adapter) classes() (*queryTree, error) {
	f, out := a.form, &answer{}
	if err := a.keep(); err != nil {
		return nil, err
	}
	low, span, err := a.ends(f.dims[0].col)
	if err != nil {
		return nil, err
	}
	col, _, err := a.quantity(f.dims[0].col)
	if err != nil {
		return nil, err
	}
	border, err := a.border(col, low, span)
	if err != nil {
		return nil, err
	}
	known, err := a.set(query.Not(query.Missing(col)))
	if err != nil {
		return nil, err
	}
	by := a.m().Dim(border)
	out.by = append(out.by, by)
	out.headings = append(out.headings, query.Heading{Name: a.names.free(snake(f.dims[0].col.title())+"_from", false)})
	rows, err := a.set()
	if err != nil {
		return nil, err
	}
	a.add(out, query.Count(rows), a.names.free("count", false))
	if err := out.then(query.OrderByDim(by, "asc")); err != nil {
		return nil, err
	}
	g, err := a.m().Groups(known, out.by, out.show, out.parts...)
	if err != nil {
		return nil, err
	}
	return &queryTree{ask: g, headings: out.headings}, nil
}

// ends makes columns of the lowest value and of the range of a number over all rows that are kept, so that the statement has
// each of them once.
func (a *adapter) ends(c *column) (low, span query.Col, err error) {
	f := a.form
	make := func(name string, value func() (query.Scalar, error)) (query.Col, error) {
		x, err := value()
		if err != nil {
			return query.Col{}, err
		}
		made, err := a.script.Let(a.base, a.letName(a.base, name+"_"+snake(c.title())), x)
		if err != nil {
			return query.Col{}, err
		}
		if a.base, err = a.table(f.view.base); err != nil {
			return query.Col{}, unsupported("the table: " + err.Error())
		}
		return made, nil
	}
	over := func(statistic func(query.Number) query.Measure) (query.Scalar, error) {
		_, n, err := a.quantity(c)
		if err != nil {
			return nil, err
		}
		all, err := a.set()
		if err != nil {
			return nil, err
		}
		return a.m().Overall(statistic(n), all)
	}
	if low, err = make("lowest", func() (query.Scalar, error) { return over(query.Min) }); err != nil {
		return low, span, err
	}
	span, err = make("range", func() (query.Scalar, error) { return over(query.Range) })
	if err != nil {
		return low, span, err
	}
	low, err = a.base.Col(low.Name())
	return low, span, shaped(err)
}

// border is the lower border of the class of a number: its place among the classes, times their width, above the lowest value.
func (a *adapter) border(col, low, span query.Col) (query.Scalar, error) {
	m := a.m()
	classes, err := query.Const(float64(a.form.stat.bins))
	if err != nil {
		return nil, err
	}
	last, err := query.Const(float64(a.form.stat.bins - 1))
	if err != nil {
		return nil, err
	}
	var failed error
	calc := func(x query.Scalar, operator string, y query.Scalar) query.Scalar {
		if failed != nil {
			return nil
		}
		out, err := m.Arith(x, operator, y)
		failed = err
		return out
	}
	place := calc(calc(calc(col, "-", low), "*", classes), "/", span)
	if failed != nil {
		return nil, failed
	}
	if place, err = m.Func("floor", place, 0); err != nil {
		return nil, err
	}
	above, err := m.Cmp(place, ">", last)
	if err != nil {
		return nil, err
	}
	inside, err := m.Case([]query.Branch{{If: above, Then: last}}, place)
	if err != nil {
		return nil, err
	}
	border := calc(low, "+", calc(calc(inside, "*", span), "/", classes))
	return border, failed
}

// drawn reports whether a chart shows a statistic.
func (s *inquiry) drawn() bool {
	return slices.Contains([]statKind{statShape, statRelated, statBins, statOutliers}, s.kind) && !s.list
}
