// Package connectors says what a data source can do. One room per kind stands below
// it. A kind is read in one of two ways: a FileReader reads an uploaded file once, and
// its tables are asked in the workbench, a child process; a Warehouse is a database
// elsewhere that is asked itself, with every question, in its own SQL.
package connectors

import (
	"context"
	"log/slog"
	"time"

	"parley.dev/parley/domain"
)

// FileReader reads one kind of files.
type FileReader interface {
	Type() domain.DataSourceType
	// Inspect looks at an uploaded file (a path of this machine) and says what it
	// is. Errors: CodeUnsupportedType, CodeInvalid, CodeTooLarge.
	Inspect(ctx context.Context, path, fileName string, o domain.FileOptions) (*domain.FileInfo, error)
	// Prepare turns the file into a database that queries read, at workPath. A file
	// that can be kept and not be read here comes with a Notice and without tables,
	// and nothing is left at workPath.
	Prepare(ctx context.Context, path, fileName, workPath string, o domain.FileOptions) (*domain.FileInfo, error)
}

// FilesByType sorts readers of files by what they read.
func FilesByType(readers ...FileReader) map[domain.DataSourceType]FileReader {
	out := make(map[domain.DataSourceType]FileReader, len(readers))
	for _, r := range readers {
		out[r.Type()] = r
	}
	return out
}

// Warehouse asks one kind of database that lives elsewhere. It is safe for concurrent
// use, and keeps no connection from one call to the next. What a person entered is
// checked again with each call: what an operator allows may have changed.
//
// Errors of all methods: CodeInvalid for what the person, or the writer of the SQL, can
// mend, with the field for parameters; CodeUnavailable where the database does not
// answer; CodeTooMany where too many questions run already; the cause of ctx where it
// ended. None holds the secret.
type Warehouse interface {
	Type() domain.DataSourceType
	// Check tries to sign in and refuses what would not be safe to ask.
	Check(ctx context.Context, a Access) error
	// Describe lists the tables that may be read, with columns, statistics and first rows.
	Describe(ctx context.Context, a Access) (*domain.SourceDescription, error)
	// Query runs one statement that reads, in the dialect of the kind. When ctx ends,
	// the statement is stopped in the database, too.
	Query(ctx context.Context, a Access, sql string, caps Caps) (*domain.ResultSet, error)
}

// WarehousesByType sorts warehouses by what they ask.
func WarehousesByType(warehouses ...Warehouse) map[domain.DataSourceType]Warehouse {
	out := make(map[domain.DataSourceType]Warehouse, len(warehouses))
	for _, w := range warehouses {
		out[w.Type()] = w
	}
	return out
}

// Access is what a warehouse is signed in to with.
type Access struct {
	// Params are checked by domain.DataSourceKind.
	Params domain.DataSourceParams
	// Secret is a password or a key. It must stand in no error and no log.
	Secret string
}

// LogValue keeps the secret out of logs where somebody logs the whole.
func (a Access) LogValue() slog.Value { return slog.AnyValue(a.Params) }

// String keeps the secret out of texts where somebody prints the whole.
func (a Access) String() string { return "access without its secret" }

// Caps bound a result. Zero fields mean the defaults.
type Caps struct {
	// Rows is 10,000, Bytes 8 MB by default. Beyond either the result is cut, and says so.
	Rows, Bytes int
	// Deadline is 30 s by default.
	Deadline time.Duration
}

// The defaults of Caps. Rows and bytes are those of results of files as well.
const (
	DefaultRows     = 10_000
	DefaultBytes    = 8 << 20
	DefaultDeadline = 30 * time.Second
)

// The bounds of every result, of files and of databases: a result with more columns is
// refused, and a cell with more bytes is cut.
const (
	MaxColumns = 500
	MaxCell    = 64 << 10
)

// WithDefaults fills the zero fields.
func (c Caps) WithDefaults() Caps {
	if c.Rows <= 0 {
		c.Rows = DefaultRows
	}
	if c.Bytes <= 0 {
		c.Bytes = DefaultBytes
	}
	if c.Deadline <= 0 {
		c.Deadline = DefaultDeadline
	}
	return c
}
