package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestSearchWords(t *testing.T) {
	t.Parallel()
	require.Empty(t, domain.SearchWords(" \t "))
	require.Equal(t, []string{"net", "sales\uFFFD"}, domain.SearchWords("  net sales\x00 "))
	require.Len(t, domain.SearchWords(strings.Repeat("a ", 30)), 10)
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Sales rose by 12 % in Oslo", domain.Excerpt("## Sales\n- rose by **12 %**\n> in `Oslo`", false, false))
	require.Equal(t, "… rose in Oslo and …", domain.Excerpt("les rose in Oslo and Ber", true, true))
	// A single long word stays: an excerpt without it would show nothing.
	require.Equal(t, "… Lagerbestand …", domain.Excerpt("Lagerbestand", true, true))
}
