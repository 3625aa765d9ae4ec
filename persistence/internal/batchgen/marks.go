package main

// Marks are words in the comment of a query that say which code is generated for it (doc.go of
// package persistence, SQL). A word that is not known is an error, so that a mistyped mark is not
// silently ignored.

import (
	"fmt"
	"go/ast"
	"strings"
)

// marks are what a query's comment asks for.
type marks struct {
	batch, call, text, total bool
	row                      string
	// from and into are nouns of domain.
	from, into string
}

// marksOf removes the line of marks from a comment. Without that line, the query stays as
// sqlc has written it.
func marksOf(doc *ast.CommentGroup) (m marks, rest string, err error) {
	if doc == nil {
		return m, "", nil
	}
	for _, line := range doc.List {
		words := strings.Fields(strings.TrimPrefix(line.Text, "//"))
		if len(words) == 0 || !isMark(words[0]) {
			rest += line.Text + "\n"
			continue
		}
		// A line has marks only, or none.
		for _, w := range words {
			mark, name, _ := strings.Cut(w, ":")
			switch {
			case mark == "@row" && name != "":
				m.row = name
			case mark == "@from" && name != "":
				m.from = name
			case mark == "@into" && name != "":
				m.into = name
			case w == "@batch":
				m.batch = true
			case w == "@call":
				m.call = true
			case w == "@text":
				m.text = true
			case w == "@total":
				m.total = true
			default:
				return m, "", fmt.Errorf("there is no mark %s", w)
			}
		}
	}
	// A query of which only the text is used has no method, and a total is only for a method of
	// Batch.
	if m.text && m != (marks{text: true}) || m.call && !m.batch || m.total && (!m.batch || m.call) {
		return m, "", fmt.Errorf("these marks do not go together: %+v", m)
	}
	return m, rest, nil
}

// isMark distinguishes, by its first word, a line of marks from a line that begins with a parameter.
func isMark(word string) bool {
	switch mark, _, _ := strings.Cut(word, ":"); mark {
	case "@batch", "@text", "@row", "@from", "@into":
		return true
	}
	return false
}
