package main

import (
	"fmt"
	"strconv"
	"strings"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	// described is how many columns a proposed description names.
	described      = 12
	describedWords = 4
	fewValues      = 20
)

// describe proposes what people read about the file.
func describe(title string, file *table.File, columns []frame.Column) string {
	var b strings.Builder
	rows := file.Rows
	noun := "rows"
	if rows == 1 {
		noun = "row"
	}
	fmt.Fprintf(&b, "%s %s of %s: ", thousands(rows), noun, title)
	if len(columns) == 1 {
		b.WriteString("one column, ")
	} else {
		fmt.Fprintf(&b, "%d columns, ", len(columns))
	}
	for i, c := range columns {
		if i == described {
			fmt.Fprintf(&b, " and %d more", len(columns)-described)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(domain.Shorten(c.Name, 40) + remark(c))
	}
	b.WriteByte('.')
	if file.Total {
		b.WriteString(" A last row of totals is left out.")
	}
	if file.Totals == 1 {
		b.WriteString(" Please check: one row is called a total, and counts as a row.")
	} else if file.Totals > 1 {
		fmt.Fprintf(&b, " Please check: %s rows are called totals, and count as rows.", thousands(file.Totals))
	}
	for _, c := range columns {
		if c.Doubtful {
			heading := c.Title
			if heading == "" {
				heading = c.Name
			}
			fmt.Fprintf(&b, " Please check %s: %s.", domain.Shorten(heading, 40), c.Note)
		}
	}
	return domain.Shorten(domain.Clean(b.String()), domain.DataSourceDescriptionMax)
}

// describeAll proposes what people read about a file of several tables.
func describeAll(title string, tables []frame.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d tables of %s: ", len(tables), title)
	for i, t := range tables {
		if i == described {
			fmt.Fprintf(&b, " and %d more", len(tables)-described)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s (%s, %s)", domain.Shorten(t.Title, 40), counted(t.Rows, "row"), counted(int64(len(t.Columns)), "column"))
	}
	b.WriteByte('.')
	return domain.Shorten(domain.Clean(b.String()), domain.DataSourceDescriptionMax)
}

// remark says in brackets what a column holds.
func remark(c frame.Column) string {
	switch domain.ColumnType(c.Type) {
	case domain.ColumnDate, domain.ColumnTime:
		if c.Min != "" {
			return fmt.Sprintf(" (%.10s to %.10s)", c.Min, c.Max)
		}
	case domain.ColumnInteger, domain.ColumnNumber:
		if c.Min != "" {
			return fmt.Sprintf(" (%s to %s)", c.Min, c.Max)
		}
	case domain.ColumnBoolean:
		return " (yes or no)"
	case domain.ColumnText:
		if len(c.Values) == 0 || c.Distinct > fewValues {
			return ""
		}
		words := make([]string, 0, describedWords)
		for _, v := range c.Values[:min(describedWords, len(c.Values))] {
			words = append(words, domain.Shorten(v, 30))
		}
		text := strings.Join(words, ", ")
		if int64(len(words)) < c.Distinct {
			text += " …"
		}
		return " (" + text + ")"
	}
	return ""
}

// thousands writes 12480 as 12,480.
func thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// counted is a number with its noun, in the plural where that is right.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}
