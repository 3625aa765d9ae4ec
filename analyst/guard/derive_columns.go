package guard

// Where the columns of a result come from: which of them are aggregates that were not changed afterwards.

import (
	"slices"
	"strconv"
)

// resultColumns maps the columns of the result to the columns of an operator.
type resultColumns struct {
	// at is the aggregate, or the operator below all projections.
	at *node
	// exprs are the result's columns as expressions over at.
	exprs []*expr
	// windows are the window functions between at and the result. Their columns follow those of at.
	windows []*expr
	cut     bool
}

// width returns the number of columns of the result; 0 if the last operator with its own columns is not a projection.
func (d *deriver) width(n *node) int {
	for n != nil && len(n.Children) > 0 {
		switch n.Type {
		case "LOGICAL_ORDER_BY":
			if len(n.Projections) > 0 {
				return len(n.Projections)
			}
		case "LOGICAL_LIMIT", "LOGICAL_DISTINCT":
		case "LOGICAL_MATERIALIZED_CTE":
			n = n.Children[len(n.Children)-1]
			continue
		case "LOGICAL_PROJECTION":
			return len(n.list())
		default:
			return 0
		}
		n = n.Children[0]
	}
	return 0
}

// traceResult follows the result down to the first operator that produces rows.
func (d *deriver) traceResult(n *node, width int) resultColumns {
	s := resultColumns{exprs: make([]*expr, width)}
	for i := range s.exprs {
		s.exprs[i] = &expr{Class: "BOUND_REF", Index: i}
	}
	for n != nil {
		if n.Type == "LOGICAL_MATERIALIZED_CTE" && len(n.Children) == 2 {
			d.ctes[n.TableIndex] = n.Children[0]
			n = n.Children[1]
			continue
		}
		if n.Type == "LOGICAL_CTE_REF" && d.ctes[n.CTEIndex] != nil {
			n = d.ctes[n.CTEIndex]
			continue
		}
		if len(n.Children) != 1 {
			break
		}
		switch n.Type {
		case "LOGICAL_ORDER_BY":
			if len(n.Projections) > 0 {
				s.replace(func(i int) *expr {
					if i < len(n.Projections) {
						return &expr{Class: "BOUND_REF", Index: n.Projections[i]}
					}
					return nil
				})
			}
		case "LOGICAL_LIMIT":
			s.cut = true
		case "LOGICAL_FILTER":
			s.cut = true
			if len(n.Projection) > 0 {
				return s.endAt(n)
			}
		case "LOGICAL_PROJECTION":
			list := n.list()
			if len(s.windows) > 0 || slices.ContainsFunc(s.exprs, func(e *expr) bool { return exprSize(e) > 200 }) {
				return s.endAt(n)
			}
			s.replace(func(i int) *expr {
				if i < len(list) {
					return list[i]
				}
				return nil
			})
		case "LOGICAL_WINDOW":
			if len(s.windows) > 0 {
				return s.endAt(n)
			}
			s.windows = n.list()
			// A window over a window, or over anything except groups, is not followed.
			if below := n.Children[0]; below.Type != "LOGICAL_AGGREGATE_AND_GROUP_BY" {
				return s.endAt(n)
			}
		default:
			return s.endAt(n)
		}
		n = n.Children[0]
	}
	return s.endAt(n)
}

func (s resultColumns) endAt(n *node) resultColumns {
	s.at = n
	return s
}

// replace substitutes the columns of an operator for the references to them.
func (s *resultColumns) replace(by func(int) *expr) {
	for i, e := range s.exprs {
		s.exprs[i] = substitute(e, by)
	}
}

// substitute returns a copy of an expression with its references replaced; nil if that is not possible.
func substitute(e *expr, by func(int) *expr) *expr {
	if e == nil {
		return nil
	}
	if e.Class == "BOUND_REF" {
		return by(e.Index)
	}
	out := *e
	if e.Child != nil {
		if out.Child = substitute(e.Child, by); out.Child == nil {
			return nil
		}
	}
	out.Children = make([]*expr, len(e.Children))
	for i, c := range e.Children {
		if out.Children[i] = substitute(c, by); out.Children[i] == nil {
			return nil
		}
	}
	if e.Class != "BOUND_CAST" && e.Class != "BOUND_FUNCTION" && e.Class != "BOUND_CONSTANT" {
		// Other expressions are not examined, so their parts are not needed.
		return &expr{Class: "OTHER"}
	}
	return &out
}

func exprSize(e *expr) int {
	n := 1
	if e == nil {
		return n
	}
	for _, p := range e.parts() {
		n += exprSize(p)
	}
	return n
}

// directColumn returns the column that an expression is, unchanged except for rounding; -1 if there is none.
func directColumn(e *expr) (index, digits int) {
	digits = -1
	for e != nil {
		switch {
		case e.Class == "BOUND_REF":
			return e.Index, digits
		case e.Class == "BOUND_CAST" && e.Child != nil && keepsValue(e.Child.Returns.ID, e.Returns.ID):
			e = e.Child
		case e.Class == "BOUND_FUNCTION" && e.Name == "round" && len(e.Children) > 0 && digits < 0:
			digits = 0
			if len(e.Children) == 2 {
				n, ok := smallNumber(e.Children[1])
				if !ok || n < 0 {
					return -1, -1
				}
				digits = n
			}
			e = e.Children[0]
		default:
			return -1, -1
		}
	}
	return -1, -1
}

// smallNumber returns a constant that is a small integer.
func smallNumber(e *expr) (int, bool) {
	f, ok := constantNumber(e)
	return int(f), ok && f == float64(int(f)) && f > -100 && f < 100
}

// constantNumber returns the value of a constant.
func constantNumber(e *expr) (float64, bool) {
	for e != nil && e.Class == "BOUND_CAST" {
		e = e.Child
	}
	if e == nil || e.Class != "BOUND_CONSTANT" || e.Value == nil || e.Value.Null {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(e.Value.Value), 64)
	if err != nil {
		return 0, false
	}
	if e.Value.Type.ID == "DECIMAL" {
		if e.Value.Type.Info == nil {
			return 0, false
		}
		for range e.Value.Type.Info.Scale {
			f /= 10
		}
	}
	return f, true
}
