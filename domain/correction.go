package domain

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain/meaning"
)

// The limits of corrections.
const (
	// CorrectionsMax is the maximum number of corrections of a data source that stand at one time.
	CorrectionsMax = 500
	// CorrectionValueMax and CorrectionReasonMax are in characters.
	CorrectionValueMax  = 500 // a link of four columns with long names
	CorrectionReasonMax = 500
	// CorrectionUnitMax is the maximum length of a unit, and CorrectionWordsMax the maximum number of words in one correction.
	CorrectionUnitMax  = 20
	CorrectionWordsMax = 20
)

// StandingCorrection is a correction that nobody has withdrawn.
type StandingCorrection struct {
	meaning.Correction
	// Rests says that the present file has not what the correction is about. It holds again with a file that has it.
	Rests bool
}

// NewCorrection is the input for a correction. Everybody who may change a data source may correct what its data mean.
type NewCorrection struct {
	Table, Column string
	Field         meaning.Field
	Value         string
	Reason        string
	Key           IdempotencyKey
}

// CorrectionService stores what people say about their data. Every method returns CodeNotFound if the caller may not see the
// data source, and CodeForbidden if they may see it but not change it.
type CorrectionService interface {
	// Corrections returns the corrections that stand of those of these data sources that the person may read, in the order
	// in which they were made.
	Corrections(ctx context.Context, organisation, user int64, sources []int64) ([]StandingCorrection, error)
	// Correct stores a correction and returns it. The same correction said twice is one. A correction of the same field of
	// the same column takes the place of the one before, except words, verbs and links, of which there are many.
	// CodeInvalid for a value that does not fit the field or the present file, and beyond CorrectionsMax.
	Correct(ctx context.Context, caller Caller, source int64, n NewCorrection) (*meaning.Correction, error)
	// WithdrawCorrection takes a correction back. CodeNotFound if it does not stand.
	WithdrawCorrection(ctx context.Context, caller Caller, source, id int64) error
}

// MeaningOfSource is what the data of a data source mean.
type MeaningOfSource struct {
	Source *DataSource
	// Measured is false while the present file was not measured: then less is known.
	Measured bool
	Meaning  *meaning.Meaning
	// Names are the names of other data sources that links lead to.
	Names       map[int64]string
	Corrections []StandingCorrection
}

// MeaningService derives what data mean for a person.
type MeaningService interface {
	// Meaning returns what the data of a data source mean, with links to other data sources that the caller may read.
	// CodeNotFound if the caller may not see the data source.
	Meaning(ctx context.Context, caller Caller, source int64) (*MeaningOfSource, error)
}

// Limits returns the limits of the fields.
func (n *NewCorrection) Limits() []Limit {
	return []Limit{
		valid("value", &n.Value, CorrectionValueMax, "Please enter a value of at most {characters} characters"),
		atMost("reason", &n.Reason, CorrectionReasonMax, "Please enter a reason of at most {characters} characters"),
	}
}

// Validate tidies the value and checks the fields without the tables of the data source.
func (n *NewCorrection) Validate() error {
	n.Reason = strings.TrimSpace(n.Reason)
	switch n.Field {
	case meaning.FieldTime, meaning.FieldMain, meaning.FieldWeight, meaning.FieldLink:
		// Names of columns are as the file has them, also with spaces at their ends.
	case meaning.FieldWords, meaning.FieldVerbs:
		n.Value = strings.Join(wordsIn(n.Value), ", ")
	default:
		n.Value = strings.Join(strings.Fields(n.Value), " ")
	}
	var c Checks
	c.Within(n.Limits()...)
	c.Require(slices.Contains(meaning.Fields(), n.Field), "field", "This can not be said about data.")
	if err := c.Err(); err != nil {
		return err
	}
	if fault := n.faultOfValue(); fault != "" {
		return Invalid("value", fault)
	}
	return nil
}

// wordsIn returns the words of a list, each once.
func wordsIn(list string) []string {
	var out []string
	for word := range strings.SplitSeq(list, ",") {
		word = strings.Join(strings.Fields(word), " ")
		same := func(w string) bool { return strings.EqualFold(w, word) }
		if !Blank(word) && !slices.ContainsFunc(out, same) {
			out = append(out, word)
		}
	}
	return out
}

