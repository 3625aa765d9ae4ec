package analyst

// The checks of the figures of statements that this program has not generated: those of models, memories and a plan's steps.
// They are derived from the engine's plan of the statement (guard.Derive). The worker runs their control together with the
// query.

import (
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/analyst/check"
	"parley.dev/parley/analyst/guard"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// derivedChecks returns the checks of a statement from its plan, with what could not be derived.
func derivedChecks(plan []byte) (*check.Plan, *guard.Derived) {
	if len(plan) == 0 {
		return &check.Plan{}, &guard.Derived{}
	}
	d := guard.Derive(plan)
	out := &check.Plan{Control: d.Control, Figures: d.Figures}
	if d.Grouped {
		out.Grouped = 1
	}
	for _, t := range d.Totals {
		out.Repeats = append(out.Repeats, check.Repeat{
			Column: t.Column, Joined: t.Joined, Once: t.Once, Size: t.Size, Digits: t.Digits, Cut: t.Cut, Total: t.Total, Table: t.Table,
		})
	}
	for _, s := range d.Shares {
		out.Shares = append(out.Shares, check.Share{
			Column: s.Column, Whole: s.Whole, Within: s.Within, Digits: s.Digits, Cut: s.Cut, Counts: s.Counts,
		})
	}
	for _, b := range d.Bounds {
		out.Bounds = append(out.Bounds, check.Bounds{Low: b.Low, High: b.High, Middle: b.Middle, Digits: b.Digits})
	}
	for _, c := range d.Counts {
		out.Counts = append(out.Counts, check.Count{Column: c, Control: -1})
	}
	for _, p := range d.Probes {
		one := check.Probe{SQL: p.SQL, Rows: p.Rows}
		for _, said := range p.Said {
			one.Filters = append(one.Filters, check.Filter{Said: said})
		}
		out.Probes = append(out.Probes, one)
	}
	return out, &d
}

// basis is the grade of an answer and its checks, as far as one result determines them.
type basis struct {
	Grade  domain.Grade         `json:"grade,omitempty"`
	Checks []domain.AnswerCheck `json:"checks,omitempty"`
	// Assumption is what the result took of the data although nobody said so; nil if a correction can change nothing.
	Assumption *domain.Assumption `json:"assumption,omitempty"`
}

// basisOf grades a result. d is nil for a statement that this program has generated; its grade comes with the answer.
func basisOf(verdict *guard.Verdict, report *check.Report, d *guard.Derived, assumed string) basis {
	out := basis{Grade: domain.GradeCertain}
	rows := domain.AnswerCheck{Kind: domain.CheckRows, Outcome: domain.CheckPassed}
	switch {
	case len(verdict.Faults) > 0:
		rows.Outcome, rows.Note, out.Grade = domain.CheckFailed, verdict.Faults[0].People, domain.GradeAssumed
	case len(verdict.Unchecked) > 0:
		rows.Outcome, rows.Note, out.Grade = domain.CheckUnchecked, uncheckedRows(verdict.Unchecked), domain.GradeUnchecked
	case assumed != "":
		rows.Note, out.Grade = assumed, domain.GradeAssumed
	}
	out.Checks = append(out.Checks, rows)
	if report != nil {
		report.Outcomes(func(k check.Kind, o check.Outcome) {
			c := domain.AnswerCheck{Kind: string(k), Outcome: string(o)}
			if i := slices.IndexFunc(report.Failures, func(f check.Failure) bool { return f.Kind == k }); i >= 0 {
				c.Note = report.Failures[i].Said
			}
			out.Checks = append(out.Checks, c)
			if o == check.Skipped {
				out.Grade = out.Grade.Weaker(domain.GradeUnchecked)
			}
		})
	}
	if d == nil {
		out.Grade = domain.GradeUnsaid
		return out
	}
	if len(d.Unchecked) > 0 {
		out.Grade = out.Grade.Weaker(domain.GradeUnchecked)
		out.Checks = leastReliable(append(out.Checks, domain.AnswerCheck{
			Kind: string(check.KindTotal), Outcome: domain.CheckUnchecked, Note: uncheckedTotals(d.Unchecked),
		}))
	}
	return out
}

// leastReliable keeps the least reliable outcome of each kind.
func leastReliable(list []domain.AnswerCheck) []domain.AnswerCheck {
	order := map[string]int{domain.CheckPassed: 0, domain.CheckSkipped: 1, domain.CheckUnchecked: 2, domain.CheckFailed: 3}
	var out []domain.AnswerCheck
	at := map[string]int{}
	for _, c := range list {
		i, have := at[c.Kind]
		switch {
		case !have:
			at[c.Kind] = len(out)
			out = append(out, c)
		case order[c.Outcome] > order[out[i].Outcome]:
			out[i] = c
		}
	}
	return out
}

func uncheckedRows(why []string) string {
	return "Not checked for double counting (" + strings.Join(why, "; ") + ")."
}

func uncheckedTotals(why []string) string {
	return "Its totals are not checked in a second way (" + strings.Join(why, "; ") + ")."
}

// assumedSum returns what a statement that others wrote adds up although nothing says that it adds up, and the correction that
// would say so or otherwise; empty and nil if there is nothing such.
func assumedSum(m *meaning.Meaning, d *guard.Derived) (note string, taken *domain.Assumption) {
	if m == nil || d == nil {
		return "", nil
	}
	for _, s := range d.Sums {
		for i := range m.Tables {
			t := &m.Tables[i]
			if SchemaName(t.Source) != s.Source || !strings.EqualFold(t.Name, s.Table) {
				continue
			}
			for j := range t.Columns {
				if c := &t.Columns[j]; strings.EqualFold(c.Name, s.Column) && c.Number != nil && c.Number.Adds == meaning.Unknown {
					return "Nothing says whether " + strconv.Quote(c.Name) + " adds up; it was added up here.", addedUp(t, c)
				}
			}
		}
	}
	return "", nil
}

// addedUp is the assumption that a column adds up.
func addedUp(t *meaning.Table, c *meaning.Column) *domain.Assumption {
	says := func(a meaning.Adds) domain.Statement {
		return domain.Statement{Field: meaning.FieldAdds, Value: string(a)}
	}
	out := &domain.Assumption{Source: t.Source, Table: t.Name, Column: c.Name, Taken: says(meaning.Amount)}
	if t.Snapshot != nil {
		out.Others = append(out.Others, says(meaning.Level))
	}
	out.Others = append(out.Others, says(meaning.Rate))
	// A name that no correction accepts is only said in words.
	if one := (domain.Annotation{Assumptions: []domain.Assumption{*out}}); one.Validate() != nil {
		return nil
	}
	return out
}

// graded returns the grade of the answer so far, from all results except asides. If results were withheld and none is shown,
// the grade is refused.
func (r *run) graded() basis {
	var out basis
	for _, t := range r.results[r.firstResult:] {
		if t.aside {
			continue
		}
		out.Grade = out.Grade.Weaker(t.basis.Grade)
		out.Checks = leastReliable(append(out.Checks, t.basis.Checks...))
	}
	if len(out.Checks) == 0 && r.withheld > r.withheldBefore {
		out.Grade, out.Checks = domain.GradeRefused, r.failures
	}
	return out
}
