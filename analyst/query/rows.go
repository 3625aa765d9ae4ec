package query

// Rows is a question for rows.
type Rows struct {
	m *Model
	n *node
}

func (r Rows) ask() (*Model, *node) { return r.m, r.n }

// The places of the kids of a rows node.
const (
	rowsOf = iota
	rowsCols
	rowsOrder
	rowsTop
)

// Column is a column of the rows that are asked for. An empty name is made from the scalar.
type Column struct {
	Name string
	Is   Scalar
}

// RowPart is a further part of a question for rows: RowOrder, TopRows, FirstRows.
type RowPart struct {
	place int
	n     *node
}

// RowOrder orders rows. Rows without a value come last.
func RowOrder(s Scalar, direction string) (RowPart, error) {
	if err := directed(direction); err != nil {
		return RowPart{}, err
	}
	return RowPart{rowsOrder, op(opOrder, s.scalar()).with(direction)}, nil
}

// TopRows keeps the n rows from a place on with the highest (desc) or lowest (asc) value, within each value of what is given.
// Equal rows share a place, as in TopOf.
func TopRows(s Scalar, direction string, n, from int, within ...Scalar) (RowPart, error) {
	if err := directed(direction); err != nil {
		return RowPart{}, err
	}
	if err := placesOf(n, from); err != nil {
		return RowPart{}, err
	}
	top := op(opTop, s.scalar()).with(direction).num(float64(n), float64(from))
	for _, w := range within {
		top.Kids = append(top.Kids, w.scalar())
	}
	return RowPart{rowsTop, top}, nil
}

// FirstRows keeps n rows in the order of the answer, from a place on. Which of several equal rows it keeps is not defined.
func FirstRows(n, from int) (RowPart, error) {
	if err := placesOf(n, from); err != nil {
		return RowPart{}, err
	}
	return RowPart{rowsTop, op(opFirst).num(float64(n), float64(from))}, nil
}

// Rows asks for rows of a set with these columns.
func (m *Model) Rows(of Set, columns []Column, parts ...RowPart) (Rows, error) {
	if of.n == nil || len(columns) == 0 {
		return Rows{}, refuse(nil, "No columns are asked for.")
	}
	n := op(opRows, of.n, op(opList), op(opList), op(opList))
	for _, c := range columns {
		k := c.Is.scalar()
		if len([]rune(c.Name)) > maxName {
			return Rows{}, refuse(nil, "A name has 1 to %d characters.", maxName)
		}
		if c.Name != "" {
			k = op(opNamed, k).with(c.Name)
		}
		n.Kids[rowsCols].Kids = append(n.Kids[rowsCols].Kids, k)
	}
	for _, p := range parts {
		if p.n == nil {
			return Rows{}, refuse(nil, "A part of the question is empty.")
		}
		n.Kids[p.place].Kids = append(n.Kids[p.place].Kids, p.n)
	}
	if len(n.Kids[rowsTop].Kids) > 1 {
		return Rows{}, refuse(nil, "One question has one ranking.")
	}
	for _, l := range n.Kids[rowsCols:] {
		for _, k := range l.Kids {
			if err := m.placed(of.place(), k); err != nil {
				return Rows{}, err
			}
		}
	}
	return Rows{m, n}, nil
}
