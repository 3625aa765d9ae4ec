package connectors

import (
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// chain is a name of one or more parts with dots between them.
type chain struct {
	parts []sqltext.Token
	text  string
}

// tableChains finds the names in the positions of tables: after FROM and JOIN, and after commas
// in such a list.
func tableChains(sql string) []chain {
	all := slices.Collect(sqltext.Tokens(sql))
	var out []chain
	// of says for each open parenthesis whether it is in the list of a FROM.
	of, wanted := []bool{false}, false
	for i := 0; i < len(all); i++ {
		t := all[i]
		top := len(of) - 1
		switch {
		case t.Is("from") || t.Is("join"):
			of[top], wanted = true, true
		case t.Kind == sqltext.Word && ends(t.Text):
			of[top], wanted = false, false
		case t.Is("("):
			// A parenthesis after FROM may contain a join or a SELECT.
			of = append(of, wanted)
		case t.Is(")"):
			if top > 0 {
				of = of[:top]
			}
			wanted = false
		case t.Is(","):
			wanted = of[top]
		case t.IsName() && wanted:
			if t.Is("lateral") || t.Is("only") {
				continue
			}
			c := chain{parts: []sqltext.Token{t}, text: t.Text}
			for i+2 < len(all) && all[i+1].Is(".") && all[i+2].IsName() {
				i += 2
				c.parts, c.text = append(c.parts, all[i]), c.text+"."+all[i].Text
			}
			out, wanted = append(out, c), false
		}
	}
	return out
}

// ends reports whether a word ends the list of a FROM.
func ends(word string) bool {
	switch word {
	case "select", "where", "on", "using", "group", "order", "having", "limit", "window", "qualify", "union", "except", "intersect",
		"offset", "fetch":
		return true
	}
	return false
}

// tablesNamed returns the names of tables in a query, in lower case and without quotes.
func tablesNamed(sql string) []string {
	var out []string
	for _, c := range tableChains(sql) {
		out = append(out, c.text)
	}
	return out
}

// unqualified removes the schema that qualifies tables by their source: the database that runs
// the query does not have it.
func unqualified(sql, schema string) string {
	var b strings.Builder
	last := 0
	for _, c := range tableChains(sql) {
		if len(c.parts) > 1 && c.parts[0].Text == schema {
			b.WriteString(sql[last:c.parts[0].From])
			last = c.parts[1].From
		}
	}
	b.WriteString(sql[last:])
	return b.String()
}
