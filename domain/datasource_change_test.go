package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestDataSourceUpdate_Validate(t *testing.T) {
	t.Parallel()
	const (
		name        = "name: Please enter a valid name"
		description = "description: Please enter a valid description"
	)
	for outcome, row := range map[string]struct {
		update domain.DataSourceUpdate
		want   []string
	}{
		"OKNothing": {domain.DataSourceUpdate{}, nil},
		"OK": {domain.DataSourceUpdate{
			Name: new(strings.Repeat("é", domain.DataSourceNameMax)), Description: new("D"),
			ProjectLabels: new(make([]int64, 100)),
		}, nil},
		"ErrBlank": {domain.DataSourceUpdate{Name: new(" "), Description: new("")}, []string{name, description}},
		"ErrTooLong": {domain.DataSourceUpdate{
			Name:        new(strings.Repeat("x", domain.DataSourceNameMax+1)),
			Description: new(strings.Repeat("x", domain.DataSourceDescriptionMax+1)),
		}, []string{name, description}},
		"ErrNUL": {domain.DataSourceUpdate{Name: new("a\x00"), Description: new("b\x00")}, []string{name, description}},
		"ErrTooMany": {
			domain.DataSourceUpdate{ProjectLabels: new(make([]int64, 101))},
			[]string{"projectLabels: Please select at most 100 projects"},
		},
		"OKDescription": {domain.DataSourceUpdate{Description: new(strings.Repeat("é", domain.DataSourceDescriptionMax))}, nil},
		"OKOtherFields": {domain.DataSourceUpdate{Version: 7, Scope: new(domain.ScopeOrganisation)}, nil},
	} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			err := row.update.Validate()
			if row.want == nil {
				require.NoError(t, err)
				return
			}
			require.Equal(t, row.want, brokenRules(t, err))
		})
	}
}

func TestDataSourceUpdate_Described(t *testing.T) {
	t.Parallel()
	file := &domain.DataSourceFile{Description: "Columns: c"}
	for name, row := range map[string]struct {
		update       domain.DataSourceUpdate
		wasGenerated bool // before the update
		want         string
		isGenerated  bool // after the update
	}{
		"GeneratedFromTheFile":      {domain.DataSourceUpdate{File: file}, true, "Columns: c", true},
		"OldDescriptionSentAgain":   {domain.DataSourceUpdate{File: file, Description: new("before")}, true, "Columns: c", true},
		"WrittenByAPerson":          {domain.DataSourceUpdate{File: file}, false, "before", false},
		"WrittenInTheUpdate":        {domain.DataSourceUpdate{File: file, Description: new("Mine")}, true, "Mine", false},
		"BlankDescriptionOfTheFile": {domain.DataSourceUpdate{File: &domain.DataSourceFile{Description: " "}}, true, "before", true},
		"NoFile":                    {domain.DataSourceUpdate{}, true, "before", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, isGenerated := row.update.Described("before", row.wasGenerated)
			require.Equal(t, []any{row.want, row.isGenerated}, []any{got, isGenerated})
		})
	}
}

func TestValidateDictionary(t *testing.T) {
	t.Parallel()
	require.NoError(t, domain.ValidateDictionary(""))
	require.NoError(t, domain.ValidateDictionary(strings.Repeat("x", domain.DataDictionaryMax)))
	require.Equal(t, []string{"details: The data dictionary is too long."},
		brokenRules(t, domain.ValidateDictionary(strings.Repeat("x", domain.DataDictionaryMax+1))))
	require.Equal(t, []string{"details: The value contains characters that cannot be stored."},
		brokenRules(t, domain.ValidateDictionary("a\x00")))
}
