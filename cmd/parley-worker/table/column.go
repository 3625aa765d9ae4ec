package table

// Columns, their types, and how a type is found: all formats are candidates at first, and each cell
// removes those that do not accept it. What is left at the end of the file reads every cell.

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
)

// Type of a column's cells.
type Type int

// The types. Their names are those of SQL.
const (
	Varchar Type = iota
	Boolean
	Integer
	Decimal
	Number
	Date
	Time
)

// Kind is a type with its scale.
type Kind struct {
	Type  Type
	Scale int // decimals of a Decimal
}

// SQL returns the name of the kind in DuckDB.
func (k Kind) SQL() string {
	switch k.Type {
	case Boolean:
		return "BOOLEAN"
	case Integer:
		return "BIGINT"
	case Decimal:
		return "DECIMAL(18," + strconv.Itoa(k.Scale) + ")"
	case Number:
		return "DOUBLE"
	case Date:
		return "DATE"
	case Time:
		return "TIMESTAMP"
	default:
		return "VARCHAR"
	}
}

// Meaning returns the column type that an analyst sees.
func (k Kind) Meaning() domain.ColumnType {
	switch k.Type {
	case Boolean:
		return domain.ColumnBoolean
	case Integer:
		return domain.ColumnInteger
	case Decimal, Number:
		return domain.ColumnNumber
	case Date:
		return domain.ColumnDate
	case Time:
		return domain.ColumnTime
	default:
		return domain.ColumnText
	}
}

// Column of a file. Its kind is decided after the first pass.
type Column struct {
	Name  string // the name in SQL
	Title string // the header in the file; empty if there is none, or if it is equal to Name
	Note  string // how the cells were read, if that is not obvious
	Kind  Kind
	Nulls int64
	// Doubtful reports that a person should check whether the column was read correctly.
	Doubtful bool

	format format // nil for text
	exact  bool   // every text that is not empty is a value
}

// Heading returns the header of the column in the file, or its name if that is the same or there is no header.
func (c *Column) Heading() string {
	if c.Title != "" {
		return c.Title
	}
	return c.Name
}

// Holds reports whether a cell of a text column has a value. Empty cells have none, and neither have the words that
// databases and spreadsheets write for a missing value.
func (c *Column) Holds(cell []byte) bool {
	return len(cell) > 0 && (c.exact || !isMissing(cell))
}

// Parse returns the value of a cell in the second pass. It is not for text columns, for which it returns NULL.
func (c *Column) Parse(cell []byte) Value {
	if c.format == nil || isNull(cell) {
		return Value{IsNull: true}
	}
	return c.format.parse(toUTF8(cell))
}

// candidates has the formats that are still possible for a column during the first pass.
type candidates struct {
	formats []format
	cells   int64 // cells that are not null
	empty   int64
	missing int64 // cells with a word for a missing value that is never a normal text, see isMissing
	nulls   int64 // cells that are empty or a word for a missing value, see isNull
	exact   bool  // Parley wrote the table, see Options.Exact

	// probed counts the first cells, up to probedCells. dates and figures are how many of them are dates or numbers
	// when each cell is read independently of the others.
	dates, figures, probed int64
	// rejected is the cell that the last remaining formats did not accept.
	rejected string
}

// probedCells is the number of cells that is enough to find out what most cells of a column are.
const probedCells = 1000

// probe counts what a cell is when it is read independently of the others.
func (c *candidates) probe(cell []byte) {
	c.probed++
	// A new format is made for each cell, so the cells do not influence each other.
	if (&mixed{}).accept(cell) || (months{}).accept(cell) {
		c.dates++
	}
	for _, n := range []*numbers{{decimal: '.', group: ','}, {decimal: ',', group: '.'}} {
		if n.accept(cell) {
			c.figures++
			break
		}
	}
}

// mostly returns a note for a text column of which at least four of five cells are dates or numbers. It is empty for other
// text columns.
func (c *candidates) mostly() string {
	for _, near := range []struct {
		count int64
		what  string
	}{{c.dates, "dates"}, {c.figures, "numbers"}} {
		// Fewer than three cells show nothing.
		if c.probed >= 3 && near.count*5 >= c.probed*4 && c.rejected != "" {
			return "mostly " + near.what + ", kept as text because of “" + c.rejected + "”"
		}
	}
	return ""
}

