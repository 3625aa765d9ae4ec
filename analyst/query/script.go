package query

import (
	"maps"
	"slices"

	"parley.dev/parley/domain/meaning"
)

// Script is the program of one prompt: steps that make columns, leave out rows or fill in values, and then questions. Each step
// sees the steps before it, and the questions see all of them: their handles come from Model.
type Script struct {
	m    *Model
	asks []Ask
}

// NewScript makes an empty script.
func NewScript(m *Model) *Script { return &Script{m: m} }

// Model is the model after the steps so far.
func (s *Script) Model() *Model { return s.m }

// Asks returns the questions of the script, in order.
func (s *Script) Asks() []Ask { return slices.Clone(s.asks) }

// Let makes a new column of a table from its rows. Its kind follows from its parts: amounts that are added or subtracted are an
// amount again; a quotient, and a value of another table, are rates. The kind of any other number is unknown.
func (s *Script) Let(of Table, name string, is Scalar) (Col, error) {
	t, err := s.m.Table(of.t.key())
	if err != nil {
		return Col{}, err
	}
	if name == "" || len([]rune(name)) > maxName {
		return Col{}, refuse(nil, "A name has 1 to %d characters.", maxName)
	}
	if t.t.columns[name] != nil {
		return Col{}, refuse(nil, "A %s already has a %s.", t.t.row(), name)
	}
	if err := s.m.placed(t.place(), is.scalar()); err != nil {
		return Col{}, err
	}
	c := &meaning.Column{Name: name, Role: meaning.Dimension}
	switch s.m.kind(is.scalar()) {
	case kindNumber:
		c.Role, c.Number = meaning.Measure, s.m.made(t.t, is.scalar())
	case kindTime:
		c.Role = meaning.Time
	case kindText, kindOpen:
	}
	step := op(opLet, is.scalar()).with(name)
	step.Table = t.t.key()
	s.apply(t.t, step, c)
	return s.m.Col(t.t.key(), name)
}

// made returns the kind of a calculated number of the rows of a table. A value of another table is repeated in many rows, so it is
// a rate here, whatever it is there: Total does not take it.
func (m *Model) made(t *table, n *node) *meaning.Number {
	kind := func(adds meaning.Adds, by meaning.Aggregate) *meaning.Number {
		return &meaning.Number{Adds: adds, Default: by, Scale: 1}
	}
	rate, open := kind(meaning.Rate, meaning.Mean), kind(meaning.Unknown, meaning.AskFirst)
	switch n.Op {
	case opCol:
		if c := t.columns[n.Column]; n.Table == t.key() && c != nil && c.Number != nil {
			return c.Number
		}
		return rate
	case opArith:
		return m.madeOf(t, n, rate, open)
	case opOf:
		if a := m.adds(n.Kids[0]); n.Table == t.key() && n.Part == "" && a.groups && a.time {
			return kind(meaning.Amount, meaning.Sum)
		}
		return rate
	case opFunc, opLength, opClock, opCase:
		for i, k := range n.Kids {
			condition := n.Op == opCase && i%2 == 0 && i+1 < len(n.Kids)
			if !condition && m.kind(k) == kindNumber && m.made(t, k).Adds != meaning.Rate {
				return open
			}
		}
		return rate
	}
	return rate
}

// madeOf returns the kind of a sum, a difference, a product or a quotient.
func (m *Model) madeOf(t *table, n *node, rate, open *meaning.Number) *meaning.Number {
	a, b := m.made(t, n.Kids[0]), m.made(t, n.Kids[1])
	constant := func(k *node) bool { return k.Op == opNumber }
	switch {
	case n.word(0) == "*" && constant(n.Kids[0]):
		return b
	case (n.word(0) == "*" || n.word(0) == "/") && constant(n.Kids[1]):
		return a
	case n.word(0) == "/", a.Adds == meaning.Rate && b.Adds == meaning.Rate:
		return rate
	case n.word(0) == "*":
		// An amount times a price is an amount, and an amount times an amount is not. Only a person can say which it is.
		return open
	case a.Adds == meaning.Rate || b.Adds == meaning.Rate:
		return rate
	case a.Adds == b.Adds && a.Unit == b.Unit:
		both := *a
		both.Barriers = slices.Concat(a.Barriers, b.Barriers)
		return &both
	}
	return open
}

// Keep leaves out, from here on, all rows of a table that are not in the set.
func (s *Script) Keep(of Set) error {
	t, err := s.m.Table(of.n.Table)
	if err != nil {
		return err
	}
	if of.t.by != nil {
		return refuse(nil, "Rows are kept or left out, not %s.", of.plural())
	}
	if err := s.m.placed(t.place(), of.n.Kids[0]); err != nil {
		return err
	}
	s.apply(t.t, op(opKeep, of.n), nil)
	return nil
}

// Fill puts the mean, the median or the mode of all rows where a number is missing.
func (s *Script) Fill(x Number, statistic string) error {
	if known := []string{"mean", "median", "mode"}; !slices.Contains(known, statistic) {
		return refuse(known, "Missing values cannot be filled with the %s.", statistic)
	}
	t, err := s.m.Table(x.number().t.key())
	if err != nil {
		return err
	}
	if _, err := s.m.grouped(x, nil); err != nil {
		return err
	}
	s.apply(t.t, op(opFill, x.number().scalar()).with(statistic), nil)
	return nil
}

// apply makes the model after a step.
func (s *Script) apply(t *table, step *node, made *meaning.Column) {
	c := *t
	if made != nil {
		c.columns = maps.Clone(t.columns)
		c.Columns = append(slices.Clone(t.Columns), *made)
		c.columns[made.Name] = made
	}
	s.m = s.m.changed(&c)
	s.m.steps = append(slices.Clone(s.m.steps), step)
}

// Ask adds a question, which must be made with the model after all steps.
func (s *Script) Ask(a Ask) error {
	m, _ := a.ask()
	if m != s.m {
		return refuse(nil, "The question does not see the steps before it.")
	}
	s.asks = append(s.asks, a)
	return nil
}

func (s *Script) node() *node {
	n := op(opScript, op(opList, s.m.steps...), op(opList))
	for _, a := range s.asks {
		_, k := a.ask()
		n.Kids[1].Kids = append(n.Kids[1].Kids, k)
	}
	return n
}
