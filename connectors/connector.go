// Package connectors says what a data source can do. One room per kind stands
// below it; workbench runs the queries in a child process.
package connectors

import (
	"context"

	"parley.dev/parley/domain"
)

// Connector reads one kind of data source.
type Connector interface {
	Type() domain.DataSourceType
	// Inspect looks at an uploaded file (a path of this machine) and says what it
	// is. Errors: CodeUnsupportedType, CodeInvalid, CodeTooLarge.
	Inspect(ctx context.Context, path, fileName string, o FileOptions) (*domain.FileInfo, error)
	// Prepare turns the file into a database that queries read, at workPath. A file
	// that can be kept and not be read here comes with a Notice and without tables,
	// and nothing is left at workPath.
	Prepare(ctx context.Context, path, fileName, workPath string, o FileOptions) (*domain.FileInfo, error)
}

// FileOptions are what a person may say about a file.
type FileOptions struct {
	// Delimiter is one character, or "auto" (the zero value means auto).
	Delimiter string
}

// Validate checks what a person said. Errors: CodeInvalid.
func (o FileOptions) Validate() error {
	switch c := o.Delimiter; {
	case c == "", c == "auto", c == "tab", c == `\t`, c == "\t":
		return nil
	case len(c) == 1 && c[0] >= ' ' && c[0] < 0x7f && c[0] != '"':
		return nil
	}
	return domain.Invalid("delimiter", "The delimiter must be one character, or auto")
}
