package persistence_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// TestFilterMatches asks the function of the database that all lists filter by.
func TestFilterMatches(t *testing.T) {
	t.Parallel()
	c := persistencetest.Connect(t, persistencetest.URL(t), "parley_app")
	const row = `jsonb_build_object('name', 'Sales 100%', 'size', 20::bigint, 'isArchived', false, 'projectLabels', ARRAY[1, 22]::bigint[],
		'updatedAt', extract(epoch FROM timestamptz '2026-02-03 04:05:06.5Z'), 'analyst', NULL::bigint)`
	fields := domain.FilterFields{
		"name": domain.FilterText, "size": domain.FilterNumber, "isArchived": domain.FilterBoolean,
		"projectLabels": domain.FilterIDs, "updatedAt": domain.FilterTime, "analyst": domain.FilterNumber,
	}
	for filter, want := range map[string]bool{
		"name:eq:Sales 100%": true, "name:eq:sales 100%": false, "name:neq:x": true, "name:contains:LES 1": true, "name:contains:_": false,
		"name:contains:": true, "name:in:x,Sales 100%": true, "name:in:x,y": false, "name:gt:A": true, "name:lt:A": false,
		"size:eq:20": true, "size:eq:2": false, "size:gt:3": true, "size:lt:100": true, "size:gt:20": false, "size:in:1,20": true,
		"size:neq:20":         false,
		"isArchived:eq:false": true, "isArchived:eq:true": false, "isArchived:neq:true": true,
		"projectLabels:eq:22": true, "projectLabels:eq:2": false, "projectLabels:neq:2": true, "projectLabels:in:3,1": true,
		"projectLabels:contains:1": true,
		"updatedAt:gt:2026-02-03":  true, "updatedAt:lt:2026-02-03": false, "updatedAt:eq:2026-02-03T04:05:06.5Z": true,
		"updatedAt:lt:2026-02-03T05:05:07+01:00": true,
		"analyst:eq:1":                           false, "analyst:neq:1": true, "analyst:gt:1": false, "analyst:in:1": false,
	} {
		t.Run(filter, func(t *testing.T) {
			parsed, err := domain.ParseFilters([]string{"size:gt:0", filter}, fields)
			require.NoError(t, err)
			conditions, err := json.Marshal(parsed)
			require.NoError(t, err)
			var got bool
			require.NoError(t, c.QueryRow(t.Context(), "SELECT filter_matches("+row+", $1::text::jsonb)", string(conditions)).Scan(&got))
			require.Equal(t, want, got)
		})
	}
}
