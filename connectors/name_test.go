package connectors_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

func TestName(t *testing.T) {
	t.Parallel()
	require.Equal(t, "orders", connectors.Name("orders.csv"))
	require.Equal(t, "orders.2025", connectors.Name(" orders.2025.csv"))
	require.Equal(t, 80, domain.Length(connectors.Name(strings.Repeat("ä", 100)+".csv")))
}

// TestCheckName_Anything: a name that passes is short, can be shown and is no path.
func TestCheckName_Anything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name") + ".csv"
		if connectors.CheckName(name) != nil {
			return
		}
		require.True(t, domain.Storable(name))
		require.False(t, strings.ContainsAny(name, "/\\<>\"'\n\r\x00\u202e"))
		require.LessOrEqual(t, domain.Length(connectors.Name(name)), domain.DataSourceNameMax)
	})
}
