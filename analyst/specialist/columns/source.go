package columns

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"parley.dev/parley/domain"
)

// Table is a table that a query may read.
type Table struct {
	Name string
	// Dictionary is what people wrote about its columns, one line per column.
	Dictionary string
	Columns    []domain.Column
}

// fact is what is known about an expression.
type fact struct {
	measured
	// source is the name of the column that it comes from, label the heading of the column, and
	// spoken the heading as it is written in a sentence. spoken is empty if the file had no header
	// for the column.
	source, label, spoken string
	// count is true if it is a number of things, ratio if it is a quotient of two values of the
	// same kind, and hundred if it was multiplied by 100 to make a percentage.
	count, ratio, hundred bool
	// adds is true if a sum over its rows is meaningful.
	adds  bool
	grain string // of a time: year, quarter, month, week, day
	until string // the last day of the source's times
	key   bool
	// literal is true for a number that is written in the query itself.
	literal bool
	value   float64
	known   bool // false if the expression was not understood
}

// dictionaryLine matches a line that says what a column means: "rev = revenue in EUR".
var dictionaryLine = regexp.MustCompile("^[\\s|*•-]*[`\"']?([^=:–—→`\"'|]{1,60}?)[`\"']?" +
	"\\s*(?:=|:|→|–|—|\\||,|\\t|\\s-\\s|\\s(?:means|is)\\s)\\s*(\\S.*)$")

// dictionaryMax is the number of columns after which the rest of a dictionary is not read.
const dictionaryMax = 500

// meanings parses a dictionary into the meaning of each column, by its folded name.
func meanings(dictionary string) map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(dictionary) {
		if len(out) >= dictionaryMax {
			break
		}
		for part := range strings.SplitSeq(line, ";") {
			if m := dictionaryLine.FindStringSubmatch(strings.TrimSpace(part)); m != nil {
				out[fold(m[1])] = m[2]
			}
		}
	}
	return out
}

// Heading returns the heading of a source's column if nothing else is known about it.
func Heading(c *domain.Column) string { return sourceFact(c, "").label }

// sourceFact derives what a source's column says about itself: from the sign next to its
// numbers, its name, its description and the dictionary.
func sourceFact(c *domain.Column, meaning string) fact {
	f := fact{known: true, source: c.Name, label: Label(c.Name)}
	sign, written := f.describe(c)
	switch c.Type {
	case domain.ColumnDate, domain.ColumnTime:
		f.until = lastDay(c)
		return f
	case domain.ColumnInteger, domain.ColumnNumber:
	default:
		return f
	}
	inName, rest := unitInName(c.Name)
	currency := orElse(Currency(meaning), Currency(c.Description))
	switch {
	case sign != "":
		f.measured = unitOf(sign)
	case currency != "":
		f.measured = unitOf(currency)
	case f.format != "":
	default:
		f.measured = inName
	}
	switch stated := inName.unit != "" && inName.unit == f.unit; {
	case stated && written:
		f.label = withoutLast(f.label, c.Name)
	case stated:
		f.label = Label(rest)
	}
	if written {
		f.spoken = f.label
	}
	f.key = isKey(c.Name)
	// Amounts can be added up; prices, rates and ages cannot, even if they are money.
	f.adds = f.format != domain.FormatPercent && !isRate(c.Name) && !isRate(subjectOf(meaning)) && !f.key
	if f.format == "" && isShare(c.Name) && within01(c) {
		f.measured, f.adds = measured{unit: "%", format: domain.FormatFraction}, false
	}
	return f
}

// describe derives the heading, and the unit in it, from the source's header; sign is the sign
// next to its numbers. written is false if the heading is made from the column's name.
func (f *fact) describe(c *domain.Column) (sign string, written bool) {
	described := *c
	measures := c.Type == domain.ColumnInteger || c.Type == domain.ColumnNumber
	if measures {
		described.Description, sign = splitSign(c.Description)
	}
	header, _ := Header(&described)
	if header != "" {
		described.Description = header // without the notes on how its cells were read
	}
	bare, unit, ok := bracketed(described.Description)
	if !ok && measures {
		bare, unit, ok = trailingSign(described.Description)
	}
	switch {
	case ok && fold(bare) != "" && (fold(bare) == fold(c.Name) || header != ""):
		f.label, f.measured = asWritten(bare), unitOrNothing(unit)
		if f.unit == "" && (strings.ContainsFunc(unit, unicode.IsLetter) || !strings.ContainsFunc(unit, func(r rune) bool {
			return !unicode.IsDigit(r)
		})) {
			f.label = asWritten(described.Description) // Total (net) and Sales (2023): a word or number that is not a unit stays
		}
	case header != "":
		f.label = asWritten(header)
	default:
		return sign, false
	}
	return sign, true
}

