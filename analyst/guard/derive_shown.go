package guard

// Where the columns of a result come from: the figures that it has as they were added up.

import (
	"slices"
	"strconv"
)

// shownColumns says where the columns of an operator are in the result.
type shownColumns struct {
	// at is the aggregate, or the operator below all projections.
	at *node
	// exprs are the result's columns as expressions over at.
	exprs []*expr
	// windows are the functions over windows that stand between; their columns follow those of at.
	windows []*expr
	cut     bool
}

// width is how many columns the result has; it is known where the last operator with columns of its own is a projection.
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

// shown follows the result down to the first operator that makes rows.
func (d *deriver) shown(n *node, width int) shownColumns {
	s := shownColumns{exprs: make([]*expr, width)}
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
				return s.end(n)
			}
		case "LOGICAL_PROJECTION":
			list := n.list()
			if len(s.windows) > 0 || slices.ContainsFunc(s.exprs, func(e *expr) bool { return size(e) > 200 }) {
				return s.end(n)
			}
			s.replace(func(i int) *expr {
				if i < len(list) {
					return list[i]
				}
				return nil
			})
		case "LOGICAL_WINDOW":
			if len(s.windows) > 0 {
				return s.end(n)
			}
			s.windows = n.list()
			// A window over a window, or over anything but groups, is not followed.
			if below := n.Children[0]; below.Type != "LOGICAL_AGGREGATE_AND_GROUP_BY" {
				return s.end(n)
			}
		default:
			return s.end(n)
		}
		n = n.Children[0]
	}
	return s.end(n)
}

func (s shownColumns) end(n *node) shownColumns {
	s.at = n
	return s
}

// replace puts the columns of an operator in place of the references to them.
func (s *shownColumns) replace(by func(int) *expr) {
	for i, e := range s.exprs {
		s.exprs[i] = substituted(e, by)
	}
}

// substituted copies an expression with others in place of its references; nil if it cannot.
func substituted(e *expr, by func(int) *expr) *expr {
	if e == nil {
		return nil
	}
	if e.Class == "BOUND_REF" {
		return by(e.Index)
	}
	out := *e
	if e.Child != nil {
		if out.Child = substituted(e.Child, by); out.Child == nil {
			return nil
		}
	}
	out.Children = make([]*expr, len(e.Children))
	for i, c := range e.Children {
		if out.Children[i] = substituted(c, by); out.Children[i] == nil {
			return nil
		}
	}
	if e.Class != "BOUND_CAST" && e.Class != "BOUND_FUNCTION" && e.Class != "BOUND_CONSTANT" {
		// Nothing else is looked into, so it need not be followed.
		return &expr{Class: "OTHER"}
	}
	return &out
}

func size(e *expr) int {
	n := 1
	if e == nil {
		return n
	}
	for _, p := range e.parts() {
		n += size(p)
	}
	return n
}

// direct returns which column of the operator below an expression is, unchanged but for a rounding; -1 for none.
func direct(e *expr) (index, digits int) {
	digits = -1
	for e != nil {
		switch {
		case e.Class == "BOUND_REF":
			return e.Index, digits
		case e.Class == "BOUND_CAST" && e.Child != nil && keeps(e.Child.Returns.ID, e.Returns.ID):
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

// smallNumber returns a constant that is a small whole number.
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
