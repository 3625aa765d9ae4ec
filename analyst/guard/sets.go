package guard

import (
	"slices"
	"strings"
)

// combination walks UNION, EXCEPT and INTERSECT.
func (w *walk) combination(n *node) *relation {
	if len(n.Children) < 2 {
		return w.blank(n)
	}
	branches := make([]*relation, 0, len(n.Children))
	begins := make([]int, 0, len(n.Children)+1)
	for _, c := range n.Children {
		begins = append(begins, len(w.deps))
		branches = append(branches, w.relation(c))
	}
	begins = append(begins, len(w.deps))
	for _, b := range branches {
		w.uses(b)
	}
	first := branches[0]
	if n.Type != "LOGICAL_UNION" {
		// Rows on the left are kept or left out by those on the right.
		return w.part(first)
	}
	l := w.newLeaf("the rows of a union")
	l.branches = true
	out := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, wheres: map[symbol][]where{}, filtered: true}
	seen := map[string]bool{}
	for i, b := range branches {
		own := map[string]bool{}
		for _, f := range b.leaves {
			tablesOf(f, n.Children[i], own)
		}
		for t := range own {
			if seen[t] {
				l.twice = "a union that reads " + t + " twice"
			}
			seen[t] = true
		}
	}
	for _, b := range branches {
		if b.any != nil || len(b.columns) != len(first.columns) {
			return w.blank(&node{Type: n.Type})
		}
		// The rows of a branch are different from each other if its columns determine them.
		var key []symbol
		for _, c := range b.columns {
			key = append(key, c.sym)
		}
		for _, f := range b.leaves {
			if !f.keys {
				l.keys, l.why = false, f.why
			}
		}
		l.branches = l.branches && w.closure(question{start: key, present: b.present}).all(b.rows())
	}
	u := united{l: l, branches: branches}
	for range first.columns {
		u.syms = append(u.syms, w.fresh())
	}
	for i := range first.columns {
		out.columns = append(out.columns, w.unionColumn(&u, i))
	}
	w.apart(&u, begins)
	return out
}

// united is a union while its columns are made.
type united struct {
	l        *leaf
	branches []*relation
	// syms are the symbols of its columns.
	syms []symbol
}

// apart says that a row of a union is the row of one branch: what determines what in a branch does so in its rows of the
// union, and says nothing about those of the others.
func (w *walk) apart(u *united, begins []int) {
	for k, b := range u.branches {
		w.conditional(nil, b, begins[k], begins[k+1])
		own := b.sources()
		var others []symbol
		for m, o := range u.branches {
			if m != k {
				others = union(others, o.sources())
			}
		}
		same := func(x, y []symbol) {
			w.deps = append(w.deps, dependency{from: x, to: y, unless: own, besides: others},
				dependency{from: y, to: x, unless: own, besides: others})
		}
		same(b.rows(), []symbol{u.l.row})
		for i, c := range b.columns {
			same([]symbol{c.sym}, []symbol{u.syms[i]})
			w.branches[u.syms[i]] = append(w.branches[u.syms[i]], branch{sym: c.sym, rows: own})
		}
	}
}

// branch is the value of a column of a union in one branch, with the rows of the branch.
type branch struct {
	sym  symbol
	rows []symbol
}

// together puts the branches of a union side by side: in a group, the values by which it is grouped are those of all
// branches that are there. When the groups are grouped again, values of two branches may come from two groups.
func (w *walk) together(r *relation, group symbol, key []symbol) {
	for i := range w.deps {
		if d := &w.deps[i]; d.group != 0 && slices.Contains(r.rows(), d.group) {
			d.besides = append(slices.Clone(d.besides), group)
		}
	}
	for _, k := range key {
		for _, b := range w.branches[k] {
			for _, d := range pairs([][2]symbol{{k, b.sym}}) {
				d.unless, d.group = b.rows, group
				w.deps = append(w.deps, d)
			}
		}
	}
}

