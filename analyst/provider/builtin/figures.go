package builtin

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// While a sentence is put together, a number that is a cell stands between marks that
// say which: figureOpen row , column figureText number figureEnd. The runes are of a
// private area and stand in no text that a sentence is made of: cells are cleaned of them.
const (
	figureOpen = '\uE0F0'
	figureText = '\uE0F1'
	figureEnd  = '\uE0F2'
)

// noMarks takes the marks out of a text that comes from data.
func noMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == figureOpen || r == figureText || r == figureEnd {
			return -1
		}
		return r
	}, text)
}

// marked says of a number that it is a cell of the result.
func marked(row, column int, number string) string {
	return fmt.Sprintf("%c%d,%d%c%s%c", figureOpen, row, column, figureText, number, figureEnd)
}

// unmark takes the marks out again and says where the numbers stand, in bytes.
func unmark(text string) (plain string, figures []domain.Figure) {
	if !strings.ContainsRune(text, figureOpen) {
		return text, nil
	}
	var b strings.Builder
	for rest := text; ; {
		before, after, found := strings.Cut(rest, string(figureOpen))
		b.WriteString(before)
		if !found {
			return b.String(), figures
		}
		place, after, _ := strings.Cut(after, string(figureText))
		number, after, _ := strings.Cut(after, string(figureEnd))
		row, column, _ := strings.Cut(place, ",")
		f := domain.Figure{Start: b.Len(), End: b.Len() + len(number)}
		f.Row, _ = strconv.Atoi(row)
		f.Column, _ = strconv.Atoi(column)
		figures = append(figures, f)
		b.WriteString(number)
		rest = after
	}
}

// settle ends the putting together of what is told: the first sentence, which the
// summary repeats, becomes a paragraph of its own, caveats come last, and the numbers
// that are cells are told apart from their marks.
func (n *narration) settle(caveats string) {
	n.summary, _ = unmark(n.summary)
	n.answer, n.figures = unmark(leading(n.answer, n.summary))
	if caveats != "" {
		n.answer += "\n\n"
		n.caveatsAt = len(n.answer)
		n.answer += caveats
	}
}

// leading makes a paragraph of the first sentence of a marked text, where that is the summary.
func leading(text, summary string) string {
	rest := summary
	for i := 0; i < len(text); {
		switch {
		case rest == "" && text[i] == ' ':
			return text[:i] + "\n\n" + text[i+1:]
		case strings.HasPrefix(text[i:], "**"):
			i += 2
		case strings.HasPrefix(text[i:], string(figureOpen)):
			i += strings.IndexRune(text[i:], figureText) + len(string(figureText))
		case strings.HasPrefix(text[i:], string(figureEnd)):
			i += len(string(figureEnd))
		case rest != "" && text[i] == rest[0]:
			i, rest = i+1, rest[1:]
		default:
			return text
		}
	}
	return text
}

// annotation is what is known of a narration that is told of a table.
func (n *narration) annotation(table uuid.UUID) *domain.Annotation {
	a := &domain.Annotation{CaveatsAt: n.caveatsAt}
	if table == uuid.Nil {
		return a
	}
	for _, f := range n.figures {
		f.Object = table
		a.Figures = append(a.Figures, f)
	}
	return a
}
