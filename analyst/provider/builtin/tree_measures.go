package builtin

import (
	"slices"
	"strings"

	"parley.dev/parley/analyst/query"
)

// measure makes a measure of the tree.
func (a *adapter) measure(m measure) (query.Measure, error) {
	switch {
	case m.sides != nil:
		return a.sides(m.sides)
	case m.over != nil:
		return a.quotient(m)
	case m.per != nil && m.agg == aggMedian:
		total, err := a.measure(measure{agg: aggSum, col: m.col})
		if err != nil {
			return nil, err
		}
		per, err := a.measured(m.per, false)
		if err != nil {
			return nil, err
		}
		return a.m().EachOf(total, per, "median")
	case m.per != nil:
		of, err := a.measure(measure{agg: m.agg, col: m.col})
		if err != nil {
			return nil, err
		}
		per, err := a.measured(m.per, false)
		if err != nil {
			return nil, err
		}
		return query.Per(of, per), nil
	case m.col == nil:
		all, err := a.set()
		if err != nil {
			return nil, err
		}
		return query.Count(all), nil
	}
	c, err := a.measured(m.col, m.minus)
	if err != nil {
		return nil, err
	}
	switch m.agg {
	case aggCount:
		all, err := a.set(query.Not(query.Missing(c)))
		if err != nil {
			return nil, err
		}
		return query.Count(all), nil
	case aggDistinct:
		return query.Distinct(c), nil
	case aggSum:
		if err := addable(m.col); err != nil {
			return nil, err
		}
	default:
	}
	n, err := a.m().Number(c)
	switch {
	case err == nil:
	case m.agg == aggMin:
		return query.Lowest(c), nil
	case m.agg == aggMax:
		return query.Highest(c), nil
	default:
		return nil, unsupported("a statistic of what is no number")
	}
	return a.statistic(m.agg, n)
}

// statistic makes an aggregate of a number.
func (a *adapter) statistic(agg aggregate, n query.Number) (query.Measure, error) {
	if q, ok := agg.quantile(); ok {
		return query.Quantile(n, parseNumber(q))
	}
	switch agg {
	case aggSum:
		return a.total(n)
	case aggAvg:
		return query.Mean(n), nil
	case aggMedian:
		return query.Median(n), nil
	case aggMin:
		return query.Min(n), nil
	case aggMax:
		return query.Max(n), nil
	case aggStddev:
		return query.Std(n, false), nil
	default:
		return nil, unsupported("the aggregate " + string(agg))
	}
}

// total adds a number up, if its kind allows it. The parser has chosen the periods of a level, by a condition or by the groups.
func (a *adapter) total(n query.Number) (query.Measure, error) {
	switch n := n.(type) {
	case query.Amount:
		return query.Total(n), nil
	case query.Plain:
		return query.Total(n.AsAmount()), nil
	case query.Level:
		s := a.form.view.base.meaning.Snapshot
		if a.form.view.base.hasReadings() {
			return query.At(n, query.LastPerEntity)
		}
		byPeriod := func(d dimension) bool {
			return d.col.Name == s.Period && (string(d.grain) == string(s.Step) || d.grain == grainNone)
		}
		if string(a.form.measures[0].each) == string(s.Step) || slices.ContainsFunc(a.form.dims, byPeriod) {
			return query.At(n, query.Each)
		}
		return query.At(n, query.LastPeriod)
	case query.Rate:
		return nil, &query.Error{Text: "A rate is not added up: the sum would say nothing.", Offers: []string{"the mean of it"}}
	default:
		return nil, unsupported("the total of this number")
	}
}

