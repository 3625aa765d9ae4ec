package builtin_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// A truncated result is narrated with the values that were computed over all of its rows.
func TestProvider_CutResult(t *testing.T) {
	t.Parallel()
	whole := &domain.ResultSet{
		Columns: []domain.Column{
			{Name: "all_rows", Type: domain.ColumnInteger},
			{Name: "highest", Type: domain.ColumnNumber},
			{Name: "groups_of_the_highest", Type: domain.ColumnInteger},
			{Name: "lowest", Type: domain.ColumnNumber},
			{Name: "groups_of_the_lowest", Type: domain.ColumnInteger},
			{Name: "total", Type: domain.ColumnNumber},
			{Name: "highest_at", Type: domain.ColumnText},
			{Name: "lowest_at", Type: domain.ColumnText},
		},
		Rows: [][]any{{int64(12_345), 900.5, int64(1), -7.25, int64(4), 55_000.75, "East", "South"}},
	}
	cut := func(t *testing.T, refuse bool) *stage {
		t.Helper()
		s := staged(t, analysttest.Job("total revenue by region"))
		s.config.Workbench = analysttest.QueryFunc(func(_ context.Context, _ []domain.DataSource, sql string) (*domain.ResultSet, error) {
			s.queries = append(s.queries, oneLine(sql))
			switch {
			case !strings.HasPrefix(sql, "WITH result AS"):
				r := byRegion([]any{"North", 300.5}, []any{"South", -2.0}, []any{"West", 99.25})
				r.Truncated = true
				return r, nil
			case refuse:
				return nil, domain.Errorf(domain.CodeInvalid, "Out of Memory Error.")
			default:
				return whole, nil
			}
		})
		return s
	}

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		s := cut(t, false)
		require.NoError(t, s.run(t))
		require.Len(t, s.queries, 2)
		answers := s.sink.Role(domain.RoleAssistant)
		answer := answers[len(answers)-1]
		for _, number := range []string{"12,345", "900.5", "-€7.25", "55,001"} {
			require.Contains(t, answer.Text, number)
		}
		require.Contains(t, answer.Text, "(East)")
		require.Contains(t, answer.Text[answer.Annotation.CaveatsAt:], "only the first 3 of the 12,345 rows")
		// These numbers would come from the beginning alone.
		for _, number := range []string{"300.5", "99.25", "397.75"} {
			require.NotContains(t, answer.Text, number)
		}
		require.NotEmpty(t, answer.Annotation.Figures)
		for _, f := range answer.Annotation.Figures {
			require.NotEqual(t, answer.Annotation.Table, f.Object, "the numbers are cells of the query over all rows")
		}
	})
	t.Run("ErrOfTheCount", func(t *testing.T) {
		t.Parallel()
		s := cut(t, true)
		require.NoError(t, s.run(t))
		answers := s.sink.Role(domain.RoleAssistant)
		text := answers[len(answers)-1].Text
		require.Contains(t, text, "was cut there")
		for _, number := range []string{"300.5", "397.75"} {
			require.NotContains(t, text, number)
		}
	})
}
