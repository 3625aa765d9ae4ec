package persistence

import (
	"reflect"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// A write with anything but text must not take the fast path, which would lose the rest:
// this test fails if Write gets a new field that isText does not check.
func TestIsText(t *testing.T) {
	t.Parallel()
	plain := func() *domain.Write { return &domain.Write{Chunks: make([]domain.Chunk, 1)} }
	require.True(t, isText(plain()))
	require.False(t, isText(&domain.Write{}))
	known := map[string]bool{
		"Conversation": true, "OrganisationID": true, "Fence": true, "NextSeq": true, "Chunks": true, "Source": true,
		"Continues": true,
	}
	for i := range reflect.TypeFor[domain.Write]().NumField() {
		w := plain()
		field, name := reflect.ValueOf(w).Elem().Field(i), reflect.TypeFor[domain.Write]().Field(i).Name
		if known[name] {
			continue
		}
		switch field.Kind() {
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		case reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		case reflect.Array:
			field.Set(reflect.ValueOf(uuid.New()))
		case reflect.Bool:
			field.SetBool(true)
		default:
			require.Failf(t, "teach this test the kind of a field", "%s", name)
		}
		require.False(t, isText(w), name)
	}
}
