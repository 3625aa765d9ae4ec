package builtin

import (
	"strconv"
	"time"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/domain"
)

// set is the rows of the base that meet all conditions.
func (a *adapter) set(where ...query.Pred) (query.Set, error) {
	all, err := query.And(where...)
	if err != nil {
		return query.Set{}, err
	}
	return a.m().Set(a.base, all)
}

// where makes the conditions of the form. Several times of one date are alternatives.
func (a *adapter) where() ([]query.Pred, error) {
	var out []query.Pred
	spans := make(map[*column][]query.Pred)
	var order []*column
	for _, c := range a.form.where {
		p, err := a.pred(c)
		if err != nil {
			return nil, err
		}
		if c.op != opSpan {
			out = append(out, p)
			continue
		}
		if len(spans[c.col]) == 0 {
			order = append(order, c.col)
		}
		spans[c.col] = append(spans[c.col], p)
	}
	for _, c := range order {
		any, err := query.Or(spans[c]...)
		if err != nil {
			return nil, err
		}
		out = append(out, any)
	}
	return out, nil
}

// pred makes a condition.
func (a *adapter) pred(c condition) (query.Pred, error) {
	if len(c.also) > 0 {
		return a.anywhere(c)
	}
	switch c.op {
	case opSpan:
		return a.during(c)
	case opRecurring:
		return a.recurs(c)
	case opHasNone, opHasSome, opHasFew:
		return a.belongs(c)
	default:
	}
	x, err := a.scalar(c.col)
	if err != nil {
		return nil, err
	}
	if c.other != nil {
		y, err := a.scalar(c.other)
		if err != nil {
			return nil, err
		}
		return a.compared(x, c.op, y)
	}
	switch c.op {
	case opIn, opNotIn:
		in, err := a.in(c, x)
		if err != nil || c.op == opIn {
			return in, err
		}
		return query.Not(in), nil
	case opContains, opStarts, opEnds:
		return a.match(c)
	case opNull:
		return a.missing(c.col, x)
	case opNotNull:
		missing, err := a.missing(c.col, x)
		if err != nil {
			return nil, err
		}
		return query.Not(missing), nil
	case opEq, opNe, opGt, opGe, opLt, opLe, opBetween:
		return a.number(c, x)
	default:
		return nil, unsupported("the condition " + string(c.op))
	}
}

// missing holds for rows without a value. A text that consists of blanks counts as missing.
func (a *adapter) missing(c *column, x query.Scalar) (query.Pred, error) {
	if !c.isText() || c.made != nil {
		return query.Missing(x), nil
	}
	t, err := a.text(c)
	if err != nil {
		return nil, err
	}
	return query.Blank(t), nil
}

// text finds a column of text.
func (a *adapter) text(c *column) (query.Text, error) {
	if !c.isText() || c.made != nil {
		return query.Text{}, unsupported("a part of what is no text")
	}
	col, err := a.col(c)
	if err != nil {
		return query.Text{}, err
	}
	t, err := a.m().Text(col)
	return t, shaped(err)
}

