package wire_test

import (
	"reflect"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestLimits: if the schema itself refuses a list that is too long, it uses the same number
// as domain, which also has callers that do not use HTTP.
func TestLimits(t *testing.T) {
	t.Parallel()
	compared := 0
	for name, c := range conversions() {
		of := reflect.TypeOf(c.of)
		draft := reflect.ValueOf(c.draft(t, reflect.New(of).Interface()))
		pointer := reflect.New(draft.Type())
		limited, ok := pointer.Interface().(interface{ Limits() []domain.Limit })
		if !ok {
			continue
		}
		schema := huma.NewMapRegistry("#/", huma.DefaultSchemaNamer).Schema(of, false, name)
		for _, limit := range limited.Limits() {
			property := schema.Properties[limit.Field]
			if limit.Unit != domain.Entries || property == nil || property.MaxItems == nil {
				continue
			}
			require.Equal(t, limit.Most, *property.MaxItems, "%s of a %s", limit.Field, name)
			compared++
		}
	}
	require.Positive(t, compared)
}
