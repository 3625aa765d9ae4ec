// Package csv is the connector of CSV files. Everything that parses is done by a
// worker process, which it knows only as an interface.
package csv

import (
	"context"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// Worker reads CSV files in a separate process. workbench.Bench implements it.
type Worker interface {
	// InspectCSV describes the file; title is the name of its table for people.
	InspectCSV(ctx context.Context, path, title, delimiter string) (*domain.FileInfo, error)
	// PrepareCSV also writes a database to workPath.
	PrepareCSV(ctx context.Context, path, title, delimiter, workPath string) (*domain.FileInfo, error)
}

// Connector implements connectors.FileReader.
type Connector struct{ worker Worker }

var _ connectors.FileReader = (*Connector)(nil)

// New makes the connector.
func New(w Worker) *Connector {
	if w == nil {
		panic("csv: a worker is required")
	}
	return &Connector{worker: w}
}

// Type implements connectors.FileReader.
func (c *Connector) Type() domain.DataSourceType { return domain.DataSourceCSV }

// Inspect implements connectors.FileReader.
func (c *Connector) Inspect(ctx context.Context, path, fileName string, o domain.FileOptions) (*domain.FileInfo, error) {
	if err := connectors.CheckFile(path, fileName, connectors.ContentText); err != nil {
		return nil, err
	}
	info, err := c.worker.InspectCSV(ctx, path, domain.TitleOfFile(fileName), o.Delimiter)
	return named(info, fileName), err
}

// Prepare implements connectors.FileReader.
func (c *Connector) Prepare(ctx context.Context, path, fileName, workPath string, o domain.FileOptions) (*domain.FileInfo, error) {
	if err := connectors.CheckFile(path, fileName, connectors.ContentText); err != nil {
		return nil, err
	}
	info, err := c.worker.PrepareCSV(ctx, path, domain.TitleOfFile(fileName), o.Delimiter, workPath)
	return named(info, fileName), err
}

// named proposes the file's name, cut to the maximum length of a name.
func named(info *domain.FileInfo, fileName string) *domain.FileInfo {
	if info != nil {
		info.Name = domain.NameOfFile(fileName)
	}
	return info
}
