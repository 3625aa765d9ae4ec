package office

// Formats of numbers (ECMA-376, part 1, 18.8.30 and 18.8.31), as far as they tell dates and times
// from numbers. A date in a workbook is a number of days; only its format says so.

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// numberStyle is what a number means in a cell of some format.
type numberStyle int

const (
	plainNumber numberStyle = iota
	dateNumber              // days since the epoch, shown with a date
	clockNumber             // a fraction of a day, shown as a time of day
	spanNumber              // days, shown as a duration that may be longer than 24 hours
)

// readStyles reads which formats of the workbook are for dates and times.
func (w *Workbook) readStyles(s *scanner) error {
	// The formats that the workbook defines, by their number.
	codes := map[int]string{}
	// Formats of cells and those of named styles have the same element; only the first list is used
	// by cells.
	cells := 0 // the depth of the list of formats, 0 outside of it
	for {
		kind, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch name := string(s.name); {
		case kind == endTag && name == "cellXfs":
			cells = 0
		// Other ends are of no interest.
		case kind != startTag:
		case name == "cellXfs":
			cells = s.depth()
		case name == "numFmt":
			code, _ := s.attr("formatCode")
			codes[s.number("numFmtId", -1)] = code
		case name == "xf" && cells > 0:
			id := s.number("numFmtId", 0)
			style := builtinStyle(id)
			// A code in the workbook counts more than the built-in one of the same number.
			if code, ok := codes[id]; ok {
				style = styleOf(code)
			}
			w.styles = append(w.styles, style)
		}
	}
}

// builtinStyle returns the style of a built-in format, whose code is not in the workbook. The numbers 27 to 36 and 50 to
// 58 are formats of East Asian languages.
func builtinStyle(id int) numberStyle {
	switch {
	case id >= 14 && id <= 17, id == 22, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return dateNumber
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47, id == 55, id == 56:
		return clockNumber
	case id == 46:
		return spanNumber
	}
	return plainNumber
}

// styleOf returns the style of a format code, such as dd/mm/yyyy or [$-409]h:mm AM/PM.
func styleOf(code string) numberStyle {
	// Only the part for positive numbers is looked at; the others follow semicolons.
	code, _, _ = strings.Cut(strings.ToLower(code), ";")
	// General is the format of numbers, and contains letters of dates.
	if strings.Contains(code, "general") {
		return plainNumber
	}
	var date, clock, month bool
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		// Quoted text is literal.
		case '"':
			end := strings.IndexByte(code[i+1:], '"')
			if end < 0 {
				end = len(code) - i - 2
			}
			i += end + 1
		case '\\', '_', '*':
			i++ // the next character is literal, or gives a width or a filling
		// Brackets have a color, a locale, a condition, or a duration.
		case '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				end = len(code) - i
			}
			if inside := code[i+1 : i+end]; inside != "" && (strings.Trim(inside, "h") == "" || strings.Trim(inside, "m") == "" ||
				strings.Trim(inside, "s") == "") {
				return spanNumber
			}
			i += end
		case 'a':
			if strings.HasPrefix(code[i:], "am/pm") {
				i += len("am/pm") - 1
				clock = true
			} else if strings.HasPrefix(code[i:], "a/p") {
				i += len("a/p") - 1
				clock = true
			}
		case 'y', 'd':
			date = true
		case 'h', 's':
			clock = true
		// m is the month or the minute: with hours or seconds it is the minute.
		case 'm':
			month = true
		}
	}
	// A date with a time of day is a date.
	switch {
	case date || month && !clock:
		return dateNumber
	case clock:
		return clockNumber
	}
	return plainNumber
}

// epoch is the date system of a workbook: the day from which it counts.
type epoch int

const (
	epoch1900 epoch = iota
	epoch1904
)

const (
	dayMillis = 24 * 60 * 60 * 1000
	// lastDay is the serial number of 31 December 9999 in the 1900 date system.
	lastDay = 2_958_465
	// epochDays is how many days later the 1904 date system begins.
	epochDays = 1_462
	// leapDay is the serial number of 29 February 1900: a day that never existed, but that Excel counts.
	leapDay = 60
)

// moment formats a serial number as a date, a time or a duration, as its style says. It returns false for a number
// that is none of them.
func (e epoch) moment(v float64, style numberStyle) (string, bool) {
	last := float64(lastDay)
	if e == epoch1904 {
		last -= epochDays
	}
	// A number out of the range stays a number.
	if v < 0 || v > last {
		return "", false
	}
	// Excel shows milliseconds, and finer parts are errors of rounding.
	millis := int64(math.Round(v * dayMillis))
	days, rest := millis/dayMillis, millis%dayMillis
	if style == spanNumber {
		seconds := (millis + 500) / 1000
		return fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60), true
	}
	// A time without a day is a time of day, even if the format has a date.
	if style == clockNumber && days == 0 || days == 0 && rest > 0 && e == epoch1900 {
		seconds := (rest + 500) / 1000
		return fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60), true
	}
	if days == 0 && e == epoch1900 {
		return "", false // the serial number 0 would be 0 January 1900
	}
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case e == epoch1904:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	// Before the day that never existed, serial numbers are one day behind.
	case days < leapDay:
		start = start.AddDate(0, 0, 1)
	}
	t := start.AddDate(0, 0, int(days)).Add(time.Duration(rest) * time.Millisecond)
	switch {
	case rest == 0:
		return t.Format(time.DateOnly), true
	case rest%1000 == 0:
		return t.Format("2006-01-02T15:04:05"), true
	}
	return t.Format("2006-01-02T15:04:05.000"), true
}
