// Package persistencetest gives each test a Store on its own Postgres database, with two
// organisations in it.
package persistencetest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

// The people of World, by email.
const (
	Anna  = "anna@acme.test"  // of Acme, superuser, member of the team Sales
	Ben   = "ben@acme.test"   // of Acme, member of the team Sales
	Cleo  = "cleo@acme.test"  // of Acme, without any flag
	Doris = "doris@beta.test" // of Beta
)

// LoadTest is the scripted agent.
func LoadTest() persistence.SeedAnalyst {
	return persistence.SeedAnalyst{Name: "load-test", Description: "Streams a scripted answer.", Provider: "scripted", Model: "scripted"}
}

// World is what Open seeds.
func World() persistence.SeedInput {
	tasks := domain.UserFlags{ScheduledTaskView: true}
	return persistence.SeedInput{
		Analysts: []persistence.SeedAnalyst{LoadTest()},
		Organisations: []persistence.SeedOrganisation{
			{
				Name: "Acme",
				People: []persistence.SeedPerson{
					{Email: Anna, FullName: "Anna Acme", IsSuperuser: true, Flags: tasks},
					{Email: Ben, FullName: "Ben Bond", Flags: tasks},
					{Email: Cleo, FullName: "Cleo Carr"},
				},
				Teams: []persistence.SeedTeam{{Name: "Sales", Members: []string{Anna, Ben}}},
				DataSources: []persistence.SeedDataSource{{
					Seed: "orders", Owner: Anna, Name: "Orders", Description: "Orders of the shop", Type: domain.DataSourceCSV,
					Scope: domain.ScopeOrganisation, FileName: "orders.csv", FileKey: "samples/orders.csv", WorkKey: "samples/orders.duckdb", Size: 10,
					Resources: []domain.DataResource{{Name: "Orders", Table: "orders", Rows: 2, Columns: []domain.Column{
						{Name: "country", Type: domain.ColumnText, Distinct: 2, Values: []string{"FR", "DE"}},
						{Name: "amount", Type: domain.ColumnNumber, Min: "1", Max: "2"},
					}}},
				}},
			},
			{
				Name:   "Beta",
				People: []persistence.SeedPerson{{Email: Doris, FullName: "Doris Day", Flags: tasks}},
			},
		},
	}
}

// URL is the address of a migrated database of this test alone, without anything in it.
func URL(tb testing.TB) string {
	tb.Helper()
	return embeddedtest.Database(tb, persistence.MigrationsKey(), persistence.Migrate)
}

// Open returns a Store on a database with World in it. It is closed at the end of the test.
func Open(tb testing.TB) *persistence.Store {
	tb.Helper()
	s := OpenURL(tb, URL(tb))
	require.NoError(tb, s.Samples.Seed(tb.Context(), World()))
	return s
}

// OpenURL returns a further Store on a database of this test, like that of a second node.
func OpenURL(tb testing.TB, url string) *persistence.Store {
	tb.Helper()
	s, err := persistence.Open(tb.Context(), persistence.Config{URL: url, Operator: "Acme"})
	require.NoError(tb, err)
	tb.Cleanup(s.Close)
	return s
}

// Connect returns a connection to a database that works with the rights of a role; with an
// empty role, with the rights of the owner of the tables. It is closed at the end of the
// test.
func Connect(tb testing.TB, url, role string) *pgx.Conn {
	tb.Helper()
	c, err := pgx.Connect(tb.Context(), url)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, c.Close(context.Background())) })
	if role != "" {
		_, err = c.Exec(tb.Context(), "SET ROLE "+role)
		require.NoError(tb, err)
	}
	return c
}

// Caller is one of the people of World as a caller.
func Caller(tb testing.TB, s *persistence.Store, email string) domain.Caller {
	tb.Helper()
	u, err := s.Users.UserByEmail(tb.Context(), email)
	require.NoError(tb, err)
	return u.Caller()
}
