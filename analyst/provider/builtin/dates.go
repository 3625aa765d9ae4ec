package builtin

import (
	"fmt"
	"strings"
	"time"
)

// grain is a unit of the calendar.
type grain string

const (
	grainNone    grain = ""
	grainMinute  grain = "minute" // of durations only
	grainHour    grain = "hour"
	grainDay     grain = "day"
	grainWeek    grain = "week"
	grainMonth   grain = "month"
	grainQuarter grain = "quarter"
	grainYear    grain = "year"
	// These parts of the calendar recur.
	grainWeekday   grain = "weekday"
	grainMonthName grain = "month of the year"
	grainHourOfDay grain = "hour of the day"
	grainWeekend   grain = "part of the week"
)

// span is a time from (inclusive) to (exclusive); a zero end means open.
type span struct {
	from, to time.Time
	label    string
	grain    grain // its own length, for comparisons
	// Relative spans count back from today, or from the end of the data.
	back     int
	relative bool
	current  bool // "this month" rather than "last month"
	// month has no year: the latest such month of the data is meant.
	month   time.Month
	quarter int
	half    int
	day     int // given with a month and without a year
	noYear  bool
	// prior reports that the question said "previous": next to the last 30 days it means the 30 days
	// before them.
	prior bool
	// open is since, after, before or until: the span has only one end.
	open string
	// bare is the span as the question said it, if it had no year.
	bare *span
	// earlier means the span before the span of the question before: "the year before".
	earlier bool
	// upto is the last part of a stretch of which neither end has a year.
	upto *span
}

// grainOf reads a unit of time.
func grainOf(norm string) grain {
	switch norm {
	case "hour", "hours", "hourly":
		return grainHour
	case "day", "days", "daily", "date":
		return grainDay
	case "week", "weeks", "weekly":
		return grainWeek
	case "month", "months", "monthly":
		return grainMonth
	case "quarter", "quarters", "quarterly":
		return grainQuarter
	case "year", "years", "yearly", "annual", "annually":
		return grainYear
	case "weekday", "weekdays":
		return grainWeekday
	default:
		return grainNone
	}
}

func monthOf(norm string) time.Month {
	switch norm {
	case "january", "jan":
		return time.January
	case "february", "feb":
		return time.February
	case "march", "mar":
		return time.March
	case "april", "apr":
		return time.April
	case "may":
		return time.May
	case "june", "jun":
		return time.June
	case "july", "jul":
		return time.July
	case "august", "aug":
		return time.August
	case "september", "sep", "sept":
		return time.September
	case "october", "oct":
		return time.October
	case "november", "nov":
		return time.November
	case "december", "dec":
		return time.December
	default:
		return 0
	}
}

// readSpan reads a span of time at the beginning of the tokens and returns how many tokens it takes; 0
// if there is none.
func readSpan(ts []token) (span, int) {
	if len(ts) == 0 {
		return span{}, 0
	}
	for _, read := range []func([]token) (span, int){readOpen, readBetween, readOrdinalQuarter, readRelative, readPoint} {
		if s, n := read(ts); n > 0 {
			return s, n
		}
	}
	return span{}, 0
}

// readOpen reads "since March 2025", "before 2024", "after", "until".
func readOpen(ts []token) (span, int) {
	open := ""
	switch ts[0].norm {
	case "since", "from":
		open = "since"
	case "after":
		open = "after"
	case "before":
		open = "before"
	case "until", "till":
		open = "until"
	default:
		return span{}, 0
	}
	s, n := readPoint(ts[1:])
	if n == 0 {
		return span{}, 0
	}
	if ts[0].norm == "from" {
		// "from March to June" is a span; "from March" alone is that March.
		if n+1 < len(ts) && isOne(ts[n+1].norm, "to", "until", "till", "through") {
			if end, m := readPoint(ts[n+2:]); m > 0 {
				return join(s, end), n + m + 2
			}
			if n+2 < len(ts) && isOne(ts[n+2].norm, "now", "today", "date", "present") {
				s.open, s.label = "since", "since "+s.label
				return s, n + 3
			}
		}
		return s, n + 1
	}
	s.open = open
	s.label = open + " " + s.label
	return s, n + 1
}

// readBetween reads "between March and June 2025" and "March to June 2025".
func readBetween(ts []token) (span, int) {
	skip := 0
	if ts[0].norm == "between" {
		skip = 1
	}
	a, n := readPoint(ts[skip:])
	if n == 0 || skip+n >= len(ts) {
		return span{}, 0
	}
	link := ts[skip+n].norm
	if (skip == 1 && link != "and") || (skip == 0 && !isOne(link, "to", "until", "till", "through")) {
		return span{}, 0
	}
	b, m := readPoint(ts[skip+n+1:])
	if m == 0 {
		return span{}, 0
	}
	return join(a, b), skip + n + 1 + m
}

