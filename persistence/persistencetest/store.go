// Package persistencetest gives tests a Store on a Postgres database of their
// own, with two organisations in it.
package persistencetest

import (
	"context"
	"fmt"
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
	Cleo  = "cleo@acme.test"  // of Acme
	Doris = "doris@beta.test" // of Beta
)

// World is what Open seeds.
func World() persistence.SeedInput {
	return persistence.SeedInput{
		LoadTest: true,
		Organisations: []persistence.SeedOrganisation{
			{
				Name: "Acme",
				People: []persistence.SeedPerson{
					{Email: Anna, FullName: "Anna Acme", IsSuperuser: true},
					{Email: Ben, FullName: "Ben Bond"},
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
				People: []persistence.SeedPerson{{Email: Doris, FullName: "Doris Day"}},
			},
		},
	}
}

// URL is the address of a migrated database of this test alone, without anything in it.
func URL(t testing.TB) string {
	t.Helper()
	server := embeddedtest.Server(t)
	return embeddedtest.Database(t, persistence.MigrationsKey(), func(ctx context.Context, url string) error {
		// A server that an older run made has a login role that may not make roles.
		admin, err := pgx.Connect(ctx, server.AdminURL("postgres"))
		if err != nil {
			return fmt.Errorf("sign in: %w", err)
		}
		defer admin.Close(ctx) //nolint:errcheck // nothing is left undone on it
		login, err := pgx.ParseConfig(url)
		if err != nil {
			return fmt.Errorf("read the URL: %w", err)
		}
		if _, err := admin.Exec(ctx, "ALTER ROLE "+pgx.Identifier{login.User}.Sanitize()+" CREATEROLE"); err != nil {
			return fmt.Errorf("let the login role make roles: %w", err)
		}
		return persistence.Migrate(ctx, url) //nolint:wrapcheck // shown by the test as it is
	})
}

// Open gives a Store on a database with World in it. It is closed at the end of the test.
func Open(t testing.TB) *persistence.Store {
	t.Helper()
	s := OpenURL(t, URL(t))
	require.NoError(t, s.Seed(t.Context(), World()))
	return s
}

// OpenURL gives a Store on a database of this test, such as a second node has.
func OpenURL(t testing.TB, url string) *persistence.Store {
	t.Helper()
	s, err := persistence.Open(t.Context(), persistence.Config{URL: url})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// Caller is one of the people of World as a caller.
func Caller(t testing.TB, s *persistence.Store, email string) domain.Caller {
	t.Helper()
	u, err := s.UserByEmail(t.Context(), email)
	require.NoError(t, err)
	return u.Caller()
}
