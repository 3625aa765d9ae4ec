package guard

import "slices"

// window walks window functions. They add columns and change no rows.
func (w *walk) window(r *relation, list []*expr) *relation {
	out := *r
	out.columns = slices.Clone(r.columns)
	for _, e := range list {
		if e.Class != "BOUND_WINDOW" {
			return w.unknownRelation(&node{Type: e.Class})
		}
		out.columns = append(out.columns, w.windowColumn(r, e))
	}
	return &out
}

// windowColumn judges one window function.
func (w *walk) windowColumn(r *relation, e *expr) column {
	var partition, orders []symbol
	for _, p := range e.Partitions {
		partition = append(partition, w.eval(r, p).sym)
	}
	for _, o := range e.Orders {
		if o.Expression != nil {
			orders = append(orders, w.eval(r, o.Expression).sym)
		}
	}
	s := w.fresh()
	w.add(r.rows(), s)
	out := column{sym: s, from: r.rows(), text: "a value over a window"}
	switch e.Type {
	case "WINDOW_AGGREGATE":
	case "WINDOW_ROW_NUMBER":
		out.rank = &ranking{partition: partition, same: r.rows()}
		return out
	case "WINDOW_RANK", "WINDOW_RANK_DENSE", "WINDOW_DENSE_RANK":
		out.rank = &ranking{partition: partition, same: orders}
		return out
	case "WINDOW_LAG", "WINDOW_LEAD", "WINDOW_FIRST_VALUE", "WINDOW_LAST_VALUE", "WINDOW_NTH_VALUE", "WINDOW_FIRST", "WINDOW_LAST":
		if len(e.Children) > 0 && e.Children[0] != nil {
			// It is the value of another row of the same table.
			c := w.eval(r, e.Children[0])
			out.from, out.measure, out.text, out.doubt = c.from, c.measure, c.text, c.doubt
			out.measure.origin = nil
		}
		return out
	default:
		return out
	}
	if len(e.Orders) > 0 {
		// A running total is judged like a total, but must not be added up itself.
		out.doubt = &doubt{unproven: true, text: "a total of running totals"}
	}
	name := e.Name
	if len(e.Children) == 0 {
		name = "count_star"
	}
	l := w.newLeaf("a partition")
	w.add(partition, l.row)
	w.add([]symbol{l.row}, partition...)
	c := w.total(r, l, call{name: name, args: e.Children, filter: e.Filters, distinct: e.Distinct, groups: partition})
	if len(e.Orders) > 0 {
		return out
	}
	w.add([]symbol{l.row}, c.sym)
	return c
}
