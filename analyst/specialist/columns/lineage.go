package columns

import (
	"slices"

	"parley.dev/parley/internal/sqltext"
)

// scope maps the names in a query to what is known about them: the names of the sources' columns
// and the names that the query itself defines. A name is unknown if two tables have columns of
// that name with different units.
type scope map[string]fact

func (s scope) add(name string, f fact) {
	if old, ok := s[name]; ok && old.measured != f.measured {
		f = fact{}
	}
	s[name] = f
}

// item is a column of a select list.
type item struct {
	name string
	fact fact
	star bool
}

// depthMax is the maximum nesting depth of queries that are followed.
const depthMax = 8

// clauseWords are the words that end a select list; all but the first one end a FROM clause.
var clauseWords = []string{ //nolint:gochecknoglobals // a constant list
	"from", "where", "group", "having", "order", "limit", "qualify", "union", "except", "intersect", "window", "offset",
	"using",
}

// query returns the columns of a query. It reads the common table expressions and the subqueries
// first, because the select list uses their columns.
func query(ts []sqltext.Token, names scope, depth int) []item {
	if depth > depthMax {
		return nil
	}
	for len(ts) > 1 && ts[0].Is("(") && span(ts) == len(ts)-1 {
		ts = ts[1 : len(ts)-1]
	}
	if len(ts) == 0 {
		return nil
	}
	if ts[0].Is("with") {
		ts = commonTables(ts[1:], names, depth)
	}
	if len(ts) == 0 || !ts[0].Is("select") {
		return nil
	}
	list, rest := until(ts[1:], clauseWords)
	if len(rest) > 0 && rest[0].Is("from") {
		from, _ := until(rest[1:], clauseWords[1:])
		subqueries(from, names, depth)
	}
	return itemsOf(list, names)
}

// commonTables adds the columns of the queries in a WITH to the scope and returns the tokens after
// them.
func commonTables(ts []sqltext.Token, names scope, depth int) []sqltext.Token {
	if len(ts) > 0 && ts[0].Is("recursive") {
		ts = ts[1:]
	}
	for len(ts) > 0 && ts[0].IsName() {
		for len(ts) > 0 && !ts[0].Is("(") {
			ts = ts[1:]
		}
		end := span(ts)
		if len(ts) > end+1 && ts[end+1].Is("as") {
			// The list of column names before the query is skipped; they are not followed.
			ts = ts[end+2:]
			for len(ts) > 0 && !ts[0].Is("(") {
				ts = ts[1:]
			}
			end = span(ts)
		}
		if len(ts) == 0 {
			return nil
		}
		for _, i := range query(ts[:end+1], names, depth+1) {
			if !i.star {
				names[i.name] = i.fact
			}
		}
		ts = ts[end+1:]
		if len(ts) == 0 || !ts[0].Is(",") {
			return ts
		}
		ts = ts[1:]
	}
	return ts
}

// subqueries adds the columns of the queries in a FROM clause to the scope.
func subqueries(from []sqltext.Token, names scope, depth int) {
	for i := 0; i < len(from); i++ {
		if !from[i].Is("(") {
			continue
		}
		end := i + span(from[i:])
		for _, it := range query(from[i:end+1], names, depth+1) {
			if !it.star {
				names[it.name] = it.fact
			}
		}
		i = end
	}
}

// until returns the tokens before the first of these words outside of brackets, and the rest.
func until(ts []sqltext.Token, words []string) (head, rest []sqltext.Token) {
	depth := 0
	for i, t := range ts {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		case depth == 0 && t.Kind == sqltext.Word && slices.Contains(words, t.Text):
			return ts[:i], ts[i:]
		}
	}
	return ts, nil
}

func itemsOf(list []sqltext.Token, names scope) []item {
	if len(list) > 0 && (list[0].Is("distinct") || list[0].Is("all")) {
		list = list[1:]
		if len(list) > 1 && list[0].Is("on") && list[1].Is("(") {
			list = list[1+span(list[1:])+1:]
		}
	}
	var out []item
	for _, part := range parts(list, ",") {
		if len(part) == 0 {
			continue
		}
		last := part[len(part)-1]
		switch {
		case last.Is("*") && len(part) <= 3, part[0].Is("*"), part[0].Is("columns"):
			out = append(out, item{star: true})
		case len(part) > 2 && part[len(part)-2].Is("as") && last.IsName():
			out = append(out, item{name: last.Text, fact: expression(part[:len(part)-2], names, 0)})
		case len(part) > 1 && last.IsName() && !continues(part[len(part)-2]) && !last.Is("end"):
			// An alias without the word AS.
			out = append(out, item{name: last.Text, fact: expression(part[:len(part)-1], names, 0)})
		case last.IsName():
			out = append(out, item{name: last.Text, fact: expression(part, names, 0)})
		default:
			out = append(out, item{fact: expression(part, names, 0)})
		}
	}
	return out
}

// continues reports whether a name after this token belongs to the same expression and is not an
// alias.
func continues(t sqltext.Token) bool {
	return t.Kind == sqltext.Sign && t.Text != ")" || t.Kind == sqltext.Word &&
		slices.Contains([]string{
			"and", "or", "not", "is", "in", "like", "then", "else", "when", "case", "from", "distinct", "interval", "over",
			"between",
		}, t.Text)
}
