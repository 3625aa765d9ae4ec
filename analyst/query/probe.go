package query

import (
	"fmt"
	"slices"
	"strings"
)

// probesMax is the maximum number of conditions that a probe distinguishes. A question with more of them has no probe.
const probesMax = 8

// Probe finds which condition of a question leaves no rows. It reads the rows of the first figure once.
type Probe struct {
	// SQL gives one row: the number of rows without any condition, with all of them, and then for each condition the number
	// with it alone, the number with all others, and the first and last time of a condition about a time.
	SQL     string
	Filters []ProbeFilter
	// Rows says what is counted, in the plural; Groups says which groups are kept, if only some are.
	Rows   string
	Groups string
}

// ProbeFilter is one condition.
type ProbeFilter struct {
	// Said is the condition in words.
	Said string
	// Of names the value that is limited to a span, and From and Before are the ends of the span, as 2006-01-02 or
	// 2006-01-02T15:04:05; all are empty for other conditions.
	Of, From, Before string
}

// NewProbe writes the probe of a question. Without conditions, and with too many of them, it has no SQL.
func NewProbe(a Ask, d Dialect) (Probe, error) {
	m, n := a.ask()
	if n.Op == opTally {
		n = n.Kids[0]
	}
	home, where, err := m.probed(n)
	if err != nil || home.t == nil {
		return Probe{}, err
	}
	c := compilerOf(m, d)
	if where = c.filters(where); len(where) == 0 || len(where) > probesMax {
		return Probe{}, nil
	}
	c.steps()
	s := c.scope(home)
	out := Probe{Rows: Table{m: m, t: home.t, by: home.by}.plural()}
	var flags, counts, names []string
	for i := range where {
		names = append(names, fmt.Sprintf("\"p%d\"", i+1))
	}
	for i, p := range where {
		flags = append(flags, s.pred(p)+" AS "+names[i])
		filter := ProbeFilter{Said: m.say(p)}
		others := strings.Join(slices.Delete(slices.Clone(names), i, i+1), " AND ")
		if others == "" {
			others = "TRUE"
		}
		low, high := "NULL", "NULL"
		if p.Op == opDuring {
			filter.Of, filter.From, filter.Before = m.say(p.Kids[0]), p.word(0), p.word(1)
			time := fmt.Sprintf("\"t%d\"", i+1)
			flags = append(flags, s.scalar(p.Kids[0])+" AS "+time)
			low, high = "CAST(min("+time+") AS VARCHAR)", "CAST(max("+time+") AS VARCHAR)"
		}
		counts = append(counts, "count(*) FILTER (WHERE "+names[i]+")", "count(*) FILTER (WHERE "+others+")", low, high)
		out.Filters = append(out.Filters, filter)
	}
	all := "count(*) FILTER (WHERE " + strings.Join(names, " AND ") + ")"
	out.SQL = c.with("SELECT " + strings.Join(slices.Concat([]string{"count(*)", all}, counts), ", ") + "\nFROM (SELECT " +
		strings.Join(flags, ", ") + " FROM " + s.from.String() + ") AS \"probe\"")
	if n.Op == opGroups {
		out.Groups = m.keptGroups(n)
	}
	return out, c.err
}

// probed returns the place whose rows a question is about, and the conditions on them.
func (m *Model) probed(n *node) (place, []*node, error) {
	switch n.Op {
	case opRows:
		t, err := m.base(n.Kids[rowsOf])
		return t.place(), conjuncts(n.Kids[rowsOf]), err
	case opGroups:
		leaves, err := m.leaves(n.Kids[groupsShow].Kids[0])
		if err != nil || len(leaves) == 0 {
			return place{}, nil, err
		}
		l := leaves[0]
		where := slices.Concat(conjuncts(n.Kids[groupsOf]), l.when)
		if l.n.Op == opCount {
			where = append(where, conjuncts(l.n.Kids[0])...)
		}
		return l.home, distinctNodes(where), nil
	}
	return place{}, nil, nil
}

// distinctNodes splits the conditions of an And, and leaves out repeated ones.
func distinctNodes(all []*node) []*node {
	var out []*node
	for _, n := range all {
		parts := []*node{n}
		if n.Op == opAnd {
			parts = n.Kids
		}
		for _, p := range parts {
			if !p.among(out) {
				out = append(out, p)
			}
		}
	}
	return out
}

// keptGroups says which groups a question keeps.
func (m *Model) keptGroups(n *node) string {
	var all []string
	for _, h := range n.Kids[groupsHave].Kids {
		all = append(all, fmt.Sprintf("%s %s %s", m.say(h.Kids[0]), compared(h.word(0)), number(h.Numbers[0])))
	}
	return join(all, "and")
}