// anywhere holds if one of several columns meets a condition or, if it excludes values, if all do.
func (a *adapter) anywhere(c condition) (query.Pred, error) {
	var all []query.Pred
	for _, col := range append([]*column{c.col}, c.also...) {
		one := c
		one.col, one.also = col, nil
		p, err := a.pred(one)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	if c.op == opNotIn {
		return query.And(all...)
	}
	return query.Or(all...)
}

// compared compares two values. Rows without one of them are not different.
func (a *adapter) compared(x query.Scalar, o operator, y query.Scalar) (query.Pred, error) {
	if o != opNe {
		p, err := a.m().Cmp(x, string(o), y)
		return p, shaped(err)
	}
	same, err := a.m().Cmp(x, "=", y)
	if err != nil {
		return nil, shaped(err)
	}
	known := []query.Pred{query.Not(same), query.Not(query.Missing(x))}
	if _, constant := y.(query.Col); constant {
		known = append(known, query.Not(query.Missing(y)))
	}
	return query.And(known...)
}

// shaped turns the refusal of a value into unsupported: the question is not wrong, but the tree cannot express it.
func shaped(err error) error {
	if err == nil {
		return nil
	}
	return unsupported("a condition: " + err.Error())
}

func (a *adapter) in(c condition, x query.Scalar) (query.Pred, error) {
	if len(c.values) == 0 || c.col.isDate() {
		return nil, unsupported("values of a time")
	}
	if c.col.kind() == domain.ColumnNumber {
		for _, v := range c.values {
			if _, err := strconv.ParseFloat(v, 64); err != nil {
				return nil, unsupported("values that are no numbers")
			}
		}
	}
	p, err := a.m().In(x, c.values...)
	return p, shaped(err)
}

func (a *adapter) match(c condition) (query.Pred, error) {
	text, err := a.text(c.col)
	if err != nil {
		return nil, err
	}
	var all []query.Pred
	for _, v := range c.values {
		p, err := query.Match(text, string(c.op), v)
		if err != nil {
			return nil, shaped(err)
		}
		all = append(all, p)
		if c.op != opContains {
			break
		}
	}
	p, err := query.Or(all...)
	return p, shaped(err)
}

// spelled compares with a text, without regard to capitals.
func (a *adapter) spelled(c condition) (query.Pred, error) {
	t, err := a.text(c.col)
	if err != nil {
		return nil, err
	}
	is, err := query.Match(t, "is", c.values[0])
	if err != nil || c.op != opNe {
		return is, shaped(err)
	}
	p, err := query.And(query.Not(is), query.Not(query.Missing(t)))
	return p, shaped(err)
}

// number compares with numbers.
func (a *adapter) number(c condition, x query.Scalar) (query.Pred, error) {
	if len(c.values) > 0 {
		return a.spelled(c)
	}
	if c.col.isDate() || len(c.nums) == 0 {
		return nil, unsupported("a comparison of a time with a number")
	}
	var bounds []query.Scalar
	for _, n := range c.nums {
		if c.col.isText() {
			bounds = append(bounds, query.Word(trimFloat(n)))
			continue
		}
		b, err := query.Const(n)
		if err != nil {
			return nil, shaped(err)
		}
		bounds = append(bounds, b)
	}
	if c.op != opBetween {
		return a.compared(x, c.op, bounds[0])
	}
	low, err := a.compared(x, opGe, bounds[0])
	if err != nil {
		return nil, err
	}
	high, err := a.compared(x, opLe, bounds[1])
	if err != nil {
		return nil, err
	}
	p, err := query.And(low, high)
	return p, shaped(err)
}

// during limits a time to a span.
func (a *adapter) during(c condition) (query.Pred, error) {
	from, to := c.span.from, c.span.to
	t, err := a.time(c.col)
	if err != nil {
		return nil, err
	}
	var p query.Pred
	switch {
	case from.IsZero() && to.IsZero():
		return query.All(), nil
	case from.IsZero():
		p, err = a.since(t, "<", to)
	case to.IsZero():
		p, err = a.since(t, ">=", from)
	default:
		var s query.Span
		if s, err = query.NewSpan(moments(from), moments(to)); err != nil {
			return nil, shaped(err)
		}
		p, err = query.During(t, s)
	}
	if err != nil {
		return nil, shaped(err)
	}
	if c.not {
		return query.Not(p), nil
	}
	return p, nil
}

func (a *adapter) since(t query.Time, o string, day time.Time) (query.Pred, error) {
	d, err := query.Day(moments(day))
	if err != nil {
		return nil, err
	}
	return a.m().Cmp(t, o, d)
}

// moments writes a time as the tree does: as a day, or with its hour.
func moments(t time.Time) string {
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05")
}

// clock limits a text that is a time of day to some hours.
func (a *adapter) clock(c condition) (query.Pred, error) {
	if c.recur.part == grainWeekday || c.recur.part == grainMonthName {
		return nil, unsupported("days of a time without a day")
	}
	t, err := a.text(c.col)
	if err != nil {
		return nil, err
	}
	hour := query.Clock(t)
	in, err := a.number(condition{col: c.col.hours(), op: opBetween, nums: []float64{float64(c.recur.from), float64(c.recur.to - 1)}}, hour)
	if err != nil || !c.not {
		return in, err
	}
	return query.And(query.Not(in), query.Not(query.Missing(hour)))
}

// hours is the number that the hours of a text are.
func (c *column) hours() *column {
	return &column{Column: &domain.Column{Name: c.Name, Type: domain.ColumnInteger}, table: c.table}
}

// recurs limits a time to a part of the calendar.
func (a *adapter) recurs(c condition) (query.Pred, error) {
	r := c.recur
	if c.col.isText() {
		return a.clock(c)
	}
	t, err := a.time(c.col)
	if err != nil {
		return nil, err
	}
	part, values := "hour", r.set
	switch r.part {
	case grainWeekday:
		part = "weekday"
	case grainMonthName:
		part = "month"
	default:
		values = nil
		for h := r.from; h < r.to; h++ {
			values = append(values, h)
		}
	}
	p, err := query.Recurs(t, part, values...)
	if err != nil {
		return nil, shaped(err)
	}
	if c.not {
		return query.And(query.Not(p), query.Not(query.Missing(t)))
	}
	return p, nil
}
