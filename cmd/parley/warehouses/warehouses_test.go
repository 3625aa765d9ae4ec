package warehouses_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/cmd/parley/warehouses"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/egress"
)

// TestAll checks that people can enter a connection of exactly the kinds that are wired.
func TestAll(t *testing.T) {
	t.Parallel()
	wired := warehouses.All(warehouses.Config{Guard: egress.New(egress.Config{})})
	var want, got []domain.DataSourceType
	for _, kind := range domain.DataSourceTypes() {
		if k := kind.Kind(); len(k.Params) > 0 {
			want = append(want, kind)
			require.NotEmpty(t, k.Dialect, "%s: a kind that is connected can be queried", kind)
		}
	}
	for kind := range wired {
		got = append(got, kind)
	}
	require.ElementsMatch(t, want, got, "a kind has Params in domain if it is in this list, and only then")
}
