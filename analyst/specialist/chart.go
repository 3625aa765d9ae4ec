package specialist

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// Kind is the kind of a chart.
type Kind string

// The kinds that a result may be drawn as.
const (
	Column  Kind = "column"
	Bar     Kind = "bar"
	Line    Kind = "line"
	Area    Kind = "area"
	Pie     Kind = "pie"
	Scatter Kind = "scatter"
)

// ChartWish is what a model may refine. A kind that does not suit the columns is
// not taken; the derived one is used instead.
type ChartWish struct {
	Kind  Kind
	Title string
}

// Chart is a derived chart.
type Chart struct {
	Kind   Kind
	Title  string
	Series int
	Points int
	// Columns are those that are drawn, as people read them; nil where nobody said.
	Columns []domain.ShownColumn
	// Kinds are those that suit the result, the derived one first.
	Kinds []Kind
	// Options is Highcharts' configuration: plain JSON without functions, addresses or markup.
	Options json.RawMessage
}

// Describe says what the chart is, for models and progress.
func (c *Chart) Describe() string {
	series := "1 series"
	if c.Series != 1 {
		series = fmt.Sprintf("%d series", c.Series)
	}
	return fmt.Sprintf("%s chart with %s of up to %d points", c.Kind, series, c.Points)
}

// Why a result does not make a chart.
var (
	ErrEmpty     = errors.New("a chart needs at least two rows")
	ErrNoMeasure = errors.New("a chart needs a column of numbers")
	ErrNoAxis    = errors.New("a chart needs a column to group by, or a second column of numbers")
)

// Bounds of what still reads as a chart.
const (
	maxSeries     = 8
	maxCategories = 200
	maxPie        = 8
	maxPoints     = 2000
	// maxCourse is how many points along a time a viewer takes, of all series together.
	maxCourse = 10_000
	// barsAt is from how many categories on columns lie down to keep their labels readable.
	barsAt = 9
	// longLabel is from how many characters on a label does not fit under a column.
	longLabel = 14
	// rotateAt is the number of bars beyond which labels are rotated.
	rotateAt = 15
)

// DeriveChart picks the chart that a result's columns call for.
func DeriveChart(t *domain.ResultSet, w ChartWish) (*Chart, error) {
	if t == nil || len(t.Rows) < 2 {
		return nil, ErrEmpty
	}
	p, err := planOf(t)
	if err != nil {
		return nil, err
	}
	kind := p.kinds[0]
	switch {
	case slices.Contains(p.kinds, w.Kind):
		kind = w.Kind
	case w.Kind == Bar && slices.Contains(p.kinds, Column):
		// Bars over time stand upright.
		kind = Column
	}
	c := &Chart{Kind: kind, Title: plain(w.Title, 120), Kinds: p.kinds}
	if c.Title == "" {
		c.Title = p.title()
	}
	o := p.options(kind)
	o["title"] = map[string]any{"text": c.Title}
	c.Series, c.Points, c.Columns = p.series, p.points, p.drawn()
	if c.Options, err = json.Marshal(o); err != nil {
		return nil, fmt.Errorf("encode a chart: %w", err)
	}
	return c, nil
}

// plan is which column plays which part.
type plan struct {
	table    *domain.ResultSet
	axis     *profile   // what stands along the axis; nil for a scatter
	split    *profile   // what makes the series; nil for one series a measure
	measures []*profile // the numbers
	kinds    []Kind
	note     string // what was left out, shown below the title
	compared bool   // the series are a few periods of the same
	series   int
	points   int
	names
}

// planOf assigns the columns: a time or the first category along the axis, a
// second category as series, numbers as heights.
func planOf(t *domain.ResultSet) (*plan, error) {
	p := &plan{table: t}
	var times, categories []*profile
	for _, c := range profiles(t) {
		switch c.part {
		case partTime:
			times = append(times, c)
		case partCategory:
			categories = append(categories, c)
		case partMeasure:
			p.measures = append(p.measures, c)
		case partNone:
		}
	}
	if len(p.measures) == 0 {
		return nil, ErrNoMeasure
	}
	switch {
	case len(times) > 0:
		p.axis = times[0]
		p.timeKinds(categories)
	case len(categories) > 0:
		p.axis = categories[0]
		p.categoryKinds(categories)
	case len(p.measures) >= 2 && p.measures[0].steps:
		// Ages, hours, ranges: numbers that stand in a row make an axis.
		p.axis, p.measures = p.measures[0], p.measures[1:]
		p.kinds = []Kind{Column, Line, Area, Bar}
	case len(p.measures) >= 2 && len(t.Rows) >= 3:
		p.measures = p.measures[:2]
		p.kinds = []Kind{Scatter}
	default:
		return nil, ErrNoAxis
	}
	if p.axis != nil && p.split == nil {
		p.measures = comparable(p.measures)
	}
	p.onlyShare()
	p.nameNothing()
	return p, nil
}

