package query

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

func (x *figures) partition(within []*node) string {
	var all []string
	for _, w := range within {
		all = append(all, x.dim(w))
	}
	if len(all) == 0 {
		return ""
	}
	return "PARTITION BY " + strings.Join(all, ", ") + " "
}

// window writes a window. Its frames are of time and not of rows, so that a period that is not there is missing and not skipped.
func (x *figures) window(n *node) string {
	m := x.measure(n.Kids[0], nil)
	switch n.Op {
	case opRankBy:
		rank := "rank() OVER (" + x.partition(n.Kids[1:]) + "ORDER BY " + m + direction(n) + " NULLS LAST)"
		return "CASE WHEN " + m + " IS NOT NULL THEN " + rank + " END"
	case opPartOf:
		return x.partOf(n, "")
	}
	along := n.Kids[1]
	var others []*node
	for _, d := range x.f.by {
		if !d.same(along) {
			others = append(others, d)
		}
	}
	t := x.dim(along)
	at, units := "CAST("+t+" AS TIMESTAMP)", func(n float64) string { return x.c.d.Interval(int(n), along.word(0)) }
	if along.Op != opTrunc {
		at, units = t, number // years are numbers
	}
	over := func(function, frame string) string {
		return function + "(" + m + ") OVER (" + x.partition(others) + "ORDER BY " + at + frame + ")"
	}
	sql := ""
	switch n.Op {
	case opRunning:
		sql = over("sum", "")
	case opMoving:
		function := map[string]string{"mean": "avg", "sum": "sum"}[n.word(0)]
		sql = over(function, " RANGE BETWEEN "+units(n.Numbers[0]-1)+" PRECEDING AND CURRENT ROW")
	case opGrowth:
		back := units(n.Numbers[0]) + " PRECEDING"
		before := over("max", " RANGE BETWEEN "+back+" AND "+back)
		sql = x.c.arith("-", m, before)
		if n.word(0) == "percent" {
			// After a loss, a smaller loss is growth.
			sql = x.c.arith("/", "100.0 * "+sql, "abs("+before+")")
		}
	default:
		return x.c.fail(fmt.Errorf("no SQL for the window %s", n.Op))
	}
	return "CASE WHEN " + t + " IS NOT NULL THEN " + sql + " END"
}

// partOf writes the part that a group has of all of them, times a factor.
func (x *figures) partOf(n *node, times string) string {
	m := x.measure(n.Kids[0], nil)
	return x.c.arith("/", times+m, "sum("+m+") OVER ("+strings.TrimSuffix(x.partition(n.Kids[1:]), " ")+")")
}

// calendarOrder writes the place of a value that has one of its own: of a name in the calendar, or of a class among those that a
// choice names. It is empty for all other dimensions.
func calendarOrder(c *compiler, d *node, sql string) string {
	var words []string
	switch part, ok := partNamed(d); {
	case ok && part == "weekday":
		for i := range 7 {
			words = append(words, time.Weekday((i+1)%7).String())
		}
	case ok:
		for m := time.January; m <= time.December; m++ {
			words = append(words, m.String())
		}
	case d.Op == opCase:
		for i := 1; i < len(d.Kids); i += 2 {
			if d.Kids[i].Op != opText {
				return ""
			}
			words = append(words, d.Kids[i].word(0))
		}
	}
	if len(words) == 0 {
		return ""
	}
	out := "CASE"
	for i, w := range words {
		out += fmt.Sprintf(" WHEN %s = %s THEN %d", sql, c.text(w), i+1)
	}
	return out + fmt.Sprintf(" WHEN %s IS NOT NULL THEN %d END", sql, len(words)+1)
}

func direction(n *node) string {
	if n.word(0) == "desc" {
		return " DESC"
	}
	return ""
}

func (x *figures) top(n *node) *top {
	value := x.measure(n.Kids[0], nil)
	return newTop(n, value, x.partition(n.Kids[1:]))
}

// newTop makes a ranking. From the second place on, different values are counted.
func newTop(n *node, value, partition string) *top {
	count, from := int(n.Numbers[0]), int(n.Numbers[1])
	rank := "rank()"
	if from > 1 {
		rank = "dense_rank()"
	}
	return &top{
		sql:   rank + " OVER (" + partition + "ORDER BY " + value + direction(n) + " NULLS LAST)",
		value: value, low: from, high: from + count - 1,
	}
}

// firstWithin keeps the first groups of each value, in the order of the answer.
func (x *figures) firstWithin(t *node, f *final) *top {
	orders := slices.Clone(f.order)
	for i, o := range orders {
		if o.place > 0 {
			orders[i] = order{sql: f.outs[o.place-1].sql, desc: o.desc}
		}
	}
	by := strings.TrimPrefix(orderBy(orders), "\n")
	return &top{
		sql: "row_number() OVER (" + x.partition(t.Kids) + by + ")", low: int(t.Numbers[1]), high: int(t.Numbers[1]) + int(t.Numbers[0]) - 1,
	}
}
