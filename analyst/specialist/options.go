package specialist

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
)

// options returns Highcharts' options of the chart. It uses only a fixed set of keys, so
// that a viewer can check them against a list.
func (p *plan) options(kind Kind) map[string]any {
	var x map[string]any
	var series []map[string]any
	switch {
	case kind == Scatter:
		x, series = p.scatter()
	case kind == Pie:
		series = p.pie()
	case p.axis.dated:
		x, series = p.timeSeries()
	default:
		x, series = p.grouped(kind)
	}
	p.series = len(series)
	o := map[string]any{
		"chart":   map[string]any{"type": string(kind)},
		"credits": map[string]any{"enabled": false},
		"legend":  map[string]any{"enabled": len(series) > 1},
		"tooltip": p.tooltip(kind, len(series)),
		"series":  series,
	}
	if p.note != "" {
		o["subtitle"] = map[string]any{"text": plain(p.note, 200)}
	}
	if x != nil {
		o["xAxis"] = x
		o["yAxis"] = p.yAxis(kind)
	}
	// This is the last step, because it needs all names that differ from the data.
	if own := p.viewerOptions(kind); own != nil {
		o["parley"] = own
	}
	return o
}

// yAxis names the measure and formats percentages. Columns, bars and areas without negative
// values start at zero, because otherwise a difference would look bigger than it is.
func (p *plan) yAxis(kind Kind) map[string]any {
	name := ""
	if len(p.measures) == 1 || kind == Scatter {
		name = p.label(p.measures[0])
		if kind == Scatter {
			name = p.label(p.measures[1])
		}
	}
	y := map[string]any{"title": map[string]any{"text": name}}
	if p.measures[0].percent && kind != Scatter {
		y["labels"] = map[string]any{"format": "{value}%"}
	}
	lowest := math.Inf(1)
	for _, m := range p.measures {
		lowest = min(lowest, m.min)
	}
	if lowest >= 0 && kind != Line && kind != Scatter {
		y["min"] = 0
	}
	return y
}

func (p *plan) tooltip(kind Kind, series int) map[string]any {
	t := map[string]any{}
	if p.measures[0].percent && kind != Scatter {
		t["valueSuffix"] = "%"
	}
	if series > 1 && kind != Scatter && kind != Pie {
		t["shared"] = true
	}
	return t
}

// label returns a column's name as people read it.
func (p *plan) label(c *profile) string { return p.named(p.inWords(c), labelLimit) }

func (p *plan) inWords(c *profile) string {
	if c.shown != nil {
		return c.shown.Label
	}
	return columns.Label(c.name)
}

// lowered returns a label for use within a sentence: its first letter is in lower case,
// unless it begins an acronym.
func lowered(label string) string {
	first, n := utf8.DecodeRuneInString(label)
	if n == 0 {
		return label
	}
	second, _ := utf8.DecodeRuneInString(label[n:])
	if unicode.IsUpper(second) || unicode.IsDigit(second) {
		return label
	}
	return string(unicode.ToLower(first)) + label[n:]
}

// grouped returns the axis and the series for one value per category and series.
func (p *plan) grouped(kind Kind) (x map[string]any, series []map[string]any) {
	categories, index := p.categories(p.axis, maxCategories)
	p.points = len(categories)
	x = map[string]any{"categories": categories, "title": map[string]any{"text": p.label(p.axis)}}
	if len(categories) > rotateAt && kind != Bar {
		x["labels"] = map[string]any{"rotation": -45}
	}
	repeated := 0
	for number, s := range p.rowsBySeries() {
		data := make([]any, len(categories))
		for _, row := range s.rows {
			i, ok := index[p.text(row, p.axis)]
			if !ok {
				continue
			}
			switch value := p.value(row, s.measure); {
			case data[i] == nil:
				data[i] = value
			case value != nil && p.countsRows(number):
				repeated++
			}
		}
		series = append(series, p.seriesOf(s, data))
	}
	if repeated > 0 {
		axis := lowered(p.inWords(p.axis))
		p.addNote(fmt.Sprintf("Only the first of several rows with the same %s is drawn: %s left out.", axis, rowsLeftOut(repeated)))
	}
	return x, series
}