// onlyShare draws the share alone where a result has one beside what it is of.
func (p *plan) onlyShare() {
	if p.axis == nil {
		return
	}
	for _, c := range profiles(p.table) {
		if c.part != partMeasure || !c.percent || !strings.HasPrefix(strings.ToLower(c.name), "share") {
			continue
		}
		p.measures = []*profile{c}
		pie := p.axis != nil && p.axis.part == partCategory && p.split == nil && p.axis.groups <= 6 && c.sum > 99 && c.sum < 101 && c.min >= 0
		if pie && !slices.Contains(p.kinds[:1], Pie) {
			p.kinds = append([]Kind{Pie}, slices.DeleteFunc(p.kinds, func(k Kind) bool { return k == Pie })...)
		}
		return
	}
}

// timeKinds: a course over time is a line; two or three points are columns.
func (p *plan) timeKinds(categories []*profile) {
	p.kinds = []Kind{Line, Column, Area}
	if p.periodsCompared(categories) {
		return
	}
	if p.axis.distinct <= 3 {
		p.kinds = []Kind{Column, Line, Area}
	}
	for _, c := range categories {
		if c.groups > 1 {
			p.split = c
			p.measures = p.measures[:1]
			return
		}
	}
}

// periodsCompared sets two or three periods beside each other for each category, of years up to four: this
// year's bar stands beside last year's, where the difference can be seen.
func (p *plan) periodsCompared(categories []*profile) bool {
	most := 3
	if p.axis.yearly() {
		most = 4
	}
	if p.axis.distinct < 2 || p.axis.distinct > most {
		return false
	}
	for _, c := range categories {
		if c.groups > 1 && c.groups*p.axis.groups >= len(p.table.Rows) {
			p.split, p.axis, p.compared = p.axis, c, true
			p.measures = p.measures[:1]
			p.kinds = []Kind{Column, Bar}
			if c.groups >= barsAt || c.longest > longLabel {
				p.kinds = []Kind{Bar, Column}
			}
			return true
		}
	}
	return false
}

// categoryKinds: columns while their labels fit, bars beyond, a pie only for few
// parts of a whole.
func (p *plan) categoryKinds(categories []*profile) {
	p.kinds = []Kind{Column, Bar}
	if p.axis.groups >= barsAt || p.axis.longest > longLabel {
		p.kinds = []Kind{Bar, Column}
	}
	if len(categories) > 1 && p.axis.groups < len(p.table.Rows) {
		// The column with fewer values makes the series, so that the axis carries the detail.
		p.split = categories[1]
		if p.split.groups > p.axis.groups {
			p.axis, p.split = p.split, p.axis
		}
		p.measures = p.measures[:1]
		return
	}
	if m := p.measures[0]; len(p.measures) == 1 && m.min >= 0 && m.sum > 0 && p.axis.groups <= maxPie && p.axis.groups == len(p.table.Rows) {
		if m.percent && m.sum > 99 && m.sum < 101 && p.axis.groups <= 6 {
			p.kinds = append([]Kind{Pie}, p.kinds...)
		} else {
			p.kinds = append(p.kinds, Pie)
		}
	}
	if p.axis.groups == len(p.table.Rows) && len(p.table.Rows) > 2 {
		p.kinds = append(p.kinds, Line)
	}
}

// comparable keeps the measures that can share an axis with the first one: the
// same unit, and no more than two orders of magnitude apart.
func comparable(all []*profile) []*profile {
	first := all[0]
	kept := []*profile{first}
	for _, m := range all[1:] {
		if m.percent != first.percent || m.unit() != first.unit() || len(kept) == 4 || strings.HasPrefix(m.name, "change") {
			continue
		}
		a, b := first.size(), m.size()
		if a == 0 || b == 0 || max(a, b)/min(a, b) <= 50 {
			kept = append(kept, m)
		}
	}
	return kept
}

// title is what the columns say of themselves.
func (p *plan) title() string {
	of := p.inWords(p.measures[0])
	if p.axis == nil {
		return plain(p.inWords(p.measures[1])+" against "+lowered(of), 120)
	}
	text := of + " by " + lowered(p.inWords(p.axis))
	if p.split != nil {
		text += " and " + lowered(p.inWords(p.split))
	}
	return plain(cmp.Or(Sentence(text), "Chart"), 120)
}
