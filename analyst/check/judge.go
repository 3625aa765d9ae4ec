package check

import (
	"math"
	"strings"

	"parley.dev/parley/domain"
)

// Kind is a kind of check. Its text is a metric label.
type Kind string

// The kinds of checks.
const (
	// KindTotal: the groups add up to the figure over all rows, computed at its own table.
	KindTotal Kind = "total"
	// KindFigures: figures that do not add up are the same if they are computed a second time, without a join.
	KindFigures Kind = "figures"
	// KindShares: the parts of a whole add up to it.
	KindShares Kind = "shares"
	// KindLevel: a level is read at one period.
	KindLevel Kind = "level"
	// KindCounts: counts are whole numbers, and no group has more than all rows.
	KindCounts Kind = "counts"
	// KindBounds: a mean and a median lie between the lowest and the highest value.
	KindBounds Kind = "bounds"
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{KindTotal, KindFigures, KindShares, KindLevel, KindCounts, KindBounds}
}

// Outcome is the outcome of a check. Its text is a metric label.
type Outcome string

// The outcomes.
const (
	Passed Outcome = "passed"
	Failed Outcome = "failed"
	// Skipped means that the control was not computed in time, or that the result was cut at its limit.
	Skipped Outcome = "skipped"
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome { return []Outcome{Passed, Failed, Skipped} }

// Report is the outcome of all checks of a result.
type Report struct {
	// Passed has the kinds whose checks all passed, Skipped those with a skipped check and no failed one.
	Passed  []Kind `json:"passed,omitempty"`
	Skipped []Kind `json:"skipped,omitempty"`
	// Failures are the failed checks. If there are any, the figures must not be shown.
	Failures []Failure `json:"failures,omitempty"`
	// Empty is the reason why a result is empty; "" if it is not empty, or if no reason was found.
	Empty string `json:"empty,omitempty"`
}

// Failure is a failed check, with a text for people.
type Failure struct {
	Kind Kind   `json:"kind"`
	Said string `json:"said"`
	// Fix tells the author of the statement how to correct it, empty if unknown.
	Fix string `json:"mend,omitempty"`
}

// IsZero reports whether nothing was checked and nothing is explained.
func (r *Report) IsZero() bool {
	return len(r.Passed)+len(r.Skipped)+len(r.Failures) == 0 && r.Empty == ""
}

// Outcomes calls f with each kind and its outcome.
func (r *Report) Outcomes(f func(Kind, Outcome)) {
	for _, k := range r.Passed {
		f(k, Passed)
	}
	for _, k := range r.Skipped {
		f(k, Skipped)
	}
	reported := map[Kind]bool{}
	for _, failure := range r.Failures {
		if !reported[failure.Kind] {
			f(failure.Kind, Failed)
		}
		reported[failure.Kind] = true
	}
}

// Judge checks a result. control has the one row of Plan.Control; nil if there is none.
func (p *Plan) Judge(result, control *domain.ResultSet) Report {
	v := &verdict{rows: result.Rows, cut: result.Truncated}
	if control != nil && len(control.Rows) == 1 {
		v.control = control.Rows[0]
	}
	for _, t := range p.Totals {
		v.record(KindTotal)(t.judge(v))
	}
	for _, a := range p.Again {
		v.record(KindFigures)(a.judge(v))
	}
	for _, r := range p.Repeats {
		o, said, fix := r.judge(v)
		v.record(KindTotal)(o, said)
		if o == Failed {
			v.failures[len(v.failures)-1].Fix = fix
		}
	}
	for _, s := range p.Shares {
		v.record(KindShares)(s.judge(v))
	}
	for _, l := range p.Levels {
		v.record(KindLevel)(l.judge(v))
	}
	for _, c := range p.Counts {
		v.record(KindCounts)(c.judge(v))
	}
	for _, b := range p.Bounds {
		v.record(KindBounds)(b.judge(v))
	}
	if p.Unmade != "" {
		v.record(KindTotal)(Skipped, "")
	}
	return v.report()
}

// verdict collects the outcomes.
type verdict struct {
	rows [][]any
	// cut means that the result has more rows than these.
	cut bool
	// control is the row of the control; nil if it is unknown.
	control  []any
	outcomes map[Kind]Outcome
	failures []Failure
}

// record adds the outcome of a check. The worst outcome of each kind is kept.
func (v *verdict) record(k Kind) func(Outcome, string) {
	return func(o Outcome, said string) {
		if v.outcomes == nil {
			v.outcomes = map[Kind]Outcome{}
		}
		if o == Failed {
			v.failures = append(v.failures, Failure{Kind: k, Said: said})
		}
		if was := v.outcomes[k]; was == "" || o == Failed || o == Skipped && was == Passed {
			v.outcomes[k] = o
		}
	}
}

// Fix is the message to the statement's author instead of its figures; empty if no check failed.
func (r *Report) Fix() string {
	if r == nil {
		return ""
	}
	var lines []string
	for _, f := range r.Failures {
		lines = append(lines, strings.TrimSpace("Not shown: "+f.Said+" "+f.Fix))
	}
	return strings.Join(lines, "\n")
}

func (v *verdict) report() Report {
	out := Report{Failures: v.failures}
	for _, k := range Kinds() {
		switch v.outcomes[k] {
		case Passed:
			out.Passed = append(out.Passed, k)
		case Skipped:
			out.Skipped = append(out.Skipped, k)
		case Failed:
		}
	}
	return out
}

// controlNumber returns a figure of the control. known is false if there is no control; has is false if the figure is NULL.
func (v *verdict) controlNumber(at int) (n float64, has, known bool) {
	if at < 0 || at >= len(v.control) {
		return 0, false, false
	}
	n, has = domain.CellNumber(v.control[at])
	return n, has, has || v.control[at] == nil
}

// column returns the numbers of a column. ok is false if a value is neither a number nor NULL, such as infinity.
func (v *verdict) column(at int) (values []float64, ok bool) {
	for _, row := range v.rows {
		if at < 0 || at >= len(row) {
			return nil, false
		}
		n, has := domain.CellNumber(row[at])
		switch {
		case has:
			values = append(values, n)
		case row[at] != nil:
			return nil, false
		}
	}
	return values, true
}

// rounding is the largest error of a number rounded to this many digits; 0 if it is not rounded.
func rounding(digits int) float64 {
	if digits <= 0 {
		return 0
	}
	return 0.5 * math.Pow10(-digits) * (1 + 1e-9)
}
