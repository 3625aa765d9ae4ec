package check

import (
	"fmt"
	"slices"

	"parley.dev/parley/analyst/query"
)

// Plan is what is checked of the result of one query. Columns are indexes of the result, and controls are indexes of the
// control's one row, from 0. The zero Plan checks nothing.
type Plan struct {
	// Control is a statement that runs together with the query; empty if no check needs it.
	Control string   `json:"control,omitempty"`
	Totals  []Total  `json:"totals,omitempty"`
	Again   []Again  `json:"again,omitempty"`
	Shares  []Share  `json:"shares,omitempty"`
	Levels  []Level  `json:"levels,omitempty"`
	Counts  []Count  `json:"counts,omitempty"`
	Bounds  []Bounds `json:"bounds,omitempty"`
	// Repeats and Probes are derived from the plan of a statement without a query tree.
	Repeats []Repeat `json:"repeats,omitempty"`
	Probes  []Probe  `json:"probes,omitempty"`
	// Probe finds why a result is empty; nil if the question has no condition that could be the reason.
	Probe *Probe `json:"probe,omitempty"`
	// Grouped is the number of leading columns that identify the group of a row; Figures are the columns with figures. Without
	// figures the rows are the answer.
	Grouped int   `json:"grouped,omitempty"`
	Figures []int `json:"figures,omitempty"`
	// Unmade is the reason why the checks could not be created, which is an error of this program; empty if they were.
	Unmade string `json:"unmade,omitempty"`
}

// Uncontrolled removes what needs a control, for databases in which no control runs.
func (p *Plan) Uncontrolled() *Plan {
	out := *p
	out.Control, out.Totals, out.Again, out.Levels, out.Counts = "", nil, nil, nil, slices.Clone(p.Counts)
	for i := range out.Counts {
		out.Counts[i].Control = -1
	}
	return &out
}

// New creates the checks of a question whose statement has these headings; without headings its columns are those of the query
// tree. The statement says whether it has a join, because a total over one table needs no control. An error here is an error of
// this program, because the query tree was compiled before.
func New(a query.Ask, d query.Dialect, headings []query.Heading, s query.Statement) (*Plan, error) {
	out := &Plan{}
	probe, err := query.NewProbe(a, d)
	if err != nil {
		return nil, fmt.Errorf("probe a question: %w", err)
	}
	if probe.SQL != "" {
		out.Probe = newProbe(probe)
	}
	control, err := query.NewControl(a, d)
	if err != nil {
		return nil, fmt.Errorf("control a question: %w", err)
	}
	o := query.NewOutline(a)
	out.Grouped = o.Grouped
	p := columnPlaces{headings: headings}
	for i := range o.Figures {
		f := &o.Figures[i]
		at, digits := p.of(f.Column)
		if at < 0 {
			continue
		}
		out.Figures = append(out.Figures, at)
		out.addControlled(f, at, digits, &o, &control, s.Joined, p.percent(f.Column))
		out.addFree(f, at, digits, &o, &p)
	}
	if len(out.Totals)+len(out.Again)+len(out.Levels) > 0 || slices.ContainsFunc(out.Counts, func(c Count) bool { return c.Control >= 0 }) {
		out.Control = control.SQL
	}
	out.Bounds = newBounds(o.Figures, &p)
	return out, nil
}

// addControlled adds the checks of a figure that need a control.
func (p *Plan) addControlled(
	f *query.OutlineFigure, at, digits int, o *query.Outline, control *query.Control, joined, percent bool,
) {
	i := slices.IndexFunc(control.Figures, func(c query.ControlFigure) bool { return c.Column == f.Column })
	if i < 0 {
		if f.Counts {
			p.Counts = append(p.Counts, Count{Column: at, Control: -1})
		}
		return
	}
	c := control.Figures[i]
	if c.Again {
		if joined {
			p.Again = append(p.Again, Again{Column: at, Control: c.Value, Size: c.Size, Digits: digits, Percent: percent})
		}
		return
	}
	if c.Periods >= 0 {
		p.Levels = append(p.Levels, Level{Control: c.Periods})
	}
	// A second computation of one aggregate over one table, without a join, could find nothing.
	known := c.Value >= 0 && (joined || c.Periods >= 0)
	if known && f.Adds && !f.Distinct {
		p.Totals = append(p.Totals, Total{Column: at, Control: c.Value, Size: c.Size, Digits: digits})
	}
	if f.Counts {
		count := Count{Column: at, Control: -1, Distinct: f.Distinct}
		if known {
			count.Control = c.Value
		}
		count.Parts = !o.Overlap && !f.Distinct
		count.Whole = !o.Cut
		p.Counts = append(p.Counts, count)
	}
}

// addFree adds the checks of a figure that need only the result.
func (p *Plan) addFree(f *query.OutlineFigure, at, digits int, o *query.Outline, places *columnPlaces) {
	if !f.Part {
		return
	}
	s := Share{Column: at, Whole: 1, Digits: digits, Cut: o.Cut, Counts: f.PartOfCount}
	if places.percent(f.Column) {
		s.Whole = 100
	}
	for _, w := range f.Within {
		column, _ := places.of(w)
		s.Within = append(s.Within, column)
	}
	p.Shares = append(p.Shares, s)
}

// columnPlaces finds the columns of a query tree in a result with headings.
type columnPlaces struct{ headings []query.Heading }

// of returns the index of a column in the result and the digits to which it is rounded, 0 if it is not; -1 if the result lacks
// it.
func (p *columnPlaces) of(column int) (at, digits int) {
	if len(p.headings) == 0 {
		return column, 0
	}
	at = slices.IndexFunc(p.headings, func(h query.Heading) bool { return h.Column == column })
	if at < 0 {
		return -1, 0
	}
	return at, p.headings[at].Digits
}

// percent reports whether a part is written as a percentage.
func (p *columnPlaces) percent(column int) bool {
	at, _ := p.of(column)
	return at >= 0 && len(p.headings) > 0 && p.headings[at].Percent
}
