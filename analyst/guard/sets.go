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
	for _, c := range n.Children {
		branches = append(branches, w.relation(c))
	}
	first := branches[0]
	if n.Type != "LOGICAL_UNION" {
		// Rows on the left are kept or left out by those on the right.
		return w.part(first)
	}
	l := w.newLeaf("the rows of a union")
	l.branches = true
	out := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, wheres: map[symbol][]string{}, filtered: true}
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
	for i := range first.columns {
		out.columns = append(out.columns, w.unionColumn(l, branches, i))
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
	return out
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
func (w *walk) unionColumn(l *leaf, branches []*relation, i int) column {
	s := w.fresh()
	w.add([]symbol{l.row}, s)
	out := column{sym: s, from: []symbol{l.row}, text: "a value of a union", literal: true}
	for k, b := range branches {
		c, ok := b.at(i)
		if !ok {
			return out
		}
		out.literal = out.literal && c.literal
		if k == 0 {
			out.text = c.text
		}
		switch {
		case c.doubt != nil:
			out.doubt = c.doubt
		case c.adds.adds == Level || c.adds.adds == Rate || len(c.adds.barriers) > 0:
			// Which period or currency a row of a union belongs to is not followed.
			out.doubt = &doubt{unsure: true, text: "a union of levels, rates or currencies"}
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
	out.literal = false
	if out.doubt == nil && l.twice != "" && slices.ContainsFunc(branches, func(b *relation) bool { return w.reads(b, i, l.twice) }) {
		// Their conditions may exclude each other, or not.
		out.doubt = &doubt{unsure: true, again: true, text: l.twice}
	}
	return out
}
