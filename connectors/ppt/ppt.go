// Package ppt is the connector of presentations of PowerPoint 97-2003: a converter that an
// administrator has installed converts them to the new format. A server without one does
// not have this connector.
package ppt

import (
	"context"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// Worker converts such files in a separate process. workbench.Bench implements it.
type Worker interface {
	// PreparePPT describes the file and writes a database to workPath, unless that is
	// empty; title is the file's name for people.
	PreparePPT(ctx context.Context, path, title, workPath string) (*domain.FileInfo, error)
}

// Connector implements connectors.FileReader.
type Connector struct{ worker Worker }

var _ connectors.FileReader = (*Connector)(nil)

// New makes the connector.
func New(w Worker) *Connector {
	if w == nil {
		panic("ppt: a worker is required")
	}
	return &Connector{worker: w}
}

// Type implements connectors.FileReader.
func (c *Connector) Type() domain.DataSourceType { return domain.DataSourcePPT }

// Inspect implements connectors.FileReader.
func (c *Connector) Inspect(ctx context.Context, path, fileName string, o domain.FileOptions) (*domain.FileInfo, error) {
	return c.Prepare(ctx, path, fileName, "", o)
}

// Prepare implements connectors.FileReader.
func (c *Connector) Prepare(ctx context.Context, path, fileName, workPath string, _ domain.FileOptions) (*domain.FileInfo, error) {
	if err := connectors.CheckFile(path, fileName, connectors.ContentOldSlides); err != nil {
		return nil, err
	}
	info, err := c.worker.PreparePPT(ctx, path, domain.TitleOfFile(fileName), workPath)
	if err != nil {
		return nil, err
	}
	info.Name = domain.NameOfFile(fileName)
	return info, nil
}
