package table

import (
	"bytes"
	"strings"
	"time"
)

// mixed reads a column whose dates have several formats, as in a file that was put together from several sources:
// 2024-01-31, 31.01.2024 and 01/31/2024. The order of day and month is decided separately for each separator.
type mixed struct {
	// ways has the dates that end with the year, by the index of their separator in separators.
	ways  [len(separators)]way
	timed bool
	// dayFirst is the order for a separator whose cells are possible in both orders.
	dayFirst bool
}

// separators are the characters by which the date formats of a column are distinguished.
const separators = "./- "

// way is what is known about the cells with one separator: whether there are any, whether one of them cannot be read with
// the day first (noDay), and whether one cannot be read with the month first (noMonth).
type way struct{ seen, noDay, noMonth bool }

// doubtful reports whether all cells are possible in both orders.
func (w way) doubtful() bool { return w.seen && !w.noDay && !w.noMonth }

// accept tries the year first, then both other orders; each cell is possible in at least one.
func (m *mixed) accept(cell []byte) bool {
	if _, timed, ok := (&moments{order: yearFirst}).read(cell); ok {
		m.timed = m.timed || timed
		return true
	}
	_, dayTimed, day := (&moments{order: dayFirst}).read(cell)
	_, monthTimed, month := (&moments{order: monthFirst}).read(cell)
	if !day && !month {
		return false
	}
	m.timed = m.timed || day && dayTimed || month && monthTimed
	if named(cell) {
		return true // the month is a name, so the order is clear
	}
	w := m.wayOf(cell)
	if w == nil {
		return false
	}
	// If one cell excludes the day first and another the month first, no order fits all.
	w.seen, w.noDay, w.noMonth = true, w.noDay || !day, w.noMonth || !month
	return !w.noDay || !w.noMonth
}

// wayOf returns the way of a cell by its first separator, or nil if it has none.
func (m *mixed) wayOf(cell []byte) *way {
	at := bytes.IndexAny(cell, separators)
	if at < 0 {
		return nil
	}
	return &m.ways[strings.IndexByte(separators, cell[at])]
}

// named reports whether the month of a date is a word.
func named(cell []byte) bool {
	for i, c := range cell {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			_, width := monthOf(cell[i:])
			return width > 0
		}
	}
	return false
}

// parse reads a cell in the order that was decided for its separator.
func (m *mixed) parse(cell []byte) Value {
	orders := []order{yearFirst, monthFirst, dayFirst}
	if !named(cell) {
		if w := m.wayOf(cell); w != nil && m.readsDayFirst(w) {
			orders = []order{yearFirst, dayFirst, monthFirst}
		}
	}
	for _, o := range orders {
		if t, _, ok := (&moments{order: o}).read(cell); ok {
			if m.timed {
				return Value{Int: t.UnixMicro()}
			}
			return Value{Int: floorDiv(t.Unix(), secondsOfDay)}
		}
	}
	return Value{IsNull: true}
}

const secondsOfDay = int64(24 * time.Hour / time.Second)

// readsDayFirst decides the order of a way. If both orders are possible, dates with points are read with the day first,
// because that is the usual order of dates with points.
func (m *mixed) readsDayFirst(w *way) bool {
	if w.doubtful() {
		return m.dayFirst || w == &m.ways[0]
	}
	return w.noMonth
}

// kind is that of a column of dates, or of timestamps.
func (m *mixed) kind() Kind { return (&moments{timed: m.timed}).kind() }

// note names every separator whose order was only assumed.
func (m *mixed) note() string {
	note := "dates written in several ways"
	for i := range m.ways {
		w := &m.ways[i]
		if !w.doubtful() || i == 0 {
			continue
		}
		order := "month/day/year"
		if m.readsDayFirst(w) {
			order = "day/month/year"
		}
		note += ", those with “" + separators[i:i+1] + "” read as " + strings.ReplaceAll(order, "/", separators[i:i+1])
	}
	return note
}

// months reads a column of months: Jan 2024, January 2024, Jan-24, 2024-01, 01/2024.
// The value of a month is its first day.
type months struct{}

func (months) accept(cell []byte) bool {
	_, ok := monthCell(cell)
	return ok
}

func (months) parse(cell []byte) Value {
	t, _ := monthCell(cell)
	return Value{Int: floorDiv(t.Unix(), secondsOfDay)}
}

func (months) kind() Kind   { return Kind{Type: Date} }
func (months) note() string { return "months, as their first day" }

// monthPart is a number or the name of a month in a cell of months. digits and name are the widths of the two forms in
// bytes. At least one of them is 0, and both are 0 if the text is neither a number nor a month.
type monthPart struct{ value, digits, name int }

// monthPartOf parses a number, or else a name.
func monthPartOf(cell []byte) (p monthPart) {
	if p.value, p.digits = digitsOf(cell); p.digits == 0 {
		p.value, p.name = monthOf(cell)
	}
	return p
}

func (p monthPart) width() int { return p.digits + p.name }

// monthCell parses one cell of months.
func monthCell(cell []byte) (time.Time, bool) {
	first := monthPartOf(cell)
	at := first.width()
	gap := at
	// A separator may have several characters, such as a comma and a blank.
	for gap < len(cell) && strings.IndexByte(" -/.,", cell[gap]) >= 0 {
		gap++
	}
	separator := string(cell[at:gap])
	second := monthPartOf(cell[gap:])
	if at == 0 || separator == "" || len(separator) > 2 || gap+second.width() != len(cell) {
		return time.Time{}, false
	}
	year, month := yearAndMonth(first, second, separator)
	// The month is checked last, whatever form it had.
	if month < 1 || month > 12 || year < 1000 {
		return time.Time{}, false
	}
	return time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC), true
}

// yearAndMonth finds out from the widths which of two parts is the year and which the month. It returns 0, 0 if they are
// not a month of a year.
func yearAndMonth(first, second monthPart, separator string) (year, month int) {
	switch {
	case first.name > 0 && second.digits == 4:
		return second.value, first.value
	case second.name > 0 && first.digits == 4:
		return first.value, second.value
	case first.name > 0 && second.digits == 2 && separator == "-": // as Excel writes it
		if second.value < 69 {
			return second.value + 2000, first.value
		}
		return second.value + 1900, first.value
	case first.digits == 4 && second.digits == 2 && (separator == "-" || separator == "/"):
		return first.value, second.value
	case first.digits <= 2 && second.digits == 4 && separator == "/":
		return second.value, first.value
	default:
		return 0, 0
	}
}
