package specialist

import (
	"math"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"parley.dev/parley/domain"
)

// part is the role of a column in a chart.
type part int

const (
	partNone part = iota
	partTime
	partCategory
	partMeasure
)

// profile describes a column of a result for use in a chart.
type profile struct {
	index    int
	name     string
	shown    *domain.ShownColumn // how the column is shown; nil if that is not known
	part     part
	dated    bool // real dates, for a time axis
	percent  bool
	steps    bool    // evenly spaced numbers that rise, each once
	scale    float64 // 100 for a share that is stored as a fraction
	distinct int
	groups   int // distinct values, with one more for the rows without a value
	longest  int
	min, max float64
	sum      float64
}

// size is the magnitude that decides which measures share an axis.
func (p *profile) size() float64 { return max(math.Abs(p.min), math.Abs(p.max)) }

// profiles returns the profile of every column of a result.
func profiles(t *domain.ResultSet) []*profile {
	out := make([]*profile, len(t.Columns))
	for i := range t.Columns {
		out[i] = profileOf(t, i)
	}
	return out
}

func profileOf(t *domain.ResultSet, index int) *profile {
	c := &t.Columns[index]
	p := &profile{index: index, name: c.Name, scale: 1, min: math.Inf(1), max: math.Inf(-1)}
	if index < len(t.Shown) {
		p.shown = &t.Shown[index]
	}
	n := p.count(t)
	p.steps = n.numbers >= len(t.Rows)-1 && p.distinct == n.numbers && n.numbers >= 2 && n.numbers <= 60 && evenlySpaced(t, index)
	switch {
	case n.filled == 0:
	case p.shown != nil && n.numbers == n.filled && c.Type != domain.ColumnText:
		p.partByRole(n.years)
	case (c.Type == domain.ColumnDate || c.Type == domain.ColumnTime) && n.dates == n.filled:
		p.part, p.dated = partTime, true
	case n.numbers == n.filled && n.years && isYearName(c.Name):
		p.part = partTime
	case n.numbers == n.filled && c.Type != domain.ColumnText:
		p.part = partMeasure
		if isKeyName(c.Name) {
			p.part = partNone
		}
		p.detectPercentage()
	case n.periods == n.filled:
		p.part = partTime
	default:
		p.part = partCategory
	}
	return p
}

// counts says how many cells of a column have a value, and of which kinds.
type counts struct {
	filled, numbers, dates, periods int
	years                           bool // every number can be a year
}

// count counts the cells of the column and sets the fields of the profile.
func (p *profile) count(t *domain.ResultSet) counts {
	n := counts{years: true}
	seen := make(map[any]struct{})
	empty := 0
	for _, row := range t.Rows {
		value := cell(row, p.index)
		if IsEmpty(value) {
			empty = 1
		}
		if value == nil {
			continue
		}
		n.filled++
		if IsEmpty(value) {
			continue
		}
		seen[value] = struct{}{}
		if v, ok := Number(value); ok {
			n.numbers++
			p.min, p.max, p.sum = min(p.min, v), max(p.max, v), p.sum+v
			n.years = n.years && v == math.Trunc(v) && v >= 1900 && v <= 2100
			continue
		}
		if s, ok := value.(string); ok {
			p.longest = max(p.longest, utf8.RuneCountInString(s))
			if _, ok := Date(s); ok {
				n.dates++
			}
			if isPeriod(s) {
				n.periods++
			}
		}
	}
	p.distinct, p.groups = len(seen), len(seen)+empty
	return n
}

// partByRole sets the part of a column of numbers whose role is known.
func (p *profile) partByRole(years bool) {
	switch p.shown.Role {
	case domain.RoleOfKey:
		p.part = partNone
	case domain.RoleOfTime:
		p.part = partTime
	default:
		p.part = partMeasure
		if years && isYearName(p.name) {
			p.part = partTime
		}
	}
	switch p.shown.Format {
	case domain.FormatPercent:
		p.percent = true
	case domain.FormatFraction:
		p.percent, p.scale = true, 100
		p.min, p.max, p.sum = p.min*100, p.max*100, p.sum*100
	default:
	}
}

// unit returns the unit of the numbers; empty if it is not known.
func (p *profile) unit() string {
	if p.shown == nil {
		return ""
	}
	return p.shown.Unit
}

// yearly reports whether the times are years.
func (p *profile) yearly() bool {
	return p.part == partTime && (p.shown != nil && p.shown.Format == domain.FormatYear || p.shown == nil && isYearName(p.name))
}

// evenlySpaced reports whether the numbers rise by multiples of one step, with few gaps.
func evenlySpaced(t *domain.ResultSet, index int) bool {
	var values []float64
	for i, row := range t.Rows {
		v, ok := Number(row[index])
		if !ok {
			// Only the last row may be without a value.
			if i < len(t.Rows)-1 {
				return false
			}
			break
		}
		values = append(values, v)
	}
	step := math.Inf(1)
	for i := 1; i < len(values); i++ {
		step = min(step, values[i]-values[i-1])
	}
	if step <= 0 || math.IsInf(step, 0) {
		return false
	}
	for i := 1; i < len(values); i++ {
		if n := (values[i] - values[i-1]) / step; math.Abs(n-math.Round(n)) > 1e-6 {
			return false
		}
	}
	return (values[len(values)-1]-values[0])/step <= 3*float64(len(values))
}

// detectPercentage recognises a percentage by the column's name. A share or rate by name is a
// fraction if its values are from 0 to 1.
func (p *profile) detectPercentage() {
	name := strings.ToLower(p.name)
	switch {
	case strings.Contains(name, "percent"), strings.Contains(name, "pct"), strings.Contains(name, "%"):
		p.percent = true
	case strings.Contains(name, "share"), strings.Contains(name, "ratio"), strings.HasSuffix(name, "rate"):
		if p.min >= 0 && p.max <= 1 {
			p.percent, p.scale = true, 100
			p.min, p.max, p.sum = p.min*100, p.max*100, p.sum*100
		}
	}
}

// isPeriod reports whether a text is a period such as 2025-03, 2025-Q3, 2025 Q3 or 2025-W07.
func isPeriod(s string) bool { return len(s) <= 8 && periodPattern.MatchString(s) }

var periodPattern = regexp.MustCompile(`^(19|20)\d\d([-/ ]?(Q[1-4]|W[0-5]\d|(0[1-9]|1[0-2])))?$`)

func isYearName(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "year") || strings.HasSuffix(name, "yr")
}

func isKeyName(name string) bool {
	name = strings.ToLower(name)
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, " id") || strings.HasSuffix(name, "uuid")
}

// Number returns a cell's value as a number.
func Number(v any) (float64, bool) {
	switch x := v.(type) {
	case int64:
		return float64(x), true
	case int:
		return float64(x), true
	case float64:
		return x, !math.IsNaN(x) && !math.IsInf(x, 0)
	default:
		return 0, false
	}
}

// Date parses the formats of dates and timestamps in results.
func Date(s string) (time.Time, bool) {
	if len(s) < 10 || s[4] != '-' {
		return time.Time{}, false
	}
	for _, layout := range []string{
		time.DateOnly, time.DateTime, time.RFC3339Nano, "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			// Outside these years a time axis is useless and numbers lose precision.
			return t, t.Year() >= 1 && t.Year() <= 9999
		}
	}
	return time.Time{}, false
}
