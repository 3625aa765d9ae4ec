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
	// FormatPlain is a number that names something, written without thousands apart.
	FormatPlain   ColumnFormat = "plain"
	FormatDate    ColumnFormat = "date"
	FormatTime    ColumnFormat = "timestamp"
	FormatWeek    ColumnFormat = "week"
	FormatMonth   ColumnFormat = "month"
	FormatQuarter ColumnFormat = "quarter"
	FormatYear    ColumnFormat = "year"
)

// ColumnRole says what a column is for.
type ColumnRole string

// The roles of columns.
const (
	RoleOfTime     ColumnRole = "time"
	RoleOfCategory ColumnRole = "category"
	RoleOfMeasure  ColumnRole = "measure"
	RoleOfKey      ColumnRole = "key" // names one row and measures nothing
)

// ShownColumn says how people read a column of a table or chart.
type ShownColumn struct {
	// Name is what SQL calls it, Label what people do.
	Name  string `json:"name"`
	Label string `json:"label"`
	// Unit is a currency's code, %, or a unit such as kg; empty where none is known.
	Unit   string       `json:"unit,omitempty"`
	Format ColumnFormat `json:"format"`
	Role   ColumnRole   `json:"role"`
	// Adds says that the sum of its values means something: amounts and counts do,
	// averages and shares do not.
	Adds bool `json:"adds,omitempty"`
	// Until is the last day that the data behind a column of times reach, in ISO 8601;
	// empty where it is not known. A period that ends later is not complete.
	Until string `json:"until,omitempty"`
}
