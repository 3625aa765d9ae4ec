package scale_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// rawConn is a connection of the test's own, working as a role; empty for the owner of
// the tables.
func rawConn(tb testing.TB, url, role string) *pgx.Conn {
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