// tablesOf collects the base tables whose rows a leaf stands for: its own, or all below the operator that made it.
func tablesOf(l *leaf, n *node, into map[string]bool) {
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
		tablesOf(l, c, into)
	}
}

// reads reports whether a column of a branch may come from the table that the branches share.
func (w *walk) reads(b *relation, i int, twice string) bool {
	c, _ := b.at(i)
	return slices.ContainsFunc(c.from, func(s symbol) bool {
		l := w.leaves[s]
		return l == nil || l.table == nil || strings.HasSuffix(twice, " "+l.name+" twice")
	})
}

// unionColumn is a column of a union. A total of it is the total of its branches, so each branch must count its rows once.
func (w *walk) unionColumn(u *united, i int) column {
	s := u.syms[i]
	w.add([]symbol{u.l.row}, s)
	var valued []*relation
	for _, b := range u.branches {
		if c, _ := b.at(i); !c.literal || c.text != "NULL" {
			valued = append(valued, b)
		}
	}
	if len(valued) == 1 {
		// The other branches have no value here, so it stays what it is in this one.
		if c, _ := valued[0].at(i); !c.literal && len(c.from) > 0 {
			c.sym, c.origin, c.rank, c.mark, c.tally = s, nil, nil, nil, nil
			return c
		}
	}
	first, _ := u.branches[0].at(i)
	out := column{sym: s, from: []symbol{u.l.row}, text: first.text}
	var known bool
	if out.adds, known = unitedMeasure(u, valued, i); !known {
		// Which period or currency a row of the union belongs to is not followed.
		out.doubt = &doubt{unsure: true, text: "a union of levels, rates or currencies"}
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
		switch missing, doubts := j.missing(c.from); {
		case len(missing) > 0:
			out.doubt = &doubt{kind: Repeated, text: c.text}
		case len(doubts) > 0 && out.doubt == nil:
			out.doubt = &doubt{unsure: true, text: doubts[0]}
		}
	}
	if out.doubt == nil && u.l.twice != "" && slices.ContainsFunc(u.branches, func(b *relation) bool { return w.reads(b, i, u.l.twice) }) {
		// Their conditions may exclude each other, or not.
		out.doubt = &doubt{unsure: true, again: true, text: u.l.twice}
	}
	return out
}

// unitedMeasure is what adding up a column of a union means; known is false if its branches do not say the same. Periods,
// things and barriers must be columns of the union themselves, at the same place in all branches.
func unitedMeasure(u *united, valued []*relation, i int) (out measure, known bool) {
	var names [][]symbol
	for k, b := range valued {
		c, _ := b.at(i)
		m := c.adds
		own := slices.Concat([]symbol{m.period}, m.entity)
		if m.adds != Level {
			own = nil
		}
		for _, x := range m.barriers {
			own = append(own, x.sym)
		}
		places := make([]symbol, 0, len(own))
		for _, x := range own {
			at := slices.IndexFunc(b.columns, func(c column) bool { return c.sym == x })
			if at < 0 {
				return measure{}, false
			}
			places = append(places, u.syms[at])
		}
		names = append(names, places)
		if k == 0 {
			out = measure{adds: m.adds, barriers: slices.Clone(m.barriers)}
			continue
		}
		mixed := out.adds != m.adds || len(out.barriers) != len(m.barriers)
		if mixed && out.adds <= Amount && m.adds <= Amount && len(out.barriers)+len(m.barriers) == 0 {
			// Nothing is known of one of them.
			out.adds, mixed = Unknown, false
		}
		if mixed || !slices.Equal(names[0], places) {
			return measure{}, false
		}
	}
	if len(names) == 0 {
		return out, true
	}
	of := names[0]
	if out.adds == Level {
		things := len(of) - len(out.barriers)
		out.period, out.entity, of = of[0], of[1:things], of[things:]
	}
	for k := range out.barriers {
		out.barriers[k].sym = of[k]
	}
	return out, true
}
