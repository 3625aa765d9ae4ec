package main

// Links: columns whose values are found in a key of another table. Candidates come from names, never from the values
// alone: small numbers are contained in each other everywhere. Each is then proven over all rows.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

const (
	// linksTried is the most candidates that are proven in one request.
	linksTried = 64
	// linkedLeast is the share of the values that must be found. Below, there is no link; the orphans of a link are kept
	// with it, so that a reader can judge it.
	linkedLeast = 0.8
	// triedValues are the values that are looked up before a link is proven, and triedLeast the share that must be found.
	// It is lower than linkedLeast, because the first values are no fair sample.
	triedValues, triedLeast = 2000, 0.5
)

// linkCandidate is a link that names suggest, and then its facts.
type linkCandidate struct {
	child, home *surveyed
	from, to    []*surveyedColumn
	// shared is set if to is no key: both tables have several rows of the same thing.
	shared bool
	facts  domain.LinkFacts
}

// candidates lists the links that names suggest between tables that may be joined.
func candidates(tables []*surveyed, may func(child, home *surveyed) bool) []*linkCandidate {
	var out []*linkCandidate
	for _, home := range tables {
		for _, key := range home.facts.Keys {
			to := home.choose(key)
			if to == nil {
				continue
			}
			for _, child := range tables {
				if !may(child, home) {
					continue
				}
				out = append(out, candidatesOf(child, home, to)...)
			}
		}
	}
	return append(out, sharedCandidates(tables, out, may)...)
}

// sharedCandidates lists columns of one name that name a thing in two tables of which neither is its home, such as the number
// of an order in order lines and in tickets.
func sharedCandidates(tables []*surveyed, linked []*linkCandidate, may func(child, home *surveyed) bool) []*linkCandidate {
	homed := map[*surveyedColumn]bool{}
	for _, l := range linked {
		if len(l.from) == 1 {
			homed[l.from[0]], homed[l.to[0]] = true, true
		}
	}
	var out []*linkCandidate
	for i, a := range tables {
		for _, b := range tables[i+1:] {
			if !may(a, b) {
				continue
			}
			for _, c := range a.columns {
				o := b.column(c.Name)
				if o == nil || homed[c] || homed[o] || !keyLike(c.words) || !sharedName(c.words) || !equatable(c, o) || c.class.isTime() {
					continue
				}
				// The table that has more of the things is the end of the link.
				child, home, from, to := a, b, c, o
				if valuesOf(c) > valuesOf(o) {
					child, home, from, to = b, a, o, c
				}
				out = append(out, &linkCandidate{
					child: child, home: home, from: []*surveyedColumn{from}, to: []*surveyedColumn{to}, shared: true,
				})
			}
		}
	}
	return out
}

// valuesOf is the number of different values of a column as far as it is known.
func valuesOf(c *surveyedColumn) int64 {
	if c.Distinct != nil {
		return *c.Distinct
	}
	return c.estimate
}

// candidatesOf lists the links of a table to one key of another one.
func candidatesOf(child, home *surveyed, to []*surveyedColumn) []*linkCandidate {
	if len(to) > 1 {
		// All columns of a composite key must be there by their names.
		from := make([]*surveyedColumn, len(to))
		for i, k := range to {
			from[i] = child.column(k.Name)
			if child == home || from[i] == nil || !equatable(from[i], k) {
				return nil
			}
		}
		return []*linkCandidate{{child: child, home: home, from: from, to: to}}
	}
	var out []*linkCandidate
	for _, c := range child.columns {
		if equatable(c, to[0]) && (child != home || c != to[0]) && suggests(child, home, c, to[0]) {
			out = append(out, &linkCandidate{child: child, home: home, from: []*surveyedColumn{c}, to: to})
		}
	}
	return out
}

// equatable reports whether values of two columns can be equal. Dates and fractions make no links.
func equatable(a, b *surveyedColumn) bool {
	return a.class == b.class && (a.class == classText || a.class == classInteger || a.class.isTime())
}

// suggests reports whether the names of two columns suggest a link.
func suggests(child, home *surveyed, c, key *surveyedColumn) bool {
	if c.class.isTime() {
		return false
	}
	if child != home && strings.EqualFold(c.Name, key.Name) {
		// Equal names: customer_id in both tables, or department in a table of departments.
		return sharedName(c.words) && (keyLike(c.words) || namesNoun(c.words, home.nouns))
	}
	stem := stemOf(withoutPrefix(c.words, child))
	own := withoutPrefix(key.words, home)
	// The key must name a row of its table: id, code or name by itself, or with the table's noun before it.
	named := len(own) == 1 && (generic(own) || namesNoun(own, home.nouns)) || namesNoun(stemOf(own), home.nouns)
	if !named || !endsInNoun(stem, home.nouns) {
		return false
	}
	// A table leads to itself only by a role, as a parent category does.
	if child == home && namesNoun(stem, home.nouns) {
		return false
	}
	// A code is no id: the last words agree, or the column has none.
	last, wanted := c.words[len(c.words)-1], own[len(own)-1]
	if !keyWord(last) {
		return true
	}
	return last == wanted || !keyWord(wanted)
}

