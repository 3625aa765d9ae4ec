package builtin

import (
	"fmt"
	"slices"

	"parley.dev/parley/analyst/specialist"
)

// empties is a count after a number that is alone in the result: the rows in which the column is empty
// or, without a column, all rows.
type empties struct{ col *column }

func (e empties) name() string {
	if e.col == nil {
		return "rows"
	}
	return "rows_without_" + snake(e.col.saidTitle())
}

// empties returns the counts that the query of a form adds after its measures. Groups have no such
// counts: they would be further numbers next to the number of each group, in its table and chart.
func (f *form) empties() []empties {
	if f.mode != modeGroups || len(f.dims) > 0 || f.share || len(f.having) > 0 {
		return nil
	}
	var out []empties
	for _, c := range f.incomplete() {
		out = append(out, empties{c})
	}
	if len(out) > 0 {
		out = append(out, empties{})
	}
	return out
}

// incomplete returns the columns that are measured and are empty in some rows.
func (f *form) incomplete() []*column {
	if f.stat != nil || f.mode != modeGroups && f.mode != modeCorrelation {
		return nil
	}
	var out []*column
	for _, m := range f.measures {
		if c := m.col; c != nil && c.Nulls > 0 && m.agg != aggCount && !f.fromOwnTable(m) && c.table.Rows > 0 && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// empty says how many rows of a measure do not count: as the query counted them, or else from the
// statistics of the source, which do not take filters into account.
func (t *teller) empty() []string {
	columns := t.form.incomplete()
	from := len(t.form.measures) // position of the counts; the last one counts all rows
	counted := len(t.rows) == 1 && len(t.rows[0]) == from+len(columns)+1
	var out []string
	for i, c := range columns {
		if counted {
			if text := t.emptyRows(c, from+i, from+len(columns)); text != "" {
				out = append(out, text)
			}
			continue
		}
		if len(t.form.where) > 0 {
			out = append(out, fmt.Sprintf("Rows where %s is empty do not count.", quoteName(c)))
			continue
		}
		out = append(out, fmt.Sprintf("%s is empty in %s of %s rows (%s); those do not count.", quoteName(c),
			specialist.Format(float64(c.Nulls)), specialist.Format(float64(c.table.Rows)),
			specialist.Percent(100*float64(c.Nulls)/float64(c.table.Rows))))
	}
	return out
}

// emptyRows says how many cells of the one row's column are empty; it returns "" if none is.
func (t *teller) emptyRows(c *column, at, all int) string {
	n, isCount := specialist.Number(t.cell(0, at))
	if !isCount || n == 0 {
		return ""
	}
	return fmt.Sprintf("%s is empty in %s of %s; %s.", quoteName(c), marked(0, at, specialist.Format(n)), t.counted(0, all, "row"),
		map[bool]string{true: "it does not count", false: "those do not count"}[n == 1])
}
