package columns

import "parley.dev/parley/internal/sqltext"

// tokenMax is the maximum number of tokens: a longer query is not followed.
const tokenMax = 20_000

// tokensOf cuts a query into at most tokenMax tokens.
func tokensOf(sql string) []sqltext.Token {
	var out []sqltext.Token
	for t := range sqltext.Tokens(sql) {
		if out = append(out, t); len(out) == tokenMax {
			break
		}
	}
	return out
}

// span finds the end of a bracket that opens at ts[0]; the end of ts if it is not closed.
func span(ts []sqltext.Token) int {
	depth := 0
	for i, t := range ts {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(ts) - 1
}

// parts cuts tokens at a separator outside of brackets.
func parts(ts []sqltext.Token, at string) [][]sqltext.Token {
	var out [][]sqltext.Token
	depth, from := 0, 0
	for i, t := range ts {
		switch {
		case t.Is("(") || t.Is("["):
			depth++
		case t.Is(")") || t.Is("]"):
			depth--
		case depth == 0 && t.Is(at):
			out = append(out, ts[from:i])
			from = i + 1
		}
	}
	return append(out, ts[from:])
}
