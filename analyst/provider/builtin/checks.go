package builtin

import (
	"slices"

	"parley.dev/parley/analyst"
	checking "parley.dev/parley/analyst/check"
	"parley.dev/parley/domain"
)

// Notes that say how a figure came about and decide nothing. Every other note is about something that could be meant otherwise.
const (
	ownTablesNote = "Each figure is calculated from its own table."
	placesNote    = "Equal values each take a place."
)

// checks makes the checks of the form's answer from its query tree; nil for a statement that has none.
func (f *form) checks() *checking.Plan {
	if f.queryTree == nil {
		return nil
	}
	p, err := checking.New(f.queryTree.ask, f.dialect(), f.queryTree.headings, f.queryTree.statement)
	if err != nil {
		return &checking.Plan{Unmade: err.Error()}
	}
	if f.view.base.Dialect == domain.DialectPostgres {
		return p.Uncontrolled()
	}
	return p
}

// grade returns how certain an answer to the form is.
func (f *form) grade() domain.Grade {
	switch {
	case f == nil:
		return domain.GradeRefused
	case f.help:
		return domain.GradeUnsaid
	case f.asks && f.blocked:
		return domain.GradeAsked
	case !f.understood():
		return domain.GradeRefused
	case len(f.read)+len(f.ignored)+len(f.assumptions()) > 0:
		return domain.GradeAssumed
	case slices.ContainsFunc(f.notes, func(n string) bool { return n != ownTablesNote && n != placesNote }):
		return domain.GradeAssumed
	}
	return domain.GradeCertain
}

// checked returns what the checks of a result report: why it is empty, or what adds up.
func checked(r *analyst.ToolResult) string {
	if r.Check == nil {
		return ""
	}
	return joined(safeLine(r.Check.Empty, withheldMax), r.Check.Line())
}

// withheld says why a result is not shown.
func withheld(r *analyst.ToolResult) string {
	if r.Check != nil {
		return safeLine(r.Error, withheldMax)
	}
	return "I do not show the result, because a total in it would be wrong. " + safeLine(r.Error, withheldMax)
}
