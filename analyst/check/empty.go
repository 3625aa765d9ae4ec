package check

import (
	"strings"
	"time"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/domain"
)

// Probe finds which condition leaves no rows. It runs only after an empty result.
type Probe struct {
	SQL     string   `json:"sql"`
	Filters []Filter `json:"filters"`
	Rows    string   `json:"rows"`
	Groups  string   `json:"groups,omitempty"`
}

// Filter is one condition as text. Of, From and Before are set for a condition on a time.
type Filter struct {
	Said   string `json:"said"`
	Of     string `json:"of,omitempty"`
	From   string `json:"from,omitempty"`
	Before string `json:"before,omitempty"`
}

func newProbe(p query.Probe) *Probe {
	out := &Probe{SQL: p.SQL, Rows: p.Rows, Groups: p.Groups}
	for _, f := range p.Filters {
		out.Filters = append(out.Filters, Filter{Said: f.Said, Of: f.Of, From: f.From, Before: f.Before})
	}
	return out
}

// Reasons returns the probes for an empty result. They run one after the other until one finds the reason.
func (p *Plan) Reasons() []*Probe {
	var out []*Probe
	if p.Probe != nil {
		out = append(out, p.Probe)
	}
	for i := range p.Probes {
		out = append(out, &p.Probes[i])
	}
	return out
}

// Empty reports whether a result is empty: it has no rows, or the single row of a question without groups contains only zeros
// and NULL.
func (p *Plan) Empty(result *domain.ResultSet) bool {
	if len(result.Rows) == 0 {
		return true
	}
	if p.Grouped > 0 || len(result.Rows) > 1 || len(p.Figures) == 0 {
		return false
	}
	for _, at := range p.Figures {
		if at >= len(result.Rows[0]) {
			return false
		}
		if n, has := domain.CellNumber(result.Rows[0][at]); has && n != 0 || !has && result.Rows[0][at] != nil {
			return false
		}
	}
	return true
}

// The indexes in the row of a probe: the rows without any condition, those with all conditions, then the values of each
// condition.
const (
	probedRows = iota
	probedAll
	probedFilters
)

// The offsets of a condition's values: rows with it alone, rows with all others, the first and the last time.
const (
	probedAlone = iota
	probedOthers
	probedFirst
	probedLast
	probedPlaces
)

// Explain returns which condition leaves no rows, from the row of the probe; empty if the conditions are not the reason.
func (p *Probe) Explain(result *domain.ResultSet) string {
	if result == nil || len(result.Rows) != 1 || len(result.Rows[0]) != probedFilters+probedPlaces*len(p.Filters) {
		return ""
	}
	row := result.Rows[0]
	count := func(place int) float64 {
		n, _ := domain.CellNumber(row[place])
		return n
	}
	if count(probedRows) == 0 {
		return noRows(p.Rows)
	}
	if count(probedAll) > 0 {
		if p.Groups != "" {
			return noGroups(p.Groups)
		}
		return ""
	}
	var none, others []string
	for i, f := range p.Filters {
		base := probedFilters + probedPlaces*i
		switch {
		case count(base+probedAlone) > 0:
			if n := count(base + probedOthers); n > 0 {
				others = append(others, without(f.Said, n, p.Rows))
			}
		case f.Of != "":
			first, _ := row[base+probedFirst].(string)
			last, _ := row[base+probedLast].(string)
			none = append(none, f.outsideTime(first, last))
		default:
			none = append(none, noneMeets(f.Said))
		}
	}
	switch {
	case len(none) > 0:
		return strings.Join(none, " ")
	case len(others) > 0:
		return neverTogether(others)
	}
	return neverAll(p.Rows)
}

// outsideTime says that a time span has no rows, and in which time span the data are.
func (f *Filter) outsideTime(first, last string) string {
	from, began := moment(first)
	until, ended := moment(last)
	start, starts := moment(f.From)
	end, ends := moment(f.Before)
	if !began || !ended || !starts || !ends {
		return noneMeets(f.Said)
	}
	return spanOf(f.Of, from, until, !end.After(from), start.After(until))
}

// moment parses a date or a timestamp, as the engine or the query tree writes it.
func moment(text string) (time.Time, bool) {
	text = strings.Replace(text, "T", " ", 1)
	if len(text) < len(time.DateOnly) {
		return time.Time{}, false
	}
	for _, layout := range []string{time.DateOnly, time.DateTime} {
		if len(text) >= len(layout) {
			if t, err := time.Parse(layout, text[:len(layout)]); err == nil && (len(text) == len(layout) || layout == time.DateTime) {
				return t, true
			}
		}
	}
	return time.Time{}, false
}
