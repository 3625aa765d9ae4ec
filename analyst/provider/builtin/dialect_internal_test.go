package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestTranslated checks that the planner can write for the dialect of each kind of connector.
func TestTranslated(t *testing.T) {
	t.Parallel()
	for _, name := range domain.DataSourceTypes() {
		require.NotPanics(t, func() { translated(name.Kind().Dialect) }, name)
	}
	require.False(t, translated(domain.DialectDuckDB))
	require.Panics(t, func() { translated("another") })
}
