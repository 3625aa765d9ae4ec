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

// TestActors forbids go statements and locks in the packages of actors: their state has
// one owner, and only internal/async starts goroutines.
func TestActors(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "actors")
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasSuffix(name, ".pb.go") {
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

// TestProtocol forbids fields of a function type in the messages of actors: the receiver
// must call a method of an interface, because a reader can find its implementations.
func TestProtocol(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "actors", "protocol", "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, v := range functionFields(t, src) {
			t.Errorf("%s: %s is a function: declare an interface with one method", name, v)
		}
	}
	require.Equal(t, []string{"f", "a"},
		functionFields(t, []byte("package p\ntype f func()\ntype t struct { a func(int) error; b f; c g }\ntype g interface { d() }")))
}

// functionFields returns the names of struct fields with function types, and of function types.
func functionFields(t *testing.T, src []byte) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", src, 0)
	require.NoError(t, err)
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && isFunction(s.Type) {
			found = append(found, s.Name.Name)
		}
		s, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range s.Fields.List {
			if isFunction(field.Type) {
				for _, name := range field.Names {
					found = append(found, name.Name)
				}
			}
		}
		return true
	})
	return found
}

// isFunction reports whether a type is a function type, or contains one.
func isFunction(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncType:
		return true
	case *ast.ArrayType:
		return isFunction(e.Elt)
	case *ast.MapType:
		return isFunction(e.Value)
	case *ast.StarExpr:
		return isFunction(e.X)
	default:
		return false
	}
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
