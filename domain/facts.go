package domain

// TableFacts are measurements of one table of a prepared file. Nothing in them is an estimate: they are exact over all rows,
// except that the series of a panel of more than a million rows are counted in one of sixteen entities (SeriesFacts). A fact
// that was not measured, for time or for memory, is missing, and a reader treats it as unknown.
type TableFacts struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
	// Keys are minimal sets of columns in which no two rows are equal and nothing is missing. The first one is the key
	// that people are told of. Empty means that none of the candidates is a key.
	Keys [][]string `json:"keys,omitempty"`
	// Implied says what is constant for each value of some columns: each order has one date and one customer.
	Implied []Implication `json:"implied,omitempty"`
	Panel   *PanelFacts   `json:"panel,omitempty"`
	// Running are the running totals of a table that is no panel; nil if it has none.
	Running *RunningFacts `json:"running,omitempty"`
	Columns []ColumnFacts `json:"columns"`
	// Unmeasured names the parts that did not fit into the time or the memory of the measurement. Without it a
	// reader could not tell a table that has no key from one whose keys are unknown.
	Unmeasured []FactPart `json:"unmeasured,omitempty"`
}

// FactPart is a part of a measurement that can be left out.
type FactPart string

// The parts of a measurement. FactTables are whole tables, FactColumns all statistics of the columns, FactDistinct the
// numbers of different values, and FactChanges the columns that hold the change of another one.
const (
	FactTables   FactPart = "tables"
	FactColumns  FactPart = "columns"
	FactKeys     FactPart = "keys"
	FactDistinct FactPart = "distinct"
	FactImplied  FactPart = "implied"
	FactPanel    FactPart = "panel"
	FactSeries   FactPart = "series"
	FactChanges  FactPart = "changes"
	FactLinks    FactPart = "links"
	// FactLives is how the entities of a panel begin, stay and end.
	FactLives FactPart = "lives"
	// FactRunning are the running totals of a table that is no panel.
	FactRunning FactPart = "running"
)

// Implication says that rows with equal values in By have equal values in each of Columns. A missing value counts as a
// value of its own here, so that it also holds for the group of rows that GROUP BY makes of them.
type Implication struct {
	By      []string `json:"by"`
	Columns []string `json:"columns"`
}

// PanelFacts say that a table has a row for each entity in each of many periods, as accounts by month.
type PanelFacts struct {
	// Entity and Period together are a key of the table.
	Entity []string `json:"entity"`
	Period string   `json:"period"`
	// Series are the measurements of the numbers along the periods of an entity.
	Series []SeriesFacts `json:"series,omitempty"`
	// Recent are the last periods with their rows, the earliest first, at most 13.
	Recent []PeriodFacts `json:"recent,omitempty"`
	// Lived is the number of periods from the first to the last row of each entity, added up over all entities. Only periods
	// that stand in the table count. It equals the rows of the table if no entity leaves a period out; 0 if it was not measured.
	Lived int64 `json:"lived,omitempty"`
	// Flags are the columns of yes and no, and Births the dates that are constant for each entity.
	Flags  []FlagFacts  `json:"flags,omitempty"`
	Births []BirthFacts `json:"births,omitempty"`
}

// PeriodFacts are the rows of one period.
type PeriodFacts struct {
	Period string `json:"period"`
	Rows   int64  `json:"rows"`
}

// FlagFacts say how often a column of a panel says yes, and how often it does so in the last row of an entity.
type FlagFacts struct {
	Column string `json:"column"`
	Yes    int64  `json:"yes"`
	Last   int64  `json:"last"`
}

// BirthFacts compare a date that is constant for each entity of a panel with the first period of the entity. Only entities
// count that begin after the first period of the table.
type BirthFacts struct {
	Column   string `json:"column"`
	Entities int64  `json:"entities"`
	// Equal are the entities whose date lies within their first period.
	Equal int64 `json:"equal"`
}

// SeriesFacts compare each value of a column with the value of the same entity in the period before. The numbers are counts of
// such steps in a sample of whole entities, which only SampledEntities limits: within the sample they are exact.
type SeriesFacts struct {
	Column          string `json:"column"`
	SampledEntities int64  `json:"sampledEntities"`
	Steps           int64  `json:"steps"`
	// Equal, Falling and Rising are the steps without a change, downwards and upwards.
	Equal   int64 `json:"equal"`
	Falling int64 `json:"falling"`
	Rising  int64 `json:"rising"`
	// Zero are the values that are 0, of Values in all.
	Zero   int64 `json:"zero"`
	Values int64 `json:"values"`
	// ChangeColumn is the column that equals the difference to the period before in all rows of the table where both are
	// known, not only of the sample; empty if there is none. Floating point numbers are equal within one part in 10⁹.
	ChangeColumn string `json:"changeColumn,omitempty"`
}

// RunningFacts say that some numbers never fall from one row of an entity to its next one in time, such as the readings of a
// meter.
type RunningFacts struct {
	// Entity and Time together are a key of the table.
	Entity []string `json:"entity"`
	Time   string   `json:"time"`
	// Series are the measurements of these numbers, over all rows.
	Series []SeriesFacts `json:"series"`
}

// ColumnFacts are the exact statistics of a column.
type ColumnFacts struct {
	Name    string `json:"name"`
	Missing int64  `json:"missing"`
	// Distinct is the exact number of different values; nil if it was not counted.
	Distinct *int64 `json:"distinct,omitempty"`
	// Min and Max are the ends of numbers and times as text; nil for other types and for a column without a value.
	Min *string `json:"min,omitempty"`
	Max *string `json:"max,omitempty"`
}

// LinkFacts measure whether the values of some columns are found in a key of another table, or among values that name the
// same thing there.
type LinkFacts struct {
	FromTable string   `json:"fromTable"`
	From      []string `json:"from"`
	ToTable   string   `json:"toTable"`
	To        []string `json:"to"`
	// Distinct are the different values of From, and Matched those of them that To has.
	Distinct int64 `json:"distinct"`
	Matched  int64 `json:"matched"`
	// Orphans are the rows whose value To does not have.
	Orphans int64 `json:"orphans"`
	// Unique says that each value of From stands in one row only, so the link is one to one.
	Unique bool `json:"unique"`
	// Shared says that To is no key: both tables have several rows for a value, such as the number of an order in the lines of
	// orders and in tickets.
	Shared bool `json:"shared,omitempty"`
}
