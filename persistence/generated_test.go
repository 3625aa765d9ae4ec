package persistence_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenerated_NoDeadMethod finds unused generated queries: a method that is not called
// must be removed, or the mark in queries/ that asks for it.
func TestGenerated_NoDeadMethod(t *testing.T) {
	t.Parallel()
	made := make(map[string]bool)
	for _, f := range parsed(t, "internal/dbsqlc") {
		for _, d := range f.Decls {
			m, ok := d.(*ast.FuncDecl)
			switch {
			case !ok || !m.Name.IsExported():
			case m.Recv != nil:
				made[receiver(m)+"."+m.Name.Name] = true
			default:
				made["dbsqlc."+m.Name.Name] = true
			}
		}
	}
	called := make(map[string]bool)
	for _, f := range parsed(t, ".") {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				called[calledOn(s.X)+"."+s.Sel.Name] = true
			}
			return true
		})
	}
	require.NotEmpty(t, made)
	var dead []string
	for method := range made {
		if !called[method] {
			dead = append(dead, method)
		}
	}
	slices.Sort(dead)
	require.Emptyf(t, dead, "%s is not called", strings.Join(dead, ", "))
}

// calledOn decides by its form on what an expression is called: s.q is the Queries, a Batch
// is named r everywhere, and functions are in dbsqlc. (*reading).X is a method expression.
func calledOn(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		if x.Sel.Name == "q" {
			return "Queries"
		}
	case *ast.Ident:
		switch x.Name {
		case "r":
			return "Batch"
		case "dbsqlc":
			return x.Name
		}
	case *ast.ParenExpr:
		return "Batch"
	}
	return ""
}

// parsed are the files of a folder that are not tests.
func parsed(t *testing.T, folder string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	return files
}

// receiver returns the receiver type of a method.
func receiver(m *ast.FuncDecl) string {
	if star, ok := m.Recv.List[0].Type.(*ast.StarExpr); ok {
		if name, ok := star.X.(*ast.Ident); ok {
			return name.Name
		}
	}
	return ""
}
