package query

import (
	"fmt"
	"slices"
)

// By is what an answer is grouped by.
//
//sumtype:decl
type By interface {
	by() *node
}

// Dim is a value that each row has at most once.
type Dim struct{ n *node }

// TimeDim is a time that is cut to a unit.
type TimeDim struct{ n *node }

// Overlap is a value of which a row can have several: an order has several products. Its groups overlap and do not add up to
// the whole, which Say says.
type Overlap struct{ n *node }

func (d Dim) by() *node         { return d.n }
func (d TimeDim) by() *node     { return d.n }
func (d Overlap) by() *node     { return d.n }
func (d Dim) scalar() *node     { return d.n }
func (d TimeDim) scalar() *node { return d.n }

// Dim is a scalar to group by.
func (m *Model) Dim(s Scalar) Dim { return Dim{s.scalar()} }

// Overlap is a column to group by of which a row can have several values.
func (m *Model) Overlap(c Col) Overlap { return Overlap{op(opOverlap, c.scalar())} }

// Ask is one question of a script: Groups, Rows, Tally or Change.
//
//sumtype:decl
type Ask interface {
	ask() (*Model, *node)
}

// Groups is a question for figures of groups, or of all rows.
type Groups struct {
	m *Model
	n *node
}

func (g Groups) ask() (*Model, *node) { return g.m, g.n }

// The places of the kids of a groups node.
const (
	groupsOf = iota
	groupsBy
	groupsShow
	groupsHave
	groupsOver
	groupsOrder
	groupsTop
)

// Part is a further part of a question: Having, Over, OrderBy, TopOf.
type Part struct {
	place int
	n     *node
}

// Having keeps groups whose figure compares so with a number.
func Having(of Measure, operator string, n float64) (Part, error) {
	if err := comparison(operator); err != nil {
		return Part{}, err
	}
	if _, err := Const(n); err != nil {
		return Part{}, err
	}
	return Part{groupsHave, op(opHave, of.measure()).with(operator).num(n)}, nil
}

// Over adds a window to the figures.
func Over(w Window) Part { return Part{groupsOver, w.window()} }

// OrderBy orders by a measure. Groups without a value come last.
func OrderBy(of Measure, direction string) (Part, error) { return ordered(of.measure(), direction) }

// OrderByWindow orders by a window.
func OrderByWindow(of Window, direction string) (Part, error) { return ordered(of.window(), direction) }

// OrderByDim orders by what the answer is grouped by.
func OrderByDim(of By, direction string) (Part, error) { return ordered(of.by(), direction) }

func ordered(n *node, direction string) (Part, error) {
	if err := directed(direction); err != nil {
		return Part{}, err
	}
	return Part{groupsOrder, op(opOrder, n).with(direction)}, nil
}

// maxTop is how many places a ranking can have.
const maxTop = 1_000_000

// TopOf keeps n groups from a place on, the first is 1, by a measure; with within, so many in each of its values. Equal groups
// share a place, so that there can be more. From the second place on, places are counted by different figures: the second best
// is the one with the second highest figure.
func TopOf(of Measure, direction string, n, from int, within ...By) (Part, error) {
	if err := directed(direction); err != nil {
		return Part{}, err
	}
	if err := placesOf(n, from); err != nil {
		return Part{}, err
	}
	top := op(opTop, append([]*node{of.measure()}, nodesOf(within)...)...).with(direction).num(float64(n), float64(from))
	return Part{groupsTop, top}, nil
}

// First keeps n groups in the order of the answer, from a place on; with within, so many in each of its values. Between equal
// figures it cuts where TopOf does not: what the answer is grouped by decides.
func First(n, from int, within ...By) (Part, error) {
	if err := placesOf(n, from); err != nil {
		return Part{}, err
	}
	return Part{groupsTop, op(opFirst, nodesOf(within)...).num(float64(n), float64(from))}, nil
}

func placesOf(n, from int) error {
	if n < 1 || from < 1 || n > maxTop || from > maxTop {
		return refuse(nil, "A ranking has 1 to %d places.", maxTop)
	}
	return nil
}

