package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestProjectColor(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"#A1b2C3": "#a1b2c3", "olive GREEN": "Olive Green", " Rose pink ": "Rose pink",
		"purple grey": domain.DefaultProjectColor,
	} {
		got, ok := domain.ProjectColor(given)
		require.True(t, ok, given)
		require.Equal(t, want, got)
	}
	for _, given := range []string{
		"", "red", "#fff", "#12345678", "#a1b2c3;x", "url(#a1b2c3)", "#a1b2c3\n#a1b2c3",
		"red;background:url(//x)", "#12345g", "#1234567", "javascript:alert(1)",
	} {
		_, ok := domain.ProjectColor(given)
		require.False(t, ok, given)
	}
	require.Len(t, domain.ProjectColors(), 7)
}

func TestProjectLabelDraft_Validate(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		d := domain.ProjectLabelDraft{Name: " " + strings.Repeat("é", 80), Description: strings.Repeat("d", 500) + "\n", Color: "teal blue"}
		require.NoError(t, d.Validate())
		require.Equal(t, strings.Repeat("é", 80), d.Name)
		require.Equal(t, "Teal blue", d.Color)
	})
	t.Run("ErrTextsOfTheSpecification", func(t *testing.T) {
		t.Parallel()
		want := map[string]string{
			"name": "Please enter a valid name", "description": "Please enter a valid description",
			"color": "Please enter a valid color",
		}
		for _, d := range []domain.ProjectLabelDraft{
			{},
			{Name: "\u200b", Description: "\t", Color: " "},
			{Name: "a\x00", Description: "\xff", Color: "blue"},
			{Name: strings.Repeat("n", 81), Description: strings.Repeat("d", 501), Color: "#12345"},
		} {
			require.Equal(t, want, broken(t, d.Validate()))
		}
	})
}