// join makes one span of a first and a last span. If one of them has no year, it gets the year of the
// other, so that the first stays before the last.
func join(a, b span) span {
	switch {
	case a.noYear && b.noYear:
		a.upto, a.label = &b, a.label+" to "+b.label
		return a
	case a.noYear:
		bare := a
		if a = bare.inYear(b.from.Year()); a.from.After(b.from) {
			a = bare.inYear(b.from.Year() - 1)
		}
	case b.noYear:
		bare := b
		if b = bare.inYear(a.from.Year()); b.from.Before(a.from) {
			b = bare.inYear(a.from.Year() + 1)
		}
	}
	return span{from: a.from, to: b.to, label: a.label + " to " + b.label, grain: a.grain}
}

// readRelative reads "last 6 months", "this year", "yesterday", "the past week".
func readRelative(ts []token) (span, int) {
	switch ts[0].norm {
	case "today":
		return span{relative: true, current: true, grain: grainDay, back: 1, label: "today"}, 1
	case "yesterday":
		return span{relative: true, grain: grainDay, back: 1, label: "yesterday"}, 1
	case "ytd":
		return span{relative: true, current: true, grain: grainYear, back: 1, label: "this year"}, 1
	}
	if last := len(ts) - 1; last > 0 && isOne(ts[last].norm, "?", ".", "that") {
		if s, n := readRelative(ts[:last]); n == last && s.earlier && ts[n-1].norm == "before" {
			if ts[last].norm == "that" {
				n++
			}
			return s, n
		}
	}
	if g := grainOf(ts[0].norm); len(ts) == 2 && ts[1].norm == "before" && g != grainNone && g != grainWeekday && g != grainHour {
		return span{relative: true, grain: g, back: 1, label: "last " + string(g), earlier: true}, 2
	}
	if !isOne(ts[0].norm, "last", "past", "previous", "recent", "this", "current", "prior") || len(ts) < 2 {
		return span{}, 0
	}
	current := isOne(ts[0].norm, "this", "current")
	if g := grainOf(ts[1].norm); g != grainNone && ts[1].norm != "date" && g != grainWeekday {
		return span{
			relative: true, current: current, grain: g, back: 1, label: ts[0].norm + " " + string(g),
			earlier: isOne(ts[0].norm, "previous", "prior"),
		}, 2
	}
	if first := seasonOf(ts[1].norm); first > 0 && !current {
		end := span{noYear: true, month: (first+1)%12 + 1, label: ts[1].norm}
		return span{noYear: true, month: first, upto: &end, label: ts[0].norm + " " + ts[1].norm}, 2
	}
	if ts[1].kind == tokenNumber && len(ts) > 2 && !current {
		if g := grainOf(ts[2].norm); g != grainNone && ts[1].value >= 1 && ts[1].value <= 1000 {
			n := int(ts[1].value)
			if i := skipOf(ts, 3); i > 3 && i < len(ts) && isYearToken(ts[i]) {
				// "the last 3 months of 2024" are months of that year.
				end := date(int(ts[i].value)+1, 1, 1)
				return span{from: shift(end, g, -n), to: end, label: fmt.Sprintf("the last %d %ss of %d", n, g, int(ts[i].value))}, i + 1
			}
			// The stretch ends where the data end, so it is counted from there and not in whole units.
			return span{
				relative: true, grain: g, back: n, current: true, label: fmt.Sprintf("the last %d %ss", n, g),
				prior: isOne(ts[0].norm, "previous", "prior"),
			}, 3
		}
	}
	return span{}, 0
}

// readPoint reads one named stretch of time: a day, a month, a quarter or a year.
func readPoint(ts []token) (span, int) {
	if len(ts) == 0 {
		return span{}, 0
	}
	t := ts[0]
	for _, read := range []func([]token) (span, int){readHalf, readOrdinalQuarter, readSeason} {
		if s, n := read(ts); n > 0 {
			return s, n
		}
	}
	if from := decadeOf(t.norm); from > 0 {
		return span{from: date(from, 1, 1), to: date(from+10, 1, 1), label: fmt.Sprintf("%d to %d", from, from+9), grain: grainYear}, 1
	}
	switch {
	case t.kind == tokenDate:
		if day, err := time.Parse(time.DateOnly, t.norm); err == nil {
			if len(ts) > 1 && ts[1].kind == tokenClock {
				return clockSpan(day, ts[1].value), 2
			}
			return daySpan(day), 1
		}
		if month, err := time.Parse("2006-01", t.norm); err == nil {
			return monthSpan(month.Year(), month.Month()), 1
		}
	case isYearToken(t):
		year := int(t.value)
		if len(ts) > 1 && quarterOf(ts[1].norm) > 0 {
			return quarterSpan(year, quarterOf(ts[1].norm)), 2
		}
		return span{from: date(year, 1, 1), to: date(year+1, 1, 1), label: fmt.Sprint(year), grain: grainYear}, 1
	case quarterOf(t.norm) > 0:
		if i := skipOf(ts, 1); i < len(ts) && isYearToken(ts[i]) {
			return quarterSpan(int(ts[i].value), quarterOf(t.norm)), i + 1
		}
		return span{noYear: true, quarter: quarterOf(t.norm), label: "Q" + fmt.Sprint(quarterOf(t.norm)), grain: grainQuarter}, 1
	case monthOf(t.norm) > 0:
		return readMonth(ts)
	case isDayNumber(t) && len(ts) > 1:
		// 3 March 2025
		i := skipOf(ts, 1)
		if i < len(ts) && monthOf(ts[i].norm) > 0 && i+1 < len(ts) && isYearToken(ts[i+1]) {
			return daySpan(date(int(ts[i+1].value), monthOf(ts[i].norm), dayOf(t))), i + 2
		}
		if i < len(ts) && monthOf(ts[i].norm) > 0 && (i == 1 || ts[1].norm == "of") {
			return dayWithoutYear(monthOf(ts[i].norm), dayOf(t)), i + 1
		}
	}
	return span{}, 0
}

