package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestActors refuses go statements and locks in the rooms of actors: state has
// one owner there, and internal/async is the one place that starts a goroutine.
func TestActors(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "actors")
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".pb.go") {
			return err
		}
		files++
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, v := range violations(t, src) {
			t.Errorf("%s: %s", name, v)
		}
		return nil
	})
	require.NoError(t, err)
	require.Positive(t, files)
}

func violations(t *testing.T, src []byte) []string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, 0)
	require.NoError(t, err)
	var found []string
	for _, i := range file.Imports {
		if p := strings.Trim(i.Path.Value, `"`); p == "sync" || p == "sync/atomic" {
			found = append(found, p+" in an actor: its state has one owner; send it a message")
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if _, ok := n.(*ast.GoStmt); ok {
			found = append(found, "a go statement in an actor: use internal/async")
		}
		return true
	})
	return found
}

func TestViolations(t *testing.T) {
	t.Parallel()
	require.Len(t, violations(t, []byte("package a\nimport \"sync\"\nfunc f() { var m sync.Mutex; _ = m; go f() }")), 2)
	require.Empty(t, violations(t, []byte("package a\nfunc f() {}")))
}
