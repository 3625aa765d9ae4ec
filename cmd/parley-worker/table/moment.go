package table

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

func (m *moments) accept(cell []byte) bool {
	_, timed, ok := m.read(cell)
	if ok && timed {
		m.timed = true
	}
	return ok
}

func (m *moments) parse(cell []byte) Value {
	t, _, _ := m.read(cell)
	if m.timed {
		return Value{Int: t.UnixMicro()}
	}
	return Value{Int: floorDiv(t.Unix(), 86400)}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (m *moments) kind() Kind {
	if m.timed {
		return Kind{Type: Time}
	}
	return Kind{Type: Date}
}

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
	if len(cell) < 6 || len(cell) > 40 {
		return t, false, false
	}
	year, month, day, rest, ok := m.date(cell)
	if !ok || month < 1 || month > 12 || day < 1 || day > 31 || year < 1000 || year > 9999 {
		return t, false, false
	}
	t = time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
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
	y, mo, d := 0, 1, 2
	if m.order == dayFirst {
		y, mo, d = 2, 1, 0
	}
	if m.order == monthFirst {
		y, mo, d = 2, 0, 1
	}
	if named >= 0 && named != mo {
		return 0, 0, 0, nil, false
	}
	if named < 0 && widths[mo] > 2 || widths[d] > 2 {
		return 0, 0, 0, nil, false
	}
	year = parts[y]
	switch {
	case widths[y] == 4:
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
			midnight := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
			return t.Sub(midnight), true
		}
	}
	return 0, false
}