// timeSeries returns the values along a time axis, in milliseconds as Highcharts expects them. It
// returns up to maxTimePoints values, because the table and the CSV of a chart must be complete;
// the viewer draws many values in coarser steps, depending on its width.
func (p *plan) timeSeries() (x map[string]any, series []map[string]any) {
	x = map[string]any{"type": "datetime", "title": map[string]any{"text": p.label(p.axis)}}
	groups := p.rowsBySeries()
	limit := maxTimePoints / max(1, len(groups))
	undated := 0
	for number, s := range groups {
		data := make([][2]any, 0, len(s.rows))
		for _, row := range s.rows {
			text, _ := cell(row, p.axis.index).(string)
			if at, ok := Date(text); ok {
				data = append(data, [2]any{at.UnixMilli(), p.value(row, s.measure)})
			} else if p.countsRows(number) {
				undated++
			}
		}
		slices.SortStableFunc(data, func(a, b [2]any) int {
			l, _ := a[0].(int64)
			r, _ := b[0].(int64)
			return cmp.Compare(l, r)
		})
		if len(data) > limit {
			p.addNote(firstOf(limit, len(data), " points"))
			data = data[:limit]
		}
		p.points = max(p.points, len(data))
		series = append(series, p.seriesOf(s, data))
	}
	if undated > 0 {
		p.addNote(fmt.Sprintf("Rows without %s are not drawn: %s left out.", lowered(p.inWords(p.axis)), rowsLeftOut(undated)))
	}
	return x, series
}

// countsRows reports whether the rows of a series, given by its number, are counted for a note. Without a split column
// all series have the same rows, so only the first one counts them.
func (p *plan) countsRows(series int) bool { return p.split != nil || series == 0 }

// rowsLeftOut says how many rows are not drawn, with its verb.
func rowsLeftOut(n int) string {
	if n == 1 {
		return "1 row is"
	}
	return Format(float64(n)) + " rows are"
}

func (p *plan) pie() []map[string]any {
	data := make([]map[string]any, 0, len(p.table.Rows))
	var empty []map[string]any
	for _, row := range p.table.Rows {
		slice := map[string]any{"name": p.named(p.text(row, p.axis), nameLimit), "y": p.value(row, p.measures[0])}
		if IsEmpty(cell(row, p.axis.index)) {
			empty = append(empty, slice)
		} else {
			data = append(data, slice)
		}
	}
	data = append(data, empty...)
	p.points = len(data)
	return []map[string]any{p.seriesOf(group{name: p.label(p.measures[0]), measure: p.measures[0]}, data)}
}

func (p *plan) scatter() (x map[string]any, series []map[string]any) {
	x = map[string]any{"title": map[string]any{"text": p.label(p.measures[0])}}
	data := make([][2]any, 0, min(len(p.table.Rows), maxPoints))
	for _, row := range p.table.Rows {
		a, b := p.value(row, p.measures[0]), p.value(row, p.measures[1])
		if a != nil && b != nil && len(data) < maxPoints {
			data = append(data, [2]any{a, b})
		}
	}
	if len(p.table.Rows) > maxPoints {
		p.addNote(firstOf(maxPoints, len(p.table.Rows), " rows"))
	}
	p.points = len(data)
	return x, []map[string]any{p.seriesOf(group{name: p.label(p.measures[1]), measure: p.measures[1]}, data)}
}

// group holds the rows of one series.
type group struct {
	name    string
	measure *profile
	rows    [][]any
	total   float64
	empty   bool // its rows have no value in the column that makes the series
}

