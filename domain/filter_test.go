package domain_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func fields() domain.FilterFields {
	return domain.FilterFields{
		"name": domain.FilterText, "size": domain.FilterNumber, "isArchived": domain.FilterBoolean,
		"updatedAt": domain.FilterTime, "projectLabels": domain.FilterIDs,
	}
}

func TestParseFilters(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		got, err := domain.ParseFilters([]string{
			"name:contains:a:b", "size:gt:1e3", "isArchived:eq:false", "updatedAt:lt:1970-01-02", "projectLabels:in:1, 2", "name:NEQ:", "name:in:x",
		}, fields())
		require.NoError(t, err)
		require.Equal(t, domain.Filters{
			{Field: "name", Op: "contains", Values: []any{"a:b"}},
			{Field: "size", Op: "gt", Values: []any{1000.0}},
			{Field: "isArchived", Op: "eq", Values: []any{false}},
			{Field: "updatedAt", Op: "lt", Values: []any{86400.0}},
			{Field: "projectLabels", Op: "in", Values: []any{1.0, 2.0}},
			{Field: "name", Op: "neq", Values: []any{""}},
			{Field: "name", Op: "in", Values: []any{"x"}},
		}, got)
	})
	t.Run("SnakeCase", func(t *testing.T) {
		t.Parallel()
		got, err := domain.ParseFilters([]string{"is_archived:eq:true"}, fields())
		require.NoError(t, err)
		require.Equal(t, domain.Filters{{Field: "isArchived", Op: "eq", Values: []any{true}}}, got)
	})
	t.Run("None", func(t *testing.T) {
		t.Parallel()
		got, err := domain.ParseFilters(nil, fields())
		require.NoError(t, err)
		require.Empty(t, got)
	})
	for name, row := range map[string]struct{ raw, message string }{
		"ErrOperationD07":    {"name:like:x", `Operation "like" currently not supported`},
		"ErrOperationOfKind": {"isArchived:gt:true", `Operation "gt" currently not supported`},
		"ErrOperationEmpty":  {"name::x", `Operation "" currently not supported`},
		"ErrOperationFirst":  {"secret:like:x", `Operation "like" currently not supported`},
		"ErrField":           {"secret:eq:x", "There is no such filter. There are isArchived, name, projectLabels, size, updatedAt."},
		"ErrSyntax":          {"name", "A filter is written as field:operation:value."},
		"ErrWithoutValue":    {"name:eq", "A filter is written as field:operation:value."},
		"ErrNumber":          {"size:eq:many", "The value of the filter is not valid."},
		"ErrNotFinite":       {"size:eq:Inf", "The value of the filter is not valid."},
		"ErrBoolean":         {"isArchived:eq:maybe", "The value of the filter is not valid."},
		"ErrTime":            {"updatedAt:gt:yesterday", "The value of the filter is not valid."},
		"ErrLong":            {"name:eq:" + strings.Repeat("x", 201), "The value of the filter is not valid."},
		"ErrManyValues":      {"size:in:" + strings.Repeat("1,", domain.MaxQueryValues), "There are too many values."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := domain.ParseFilters([]string{"name:eq:x", row.raw}, fields())
			var known *domain.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, domain.CodeInvalid, known.Code)
			require.Equal(t, []domain.FieldError{{Field: "filter", Message: row.message}}, known.Fields)
		})
	}
	t.Run("ErrManyFilters", func(t *testing.T) {
		t.Parallel()
		_, err := domain.ParseFilters(slices.Repeat([]string{"name:eq:x"}, domain.MaxConditions+1), fields())
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	})
}

func TestParseIDs(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		got, err := domain.ParseIDs("dataSources", []string{"3,1", "1e2", " 3 ", ""})
		require.NoError(t, err)
		require.Equal(t, []int64{3, 1, 100}, got)
	})
	for name, raw := range map[string][]string{
		"ErrBoolean":  {"true"},
		"ErrFraction": {"1.5"},
		"ErrNegative": {"-1"},
		"ErrWord":     {"1,x"},
		"ErrHuge":     {"1e300"},
		"ErrNaN":      {"NaN"},
		"ErrManyD06":  slices.Repeat([]string{"1"}, 10_000),
		"ErrCommas":   {strings.Repeat("1,", 10_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := domain.ParseIDs("dataSources", raw)
			var known *domain.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, domain.CodeInvalid, known.Code)
			require.Equal(t, "dataSources", known.Fields[0].Field)
		})
	}
}
