package domain

// ColumnFormat says how the values of a column are written.
type ColumnFormat string

// The formats of columns.
const (
	FormatText    ColumnFormat = "text"
	FormatNumber  ColumnFormat = "number"
	FormatCount   ColumnFormat = "count"   // whole numbers of things
	FormatMoney   ColumnFormat = "money"   // Unit is the currency's ISO 4217 code
	FormatPercent ColumnFormat = "percent" // 13.9 is 13.9 %
	// FormatFraction is a share of one: 0.139 is 13.9 %.
	FormatFraction ColumnFormat = "fraction"
	// FormatPlain is a number that identifies something, without separators of thousands.
	FormatPlain   ColumnFormat = "plain"
	FormatDate    ColumnFormat = "date"
	FormatTime    ColumnFormat = "timestamp"
	FormatWeek    ColumnFormat = "week"
	FormatMonth   ColumnFormat = "month"
	FormatQuarter ColumnFormat = "quarter"
	FormatYear    ColumnFormat = "year"
)

// ColumnRole is the role of a column.
type ColumnRole string

// The roles of columns.
const (
	RoleOfTime     ColumnRole = "time"
	RoleOfCategory ColumnRole = "category"
	RoleOfMeasure  ColumnRole = "measure"
	RoleOfKey      ColumnRole = "key" // names one row and measures nothing
)

// ShownColumn says how a column of a table or chart is shown to people.
type ShownColumn struct {
	// Name is the name in SQL, Label the name for people.
	Name  string `json:"name"`
	Label string `json:"label"`
	// Unit is a currency's code, %, or a unit such as kg; empty if none is known.
	Unit   string       `json:"unit,omitempty"`
	Format ColumnFormat `json:"format"`
	Role   ColumnRole   `json:"role"`
	// Adds is true if the sum of its values is meaningful, as for amounts and counts, but
	// not for averages and shares.
	Adds bool `json:"adds,omitempty"`
	// Until is the last day of the data behind a column of times, in ISO 8601; empty if it
	// is not known. A period that ends later is incomplete.
	Until string `json:"until,omitempty"`
}
