package builtin

import (
	"errors"
	"slices"

	"parley.dev/parley/analyst/query"
)

// answer collects the parts of a question for groups, with the headings of its result.
type answer struct {
	by       []query.By
	show     []query.Measure
	parts    []query.Part
	headings []query.Heading
	windows  int
}

// dims adds what the form groups by.
func (a *adapter) dims(out *answer) error {
	for i, d := range a.form.dims {
		by, err := a.by(d)
		if err != nil {
			return err
		}
		out.by = append(out.by, by)
		plain := d.width == 0 && d.periods == nil && (d.grain == grainNone || d.name() == d.col.Name)
		out.headings = append(out.headings, query.Heading{Column: i, Name: a.names.free(d.name(), plain)})
	}
	return nil
}

// add adds a measure with its heading.
func (a *adapter) add(out *answer, m query.Measure, name string) {
	out.headings = append(out.headings, query.Heading{Column: len(out.by) + len(out.show), Name: name})
	out.show = append(out.show, m)
}

// over adds a window with its heading. All measures must be added before the windows.
func (a *adapter) over(out *answer, w query.Window, h query.Heading) {
	h.Column = len(out.by) + len(out.show) + out.windows
	out.windows++
	out.headings = append(out.headings, h)
	out.parts = append(out.parts, query.Over(w))
}

// then adds a part unless it could not be made.
func (out *answer) then(p query.Part, err error) error {
	if err == nil {
		out.parts = append(out.parts, p)
	}
	return err
}

// ask makes the question. more are conditions in addition to those of the form.
func (a *adapter) ask(out *answer, more ...query.Pred) (*queryTree, error) {
	where, err := a.where()
	if err != nil {
		return nil, err
	}
	set, err := a.set(append(where, more...)...)
	if err != nil {
		return nil, err
	}
	g, err := a.m().Groups(set, out.by, out.show, out.parts...)
	if err != nil {
		return nil, err
	}
	return &queryTree{ask: g, headings: out.headings}, nil
}

// figures makes the dimensions and the measures of the form. The measures have no headings yet.
func (a *adapter) figures() (*answer, error) {
	out := &answer{}
	if err := a.dims(out); err != nil {
		return nil, err
	}
	for _, m := range a.form.measures {
		x, err := a.measure(m)
		if err != nil {
			return nil, err
		}
		out.show = append(out.show, x)
	}
	return out, nil
}

// groups makes the question for groups with their measures.
func (a *adapter) groups() (*queryTree, error) {
	f := a.form
	out, err := a.figures()
	if err != nil {
		return nil, err
	}
	for i, m := range f.measures {
		out.headings = append(out.headings, query.Heading{Column: len(out.by) + i, Name: a.names.free(m.name(), false)})
	}
	measures := len(out.show)
	if f.share {
		var within []query.By
		if t := f.timed(); t != nil && len(f.dims) > 1 {
			within = append(within, out.by[slices.IndexFunc(f.dims, func(d dimension) bool { return d.grain != grainNone })])
		}
		w, err := a.m().PartOfTotal(out.show[0], within...)
		if err != nil {
			return nil, err
		}
		a.over(out, w, query.Heading{Name: a.names.free("share_percent", false), Percent: true, Digits: 2})
	}
	if err := a.empties(out); err != nil {
		return nil, err
	}
	if err := a.having(out); err != nil {
		return nil, err
	}
	more, err := a.ranked(out, out.show[:measures])
	if err != nil {
		return nil, err
	}
	return a.ask(out, more...)
}

// empties adds the counts of rows that a single number leaves out because their column is empty.
func (a *adapter) empties(out *answer) error {
	for _, e := range a.form.empties() {
		var where []query.Pred
		if e.col != nil {
			x, err := a.scalar(e.col)
			if err != nil {
				return err
			}
			where = append(where, query.Missing(x))
		}
		rows, err := a.set(where...)
		if err != nil {
			return err
		}
		a.add(out, query.Count(rows), a.names.free(e.name(), false))
	}
	return nil
}

// having adds the conditions on the figures of groups.
func (a *adapter) having(out *answer) error {
	for _, h := range a.form.having {
		of := out.show[h.measure]
		switch h.op {
		case opBetween:
			if err := errors.Join(out.then(query.Having(of, ">=", h.nums[0])), out.then(query.Having(of, "<=", h.nums[1]))); err != nil {
				return err
			}
		case opEq, opLt, opLe, opGt, opGe:
			if err := out.then(query.Having(of, string(h.op), h.nums[0])); err != nil {
				return err
			}
		default:
			return unsupported("groups whose figure is not a number")
		}
	}
	return nil
}

func directed(desc bool) string {
	if desc {
		return "desc"
	}
	return "asc"
}

