package querytest

import (
	"errors"
	"slices"

	"parley.dev/parley/analyst/query"
)

// by is what an answer can be grouped by.
func (r *Trees) by() (query.By, error) {
	t := r.table()
	switch r.IntN(9) {
	case 7, 8:
		return r.m.Calendar().By(pick(r, "month", "quarter", "year"))
	case 0, 1:
		return r.m.Dim(r.col(t)), nil
	case 2, 3:
		x, err := r.time(t)
		if err != nil {
			return nil, err
		}
		if r.IntN(4) == 0 {
			return x.Part(pick(r, "weekday", "month", "year", "quarter"))
		}
		if r.IntN(5) == 0 {
			return x.Name(pick(r, "weekday", "month"))
		}
		if r.IntN(5) == 0 {
			return x.Years(), nil
		}
		return x.By(pick(r, "day", "week", "month", "quarter", "year"))
	case 4:
		if x, err := r.m.Text(r.col(t)); err == nil && r.IntN(2) == 0 {
			return r.m.Dim(query.Clock(x)), nil
		}
		return r.m.Overlap(r.col(t)), nil
	case 5:
		return r.m.Bins(asScalar(r.number(t)), []float64{3, 10, 30}, nil)
	}
	p := r.pred(t, 1)
	return r.m.Case([]query.Branch{{If: p, Then: query.Word("yes")}}, query.Word("no"))
}

// Script is a random script with one question.
func (r *Trees) Script() *query.Script {
	return try(r, func() (*query.Script, error) {
		s := query.NewScript(r.m)
		first := r.m
		defer func() { r.m = first }()
		if r.IntN(3) == 0 {
			if err := r.step(s); err != nil {
				return nil, err
			}
			r.m = s.Model()
		}
		a, err := r.ask()
		if err != nil {
			return nil, err
		}
		return s, s.Ask(a)
	})
}

func (r *Trees) step(s *query.Script) error {
	t := r.table()
	switch r.IntN(3) {
	case 0:
		x, err := r.scalar(t, 1)
		if err != nil {
			return err
		}
		_, err = s.Let(t, "made \"up\"", x)
		return err
	case 1:
		p := r.pred(t, 1)
		set, err := r.m.Set(t, p)
		if err != nil {
			return err
		}
		return s.Keep(set)
	}
	return s.Fill(r.number(t), pick(r, "mean", "median"))
}

func (r *Trees) ask() (query.Ask, error) {
	makes := pick(r, r.rows, r.change, r.tally, r.groups, r.groups, r.groups, r.groups, r.groups, r.groups)
	a, ok := attempt(r, 60, makes)
	if !ok {
		return r.groups()
	}
	return a, nil
}

func (r *Trees) tally() (query.Ask, error) {
	a, err := r.groups()
	if err != nil {
		return nil, err
	}
	g, ok := a.(query.Groups)
	if !ok {
		return nil, errors.New("no groups")
	}
	return g.Tally()
}

func (r *Trees) change() (query.Ask, error) {
	set, err := r.set(1)
	if err != nil {
		return nil, err
	}
	t, err := r.time(r.table())
	if err != nil {
		return nil, err
	}
	return r.m.Change(set, r.measure(0), t, r.span(), r.span(), r.m.Dim(r.col(r.table())))
}

