package analyst_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// warehouse is a database with the table of sales().
func warehouse() domain.DataSource {
	s := sales()
	s.Type, s.Params = domain.DataSourcePostgres, domain.DataSourceParams{domain.ParamHost: "db.example"}
	return s
}

// toolText returns what a model reads after one call of a tool.
func toolText(t *testing.T, b *bundle, tool string, args any) string {
	t.Helper()
	b.model.calls = []step{callsTool(tool, args), speaks("", "Done.")}
	require.NoError(t, b.run(t))
	last := b.model.made[len(b.model.made)-1].Turns
	return last[len(last)-1].Text
}

func TestTool_Warehouse(t *testing.T) {
	t.Parallel()
	t.Run("StatisticsAreRefused", func(t *testing.T) {
		t.Parallel()
		for _, args := range []analyst.StatisticsArgs{
			{Kind: "profile", Table: "sales", Columns: []string{"total"}},
			{Kind: "profile", SQL: "SELECT total FROM Sales", Columns: []string{"total"}},
		} {
			b := setup(t)
			b.config.DataSources = analysttest.NewSources(warehouse())
			require.Contains(t, toolText(t, b, analyst.ToolStatistics, args), "Statistics run over files, and not in a PostgreSQL database.")
			require.Empty(t, *b.queries)
		}
	})
	t.Run("SpellingsAreFoundByILIKE", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.config.DataSources = analysttest.NewSources(warehouse())
		got := toolText(t, b, analyst.ToolFindValues, analyst.FindValuesArgs{Table: "sales", Column: "region", Text: `5%_'\`})
		require.Contains(t, got, "contain it, in any case")
		require.Len(t, *b.queries, 1)
		require.Contains(t, (*b.queries)[0], `CAST("region" AS text) ILIKE E'%5\\%\\_''\\\\%'`)
	})
}

func TestTool_StatisticsErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args analyst.StatisticsArgs
		want string
	}{
		"Both":    {analyst.StatisticsArgs{Kind: "profile", Table: "sales", SQL: "SELECT 1", Columns: []string{"total"}}, "not both"},
		"Neither": {analyst.StatisticsArgs{Kind: "profile", Columns: []string{"total"}}, "which rows"},
		"TooLong": {analyst.StatisticsArgs{Kind: "profile", SQL: strings.Repeat("x", 20<<10+1), Columns: []string{"total"}}, "too long"},
		"Broken":  {analyst.StatisticsArgs{Kind: "profile", SQL: "broken", Columns: []string{"total"}}, "Parser error."},
		"NoKind":  {analyst.StatisticsArgs{Table: "sales", Columns: []string{"total"}}, `There is no statistic "".`},
		"NoTable": {analyst.StatisticsArgs{Kind: "profile", Table: "x", Columns: []string{"total"}}, "The tables are: sales."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, toolText(t, setup(t), analyst.ToolStatistics, c.args), c.want)
		})
	}
}

// TestTool_StatisticsUnchecked checks that a statistic of a table says what could not be checked; nothing is wrong with the
// union over its columns.
func TestTool_StatisticsUnchecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		missing, said string
		grade         domain.Grade
	}{
		"UnknownOperator": {"positional join", "Not checked for double counting (positional join).", domain.GradeUnchecked},
		"UnionOfColumns":  {"a union that reads sales twice", "", domain.GradeCertain},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, callsTool(analyst.ToolStatistics, analyst.StatisticsArgs{
				Kind: "profile", Table: "sales", Columns: []string{"total"},
			}), speaks("", "So much."))
			b.config.Workbench = analysttest.QueryFunc(func(context.Context, []domain.DataSource, string) (*domain.ResultSet, error) {
				r := result()
				r.Plan.Missing = c.missing
				return r, nil
			})
			require.NoError(t, b.run(t))
			shown := b.sink.Role(domain.RoleUserProxy)[0].Text
			if c.said == "" {
				require.NotContains(t, shown, "Not checked")
			}
			require.Contains(t, shown, c.said)
			require.Equal(t, c.grade, b.sink.Role(domain.RoleAssistant)[0].Annotation.Grade)
		})
	}
}

func TestTool_FindValuesErrors(t *testing.T) {
	t.Parallel()
	for _, text := range []string{" ", strings.Repeat("x", 201)} {
		got := toolText(t, setup(t), analyst.ToolFindValues, analyst.FindValuesArgs{Table: "sales", Column: "region", Text: text})
		require.Contains(t, got, "1 to 200 characters")
	}
}

func TestTool_AskPerson(t *testing.T) {
	t.Parallel()
	good := analyst.AskPersonArgs{Question: "Gross or net?", Options: []string{"What are gross sales?", "What are net sales?"}}
	for name, c := range map[string]struct {
		change func(a *analyst.AskPersonArgs)
		want   string
	}{
		"NoQuestion":   {func(a *analyst.AskPersonArgs) { a.Question = " " }, "1 to 500 characters"},
		"LongQuestion": {func(a *analyst.AskPersonArgs) { a.Question = strings.Repeat("x", 501) }, "1 to 500 characters"},
		"OneOption":    {func(a *analyst.AskPersonArgs) { a.Options = a.Options[:1] }, "2 to 3 options"},
		"FourOptions":  {func(a *analyst.AskPersonArgs) { a.Options = []string{"a", "b", "c", "d"} }, "2 to 3 options"},
		"EmptyOption":  {func(a *analyst.AskPersonArgs) { a.Options[1] = "\n" }, "An option has"},
		"LongOption":   {func(a *analyst.AskPersonArgs) { a.Options[1] = strings.Repeat("x", 201) }, "An option has"},
		"SameOptions":  {func(a *analyst.AskPersonArgs) { a.Options[1] = "what are  GROSS sales?" }, "must differ"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := good
			a.Options = slices.Clone(good.Options)
			c.change(&a)
			b := setup(t)
			require.Contains(t, toolText(t, b, analyst.ToolAskPerson, a), c.want)
			require.Equal(t, "Done.", b.sink.Role(domain.RoleAssistant)[0].Text, "the turn goes on")
		})
	}
	t.Run("NotAskedAgainByAnotherAttempt", func(t *testing.T) {
		t.Parallel()
		b := setup(t, callsTool(analyst.ToolAskPerson, good))
		require.NoError(t, b.run(t))
		require.Len(t, b.sink.Role(domain.RoleAssistant), 1)
		require.Equal(t, domain.GradeAsked, b.sink.Role(domain.RoleAssistant)[0].Annotation.Grade)
		b.job.Finished = b.sink.Steps()
		b.job.Turn.Attempt = 2
		again := &analysttest.Sink{}
		b.sink = again
		require.NoError(t, b.run(t))
		require.Empty(t, again.Role(domain.RoleAssistant))
		require.Len(t, b.model.made, 1)
	})
	t.Run("NotInAPlan", func(t *testing.T) {
		t.Parallel()
		b := planned(t, domain.PlanStep{Name: "Regions", DetailedInstructions: "Sum."})
		var got string
		b.worker.answer = func(r *analyst.Request) ([]analyst.Piece, error) {
			last := r.Turns[len(r.Turns)-1]
			if r.Guide.Stage == analyst.StageWork && last.Role != analyst.UtteranceTool {
				require.False(t, slices.ContainsFunc(r.Tools, func(s analyst.ToolSpec) bool { return s.Name == analyst.ToolAskPerson }))
				return []analyst.Piece{{Call: &analyst.ToolCall{
					ID: "c", Name: analyst.ToolAskPerson, Args: []byte(`{"question":"x?","options":["a","b"]}`),
				}}}, nil
			}
			if last.Role == analyst.UtteranceTool {
				got = last.Text
			}
			return said("Done."), nil
		}
		require.NoError(t, b.run(t))
		require.Contains(t, got, "Nobody can be asked within a plan.")
	})
}
