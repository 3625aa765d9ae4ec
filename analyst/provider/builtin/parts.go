package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain/meaning"
)

// part is the name of one of several links to a table: origin, for the airport from which a flight departs.
type part struct {
	words []string // as stems
	link  *meaning.Link
}

// namedPaths is a table to which several equally good paths lead, each with a name of its own.
type namedPaths struct {
	table string
	parts []part
}

// named finds a path that a question names, where its words begin, and how many paths the question names.
func (p *namedPaths) named(fields []string) (named *part, at, many int) {
	for i := range p.parts {
		if k := p.parts[i].in(fields); k >= 0 {
			named, at = &p.parts[i], k
			many++
		}
	}
	return named, at, many
}

// namedPathsOf finds the names of the paths between two tables, even if a person prefers one of them; nil if there are no names.
func namedPathsOf(m *meaning.Meaning, found semantic.Ways, from, to *analyst.Table) *namedPaths {
	tied := found.Tied
	if slices.ContainsFunc(found.Best, func(h semantic.Hop) bool { return h.Link.Preferred }) {
		all := *m
		all.Links = slices.Clone(m.Links)
		for i := range all.Links {
			all.Links[i].Preferred = false
		}
		tied = semantic.Path(&all, semanticPlace(from), semanticPlace(to)).Tied
	}
	parts := partsOf(tied)
	if parts == nil {
		return nil
	}
	return &namedPaths{to.Name, parts}
}

// partsOf returns the names by which people distinguish tied paths: for each path, the part of the only link that is not in all of
// them. It is nil if a path has no name of its own.
func partsOf(tied [][]semantic.Hop) []part {
	if len(tied) == 0 {
		return nil
	}
	out := make([]part, 0, len(tied))
	for _, path := range tied {
		var own []*meaning.Link
		for _, h := range path {
			if h.Link.Part != "" && !shared(tied, h.Link) {
				own = append(own, h.Link)
			}
		}
		if len(own) != 1 {
			return nil
		}
		words := stems(splitName(own[0].Part))
		// "from" and "to" are more often about times and values than about a link.
		if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool {
			return isOne(w, "from", "to", "of", "at", "in", "by", "for", "on", "with")
		}) {
			return nil
		}
		out = append(out, part{words, own[0]})
	}
	return out
}

// shared reports whether all paths contain a link.
func shared(paths [][]semantic.Hop, l *meaning.Link) bool {
	return !slices.ContainsFunc(paths, func(path []semantic.Hop) bool {
		return !slices.ContainsFunc(path, func(h semantic.Hop) bool { return h.Link == l })
	})
}

// byPart reads a question that names one of several paths from one table to another: "seats by origin country". It reads the rest
// of the question over that path alone. If the rest cannot be read like this, it returns nil, and the tables to which the named
// paths lead: a reading over another path would then be wrong.
func (p *planner) byPart(text string, before *form) (f *form, elsewhere []string) {
	fields := strings.Fields(text)
	for _, v := range p.views {
		for _, several := range v.namedPaths {
			named, at, many := several.named(fields)
			if many > 1 {
				elsewhere = append(elsewhere, several.table)
			}
			if many != 1 {
				continue
			}
			rest := [][]string{slices.Concat(fields[:at], fields[at+len(named.words):])}
			if at > 0 && isOne(strings.ToLower(fields[at-1]), "of", "its") { // the country of origin
				rest = append(rest, slices.Concat(fields[:at-1], fields[at+len(named.words):]))
			}
			over := p.preferring(named.link)
			kept := over.again(before)
			for _, words := range rest {
				if f := over.readAs(strings.Join(words, " "), kept); f != nil && f.understood() && f.goesTo(several.table) {
					f.over = over
					return f, nil
				}
			}
			elsewhere = append(elsewhere, several.table)
		}
	}
	return nil, elsewhere
}

// again reads the question before over the paths of this planner; nil if that gives another statement, or if that question depends
// on earlier ones.
func (p *planner) again(before *form) *form {
	if before == nil || before.follows {
		return nil
	}
	f := p.reading(before.tokens, nil)
	if f == nil || f.help {
		return nil
	}
	if p.guard(f, nil); sql(f) != sql(before) {
		return nil
	}
	return f
}

// goesTo reports whether a form uses a table that is joined, or one that is joined through it.
func (f *form) goesTo(name string) bool {
	return slices.ContainsFunc(f.used(), func(t *table) bool { return t.Name == name })
}

// in finds the words of a part in a question; -1 if they are not there.
func (p *part) in(fields []string) int {
	for i := range len(fields) - len(p.words) + 1 {
		if slices.EqualFunc(fields[i:i+len(p.words)], p.words, func(field, word string) bool {
			return stem(strings.ToLower(strings.Trim(field, ".,;:?!"))) == word
		}) {
			return i
		}
	}
	return -1
}

// preferring returns a planner of the same tables that prefers one of their links, as if a person had said that it is meant.
func (p *planner) preferring(link *meaning.Link) *planner {
	m := *p.meaning
	m.Links = slices.Clone(m.Links)
	// The views may be of an earlier meaning with the same hash, so the link is found by its ends.
	meaning.Prefer(m.Links, link.From, link.To)
	m.Hash += fmt.Sprintf(" by %+v", link.From) // the cache distinguishes meanings by their hash
	return p.indexCache.planner(p.lang, p.tables, &m, p.now, nil)
}
