package guard

import (
	"slices"
	"strings"
)

// The reason of an overlap is one text, with the name of the table between.
const (
	overlapBegins = "a union that reads "
	overlapEnds   = " twice"
)

// setOperation walks UNION, EXCEPT and INTERSECT.
func (w *walk) setOperation(n *node) *relation {
	if len(n.Children) < 2 {
		return w.unknownRelation(n)
	}
	branches := make([]*relation, 0, len(n.Children))
	begins := make([]int, 0, len(n.Children)+1)
	for _, c := range n.Children {
		begins = append(begins, len(w.deps))
		branches = append(branches, w.branch(c))
	}
	begins = append(begins, len(w.deps))
	for _, b := range branches {
		w.countUse(b)
	}
	first := branches[0]
	if n.Type != "LOGICAL_UNION" {
		// The right side decides which rows of the left side are kept.
		return w.subset(first)
	}
	l := w.newLeaf("the rows of a union")
	l.distinctBranches = true
	l.listed = listedRows(branches)
	out := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, tableConditions: map[symbol][]tableCondition{}, filtered: true}
	seen := map[string]bool{}
	for i, b := range branches {
		tables := map[string]bool{}
		for _, f := range b.leaves {
			collectTables(f, n.Children[i], tables)
		}
		for t := range tables {
			if seen[t] {
				l.overlapReason = overlapBegins + t + overlapEnds
			}
			seen[t] = true
		}
	}
	for _, b := range branches {
		if b.anyColumn != nil || len(b.columns) != len(first.columns) {
			return w.unknownRelation(&node{Type: n.Type})
		}
		// The rows of a branch are distinct if its columns determine them.
		var key []symbol
		for _, c := range b.columns {
			key = append(key, c.sym)
		}
		for _, f := range b.leaves {
			if !f.keysKnown {
				l.keysKnown, l.unknownReason = false, f.unknownReason
			}
		}
		l.distinctBranches = l.distinctBranches && w.closure(closureInput{start: key, present: b.present}).all(b.rows())
	}
	u := unionBuilder{leaf: l, branches: branches}
	for range first.columns {
		u.symbols = append(u.symbols, w.fresh())
	}
	for i := range first.columns {
		out.columns = append(out.columns, w.unionColumn(&u, i))
	}
	w.branchDependencies(&u, begins)
	return out
}

// branch walks a branch of a set operation. A branch without a table has one row of constants. It gets an identity, because the
// row of a union is that of one branch, and so it is not constant although each branch may be.
func (w *walk) branch(n *node) *relation {
	r := w.relation(n)
	if len(r.leaves) > 0 {
		return r
	}
	l := w.newLeaf("the listed values")
	l.listed = 1
	w.add(nil, l.row)
	out := *r
	out.leaves, out.present = []*leaf{l}, []symbol{l.row}
	return &out
}

// unionConstants returns the constants of a column of a union, one for each of its rows; nil if there are other values.
func unionConstants(branches []*relation, i int) []string {
	var out []string
	for _, b := range branches {
		c, _ := b.at(i)
		if c.literal {
			c.constants = []string{c.text}
		}
		if len(b.leaves) != 1 || len(c.constants) == 0 || len(c.constants) != b.leaves[0].listed {
			return nil
		}
		out = append(out, c.constants...)
	}
	return out
}

// listedRows returns the number of rows of a union whose branches are written in the statement; 0 if one of them is not.
func listedRows(branches []*relation) int {
	out := 0
	for _, b := range branches {
		if len(b.leaves) != 1 || b.leaves[0].listed == 0 {
			return 0
		}
		out += b.leaves[0].listed
	}
	return out
}

// unionBuilder is the state while the columns of a union are created.
type unionBuilder struct {
	leaf     *leaf
	branches []*relation
	// symbols are the symbols of the union's columns.
	symbols []symbol
}

// branchDependencies adds the dependencies within each branch, which hold only for rows of that branch.
func (w *walk) branchDependencies(u *unionBuilder, begins []int) {
	for k, b := range u.branches {
		w.makeConditional(nil, b, begins[k], begins[k+1])
		rows := b.sources()
		var others []symbol
		for m, o := range u.branches {
			if m != k {
				others = union(others, o.sources())
			}
		}
		same := func(x, y []symbol) {
			w.deps = append(w.deps, dependency{from: x, to: y, requires: rows, excludes: others},
				dependency{from: y, to: x, requires: rows, excludes: others})
		}
		same(b.rows(), []symbol{u.leaf.row})
		for i, c := range b.columns {
			same([]symbol{c.sym}, []symbol{u.symbols[i]})
			w.branchValues[u.symbols[i]] = append(w.branchValues[u.symbols[i]], branchValue{sym: c.sym, rows: rows})
		}
	}
}

// branchValue is the value of a union column in one branch, with the rows of that branch.
type branchValue struct {
	sym  symbol
	rows []symbol
}

// mergeBranches separates the branches of a union in groups: after a GROUP BY, a group may contain rows of several branches, so
// their values are kept separately. After a second GROUP BY, values of two branches may even come from two groups.
func (w *walk) mergeBranches(r *relation, group symbol, key []symbol) {
	for i := range w.deps {
		if d := &w.deps[i]; d.group != 0 && slices.Contains(r.rows(), d.group) {
			d.excludes = append(slices.Clone(d.excludes), group)
		}
	}
	for _, k := range key {
		for _, b := range w.branchValues[k] {
			for _, d := range equalPairs([][2]symbol{{k, b.sym}}) {
				d.requires, d.group = b.rows, group
				w.deps = append(w.deps, d)
			}
		}
	}
}

