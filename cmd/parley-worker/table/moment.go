package table

// Dates and timestamps in cells. A column is tried with each order of day, month and year; the
// order that accepts all cells is taken. If two orders do, the one that is taken is named in a
// note, so that people can see what was assumed.

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// order of the parts of a date.
type order int

const (
	yearFirst order = iota
	dayFirst
	monthFirst
	compact // 20251231, accepted only if the header says that the column has dates
)

// moments reads dates and timestamps with the parts in one order.
type moments struct {
	order order
	timed bool
	// doubtful reports whether another order accepted every cell, too.
	doubtful bool
}

// accept reports whether a cell is a date in this order. One cell with a time makes the column one
// of timestamps.
func (m *moments) accept(cell []byte) bool {
	_, timed, ok := m.read(cell)
	if ok && timed {
		m.timed = true
	}
	return ok
}

// parse returns microseconds since 1970 for timestamps, and days for dates.
func (m *moments) parse(cell []byte) Value {
	t, _, _ := m.read(cell)
	if m.timed {
		return Value{Int: t.UnixMicro()}
	}
	return Value{Int: floorDiv(t.Unix(), 86400)}
}

// floorDiv rounds down, also for dates before 1970.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// kind is the type of the column after all cells were accepted.
func (m *moments) kind() Kind {
	if m.timed {
		return Kind{Type: Time}
	}
	return Kind{Type: Date}
}

// note tells which order was assumed, if another one was possible.
func (m *moments) note() string {
	switch {
	case m.doubtful && m.order == dayFirst:
		return "read as day/month/year"
	case m.doubtful && m.order == monthFirst:
		return "read as month/day/year"
	default:
		return ""
	}
}

// read parses a date, and a time of day that may follow it, with or without a time zone.
func (m *moments) read(cell []byte) (t time.Time, timed, ok bool) {
	// The limits exclude most cells that are no dates before they are parsed.
	if len(cell) < 6 || len(cell) > 40 {
		return t, false, false
	}
	year, month, day, rest, ok := m.date(cell)
	if !ok || month < 1 || month > 12 || day < 1 || day > 31 || year < 1000 || year > 9999 {
		return t, false, false
	}
	t = time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	// time.Date normalizes, so another day means that the date does not exist.
	if t.Day() != day {
		return t, false, false // 31 February
	}
	if len(rest) == 0 {
		return t, false, true
	}
	offset, ok := clockOf(rest)
	return t.Add(offset), true, ok
}

// date parses the three parts of a date and returns the rest of the cell.
func (m *moments) date(cell []byte) (year, month, day int, rest []byte, ok bool) {
	if m.order == compact {
		n, width := digitsOf(cell)
		return n / 10000, n / 100 % 100, n % 100, cell[width:], width == 8 && len(cell) == 8
	}
	var parts [3]int
	var widths [3]int
	named := -1
	var separator byte
	at := 0
	for i := range parts {
		if i > 0 {
			// If a part is a word, commas and blanks may be between the parts. Digits have the same separator twice.
			width := separatorLen(cell[at:], named >= 0)
			// Digits must have the same separator twice: 12-01/2025 is not a date. After a word any
			// may follow.
			if width == 0 || i == 2 && separator != cell[at] && named < 0 {
				return 0, 0, 0, nil, false
			}
			separator = cell[at]
			at += width
		}
		n, width := digitsOf(cell[at:])
		if width == 0 {
			n, width = monthOf(cell[at:])
			if width == 0 || named >= 0 {
				return 0, 0, 0, nil, false
			}
			named = i
		}
		parts[i], widths[i] = n, width
		at += width
	}
	// Blanks between numbers are more often groups of digits.
	if separator == ' ' && named < 0 {
		return 0, 0, 0, nil, false // 12 480 2025 is not a date
	}
	return m.arrange(parts, widths, named, cell[at:])
}

