package table

// Formats of columns: booleans and numbers here, dates in moment.go and mixed.go. A format learns
// from each cell that it accepts, so it must see all cells before it parses any.

import (
	"bytes"
	"math"
	"strconv"
)

// Value is a typed cell. The Kind of the column decides which field has the value.
type Value struct {
	Int    int64 // Integer, Decimal (scaled), Date (days since 1970), Time (microseconds since 1970)
	Float  float64
	Bool   bool
	IsNull bool
}

// format is one way to read a column. A column starts with all formats as candidates and loses each format that does not
// accept a cell.
type format interface {
	// accept reports whether the format can read a cell that is not null, and records what it learns from the cell.
	accept(cell []byte) bool
	// parse returns the value of an accepted cell. It is called after the first pass.
	parse(cell []byte) Value
	// kind returns the kind of the column, after every cell was accepted.
	kind() Kind
	// note tells people how the column was read. It is empty if that is obvious.
	note() string
}

// isNull reports whether a cell of a typed column is empty or a word for a missing value.
func isNull(cell []byte) bool {
	// The length is compared first, because nearly all cells are none of these words.
	switch len(cell) {
	case 0:
		return true
	case 1:
		return cell[0] == '-' || cell[0] == '?' || cell[0] == '.'
	case 2, 3, 4:
		for _, word := range []string{"NA", "N/A", "NULL", "NaN", "#N/A", "None", "\\N", "nil", "--", "—", "–"} {
			if bytes.EqualFold(cell, []byte(word)) {
				return true
			}
		}
	}
	return false
}

// isMissing reports whether a cell is a word that databases and spreadsheets write for a missing value. In a text column
// N/A and None may be real answers, but these words are not.
func isMissing(cell []byte) bool {
	switch string(cell) {
	case "NULL", "null", "\\N", "#N/A", "NaN":
		return true
	default:
		return false
	}
}

// booleans reads a column of two words, such as yes and no.
type booleans struct {
	yes, no   string
	both, one bool // whether both words, or at least one, were seen
	first     byte // the first letter of the last word
}

// accept takes the words in any case.
func (b *booleans) accept(cell []byte) bool {
	if !bytes.EqualFold(cell, []byte(b.yes)) && !bytes.EqualFold(cell, []byte(b.no)) {
		return false
	}
	// This is the lower case letter.
	initial := cell[0] | 0x20
	b.both = b.both || b.one && initial != b.first
	b.one, b.first = true, initial
	return true
}

// doubtful reports whether all cells are the same single letter: that is more often a code than a boolean.
// A column of only Y may mean yes, or a code; both letters decide it.
func (b *booleans) doubtful() bool { return len(b.yes) == 1 && !b.both }

func (b *booleans) parse(cell []byte) Value { return Value{Bool: bytes.EqualFold(cell, []byte(b.yes))} }
func (b *booleans) kind() Kind              { return Kind{Type: Boolean} }
func (b *booleans) note() string            { return "" }

const (
	// maxDigits is the number of digits that always fit an int64.
	maxDigits = 18
	// maxScale is the maximum number of decimals of a DECIMAL. Numbers with more are usually measurements and become DOUBLE.
	maxScale = 4
)

// numbers reads numbers with one decimal character and one grouping character, and with the same currency, percent sign or
// unit in the whole column.
type numbers struct {
	decimal, group byte

	scale, whole int  // the maximum number of digits after and before the decimal character
	float        bool // a number has an exponent
	grouped      bool
	sign         string // $, €, %, kg, …
	trailing     bool   // a minus was after a number
	seen, signed bool   // a number other than a bare zero was seen; a sign was seen
	buffer       []byte
}

// split removes the minus, the currency, the percent sign or the unit from a cell, and returns what it removed. A negative
// number may have the minus in front, or after it, as some accounting programs write it, or may be in brackets.
func (n *numbers) split(cell []byte) (digits []byte, negative bool, sign string, ok bool) {
	if isDigit(cell[0]) && isDigit(cell[len(cell)-1]) {
		return cell, false, "", true // most cells have no sign
	}
	// A minus may be in front of the sign or behind it: -$5, $-5.
	strip := func() {
		if inner, ok := unwrapNegative(cell); ok && !negative {
			negative, cell = true, inner
			return
		}
		if len(cell) > 1 && (cell[0] == '-' || cell[0] == '+') && !negative {
			negative = cell[0] == '-'
			cell = bytes.TrimLeft(cell[1:], " ")
			// U+2212 is the minus sign of typography.
		} else if bytes.HasPrefix(cell, []byte("\u2212")) && !negative {
			negative, cell = true, cell[len("\u2212"):]
		}
	}
	strip()
	// A sign in front or behind is removed once; a cell with two is not a number.
	for _, s := range []string{"$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF", "%"} {
		if s != "%" && bytes.HasPrefix(cell, []byte(s)) {
			sign, cell = s, bytes.TrimLeft(cell[len(s):], " \u00a0")
			strip()
			break
		}
		if bytes.HasSuffix(cell, []byte(s)) {
			sign, cell = s, bytes.TrimRight(cell[:len(cell)-len(s)], " \u00a0")
			strip()
			break
		}
	}
	// Without another sign the number may have a unit.
	if sign == "" && len(cell) > 1 {
		cell, sign = withoutUnit(cell)
	}
	return cell, negative, sign, len(cell) > 0
}

