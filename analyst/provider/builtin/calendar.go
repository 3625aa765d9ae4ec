package builtin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley.dev/parley/domain"
)

// A condition may also be on a time that recurs: weekends, Mondays, summers, the hours from 8 to 18.

// recurring is a set of the days of the week, of months, or of hours.
type recurring struct {
	part  grain // grainWeekday, grainMonthName or grainHourOfDay
	from  int   // with to: a range of hours, to exclusive
	to    int
	set   []int // ISO weekdays or months
	label string
}

// readRecurring reads a recurring time at the beginning of the tokens.
func readRecurring(ts []token) (recurring, int) {
	w := ts[0].norm
	switch w {
	case "weekend", "weekends":
		return recurring{part: grainWeekday, set: []int{6, 7}, label: "weekends"}, 1
	case "winter", "winters":
		return recurring{part: grainMonthName, set: []int{12, 1, 2}, label: "winter (December to February)"}, 1
	case "summer", "summers":
		return recurring{part: grainMonthName, set: []int{6, 7, 8}, label: "summer (June to August)"}, 1
	case "autumn", "autumns":
		return recurring{part: grainMonthName, set: []int{9, 10, 11}, label: "autumn (September to November)"}, 1
	case "springtime":
		return recurring{part: grainMonthName, set: []int{3, 4, 5}, label: "spring (March to May)"}, 1
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := strings.ToLower(d.String()); w == name || w == name+"s" {
			return recurring{part: grainWeekday, set: []int{(int(d)+6)%7 + 1}, label: d.String() + "s"}, 1
		}
	}
	if (w == "between" || w == "from") && len(ts) > 3 && ts[1].kind == tokenClock && ts[3].kind == tokenClock &&
		isOne(ts[2].norm, "and", "to", "until", "till") {
		from, to := int(ts[1].value), int(ts[3].value)
		if ts[1].value == float64(from) && ts[3].value == float64(to) && from < to {
			return recurring{part: grainHourOfDay, from: from, to: to, label: fmt.Sprintf("the hours from %02d:00 to %02d:00", from, to)}, 4
		}
	}
	if (w == "between" || w == "from") && len(ts) > 4 && ts[1].kind == tokenNumber && ts[3].kind == tokenNumber &&
		isOne(ts[2].norm, "and", "to", "until", "till") && isOne(ts[4].norm, "o'clock", "oclock", "o’clock", "h", "hours") {
		if from, to := int(ts[1].value), int(ts[3].value); ts[1].value == float64(from) && ts[3].value == float64(to) && from < to &&
			from >= 0 && to <= 24 && ts[4].norm[0] == 'o' {
			return recurring{part: grainHourOfDay, from: from, to: to, label: fmt.Sprintf("the hours from %02d:00 to %02d:00", from, to)}, 5
		}
	}
	if isOne(w, "after", "before", "since", "until") && len(ts) > 1 && ts[1].kind == tokenClock && ts[1].value == float64(int(ts[1].value)) {
		r := recurring{part: grainHourOfDay, from: int(ts[1].value), to: 24, label: fmt.Sprintf("the hours from %02d:00 on", int(ts[1].value))}
		if w == "before" || w == "until" {
			r.from, r.to, r.label = 0, r.from, fmt.Sprintf("the hours before %02d:00", r.from)
		}
		return r, 2
	}
	return recurring{}, 0
}

// placeRecurring turns the recurring times into conditions on the date that the question refers to.
func (p *parser) placeRecurring() {
	f := p.form
	if len(p.recur) == 0 {
		return
	}
	d := p.dateOf()
	if c := p.clock(); c != nil && p.recur[0].part == grainHourOfDay && (d == nil || d.Type == domain.ColumnDate) {
		f.where = append(f.where, condition{col: c, op: opRecurring, recur: p.recur[0], not: p.recurNot})
		return
	}
	if d == nil || (p.recur[0].part == grainHourOfDay && d.Type != "timestamp") {
		for _, r := range p.recur {
			f.block(fmt.Sprintf("There is no time in this data that tells %s.", r.label))
		}
		return
	}
	weekend := slices.ContainsFunc(p.recur, func(r recurring) bool { return r.label == "weekends" })
	for i, x := range f.dims {
		if weekend && x.grain == grainWeekday && f.compare {
			// "weekends against weekdays" asks for two groups.
			f.dims[i].grain, p.recur = grainWeekend, nil
			return
		}
	}
	not := p.recurNot
	if len(p.recur) > 1 && f.compare && !not {
		f.dims = append(f.dims, dimension{col: d, grain: p.recur[0].part})
	}
	for _, r := range p.recur[1:] {
		if r.part == p.recur[0].part && r.part != grainHourOfDay {
			p.recur[0].set = append(p.recur[0].set, r.set...)
			p.recur[0].label += " and " + r.label
		}
	}
	f.where = append(f.where, condition{col: d, op: opRecurring, recur: p.recur[0], not: not})
}

// dateOf returns the date that the question names, or else the main date of the table.
func (p *parser) dateOf() *column {
	if p.dateNamed != nil {
		return p.dateNamed
	}
	return p.form.dateColumn(p.spanHint)
}