// withoutPrefix takes off the word that all columns of a table begin with.
func withoutPrefix(words []string, t *surveyed) []string {
	if len(words) < 2 || len(t.columns) < 3 {
		return words
	}
	for _, c := range t.columns {
		if len(c.words) < 2 || c.words[0] != words[0] {
			return words
		}
	}
	return words[1:]
}

// links proves candidates. It also reports whether all of them could be measured.
func (s *survey) links(all []*linkCandidate) (proven []*linkCandidate, whole bool, err error) {
	whole = len(all) <= linksTried
	for _, l := range all[:min(len(all), linksTried)] {
		is, err := s.prove(l)
		if errors.Is(err, errUnfit) {
			whole = false
			continue
		}
		if err != nil {
			return nil, false, fmt.Errorf("measure a link: %w", err)
		}
		if is {
			proven = append(proven, l)
		}
	}
	return proven, whole, nil
}

// prove measures a link exactly, unless its values cannot be found.
func (s *survey) prove(l *linkCandidate) (bool, error) {
	empty := func(c *surveyedColumn) bool { return c.Missing == l.child.facts.Rows }
	if l.child.facts.Rows == 0 || l.home.facts.Rows == 0 || slices.ContainsFunc(l.from, empty) {
		return false, nil
	}
	if len(l.from) == 1 && apart(l.from[0], l.to[0]) {
		return false, nil
	}
	if l.child.facts.Rows > triedRows {
		found, err := s.numbers(linkTime, s.matching(l, fmt.Sprintf("SELECT DISTINCT %s, 1 AS n FROM (SELECT * FROM %s WHERE %s LIMIT %d)",
			aliased(l.from), l.child.from, noneMissing(l.from), triedValues)))
		if err != nil || float64(found[1]) < triedLeast*float64(found[0]) {
			return false, err
		}
	}
	found, err := s.numbers(linkTime, s.matching(l, fmt.Sprintf("SELECT %s, count(*) AS n FROM %s WHERE %s GROUP BY %s",
		aliased(l.from), l.child.from, noneMissing(l.from), listOf(l.from))))
	if err != nil || found[0] == 0 || float64(found[1]) < linkedLeast*float64(found[0]) {
		return false, err
	}
	l.facts = domain.LinkFacts{
		FromTable: l.child.facts.Table, From: namesOf(l.from), ToTable: l.home.facts.Table, To: namesOf(l.to),
		Distinct: found[0], Matched: found[1], Orphans: found[2], Unique: found[3] == 0, Shared: l.shared,
	}
	return true, nil
}

// matching counts the values of a relation (k0, k1 …, n), those that the key has, the rows of the others, and the values of
// several rows. The other side is a key, or made one, so the join makes no row twice.
func (s *survey) matching(l *linkCandidate, values string) string {
	home := l.home.from
	if l.shared {
		home = fmt.Sprintf("(SELECT DISTINCT %s FROM %s)", sqltext.QuoteName(l.to[0].Name), l.home.from)
	}
	on := make([]string, len(l.to))
	for i, k := range l.to {
		on[i] = fmt.Sprintf("v.k%d = h.%s", i, sqltext.QuoteName(k.Name))
	}
	mark := "h." + sqltext.QuoteName(l.to[0].Name)
	return fmt.Sprintf("SELECT count(*)::VARCHAR, count(%[1]s)::VARCHAR, coalesce(sum(v.n) FILTER (%[1]s IS NULL), 0)::VARCHAR, "+
		"count(*) FILTER (v.n > 1)::VARCHAR FROM (%[2]s) v LEFT JOIN %[3]s h ON %[4]s", mark, values, home, strings.Join(on, " AND "))
}

// aliased lists columns as k0, k1 ….
func aliased(columns []*surveyedColumn) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = fmt.Sprintf("%s AS k%d", sqltext.QuoteName(c.Name), i)
	}
	return strings.Join(parts, ", ")
}

// apart reports whether the ranges of two columns of integers have nothing in common.
func apart(a, b *surveyedColumn) bool {
	if a.class != classInteger || a.Min == nil || b.Min == nil {
		return false
	}
	ends := make([]int64, 0, 4)
	for _, text := range []*string{a.Min, a.Max, b.Min, b.Max} {
		n, err := strconv.ParseInt(*text, 10, 64)
		if err != nil {
			return false
		}
		ends = append(ends, n)
	}
	return ends[1] < ends[2] || ends[3] < ends[0]
}