// Groups asks for figures of groups. The condition of the set holds for every measure, each at its own table.
func (m *Model) Groups(of Set, by []By, show []Measure, parts ...Part) (Groups, error) {
	if of.n == nil || len(show) == 0 {
		return Groups{}, refuse([]string{"the number of rows"}, "Nothing is asked for.")
	}
	n := op(opGroups, of.n, list(by, By.by), list(show, Measure.measure), op(opList), op(opList), op(opList), op(opList))
	for _, p := range parts {
		if p.n == nil {
			return Groups{}, refuse(nil, "A part of the question is empty.")
		}
		n.Kids[p.place].Kids = append(n.Kids[p.place].Kids, p.n)
	}
	if len(n.Kids[groupsTop].Kids) > 1 {
		return Groups{}, refuse(nil, "One question has one ranking.")
	}
	g := Groups{m, n}
	return g, g.check()
}

// figures are all measures of a question, also those that only order, select or rank.
func (g Groups) figures() []*node {
	out := slices.Clone(g.n.Kids[groupsShow].Kids)
	for _, h := range g.n.Kids[groupsHave].Kids {
		out = append(out, h.Kids[0])
	}
	for _, w := range g.n.Kids[groupsOver].Kids {
		out = append(out, w.Kids[0])
	}
	for _, o := range g.n.Kids[groupsOrder].Kids {
		switch {
		case isWindow(o.Kids[0]):
			out = append(out, o.Kids[0].Kids[0])
		case !o.Kids[0].among(g.n.Kids[groupsBy].Kids):
			out = append(out, o.Kids[0])
		}
	}
	for _, t := range g.n.Kids[groupsTop].Kids {
		if t.Op == opTop {
			out = append(out, t.Kids[0])
		}
	}
	return out
}

func isWindow(n *node) bool {
	return slices.Contains([]string{opRunning, opMoving, opGrowth, opRankBy, opPartOf}, n.Op)
}

func isMeasure(n *node) bool {
	return slices.Contains([]string{
		opCount, opDistinct, opTotal, opAt, opStat, opPair, opWelch, opWhen, opRatio, opDiff, opPercent, opShare, opPer, opEach, opNamed,
	}, n.Op) || isTest(n)
}

// conjuncts are the conditions of a set that must all hold.
func conjuncts(set *node) []*node {
	p := set.Kids[0]
	switch p.Op {
	case opAll:
		return nil
	case opAnd:
		return p.Kids
	}
	return []*node{p}
}

func (g Groups) check() error {
	by := g.n.Kids[groupsBy].Kids
	for i, d := range by {
		if d.among(by[:i]) {
			return refuse(nil, "The answer is grouped twice by %s.", g.m.say(d))
		}
		if d.Op == opNamed || isMeasure(d) {
			return refuse(nil, "%s is nothing to group by.", g.m.say(d))
		}
	}
	for _, f := range g.figures() {
		if !isMeasure(f) {
			return refuse(nil, "The answer is not grouped by %s.", g.m.say(f))
		}
		leaves, err := g.m.leaves(f)
		if err != nil {
			return err
		}
		for _, l := range leaves {
			if err := g.checkLeaf(l); err != nil {
				return err
			}
		}
	}
	for _, p := range slices.Concat(g.n.Kids[groupsOver].Kids, g.n.Kids[groupsTop].Kids, g.n.Kids[groupsOrder].Kids) {
		if err := g.checkPart(p); err != nil {
			return err
		}
	}
	return g.checkEnds()
}

