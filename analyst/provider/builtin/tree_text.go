package builtin

import (
	"regexp"
	"strings"
)

// sqlPieces are the texts, names, numbers, blanks and signs of a statement.
var sqlPieces = regexp.MustCompile(`(?s)'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9.]*|\s+|<=|>=|<>|.`)

// tidy writes a statement of the tree as people would: names without quotation marks where they need none, and without their
// table where there is only one; what is in brackets is indented. The meaning stays the same, for the names of a result are
// those of no other column.
func tidy(sql string, taken func(word string) bool) string {
	s := sqlPieces.FindAllString(sql, -1)
	for i, text := range s {
		if text[0] == '"' {
			if bare := text[1 : len(text)-1]; plainIdent.MatchString(bare) && !reserved(bare) && (taken == nil || !taken(bare)) {
				s[i] = bare
			}
		}
	}
	if only := onlyAlias(s); only != "" {
		s = withoutAlias(s, only)
	}
	var b strings.Builder
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == "(":
			depth++
		case s[i] == ")":
			depth--
		case s[i][0] == '\n' && i+1 < len(s) && s[i+1] == ")":
			s[i] = "\n" + strings.Repeat("    ", max(depth-1, 0))
		case s[i][0] == '\n':
			s[i] = "\n" + strings.Repeat("    ", depth)
		}
		b.WriteString(s[i])
		// region AS region
		if i+4 < len(s) && s[i+2] == "AS" && s[i+4] == s[i] && isName(s[i]) {
			i += 4
		}
	}
	return b.String()
}

// isName reports whether a piece of a statement is a name, with or without quotation marks.
func isName(s string) bool {
	return s[0] == '"' || s[0] == '_' || s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z'
}

// namesTable reports whether the name at a place says of which table the next one is. A name after FROM or JOIN is that of a
// schema.
func namesTable(s []string, i int) bool {
	if i+2 >= len(s) || s[i+1] != "." || !isName(s[i]) || i > 0 && s[i-1] == "." {
		return false
	}
	return i < 2 || s[i-2] != "FROM" && s[i-2] != "JOIN"
}

// onlyAlias returns the table of all columns of a statement; "" if there are several.
func onlyAlias(s []string) string {
	only := ""
	for i := range s {
		switch {
		case s[i] == "JOIN" || s[i] == "EXISTS":
			return ""
		case !namesTable(s, i) || s[i] == only:
		case only != "":
			return ""
		default:
			only = s[i]
		}
	}
	return only
}

// withoutAlias leaves out the table of the columns, and its alias.
func withoutAlias(s []string, only string) []string {
	var out []string
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == only && namesTable(s, i):
			i++
		case i+3 < len(s) && s[i] == " " && s[i+1] == "AS" && s[i+3] == only && i > 0 && isName(s[i-1]) && isFrom(s, i-1):
			i += 3
		default:
			out = append(out, s[i])
		}
	}
	return out
}

// isFrom reports whether the name at a place, with its schemas before it, follows FROM.
func isFrom(s []string, i int) bool {
	for i >= 2 && s[i-1] == "." {
		i -= 2
	}
	return i >= 2 && s[i-2] == "FROM"
}
