package persistence_test

import (
	"go/ast"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence"
)

// TestStore_Services prevents the Store from collecting all methods again: it has only the
// methods of the whole database, the methods of a noun are on the noun's service, and a
// service has no state of its own.
func TestStore_Services(t *testing.T) {
	t.Parallel()
	var methods []string
	for _, f := range parsed(t, ".") {
		for _, d := range f.Decls {
			if m, ok := d.(*ast.FuncDecl); ok && m.Recv != nil && m.Name.IsExported() && receiver(m) == "Store" {
				methods = append(methods, m.Name.Name)
			}
		}
	}
	slices.Sort(methods)
	require.Equal(t, []string{
		"AnnounceTo", "Close", "Migrate", "NewChunkSweep", "NewJournal", "Ping", "Pools", "Prune", "WakeForFacts",
	}, methods)

	services := 0
	for field := range reflect.TypeFor[persistence.Store]().Fields() {
		if !field.IsExported() {
			continue
		}
		services++
		require.Equal(t, field.Name, field.Type.Name(), "a service has one name")
		require.Equal(t, 1, field.Type.NumField(), "%s is a core and nothing else", field.Name)
		require.True(t, strings.HasSuffix(field.Type.Field(0).Type.String(), ".core"))
	}
	require.Equal(t, 22, services)
}
