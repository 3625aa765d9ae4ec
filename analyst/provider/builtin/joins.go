package builtin

import (
	"slices"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// join adds the tables to which exactly one best path leads from the base of a view, with at most one row for each of its rows: by
// the links that were measured or that people stated, over several tables if need be. Without a meaning, or without a path in it,
// the names of keys decide. If several paths are equally good, the table is not joined.
func (v *view) join(all []analyst.Table, base int, m *meaning.Meaning) {
	type path struct {
		table int
		hops  []semantic.Hop
	}
	var paths []path
	for k := range all {
		if k == base || !together(v.base, tableOf(all, k, m)) {
			continue
		}
		var found semantic.Ways
		if m != nil {
			found = semantic.Path(m, semanticPlace(&all[base]), semanticPlace(&all[k]))
			if paths := namedPathsOf(m, found, &all[base], &all[k]); paths != nil {
				v.namedPaths = append(v.namedPaths, paths)
			}
		}
		switch {
		case len(found.Tied) > 0:
			v.tiedPaths = append(v.tiedPaths, tiedPaths{table: all[k].Name, paths: found.Tell()})
		case noneInferred(found.Best):
			paths = append(paths, path{k, found.Best})
		default:
			// Each view that joins a table has its own copy of it.
			joined := tableOf(all, k, m)
			if on, key := joinKey(v.base, joined); on != nil {
				joined.joinTo(v.base, []*column{on}, []*column{key})
				v.joined = append(v.joined, joined)
			}
		}
	}
	// A table on the path to another one is joined before it.
	slices.SortStableFunc(paths, func(a, b path) int { return len(a.hops) - len(b.hops) })
	for _, w := range paths {
		last := w.hops[len(w.hops)-1]
		from := v.base
		if len(w.hops) > 1 {
			if from = v.reached(w.hops[:len(w.hops)-1]); from == nil {
				continue
			}
		}
		joined := tableOf(all, w.table, m)
		ons, keys := from.allNamed(last.From().Columns), joined.allNamed(last.To().Columns)
		if ons != nil && keys != nil {
			joined.joinTo(from, ons, keys)
			joined.via = w.hops
			v.joined = append(v.joined, joined)
		}
	}
}

// noneInferred reports whether a path has links, and none of them was only inferred.
func noneInferred(hops []semantic.Hop) bool {
	return len(hops) > 0 && !slices.ContainsFunc(hops, func(h semantic.Hop) bool { return h.Link.Reason.State == meaning.Inferred })
}

// joinTo joins the table to another one, by columns of it and of this one that are equal.
func (t *table) joinTo(from *table, ons, keys []*column) {
	t.from, t.ons, t.keys = from, ons, keys
	if len(ons) == 1 {
		t.on, t.key = ons[0], keys[0]
	}
}

// reached finds the table of the view that is joined by exactly these links; nil if there is none.
func (v *view) reached(hops []semantic.Hop) *table {
	for _, t := range v.joined {
		if slices.Equal(t.via, hops) {
			return t
		}
	}
	return nil
}

// semanticPlace names a table as a meaning does.
func semanticPlace(t *analyst.Table) semantic.Place {
	return semantic.Place{Source: t.SourceID, Table: t.Bare()}
}

// named finds a column by its name; nil if there is none.
func (t *table) named(name string) *column {
	for _, c := range t.columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// allNamed finds columns by their names; nil if one is missing.
func (t *table) allNamed(names []string) []*column {
	out := make([]*column, len(names))
	for i, name := range names {
		if out[i] = t.named(name); out[i] == nil {
			return nil
		}
	}
	return out
}

// joinedIndirectly reports whether a table is joined through another one.
func (t *table) joinedIndirectly() bool { return t.from != nil && t.from.from != nil }

// onceInBase reports whether each row of a joined table belongs to one row of the base only.
func (t *table) onceInBase() bool {
	for at := t; ; at = at.from {
		if at.from == nil || !at.onceInParent() {
			return false
		}
		if at.from.from == nil {
			return true
		}
	}
}

// onceInParent reports whether each row of a joined table belongs to one row of the table that it is joined to.
func (t *table) onceInParent() bool {
	if t.on != nil {
		return t.on.unique()
	}
	return t.via[len(t.via)-1].Link.Cardinality == meaning.OneToOne
}

// covered reports whether each row of a joined table belongs to a row of the base.
func (t *table) covered() bool {
	for at := t; at.from != nil; at = at.from {
		if at.Rows > at.joinedBy() {
			return false
		}
	}
	return true
}

// joinedBy returns how many different rows of this table its join can reach: the different values, or combinations of
// them, in the table that it is joined to.
func (t *table) joinedBy() int64 {
	if t.on != nil && !t.on.estimated() && t.from.Rows <= domain.DistinctCountedRows {
		return t.on.Distinct
	}
	if len(t.via) == 0 {
		return 0 // nothing is known but an estimate
	}
	last := t.via[len(t.via)-1]
	if last.Backward {
		return last.Link.Matched // of a link that is one to one, seen from its other end
	}
	return last.Link.Distinct
}

// through reports whether a table is the given one, or is joined through it.
func (t *table) through(other *table) bool {
	for at := t; at != nil; at = at.from {
		if at == other {
			return true
		}
	}
	return false
}

// stated is what a person, a document or a measurement says about a number; nil if only its name says anything.
func (c *column) stated() *meaning.Number {
	if c.table == nil || c.table.meaning == nil {
		return nil
	}
	for i := range c.table.meaning.Columns {
		m := &c.table.meaning.Columns[i]
		if c.Column != nil && m.Name == c.Name && m.Number != nil && m.Reasons["adds"].State != meaning.Inferred {
			return m.Number
		}
	}
	return nil
}

// rankOf is a sort key that puts items for which a condition holds before the others.
func rankOf(first bool) int {
	if first {
		return 0
	}
	return 1
}
