package builtin

import (
	"slices"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain/meaning"
)

// join adds the tables to which a clear way leads from the base of a view, with at most one row for each of its rows: by the
// links that were measured or that people told of, over several tables if need be. Where no meaning is known, or no way in
// it, the names of keys decide; where several ways are equally good, none of them is clear.
func (v *view) join(all []analyst.Table, base int, m *meaning.Meaning) {
	type way struct {
		table int
		hops  []semantic.Hop
	}
	var ways []way
	for k := range all {
		if k == base || !together(v.base, tableOf(all, k, m)) {
			continue
		}
		var found semantic.Ways
		if m != nil {
			found = semantic.Path(m, spotOf(&all[base]), spotOf(&all[k]))
		}
		switch {
		case len(found.Tied) > 0:
			v.torn = append(v.torn, torn{table: all[k].Name, ways: found.Tell()})
		case sure(found.Best):
			ways = append(ways, way{k, found.Best})
		default:
			// Each view that joins a table has its own copy of it.
			joined := tableOf(all, k, m)
			if joined.on, joined.key = joinKey(v.base, joined); joined.on != nil {
				v.joined = append(v.joined, joined)
			}
		}
	}
	// A table that lies on the way to another one is joined before it.
	slices.SortStableFunc(ways, func(a, b way) int { return len(a.hops) - len(b.hops) })
	for _, w := range ways {
		last := w.hops[len(w.hops)-1]
		from := v.base
		if len(w.hops) > 1 {
			if from = v.reached(w.hops[:len(w.hops)-1]); from == nil {
				continue
			}
		}
		joined := tableOf(all, w.table, m)
		joined.on, joined.key = from.named(last.From().Columns[0]), joined.named(last.To().Columns[0])
		if joined.on != nil && joined.key != nil {
			joined.via = w.hops
			v.joined = append(v.joined, joined)
		}
	}
}

// sure reports whether a way has only links of one column that are more than a guess.
func sure(hops []semantic.Hop) bool {
	return len(hops) > 0 && !slices.ContainsFunc(hops, func(h semantic.Hop) bool {
		return len(h.From().Columns) != 1 || h.Link.Reason.State == meaning.Inferred
	})
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

// spotOf names a table as a meaning does.
func spotOf(t *analyst.Table) semantic.Place {
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

// far reports whether a table is joined through another one.
func (t *table) far() bool { return t.on != nil && t.on.table.on != nil }

// once reports whether each row of a joined table belongs to one row of the base only.
func (t *table) once() bool {
	for at := t; ; at = at.on.table {
		if at.on == nil || !at.on.unique() {
			return false
		}
		if at.on.table.on == nil {
			return true
		}
	}
}

// covered reports whether each row of a joined table belongs to a row of the base.
func (t *table) covered() bool {
	for at := t; at.on != nil; at = at.on.table {
		if at.Rows > at.on.Distinct {
			return false
		}
	}
	return true
}

// through reports whether a table is the given one, or is joined through it.
func (t *table) through(other *table) bool {
	for at := t; at != nil; at = at.on.table {
		if at == other {
			return true
		}
		if at.on == nil {
			return false
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

// rankOf puts what is true before what is not.
func rankOf(first bool) int {
	if first {
		return 0
	}
	return 1
}
