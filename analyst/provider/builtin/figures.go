package builtin

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// While a sentence is built, a number that is a cell, or is derived from cells, is between marks that
// say which cells: figureOpen row , column , of , other figureText number figureEnd. The runes belong
// to a private area and occur in no text of a sentence: they are removed from cells.
const (
	figureOpen = '\uE0F0'
	figureText = '\uE0F1'
	figureEnd  = '\uE0F2'
)

// figureParts is the number of parts of the position of a number.
const figureParts = 4

// noMarks removes the marks from a text that comes from data.
func noMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == figureOpen || r == figureText || r == figureEnd {
			return -1
		}
		return r
	}, text)
}

// marked marks a number as a cell of the result.
func marked(row, column int, number string) string {
	return derived(domain.Figure{Row: row, Column: column}, number)
}

// derived marks a number with the way it is derived from cells of the result.
func derived(f domain.Figure, number string) string {
	return fmt.Sprintf("%c%d,%d,%s,%d%c%s%c", figureOpen, f.Row, f.Column, f.Of, f.Other, figureText, number, figureEnd)
}

// rowCount marks a number as the number of rows of the result.
func rowCount(n int) string {
	return derived(domain.Figure{Of: domain.FigureRows}, specialist.Format(float64(n)))
}

// unmark removes the marks and returns the positions of the numbers, in bytes.
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
		f := domain.Figure{Start: b.Len(), End: b.Len() + len(number)}
		if parts := strings.Split(place, ","); len(parts) == figureParts {
			f.Row, _ = strconv.Atoi(parts[0])
			f.Column, _ = strconv.Atoi(parts[1])
			f.Of = domain.FigureOf(parts[2])
			f.Other, _ = strconv.Atoi(parts[3])
		}
		figures = append(figures, f)
		b.WriteString(number)
		rest = after
	}
}

// complete completes a narration: the first sentence, which the summary repeats, becomes a paragraph of
// its own; caveats come last; and the marks of numbers become figures.
func (n *narration) complete(caveats string) {
	n.summary, n.summed = unmark(n.summary)
	n.answer, n.figures = unmark(leading(n.answer, n.summary))
	if caveats != "" {
		n.answer += "\n\n"
		n.caveatsAt = len(n.answer)
		plain, figures := unmark(caveats)
		for _, f := range figures {
			f.Start, f.End = f.Start+n.caveatsAt, f.End+n.caveatsAt
			n.figures = append(n.figures, f)
		}
		n.answer += plain
	}
}

// short puts the summary in place of the answer, for an agent that adds no insights.
func (n *narration) short() narration {
	return narration{answer: n.summary, summary: n.summary, figures: n.summed, summed: n.summed}
}

// leading makes a paragraph of the first sentence of a marked text if that sentence is the summary.
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

// annotation returns what is known about a narration of a table.
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
