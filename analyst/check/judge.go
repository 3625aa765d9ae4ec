package check

import (
	"math"
	"strings"

	"parley.dev/parley/domain"
)

// Kind is a kind of check. Its text is a label of a metric.
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

// Outcome is what came of a check. Its text is a label of a metric.
type Outcome string

// The outcomes.
const (
	Passed Outcome = "passed"
	Failed Outcome = "failed"
	// Skipped means that the control could not be computed in its time, or that the result was cut at its limit.
	Skipped Outcome = "skipped"
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome { return []Outcome{Passed, Failed, Skipped} }

// Report is what the checks of a result say.
type Report struct {
	// Passed and Skipped are the kinds of which all checks did so; each is there once.
	Passed  []Kind `json:"passed,omitempty"`
	Skipped []Kind `json:"skipped,omitempty"`
	// Failures are the checks that failed. The figures must then not be shown.
	Failures []Failure `json:"failures,omitempty"`
	// Empty says why a result is empty; empty if it is not, or if no reason was found.
	Empty string `json:"empty,omitempty"`
}

// Failure is a check that failed, with a sentence for people.
type Failure struct {
	Kind Kind   `json:"kind"`
	Said string `json:"said"`
	// Mend says to the one who wrote the statement how to mend it; empty if that is not known.
	Mend string `json:"mend,omitempty"`
}

// IsZero reports whether nothing was checked and nothing is explained.
func (r *Report) IsZero() bool {
	return len(r.Passed)+len(r.Skipped)+len(r.Failures) == 0 && r.Empty == ""
}

// Outcomes calls of with each kind that was checked and what came of it.
func (r *Report) Outcomes(of func(Kind, Outcome)) {
	for _, k := range r.Passed {
		of(k, Passed)
	}
	for _, k := range r.Skipped {
		of(k, Skipped)
	}
	told := map[Kind]bool{}
	for _, f := range r.Failures {
		if !told[f.Kind] {
			of(f.Kind, Failed)
		}
		told[f.Kind] = true
	}
}

// Judge checks a result. control is the one row of Plan.Control, or nil if there is none.
func (p *Plan) Judge(result, control *domain.ResultSet) Report {
	v := &verdict{rows: result.Rows, cut: result.Truncated}
	if control != nil && len(control.Rows) == 1 {
		v.control = control.Rows[0]
	}
	for _, t := range p.Totals {
		v.take(KindTotal)(t.judge(v))
	}
	for _, a := range p.Again {
		v.take(KindFigures)(a.judge(v))
	}
	for _, r := range p.Repeats {
		o, said, mend := r.judge(v)
		v.take(KindTotal)(o, said)
		if o == Failed {
			v.failures[len(v.failures)-1].Mend = mend
		}
	}
	for _, s := range p.Shares {
		v.take(KindShares)(s.judge(v))
	}
	for _, l := range p.Levels {
		v.take(KindLevel)(l.judge(v))
	}
	for _, c := range p.Counts {
		v.take(KindCounts)(c.judge(v))
	}
	for _, b := range p.Bounds {
		v.take(KindBounds)(b.judge(v))
	}
	if p.Unmade != "" {
		v.take(KindTotal)(Skipped, "")
	}
	return v.report()
}

// verdict collects what the checks say.
type verdict struct {
	rows [][]any
	// cut says that the result has more rows than these.
	cut bool
	// control is the row of the control; nil if it is not known.
	control  []any
	outcomes map[Kind]Outcome
	failures []Failure
}

// take keeps what a check says. Of several checks of a kind the worst outcome stays.
func (v *verdict) take(k Kind) func(Outcome, string) {
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

// Mend is what the one who wrote a statement is told in place of its figures; empty if no check failed.
func (r *Report) Mend() string {
	if r == nil {
		return ""
	}
	var lines []string
	for _, f := range r.Failures {
		lines = append(lines, strings.TrimSpace("Not shown: "+f.Said+" "+f.Mend))
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

// controlled returns a figure of the control. known is false if there is no control; has is false if the figure has no value.
func (v *verdict) controlled(at int) (n float64, has, known bool) {
	if at < 0 || at >= len(v.control) {
		return 0, false, false
	}
	n, has = number(v.control[at])
	return n, has, has || v.control[at] == nil
}

// column returns the values of a column that are numbers. ok is false if one is neither a number nor missing, such as an infinite
// one.
func (v *verdict) column(at int) (values []float64, ok bool) {
	for _, row := range v.rows {
		if at < 0 || at >= len(row) {
			return nil, false
		}
		n, has := number(row[at])
		switch {
		case has:
			values = append(values, n)
		case row[at] != nil:
			return nil, false
		}
	}
	return values, true
}

// number reads a cell; infinite numbers and such that are none are not read.
func number(cell any) (float64, bool) {
	switch v := cell.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	return 0, false
}

// rounding is the largest error of a number that is rounded to so many digits; 0 for one that is not rounded.
func rounding(digits int) float64 {
	if digits <= 0 {
		return 0
	}
	return 0.5 * math.Pow10(-digits) * (1 + 1e-9)
}
