package domain_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestBlueprintDraft_Take: of a blueprint that is written from a conversation each field is
// decided on: it is the person's, if they gave it, or it is the conversation's.
func TestBlueprintDraft_Take(t *testing.T) {
	t.Parallel()
	ofConversation := map[string]bool{
		"InputParameters": true, "InitialMessage": true, "DataSources": true, "Categories": true, "Steps": true, "RemovedSteps": true,
		"ShareWithOrganisation": true, "Version": true, "Key": true,
	}
	of := reflect.TypeFor[domain.BlueprintDraft]()
	for i := range of.NumField() {
		var written, given domain.BlueprintDraft
		field := reflect.ValueOf(&given).Elem().Field(i)
		switch field.Kind() {
		case reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		case reflect.String:
			field.SetString("given")
		default:
			require.True(t, ofConversation[of.Field(i).Name], "%s: extend Take, or this test", of.Field(i).Name)
			continue
		}
		written.Take(&given)
		taken := reflect.ValueOf(written).Field(i)
		require.Equal(t, ofConversation[of.Field(i).Name], taken.IsZero(), "%s: extend Take, or this test", of.Field(i).Name)
	}
}