// rowsBySeries splits the rows into series: by the split column, of which only the biggest
// series are kept, or one series per measure.
func (p *plan) rowsBySeries() []group {
	if p.split == nil {
		out := make([]group, 0, len(p.measures))
		for _, m := range p.measures {
			out = append(out, group{name: p.label(m), measure: m, rows: p.table.Rows})
		}
		return out
	}
	at := make(map[string]int)
	var out []group
	for _, row := range p.table.Rows {
		name := p.text(row, p.split)
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, group{name: p.named(name, nameLimit), measure: p.measures[0], empty: IsEmpty(cell(row, p.split.index))})
		}
		out[i].rows = append(out[i].rows, row)
		if v, ok := Number(cell(row, p.measures[0].index)); ok {
			out[i].total += math.Abs(v)
		}
	}
	if len(out) > maxSeries {
		p.addNote(fmt.Sprintf("The %d biggest of %d by %s.", maxSeries, len(out), lowered(p.inWords(p.split))))
		slices.SortStableFunc(out, func(a, b group) int { return cmp.Compare(b.total, a.total) })
		out = out[:maxSeries]
	}
	if p.compared {
		slices.SortStableFunc(out, func(a, b group) int { return cmp.Compare(a.name, b.name) })
	}
	for i := range out {
		if out[i].empty {
			return append(slices.Delete(slices.Clone(out), i, i+1), out[i])
		}
	}
	return out
}

// categories returns the axis's values in the order of the rows; periods are in order of
// time.
func (p *plan) categories(c *profile, limit int) (names []string, index map[string]int) {
	var keys []string
	seen := make(map[string]bool)
	for _, row := range p.table.Rows {
		key := p.text(row, c)
		if !seen[key] && !IsEmpty(cell(row, c.index)) {
			keys = append(keys, key)
		}
		seen[key] = true
	}
	if c.part == partTime {
		slices.Sort(keys)
		limit = 120
	}
	// The name of rows without a value is not part of that order, so it is put last.
	if seen[p.emptyName] {
		keys = append(keys, p.emptyName)
	}
	if len(keys) > limit {
		p.addNote(firstOf(limit, len(keys), ""))
		keys = keys[:limit]
	}
	index = make(map[string]int, len(keys))
	for i, key := range keys {
		index[key] = i
		names = append(names, p.named(key, nameLimit))
	}
	return names, index
}

// firstOf returns the note for a chart that does not show all of its result.
func firstOf(shown, all int, what string) string {
	return fmt.Sprintf("The first %s of %s%s.", Format(float64(shown)), Format(float64(all)), what)
}

// addNote adds a sentence to the note about what was left out.
func (p *plan) addNote(note string) {
	if !strings.Contains(p.note, note) {
		p.note = strings.TrimSpace(p.note + " " + note)
	}
}

// value returns a cell as a value of a series: rounded so that the tooltip is readable, nil
// if it is not a number.
func (p *plan) value(row []any, m *profile) any {
	v, ok := Number(cell(row, m.index))
	if !ok {
		return nil
	}
	v *= m.scale
	switch {
	case m.percent:
		return roundTo(v, 2)
	case math.Abs(v) >= 100:
		return roundTo(v, 2)
	default:
		return roundTo(v, 6)
	}
}

func roundTo(v float64, places int) float64 {
	f := math.Pow(10, float64(places))
	if r := math.Round(v*f) / f; !math.IsInf(r, 0) {
		return r
	}
	return v
}

func cell(row []any, i int) any {
	if i >= len(row) {
		return nil
	}
	return row[i]
}

// plain makes text from people and data safe for a chart, because a viewer would interpret markup
// in it.
func plain(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '<':
			return '‹'
		case r == '>':
			return '›'
		case r < ' ' || r == 0x7f:
			return ' '
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		default:
			return r
		}
	}, domain.Clean(s))
	s = strings.Join(strings.Fields(s), " ")
	if short := domain.Shorten(s, limit); len(short) < len(s) {
		return short + "…"
	}
	return s
}