// separatorLen returns the length of the separator after a part of a date in bytes, or 0 if no separator follows. Several
// blanks are one separator. After the name of a month, several blanks and commas are one separator, too.
func separatorLen(rest []byte, named bool) int {
	if len(rest) == 0 || strings.IndexByte("-/. ,", rest[0]) < 0 {
		return 0
	}
	if !named && rest[0] != ' ' {
		return 1
	}
	at := 0
	for at < len(rest) && (rest[at] == rest[0] || named && (rest[at] == ' ' || rest[at] == ',')) {
		at++
	}
	return at
}

// arrange returns the parts as year, month and day, by the order of m.
func (m *moments) arrange(parts, widths [3]int, named int, rest []byte) (year, month, day int, _ []byte, ok bool) {
	// The position of year, month and day among the parts.
	y, mo, d := 0, 1, 2
	if m.order == dayFirst {
		y, mo, d = 2, 1, 0
	}
	if m.order == monthFirst {
		y, mo, d = 2, 0, 1
	}
	// A month that is written as a word must be where the order has the month.
	if named >= 0 && named != mo {
		return 0, 0, 0, nil, false
	}
	if named < 0 && widths[mo] > 2 || widths[d] > 2 {
		return 0, 0, 0, nil, false
	}
	year = parts[y]
	switch {
	case widths[y] == 4:
	// A year of two digits is too ambiguous in front.
	case widths[y] == 2 && m.order != yearFirst:
		// As in POSIX, 00 to 68 are the years 2000 to 2068.
		year += 1900
		if parts[y] < 69 {
			year += 100
		}
	default:
		return 0, 0, 0, nil, false
	}
	return year, parts[mo], parts[d], rest, true
}

// digitsOf parses up to nine digits at the beginning.
func digitsOf(b []byte) (n, width int) {
	for width < len(b) && width < 9 && b[width] >= '0' && b[width] <= '9' {
		n = n*10 + int(b[width]-'0')
		width++
	}
	return n, width
}

// germanMonths has the German names and abbreviations that differ from the English ones.
var germanMonths = map[string]int{
	"januar": 1, "jänner": 1, "jän": 1, "februar": 2, "feber": 2, "märz": 3, "mär": 3, "mrz": 3, "mai": 5, "juni": 6, "juli": 7,
	"oktober": 10, "okt": 10, "dezember": 12, "dez": 12,
}

// monthOf parses the name of a month in English or German, in full or abbreviated.
func monthOf(b []byte) (n, width int) {
	for width < len(b) {
		r, size := utf8.DecodeRune(b[width:])
		if !unicode.IsLetter(r) {
			break
		}
		width += size
	}
	// No name of a month is shorter.
	if width < 3 {
		return 0, 0
	}
	word := strings.ToLower(string(b[:width]))
	for i := time.January; i <= time.December; i++ {
		name := strings.ToLower(i.String())
		if word == name || word == name[:3] || i == time.September && word == "sept" {
			return int(i), width
		}
	}
	if n, ok := germanMonths[word]; ok {
		return n, width
	}
	return 0, 0
}

// clockOf parses the time of day after a date and returns its offset from midnight in UTC.
func clockOf(b []byte) (time.Duration, bool) {
	// Between date and time there must be one of these characters.
	text := string(bytes.TrimLeft(b, "T ,"))
	if len(text) == len(b) || len(text) < 4 {
		return 0, false // there is no separator between date and time
	}
	text = strings.ToUpper(text)
	for _, layout := range []string{
		"15:04", "15:04:05", "15:04Z07:00", "15:04:05Z07:00", "15:04:05Z0700", "15:04:05 Z07:00", "15:04:05 -0700",
		"15:04:05 UTC", "3:04 PM", "3:04PM", "3:04:05 PM", "3:04:05PM",
	} {
		if t, err := time.Parse(layout, text); err == nil {
			// The zone is subtracted here: the result is a moment in UTC.
			midnight := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
			return t.Sub(midnight), true
		}
	}
	return 0, false
}