// ranked adds the order of groups and the places of a ranking. It returns the condition that ranked groups have a name.
func (a *adapter) ranked(out *answer, measures []query.Measure) ([]query.Pred, error) {
	f := a.form
	if len(out.by) == 0 {
		return nil, nil
	}
	if err := a.ordered(out, measures); err != nil {
		return nil, err
	}
	if f.limit == 0 {
		return nil, nil
	}
	var within []query.By
	if f.within != nil {
		within = append(within, out.by[slices.IndexFunc(f.dims, func(d dimension) bool { return d.col == f.within })])
	}
	if f.within != nil && f.limit == 1 && f.nth <= 1 {
		// The best one of each: one that is as good as the best is not left out.
		return nil, out.then(query.TopOf(measures[0], directed(f.desc), 1, 1, within...))
	}
	if err := out.then(query.First(f.limit, max(1, f.nth), within...)); err != nil {
		return nil, err
	}
	if f.within != nil || len(f.dims) != 1 || !f.dims[0].byValue() || f.dims[0].col.Nulls == 0 || f.share {
		return nil, nil
	}
	// The rows without a value are not a group, so they cannot be among the best.
	x, err := a.scalar(f.dims[0].col)
	if err != nil {
		return nil, err
	}
	return []query.Pred{query.Not(query.Missing(x))}, nil
}

// ordered adds the order of groups.
func (a *adapter) ordered(out *answer, measures []query.Measure) error {
	f, dir := a.form, directed(a.form.desc)
	if f.within != nil {
		at := slices.IndexFunc(f.dims, func(d dimension) bool { return d.col == f.within })
		return errors.Join(out.then(query.OrderByDim(out.by[at], "asc")), out.then(query.OrderBy(measures[0], dir)))
	}
	if at := slices.IndexFunc(f.dims, func(d dimension) bool {
		return f.orderCol != nil && !f.orderCol.isNumber() && d.col == f.orderCol
	}); at >= 0 {
		return out.then(query.OrderByDim(out.by[at], dir))
	}
	switch {
	case f.orderDim:
		for i, by := range out.by {
			if err := out.then(query.OrderByDim(by, directed(f.desc && i == len(out.by)-1))); err != nil {
				return err
			}
		}
		return nil
	case f.timed() != nil && len(out.by) > 1 && f.limit == 0:
		return errors.Join(out.then(query.OrderByDim(out.by[0], "asc")), out.then(query.OrderBy(measures[0], "desc")))
	default:
		return out.then(query.OrderBy(measures[0], dir))
	}
}

// counted makes the question for how many groups meet conditions.
func (a *adapter) counted() (*queryTree, error) {
	out, err := a.figures()
	if err != nil {
		return nil, err
	}
	if err := a.having(out); err != nil {
		return nil, err
	}
	where, err := a.where()
	if err != nil {
		return nil, err
	}
	set, err := a.set(where...)
	if err != nil {
		return nil, err
	}
	g, err := a.m().Groups(set, out.by, out.show, out.parts...)
	if err != nil {
		return nil, err
	}
	t, err := g.Tally()
	if err != nil {
		return nil, err
	}
	name := a.names.free("count_of_"+plural(snake(coreTitle(a.form.counted))), false)
	return &queryTree{ask: t, headings: []query.Heading{{Name: name}}}, nil
}

// rows makes the question for rows.
func (a *adapter) rows() (*queryTree, error) {
	f, dir := a.form, directed(a.form.desc)
	columns := f.columns
	if len(columns) == 0 {
		columns = f.view.base.columns
	}
	var show []query.Column
	var headings []query.Heading
	for i, c := range columns {
		x, err := a.scalar(c)
		if err != nil {
			return nil, err
		}
		show = append(show, query.Column{Is: x})
		headings = append(headings, query.Heading{Column: i, Name: c.Name})
	}
	var parts []query.RowPart
	then := func(p query.RowPart, err error) error {
		parts = append(parts, p)
		return err
	}
	var order query.Scalar
	if f.orderCol != nil {
		var err error
		if order, err = a.scalar(f.orderCol); err != nil {
			return nil, err
		}
	}
	switch {
	case f.latestOf != nil:
		of, err := a.scalar(f.latestOf)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(then(query.TopRows(order, dir, f.limit, 1, of)), then(query.RowOrder(of, "asc")),
			then(query.RowOrder(order, dir))); err != nil {
			return nil, err
		}
	case order != nil:
		if err := then(query.RowOrder(order, dir)); err != nil {
			return nil, err
		}
	}
	if f.limit > 0 && f.latestOf == nil {
		if err := then(query.FirstRows(f.limit, max(1, f.nth))); err != nil {
			return nil, err
		}
	}
	where, err := a.where()
	if err != nil {
		return nil, err
	}
	set, err := a.set(where...)
	if err != nil {
		return nil, err
	}
	r, err := a.m().Rows(set, show, parts...)
	if err != nil {
		return nil, err
	}
	return &queryTree{ask: r, headings: headings}, nil
}
