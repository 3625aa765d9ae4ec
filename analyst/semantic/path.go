package semantic

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// hopsMax is the maximum number of links of a path.
const hopsMax = 4

// Place is a table of a source.
type Place struct {
	Source int64
	Table  string
}

// Hop is one link of a path, walked from its many side to its one side. A link of one row to one can be walked backwards.
type Hop struct {
	Link     *meaning.Link
	Backward bool
}

// From is the end at which a hop begins.
func (h Hop) From() *meaning.Ends {
	if h.Backward {
		return &h.Link.To
	}
	return &h.Link.From
}

// To is the end to which a hop leads: at most one row of it belongs to each row of From.
func (h Hop) To() *meaning.Ends {
	if h.Backward {
		return &h.Link.From
	}
	return &h.Link.To
}

// String names the hop for people: orders.customer_id → customers.id.
func (h Hop) String() string {
	return h.From().Table + "." + strings.Join(h.From().Columns, "+") + " → " + h.To().Table + "." + strings.Join(h.To().Columns, "+")
}

// Ways is the result of a search for the path from one table to another one.
type Ways struct {
	// Best is the best path; nil if there is none, or if several are equally good.
	Best []Hop
	// Tied are the equally good paths if there are several. A person has to choose: no rule says whether the city of departure or the
	// one of arrival is meant.
	Tied [][]Hop
}

// Path finds the path from the table of a measure to the table of a dimension over links from many to one, so that no row of the
// measure is repeated. The path with the most links that people prefer is the best one, then the one with the fewest inferred
// links, then the shortest. Remaining ties are reported to the person.
func Path(m *meaning.Meaning, from, to Place) Ways {
	if same(from, to) {
		return Ways{Best: []Hop{}}
	}
	s := &search{meaning: m, to: to}
	s.walk(from, nil, []Place{from})
	slices.SortStableFunc(s.found, func(a, b []Hop) int { return costOf(a).compare(costOf(b)) })
	switch {
	case len(s.found) == 0:
		return Ways{}
	case len(s.found) == 1 || costOf(s.found[0]).compare(costOf(s.found[1])) < 0:
		return Ways{Best: s.found[0]}
	}
	out := Ways{}
	for _, p := range s.found {
		if costOf(p).compare(costOf(s.found[0])) == 0 {
			out.Tied = append(out.Tied, p)
		}
	}
	return out
}

func same(a, b Place) bool { return a.Source == b.Source && strings.EqualFold(a.Table, b.Table) }

// search collects the paths to a table. No path comes to a table twice, and there are few links, so all of them are walked.
type search struct {
	meaning *meaning.Meaning
	to      Place
	found   [][]Hop
}

// walk continues a path.
func (s *search) walk(at Place, path []Hop, seen []Place) {
	for i := range s.meaning.Links {
		l := &s.meaning.Links[i]
		for _, backward := range []bool{false, true} {
			h := Hop{Link: l, Backward: backward}
			next := Place{Source: h.To().Source, Table: h.To().Table}
			if l.Cardinality == meaning.ManyToMany || backward && l.Cardinality != meaning.OneToOne ||
				!same(Place{Source: h.From().Source, Table: h.From().Table}, at) ||
				slices.ContainsFunc(seen, func(p Place) bool { return same(p, next) }) {
				continue
			}
			longer := append(slices.Clone(path), h)
			if same(next, s.to) {
				s.found = append(s.found, longer)
				continue
			}
			if len(longer) < hopsMax {
				s.walk(next, longer, append(slices.Clone(seen), next))
			}
		}
	}
}

// cost ranks a path.
type cost struct{ preferred, inferred, hops int }

func costOf(path []Hop) cost {
	c := cost{hops: len(path)}
	for _, h := range path {
		if h.Link.Preferred {
			c.preferred++
		}
		if h.Link.Reason.State == meaning.Inferred {
			c.inferred++
		}
	}
	return c
}

// compare is negative if the path is better than another one.
func (c cost) compare(o cost) int {
	switch {
	case c.preferred != o.preferred:
		return o.preferred - c.preferred
	case c.inferred != o.inferred:
		return c.inferred - o.inferred
	}
	return c.hops - o.hops
}

// Tell returns the paths between which a person has to choose, one for each line.
func (w Ways) Tell() []string {
	out := make([]string, 0, len(w.Tied))
	for _, p := range w.Tied {
		hops := make([]string, len(p))
		for i, h := range p {
			hops[i] = h.String()
			if h.Link.Part != "" {
				hops[i] += fmt.Sprintf(" (%s)", h.Link.Part)
			}
		}
		out = append(out, strings.Join(hops, ", then "))
	}
	return out
}
