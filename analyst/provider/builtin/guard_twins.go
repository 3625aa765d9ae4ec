package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist"
)

// guardTwins refuses a number that several tables have alike, such as one sheet for each year, if
// nothing in the question says which table is meant.
func (p *planner) guardTwins(f *form) {
	if f.blocked || f.mode == modeDescribe || f.named() {
		return
	}
	var used []*column
	measured := slices.ContainsFunc(f.measures, func(m measure) bool { return m.col != nil })
	for _, c := range f.view.base.columns {
		if f.uses(c) {
			used = append(used, c)
			measured = measured || c.isNumber()
		}
	}
	if !measured || len(used) == 0 {
		return // the plan says which table's rows are counted
	}
	names := []string{f.view.base.label()}
	for _, v := range p.views {
		if v != f.view && !f.view.joins(v.base) && !v.joins(f.view.base) && f.readsFrom(v.base, used) {
			names = append(names, v.base.label())
		}
	}
	if len(names) == 1 {
		return
	}
	i := max(0, slices.IndexFunc(used, (*column).isNumber))
	f.ask(fmt.Sprintf("%s is in %s. Please say which of them you mean.", quoteName(used[i]), specialist.List(names, "and")))
}

// readsFrom reports whether a table has all columns that a form uses, with the same names and values.
func (f *form) readsFrom(t *table, used []*column) bool {
	for _, c := range used {
		i := slices.IndexFunc(t.columns, func(o *column) bool { return strings.EqualFold(o.Name, c.Name) && o.kind() == c.kind() })
		if i < 0 {
			return false
		}
		for _, w := range f.where {
			if w.col == c && len(t.columns[i].Values) > 0 && slices.ContainsFunc(w.values, func(v string) bool {
				return !slices.Contains(t.columns[i].Values, v)
			}) {
				return false
			}
		}
	}
	return true
}

// named reports whether the question names the table that is read.
func (f *form) named() bool {
	if f.view.base.ofYear(f.tokens) != "" {
		return true
	}
	for i := range f.atoms {
		for _, l := range f.atoms[i].links {
			if l.table == f.view.base && l.quality > 0.55 {
				return true
			}
		}
	}
	return false
}

// ofYear returns the year that is in the name of the table and in the question, such as 2025 for a
// sheet called 2025; "" if there is none.
func (t *table) ofYear(ts []token) string {
	for _, w := range append(splitName(t.Title), splitName(t.Name)...) {
		if len(w) == 4 && onlyDigits(w) && slices.ContainsFunc(ts, func(x token) bool { return x.norm == w || x.text == w }) {
			return w
		}
	}
	return ""
}
