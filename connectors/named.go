package connectors

import (
	"regexp"
	"strings"
)

// token is a piece of SQL: a word, a quoted name, or one other character. String literals and
// comments are no tokens.
type token struct {
	// text is a name as it is compared: in lower case, without quotes.
	text     string
	isName   bool
	isQuoted bool
	from, to int
}

// pieces matches comments, string literals (dollar-quoted and others), quoted names, words, and
// any other character, in this order. It is the common part of the dialects, and is used only
// to find names of tables: the engines decide what a statement may do.
var pieces = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/|\$(?:[A-Za-z_]\w*)?\$|'(?:[^']|'')*'|"(?:[^"]|"")*"|` +
	`[\pL_][\pL\pN_$]*|[0-9][\w.]*|\S`)

func tokens(sql string) []token {
	var out []token
	for at := 0; at < len(sql); {
		m := pieces.FindStringIndex(sql[at:])
		if m == nil {
			break
		}
		from, to := at+m[0], at+m[1]
		text := sql[from:to]
		at = to
		switch {
		case strings.HasPrefix(text, "--"), strings.HasPrefix(text, "/*") && len(text) > 2, text[0] == '\'' && len(text) > 1:
			continue
		case text[0] == '$' && len(text) > 1:
			// A dollar-quoted literal ends with the same tag.
			end := strings.Index(sql[to:], text)
			if end < 0 {
				return out
			}
			at = to + end + len(text)
			continue
		case text[0] == '"' && len(text) > 1:
			name := strings.ReplaceAll(text[1:len(text)-1], `""`, `"`)
			out = append(out, token{text: strings.ToLower(name), isName: true, isQuoted: true, from: from, to: to})
		default:
			word := wordStart.MatchString(text)
			out = append(out, token{text: strings.ToLower(text), isName: word, from: from, to: to})
		}
	}
	return out
}

var wordStart = regexp.MustCompile(`^[\pL_]`)

// chain is a name of one or more parts with points between them.
type chain struct {
	parts []token
	text  string
}

// tableChains finds the names in the positions of tables: after FROM and JOIN, and after commas
// in such a list.
func tableChains(sql string) []chain {
	all := tokens(sql)
	var out []chain
	// of says for each open parenthesis whether the list of a FROM goes on in it.
	of, wanted := []bool{false}, false
	for i := 0; i < len(all); i++ {
		t := all[i]
		top := len(of) - 1
		switch {
		case t.isName && !t.isQuoted && (t.text == "from" || t.text == "join"):
			of[top], wanted = true, true
		case t.isName && !t.isQuoted && ends(t.text):
			of[top], wanted = false, false
		case t.text == "(" && !t.isName:
			// A parenthesis after FROM may contain a join or a SELECT.
			of = append(of, wanted)
		case t.text == ")" && !t.isName:
			if top > 0 {
				of = of[:top]
			}
			wanted = false
		case t.text == "," && !t.isName:
			wanted = of[top]
		case t.isName && wanted:
			if !t.isQuoted && (t.text == "lateral" || t.text == "only") {
				continue
			}
			c := chain{parts: []token{t}, text: t.text}
			for i+2 < len(all) && all[i+1].text == "." && !all[i+1].isName && all[i+2].isName {
				i += 2
				c.parts, c.text = append(c.parts, all[i]), c.text+"."+all[i].text
			}
			out, wanted = append(out, c), false
		}
	}
	return out
}

// ends tells the words that end the list of a FROM.
func ends(word string) bool {
	switch word {
	case "select", "where", "on", "using", "group", "order", "having", "limit", "window", "qualify", "union", "except", "intersect",
		"offset", "fetch":
		return true
	}
	return false
}

// tablesNamed are the names of tables in a query, in lower case and without quotes.
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
		if len(c.parts) > 1 && c.parts[0].text == schema {
			b.WriteString(sql[last:c.parts[0].from])
			last = c.parts[1].from
		}
	}
	b.WriteString(sql[last:])
	return b.String()
}
