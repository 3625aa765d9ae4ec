package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/egress"
)

// Config of a Connector.
type Config struct {
	// Guard makes the connections. Required.
	Guard *egress.Guard
	// OwnDatabase returns the identity of the product's database, in the form of Identity.
	// That database is refused under every address. Nil: there is no such database.
	OwnDatabase func(context.Context) (string, error)
	// Questions is how many calls run at once; further calls get CodeTooMany. 0 means 16.
	Questions int
	// Clock measures how long a query took; nil means the machine's.
	Clock clock.Clock
}

// Connector implements connectors.Warehouse.
type Connector struct {
	*connectors.Remote
	config Config
	// template is a connection's configuration without any input of a person.
	template *pgconn.Config
}

var _ connectors.Warehouse = (*Connector)(nil)

// New makes the connector.
func New(c Config) *Connector {
	if c.Guard == nil {
		panic("postgres: Config.Guard is required")
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	// The library creates a configuration only from a string, and also reads the
	// environment. This string and the method configuration set every value, so nothing is
	// left to the environment.
	template, err := pgconn.ParseConfig("host=unset.invalid port=5432 user=unset dbname=unset password=unset sslmode=disable")
	if err != nil {
		panic("postgres: the environment of this program breaks its configuration of connections: remove the variables PG*")
	}
	connector := &Connector{config: c, template: template}
	connector.Remote = connectors.NewRemote(connectors.RemoteConfig{
		Type: domain.DataSourcePostgres, Open: connector.open, Unopened: connectionFault, AtOnce: c.Questions, Clock: c.Clock,
	})
	return connector
}
