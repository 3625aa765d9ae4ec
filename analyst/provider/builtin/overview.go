package builtin

import (
	"fmt"
	"strings"

	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/domain"
)

// overviewColumns is the maximum number of columns that an overview of a table describes.
const overviewColumns = 40

// These are the columns of an overview's result. Each of its rows describes a column of the table.
const (
	overviewName = iota
	overviewRows
	overviewEmpty
	overviewDifferent
	overviewLowest
	overviewHighest
)

// overview writes a query with one row for each column of the table, so that each number in the
// narration of the table is a cell.
func (f *form) overview() string {
	base, names := f.view.base, newResultNames(f.view)
	none, noEdge := f.emptyCell("BIGINT"), f.emptyCell("TEXT")
	selects := make([]string, 0, overviewColumns)
	for i, c := range base.columns[:min(len(base.columns), overviewColumns)] {
		name := f.name(c.Name)
		cells := []string{text(c.heading()), "count(*)", fmt.Sprintf("count(*) - count(%s)", name), none, noEdge, noEdge}
		if c.hasCount() {
			cells[overviewDifferent] = fmt.Sprintf("count(DISTINCT %s)", name)
		}
		if c.reaches() {
			cells[overviewLowest], cells[overviewHighest] = fmt.Sprintf("CAST(min(%s) AS VARCHAR)", name),
				fmt.Sprintf("CAST(max(%s) AS VARCHAR)", name)
		}
		if i == 0 {
			for k, word := range []string{"column_name", "rows", "empty", "different", "lowest", "highest"} {
				cells[k] = as(cells[k], f.name(names.free(word, false)))
			}
		}
		selects = append(selects, "SELECT "+strings.Join(cells, ", ")+"\nFROM "+tableName(base))
	}
	// The rows of a union are in the order of its parts.
	return strings.Join(selects, "\nUNION ALL\n")
}

// emptyCell returns an empty cell of a union. PostgreSQL takes the type of a column from the first part of a union.
func (f *form) emptyCell(kind string) string {
	if f.view.base.Dialect == domain.DialectPostgres {
		return "CAST(NULL AS " + kind + ")"
	}
	return "NULL"
}

// reaches reports whether a column is described by its lowest and highest value.
func (c *column) reaches() bool { return c.isDate() || c.kind() == domain.ColumnNumber }

// hasCount reports whether a column is described by its number of distinct values.
func (c *column) hasCount() bool { return !c.reaches() && !c.isBool() }

// described narrates the content of a table from the rows of the overview; values and descriptions come
// from the data source.
func (t *teller) described() narration {
	base := t.form.view.base
	var b strings.Builder
	shown := min(len(base.columns), overviewColumns)
	width := specialist.Format(float64(len(base.columns)))
	if len(t.rows) == len(base.columns) {
		width = rowCount(len(t.rows))
	}
	fmt.Fprintf(&b, "**%s** has **%s** and %s", specialist.Sentence(safe(base.label())), t.counted(0, overviewRows, "row"), width)
	b.WriteString(map[bool]string{true: " column", false: " columns"}[len(base.columns) == 1])
	if dates := base.dates(); len(dates) > 0 {
		for i, c := range base.columns[:shown] {
			if from, to, ok := t.span(i, c); ok && c == dates[0] {
				fmt.Fprintf(&b, ", from %s to %s", from, to)
			}
		}
	}
	b.WriteString(".")
	if text := ownWords(base.Table); text != "" {
		fmt.Fprintf(&b, " %s", text)
	}
	summary := strings.ReplaceAll(b.String(), "**", "")
	b.WriteString("\n")
	for i, c := range base.columns[:shown] {
		fmt.Fprintf(&b, "\n- %s: %s", quoteName(c), t.columnSaid(i, c))
	}
	if more := len(base.columns) - shown; more > 0 {
		fmt.Fprintf(&b, "\n- … and %s", count(more, "more column"))
	}
	return narration{answer: b.String(), summary: summary}
}

// counted returns a number of the overview with its noun.
func (t *teller) counted(row, column int, what string) string {
	n, ok := specialist.Number(t.cell(row, column))
	if !ok {
		return "no " + what + "s"
	}
	if n != 1 {
		what += "s"
	}
	return marked(row, column, specialist.Format(n)) + " " + what
}

// span returns the lowest and the highest value of a column; ok is false if the column is empty.
func (t *teller) span(row int, c *column) (from, to string, ok bool) {
	ends := [2]string{}
	for i, at := range []int{overviewLowest, overviewHighest} {
		cell, isText := t.cell(row, at).(string)
		if !isText || cell == "" {
			return "", "", false
		}
		said := safe(cell)
		switch {
		case c.isDate():
			said = dateText(firstDay(cell))
		case c.isNumber():
			said = quantity(parseNumber(cell), c)
		}
		ends[i] = marked(row, at, said)
	}
	return ends[0], ends[1], true
}

// columnSaid describes a column in words.
func (t *teller) columnSaid(row int, c *column) string {
	var parts []string
	from, to, reaches := t.span(row, c)
	different, isCounted := specialist.Number(t.cell(row, overviewDifferent))
	switch {
	case reaches && c.isDate():
		parts = append(parts, "from "+from+" to "+to)
	case reaches:
		parts = append(parts, "number, "+from+" to "+to)
	case c.isBool():
		parts = append(parts, "yes or no")
	case isCounted && len(c.Values) > 0:
		var values []string
		for _, v := range c.Values[:min(len(c.Values), 4)] {
			values = append(values, safe(domain.Shorten(v, 30)))
		}
		such := ", such as "
		if int(different) == len(values) {
			such = ": "
		}
		parts = append(parts, marked(row, overviewDifferent, specialist.Format(different))+" different"+such+specialist.List(values, "and"))
	case isCounted && different > 0:
		parts = append(parts, marked(row, overviewDifferent, specialist.Format(different))+" different")
	default:
		parts = append(parts, "no values")
	}
	if n, ok := specialist.Number(t.cell(row, overviewEmpty)); ok && n > 0 {
		parts = append(parts, marked(row, overviewEmpty, specialist.Format(n))+" empty")
	}
	if text := c.remark(); text != "" && text != "in "+c.sign {
		parts = append(parts, safe(domain.Shorten(text, 120)))
	}
	return strings.Join(parts, "; ")
}
