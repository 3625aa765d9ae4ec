package frame

import (
	"encoding/json"

	"parley.dev/parley/domain"
)

// Kind says what a worker is asked to do.
type Kind string

// The kinds of requests.
const (
	KindQuery  Kind = "query"
	KindCSV    Kind = "csv"
	KindXLSX   Kind = "xlsx"
	KindPPTX   Kind = "pptx"
	KindTables Kind = "tables"
	KindExport Kind = "export"
	KindFacts  Kind = "facts"
	KindPlan   Kind = "plan"
)

// Hello is a worker's first frame.
type Hello struct {
	Version int `json:"version"`
	// Engine is the version of DuckDB.
	Engine string `json:"engine"`
	// Walls are the walls around the worker, as it has checked them itself.
	Walls Walls `json:"walls"`
}

// Walls of a worker. Limits on memory, CPU, files and file size always apply.
type Walls struct {
	// Root: the worker sees only one folder of the file system.
	Root bool `json:"root"`
	// Calls: a filter refuses system calls for sockets, programs and namespaces.
	Calls bool `json:"calls"`
	// User is the id of the user that it runs as.
	User int `json:"user"`
}

// Request is the only request to a worker.
type Request struct {
	Kind     Kind      `json:"kind"`
	Query    *Query    `json:"query,omitempty"`
	CSV      *CSV      `json:"csv,omitempty"`
	Document *Document `json:"document,omitempty"` // of a workbook or a presentation
	Tables   *Tables   `json:"tables,omitempty"`
	Export   *Export   `json:"export,omitempty"`
	Facts    *Facts    `json:"facts,omitempty"`
	Plan     *Plan     `json:"plan,omitempty"`
}

// Query is one statement over some databases.
type Query struct {
	SQL       string     `json:"sql"`
	Databases []Database `json:"databases"`
	Caps      Caps       `json:"caps"`
	// Millis is the maximum time; then the worker interrupts itself, and a little later the
	// node kills it.
	Millis int `json:"millis"`
	// Plan is the maximum size of the bound plan that comes with the result; 0: no plan.
	Plan int `json:"plan,omitempty"`
	// Control is a second statement, which runs after the first one and has a few rows; empty for none.
	Control string `json:"control,omitempty"`
	// Derive says that the control is derived from the plan of the statement, if there is none here.
	Derive bool `json:"derive,omitempty"`
	// ControlMillis is the maximum time of the control.
	ControlMillis int `json:"controlMillis,omitempty"`
}

// Plan asks for the bound plan of a statement over empty tables, which stand for the tables of a remote database.
type Plan struct {
	SQL string `json:"sql"`
	// Alias is the name of the database, and Schemas its schemas in the order of the search path.
	Alias   string       `json:"alias"`
	Schemas []string     `json:"schemas"`
	Tables  []EmptyTable `json:"tables"`
	// Millis is the maximum time, and Bytes the maximum size of the plan.
	Millis int `json:"millis"`
	Bytes  int `json:"bytes"`
}

// EmptyTable is a table without rows. Of its columns only the names and the types are used.
type EmptyTable struct {
	Schema  string   `json:"schema"`
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
}

// Planned answers a Plan. Missing says why there is no plan.
type Planned struct {
	Plan    json.RawMessage `json:"plan,omitempty"`
	Missing string          `json:"missing,omitempty"`
}

// Database is one file of the worker's folder and the names of its tables.
type Database struct {
	File  string `json:"file"`
	Alias string `json:"alias"`
	Views []View `json:"views"`
}

// View gives a table of a database its own name; without a name the table is only reached
// through the database's alias.
type View struct {
	Name  string `json:"name,omitempty"`
	Table string `json:"table"`
}

// Caps of a result.
type Caps struct {
	Rows    int `json:"rows"`
	Columns int `json:"columns"`
	Bytes   int `json:"bytes"`
	Cell    int `json:"cell"`
}

// CSV asks for a database made from the CSV file that is open as descriptor 3.
type CSV struct {
	// Delimiter is one character, or "auto".
	Delimiter string `json:"delimiter"`
	// Title is the table's name for people; its SQL name is derived from it.
	Title string `json:"title"`
	// Out is the file to write in the worker's folder, empty to inspect only.
	Out  string  `json:"out,omitempty"`
	Caps CSVCaps `json:"caps"`
}

// CSVCaps bound the content of a CSV file.
type CSVCaps struct {
	Bytes   int64 `json:"bytes"`
	Line    int   `json:"line"`
	Columns int   `json:"columns"`
	Rows    int64 `json:"rows"`
}

// Document asks for a database made from the workbook or the presentation that is open as
// descriptor 3: a table for each sheet that is not empty, or one for the text of the slides
// and one for each table on them.
type Document struct {
	// Title is the document's name for people.
	Title string `json:"title"`
	// Out is the file to write in the worker's folder, empty to inspect only.
	Out  string       `json:"out,omitempty"`
	Caps DocumentCaps `json:"caps"`
}

