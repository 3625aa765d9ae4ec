package check

import (
	"fmt"
	"slices"

	"parley.dev/parley/analyst/query"
)

// Plan is what is checked of the result of one query. Columns are places in the result, and controls are places in the one row of
// the control, from 0. The zero Plan checks nothing.
type Plan struct {
	// Control is a statement that runs together with the query; empty if no check needs one.
	Control string   `json:"control,omitempty"`
	Totals  []Total  `json:"totals,omitempty"`
	Again   []Again  `json:"again,omitempty"`
	Shares  []Share  `json:"shares,omitempty"`
	Levels  []Level  `json:"levels,omitempty"`
	Counts  []Count  `json:"counts,omitempty"`
	Bounds  []Bounds `json:"bounds,omitempty"`
	// Repeats and Probes are of statements of which only the plan is known.
	Repeats []Repeat `json:"repeats,omitempty"`
	Probes  []Probe  `json:"probes,omitempty"`
	// Probe finds why a result is empty; nil if the question has no conditions that could be the reason.
	Probe *Probe `json:"probe,omitempty"`
	// Grouped is how many columns, the first ones, say which group a row is; Figures are the columns that hold figures. Without
	// figures the rows themselves are the answer.
	Grouped int   `json:"grouped,omitempty"`
	Figures []int `json:"figures,omitempty"`
	// Unmade says why the checks could not be made, which is a fault of this program; empty if they were.
	Unmade string `json:"unmade,omitempty"`
}

// Uncontrolled leaves out what needs a control, for databases in which none runs.
func (p *Plan) Uncontrolled() *Plan {
	out := *p
	out.Control, out.Totals, out.Again, out.Levels, out.Counts = "", nil, nil, nil, slices.Clone(p.Counts)
	for i := range out.Counts {
		out.Counts[i].Control = -1
	}
	return &out
}

// New makes the checks of a question whose statement has these headings; without any its columns are as the tree has them. The
// statement says whether it joins, for a total that is added up over one table needs no control. Its errors are those of writing a
// statement for a tree that could be compiled before, so they are faults of this program.
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
	p := places{headings: headings}
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
	// One aggregate over one table, without a join, has nothing that a second way could find.
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

// addFree adds the checks of a figure that need nothing but the result.
func (p *Plan) addFree(f *query.OutlineFigure, at, digits int, o *query.Outline, places *places) {
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

// places finds the columns of a tree in a result with headings.
type places struct{ headings []query.Heading }

// of returns where a column is in the result, and to how many digits it is rounded, 0 for not at all; -1 if it is not there.
func (p *places) of(column int) (at, digits int) {
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
func (p *places) percent(column int) bool {
	at, _ := p.of(column)
	return at >= 0 && len(p.headings) > 0 && p.headings[at].Percent
}
