package persistence_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShown finds a column that a view does not show. A view keeps the columns that its table had
// when the view was made, so the queries that read the view do not return a column that was added
// later: the field is stored, and people read it as empty.
func TestShown(t *testing.T) {
	t.Parallel()
	const advice = "%s has no column for the field %s of %s. A migration that adds a column also makes the view again with the same text " +
		"(CREATE OR REPLACE VIEW, as in migrations/00044_more_shown.sql), and then make generate writes the type. A column that must not be " +
		"shown is added to this test with its reason. docs/how-to-add-a-field.md has an example."
	const owner = "the claim of the owner reads the table"
	models := structs(t, "internal/dbsqlc/models.go")
	for view, shown := range map[string]struct {
		of     string
		hidden map[string]string // columns that the view does not show, with the reason
	}{
		"AnalystShown":      {of: "Analyst"},
		"BlueprintShown":    {of: "Blueprint"},
		"DataSourceShown":   {of: "DataSource"},
		"MemoryShown":       {of: "Memory"},
		"ProjectLabelShown": {of: "ProjectLabel"},
		"TaskShown":         {of: "ScheduledTask"},
		"ConversationShown": {of: "Conversation", hidden: map[string]string{
			"Activation": owner, "Node": owner, "ClaimedAt": owner, "Requests": owner,
			"AccessVersion": "the actor compares it when it reads the rights", "DeletedAt": "the view has none that are deleted",
			"PurgedAt": "only what is deleted is purged",
		}},
		"MessageShown":  {of: "Message"},
		"FeedbackShown": {of: "Feedback"},
		"CommentShown":  {of: "FeedbackComment", hidden: map[string]string{"OrgID": "the feedback is of the same organisation"}},
	} {
		require.NotEmpty(t, models[shown.of], "%s is not a table", shown.of)
		require.NotEmpty(t, models[view], "%s is not a view", view)
		for _, column := range models[shown.of] {
			_, hidden := shown.hidden[column]
			require.True(t, hidden || slices.Contains(models[view], column), advice, view, column, shown.of)
			require.False(t, hidden && slices.Contains(models[view], column), "%s shows %s: remove it from the exceptions", view, column)
		}
		for column := range shown.hidden {
			require.Contains(t, models[shown.of], column, "an exception of %s names no column", view)
		}
		delete(models, view)
	}
	for name := range models {
		require.False(t, strings.HasSuffix(name, "Shown"), "this test does not know the table of the view %s: add a row", name)
	}
}

// structs returns the names of the fields of each struct in a file.
func structs(t *testing.T, file string) map[string][]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	out := make(map[string][]string)
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range of.Fields.List {
				for _, name := range field.Names {
					out[spec.Name.Name] = append(out[spec.Name.Name], name.Name)
				}
			}
		}
		return false
	})
	return out
}