// DocumentCaps bound the content of a document.
type DocumentCaps struct {
	Bytes    int64 `json:"bytes"`
	Unpacked int64 `json:"unpacked"`
	Ratio    int64 `json:"ratio"`
	Parts    int   `json:"parts"`
	Sheets   int   `json:"sheets"`
	Columns  int   `json:"columns"`
	Rows     int64 `json:"rows"`
	Texts    int   `json:"texts"`
	// Spooled is the maximum size of the cells on disk, in bytes.
	Spooled int64 `json:"spooled"`
}

// Tables asks for a database made from files of tables in the worker's folder.
type Tables struct {
	// Title is the name of all of them together, for people.
	Title  string      `json:"title"`
	Tables []TableFile `json:"tables"`
	// Out is the file to write in the worker's folder, empty to inspect only.
	Out string `json:"out,omitempty"`
	// Caps bound the tables together.
	Caps CSVCaps `json:"caps"`
}

// TableFile is one table, in a file of the format csv or parquet.
type TableFile struct {
	File   string `json:"file"`
	Format string `json:"format"`
	Title  string `json:"title"`
}

// Export asks for one of the product's own tables, the CSV that is open as descriptor 3, in
// another format.
type Export struct {
	Format string `json:"format"`
	// Out is the file to write in the worker's folder.
	Out  string  `json:"out"`
	Caps CSVCaps `json:"caps"`
	// Fractions are the positions of the columns whose values are shares of one: 0.139 is 13.9 %.
	Fractions []int `json:"fractions,omitempty"`
	// Percents are the positions of the columns whose values are percentages: 13.9 is 13.9 %.
	Percents []int `json:"percents,omitempty"`
}

// Facts asks for exact measurements. With one database its tables are measured, and the links between them. With two
// databases only the links between the one and the other are measured, from their known facts.
type Facts struct {
	Databases []FactsDatabase `json:"databases"`
	// Memory is the maximum of the engine's memory in bytes, and Spill that of its temporary files.
	Memory int64 `json:"memory"`
	Spill  int64 `json:"spill"`
	// Millis is the time for all measurements. What does not fit into it is left out of the answer and named there.
	Millis int `json:"millis"`
}

// FactsDatabase is one file of the worker's folder.
type FactsDatabase struct {
	File   string   `json:"file"`
	Tables []string `json:"tables"`
	// Known are the facts of the file where two databases are given. For one database, they are those of the
	// file before it, whose keys are tried again.
	Known *domain.SourceFacts `json:"known,omitempty"`
}

// Measured are the facts of one database, or the links between two.
type Measured struct {
	Facts *domain.SourceFacts `json:"facts,omitempty"`
	// Forward are links from the first database to the second, and Backward the others.
	Forward  []domain.LinkFacts `json:"forward,omitempty"`
	Backward []domain.LinkFacts `json:"backward,omitempty"`
}

// Reply is the last frame: one of its five fields is set.
type Reply struct {
	Fault  *Fault  `json:"fault,omitempty"`
	Result *Result `json:"result,omitempty"`
	File   *File   `json:"file,omitempty"`
	Made   *Made   `json:"made,omitempty"`
	// Measured answers a request of the kind facts.
	Measured *Measured `json:"measured,omitempty"`
	// Planned answers a request of the kind plan.
	Planned *Planned `json:"planned,omitempty"`
}

// Made says that an export was written to the worker's folder.
type Made struct {
	Rows int64 `json:"rows"`
}

// Fault is the reason why there is no result. Code is one of domain.Code, and Message is
// for people and models: it contains no path of the machine.
type Fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Result of a query. Rows is a JSON array of arrays, truncated to the caps.
type Result struct {
	Columns   []Column        `json:"columns"`
	Rows      json.RawMessage `json:"rows"`
	Truncated bool            `json:"truncated,omitempty"`
	Micros    int64           `json:"micros"`
	// Plan is the engine's bound logical plan of the statement, as it serializes it; empty if it was
	// not asked for, and if there is none: then Unplanned says why.
	Plan      json.RawMessage `json:"plan,omitempty"`
	Unplanned string          `json:"unplanned,omitempty"`
	// Control is the result of the control; nil if there is none, and if it failed or took too long.
	Control *Result `json:"control,omitempty"`
}

// Column of a result or a table.
type Column struct {
	Name         string   `json:"name"`
	Title        string   `json:"title,omitempty"`    // the header in the file, if it differs
	Note         string   `json:"note,omitempty"`     // how the cells were read, if that is not obvious
	Doubtful     bool     `json:"doubtful,omitempty"` // a person should check whether they were read correctly
	Type         string   `json:"type"`
	DatabaseType string   `json:"databaseType"`
	Distinct     int64    `json:"distinct,omitempty"`
	Nulls        int64    `json:"nulls,omitempty"`
	Min          string   `json:"min,omitempty"`
	Max          string   `json:"max,omitempty"`
	Values       []string `json:"values,omitempty"`
}

// File describes an uploaded file.
type File struct {
	Delimiter   string  `json:"delimiter,omitempty"`
	Encoding    string  `json:"encoding,omitempty"`
	Description string  `json:"description"`
	Tables      []Table `json:"tables"`
}

// Table of a file.
type Table struct {
	Title       string   `json:"title"`
	Name        string   `json:"name"` // its name in SQL
	Description string   `json:"description"`
	Columns     []Column `json:"columns"`
	Rows        int64    `json:"rows"`
	Preview     string   `json:"preview"`
}
