package meaning

import (
	"slices"
	"strings"
)

// Meaning is what the data of one or more data sources mean. It is immutable once derived.
type Meaning struct {
	// Hash identifies the meaning: equal facts, documents, corrections and rules give an equal hash. A node keeps the meanings that it
	// derived last by it (semantic.Cache); nothing stores it.
	Hash   string
	Tables []Table
	Links  []Link
	Words  []Word
}

// State says where a statement about the data comes from.
type State string

// The states, the strongest first. People can narrow a measured statement but not deny it; otherwise the stronger state wins.
const (
	// Measured: counted exactly in the present file.
	Measured State = "measured"
	// Said: a person said it.
	Said State = "said"
	// Documented: read from the description or the data dictionary.
	Documented State = "documented"
	// Declared: a constraint of a warehouse.
	Declared State = "declared"
	// Inferred: concluded from names or statistics.
	Inferred State = "inferred"
)

// Reason says why something is taken to be so.
type Reason struct {
	State State
	// Evidence is a sentence for people: "mrr minus the month before is mrr_change in all rows". Empty if there is none.
	Evidence string
}

// TableKind says what the rows of a table are.
type TableKind string

// The kinds of tables.
const (
	// Event: something that happened: an order, a visit.
	Event TableKind = "event"
	// EntityTable: one row for each thing: a customer, a product.
	EntityTable TableKind = "entity"
	// SnapshotTable: one row for each thing in each period.
	SnapshotTable TableKind = "snapshot"
	// Bridge: nothing but columns that name things of other tables.
	Bridge TableKind = "bridge"
	// Pairs: a column with the name of a figure, and one with its value.
	Pairs TableKind = "pairs"
	// Calendar: one row for each day or period.
	Calendar TableKind = "calendar"
	// Document: rows of text.
	Document TableKind = "document"
)

// Table is the meaning of one table.
type Table struct {
	// Source is the id of the data source, and Name the name of the table in SQL within it.
	Source int64
	Name   string
	Rows   int64
	// Row is what one row is, in English, as "order line"; Plural is its plural.
	Row, Plural string
	RowReason   Reason
	Kind        TableKind
	// Keys are minimal sets of columns in which no two rows are equal; the first one is the one that people see. They are measured, or
	// declared by a warehouse. Empty with KeysKnown means that rows repeat.
	Keys      [][]string
	KeysKnown bool
	// Entities are the things that columns of the table name.
	Entities []EntityRef
	// Implies are exact dependencies between columns: each order has one date.
	Implies  []Determination
	Snapshot *Snapshot
	// Time is the column of the default time: the one that is meant if a question names none. Empty means that there is none.
	Time       string
	TimeReason Reason
	// Main is the number that the table is mainly about: by its total things are ranked if a question names no number. Empty
	// means that there is none.
	Main       string
	MainReason Reason
	// Called is the column with the names of the things, which people read instead of a key. Empty means that there is none.
	Called  string
	Verbs   []Verb
	Columns []Column
}

// EntityRef says that columns of a table name a thing.
type EntityRef struct {
	// Entity is the name of the thing in the singular, as "order".
	Entity  string
	Columns []string
	// Home says that the table is the home of the entity: one row for each thing.
	Home bool
}

// Determination says that equal values of By have equal values of Columns.
type Determination struct {
	By, Columns []string
}

// Step is the distance of two periods.
type Step string

// The steps.
const (
	Day     Step = "day"
	Week    Step = "week"
	Month   Step = "month"
	Quarter Step = "quarter"
	Year    Step = "year"
)

// Snapshot says that a table has a row for each entity in each of many periods.
type Snapshot struct {
	Entity []string
	Period string
	Step   Step
	// Regular: an entity has a row in each period while it lives. The level of a window is then the one of its last period;
	// else it is the one of each entity's last row.
	Regular bool
	// Last is the last complete period as a date; empty if it is not known.
	Last string
	// Birth is the column that says since when an entity exists, and Exit the flag that is true only in its last row. Each can be empty.
	Birth, Exit string
}

// Role says what a column is for.
type Role string

// The roles.
const (
	Key       Role = "key"
	Foreign   Role = "foreign"
	Time      Role = "time"
	Part      Role = "part" // of the calendar: a month, a weekday, an hour as a number or a name
	Dimension Role = "dimension"
	Measure   Role = "measure"
	Flag      Role = "flag"
	Text      Role = "text"
	Geo       Role = "geo"
	Order     Role = "order" // a rank or an index
)

// Column is the meaning of one column.
type Column struct {
	Name string
	// Label is the heading as people write it.
	Label string
	Role  Role
	// Number is set for every column whose values can be calculated with.
	Number *Number
	// Ordered are the values in their order, as low, medium, high; empty if they have none.
	Ordered []string
	// Yes is the value of a Flag that says yes, as in SQL: true, 1, 'Y'.
	Yes string
	// Missing are the rows without a value.
	Missing int64
	// Reasons are kept by field: "role", "adds", "unit", "scale", "ordered", "default", "weight", "barriers".
	Reasons map[string]Reason
}

// Adds says what adding up the values of a column means.
type Adds string

