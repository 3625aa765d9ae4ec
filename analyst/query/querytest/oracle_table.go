package querytest

import (
	"math"
	"slices"
	"time"
)

// line is a group of the answer with all of its figures.
type line struct {
	g      *group
	values []any
}

func (a *asked) answer() Answer {
	var lines []*line
	for _, k := range a.order {
		g := a.groups[k]
		keep := true
		for _, h := range a.n.Of[3].Of {
			keep = keep && compare(a.value(h.Of[0], g), h.Words[0], h.Numbers[0])
		}
		if keep {
			lines = append(lines, &line{g: g})
		}
	}
	for _, l := range lines {
		l.values = slices.Clone(l.g.dims)
		for _, s := range a.n.Of[2].Of {
			l.values = append(l.values, a.value(s, l.g))
		}
		for _, w := range a.n.Of[4].Of {
			l.values = append(l.values, a.window(w, l, lines))
		}
	}
	if len(a.n.Of[6].Of) > 0 && a.n.Of[6].Of[0].Op == "first" {
		lines = a.first(a.n.Of[6].Of[0], lines)
		a.n = &Node{Op: a.n.Op, Of: append(slices.Clone(a.n.Of[:6]), &Node{})}
	}
	var out Answer
	for _, l := range lines {
		if len(a.n.Of[6].Of) == 0 || a.top(a.n.Of[6].Of[0], l, lines) {
			out = append(out, l.values)
		}
	}
	return out
}

// first keeps the first lines, of each value that they are within.
func (a *asked) first(t *Node, lines []*line) []*line {
	type key struct {
		value any
		desc  bool
	}
	keys := map[*line][]key{}
	for _, l := range lines {
		for _, k := range a.n.Of[5].Of {
			v, desc := any(nil), k.Words[0] == "desc"
			if i := slices.IndexFunc(a.by, func(d *Node) bool { return d.text() == k.Of[0].text() }); i >= 0 {
				v = placed(a.by[i], l.g.dims[i])
			} else {
				v = a.value(k.Of[0], l.g)
			}
			keys[l] = append(keys[l], key{v, desc})
		}
		for i, d := range a.by {
			keys[l] = append(keys[l], key{placed(d, l.g.dims[i]), false})
		}
	}
	sorted := slices.Clone(lines)
	slices.SortStableFunc(sorted, func(x, y *line) int {
		for i, k := range keys[x] {
			o := keys[y][i]
			switch {
			case k.value == nil && o.value == nil:
			case k.value == nil:
				return 1
			case o.value == nil:
				return -1
			case ordered(k.value, o.value) != 0:
				return ordered(k.value, o.value) * map[bool]int{true: -1, false: 1}[k.desc]
			}
		}
		return 0
	})
	var out []*line
	count := map[string]float64{}
	for _, l := range sorted {
		var within []any
		for _, w := range t.Of {
			within = append(within, a.dim(l.g, w))
		}
		place := count[keyOf(within)] + 1
		count[keyOf(within)] = place
		if place >= t.Numbers[1] && place < t.Numbers[0]+t.Numbers[1] {
			out = append(out, l)
		}
	}
	return out
}

