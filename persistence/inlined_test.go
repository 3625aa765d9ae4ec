package persistence_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/persistencetest"
)

// TestInlined checks that the functions of migrations/00051_rules.sql are a part of the plans of the statements that use them.
// If the server called one for each row, indexes would not be used for its condition, and searches would take twice as long.
func TestInlined(t *testing.T) {
	t.Parallel()
	used := map[string][]string{"feedback_rank": nil, "conversation_matches": nil}
	statements := map[string]string{}
	for _, text := range statementsOf(t, "internal/dbsqlc") {
		name := regexp.MustCompile(`^-- name: (\w+) `).FindStringSubmatch(text)
		for function := range used {
			if name != nil && strings.Contains(text, function+"(") {
				used[function] = append(used[function], name[1])
				statements[name[1]] = text
			}
		}
	}
	for function, by := range used {
		require.NotEmpty(t, by, "no statement uses %s", function)
	}
	c := persistencetest.Connect(t, persistencetest.URL(t), "parley_app")
	_, err := c.Exec(t.Context(), "SET plan_cache_mode = force_generic_plan")
	require.NoError(t, err)
	for name, text := range statements {
		d, err := c.PgConn().Prepare(t.Context(), name, text, nil)
		require.NoError(t, err, name)
		var plan strings.Builder
		explain := `EXPLAIN (VERBOSE, COSTS OFF) EXECUTE "` + name + `"(NULL` + strings.Repeat(", NULL", len(d.ParamOIDs)-1) + ")"
		results, err := c.PgConn().Exec(t.Context(), explain).ReadAll()
		require.NoError(t, err, name)
		for _, line := range results[0].Rows {
			plan.Write(line[0])
			plan.WriteByte('\n')
		}
		for function := range used {
			require.NotContains(t, plan.String(), function, "%s calls the function: see the comment of its migration", name)
		}
	}
}

// statementsOf returns the text constants in the files of a folder.
func statementsOf(t *testing.T, folder string) []string {
	t.Helper()
	var texts []string
	for _, f := range parsed(t, folder) {
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				text, err := strconv.Unquote(l.Value)
				require.NoError(t, err)
				texts = append(texts, text)
			}
			return true
		})
	}
	return texts
}
