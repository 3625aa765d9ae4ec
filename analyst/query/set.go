package query

// Set is the rows of one table, or the things of an entity, that meet a condition.
type Set struct {
	m *Model
	n *node
	t Table
}

// Set makes a set. Each value of the condition must be one that a row has at most once; for others there is Some.
func (m *Model) Set(of Table, where Pred) (Set, error) {
	if of.t == nil {
		return Set{}, refuse(nil, "A set needs a table.")
	}
	if where == nil {
		where = All()
	}
	if err := m.placed(of.place(), where.pred()); err != nil {
		return Set{}, err
	}
	return Set{m: m, t: of, n: op(opSet, normal(where.pred())).at(of)}, nil
}

func (s Set) place() place   { return s.t.place() }
func (s Set) plural() string { return s.t.plural() }

// column makes the node of a column of a table.
func column(t *table, name string) *node { return &node{Op: opCol, Table: t.key(), Column: name} }

// placed reports whether each value that a scalar or a condition needs is one that a row of the place has at most once.
func (m *Model) placed(p place, n *node) error {
	switch n.Op {
	case opCol:
		return m.reaches(p, n)
	case opCalendar:
		if p.t.Time == "" || !p.has(p.t.Time) {
			return refuse(nil, "A %s has no date by which it could be counted.", p.t.row())
		}
		return nil
	case opAlive, opBorn, opGone:
		t, err := m.base(n)
		if err != nil {
			return err
		}
		return m.placed(p, lowered(t.t, n))
	case opSome, opEvery, opCountOf, opAllOf:
		t, err := m.base(n)
		if err != nil {
			return err
		}
		of, err := m.base(n.Kids[0])
		if err != nil {
			return err
		}
		found, err := m.many(t.place(), of.t)
		if err != nil {
			return err
		}
		return m.allPlaced(p, t, found.cols)
	case opRank, opOf:
		t, err := m.base(n)
		if err != nil {
			return err
		}
		keys, err := keysOf(t)
		if err != nil {
			return err
		}
		return m.allPlaced(p, t, keys)
	case opOverall:
		return nil
	case opOverlap:
		return refuse(nil, "A value of which a row has several can only be grouped by.")
	}
	for _, k := range n.Kids {
		if err := m.placed(p, k); err != nil {
			return err
		}
	}
	return nil
}

// allPlaced refuses a thing of which a row of the place has several, or none.
func (m *Model) allPlaced(p place, t Table, columns []string) error {
	for _, c := range columns {
		if err := m.reaches(p, column(t.t, c)); err != nil {
			return err
		}
	}
	path, found, err := m.route(p, t.t, columns[0], "")
	if err != nil {
		return err
	}
	// A path can lead to the columns of an entity without leading to one row of its table.
	if last := len(path) - 1; found && last >= 0 && t.by == nil && path[last].to.by != nil {
		return refuse(nil, "A %s has no single %s.", rowOf(p), t.row())
	}
	return nil
}

// reaches refuses a column of which a row of the place has several values, or none.
func (m *Model) reaches(p place, n *node) error {
	c, err := m.Col(n.Table, n.Column)
	if err != nil {
		return err
	}
	_, found, err := m.route(p, c.t, n.Column, n.Part)
	if err != nil || found {
		return err
	}
	several, err := m.many(p, c.t)
	if err != nil {
		return err
	}
	if several != nil {
		return refuse([]string{"the " + p.t.plural() + " that have some " + c.t.row() + " with it", "groups that overlap"},
			"A %s has many %s, so it has no single %s.", rowOf(p), c.t.plural(), c.label())
	}
	return refuse(nil, "A %s has no %s: nothing links %s with %s.", rowOf(p), c.label(), p.t.Name, c.t.Name)
}

// rowOf names what a place has: a row, or a thing.
func rowOf(p place) string {
	for _, e := range p.t.Entities {
		if p.by != nil && len(e.Columns) == len(p.by) && subset(e.Columns, p.by) {
			return e.Entity
		}
	}
	return p.t.row()
}

// keysOf are the columns that name one thing.
func keysOf(t Table) ([]string, error) {
	if t.by != nil {
		return t.by, nil
	}
	if len(t.t.Keys) == 0 {
		return nil, refuse(nil, "No columns tell the %s apart.", t.plural())
	}
	return t.t.Keys[0], nil
}

// lowered writes a condition on the life of things with the columns of their table.
func lowered(t *table, n *node) *node {
	s := t.Snapshot
	switch n.Op {
	case opAlive:
		in := op(opIn, column(t, s.Period)).with(n.word(0))
		if t.columns[s.Exit] == nil {
			return in
		}
		return op(opAnd, in, op(opNot, op(opYes, column(t, s.Exit))))
	case opBorn:
		return op(opDuring, column(t, s.Birth)).with(n.Words...)
	default:
		return op(opAnd, op(opDuring, column(t, s.Period)).with(n.Words...), op(opYes, column(t, s.Exit)))
	}
}