// faultOfValue says what is wrong with the value, whatever the table; empty if nothing is.
func (n *NewCorrection) faultOfValue() string {
	switch n.Field {
	case meaning.FieldRole:
		return unlessOneOf(n.Value, meaning.Roles())
	case meaning.FieldAdds:
		return unlessOneOf(n.Value, meaning.Kinds())
	case meaning.FieldDefault:
		return unlessOneOf(n.Value, meaning.Aggregates())
	case meaning.FieldUnit:
		if Length(n.Value) > CorrectionUnitMax {
			return "Please enter a unit of at most " + strconv.Itoa(CorrectionUnitMax) + " characters"
		}
	case meaning.FieldScale:
		if f, err := strconv.ParseFloat(n.Value, 64); err != nil || f <= 0 || math.IsInf(f, 0) || math.IsNaN(f) {
			return "Please enter a positive number"
		}
	case meaning.FieldWords, meaning.FieldVerbs:
		if len(wordsIn(n.Value)) > CorrectionWordsMax {
			return "Please enter at most " + strconv.Itoa(CorrectionWordsMax) + " words"
		}
	case meaning.FieldRow, meaning.FieldTime, meaning.FieldMain, meaning.FieldWeight, meaning.FieldLink:
	}
	return ""
}

func unlessOneOf[T ~string](value string, all []T) string {
	if slices.Contains(all, T(value)) {
		return ""
	}
	names := make([]string, len(all))
	for i, v := range all {
		names[i] = string(v)
	}
	return "The value must be one of " + strings.Join(names, ", ") + "."
}

// TooManyCorrections is the text for a correction beyond CorrectionsMax.
func TooManyCorrections() string {
	return "At most " + strconv.Itoa(CorrectionsMax) + " corrections of a connector can stand. Please take one back first."
}

// ofTable reports whether a field is said of a whole table. Words can be said of both.
func ofTable(f meaning.Field) bool {
	return f == meaning.FieldRow || f == meaning.FieldTime || f == meaning.FieldMain
}

// Against checks a valid correction against the tables of the present file. other returns the tables of another data source
// that the caller may read, or nil.
func (n *NewCorrection) Against(tables []DataResource, other func(source int64) []DataResource) error {
	table := tableNamed(tables, n.Table)
	if table == nil {
		return Invalid("table", "This connector has no table with this name.")
	}
	column := columnNamed(table, n.Column)
	switch {
	case n.Column == "" && !ofTable(n.Field) && n.Field != meaning.FieldWords:
		return Invalid("column", "Please name the column")
	case n.Column != "" && ofTable(n.Field):
		return Invalid("column", "This is said of a whole table, without a column.")
	case n.Column != "" && column == nil:
		return Invalid("column", "This table has no column with this name.")
	}
	return n.valueAgainst(tables, table, column, other)
}

func (n *NewCorrection) valueAgainst(
	tables []DataResource, table *DataResource, column *Column, other func(source int64) []DataResource,
) error {
	number := column.isNumber()
	switch n.Field {
	case meaning.FieldAdds, meaning.FieldDefault, meaning.FieldScale, meaning.FieldUnit, meaning.FieldWeight:
		if !number {
			return Invalid("column", "This can be said only of a column of numbers.")
		}
		weight := columnNamed(table, n.Value)
		if n.Field == meaning.FieldWeight && (weight == column || !weight.isNumber()) {
			return Invalid("value", "The weight must be another column of numbers of this table.")
		}
	case meaning.FieldRole:
		if n.Value == string(meaning.Measure) && !number {
			return Invalid("value", "Only a column of numbers can be measured.")
		}
	case meaning.FieldTime:
		if columnNamed(table, n.Value) == nil {
			return Invalid("value", "This table has no column with this name.")
		}
	case meaning.FieldMain:
		if !columnNamed(table, n.Value).isNumber() {
			return Invalid("value", "This table has no column of numbers with this name.")
		}
	case meaning.FieldLink:
		return n.linkAgainst(tables, table, other)
	case meaning.FieldRow, meaning.FieldWords, meaning.FieldVerbs:
	}
	return nil
}