// IsOverlap reports whether a statement is unchecked for the reason that its union reads a table twice.
func IsOverlap(reason string) bool {
	return strings.HasPrefix(reason, overlapBegins) && strings.HasSuffix(reason, overlapEnds)
}

// collectTables adds the base tables of a leaf: its own table, or all tables below the operator that created it.
func collectTables(l *leaf, n *node, into map[string]bool) {
	if l.table != nil {
		into[l.name] = true
		return
	}
	if n == nil {
		return
	}
	if n.Function != nil && n.Function.Table != "" {
		into[n.Function.Table] = true
	}
	for _, c := range n.Children {
		collectTables(l, c, into)
	}
}

// readsSharedTable reports whether a column of a branch may come from the table that several branches read.
func (w *walk) readsSharedTable(b *relation, i int, twice string) bool {
	c, _ := b.at(i)
	return slices.ContainsFunc(c.from, func(s symbol) bool {
		l := w.leaves[s]
		return l == nil || l.table == nil || twice == overlapBegins+l.name+overlapEnds
	})
}

// unionColumn returns a column of a union. A total of it is the sum over its branches, so each branch must count its rows once.
func (w *walk) unionColumn(u *unionBuilder, i int) column {
	s := u.symbols[i]
	w.add([]symbol{u.leaf.row}, s)
	var valued []*relation
	for _, b := range u.branches {
		if c, _ := b.at(i); !c.literal || c.text != "NULL" {
			valued = append(valued, b)
		}
	}
	if len(valued) == 1 {
		// All other branches have NULL here, so the column keeps the meaning that it has in this branch.
		if c, _ := valued[0].at(i); !c.literal && len(c.from) > 0 {
			c.sym, c.origin, c.rank, c.mark, c.count, c.single, c.maximum = s, nil, nil, nil, nil, nil, nil
			return c
		}
	}
	first, _ := u.branches[0].at(i)
	out := column{sym: s, from: []symbol{u.leaf.row}, text: first.text, constants: unionConstants(u.branches, i)}
	if allDifferent(out.constants) {
		w.add([]symbol{s}, u.leaf.row)
	}
	var known bool
	if out.measure, known = unionMeasure(u, valued, i); !known {
		// The period or the currency of a union's row is not tracked.
		out.doubt = &doubt{unproven: true, text: "a union of levels, rates or currencies"}
	}
	for _, b := range valued {
		c, _ := b.at(i)
		if c.doubt != nil {
			out.doubt = c.doubt
		}
		if c.literal || len(c.from) == 0 {
			continue
		}
		j := judgement{w: w, r: b, text: c.text}
		switch missing, doubts := j.undetermined(c.from); {
		case len(missing) > 0:
			out.doubt = &doubt{kind: Repeated, text: c.text}
		case len(doubts) > 0 && out.doubt == nil:
			out.doubt = &doubt{unproven: true, text: doubts[0]}
		}
	}
	shared := func(b *relation) bool { return w.readsSharedTable(b, i, u.leaf.overlapReason) }
	if out.doubt == nil && u.leaf.overlapReason != "" && slices.ContainsFunc(u.branches, shared) {
		// The conditions of the branches may or may not exclude each other.
		out.doubt = &doubt{unproven: true, overlap: true, text: u.leaf.overlapReason}
	}
	return out
}

// unionMeasure returns what adding up a column of a union means; known is false if its branches differ. Periods, entities and
// barriers must be columns of the union, at the same position in all branches.
func unionMeasure(u *unionBuilder, valued []*relation, i int) (out measure, known bool) {
	var names [][]symbol
	for k, b := range valued {
		c, _ := b.at(i)
		m := c.measure
		if m.unclear != "" {
			return measure{}, false
		}
		needed := slices.Concat([]symbol{m.period}, m.entity)
		if m.kind != Level {
			needed = nil
		}
		for _, x := range m.barriers {
			needed = append(needed, x.sym)
		}
		places := make([]symbol, 0, len(needed))
		for _, x := range needed {
			at := slices.IndexFunc(b.columns, func(c column) bool { return c.sym == x })
			if at < 0 {
				return measure{}, false
			}
			places = append(places, u.symbols[at])
		}
		names = append(names, places)
		if k == 0 {
			out = measure{kind: m.kind, barriers: slices.Clone(m.barriers)}
			continue
		}
		mixed := out.kind != m.kind || len(out.barriers) != len(m.barriers)
		if mixed && out.kind <= Amount && m.kind <= Amount && len(out.barriers)+len(m.barriers) == 0 {
			// One branch has an unknown meaning.
			out.kind, mixed = Unknown, false
		}
		if mixed || !slices.Equal(names[0], places) {
			return measure{}, false
		}
	}
	if len(names) == 0 {
		return out, true
	}
	of := names[0]
	if out.kind == Level {
		things := len(of) - len(out.barriers)
		out.period, out.entity, of = of[0], of[1:things], of[things:]
	}
	for k := range out.barriers {
		out.barriers[k].sym = of[k]
	}
	return out, true
}
