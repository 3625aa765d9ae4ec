package columns

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	word   kind = iota // a name or keyword, in lower case
	quoted             // a name in double quotes, in lower case
	number
	text // a literal in single quotes
	sign // punctuation
)

// token is a piece of SQL.
type token struct {
	kind kind
	text string
}

func (t token) is(s string) bool { return (t.kind == word || t.kind == sign) && t.text == s }

func (t token) named() bool { return t.kind == word || t.kind == quoted }

// lexMax is the maximum number of tokens: a longer query is not followed.
const lexMax = 20_000

// lex cuts SQL into tokens. Comments are left out.
func lex(sql string) []token {
	var out []token
	for len(sql) > 0 && len(out) < lexMax {
		r, n := utf8.DecodeRuneInString(sql)
		switch {
		case unicode.IsSpace(r):
			sql = sql[n:]
		case strings.HasPrefix(sql, "--"):
			_, sql, _ = strings.Cut(sql, "\n")
		case strings.HasPrefix(sql, "/*"):
			_, sql, _ = strings.Cut(sql, "*/")
		case r == '\'' || r == '"':
			body, rest := closed(sql[1:], byte(r))
			sql = rest
			if r == '"' {
				out = append(out, token{quoted, strings.ToLower(body)})
			} else {
				out = append(out, token{text, body})
			}
		case unicode.IsDigit(r) || r == '.' && len(sql) > 1 && sql[1] >= '0' && sql[1] <= '9':
			end := strings.IndexFunc(sql, func(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune("._eE", r) })
			if end < 0 {
				end = len(sql)
			}
			out = append(out, token{number, strings.ReplaceAll(sql[:end], "_", "")})
			sql = sql[end:]
		case unicode.IsLetter(r) || r == '_':
			end := strings.IndexFunc(sql, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' })
			if end < 0 {
				end = len(sql)
			}
			out = append(out, token{word, strings.ToLower(sql[:end])})
			sql = sql[end:]
		case strings.HasPrefix(sql, "::"):
			out = append(out, token{sign, "::"})
			sql = sql[2:]
		default:
			out = append(out, token{sign, sql[:n]})
			sql = sql[n:]
		}
	}
	return out
}

// closed reads up to the closing quote; a doubled quote is part of the text.
func closed(s string, quote byte) (body, rest string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != quote {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		return b.String(), s[i+1:]
	}
	return b.String(), ""
}

// span finds the end of a bracket that opens at ts[0]; the end of ts if it is not closed.
func span(ts []token) int {
	depth := 0
	for i, t := range ts {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(ts) - 1
}

// parts cuts tokens at a separator outside of brackets.
func parts(ts []token, at string) [][]token {
	var out [][]token
	depth, from := 0, 0
	for i, t := range ts {
		switch {
		case t.is("(") || t.is("["):
			depth++
		case t.is(")") || t.is("]"):
			depth--
		case depth == 0 && t.is(at):
			out = append(out, ts[from:i])
			from = i + 1
		}
	}
	return append(out, ts[from:])
}
