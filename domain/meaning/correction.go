package meaning

import "time"

// Correction is one thing that a person said about the data of a data source. It is never changed: a person who thinks otherwise
// withdraws it and says something else. It applies to every later file of the source that has its table and column, and has no
// effect on a file without them.
type Correction struct {
	ID     int64
	Source int64
	// Table and Column say what it is about. Column is empty for what is said of a table.
	Table, Column string
	Field         Field
	// Value depends on the field; see its constants.
	Value string
	// Reason is what the person wrote about it; it can be empty.
	Reason string
	By     int64
	ByName string
	At     time.Time
}

// Field is what a correction says.
type Field string

// The fields. The comment says what Value holds.
const (
	// FieldRow: what one row is, in the singular.
	FieldRow Field = "row"
	// FieldTime: the name of the column of the default time.
	FieldTime Field = "time"
	// FieldMain: the name of the number that the table is mainly about.
	FieldMain Field = "main"
	// FieldRole: a Role.
	FieldRole Field = "role"
	// FieldAdds: an Adds.
	FieldAdds Field = "adds"
	// FieldDefault: an Aggregate.
	FieldDefault Field = "default"
	// FieldUnit: a unit as people write it: "USD", "%", "hours", "kg"; "-" for none.
	FieldUnit Field = "unit"
	// FieldScale: a positive number as text, as "1000".
	FieldScale Field = "scale"
	// FieldWeight: the name of the column that weighs a rate.
	FieldWeight Field = "weight"
	// FieldWords: other words for the table or the column, separated by commas.
	FieldWords Field = "words"
	// FieldVerbs: verbs that a flag or a time means, separated by commas.
	FieldVerbs Field = "verbs"
	// FieldLink: a link from Column, as "table.column" of its one side, with "s<id>." before it for a table of another
	// source; "-" and the same: that this is not a link; "!" and the same: that it is preferred. Of a link of several columns
	// Column is the first one, and the pairs of all columns follow the table (LinkedColumns).
	FieldLink Field = "link"
)

// Fields are all fields, in the order in which they are shown.
func Fields() []Field {
	return []Field{
		FieldRow, FieldTime, FieldMain, FieldRole, FieldAdds, FieldDefault, FieldUnit, FieldScale, FieldWeight, FieldWords, FieldVerbs,
		FieldLink,
	}
}
