package frame

import "encoding/json"

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
)

// Hello is a worker's first frame.
type Hello struct {
	Version int `json:"version"`
	// Engine is the version of DuckDB.
	Engine string `json:"engine"`
	// Walls are those that stand around the worker, as it found them itself.
	Walls Walls `json:"walls"`
}

// Walls of a worker. Limits on memory, CPU, files and file size always stand.
type Walls struct {
	// Root: the worker sees one folder and nothing else of the file system.
	Root bool `json:"root"`
	// Calls: a filter refuses system calls for sockets, programs and namespaces.
	Calls bool `json:"calls"`
	// User is the user id it runs as.
	User int `json:"user"`
}

// Request is the one thing a worker is asked.
type Request struct {
	Kind     Kind      `json:"kind"`
	Query    *Query    `json:"query,omitempty"`
	CSV      *CSV      `json:"csv,omitempty"`
	Document *Document `json:"document,omitempty"` // of a workbook or a presentation
	Tables   *Tables   `json:"tables,omitempty"`
	Export   *Export   `json:"export,omitempty"`
}

// Query is one statement over some databases.
type Query struct {
	SQL       string     `json:"sql"`
	Databases []Database `json:"databases"`
	Caps      Caps       `json:"caps"`
	// Millis is the time it may take; the worker interrupts itself then, and the
	// node kills it a little later.
	Millis int `json:"millis"`
}

// Database is one file of the worker's folder and how its tables are called.
type Database struct {
	File  string `json:"file"`
	Alias string `json:"alias"`
	Views []View `json:"views"`
}

// View gives a table of a database a name of its own; without one it is only
// reached through the database's alias.
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
	// Title is what people call the table; its SQL name is derived from it.
	Title string `json:"title"`
	// Out is the file to write in the worker's folder, empty to only look.
	Out  string  `json:"out,omitempty"`
	Caps CSVCaps `json:"caps"`
}

// CSVCaps bound what a CSV file may hold.
type CSVCaps struct {
	Bytes   int64 `json:"bytes"`
	Line    int   `json:"line"`
	Columns int   `json:"columns"`
	Rows    int64 `json:"rows"`
}

// Document asks for a database made from the workbook or the presentation that is
// open as descriptor 3: a table for each sheet that holds something, or one of what
// the slides say and one for each table on them.
type Document struct {
	// Title is what people call the document.
	Title string `json:"title"`
	// Out is the file to write in the worker's folder, empty to only look.
	Out  string       `json:"out,omitempty"`
	Caps DocumentCaps `json:"caps"`
}

// DocumentCaps bound what a document may hold.
type DocumentCaps struct {
	Bytes    int64 `json:"bytes"`
	Unpacked int64 `json:"unpacked"`
	Ratio    int64 `json:"ratio"`
	Parts    int   `json:"parts"`
	Sheets   int   `json:"sheets"`
	Columns  int   `json:"columns"`
	Rows     int64 `json:"rows"`
	Texts    int   `json:"texts"`
	// Spooled is the most bytes that the cells may take on disk.
	Spooled int64 `json:"spooled"`
}

// Tables asks for a database made from files of tables in the worker's folder.
type Tables struct {
	// Title is what people call them together.
	Title  string      `json:"title"`
	Tables []TableFile `json:"tables"`
	// Out is the file to write in the worker's folder, empty to only look.
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

// Export asks for a table of ours, the CSV that is open as descriptor 3, in
// another format.
type Export struct {
	Format string `json:"format"`
	// Out is the file to write in the worker's folder.
	Out  string  `json:"out"`
	Caps CSVCaps `json:"caps"`
}

// Reply ends the conversation: one of the four is set.
type Reply struct {
	Fault  *Fault  `json:"fault,omitempty"`
	Result *Result `json:"result,omitempty"`
	File   *File   `json:"file,omitempty"`
	Made   *Made   `json:"made,omitempty"`
}

// Made says that an export stands in the worker's folder.
type Made struct {
	Rows int64 `json:"rows"`
}

// Fault is why there is no result. Code is one of domain.Code, and Message is
// for people and models: no path of the machine stands in it.
type Fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Result of a query. Rows is a JSON array of arrays, cut to the caps.
type Result struct {
	Columns   []Column        `json:"columns"`
	Rows      json.RawMessage `json:"rows"`
	Truncated bool            `json:"truncated,omitempty"`
	Micros    int64           `json:"micros"`
}

// Column of a result or a table.
type Column struct {
	Name         string   `json:"name"`
	Title        string   `json:"title,omitempty"`    // the header as it stood in the file, when it differs
	Note         string   `json:"note,omitempty"`     // how the cells were read, when that is not plain
	Doubtful     bool     `json:"doubtful,omitempty"` // a person should look whether they were read rightly
	Type         string   `json:"type"`
	DatabaseType string   `json:"databaseType"`
	Distinct     int64    `json:"distinct,omitempty"`
	Nulls        int64    `json:"nulls,omitempty"`
	Min          string   `json:"min,omitempty"`
	Max          string   `json:"max,omitempty"`
	Values       []string `json:"values,omitempty"`
}

// File is what an uploaded file turned out to be.
type File struct {
	Delimiter   string  `json:"delimiter,omitempty"`
	Encoding    string  `json:"encoding,omitempty"`
	Description string  `json:"description"`
	Tables      []Table `json:"tables"`
}

// Table of a file.
type Table struct {
	Title       string   `json:"title"`
	Name        string   `json:"name"` // what SQL calls it
	Description string   `json:"description"`
	Columns     []Column `json:"columns"`
	Rows        int64    `json:"rows"`
	Preview     string   `json:"preview"`
}
