package query

// Outline says of the columns of an answer what must hold between their values, whatever the data are.
type Outline struct {
	// Grouped is how many columns, the first ones, say which group a row is. A question for rows has none, and no figures.
	Grouped int
	Figures []OutlineFigure
	// Cut says that groups are left out, and Overlap that a row of a table can be in several of them.
	Cut, Overlap bool
}

// OutlineFigure is one figure of each group.
type OutlineFigure struct {
	// Column is its place as Compile has it, from 0.
	Column int
	// Adds says that the values of all groups add up to that of all rows. Counts says that a value is a number of rows, things or
	// different values; of different ones Distinct is set too, which do not add up but are no more than in all rows.
	Adds, Counts, Distinct bool
	// Part is a part of a whole, within the values of the columns Within; PartOfCount says that it is one of counts, of which none
	// is negative.
	Part, PartOfCount bool
	Within            []int
	// Statistic is min, max, mean, median or empty. Of identifies the numbers that it is computed from: figures with an equal Of have
	// the same numbers.
	Statistic, Of string
}

// NewOutline makes the outline of a question.
func NewOutline(a Ask) Outline {
	m, n := a.ask()
	if n.Op != opGroups {
		return Outline{}
	}
	by := n.Kids[groupsBy].Kids
	out := Outline{Grouped: len(by), Cut: len(n.Kids[groupsHave].Kids)+len(n.Kids[groupsTop].Kids) > 0}
	overTime := false
	for _, d := range by {
		out.Overlap = out.Overlap || d.Op == opOverlap
		overTime = overTime || d.Op == opTrunc || d.Op == opPart || m.kind(d) == kindTime
	}
	for i, s := range n.Kids[groupsShow].Kids {
		f := OutlineFigure{Column: len(by) + i, Counts: m.countsOnly(s), Distinct: plain(s).Op == opDistinct}
		adds := m.adds(s)
		f.Adds = !out.Cut && !out.Overlap && adds.groups && (adds.time || !overTime)
		f.Statistic, f.Of = m.statisticOf(s)
		out.Figures = append(out.Figures, f)
	}
	for i, w := range n.Kids[groupsOver].Kids {
		f := OutlineFigure{Column: len(by) + len(n.Kids[groupsShow].Kids) + i}
		if w.Op == opPartOf {
			f.Part, f.PartOfCount = true, m.countsOnly(w.Kids[0])
			for j, d := range by {
				if d.among(w.Kids[1:]) {
					f.Within = append(f.Within, j)
				}
			}
		}
		out.Figures = append(out.Figures, f)
	}
	return out
}

// plain is a measure without its name and its conditions.
func plain(n *node) *node {
	for n.Op == opWhen || n.Op == opNamed {
		n = n.Kids[0]
	}
	return n
}

// countsOnly reports whether a measure is a number of rows, things or different values.
func (m *Model) countsOnly(n *node) bool {
	op := plain(n).Op
	return op == opCount || op == opDistinct
}

// statisticOf returns the statistic of a measure whose values lie in an order, and the text of what it is of.
func (m *Model) statisticOf(n *node) (statistic, of string) {
	p := plain(n)
	if p.Op != opStat || m.isEnd(p) {
		return "", ""
	}
	switch p.word(0) {
	case "min", "max", "mean", "median":
	default:
		return "", ""
	}
	// A weighed mean leaves out rows without a weight, which still have the lowest value.
	if t := m.find(p.Kids[0].Table); t == nil || weight(t, p) != "" {
		return "", ""
	}
	leaves, err := m.leaves(n)
	if err != nil || len(leaves) != 1 {
		return "", ""
	}
	return p.word(0), p.Kids[0].text() + conditions(leaves[0].when).text()
}
