package domain_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestBlueprintDraft_Override checks every field of a draft that is generated from a conversation:
// either Override replaces it by the person's value, or it is in the list of fields that stay as
// generated.
func TestBlueprintDraft_Override(t *testing.T) {
	t.Parallel()
	onlyGenerated := map[string]bool{
		"InputParameters": true, "InitialMessage": true, "DataSources": true, "Categories": true, "Steps": true, "RemovedSteps": true,
		"ShareWithOrganisation": true, "Version": true, "Key": true,
	}
	draft := reflect.TypeFor[domain.BlueprintDraft]()
	for i := range draft.NumField() {
		var generated, given domain.BlueprintDraft
		field := reflect.ValueOf(&given).Elem().Field(i)
		switch field.Kind() {
		case reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		case reflect.String:
			field.SetString("given")
		default:
			require.True(t, onlyGenerated[draft.Field(i).Name], "%s: extend Override, or this test", draft.Field(i).Name)
			continue
		}
		generated.Override(&given)
		taken := reflect.ValueOf(generated).Field(i)
		require.Equal(t, onlyGenerated[draft.Field(i).Name], taken.IsZero(), "%s: extend Override, or this test", draft.Field(i).Name)
	}
}