// newCandidates lists all formats. If several formats accept all cells, the first of them is used, so the order is the
// preference. People who use the semicolon as delimiter usually write decimals with a comma, and the day before the month.
func newCandidates(header string, comma byte) *candidates {
	point := &numbers{decimal: '.', group: ','}
	decimalComma := &numbers{decimal: ',', group: '.'}
	american, european := &moments{order: monthFirst}, &moments{order: dayFirst}
	c := &candidates{formats: []format{
		&booleans{yes: "true", no: "false"}, &booleans{yes: "yes", no: "no"},
		&booleans{yes: "y", no: "n"}, &booleans{yes: "t", no: "f"},
	}}
	lower := strings.ToLower(header)
	if strings.Contains(lower, "date") || strings.Contains(lower, "datum") || strings.Contains(lower, "day") {
		c.formats = append(c.formats, &moments{order: compact})
	}
	if comma == ';' {
		// 1.234 is read as 1234. 3.5 is not a valid grouping, so the point in it is a decimal point.
		c.formats = append(c.formats, decimalComma, point, &moments{order: yearFirst}, european, american)
	} else {
		c.formats = append(c.formats, point, decimalComma, &moments{order: yearFirst}, american, european)
	}
	c.formats = append(c.formats, &mixed{dayFirst: comma == ';'}, months{},
		&numbers{decimal: ',', group: ' '}, &numbers{decimal: '.', group: ' '}, &numbers{decimal: '.', group: '\''})
	return c
}

// exactCandidates lists the formats in which Parley writes its own tables.
func exactCandidates() *candidates {
	return &candidates{exact: true, formats: []format{
		&exactly{&booleans{yes: "true", no: "false"}, regexp.MustCompile(`^(true|false)$`)},
		&exactly{&numbers{decimal: '.'}, regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)},
		&exactly{&moments{order: yearFirst}, regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z?)?$`)},
	}}
}

// exactly accepts the cells of a format only in one spelling.
type exactly struct {
	format
	spelling *regexp.Regexp
}

// accept needs both: the spelling, and a value that the format can read.
func (e *exactly) accept(cell []byte) bool { return e.spelling.Match(cell) && e.format.accept(cell) }

// see counts a cell and removes the formats that do not accept it.
// Null cells do not decide about formats.
func (c *candidates) see(cell []byte) {
	if len(cell) == 0 {
		c.empty++
		c.nulls++
		return
	}
	if isNull(cell) {
		c.nulls++
		if isMissing(cell) && !c.exact {
			c.missing++
		}
		return
	}
	c.cells++
	cell = toUTF8(cell)
	if c.probed < probedCells && !c.exact {
		c.probe(cell)
	}
	if len(c.formats) == 0 {
		return
	}
	// The list is filtered in place.
	kept := c.formats[:0]
	for _, f := range c.formats {
		if f.accept(cell) {
			kept = append(kept, f)
		}
	}
	if c.formats = kept; len(kept) == 0 {
		c.rejected = domain.Shorten(domain.Clean(string(cell)), rejectedMax)
	}
}

// rejectedMax is how many characters of a cell a note shows.
const rejectedMax = 30

// decide sets the kind of the column after the first pass. A column without values is text.
func (c *candidates) decide(column *Column) {
	// The formats of booleans that saw only one letter are dropped here, because they accepted
	// every cell.
	c.formats = slices.DeleteFunc(c.formats, func(f format) bool {
		b, ok := f.(*booleans)
		return ok && b.doubtful()
	})
	column.exact = c.exact
	if c.cells == 0 || len(c.formats) == 0 {
		column.Nulls = c.empty + c.missing
		column.Note, column.Doubtful = c.mostly(), c.mostly() != ""
		return
	}
	// The first format is preferred, see newCandidates.
	chosen := c.formats[0]
	if m, ok := chosen.(*moments); ok && m.order != compact {
		// Another order that is still possible has accepted every cell as well.
		for _, other := range c.formats[1:] {
			if o, ok := other.(*moments); ok && o.order != m.order {
				m.doubtful = true
			}
		}
	}
	column.format, column.Kind, column.Note, column.Nulls = chosen, chosen.kind(), chosen.note(), c.nulls
	switch chosen := chosen.(type) {
	case *moments:
		column.Doubtful = chosen.doubtful
	case *mixed:
		column.Doubtful = true
	}
}