// withoutLast removes a unit at the end of a name from a heading that also ends with it: Cost USD
// becomes Cost, and Height in cm becomes Height. A word that says what the number is, such as
// percent, stays.
func withoutLast(label, name string) string {
	_, rest := unitInName(name)
	words := Split(name)
	cut := strings.TrimRightFunc(label, inWord)
	if rest == name || fold(label[len(cut):]) != fold(words[len(words)-1]) {
		return label
	}
	cut = strings.TrimRight(cut, " -_/,.")
	if bare := strings.TrimSuffix(cut, " in"); bare != "" {
		return bare
	}
	return label
}

// lastDay returns the last day of a column of dates. If the column has only the first day of
// each month, that day stands for the whole month.
func lastDay(c *domain.Column) string {
	first, errFirst := time.Parse(time.DateOnly, day(c.Min))
	last, err := time.Parse(time.DateOnly, day(c.Max))
	if err != nil {
		return ""
	}
	if errFirst == nil && first.Day() == 1 && last.Day() == 1 {
		months := int64(last.Year()-first.Year())*12 + int64(last.Month()-first.Month())
		if c.Distinct > 0 && c.Distinct <= months+1 {
			last = last.AddDate(0, 1, -1)
		}
	}
	return last.Format(time.DateOnly)
}

// splitSign cuts off the sign that the reader of a file noted after a header: "Net amount, in €".
func splitSign(note string) (header, sign string) {
	at := strings.LastIndex(note, "in ")
	if at < 0 || at > 0 && !strings.HasSuffix(note[:at], ", ") {
		return note, ""
	}
	sign = note[at+len("in "):]
	if sign == "" || len(sign) > 10 || strings.ContainsAny(sign, ",()`") {
		return note, ""
	}
	return strings.TrimSuffix(note[:at], ", "), sign
}

func unitOrNothing(unit string) measured {
	if m := unitOf(unit); m.format != domain.FormatNumber || isUnit(unit) {
		return m
	}
	return measured{}
}

// day returns the date at the beginning of a text in ISO 8601; empty if there is none.
func day(text string) string {
	if len(text) < 10 || text[4] != '-' || text[7] != '-' {
		return ""
	}
	return text[:10]
}

func within01(c *domain.Column) bool {
	low, err := strconv.ParseFloat(c.Min, 64)
	high, errHigh := strconv.ParseFloat(c.Max, 64)
	return err == nil && errHigh == nil && low >= 0 && high <= 1 && high > 0
}

func isKey(name string) bool {
	words := Split(strings.ToLower(name))
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "id", "uuid", "key", "code", "zip", "postcode", "phone", "sku", "ean", "plz":
		return true
	case "no", "number", "nr":
		return len(words) > 1 && words[0] != "total"
	default:
		return false
	}
}

// isRate reports whether a name is for values that are averaged and never added: prices,
// ratings, ages.
func isRate(name string) bool {
	for _, w := range Split(strings.ToLower(name)) {
		switch w {
		case "price", "rate", "rating", "ratio", "share", "percent", "pct", "percentage", "age", "temperature", "score", "margin", "average",
			"avg", "mean",
			"median", "year", "latitude", "longitude", "level", "index", "per", "preis":
			return true
		}
	}
	return false
}

func isShare(name string) bool {
	for _, w := range Split(strings.ToLower(name)) {
		switch w {
		case "share", "ratio", "rate", "percent", "pct", "percentage", "margin", "discount":
			return true
		}
	}
	return false
}

// subjectOf returns the beginning of a meaning, which names the value: "list price" of "list price
// of the line, in euros".
func subjectOf(meaning string) string {
	head, _, _ := strings.Cut(meaning, ",")
	head, _, _ = strings.Cut(head, " of ")
	head, _, _ = strings.Cut(head, " in ")
	head, _, _ = strings.Cut(head, " times ")
	return head
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
