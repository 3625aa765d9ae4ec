// Package warehouses is the list of the kinds of remote databases that the product connects to. It
// is apart from the command, so that the tests of whole nodes use the same list.
package warehouses

import (
	"context"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/postgres"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/egress"
)

// Config is what the kinds need.
type Config struct {
	// Guard makes the connections. Required.
	Guard *egress.Guard
	// OwnDatabase returns the identity of the product's database (postgres.Config). Nil: there
	// is no such database.
	OwnDatabase func(context.Context) (string, error)
}

// All makes a warehouse of each kind.
func All(c Config) map[domain.DataSourceType]connectors.Warehouse {
	return connectors.WarehousesByType(
		postgres.New(postgres.Config{Guard: c.Guard, OwnDatabase: c.OwnDatabase}),
	)
}
