package specialist

import (
	"time"

	"parley.dev/parley/domain"
)

// said is what a viewer must know of a chart beyond what Highcharts has words for: the
// columns that are drawn, which of them runs along the axis and which makes the series,
// whether the series are periods that are compared, and from where on a period is not
// complete; further which name stands for no value, and what the data call names that a chart
// cannot hold as they are. Nil where there is nothing to say.
func (p *plan) said(kind Kind) map[string]any {
	out := p.saidOfColumns(kind)
	if p.compared {
		out["compared"] = true
	}
	if p.emptyNamed {
		out["empty"] = p.nothing
	}
	if len(p.exact) > 0 {
		out["exact"] = p.exact
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// saidOfColumns is empty where nobody said anything of them.
func (p *plan) saidOfColumns(kind Kind) map[string]any {
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

// drawn are the columns of the chart as people read them, the axis first. What is a
// fraction in the table is drawn as a percentage.
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
		// What is left out of the drawing is missing from a sum over it: no viewer may add the rest up.
		shown.Adds = shown.Adds && p.note == "" && !p.table.Truncated
		shown.Name, shown.Label = plain(shown.Name, 200), p.named(shown.Label, 120)
		out = append(out, shown)
	}
	return out
}

// written is a series with the column that its numbers come from.
func (p *plan) written(g group, data any) map[string]any {
	out := map[string]any{"name": g.name, "data": data}
	if g.measure.shown != nil {
		out["column"] = plain(g.measure.name, 200)
	}
	return out
}

// nearEnd is how many days before its end the data of a period may stop and still be
// whole: not every day has a row.
const nearEnd = 2

// incomplete is where the last period begins if the data do not reach its end: milliseconds on an axis of
// dates, else the category, or the series where periods stand beside each other. Nil where they do.
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

// startOf is the first day of a period as results write it.
func startOf(text string, format domain.ColumnFormat) (time.Time, bool) {
	if at, ok := Date(text); ok {
		return at, true
	}
	layout := "2006-01"
	if format == domain.FormatYear {
		layout = "2006"
	}
	at, err := time.Parse(layout, text)
	return at, err == nil
}

// endOf is the first day after a period; zero for times that are no periods.
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
