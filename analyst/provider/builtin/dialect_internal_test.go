package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestTranslated: the planner can write for each dialect that a kind of connector has.
func TestTranslated(t *testing.T) {
	t.Parallel()
	for _, name := range domain.DataSourceTypes() {
		require.NotPanics(t, func() { translated(name.Kind().Dialect) }, name)
	}
	require.False(t, translated(domain.DialectDuckDB))
	require.Panics(t, func() { translated("another") })
}
