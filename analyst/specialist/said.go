package specialist

import (
	"regexp"
	"strconv"
	"time"

	"parley.dev/parley/domain"
)

// viewerOptions returns what a viewer must know about a chart and Highcharts has no options for:
// the drawn columns, which of them is on the axis and which makes the series, whether the series
// are compared periods, and from where on a period is incomplete; also the name of the rows
// without a value, and the original text of names that a chart cannot contain unchanged. It is
// nil if there are no such options.
func (p *plan) viewerOptions(kind Kind) map[string]any {
	out := p.columnOptions(kind)
	if p.compared {
		out["compared"] = true
	}
	if p.emptyUsed {
		out["empty"] = p.emptyName
	}
	if len(p.exact) > 0 {
		out["exact"] = p.exact
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// columnOptions returns the options about the columns; empty if nothing is known about them.
func (p *plan) columnOptions(kind Kind) map[string]any {
	columns := p.drawn()
	if columns == nil {
		return map[string]any{}
	}
	out := map[string]any{"columns": columns}
	switch {
	case kind == Scatter:
		out["x"] = plain(p.measures[0].name, 200)
	case p.axis != nil:
		out["x"] = plain(p.axis.name, 200)
	}
	if p.split != nil {
		out["split"] = plain(p.split.name, 200)
	}
	if from := p.incomplete(); from != nil {
		out["incomplete"] = from
	}
	return out
}

// drawn returns the columns of the chart as they are shown, the axis first. A fraction in the
// table is drawn as a percentage.
func (p *plan) drawn() []domain.ShownColumn {
	var out []domain.ShownColumn
	for _, c := range append([]*profile{p.axis, p.split}, p.measures...) {
		if c == nil || c.shown == nil {
			continue
		}
		shown := *c.shown
		if shown.Format == domain.FormatFraction {
			shown.Format = domain.FormatPercent
		}
		// If the drawing leaves rows out, a sum over it would be wrong: a viewer must not add
		// the values up.
		shown.Adds = shown.Adds && p.note == "" && !p.table.Truncated
		shown.Name, shown.Label = plain(shown.Name, 200), p.named(shown.Label, 120)
		out = append(out, shown)
	}
	return out
}

// seriesOf returns a series with its data and the column that its numbers are from.
func (p *plan) seriesOf(g group, data any) map[string]any {
	out := map[string]any{"name": g.name, "data": data}
	if g.measure.shown != nil {
		out["column"] = plain(g.measure.name, 200)
	}
	return out
}

// nearEnd is how many days before the end of a period its data may stop while the period
// still counts as complete, because not every day has a row.
const nearEnd = 2

// incomplete returns where the last period begins if the data do not reach its end: in
// milliseconds on an axis of dates, else as the category, or as the series if periods are
// compared. It is nil if the last period is complete.
func (p *plan) incomplete() any {
	periods := p.axis
	if p.compared {
		periods = p.split
	}
	if periods == nil || periods.part != partTime || periods.shown == nil {
		return nil
	}
	until, err := time.Parse(time.DateOnly, periods.shown.Until)
	if err != nil {
		return nil
	}
	last, key := time.Time{}, ""
	for _, row := range p.table.Rows {
		text := p.text(row, periods)
		if at, ok := startOf(text, periods.shown.Format); ok && at.After(last) {
			last, key = at, text
		}
	}
	end := endOf(last, periods.shown.Format)
	if last.IsZero() || end.IsZero() || until.Before(last) || !until.Before(end.AddDate(0, 0, -nearEnd)) {
		return nil
	}
	if periods.dated && !p.compared {
		return last.UnixMilli()
	}
	return plain(key, nameLimit)
}

var partOfYear = regexp.MustCompile(`^((?:19|20)\d\d)[-/ ]?(?:Q([1-4])|W([0-5]\d)|(0[1-9]|1[0-2]))$`)

// startOf returns the first day of a period as results write it: as a date, as a year, or as a
// text such as 2025-03, 2025-Q3 or 2025-W07. Weeks are those of ISO 8601.
func startOf(text string, format domain.ColumnFormat) (time.Time, bool) {
	if at, ok := Date(text); ok {
		return at, true
	}
	if format == domain.FormatYear {
		at, err := time.Parse("2006", text)
		return at, err == nil
	}
	m := partOfYear.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, false
	}
	year, _ := strconv.Atoi(m[1])
	quarter, _ := strconv.Atoi(m[2])
	week, _ := strconv.Atoi(m[3])
	month, _ := strconv.Atoi(m[4])
	switch {
	case m[2] != "":
		month = 3*quarter - 2
	case m[3] != "":
		// 4 January is always in the first week.
		fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)
		monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
		return monday.AddDate(0, 0, 7*(week-1)), week > 0
	}
	return time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC), true
}

// endOf returns the first day after a period; zero for times that are not periods.
func endOf(at time.Time, format domain.ColumnFormat) time.Time {
	switch format {
	case domain.FormatYear:
		return at.AddDate(1, 0, 0)
	case domain.FormatQuarter:
		return at.AddDate(0, 3, 0)
	case domain.FormatMonth:
		return at.AddDate(0, 1, 0)
	case domain.FormatWeek:
		return at.AddDate(0, 0, 7)
	default:
		return time.Time{}
	}
}
