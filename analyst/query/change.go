package query

// Change asks what a change of a figure between two times comes from: for each value of each dimension, how much it changed,
// and which part of the whole change that is.
type Change struct {
	m *Model
	n *node
}

func (c Change) ask() (*Model, *node) { return c.m, c.n }

// Change makes such a question. The measure must add up, and the dimensions must not overlap.
func (m *Model) Change(of Set, figure Measure, t Time, before, after Span, along ...Dim) (Change, error) {
	if !m.adds(figure.measure()).groups {
		return Change{}, refuse([]string{"the figure in both times"}, "%s has no parts that add up to a whole.", m.say(figure.measure()))
	}
	if len(along) == 0 {
		return Change{}, refuse(nil, "It must be said by what a change is taken apart.")
	}
	if before.to > after.from && after.to > before.from {
		return Change{}, refuse(nil, "The two times overlap.")
	}
	a, b, err := m.sides(figure, t, before, after)
	if err != nil {
		return Change{}, err
	}
	for _, d := range along {
		if _, err := m.Groups(of, []By{d}, []Measure{a, b}); err != nil {
			return Change{}, err
		}
	}
	n := op(opChange, of.n, figure.measure(), t.node(), list(along, Dim.by))
	return Change{m, n.with(before.from, before.to, after.from, after.to)}, nil
}

// sides returns a measure limited to each of two spans of a time.
func (m *Model) sides(figure Measure, t Time, before, after Span) (a, b Measure, err error) {
	var p, q Pred
	if p, err = During(t, before); err != nil {
		return nil, nil, err
	}
	if q, err = During(t, after); err != nil {
		return nil, nil, err
	}
	if a, err = m.When(figure, p); err != nil {
		return nil, nil, err
	}
	b, err = m.When(figure, q)
	return a, b, err
}

// Versus compares figures of two times in one answer: for each measure its value in the first time, in the second, and how much
// it changed in percent. The names before and after are those of the times: “2024”, “2025”. An answer cannot be grouped by the
// compared time as well; Growth does that.
func (m *Model) Versus(of Set, by []By, show []Measure, t Time, before, after Span, names [2]string, parts ...Part) (Groups, error) {
	for _, d := range by {
		if n := d.by(); (n.Op == opTrunc || n.Op == opPart) && n.Kids[0].same(t.node()) {
			return Groups{}, refuse([]string{"the growth from period to period"}, "The compared times cannot be grouped by %s as well.", m.say(n))
		}
	}
	if names[0] == "" || names[0] == names[1] || names[1] == "" {
		return Groups{}, refuse(nil, "The two times need two names.")
	}
	p, err := During(t, before)
	if err != nil {
		return Groups{}, err
	}
	q, err := During(t, after)
	if err != nil {
		return Groups{}, err
	}
	either, err := Or(p, q)
	if err != nil {
		return Groups{}, err
	}
	where, err := And(predNode{of.n.Kids[0]}, either)
	if err != nil {
		return Groups{}, err
	}
	limited := Set{m: of.m, t: of.t, n: op(opSet, where.pred()).at(of.t)}
	var all []Measure
	for _, s := range show {
		a, b, err := m.sides(s, t, before, after)
		if err != nil {
			return Groups{}, err
		}
		name := m.nameOf(s.measure())
		change := Percent(Diff(b, a), a)
		for _, c := range []struct {
			of   Measure
			name string
		}{{a, name + " " + names[0]}, {b, name + " " + names[1]}, {change, name + " change in percent"}} {
			named, err := Named(shortened(c.name), c.of)
			if err != nil {
				return Groups{}, err
			}
			all = append(all, named)
		}
	}
	return m.Groups(limited, by, all, parts...)
}

func shortened(name string) string {
	if r := []rune(name); len(r) > maxName {
		return string(r[:maxName])
	}
	return name
}
