package main

// Descriptions that are proposed for files. They are made of counts, ranges and values, without a
// model, and people may change them.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	// described is how many columns a proposed description names, and listed is for how many columns it
	// lists the values.
	described, listed = 12, 3
	// The values of a column are listed only if there are at most fewValues, and none is longer than valueTextMax.
	fewValues    = 4
	valueTextMax = 30
	headingMax   = 40
)

// describe proposes the description of a file for people. It begins with the columns, by the headings that
// tables show. The facts follow as whole sentences, so that a card in the user interface may cut the text.
func describe(title string, file *table.File, all []frame.Column) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s with %s: ", counted(file.Rows, "row"), title, counted(int64(len(all)), "column"))
	names := make([]string, 0, described+1)
	for i := range all[:min(described, len(all))] {
		names = append(names, heading(&all[i]))
	}
	if more := len(all) - described; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	b.WriteString(specialist.List(names, "and") + ".")
	b.WriteString(facts(all))
	if file.Total {
		b.WriteString(" A last row of totals is left out.")
	}
	if file.Totals == 1 {
		b.WriteString(" Please check: one row is called a total, and counts as a row.")
	} else if file.Totals > 1 {
		fmt.Fprintf(&b, " Please check: %s rows are called totals, and count as rows.", thousands(file.Totals))
	}
	// What should be checked is at the end, with the reason.
	for i := range all {
		if all[i].Doubtful {
			fmt.Fprintf(&b, " Please check %s: %s.", heading(&all[i]), all[i].Note)
		}
	}
	return domain.Shorten(domain.Clean(b.String()), domain.DataSourceDescriptionMax)
}

// heading returns the text that tables show above a column.
func heading(c *frame.Column) string {
	text := columns.Heading(&domain.Column{Name: c.Name, Type: domain.ColumnType(c.Type), Description: c.Title})
	if short := domain.ShortenAtWord(text, headingMax); short != strings.TrimSpace(text) {
		return short + "…"
	}
	return text
}

// facts returns a sentence about the range of the first column of dates, and one for each of the first columns
// with few values.
func facts(all []frame.Column) string {
	var b strings.Builder
	for i := range all {
		c := &all[i]
		// Only the first column of dates with a range is named.
		first, errFirst := time.Parse(time.DateOnly, firstDay(c.Min))
		last, errLast := time.Parse(time.DateOnly, firstDay(c.Max))
		if kind := domain.ColumnType(c.Type); (kind == domain.ColumnDate || kind == domain.ColumnTime) && errFirst == nil && errLast == nil {
			fmt.Fprintf(&b, " %s is from %s to %s.", heading(c), first.Format(dayText), last.Format(dayText))
			break
		}
	}
	count := 0
	for i := range all {
		c := &all[i]
		if count == listed {
			break
		}
		// All values of the column must be known, or the sentence would be wrong.
		if domain.ColumnType(c.Type) != domain.ColumnText || c.Distinct < 2 || c.Distinct > fewValues || int64(len(c.Values)) != c.Distinct ||
			slices.ContainsFunc(c.Values, func(v string) bool { return domain.Length(v) > valueTextMax }) {
			continue
		}
		count++
		fmt.Fprintf(&b, " %s is %s.", heading(c), specialist.List(c.Values, "or"))
	}
	return b.String()
}

// dayText is the layout of a day in a sentence.
const dayText = "2 January 2006"

// firstDay returns the date part of a timestamp.
// A text that is shorter is no date and fails later.
func firstDay(s string) string { return s[:min(len(s), len(time.DateOnly))] }

// describeAll proposes the description of a file of several tables.
func describeAll(title string, tables []frame.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d tables of %s: ", len(tables), title)
	for i, t := range tables {
		// As many tables are named as columns in the description of one.
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

// thousands formats 12480 as 12,480.
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

// counted returns a number with its noun, which is in the plural unless the number is 1.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}
