package query

import (
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// maxHops is the maximum number of links of a path between two tables.
const maxHops = 4

// place is what a path leads to: the rows of a table, or the things of an entity that has no table of its own. These things are the
// different values of columns of a table, with the columns that these values determine.
type place struct {
	t *table
	// by are the columns of the entity; nil means the rows of the table.
	by []string
}

func (p place) key() string {
	if p.by == nil {
		return p.t.key()
	}
	return p.t.key() + " by " + strings.Join(p.by, ", ")
}

// has reports whether a row of the place has one value of the column.
func (p place) has(column string) bool {
	if p.t.columns[column] == nil {
		return false
	}
	return p.by == nil || slices.Contains(p.by, column) || implied(p.t, p.by, column)
}

// implied reports whether equal values of by have equal values of the column, by the exact facts of the table.
func implied(t *table, by []string, column string) bool {
	for _, d := range t.Implies {
		if subset(d.By, by) && slices.Contains(d.Columns, column) {
			return true
		}
	}
	return false
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// hop is one step of a path, to at most one row of the next place.
type hop struct {
	from, to         place
	fromCols, toCols []string
	part             string
	inferred         bool
	preferred        bool
}

// route is a path from one place to another, along which every row has at most one row.
type route []hop

// hops are the steps that lead on from a place.
func (m *Model) hops(p place) []hop {
	var out []hop
	for i := range m.links {
		l := &m.links[i]
		if l.from != p.t || slices.ContainsFunc(l.fromCols, func(c string) bool { return !p.has(c) }) {
			continue
		}
		out = append(out, hop{
			from: p, to: place{t: l.to}, fromCols: l.fromCols, toCols: l.toCols, part: l.part, inferred: l.inferred, preferred: l.preferred,
		})
	}
	for _, e := range p.t.Entities {
		if e.Home || slices.ContainsFunc(e.Columns, func(c string) bool { return !p.has(c) }) || m.home(e.Entity) {
			continue
		}
		for _, t := range m.tables {
			if t == p.t {
				continue
			}
			for _, other := range t.Entities {
				if other.Entity == e.Entity && len(other.Columns) == len(e.Columns) {
					out = append(out, hop{from: p, to: place{t: t, by: other.Columns}, fromCols: e.Columns, toCols: other.Columns})
				}
			}
		}
	}
	return out
}

// home reports whether an entity has a table with one row for each thing.
func (m *Model) home(entity string) bool {
	return slices.ContainsFunc(m.tables, func(t *table) bool {
		return slices.ContainsFunc(t.Entities, func(e meaning.EntityRef) bool { return e.Entity == entity && e.Home })
	})
}

// route finds the path from a place to a column of a table. No other function chooses between paths: a path that a person preferred
// comes first, then the one with the fewest inferred links, then the shortest. If two are equally good, neither is chosen and the
// person is asked. part, if it is not empty, names the part of a link that the path must contain. A nil route without an error
// means that there is none.
func (m *Model) route(from place, to *table, column, part string) (route, bool, error) {
	if from.t == to && from.has(column) && part == "" {
		return nil, true, nil
	}
	var found []route
	var walk func(p place, path route)
	walk = func(p place, path route) {
		if len(path) > 0 && p.t == to && p.has(column) {
			if part == "" || slices.ContainsFunc(path, func(h hop) bool { return h.part == part }) {
				found = append(found, slices.Clone(path))
				return
			}
		}
		if len(path) == maxHops {
			return
		}
		for _, h := range m.hops(p) {
			again := h.to.t == from.t || slices.ContainsFunc(path, func(o hop) bool { return o.to.t == h.to.t })
			if !again {
				walk(h.to, append(path, h))
			}
		}
	}
	walk(from, nil)
	if len(found) == 0 {
		return nil, false, nil
	}
	slices.SortStableFunc(found, func(a, b route) int { return slices.Compare(a.cost(), b.cost()) })
	if len(found) > 1 && slices.Equal(found[0].cost(), found[1].cost()) {
		var offers []string
		for _, r := range found {
			if slices.Equal(r.cost(), found[0].cost()) {
				offers = append(offers, r.say())
			}
		}
		return nil, false, refuse(offers, "Several ways lead from a %s to %s of a %s. Which one is meant?",
			from.t.row(), label(to, column), to.row())
	}
	return found[0], true, nil
}

// cost orders paths: the preferred ones first, then by inferred links, then by length.
func (r route) cost() []int {
	preferred, inferred := 1, 0
	for _, h := range r {
		if h.preferred {
			preferred = 0
		}
		if h.inferred {
			inferred++
		}
	}
	return []int{preferred, inferred, len(r)}
}

func (r route) say() string {
	var out []string
	for _, h := range r {
		word := h.part
		if word == "" {
			word = strings.Join(h.fromCols, ", ")
		}
		out = append(out, word)
	}
	return "by " + strings.Join(out, ", then ")
}

// many describes how the rows of a table belong to a place of which one row can have many of them: by the path from the table up to
// the place, or by columns of an entity that both name. cols are columns of the place, and their are the equal columns at the end
// of the path.
type many struct {
	t           *table
	path        route
	cols, their []string
	// shared is the entity if both only name it, so that rows of the place can share rows of the table.
	shared string
}

// many returns nil if no row of the table belongs to a row of the place.
func (m *Model) many(p place, to *table) (*many, error) {
	var found []*many
	var walk func(q place, path route)
	walk = func(q place, path route) {
		if len(path) == maxHops {
			return
		}
		for _, h := range m.hops(q) {
			if h.to.t == p.t && slices.Equal(h.to.by, p.by) {
				found = append(found, &many{t: to, path: slices.Clone(path), cols: h.toCols, their: h.fromCols})
			} else if !slices.ContainsFunc(path, func(o hop) bool { return o.to.t == h.to.t }) && h.to.t != to {
				walk(h.to, append(path, h))
			}
		}
	}
	walk(place{t: to}, nil)
	if p.by != nil && p.t == to {
		found = append(found, &many{t: to, cols: p.by, their: p.by})
	}
	if len(found) == 0 {
		for _, e := range p.t.Entities {
			for _, o := range to.Entities {
				if p.t != to && e.Entity == o.Entity && len(e.Columns) == len(o.Columns) && !m.home(e.Entity) && p.by == nil {
					found = append(found, &many{t: to, cols: e.Columns, their: o.Columns, shared: e.Entity})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b *many) int { return len(a.path) - len(b.path) })
	if len(found) == 0 {
		return nil, nil //nolint:nilnil // no such rows is no fault
	}
	if len(found) > 1 && len(found[0].path) == len(found[1].path) {
		return nil, refuse([]string{strings.Join(found[0].their, ", "), strings.Join(found[1].their, ", ")},
			"A %s belongs to a %s in several ways. Which one is meant?", to.row(), p.t.row())
	}
	return found[0], nil
}