// readMonth reads March, March 2025, and March 3, 2025.
func readMonth(ts []token) (span, int) {
	m := monthOf(ts[0].norm)
	if len(ts) > 1 && isDayNumber(ts[1]) {
		i := 2
		if i < len(ts) && ts[i].norm == "," {
			i++
		}
		if i < len(ts) && isYearToken(ts[i]) {
			return daySpan(date(int(ts[i].value), m, dayOf(ts[1]))), i + 1
		}
		if len(ts) == 2 || grainOf(ts[2].norm) == grainNone {
			return dayWithoutYear(m, dayOf(ts[1])), 2
		}
	}
	i := 1
	for i < len(ts) && isOne(ts[i].norm, "of", ",", "in") {
		i++
	}
	if i < len(ts) && isYearToken(ts[i]) {
		return monthSpan(int(ts[i].value), m), i + 1
	}
	// May is also a verb; alone it is a month only with a capital letter.
	if ts[0].norm == "may" && ts[0].text != "May" || ts[0].norm == "mar" || ts[0].norm == "sep" && len(ts) > 1 {
		return span{}, 0
	}
	return span{noYear: true, month: m, label: m.String(), grain: grainMonth}, 1
}

func skipOf(ts []token, i int) int {
	for i < len(ts) && isOne(ts[i].norm, "of", "in", "the") {
		i++
	}
	return i
}

func isYearToken(t token) bool {
	return t.kind == tokenNumber && len(t.text) == 4 && t.value >= 1900 && t.value <= 2100
}

func isDayNumber(t token) bool { return dayOf(t) > 0 }

func dayOf(t token) int {
	if t.kind == tokenNumber && len(t.text) <= 2 && t.value >= 1 && t.value <= 31 {
		return int(t.value)
	}
	var n int
	var suffix string
	if _, err := fmt.Sscanf(t.norm, "%d%s", &n, &suffix); err == nil && isOne(suffix, "st", "nd", "rd", "th") && n >= 1 && n <= 31 {
		return n
	}
	return 0
}

func quarterOf(norm string) int {
	if len(norm) == 2 && norm[0] == 'q' && norm[1] >= '1' && norm[1] <= '4' {
		return int(norm[1] - '0')
	}
	return 0
}

// dayWithoutYear returns the span of a day such as March 2: the latest one of the data is meant.
func dayWithoutYear(m time.Month, day int) span {
	return span{noYear: true, month: m, day: day, label: fmt.Sprintf("%d %s", day, m), grain: grainDay}
}

// clockSpan is one minute of a day.
func clockSpan(day time.Time, hours float64) span {
	at := day.Add(time.Duration(hours*60+0.5) * time.Minute)
	return span{from: at, to: at.Add(time.Minute), label: at.Format("2 January 2006 15:04")}
}

func daySpan(d time.Time) span {
	return span{from: d, to: d.AddDate(0, 0, 1), label: d.Format("2 January 2006"), grain: grainDay}
}

func monthSpan(year int, m time.Month) span {
	return span{from: date(year, m, 1), to: date(year, m+1, 1), label: fmt.Sprintf("%s %d", m, year), grain: grainMonth}
}

func quarterSpan(year, q int) span {
	first := time.Month(3*q - 2)
	return span{from: date(year, first, 1), to: date(year, first+3, 1), label: fmt.Sprintf("Q%d %d", q, year), grain: grainQuarter}
}

func date(year int, m time.Month, day int) time.Time {
	return time.Date(year, m, day, 0, 0, 0, 0, time.UTC)
}

func isOne(s string, of ...string) bool {
	for _, o := range of {
		if s == o {
			return true
		}
	}
	return false
}

// decadeOf reads 1990s and 90s and returns the first year of the decade, or 0 for anything else.
func decadeOf(norm string) int {
	digits, ok := strings.CutSuffix(norm, "0s")
	if !ok || (len(digits) != 1 && len(digits) != 3) || strings.Trim(digits, "0123456789") != "" {
		return 0
	}
	if len(digits) == 1 {
		if digits < "3" {
			digits = "20" + digits
		} else {
			digits = "19" + digits
		}
	}
	if digits < "180" || digits > "209" {
		return 0
	}
	return int(parseNumber(digits + "0"))
}
