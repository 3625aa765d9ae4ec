// Package hyper is the connector of Tableau's extracts, a format that only Tableau's own
// programs read: a converter that an administrator has installed writes their tables.
// Without one the file is kept, and its page and its answers say that no converter is
// installed.
package hyper

import (
	"context"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// Worker converts such files in a separate process. workbench.Bench implements it.
type Worker interface {
	// Converts reports whether a converter of such files is installed.
	Converts(kind domain.DataSourceType) bool
	// PrepareHyper describes the file and writes a database to workPath, unless that is
	// empty; title is the file's name for people.
	PrepareHyper(ctx context.Context, path, title, workPath string) (*domain.FileInfo, error)
}

// Connector implements connectors.FileReader.
type Connector struct{ worker Worker }

var _ connectors.FileReader = (*Connector)(nil)

// New makes the connector.
func New(w Worker) *Connector {
	if w == nil {
		panic("hyper: a worker is required")
	}
	return &Connector{worker: w}
}

// Type implements connectors.FileReader.
func (c *Connector) Type() domain.DataSourceType { return domain.DataSourceHyper }

// Inspect implements connectors.FileReader.
func (c *Connector) Inspect(ctx context.Context, path, fileName string, o domain.FileOptions) (*domain.FileInfo, error) {
	return c.Prepare(ctx, path, fileName, "", o)
}

// Prepare implements connectors.FileReader.
func (c *Connector) Prepare(ctx context.Context, path, fileName, workPath string, _ domain.FileOptions) (*domain.FileInfo, error) {
	if err := connectors.CheckFile(path, fileName, connectors.ContentHyper); err != nil {
		return nil, err
	}
	info := &domain.FileInfo{
		Type: domain.DataSourceHyper, Description: "A Tableau Hyper extract.", Resources: []domain.DataResource{},
		Notice: domain.NoConverter(domain.DataSourceHyper),
	}
	if c.worker.Converts(domain.DataSourceHyper) {
		var err error
		if info, err = c.worker.PrepareHyper(ctx, path, domain.TitleOfFile(fileName), workPath); err != nil {
			return nil, err
		}
	}
	info.Name = domain.NameOfFile(fileName)
	return info, nil
}
