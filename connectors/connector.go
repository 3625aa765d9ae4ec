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
	// Inspect checks an uploaded file (by its path on this machine) and describes it. Errors:
	// CodeUnsupportedType, CodeInvalid, CodeTooLarge.
	Inspect(ctx context.Context, path, fileName string, o domain.FileOptions) (*domain.FileInfo, error)
	// Prepare converts the file to a database for queries, at workPath. For a file that can
	// be stored but not read on this server it returns a Notice and no tables, and writes
	// nothing to workPath.
	Prepare(ctx context.Context, path, fileName, workPath string, o domain.FileOptions) (*domain.FileInfo, error)
}

// FilesByType maps readers of files by their kind.
func FilesByType(readers ...FileReader) map[domain.DataSourceType]FileReader {
	out := make(map[domain.DataSourceType]FileReader, len(readers))
	for _, r := range readers {
		out[r.Type()] = r
	}
	return out
}

// Warehouse queries one kind of remote database. It is safe for concurrent use, and keeps no
// connection from one call to the next. The connection's parameters are checked at each call,
// because the addresses that an operator allows may have changed.
//
// Errors of all methods: CodeInvalid for what the person, or the author of the SQL, can
// correct, with the field for parameters; CodeUnavailable if the database does not answer;
// CodeTooMany if too many queries are running; the cause of ctx if it has ended. No error
// contains the secret.
type Warehouse interface {
	Type() domain.DataSourceType
	// Check tries to sign in and refuses a database that would not be safe to query.
	Check(ctx context.Context, a Access) error
	// Describe lists the tables that may be read, with columns, statistics and first rows. It
	// is also called without a Check before, when a data source is described again, so it
	// refuses itself what Check refuses.
	Describe(ctx context.Context, a Access) (*domain.SourceDescription, error)
	// Query runs one statement that reads, in the dialect of the kind. When ctx ends,
	// the statement is stopped in the database, too. It is called without a Check before, and
	// refuses itself a database that would not be safe: the user may have more rights by now.
	//
	// A statement has names and texts as the standard writes them: a name in double
	// quotes, a text in single quotes, each quote in it doubled, and a backslash is an ordinary
	// character. analyst.Tables, the planner and package sqltext rely on that. A database that reads
	// them in another way is set so for the session (ANSI_QUOTES and NO_BACKSLASH_ESCAPES of
	// MySQL, for example).
	Query(ctx context.Context, a Access, sql string, caps Caps) (*domain.ResultSet, error)
}

// WarehousesByType maps warehouses by their kind.
func WarehousesByType(warehouses ...Warehouse) map[domain.DataSourceType]Warehouse {
	out := make(map[domain.DataSourceType]Warehouse, len(warehouses))
	for _, w := range warehouses {
		out[w.Type()] = w
	}
	return out
}

// Access is what is needed to sign in to a warehouse.
type Access struct {
	// Params are checked by domain.DataSourceKind.
	Params domain.DataSourceParams
	// Secret is a password or a key. It must not be in any error or log.
	Secret string
}

// LogValue keeps the secret out of logs if the whole value is logged.
func (a Access) LogValue() slog.Value { return slog.AnyValue(a.Params) }

// String keeps the secret out of texts if the whole value is printed.
func (a Access) String() string { return "access without its secret" }

// Caps bound a result. Zero fields mean the defaults.
type Caps struct {
	// Rows is 10,000, Bytes 8 MB by default. A larger result is truncated, and marked so.
	Rows, Bytes int
	// Deadline is 30 s by default.
	Deadline time.Duration
}

// The defaults of Caps. The limits of rows and bytes also apply to results of files.
const (
	DefaultRows     = 10_000
	DefaultBytes    = 8 << 20
	DefaultDeadline = 30 * time.Second
)

// The limits of every result, of files and of databases: a result with more columns is
// refused, and a cell with more bytes is truncated.
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
