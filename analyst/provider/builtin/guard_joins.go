package builtin

import (
	"fmt"
	"slices"

	"parley.dev/parley/analyst/specialist"
)

// guardSides refuses numbers of a joined table that the join repeats: the budget of a department is in
// the row of each of its employees, so a sum, a mean or a count would include it once for each
// employee. The highest and the lowest value, and the number of distinct values, are not affected.
func (p *parser) guardSides() { p.form.guardRepeats() }

func (f *form) guardRepeats() {
	if c := f.repeated(); c != nil {
		f.fanned = true
		f.block(fmt.Sprintf("%s is a number of %s, and each of them belongs to several %s here; adding it up would count it more than "+
			"once. Ask of %s alone.",
			quoteName(c), c.table.entity(), f.view.base.entity(), c.table.entity()))
	}
	f.guardMissing()
	f.guardFar()
}

// guardFar refuses an assumed count of rows if a table is used that is joined through another one: a question about titles borrowed
// in March does not ask for the number of loans of each title.
func (f *form) guardFar() {
	if f.mode != modeGroups || !slices.ContainsFunc(f.measures, func(m measure) bool {
		return m.assumed && m.agg == aggCount &&
			m.col == nil
	}) {
		return
	}
	for _, t := range f.used() {
		if t.joinedIndirectly() {
			f.block(fmt.Sprintf("I could not tell what to count for %s.", t.entity()))
		}
	}
}

// repeated returns the first number that would be included more than once, or nil.
func (f *form) repeated() *column {
	many := func(c *column) bool {
		if c == nil {
			return false
		}
		if c.made != nil {
			c = c.made.a
		}
		return c.table != f.view.base && !c.table.onceInBase()
	}
	for _, m := range f.measures {
		switch m.agg {
		case aggMin, aggMax, aggDistinct:
		default:
			if many(m.col) && !f.fromOwnTable(m) {
				return m.col
			}
		}
		if many(m.over) {
			return m.over
		}
	}
	if f.mode == modeRows && many(f.orderCol) && f.orderCol.isNumber() && !f.orderCol.isDate() {
		return f.orderCol
	}
	return nil
}

// fromOwnTable reports whether a total of a joined table can be computed over that table's own rows, where no join repeats them:
// the budgets of departments next to the salaries of their employees. Each of these rows must have the groups and the conditions.
func (f *form) fromOwnTable(m measure) bool {
	if f.mode != modeGroups || m.agg != aggSum || m.col == nil || m.col.made != nil || m.over != nil || m.per != nil || m.each != grainNone ||
		m.minus || m.col.table == f.view.base || m.col.table.onceInBase() || f.counted != nil {
		return false
	}
	own := func(c *column) bool { return c.made == nil && c.table.through(m.col.table) }
	return !slices.ContainsFunc(f.where, func(w condition) bool { return !own(w.col) || w.other != nil || len(w.also) > 0 }) &&
		!slices.ContainsFunc(f.dims, func(d dimension) bool { return !own(d.col) }) && (f.shareOf == nil || own(f.shareOf.col))
}

// noteOwnTables says that figures of several tables do not repeat each other's rows. Numbers of two tables that are named together,
// without a word that says how they relate, are totals of both: the total of one and the mean of the other cannot be compared.
func (f *form) noteOwnTables() {
	if !slices.ContainsFunc(f.measures, f.fromOwnTable) {
		return
	}
	f.note(ownTablesNote)
	if slices.ContainsFunc(f.measures, func(m measure) bool { return !m.assumed }) {
		return
	}
	for i := range f.measures {
		if m := &f.measures[i]; m.agg == aggAvg && m.col != nil && (!m.col.rate() || m.col.pay()) && m.each == grainNone {
			m.agg = aggSum
		}
	}
}

// noteOrphans says how many rows name something that a joined table does not have. They have none of its values: in a question by
// such a value they are a group without a name, and no condition on it is met by them.
func (f *form) noteOrphans() {
	for _, t := range f.view.joined {
		used := func(c *column) bool { return c != nil && c.made == nil && c.table == t }
		if !slices.ContainsFunc(f.dims, func(d dimension) bool { return used(d.col) }) &&
			!slices.ContainsFunc(f.where, func(w condition) bool { return used(w.col) }) {
			continue
		}
		for at := t; at.from != nil; at = at.from {
			if len(at.via) == 0 {
				continue
			}
			last := at.via[len(at.via)-1]
			if n := last.Link.Orphans; n > 0 && !last.Backward {
				verb := "name"
				if n == 1 {
					verb = "names"
				}
				f.note(fmt.Sprintf("%s of the %s %s %s a %s that `%s` does not have.", specialist.Format(float64(n)),
					specialist.Format(float64(at.from.Rows)), at.from.entity(), verb, last.Link.Entity, at.label()))
			}
		}
	}
}

// pay reports whether a number is what a person earns: people are compared by its mean, but its total is meaningful too.
func (c *column) pay() bool {
	return c.earns() || slices.ContainsFunc(c.words, func(w string) bool { return isOne(w, stem("salary"), stem("wage")) })
}

// guardMissing refuses to count a joined table by its key if the base does not have a row for each key:
// orders without a payment do not occur in the payments.
func (f *form) guardMissing() {
	for _, m := range f.measures {
		for _, t := range f.view.joined {
			if t.on == nil || t.covered() {
				continue
			}
			switch {
			case m.per == t.on && t.joinedIndirectly():
				f.note(fmt.Sprintf("Only %s that have %s count.", t.entity(), f.view.base.entity()))
			case m.per == t.on:
				f.note(fmt.Sprintf("Only %s that have %s count; %d of %d do.", t.entity(), f.view.base.entity(), t.on.Distinct, t.Rows))
			}
			if m.agg != aggDistinct || m.col != t.on {
				continue
			}
			// What is joined through the table belongs to it: the doctors of the visits.
			own := func(c *column) bool { return c == t.on || c.table.through(t) }
			others := slices.ContainsFunc(f.where, func(w condition) bool { return !own(w.col) }) ||
				slices.ContainsFunc(f.dims, func(d dimension) bool { return !own(d.col) })
			if !others {
				f.fanned = true
				f.block(fmt.Sprintf("Some %s have no %s, so they would be missing from a count over %s.", t.entity(),
					f.view.base.entity(), f.view.base.entity()))
			}
		}
	}
}