// checkEnds refuses to calculate with a first or last date or text, and to combine it with figures of other rows: its type is not a
// number.
func (g Groups) checkEnds() error {
	found := false
	for _, f := range g.figures() {
		leaves, err := g.m.leaves(f)
		if err != nil {
			return err
		}
		for _, l := range leaves {
			found = found || g.m.isEnd(l.n)
			if g.m.isEnd(l.n) && len(leaves) > 1 {
				return refuse(nil, "%s is nothing to calculate with.", g.m.say(l.n))
			}
		}
	}
	for _, list := range []int{groupsHave, groupsOver} {
		for _, k := range g.n.Kids[list].Kids {
			if leaves, err := g.m.leaves(k.Kids[0]); err != nil || g.m.isEnd(leaves[0].n) {
				return refuse(nil, "%s is nothing to calculate with.", g.m.say(k.Kids[0]))
			}
		}
	}
	if found && !g.oneFact() {
		return refuse(nil, "A first or last value stands beside figures of the same rows only.")
	}
	return nil
}

// oneFact reports whether all figures are made of the same rows of one table.
func (g Groups) oneFact() bool {
	home := ""
	for _, f := range g.figures() {
		leaves, err := g.m.leaves(f)
		if err != nil {
			return false
		}
		for _, l := range leaves {
			if home != "" && home != l.home.key() || l.n.Op == opEach || ofRanks(l.n) || isTest(l.n) || l.n.Op == opAt && Pick(l.n.word(0)) != Each {
				return false
			}
			home = l.home.key()
		}
	}
	return true
}

// isEnd reports whether an aggregate is a first or last value that is no number.
func (m *Model) isEnd(n *node) bool {
	if n.Op != opStat {
		return false
	}
	c, err := m.Col(n.Kids[0].Table, n.Kids[0].Column)
	return err == nil && c.number() == nil
}

// checkLeaf refuses an aggregate that the groups, the conditions or the barriers would make wrong.
func (g Groups) checkLeaf(l leaf) error {
	by := g.n.Kids[groupsBy].Kids
	for _, d := range by {
		if err := g.m.grouping(l.home, d); err != nil {
			return err
		}
	}
	where := slices.Clone(l.when)
	for _, c := range conjuncts(g.n.Kids[groupsOf]) {
		if err := g.m.placed(l.home, c); err != nil {
			return fmt.Errorf("%w The condition cannot limit %s", err, g.m.say(l.n))
		}
		where = append(where, c)
	}
	for _, w := range l.when {
		if err := g.m.placed(l.home, w); err != nil {
			return err
		}
	}
	if l.n.Op == opCount {
		where = append(where, conjuncts(l.n.Kids[0])...)
	}
	for _, b := range g.m.barriers(l) {
		c := column(l.home.t, b.Column)
		if !c.among(by) && !g.m.kept(l.home.t, c) && !slices.ContainsFunc(where, func(p *node) bool { return fixes(p, c) }) {
			return refuse([]string{"grouped by " + label(l.home.t, b.Column), "one " + label(l.home.t, b.Column)},
				"%s mixes %s.", g.m.say(l.n), b.Of)
		}
	}
	if l.n.Op == opAt && Pick(l.n.word(0)) == Each && !eachPeriod(l.home.t, by) {
		return refuse([]string{"the last period", "the mean of the periods"},
			"%s of each period needs an answer grouped by %s.", g.m.say(l.n.Kids[0]), label(l.home.t, l.home.t.Snapshot.Period))
	}
	return nil
}

// grouping refuses a dimension that a home does not have.
func (m *Model) grouping(home place, d *node) error {
	if d.Op != opOverlap {
		return m.placed(home, d)
	}
	c, err := m.Col(d.Kids[0].Table, d.Kids[0].Column)
	if err != nil {
		return err
	}
	if _, once, err := m.route(home, c.t, c.c.Name, d.Kids[0].Part); err != nil || once {
		return err
	}
	found, err := m.many(home, c.t)
	if err != nil {
		return err
	}
	if found == nil {
		return refuse(nil, "A %s has no %s: nothing links %s with %s.", rowOf(home), c.label(), home.t.Name, c.t.Name)
	}
	return nil
}

