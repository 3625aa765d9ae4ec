// Package xlsx is the connector of Excel workbooks: each sheet that is not empty is a table. Everything
// that unpacks or parses is done by a worker process, which it knows only as an
// interface.
package xlsx

import (
	"context"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// Worker reads such files in a separate process. workbench.Bench implements it.
type Worker interface {
	// InspectXLSX describes the file; title is its name for people.
	InspectXLSX(ctx context.Context, path, title string) (*domain.FileInfo, error)
	// PrepareXLSX also writes a database to workPath.
	PrepareXLSX(ctx context.Context, path, title, workPath string) (*domain.FileInfo, error)
}

// Connector implements connectors.FileReader.
type Connector struct{ worker Worker }

var _ connectors.FileReader = (*Connector)(nil)

// New makes the connector.
func New(w Worker) *Connector {
	if w == nil {
		panic("xlsx: a worker is required")
	}
	return &Connector{worker: w}
}

// Type implements connectors.FileReader.
func (c *Connector) Type() domain.DataSourceType { return domain.DataSourceXLSX }

// Inspect implements connectors.FileReader.
func (c *Connector) Inspect(ctx context.Context, path, fileName string, _ domain.FileOptions) (*domain.FileInfo, error) {
	if err := connectors.CheckFile(path, fileName, connectors.ContentWorkbook); err != nil {
		return nil, err
	}
	return named(fileName)(c.worker.InspectXLSX(ctx, path, domain.TitleOfFile(fileName)))
}

// Prepare implements connectors.FileReader.
func (c *Connector) Prepare(ctx context.Context, path, fileName, workPath string, _ domain.FileOptions) (*domain.FileInfo, error) {
	if err := connectors.CheckFile(path, fileName, connectors.ContentWorkbook); err != nil {
		return nil, err
	}
	return named(fileName)(c.worker.PrepareXLSX(ctx, path, domain.TitleOfFile(fileName), workPath))
}

// named proposes the file's name, cut to the maximum length of a name.
func named(fileName string) func(*domain.FileInfo, error) (*domain.FileInfo, error) {
	return func(info *domain.FileInfo, err error) (*domain.FileInfo, error) {
		if info != nil {
			info.Name = domain.NameOfFile(fileName)
		}
		return info, err
	}
}
