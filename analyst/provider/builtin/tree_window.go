package builtin

import (
	"cmp"
	"slices"

	"parley.dev/parley/analyst/query"
)

// shareOf makes the question for the part of all rows, or of a total, that meets a condition.
func (a *adapter) shareOf() (*queryTree, error) {
	f, out := a.form, &answer{}
	if err := a.dims(out); err != nil {
		return nil, err
	}
	m := measure{agg: aggCount}
	if first := f.measures[0]; first.agg != aggAvg && first.per == nil {
		m = first
	}
	all, err := a.measure(m)
	if err != nil {
		return nil, err
	}
	meets, err := a.pred(*f.shareOf)
	if err != nil {
		return nil, err
	}
	part, err := a.m().When(all, meets)
	if err != nil {
		return nil, err
	}
	share := query.Percent(part, all)
	a.add(out, part, "matching_"+m.name())
	a.add(out, all, "all_"+m.name())
	a.add(out, share, "share_percent")
	out.headings[len(out.headings)-1].Digits = 2
	if f.timed() == nil && len(out.by) > 0 {
		err = out.then(query.OrderBy(share, "desc"))
	}
	if err != nil {
		return nil, err
	}
	return a.ask(out)
}

// along adds the dimensions of the form, and returns the one that a window runs along.
func (a *adapter) along(out *answer, at int) (query.TimeDim, error) {
	if err := a.dims(out); err != nil {
		return query.TimeDim{}, err
	}
	d := a.form.dims[at]
	switch t, ok := out.by[at].(query.TimeDim); {
	case ok:
		return t, nil
	case d.grain == grainYear:
		t, err := a.time(d.col)
		return t.Years(), err
	case d.grain == grainNone && d.col.isYear():
		c, err := a.col(d.col)
		if err != nil {
			return query.TimeDim{}, err
		}
		n, err := a.m().Number(c)
		if err != nil {
			return query.TimeDim{}, err
		}
		return query.YearsOf(n), nil
	}
	return query.TimeDim{}, unsupported("windows along this time")
}

// figureAlong adds the time that a window runs along and the form's first measure, and returns both.
func (a *adapter) figureAlong(out *answer, at int) (query.TimeDim, query.Measure, error) {
	t, err := a.along(out, at)
	if err != nil {
		return query.TimeDim{}, nil, err
	}
	m, err := a.measure(a.form.measures[0])
	if err != nil {
		return query.TimeDim{}, nil, err
	}
	a.add(out, m, a.names.free(a.form.measures[0].name(), false))
	return t, m, nil
}

// growth makes the question for a figure of each time with its change from the time before.
func (a *adapter) growth() (*queryTree, error) {
	f, out := a.form, &answer{}
	at := slices.IndexFunc(f.dims, func(d dimension) bool { return d.grain != grainNone })
	t, m, err := a.figureAlong(out, at)
	if err != nil {
		return nil, err
	}
	for _, percent := range []bool{false, true} {
		if percent && f.interval() {
			continue
		}
		w, err := query.Growth(m, 1, percent, t)
		if err != nil {
			return nil, err
		}
		h := query.Heading{Name: "change"}
		if percent {
			h = query.Heading{Name: "change_percent", Digits: 2}
		}
		a.over(out, w, h)
	}
	for i, by := range out.by {
		if i != at {
			if err := out.then(query.OrderByDim(by, "asc")); err != nil {
				return nil, err
			}
		}
	}
	a.timeFirst(out, at)
	return a.ask(out)
}

// timeFirst puts the heading of the time before the others.
func (a *adapter) timeFirst(out *answer, at int) {
	t := out.headings[at]
	out.headings = slices.Insert(slices.Delete(out.headings, at, at+1), 0, t)
}

// alongTime makes the question for running totals and moving figures.
func (a *adapter) alongTime() (*queryTree, error) {
	f, out := a.form, &answer{}
	at := f.along()
	t, m, err := a.figureAlong(out, at)
	if err != nil {
		return nil, err
	}
	name := "running_" + f.measures[0].name()
	var w query.Window
	if f.moving != nil {
		name = f.moving.name()
		w, err = a.m().Moving(m, f.moving.size, map[aggregate]string{aggAvg: "mean", aggSum: "sum"}[f.moving.agg], t)
	} else {
		w, err = a.m().Running(m, t)
	}
	if err != nil {
		return nil, err
	}
	a.over(out, w, query.Heading{Name: a.names.free(name, false)})
	last := len(out.headings) - 1
	out.headings[last-1], out.headings[last] = out.headings[last], out.headings[last-1]
	a.timeFirst(out, at)
	if err := out.then(query.OrderByDim(t, "asc")); err != nil {
		return nil, err
	}
	return a.ask(out)
}

// each makes the question for a mean, or another statistic, of the totals of a unit of time.
func (a *adapter) each() (*queryTree, error) {
	f, out := a.form, &answer{}
	m := f.measures[0]
	t, err := a.time(f.dateColumn(nil))
	if err != nil {
		return nil, err
	}
	if err := a.dims(out); err != nil {
		return nil, err
	}
	total, err := a.measure(measure{agg: m.agg, col: m.col, minus: m.minus})
	if err != nil {
		return nil, err
	}
	statistic := map[aggregate]string{aggAvg: "mean", aggMedian: "median", aggMin: "min", aggMax: "max"}[cmp.Or(m.eachAgg, aggAvg)]
	each, err := a.m().EachPeriod(total, t, string(m.each), statistic)
	if err != nil {
		return nil, err
	}
	count, err := a.m().EachPeriod(total, t, string(m.each), "count")
	if err != nil {
		return nil, err
	}
	a.add(out, each, m.name())
	a.add(out, count, string(m.each)+"s")
	if len(out.by) > 0 {
		if err := out.then(query.OrderBy(each, "desc")); err != nil {
			return nil, err
		}
	}
	return a.ask(out)
}

// correlation makes the question for how two numbers go together.
func (a *adapter) correlation() (*queryTree, error) {
	f, out := a.form, &answer{}
	var cols [2]query.Col
	var numbers [2]query.Number
	for i := range cols {
		c, err := a.measured(f.measures[i].col, false)
		if err != nil {
			return nil, err
		}
		if numbers[i], err = a.m().Number(c); err != nil {
			return nil, err
		}
		cols[i] = c
	}
	r, err := query.Corr(numbers[0], numbers[1])
	if err != nil {
		return nil, err
	}
	pairs, err := a.set(query.Not(query.Missing(cols[0])), query.Not(query.Missing(cols[1])))
	if err != nil {
		return nil, err
	}
	a.add(out, r, "correlation")
	out.headings[0].Digits = 3
	a.add(out, query.Count(pairs), "pairs")
	if f.tested {
		p, err := query.Significance(numbers[0], numbers[1])
		if err != nil {
			return nil, err
		}
		a.add(out, p, "p_value")
	}
	return a.ask(out)
}