// fixes reports whether a condition leaves one value of a column.
func fixes(p, c *node) bool {
	switch p.Op {
	case opIn:
		return len(p.Words) == 1 && p.Kids[0].same(c)
	case opCmp:
		constant := func(n *node) bool { return n.Op == opText || n.Op == opNumber }
		return p.word(0) == "=" && (p.Kids[0].same(c) && constant(p.Kids[1]) || p.Kids[1].same(c) && constant(p.Kids[0]))
	case opAnd:
		return slices.ContainsFunc(p.Kids, func(k *node) bool { return fixes(k, c) })
	}
	return false
}

// eachPeriod reports whether the groups are the periods of a snapshot.
func eachPeriod(t *table, by []*node) bool {
	return slices.ContainsFunc(by, func(d *node) bool {
		if d.Op == opTrunc {
			return ofPeriod(t, d.Kids[0]) && d.word(0) == string(t.Snapshot.Step)
		}
		return ofPeriod(t, d)
	})
}

// ofPeriod reports whether a time is the period of a snapshot.
func ofPeriod(t *table, n *node) bool {
	if t.Snapshot == nil {
		return false
	}
	return n.Op == opCalendar && t.Time == t.Snapshot.Period || n.same(column(t, t.Snapshot.Period))
}

// checkPart refuses windows and rankings that the groups do not allow.
func (g Groups) checkPart(p *node) error {
	by := g.n.Kids[groupsBy].Kids
	if p.Op == opOrder {
		if isWindow(p.Kids[0]) {
			return g.checkPart(p.Kids[0])
		}
		return nil
	}
	within := p.Kids
	if p.Op != opFirst {
		within = p.Kids[1:]
	}
	for _, d := range within {
		if !d.among(by) {
			return refuse(nil, "The answer is not grouped by %s.", g.m.say(d))
		}
	}
	switch p.Op {
	case opRunning, opMoving, opGrowth:
		times := 0
		for _, d := range by {
			if d.Op == opTrunc || d.Op == opPart {
				times++
			}
		}
		if times > 1 {
			return refuse(nil, "%s needs an answer that is grouped by one time only.", g.m.say(p))
		}
	case opPartOf:
		for _, d := range by {
			if d.Op == opOverlap && !d.among(within) {
				return refuse([]string{"the figures themselves"}, "Groups by %s overlap, so they are no parts of a whole.", g.m.say(d))
			}
			if (d.Op == opTrunc || d.Op == opPart || g.m.kind(d) == kindTime) && !d.among(within) && !g.m.adds(p.Kids[0]).time {
				return refuse([]string{"the part within each " + g.m.say(d)}, "%s does not add up over time.", g.m.say(p.Kids[0]))
			}
		}
	}
	return nil
}

// Tally asks how many groups there are: how many customers have more than ten orders.
type Tally struct {
	m *Model
	n *node
}

func (t Tally) ask() (*Model, *node) { return t.m, t.n }

// Tally counts the groups of a question.
func (g Groups) Tally() (Tally, error) {
	if len(g.n.Kids[groupsBy].Kids) == 0 {
		return Tally{}, refuse(nil, "There are no groups to count.")
	}
	if !g.oneFact() {
		return Tally{}, refuse(nil, "Groups are counted by figures of the same rows.")
	}
	byWindow := func(o *node) bool { return isWindow(o.Kids[0]) }
	if len(g.n.Kids[groupsOver].Kids) > 0 || slices.ContainsFunc(g.n.Kids[groupsOrder].Kids, byWindow) {
		return Tally{}, refuse(nil, "Figures beside the groups do not change how many there are.")
	}
	return Tally{g.m, op(opTally, g.n)}, nil
}

// asGroups asks for a figure of each thing.
func (m *Model) asGroups(thing Table, figure *node) (Groups, error) {
	keys, err := keysOf(thing)
	if err != nil {
		return Groups{}, err
	}
	n := op(opGroups, op(opSet, op(opAll)).at(thing), op(opList), op(opList, figure), op(opList), op(opList), op(opList), op(opList))
	for _, k := range keys {
		n.Kids[groupsBy].Kids = append(n.Kids[groupsBy].Kids, column(thing.t, k))
	}
	g := Groups{m, n}
	return g, g.check()
}