func (n *NewCorrection) linkAgainst(tables []DataResource, table *DataResource, other func(int64) []DataResource) error {
	link := meaning.ParseLink(n.Value)
	if link.Source != 0 {
		tables = other(link.Source)
	}
	to, from, columns := endOf(tables, n.Column, link.End)
	switch {
	case to == "":
		return Invalid("value", "No table and column with this name can be read.")
	case slices.ContainsFunc(from, func(name string) bool { return columnNamed(table, name) == nil }):
		return Invalid("value", "This table has no column with this name.")
	case repeats(from) || repeats(columns):
		return Invalid("value", "Each column of a link is named once.")
	case link.Source == 0 && to == n.Table && slices.Equal(from, columns):
		return Invalid("value", "A column does not lead to itself.")
	}
	return nil
}

func repeats(names []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names)
}

// endOf finds the table of a link's end and the columns of both ends. All can have dots in their names, so the tables decide.
func endOf(tables []DataResource, column, end string) (table string, from, to []string) {
	for i := range tables {
		t := &tables[i]
		rest, ok := strings.CutPrefix(end, t.Table+".")
		if !ok {
			continue
		}
		if columnNamed(t, rest) != nil {
			return t.Table, []string{column}, []string{rest}
		}
		from, to, ok = meaning.LinkedColumns(column, rest)
		if ok && !slices.ContainsFunc(to, func(name string) bool { return columnNamed(t, name) == nil }) {
			return t.Table, from, to
		}
	}
	return "", nil, nil
}

func tableNamed(tables []DataResource, name string) *DataResource {
	at := slices.IndexFunc(tables, func(t DataResource) bool { return t.Table == name })
	if at < 0 {
		return nil
	}
	return &tables[at]
}

// isNumber reports whether it is a column of numbers; false for nil.
func (c *Column) isNumber() bool {
	return c != nil && (c.Type == ColumnInteger || c.Type == ColumnNumber)
}

func columnNamed(t *DataResource, name string) *Column {
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		return nil
	}
	return &t.Columns[at]
}

// TakesPlaceOf reports whether a correction is withdrawn by this one. Both are of the same data source.
func (n *NewCorrection) TakesPlaceOf(c *meaning.Correction) bool {
	if c.Table != n.Table || c.Column != n.Column || c.Field != n.Field {
		return false
	}
	switch n.Field {
	case meaning.FieldWords, meaning.FieldVerbs:
		return false
	case meaning.FieldLink:
		// That two columns are linked, that they are not, and that the link is preferred are three answers to one question.
		mine, its := meaning.ParseLink(n.Value), meaning.ParseLink(c.Value)
		return mine.Source == its.Source && mine.End == its.End
	case meaning.FieldRow, meaning.FieldTime, meaning.FieldMain, meaning.FieldRole, meaning.FieldAdds, meaning.FieldDefault, meaning.FieldUnit,
		meaning.FieldScale, meaning.FieldWeight:
	}
	return true
}

// Says reports whether a correction says the same.
func (n *NewCorrection) Says(c *meaning.Correction) bool {
	return c.Table == n.Table && c.Column == n.Column && c.Field == n.Field && c.Value == n.Value
}

// Resting reports whether the tables do not have what a correction is about. Ends of links in other data sources are not looked at.
func Resting(c *meaning.Correction, tables []DataResource) bool {
	table := tableNamed(tables, c.Table)
	if table == nil || c.Column != "" && columnNamed(table, c.Column) == nil {
		return true
	}
	switch c.Field {
	case meaning.FieldTime, meaning.FieldMain, meaning.FieldWeight:
		return columnNamed(table, c.Value) == nil
	case meaning.FieldLink:
		link := meaning.ParseLink(c.Value)
		to, from, _ := endOf(tables, c.Column, link.End)
		return link.Source == 0 && to == "" ||
			slices.ContainsFunc(from, func(name string) bool { return columnNamed(table, name) == nil })
	case meaning.FieldRow, meaning.FieldRole, meaning.FieldAdds, meaning.FieldDefault, meaning.FieldUnit, meaning.FieldScale,
		meaning.FieldWords, meaning.FieldVerbs:
	}
	return false
}
