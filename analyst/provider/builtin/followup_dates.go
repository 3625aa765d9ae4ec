package builtin

import "slices"

// onDateBefore reads a time that names no date by the date of the question before: "and in 2025?" after those who left in 2026 is about
// the exits, although the main date of the table is another one.
func (f *form) onDateBefore(c condition, now *form) condition {
	if c.op != opSpan && c.op != opRecurring || c.col.made != nil {
		return c
	}
	for i := range now.atoms {
		for _, l := range now.atoms[i].links {
			if l.column != nil && !l.isValue && l.column.Column == c.col.Column {
				return c
			}
		}
	}
	var dates []*column
	add := func(d *column) {
		if d != nil && d.isDate() && d.made == nil && d.table == c.col.table && !slices.Contains(dates, d) {
			dates = append(dates, d)
		}
	}
	for _, w := range f.where {
		if w.other == nil && w.op != opNull {
			add(w.col)
		}
	}
	for _, d := range f.dims {
		add(d.col)
	}
	if len(dates) == 1 {
		c.col = dates[0]
	}
	return c
}