// hourOf reads 8am, 12:30 and 6pm as hours.
func hourOf(s string) float64 {
	digits := strings.TrimRight(s, "apm")
	parts := strings.Split(digits, ":")
	h, err := strconv.Atoi(parts[0])
	if err != nil {
		return 0
	}
	minutes := 0
	if len(parts) > 1 {
		if minutes, err = strconv.Atoi(parts[1]); err != nil {
			return 0
		}
	}
	switch {
	case strings.HasSuffix(s, "pm") && h < 12:
		h += 12
	case strings.HasSuffix(s, "am") && h == 12:
		h = 0
	}
	return float64(h) + float64(minutes)/60
}

// dottedDay reads 15.03.2024 and 3/15/2024 as a day; with slashes the month is first unless the number
// is too large for a month. It returns "" for anything else.
func dottedDay(s string) string {
	sep := "."
	if strings.Contains(s, "/") {
		sep = "/"
	}
	parts := strings.Split(s, sep)
	if len(parts) != 3 || len(parts[2]) != 4 {
		return ""
	}
	day, month := parts[0], parts[1]
	if sep == "/" {
		day, month = month, day
		if n, err := strconv.Atoi(month); err == nil && n > 12 {
			day, month = month, day
		}
	}
	t, err := time.Parse("2-1-2006", day+"-"+month+"-"+parts[2])
	if err != nil || t.Year() < 1900 || t.Year() > 2100 {
		return ""
	}
	return t.Format(time.DateOnly)
}

// readsHalf reports whether a word is the short name of half a year.
func readsHalf(norm string) bool { return norm == "h1" || norm == "h2" }

// readHalf reads "first half of 2024", "h1 2024" and "H1".
func readHalf(ts []token) (span, int) {
	half, n := 0, 0
	switch {
	case readsHalf(ts[0].norm):
		half, n = int(ts[0].norm[1]-'0'), 1
	case len(ts) > 1 && ts[1].norm == "half" && isOne(ts[0].norm, "first", "1st"):
		half, n = 1, 2
	case len(ts) > 1 && ts[1].norm == "half" && isOne(ts[0].norm, "second", "2nd"):
		half, n = 2, 2
	default:
		return span{}, 0
	}
	i := skipOf(ts, n)
	if i < len(ts) && isYearToken(ts[i]) {
		return halfSpan(int(ts[i].value), half), i + 1
	}
	if i < len(ts) && ts[i].norm == "year" {
		n, i = i+1, i+1
	}
	if i > n && i < len(ts) && grainOf(ts[i].norm) != grainNone {
		return span{}, 0 // "half of a month" or "of a day" is not half of a year
	}
	return span{noYear: true, half: half, label: fmt.Sprintf("H%d", half)}, n
}

// readOrdinalQuarter reads "first quarter of 2025" and "4th quarter 2024".
func readOrdinalQuarter(ts []token) (span, int) {
	if len(ts) < 3 || ts[1].norm != "quarter" {
		return span{}, 0
	}
	q := 0
	switch ts[0].norm {
	case "first", "1st":
		q = 1
	case "second", "2nd":
		q = 2
	case "third", "3rd":
		q = 3
	case "fourth", "4th", "last":
		q = 4
	}
	i := skipOf(ts, 2)
	if q == 0 || i >= len(ts) || !isYearToken(ts[i]) {
		return span{}, 0
	}
	return quarterSpan(int(ts[i].value), q), i + 1
}

// readSeason reads a season of one year: summer 2024.
func readSeason(ts []token) (span, int) {
	i := skipOf(ts, 1)
	if i >= len(ts) || !isYearToken(ts[i]) {
		return span{}, 0
	}
	year, first := int(ts[i].value), seasonOf(ts[0].norm)
	if first == 0 {
		return span{}, 0
	}
	s := span{from: date(year, first, 1), to: date(year, first+3, 1)}
	s.label = fmt.Sprintf("%s %d (%s to %s)", ts[0].norm, year, s.from.Format("Jan 2006"), s.to.AddDate(0, 0, -1).Format("Jan 2006"))
	return s, i + 1
}

// seasonOf returns the month in which a season begins, or 0 for a word that is not a season.
func seasonOf(norm string) time.Month {
	switch norm {
	case "spring":
		return time.March
	case "summer":
		return time.June
	case "autumn", "fall":
		return time.September
	case "winter":
		return time.December
	default:
		return 0
	}
}

// yearName reports whether the last word of a column's name says that its whole numbers from 1800 to 2100 are years.
func yearName(word string) bool {
	return isOne(word, stem("vintage"), stem("cohort"), stem("season"), stem("built"), stem("founded"), stem("established"), stem("born"),
		stem("constructed"), stem("jahrgang"), stem("baujahr"))
}

// beginnings reports whether a column has the year in which each thing began. It is no period in which the things recur.
func (c *column) beginnings() bool {
	if !c.isYear() {
		return false
	}
	last := c.words[len(c.words)-1]
	return yearName(last) && !isOne(last, stem("vintage"), stem("cohort"), stem("season"), stem("jahrgang"))
}
