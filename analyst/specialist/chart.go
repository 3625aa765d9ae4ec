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

// The kinds of charts.
const (
	Column  Kind = "column"
	Bar     Kind = "bar"
	Line    Kind = "line"
	Area    Kind = "area"
	Pie     Kind = "pie"
	Scatter Kind = "scatter"
)

// ChartWish is what a model may choose. If its kind does not suit the columns, the derived
// kind is used instead.
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
	// Columns say how the drawn columns are shown; nil if that is not known.
	Columns []domain.ShownColumn
	// Kinds are the kinds that suit the result, the derived kind first.
	Kinds []Kind
	// Options is Highcharts' configuration: plain JSON without functions, addresses or markup.
	Options json.RawMessage
}

// Describe describes the chart, for models and progress.
func (c *Chart) Describe() string {
	series := "1 series"
	if c.Series != 1 {
		series = fmt.Sprintf("%d series", c.Series)
	}
	return fmt.Sprintf("%s chart with %s of up to %d points", c.Kind, series, c.Points)
}

// The reasons why a result cannot be drawn as a chart.
var (
	ErrEmpty     = errors.New("a chart needs at least two rows")
	ErrNoMeasure = errors.New("a chart needs a column of numbers")
	ErrNoAxis    = errors.New("a chart needs a column to group by, or a second column of numbers")
)

// The limits within which a chart is readable.
const (
	maxSeries     = 8
	maxCategories = 200
	maxPie        = 8
	maxPoints     = 2000
	// maxTimePoints is the maximum number of points on a time axis that a viewer accepts, of
	// all series together.
	maxTimePoints = 10_000
	// barsAt is the number of categories from which on bars are used instead of columns, to
	// keep their labels readable.
	barsAt = 9
	// longLabel is the number of characters beyond which a label does not fit under a column.
	longLabel = 14
	// rotateAt is the number of categories beyond which labels under an axis are rotated.
	rotateAt = 15
)

// DeriveChart chooses the chart that suits a result's columns.
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
		// Bars over time are always vertical.
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

// plan assigns the columns of a result to the parts of a chart.
type plan struct {
	table    *domain.ResultSet
	axis     *profile   // the column along the axis; nil for a scatter chart
	split    *profile   // the column that makes the series; nil for one series per measure
	measures []*profile // the numbers
	kinds    []Kind
	note     string // what was left out, shown below the title
	compared bool   // the series are a few periods that are compared
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
		// Ages, hours or ranges: evenly rising numbers make an axis.
		p.axis, p.measures = p.measures[0], p.measures[1:]
		p.kinds = []Kind{Column, Line, Area, Bar}
	case len(p.measures) >= 2 && len(t.Rows) >= 3:
		p.measures = p.measures[:2]
		p.kinds = []Kind{Scatter}
	default:
		return nil, ErrNoAxis
	}
	if p.axis != nil && p.split == nil {
		p.measures = sharingAxis(p.measures)
	}
	p.onlyShare()
	p.nameEmpty()
	return p, nil
}

// onlyShare keeps only the first share if a result has one, because the amounts next to it would
// show the same.
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

// timeKinds chooses the kinds for values over time: a line, or columns for two or three
// points.
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

// periodsCompared makes series of two or three periods, or of up to four years, so that for
// each category this year's bar is next to last year's and the difference can be seen.
func (p *plan) periodsCompared(categories []*profile) bool {
	limit := 3
	if p.axis.yearly() {
		limit = 4
	}
	if p.axis.distinct < 2 || p.axis.distinct > limit {
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

// categoryKinds chooses the kinds for categories: columns while their labels fit, otherwise
// bars, and a pie only for few parts of a whole.
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

// sharingAxis returns at most four measures that can share an axis with the first one: they have
// the same unit, and their magnitudes differ by a factor of at most 50.
func sharingAxis(all []*profile) []*profile {
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

// title makes a title from the names of the columns.
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
