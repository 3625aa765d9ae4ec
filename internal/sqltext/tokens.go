// Package sqltext cuts SQL into tokens, for code that only needs to find names in a statement. It
// checks nothing: the engines decide what a statement may do.
//
// It reads the common part of the dialects: comments, literals, quoted names. This is the one
// place that knows how they are written. A warehouse makes its engine read names and texts as the
// standard writes them (connectors.Warehouse.Query), so that quotes are the same everywhere.
package sqltext

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Word   Kind = iota // a name or a keyword
	Quoted             // a name in double quotes
	Number
	Text // a string literal
	Sign // any other character, and the cast ::
)

// Token is a piece of a statement. Comments and white space are not tokens.
type Token struct {
	Kind Kind
	// Text is the content: without quotes, and in lower case for names and keywords, as they
	// are compared. A number has no underscores.
	Text string
	// From and To are its bytes in the statement.
	From, To int
}

// IsName reports whether the token can be a name.
func (t Token) IsName() bool { return t.Kind == Word || t.Kind == Quoted }

// Is reports whether the token is this keyword or sign, which is in lower case. A quoted name is
// no keyword.
func (t Token) Is(s string) bool { return (t.Kind == Word || t.Kind == Sign) && t.Text == s }

// Tokens returns the tokens of a statement in their order. A literal, a quoted name or a comment
// that is not closed goes on to the end.
//
// Comments are those of the standard: -- to the end of the line, and /* */. A dialect with
// further marks, such as # of MySQL, is as safe without them: such a comment is read as words, so a
// table may be found that the statement does not name, or missed behind a quote, and the query is
// then refused or sent to a database that does not have the table. Marks are added in next so that
// people can use them, and only if they mean nothing else in the other dialects: # is an operator
// of PostgreSQL.
func Tokens(sql string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for at := 0; at < len(sql); {
			t, found := next(sql, at)
			if found && !yield(t) {
				return
			}
			at = t.To
		}
	}
}

// next reads what begins at a byte. Of a comment or white space only To is set.
func next(sql string, at int) (t Token, found bool) {
	rest := sql[at:]
	until := func(kind Kind, length int) (Token, bool) {
		return Token{Kind: kind, Text: rest[:length], From: at, To: at + length}, true
	}
	r, n := utf8.DecodeRuneInString(rest)
	switch {
	case unicode.IsSpace(r):
		return Token{To: at + n}, false
	case strings.HasPrefix(rest, "--"):
		return Token{To: at + after(rest, "\n")}, false
	case strings.HasPrefix(rest, "/*"):
		return Token{To: at + len("/*") + after(rest[len("/*"):], "*/")}, false
	case r == '\'' || r == '"':
		body, length := closed(rest, byte(r))
		if r == '\'' {
			return Token{Kind: Text, Text: body, From: at, To: at + length}, true
		}
		return Token{Kind: Quoted, Text: strings.ToLower(body), From: at, To: at + length}, true
	case r == '$':
		tag := dollarTag(rest)
		if tag == "" {
			return until(Sign, n)
		}
		body := rest[len(tag):]
		length := len(tag) + after(body, tag)
		body, _, _ = strings.Cut(body, tag)
		return Token{Kind: Text, Text: body, From: at, To: at + length}, true
	case isDigit(r) || r == '.' && len(rest) > 1 && isDigit(rune(rest[1])):
		t, _ = until(Number, prefix(rest, func(r rune) bool { return isDigit(r) || strings.ContainsRune("._eE", r) }))
		t.Text = strings.ReplaceAll(t.Text, "_", "")
		return t, true
	case unicode.IsLetter(r) || r == '_':
		t, _ = until(Word, prefix(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '$' }))
		t.Text = strings.ToLower(t.Text)
		return t, true
	case strings.HasPrefix(rest, "::"):
		return until(Sign, len("::"))
	}
	return until(Sign, n)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// after returns the byte after the first occurrence of mark, or the length of s if there is none.
func after(s, mark string) int {
	if i := strings.Index(s, mark); i >= 0 {
		return i + len(mark)
	}
	return len(s)
}

// prefix returns how many bytes of s are runes that belong.
func prefix(s string, belongs func(rune) bool) int {
	if i := strings.IndexFunc(s, func(r rune) bool { return !belongs(r) }); i >= 0 {
		return i
	}
	return len(s)
}

// closed reads from an opening quote to the closing one; a doubled quote is part of the text.
func closed(s string, quote byte) (body string, length int) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] != quote {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		return b.String(), i + 1
	}
	return b.String(), len(s)
}

// dollarTag returns the mark that opens a dollar-quoted literal, such as $$ or $body$. It is
// empty for a dollar sign that opens none, such as the one of a parameter.
func dollarTag(s string) string {
	end := strings.IndexByte(s[1:], '$')
	if end < 0 {
		return ""
	}
	tag := s[:end+2]
	for i, r := range tag[1 : len(tag)-1] {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return ""
		}
	}
	return tag
}