// The kinds of numbers.
const (
	// Amount may be summed over everything: revenue, quantity.
	Amount Adds = "amount"
	// Level may be summed over entities, and not over time: stock, balance, monthly recurring revenue.
	Level Adds = "level"
	// Rate is never summed: a price, a percentage, a score.
	Rate Adds = "rate"
	// Unknown: nothing says what it is. An aggregate that the question names is calculated; one that it does not name is asked for.
	Unknown Adds = "unknown"
)

// Aggregate is how a number is summed up if a question does not say.
type Aggregate string

// The default aggregates.
const (
	Sum Aggregate = "sum"
	// LastPeriod is the sum within the last period.
	LastPeriod Aggregate = "last"
	// MeanOfPeriods is the mean of the sums of each period.
	MeanOfPeriods Aggregate = "mean_of_periods"
	Mean          Aggregate = "mean"
	AskFirst      Aggregate = "ask"
)

// Number is what a column of numbers means.
type Number struct {
	Adds    Adds
	Default Aggregate
	Unit    Unit
	// Scale is what a value is multiplied with when it is spoken of: 1000 for "in thousands". 1 is the usual one.
	Scale float64
	// Weight is the column that weighs a Rate in a mean; empty if there is none.
	Weight   string
	Barriers []Barrier
}

// UnitKind is what is counted in a unit.
type UnitKind string

// The kinds of units.
const (
	NoUnit   UnitKind = ""
	Money    UnitKind = "money"
	Percent  UnitKind = "percent"
	Duration UnitKind = "duration"
	Count    UnitKind = "count"
	Physical UnitKind = "physical" // mass, length, temperature and others, by Symbol
)

// Unit is the unit of a number.
type Unit struct {
	Kind UnitKind
	// Symbol is the ISO 4217 code of Money, the step of a Duration ("hours"), the thing of a Count ("seats"), or the usual
	// symbol of a Physical unit ("kg", "°C").
	Symbol string
	// Column is the column with the unit of each row, such as a column of currencies; empty if all rows have Symbol.
	Column string
	// OfOne says that a Percent is stored as a fraction: 0.25 is 25 %.
	OfOne bool
}

// Resolve says how a query can get past a barrier.
type Resolve string

// The ways past a barrier.
const (
	ByLastPeriod    Resolve = "last_period"
	ByLastOfEntity  Resolve = "last_of_entity"
	ByMeanOfPeriods Resolve = "mean_of_periods"
	// FixOrGroup: the barrier's column is limited to one value, or the query groups by it.
	FixOrGroup Resolve = "fix_or_group"
)

// Barrier is a column over whose values a number must not be added up: the period of a level, a currency, the name of a figure.
type Barrier struct {
	Column  string
	Resolve Resolve
	// Of is the word for what the column separates: "months", "currencies", "units".
	Of string
}

// Verb says which time and which rows a verb of a question means: churned means the exit flag, by the month of the snapshot.
type Verb struct {
	// Word is a stem in lower case, and Language its language tag, as "en".
	Word, Language string
	// Time is the column of the time; empty if the verb has none.
	Time string
	// Column and Value are the rows that the verb means; empty if it means all.
	Column, Value string
	// Shared: the rule that found the verb finds it with another meaning as well, as for two columns with the value Paid. The first one
	// is kept.
	Shared bool
	Reason Reason
}

// Ends is one end of a link: columns of a table.
type Ends struct {
	Source  int64
	Table   string
	Columns []string
}

// Same reports whether two ends are the same columns. Names are compared as databases do, without their case.
func (e Ends) Same(o Ends) bool {
	return e.Source == o.Source && strings.EqualFold(e.Table, o.Table) && slices.EqualFunc(e.Columns, o.Columns, strings.EqualFold)
}

// Prefer makes the link between two ends the preferred one. Of the links between two tables only one can be.
func Prefer(links []Link, from, to Ends) {
	for i := range links {
		l := &links[i]
		if l.From.Source == from.Source && strings.EqualFold(l.From.Table, from.Table) && l.To.Source == to.Source &&
			strings.EqualFold(l.To.Table, to.Table) {
			l.Preferred = l.From.Same(from) && l.To.Same(to)
		}
	}
}

// Cardinality is how many rows of one end belong to one row of the other.
type Cardinality string

// The cardinalities. A link leads from its many side to its one side.
const (
	ManyToOne Cardinality = "many_to_one"
	OneToOne  Cardinality = "one_to_one"
	// ManyToMany: both ends name an entity that has no table of its own.
	ManyToMany Cardinality = "many_to_many"
)

// Link says that columns of two tables name the same entity.
type Link struct {
	From, To Ends
	Entity   string
	// Part is the part that the entity plays, as "home" in home_team_id; empty if there is only one link between the tables.
	Part        string
	Cardinality Cardinality
	// Distinct are the different values of From, Matched those of them that To has, and Orphans the rows of From without a match.
	Distinct, Matched, Orphans int64
	Reason                     Reason
	// Preferred: a person said that this link is meant if several lead to the same place.
	Preferred bool
}

// Word is another word for a table, a column or a value.
type Word struct {
	Text, Language string
	Source         int64
	Table, Column  string
	// Value is a value of Column; empty if the word means the column, and Column is empty if it means the table.
	Value  string
	Reason Reason
}