// unwrapNegative removes the brackets or the trailing minus of a negative number, and reports whether there were any.
func unwrapNegative(cell []byte) ([]byte, bool) {
	last := len(cell) - 1
	if last < 1 || cell[last] != '-' && (cell[last] != ')' || cell[0] != '(') {
		return cell, false
	}
	inner := bytes.TrimSpace(cell[:last])
	if cell[last] == ')' {
		inner = bytes.TrimSpace(cell[1:last])
	}
	return inner, len(inner) > 0 && (cell[last] == ')' || isDigit(inner[0]) && isDigit(inner[len(inner)-1]))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// shape checks the digits and returns them without grouping characters and with a decimal point. The result is valid until
// the next call.
func (n *numbers) shape(digits []byte) (plain []byte, whole, scale int, grouped, exponent, ok bool) {
	plain = n.buffer[:0]
	// A run of digits between separators must have three, except the first.
	run, point := 0, false // digits since the last separator
	for i := 0; i < len(digits); i++ {
		c := digits[i]
		switch {
		case isDigit(c):
			plain = append(plain, c)
			run++
			if point {
				scale++
			} else {
				whole++
			}
		// The decimal character ends the groups, so the last one must be complete.
		case c == n.decimal && !point && (!grouped || run == 3):
			point, run = true, 0
			plain = append(plain, '.')
		case n.isGroup(digits, i) && !point && whole > 0 && run > 0 && run <= 3 && (!grouped || run == 3):
			grouped, run = true, 0
			if c >= 0x80 {
				i++ // the no-break space has two bytes
			}
		// The exponent is checked by the parser of numbers.
		case exponentAt(digits, i) && whole+scale > 0:
			plain = append(plain, digits[i:]...)
			n.buffer = plain
			_, err := strconv.ParseFloat(string(plain), 64)
			return plain, whole, scale, grouped, true, err == nil && (!grouped || point || run == 3)
		default:
			return nil, 0, 0, false, false, false
		}
	}
	n.buffer = plain
	complete := !grouped || point || run == 3 // the last group must have three digits
	return plain, whole, scale, grouped, false, complete && whole+scale > 0
}

// exponentAt reports whether an exponent may begin at i.
func exponentAt(digits []byte, i int) bool {
	return (digits[i] == 'e' || digits[i] == 'E') && i+1 < len(digits)
}

// isGroup reports whether a grouping character is at i. A blank may be a no-break space.
func (n *numbers) isGroup(digits []byte, i int) bool {
	if n.group == ' ' {
		return digits[i] == ' ' || i+1 < len(digits) && digits[i] == 0xc2 && digits[i+1] == 0xa0
	}
	return n.group != 0 && digits[i] == n.group
}

// accept checks a cell and adds it to what is known about the column.
func (n *numbers) accept(cell []byte) bool {
	digits, _, sign, ok := n.split(cell)
	if !ok {
		return false
	}
	plain, whole, scale, grouped, exponent, ok := n.shape(digits)
	if !ok {
		return false
	}
	// 007 is a code, not a number.
	if whole > 1 && plain[0] == '0' && !grouped {
		return false
	}
	// A zero is accepted without the sign of the column.
	zero := whole == 1 && scale == 0 && plain[0] == '0'
	// Once a sign was seen, other numbers must have the same one.
	if sign != n.sign && n.signed && !zero {
		return false
	}
	// Numbers without a sign were seen before, so this one does not fit.
	if n.seen && !n.signed && sign != "" {
		return false
	}
	if !zero {
		n.seen = true
	}
	if sign != "" {
		n.sign, n.signed = sign, true
	}
	// The minus behind a number is unusual, so it is told to people.
	n.trailing = n.trailing || cell[len(cell)-1] == '-'
	n.scale, n.whole = max(n.scale, scale), max(n.whole, whole)
	n.grouped = n.grouped || grouped
	n.float = n.float || exponent
	if whole > maxDigits && scale == 0 && !exponent {
		return false // an identifier: a float could not store it exactly
	}
	return true
}

// parse assumes that the cell was accepted.
func (n *numbers) parse(cell []byte) Value {
	digits, negative, _, _ := n.split(cell)
	plain, _, scale, _, _, _ := n.shape(digits)
	k := n.kind()
	if k.Type == Number {
		f, err := strconv.ParseFloat(string(plain), 64)
		// A number that is too large for a float64 is missing rather than infinite.
		if err != nil && math.IsInf(f, 0) {
			return Value{IsNull: true}
		}
		if negative {
			f = -f
		}
		return Value{Float: f}
	}
	// The digits fit, because the column has at most maxDigits of them.
	var v int64
	for _, c := range plain {
		if c != '.' {
			v = v*10 + int64(c-'0')
		}
	}
	// Cells with fewer decimals than the column are scaled up.
	for range k.Scale - scale {
		v *= 10
	}
	if negative {
		v = -v
	}
	return Value{Int: v}
}

// value returns the number in a cell that was perhaps not accepted, and does not record anything about the column.
func (n *numbers) value(cell []byte) (float64, bool) {
	digits, negative, _, ok := n.split(cell)
	if !ok {
		return 0, false
	}
	plain, _, _, _, _, ok := n.shape(digits)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(plain), 64)
	if negative {
		f = -f
	}
	return f, err == nil
}

// kind chooses an exact type if all numbers fit one.
func (n *numbers) kind() Kind {
	switch {
	case n.float || n.scale > maxScale || n.whole+n.scale > maxDigits:
		return Kind{Type: Number}
	case n.scale > 0:
		return Kind{Type: Decimal, Scale: n.scale}
	default:
		return Kind{Type: Integer}
	}
}

// note names the sign, because the values do not contain it.
func (n *numbers) note() string {
	if n.sign != "" {
		return "in " + n.sign
	}
	if n.trailing {
		return "250- read as -250"
	}
	return ""
}