// quotient divides two totals of the rows that have both numbers.
func (a *adapter) quotient(m measure) (query.Measure, error) {
	if err := addable(m.col, m.over); err != nil {
		return nil, err
	}
	above, err := a.measured(m.col, false)
	if err != nil {
		return nil, err
	}
	below, err := a.measured(m.over, false)
	if err != nil {
		return nil, err
	}
	part := func(c, other query.Col, missing bool) (query.Measure, error) {
		n, err := a.m().Number(c)
		if err != nil {
			return nil, err
		}
		total, err := a.total(n)
		if err != nil || !missing {
			return total, err
		}
		return a.m().When(total, query.Not(query.Missing(other)))
	}
	x, err := part(above, below, m.over.Nulls > 0 && m.col.Nulls == 0)
	if err != nil {
		return nil, err
	}
	y, err := part(below, above, m.col.Nulls > 0 && m.over.Nulls == 0)
	if err != nil {
		return nil, err
	}
	if m.percent {
		return query.Percent(x, y), nil
	}
	return query.Ratio(x, y), nil
}

// by makes what a form groups by.
func (a *adapter) by(d dimension) (query.By, error) {
	if len(d.periods) > 0 {
		return a.periods(d)
	}
	if d.width > 0 {
		return a.bins(d)
	}
	switch d.grain {
	case grainNone:
		x, err := a.scalar(d.col)
		if err != nil {
			return nil, err
		}
		return a.m().Dim(x), nil
	case grainHourOfDay:
		if d.col.isText() {
			t, err := a.text(d.col)
			if err != nil {
				return nil, err
			}
			return a.m().Dim(query.Clock(t)), nil
		}
		t, err := a.time(d.col)
		if err != nil {
			return nil, err
		}
		return t.Part("hour")
	case grainYear:
		t, err := a.time(d.col)
		if err != nil {
			return nil, err
		}
		return t.Part("year")
	case grainHour, grainDay, grainWeek, grainMonth, grainQuarter:
		return a.timeDim(d)
	case grainWeekday, grainMonthName:
		t, err := a.time(d.col)
		if err != nil {
			return nil, err
		}
		return t.Name(map[grain]string{grainWeekday: "weekday", grainMonthName: "month"}[d.grain])
	case grainWeekend:
		return a.weekend(d)
	case grainAuto, grainMinute:
	}
	return nil, unsupported("the unit of time " + string(d.grain))
}

func (a *adapter) timeDim(d dimension) (query.TimeDim, error) {
	t, err := a.time(d.col)
	if err != nil {
		return query.TimeDim{}, err
	}
	return t.By(string(d.grain))
}

// weekend groups by the two parts of a week.
func (a *adapter) weekend(d dimension) (query.By, error) {
	t, err := a.time(d.col)
	if err != nil {
		return nil, err
	}
	week, err := query.Recurs(t, "weekday", 1, 2, 3, 4, 5)
	if err != nil {
		return nil, err
	}
	end, err := query.Recurs(t, "weekday", 6, 7)
	if err != nil {
		return nil, err
	}
	return a.m().Case([]query.Branch{{If: week, Then: query.Word("Weekday")}, {If: end, Then: query.Word("Weekend")}}, query.Word("no date"))
}

// periods groups by the times that are compared, in their order. The conditions of the form exclude rows of other times.
func (a *adapter) periods(d dimension) (query.By, error) {
	spans := slices.Clone(d.periods)
	slices.SortStableFunc(spans, func(x, y span) int { return x.from.Compare(y.from) })
	var branches []query.Branch
	for _, s := range spans {
		in, err := a.during(condition{col: d.col, span: s})
		if err != nil {
			return nil, err
		}
		branches = append(branches, query.Branch{If: in, Then: query.Word(strings.Split(s.label, " (")[0])})
	}
	return a.m().Case(branches, query.Word("other"))
}

// bins groups numbers by the multiple of a width that they begin at.
func (a *adapter) bins(d dimension) (query.By, error) {
	x, err := a.scalar(d.col)
	if err != nil {
		return nil, err
	}
	width, err := query.Const(d.width)
	if err != nil {
		return nil, err
	}
	if x, err = a.m().Arith(x, "/", width); err != nil {
		return nil, err
	}
	if x, err = a.m().Func("floor", x, 0); err != nil {
		return nil, err
	}
	if x, err = a.m().Arith(x, "*", width); err != nil {
		return nil, err
	}
	return a.m().Dim(x), nil
}
