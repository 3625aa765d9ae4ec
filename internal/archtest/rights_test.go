package archtest

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestRights_Routes: every call of the API is registered with function register, which requires
// the name of a right, and the published description contains the right of each call.
func TestRights_Routes(t *testing.T) {
	t.Parallel()
	const api = "../../api"
	files, err := filepath.Glob(api + "/*.go")
	require.NoError(t, err)
	named := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				if of, ok := f.X.(*ast.Ident); ok && of.Name == "huma" {
					switch f.Sel.Name {
					case "Register", "Get", "Post", "Put", "Patch", "Delete", "Head", "AutoRegister":
						require.Equal(t, "register.go", filepath.Base(name), "register the call with function register, and name the right that it needs")
					}
				}
			case *ast.Ident:
				if f.Name == "needs" {
					named++
				}
			}
			return true
		})
	}
	raw, err := os.ReadFile(api + "/openapi.json")
	require.NoError(t, err)
	var description struct {
		Paths map[string]map[string]struct {
			Right domain.Action `json:"x-right"` //nolint:tagliatelle // names of OpenAPI extensions start with x-
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(raw, &description))
	for path, methods := range description.Paths {
		for method, op := range methods {
			_, ok := op.Right.Right()
			require.True(t, ok, "%s %s needs no right that domain/rights_table.go has", method, path)
		}
	}
	require.Greater(t, named, 80)
}

// TestRights_SaidOnce: the sentences of the table of rights are in no other file.
func TestRights_SaidOnce(t *testing.T) {
	t.Parallel()
	var sentences []string
	for _, r := range domain.Rights() {
		for _, n := range r.Needs {
			// This general refusal may be used elsewhere, too.
			if n.Refusal != "" && n.Refusal != "You do not have permission to do this" {
				sentences = append(sentences, n.Refusal)
			}
		}
	}
	require.NotEmpty(t, sentences)
	for _, room := range []string{"actors", "analyst", "api", "cmd", "connectors", "domain", "internal", "persistence"} {
		require.NoError(t, filepath.WalkDir("../../"+room, func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
				filepath.Base(name) == "rights_table.go" {
				return err
			}
			source, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for _, s := range sentences {
				//nolint:testifylint // NotContains would print the whole file
				require.False(t, strings.Contains(string(source), s), "%s contains %q: use the table of rights", name, s)
			}
			return nil
		}))
	}
}
