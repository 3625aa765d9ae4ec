package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// These are the blueprints that can be started and that can be scheduled: the service refuses
// the others.
func TestNewBlueprint_Abilities(t *testing.T) {
	t.Parallel()
	look := []domain.BlueprintStep{{Name: "Look", DetailedInstructions: "Do"}}
	for name, c := range map[string]struct {
		blueprint       domain.Blueprint
		start, schedule bool
	}{
		"Steps":       {domain.Blueprint{Steps: look}, true, true},
		"Message":     {domain.Blueprint{InitialMessage: "Hello"}, true, true},
		"Inputs":      {domain.Blueprint{Steps: look, InputParameters: "Region"}, true, false},
		"Archived":    {domain.Blueprint{Steps: look, IsArchived: true}, false, false},
		"NothingToDo": {domain.Blueprint{InitialMessage: " "}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.blueprint.Permission = domain.PermissionRead
			got := wire.NewBlueprint(domain.Caller{})(&c.blueprint).Abilities
			require.Equal(t, [2]bool{c.start, c.schedule}, [2]bool{got.Start, got.Schedule})
		})
	}
}
