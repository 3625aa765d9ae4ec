package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// Warehouses is a fake of all remote databases: it accepts all connections, and each database
// has one table. LeftOut is the LeftOut of their descriptions.
type Warehouses struct{ LeftOut string }

// Takes implements api.Warehouses.
func (Warehouses) Takes(kind domain.DataSourceType) bool { return len(kind.Kind().Params) > 0 }

// Check implements api.Warehouses.
func (Warehouses) Check(context.Context, domain.Caller, domain.DataSourceType, domain.Connection) error {
	return nil
}

// Describe implements api.Warehouses.
func (w Warehouses) Describe(
	context.Context, domain.Caller, domain.DataSourceType, domain.Connection,
) (*domain.SourceDescription, error) {
	return &domain.SourceDescription{Text: "One table.", Resources: []domain.DataResource{{Name: "t", Table: "t"}}, LeftOut: w.LeftOut}, nil
}

// DescribeSource implements api.Warehouses.
func (w Warehouses) DescribeSource(ctx context.Context, _ *domain.DataSource) (*domain.SourceDescription, error) {
	return w.Describe(ctx, domain.Caller{}, "", domain.Connection{})
}
