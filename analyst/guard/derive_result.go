package guard

// What must hold of a result without a control: parts of a whole, statistics of one column, and the probes of an empty result.

import (
	"reflect"
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// withoutControl derives the checks that need only the result.
func (d *deriver) withoutControl(s resultColumns) {
	if s.at == nil || s.at.Type != "LOGICAL_AGGREGATE_AND_GROUP_BY" || len(s.at.Sets) > 1 {
		return
	}
	groups, list := len(s.at.Groups), s.at.list()
	d.out.Grouped = groups > 0
	type figure struct{ column, digits int }
	shown := map[int]figure{}
	for i, e := range s.exprs {
		at, digits := directColumn(e)
		if j := at - groups; j >= 0 && j < len(list) {
			shown[j] = figure{i, digits}
			d.out.Figures = append(d.out.Figures, i)
			if classOf(list[j].Name) == count {
				d.out.Counts = append(d.out.Counts, i)
			}
			continue
		}
		d.share(i, e, s, groups, list)
	}
	for j, e := range list {
		f, ok := shown[j]
		if !ok || !slices.Contains([]string{"avg", "mean", "median", "max"}, e.Name) {
			continue
		}
		b := DerivedBounds{Low: -1, High: -1, Middle: f.column, Digits: max(0, f.digits)}
		for k, o := range list {
			if g, ok := shown[k]; ok && reflect.DeepEqual(o.Children, e.Children) && reflect.DeepEqual(o.Filter, e.Filter) {
				switch {
				case o.Name == "min":
					b.Low = g.column
				case o.Name == "max" && e.Name != "max":
					b.High = g.column
				}
			}
		}
		if b.Low >= 0 || b.High >= 0 {
			d.out.Bounds = append(d.out.Bounds, b)
		}
	}
}

// share derives that parts make a whole: a figure divided by the sum of that figure over a window.
func (d *deriver) share(at int, e *expr, s resultColumns, groups int, list []*expr) {
	out := DerivedShare{Column: at, Whole: 1, Cut: s.cut}
	e, digits := stripRounding(e)
	out.Digits = max(0, digits)
	part, factor, ok := stripFactors(e)
	if !ok || part.Class == "BOUND_REF" {
		return
	}
	out.Whole = factor
	division := part
	above, f1, ok1 := stripFactors(division.Children[0])
	below, f2, ok2 := stripFactors(division.Children[1])
	if !ok1 || !ok2 || above.Class != "BOUND_REF" || below.Class != "BOUND_REF" || f2 == 0 {
		return
	}
	out.Whole *= f1 / f2
	of, over := above.Index, below.Index-groups-len(list)
	if of < groups || of-groups >= len(list) || over < 0 || over >= len(s.windows) {
		return
	}
	window := s.windows[over]
	if window.Class != "BOUND_WINDOW" || window.Name != "sum" || len(window.Children) != 1 || len(window.Orders) > 0 ||
		window.Filters != nil || window.Distinct {
		return
	}
	if whole, _ := directColumn(window.Children[0]); whole != of {
		return
	}
	for _, p := range window.Partitions {
		index, _ := directColumn(p)
		column := slices.IndexFunc(s.exprs, func(x *expr) bool { i, digits := directColumn(x); return i == index && digits < 0 })
		if index < 0 || column < 0 {
			return
		}
		out.Within = append(out.Within, column)
	}
	out.Counts = classOf(list[of-groups].Name) == count
	if out.Whole != 1 && out.Whole != 100 {
		return
	}
	d.out.Shares = append(d.out.Shares, out)
}

// stripRounding removes the rounding from an expression.
func stripRounding(e *expr) (inner *expr, digits int) {
	digits = -1
	for e != nil {
		switch {
		case e.Class == "BOUND_CAST" && e.Child != nil && keepsValue(e.Child.Returns.ID, e.Returns.ID):
			e = e.Child
		case e.Class == "BOUND_FUNCTION" && e.Name == "round" && len(e.Children) == 2 && digits < 0:
			n, ok := smallNumber(e.Children[1])
			if !ok || n < 0 {
				return e, -1
			}
			digits, e = n, e.Children[0]
		default:
			return e, digits
		}
	}
	return e, digits
}

// stripFactors removes constant factors from an expression. It returns a column or a division.
func stripFactors(e *expr) (inner *expr, factor float64, ok bool) {
	factor = 1
	for e != nil {
		switch {
		case e.Class == "BOUND_REF":
			return e, factor, true
		case e.Class == "BOUND_CAST" && e.Child != nil &&
			(keepsValue(e.Child.Returns.ID, e.Returns.ID) || e.Returns.ID == "DOUBLE" || e.Returns.ID == "DECIMAL"):
			e = e.Child
		case e.Class == "BOUND_FUNCTION" && e.Name == "*" && len(e.Children) == 2:
			a, okA := constantNumber(e.Children[0])
			b, okB := constantNumber(e.Children[1])
			switch {
			case okA && !okB:
				factor, e = factor*a, e.Children[1]
			case okB && !okA:
				factor, e = factor*b, e.Children[0]
			default:
				return nil, 0, false
			}
		case e.Class == "BOUND_FUNCTION" && e.Name == "/" && len(e.Children) == 2:
			return e, factor, true
		default:
			return nil, 0, false
		}
	}
	return nil, 0, false
}

// probes derives the queries that explain an empty result: they test the conditions of each table.
func (d *deriver) probes(s resultColumns) {
	n := s.at
	if n != nil && n.Type == "LOGICAL_AGGREGATE_AND_GROUP_BY" && len(n.Children) == 1 {
		n = n.Children[0]
	}
	if s.cut && d.root != nil && n == s.at {
		// In a statement without totals the conditions are above the operator that produces the rows.
		n = d.root
	}
	w := d.newWriter()
	for n != nil && (n.Type == "LOGICAL_LIMIT" || n.Type == "LOGICAL_ORDER_BY") && len(n.Children) == 1 {
		n = n.Children[0]
	}
	r, err := w.rows(n)
	if err != nil {
		return
	}
	for _, i := range r.sources {
		var of []predicate
		for _, p := range r.where {
			if p.text != "" && slices.Equal(p.sources, []int{i}) {
				of = append(of, p)
			}
		}
		if len(of) == 0 || len(of) > conditionsMax || !w.sources[i].base || len(d.out.Probes) == probesMax {
			continue
		}
		d.out.Probes = append(d.out.Probes, probeOf(&w.sources[i], of))
	}
}

// probeOf returns the probe of one table.
func probeOf(s *source, of []predicate) DerivedProbe {
	filtered := func(list []predicate) string { return "count(*) FILTER (WHERE " + andAll(list) + ")" }
	columns := []string{"count(*)", filtered(of)}
	out := DerivedProbe{Rows: "rows of " + strings.ReplaceAll(s.name, "_", " ")}
	for i, p := range of {
		others := slices.Delete(slices.Clone(of), i, i+1)
		c := s.alias + "." + sqltext.QuoteName(p.column)
		columns = append(columns, filtered([]predicate{p}), filtered(others), "CAST(min("+c+") AS VARCHAR)", "CAST(max("+c+") AS VARCHAR)")
		out.Said = append(out.Said, p.text)
	}
	out.SQL = "SELECT " + strings.Join(columns, ", ") + " FROM " + s.table + " AS " + s.alias
	return out
}