func (r *Trees) rows() (query.Ask, error) {
	set, err := r.set(2)
	if err != nil {
		return nil, err
	}
	var columns []query.Column
	t := r.table()
	for range 1 + r.IntN(3) {
		columns = append(columns, query.Column{Is: r.near(t)})
	}
	if r.IntN(3) == 0 {
		return r.firstRows(set, columns)
	}
	x, err := r.scalar(t, 2)
	if err != nil {
		return nil, err
	}
	columns = append(columns, query.Column{Name: "x; \"", Is: x})
	var parts []query.RowPart
	if r.IntN(2) == 0 {
		text, err := r.m.Text(r.near(t))
		if err != nil {
			return nil, err
		}
		x, err := query.Extract(text, pick(r, "[A-Za-z]+ ([A-Z])", "a.", "[0-9]"))
		if err != nil {
			return nil, err
		}
		columns = append(columns, query.Column{Is: x})
		p, err := query.RowOrder(x, "asc")
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if r.IntN(2) == 0 {
		p, err := query.TopRows(asScalar(r.number(t)), pick(r, "desc", "asc"), 1+r.IntN(3), 1+r.IntN(2))
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return r.m.Rows(set, columns, parts...)
}

// firstRows asks for the first rows. They are ordered by all that is shown, so that it is known which ones they are.
func (r *Trees) firstRows(set query.Set, columns []query.Column) (query.Ask, error) {
	p, err := query.FirstRows(1+r.IntN(4), 1+r.IntN(2))
	if err != nil {
		return nil, err
	}
	parts := []query.RowPart{p}
	for _, c := range columns {
		if p, err = query.RowOrder(c.Is, pick(r, "desc", "asc")); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return r.m.Rows(set, columns, parts...)
}

func (r *Trees) groups() (query.Ask, error) {
	set, err := r.m.Set(r.table(), nil)
	if err != nil {
		return nil, err
	}
	first := r.measure(2)
	var by []query.By
	for range r.IntN(3) {
		b, ok := attempt(r, 30, func() (query.By, error) {
			b, err := r.by()
			if err != nil {
				return nil, err
			}
			_, err = r.m.Groups(set, append(slices.Clone(by), b), []query.Measure{first})
			return b, err
		})
		if ok {
			by = append(by, b)
		}
	}
	show := []query.Measure{first}
	for range r.IntN(3) {
		m, ok := attempt(r, 10, func() (query.Measure, error) {
			m := r.measure(2)
			_, err := r.m.Groups(set, by, append(slices.Clone(show), m))
			return m, err
		})
		if ok {
			show = append(show, m)
		}
	}
	if better, ok := attempt(r, 6, func() (query.Set, error) {
		s, err := r.set(2)
		if err != nil {
			return s, err
		}
		_, err = r.m.Groups(s, by, show)
		return s, err
	}); ok {
		set = better
	}
	parts, err := r.parts(set, show, by)
	if err != nil {
		return nil, err
	}
	return r.m.Groups(set, by, show, parts...)
}

func (r *Trees) parts(set query.Set, show []query.Measure, by []query.By) ([]query.Part, error) {
	var parts []query.Part
	add := func(p query.Part, err error) error {
		parts = append(parts, p)
		return err
	}
	first := len(by) > 0 && r.IntN(4) == 0
	if !first && r.IntN(3) == 0 {
		if err := add(query.OrderBy(show[0], pick(r, "desc", "asc"))); err != nil {
			return nil, err
		}
	}
	ranked, ok := attempt(r, 20, func() (query.Measure, error) {
		m := r.exact()
		_, err := r.m.Groups(set, by, []query.Measure{m})
		return m, err
	})
	if !ok {
		return parts, nil
	}
	if r.IntN(5) == 0 {
		if err := add(query.Having(ranked, pick(r, "<", ">", ">="), float64(r.IntN(30)))); err != nil {
			return nil, err
		}
	}
	if first {
		if err := r.first(add, ranked, by); err != nil {
			return nil, err
		}
	}
	if !first && len(by) > 0 && r.IntN(4) == 0 {
		if err := add(query.TopOf(ranked, pick(r, "desc", "asc"), 1+r.IntN(3), 1+r.IntN(2), by[1:]...)); err != nil {
			return nil, err
		}
	}
	if len(by) > 0 && r.IntN(4) > 0 {
		w, ok := attempt(r, 10, func() (query.Window, error) {
			w, err := r.window(pick(r, ranked, show[0]), ranked, by)
			if err != nil {
				return nil, err
			}
			_, err = r.m.Groups(set, by, show, query.Over(w))
			return w, err
		})
		if ok {
			parts = append(parts, query.Over(w))
		}
	}
	return parts, nil
}

// first keeps the first groups, by an exact figure or by what they are grouped by.
func (r *Trees) first(add func(query.Part, error) error, ranked query.Measure, by []query.By) error {
	switch r.IntN(3) {
	case 0:
		if err := add(query.OrderBy(ranked, pick(r, "desc", "asc"))); err != nil {
			return err
		}
	case 1:
		if err := add(query.OrderByDim(by[len(by)-1], pick(r, "desc", "asc"))); err != nil {
			return err
		}
	}
	var within []query.By
	if r.IntN(2) == 0 {
		within = by[1:]
	}
	return add(query.First(1+r.IntN(4), 1+r.IntN(2), within...))
}

func (r *Trees) window(m, ranked query.Measure, by []query.By) (query.Window, error) {
	for _, b := range by {
		t, ok := b.(query.TimeDim)
		if !ok {
			continue
		}
		switch r.IntN(3) {
		case 0:
			return r.m.Running(m, t)
		case 1:
			return r.m.Moving(m, 2+r.IntN(3), pick(r, "mean", "sum"), t)
		}
		return query.Growth(m, 1+r.IntN(2), r.IntN(2) == 0, t)
	}
	if m == ranked {
		return query.RankBy(m, pick(r, "desc", "asc"), by[1:]...)
	}
	return r.m.PartOfTotal(m, by[1:]...)
}

// Model is the model of the world.
func (r *Trees) Model() *query.Model { return r.m }
