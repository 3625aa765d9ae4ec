package table

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
)

// Type of a column's cells.
type Type int

// The types, in the words of a database.
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

// SQL is the kind as DuckDB spells it.
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

// Meaning is what the kind is to an analyst.
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

// Column of a file, decided after the first pass.
type Column struct {
	Name  string // what SQL calls it
	Title string // what stood in the file
	Note  string // how its cells were read, when that is not plain
	Kind  Kind
	Nulls int64
	// Doubtful tells that a person should look whether it was read rightly.
	Doubtful bool

	format format // nil for text
	exact  bool   // text is taken as it stands
}

// Heading is what stood above the column.
func (c *Column) Heading() string {
	if c.Title != "" {
		return c.Title
	}
	return c.Name
}

// Holds reports whether a cell of a column of text holds anything. Beside what is
// empty only the words of databases and spreadsheets for nothing count as such.
func (c *Column) Holds(cell []byte) bool {
	return len(cell) > 0 && (c.exact || !isNothing(cell))
}

// Parse reads a cell of the second pass. Text is not read here.
func (c *Column) Parse(cell []byte) Value {
	if c.format == nil || isNull(cell) {
		return Value{IsNull: true}
	}
	return c.format.parse(unified(cell))
}

// candidates are what a column may still be while the first pass goes on.
type candidates struct {
	formats []format
	cells   int64 // that are not null
	empty   int64
	nothing int64 // a word for nothing that no text means
	nulls   int64 // empty or a word for nothing
	exact   bool  // cells are taken as they stand

	// Of the first probed cells, how many are dates and how many are numbers when each
	// is read by itself, and the cell that no format took that all before it had left.
	dates, figures, probed int64
	broke                  string
}

// probedCells are enough to tell what a column mostly holds.
const probedCells = 1000

// probe counts what a cell is by itself.
func (c *candidates) probe(cell []byte) {
	c.probed++
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

// mostly says what a column of text nearly was; empty for plain text.
func (c *candidates) mostly() string {
	for _, near := range []struct {
		count int64
		what  string
	}{{c.dates, "dates"}, {c.figures, "numbers"}} {
		if c.probed >= 3 && near.count*5 >= c.probed*4 && c.broke != "" {
			return "mostly " + near.what + ", kept as text because of “" + c.broke + "”"
		}
	}
	return ""
}

// newCandidates lists all formats. Where two fit to the end the earlier wins, so
// the order is the preference: the semicolon as delimiter speaks for people who
// write decimals with a comma and days before months.
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
		// A plain point stays a decimal point: 3.5 is no grouping, 1.234 is read as one.
		c.formats = append(c.formats, decimalComma, point, &moments{order: yearFirst}, european, american)
	} else {
		c.formats = append(c.formats, point, decimalComma, &moments{order: yearFirst}, american, european)
	}
	c.formats = append(c.formats, &mixed{dayFirst: comma == ';'}, months{},
		&numbers{decimal: ',', group: ' '}, &numbers{decimal: '.', group: ' '}, &numbers{decimal: '.', group: '\''})
	return c
}

// exactCandidates are the formats that our own tables are written in.
func exactCandidates() *candidates {
	return &candidates{exact: true, formats: []format{
		&exactly{&booleans{yes: "true", no: "false"}, regexp.MustCompile(`^(true|false)$`)},
		&exactly{&numbers{decimal: '.'}, regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)},
		&exactly{&moments{order: yearFirst}, regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z?)?$`)},
	}}
}

// exactly takes a format's cells only in one spelling.
type exactly struct {
	format
	spelling *regexp.Regexp
}

func (e *exactly) accept(cell []byte) bool { return e.spelling.Match(cell) && e.format.accept(cell) }

// see shows a cell to the formats that are left.
func (c *candidates) see(cell []byte) {
	if len(cell) == 0 {
		c.empty++
		c.nulls++
		return
	}
	if isNull(cell) {
		c.nulls++
		if isNothing(cell) && !c.exact {
			c.nothing++
		}
		return
	}
	c.cells++
	cell = unified(cell)
	if c.probed < probedCells && !c.exact {
		c.probe(cell)
	}
	if len(c.formats) == 0 {
		return
	}
	kept := c.formats[:0]
	for _, f := range c.formats {
		if f.accept(cell) {
			kept = append(kept, f)
		}
	}
	if c.formats = kept; len(kept) == 0 {
		c.broke = domain.Shorten(domain.Clean(string(cell)), brokeMax)
	}
}

// brokeMax is how much of a cell is shown, in characters.
const brokeMax = 30

// decide gives the column what it turned out to be. A column of nothing is text.
func (c *candidates) decide(column *Column) {
	c.formats = slices.DeleteFunc(c.formats, func(f format) bool {
		b, ok := f.(*booleans)
		return ok && b.doubtful()
	})
	column.exact = c.exact
	if c.cells == 0 || len(c.formats) == 0 {
		column.Nulls = c.empty + c.nothing
		column.Note, column.Doubtful = c.mostly(), c.mostly() != ""
		return
	}
	chosen := c.formats[0]
	if m, ok := chosen.(*moments); ok && m.order != compact {
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