// placed is what a dimension is ordered by: the names of the calendar and of choices have an order of their own.
func placed(d *Node, v any) any {
	var names []any
	switch {
	case v == nil:
		return nil
	case d.Op == "part" && d.Words[0] == "weekday name":
		names = []any{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	case d.Op == "part" && d.Words[0] == "month name":
		for m := time.January; m <= time.December; m++ {
			names = append(names, m.String())
		}
	case d.Op == "case":
		for i := 1; i < len(d.Of); i += 2 {
			names = append(names, d.Of[i].Words[0])
		}
	default:
		return v
	}
	if i := slices.Index(names, v); i >= 0 {
		return float64(i)
	}
	return float64(len(names))
}

func (a *asked) dim(g *group, d *Node) any {
	i := slices.IndexFunc(a.by, func(b *Node) bool { return b.text() == d.text() })
	return g.dims[i]
}

// beside returns the figures of the lines with the same values of some dimensions.
func (a *asked) beside(of *Node, l *line, lines []*line, within []*Node) []float64 {
	var out []float64
	for _, o := range lines {
		equal := true
		for _, w := range within {
			equal = equal && a.dim(o.g, w) == a.dim(l.g, w)
		}
		if x, ok := a.value(of, o.g).(float64); ok && equal {
			out = append(out, x)
		}
	}
	return out
}

func better(direction string, x, y float64) bool {
	return direction == "desc" && x > y || direction == "asc" && x < y
}

func (a *asked) top(t *Node, l *line, lines []*line) bool {
	x, ok := a.value(t.Of[0], l.g).(float64)
	if !ok {
		return false
	}
	n, from := t.Numbers[0], t.Numbers[1]
	above := map[float64]bool{}
	count := 0.0
	for _, y := range a.beside(t.Of[0], l, lines, t.Of[1:]) {
		if better(t.Words[0], y, x) {
			above[y] = true
			count++
		}
	}
	place := count + 1
	if from > 1 {
		place = float64(len(above)) + 1
	}
	return place >= from && place < from+n
}

func (a *asked) window(w *Node, l *line, lines []*line) any {
	x, known := a.value(w.Of[0], l.g).(float64)
	switch w.Op {
	case "rankby":
		if !known {
			return nil
		}
		place := 1.0
		for _, y := range a.beside(w.Of[0], l, lines, w.Of[1:]) {
			if better(w.Words[0], y, x) {
				place++
			}
		}
		return place
	case "partof":
		all := a.beside(w.Of[0], l, lines, w.Of[1:])
		if sum := mean(all) * float64(len(all)); known && math.Abs(sum) > 1e-12 {
			return x / sum
		}
		return nil
	}
	return a.overTime(w, l, lines)
}

// overTime is a window along a time.
func (a *asked) overTime(w *Node, l *line, lines []*line) any {
	x, known := a.value(w.Of[0], l.g).(float64)
	grain := "year"
	if w.Of[1].Op == "trunc" {
		grain = w.Of[1].Words[0]
	}
	now, ok := beginning(a.dim(l.g, w.Of[1]))
	if !ok {
		return nil
	}
	series := map[time.Time]any{}
	for _, o := range lines {
		equal := true
		for _, d := range a.by {
			equal = equal && (d.text() == w.Of[1].text() || a.dim(o.g, d) == a.dim(l.g, d))
		}
		if t, ok := beginning(a.dim(o.g, w.Of[1])); ok && equal {
			series[t] = a.value(w.Of[0], o.g)
		}
	}
	var values []float64
	first := time.Time{}
	if w.Op == "moving" {
		first = back(grain, now, int(w.Numbers[0])-1)
	}
	for t, v := range series {
		if y, ok := v.(float64); ok && !t.After(now) && !t.Before(first) {
			values = append(values, y)
		}
	}
	if w.Op == "growth" {
		y, ok := series[back(grain, now, int(w.Numbers[0]))].(float64)
		switch {
		case !ok || !known || w.Words[0] == "percent" && y == 0:
			return nil
		case w.Words[0] == "percent":
			return 100 * (x - y) / math.Abs(y)
		}
		return x - y
	}
	if len(values) == 0 {
		return nil
	}
	if w.Op == "moving" && w.Words[0] == "mean" {
		return mean(values)
	}
	return mean(values) * float64(len(values))
}

// beginning is a time, or the beginning of a year that is given as a number.
func beginning(v any) (time.Time, bool) {
	if year, ok := v.(float64); ok {
		return time.Date(int(year), 1, 1, 0, 0, 0, 0, time.UTC), true
	}
	t, ok := v.(time.Time)
	return t, ok
}

func (o *oracle) askRows(n *Node) Answer {
	rows := slices.DeleteFunc(o.rows(n.Of[0].Table), func(r at) bool { return !o.holds(r, n.Of[0].Of[0]) })
	var out Answer
	if len(n.Of[3].Of) > 0 && n.Of[3].Of[0].Op == "first" {
		rows = o.firstRows(n, rows)
		n = &Node{Of: append(slices.Clone(n.Of[:3]), &Node{})}
	}
	for _, r := range rows {
		if len(n.Of[3].Of) > 0 && !o.topRow(n.Of[3].Of[0], r, rows) {
			continue
		}
		var cells []any
		for _, c := range n.Of[1].Of {
			cells = append(cells, o.scalar(r, c))
		}
		out = append(out, cells)
	}
	return out
}

// firstRows keeps the first rows in the order of the question.
func (o *oracle) firstRows(n *Node, rows []at) []at {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(x, y at) int {
		for _, k := range n.Of[2].Of {
			a, b := o.scalar(x, k.Of[0]), o.scalar(y, k.Of[0])
			switch {
			case a == nil && b == nil:
			case a == nil:
				return 1
			case b == nil:
				return -1
			case ordered(a, b) != 0:
				return ordered(a, b) * map[bool]int{true: -1, false: 1}[k.Words[0] == "desc"]
			}
		}
		return 0
	})
	from := int(n.Of[3].Of[0].Numbers[1]) - 1
	return sorted[min(from, len(sorted)):min(from+int(n.Of[3].Of[0].Numbers[0]), len(sorted))]
}

func (o *oracle) topRow(t *Node, r at, rows []at) bool {
	x := o.scalar(r, t.Of[0])
	if x == nil {
		return false
	}
	above := map[any]bool{}
	count := 0.0
	for _, p := range rows {
		equal := true
		for _, w := range t.Of[1:] {
			equal = equal && o.scalar(p, w) == o.scalar(r, w)
		}
		y := o.scalar(p, t.Of[0])
		if equal && compare(y, map[string]string{"desc": ">", "asc": "<"}[t.Words[0]], x) {
			above[y] = true
			count++
		}
	}
	place := count + 1
	if t.Numbers[1] > 1 {
		place = float64(len(above)) + 1
	}
	return place >= t.Numbers[1] && place < t.Numbers[0]+t.Numbers[1]
}

func (o *oracle) askChange(n *Node) Answer {
	during := func(i int) *Node { return &Node{Op: "during", Words: n.Words[i : i+2], Of: n.Of[2:3]} }
	before, after := during(0), during(2)
	where := &Node{Op: "and", Of: []*Node{n.Of[0].Of[0], {Op: "or", Of: []*Node{before, after}}}}
	var out Answer
	for _, d := range n.Of[3].Of {
		g := o.ask(&Node{Op: "groups", Of: []*Node{
			{Op: "set", Table: n.Of[0].Table, Of: []*Node{where}},
			{Of: []*Node{d}},
			{Of: []*Node{{Op: "when", Of: []*Node{n.Of[1], before}}, {Op: "when", Of: []*Node{n.Of[1], after}}}},
			{},
			{},
			{},
			{},
		}})
		whole := 0.0
		for _, r := range g {
			x, _ := r[1].(float64)
			y, _ := r[2].(float64)
			whole += y - x
		}
		for _, r := range g {
			x, _ := r[1].(float64)
			y, _ := r[2].(float64)
			var part any
			if whole != 0 {
				part = (y - x) / whole
			}
			out = append(out, []any{nameOf(d), r[0], x, y, y - x, part})
		}
	}
	return out
}

// nameOf is how the answer calls a dimension that is a column.
func nameOf(d *Node) any {
	if d.Op == "col" {
		return d.Column
	}
	return nil
}
