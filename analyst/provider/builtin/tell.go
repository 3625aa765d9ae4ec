package builtin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// sqlOf returns the query of a call; "" for calls of other tools.
func sqlOf(c analyst.ToolCall) string {
	var a analyst.RunQueryArgs
	if c.Name != analyst.ToolRunQuery || json.Unmarshal(c.Args, &a) != nil {
		return ""
	}
	return a.SQL
}

// These bounds limit the narration of a result; the table shows the rest.
const (
	tellRows    = 5
	tellColumns = 6
)

// tell narrates the result of a query that was written elsewhere, for which there is no form that says
// what its numbers mean.
func tell(t *domain.ResultSet) narration {
	n := narratePlainly(t)
	n.summary, n.summed = unmark(n.summary)
	n.answer, n.figures = unmark(n.answer)
	return n
}

func narratePlainly(t *domain.ResultSet) narration {
	switch {
	case len(t.Rows) == 0 || len(t.Columns) == 0:
		return narration{answer: "The query gives no rows.", summary: "The query gives no rows."}
	case len(t.Rows) == 1:
		text := specialist.Sentence(strings.Join(cells(t, 0, 0, true), ", ")) + "."
		return narration{answer: text, summary: strings.ReplaceAll(text, "**", "")}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The query gives %s rows", rowCount(len(t.Rows)))
	if t.Truncated {
		b.WriteString(" (cut at the limit)")
	}
	first := "**" + safe(groupName(t, 0)) + "**"
	if len(t.Columns) > 1 {
		first += " with " + strings.Join(cells(t, 0, 1, false), ", ")
	}
	summary := b.String() + ", the first " + strings.ReplaceAll(first, "**", "") + "."
	// The first sentence is complete by itself, because the summary of a plan repeats only that
	// sentence.
	b.WriteString(".")
	if len(t.Rows) > tellRows {
		fmt.Fprintf(&b, " The first %d are:", tellRows)
	}
	b.WriteString("\n")
	for i := range t.Rows[:min(len(t.Rows), tellRows)] {
		b.WriteString("\n- **" + safe(groupName(t, i)) + "**")
		if len(t.Columns) > 1 {
			b.WriteString(": " + strings.Join(cells(t, i, 1, false), ", "))
		}
	}
	return narration{answer: b.String(), summary: summary}
}

// groupName returns the first cell of a row in the usual form: in a column of months, whose cells are
// all numbers from 1 to 12, the name of the month.
func groupName(t *domain.ResultSet, at int) string {
	text := specialist.Text(t.Rows[at][0])
	if !slices.Contains(splitName(t.Columns[0].Name), "month") {
		return text
	}
	month := func(row []any) int {
		n, err := strconv.Atoi(specialist.Text(row[0]))
		if err != nil || n < 1 || n > 12 {
			return 0
		}
		return n
	}
	if slices.ContainsFunc(t.Rows, func(row []any) bool { return month(row) == 0 }) {
		return text
	}
	return time.Month(month(t.Rows[at])).String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", specialist.Format(float64(n)), what)
}

// cells writes the cells of a row from a column on, each with its column's name.
func cells(t *domain.ResultSet, at, from int, strong bool) []string {
	var out []string
	row := t.Rows[at]
	for i := from; i < len(t.Columns) && i < len(row) && len(out) < tellColumns; i++ {
		value := safe(specialist.Text(row[i]))
		if row[i] == nil {
			value = "empty"
		} else if n, ok := specialist.Number(row[i]); ok && !strings.Contains(strings.ToLower(t.Columns[i].Name), "year") {
			value = marked(at, i, specialist.Format(n))
		}
		if strong {
			value = "**" + value + "**"
		}
		out = append(out, safe(strings.Join(splitName(t.Columns[i].Name), " "))+" "+value)
	}
	return out
}

// safeLine does the same as safe, for a longer line of text.
func safeLine(s string, limit int) string {
	var b strings.Builder
	for s != "" && b.Len() < limit {
		piece := domain.Shorten(s, 80)
		s = s[len(piece):]
		b.WriteString(safe(piece))
	}
	if s != "" {
		b.WriteString("…")
	}
	return b.String()
}
