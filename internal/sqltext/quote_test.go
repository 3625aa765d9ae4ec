package sqltext_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/sqltext"
)

// What is quoted is read back as one token with the same text.
func TestQuote(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"a""b"`, sqltext.QuoteName(`a"b`))
	require.Equal(t, "'it''s'", sqltext.QuoteText("it's"))
	for _, text := range []string{"", "a", `"`, "'", `''"";--`, "/* x", "ä\n", `\`} {
		for quoted, kind := range map[string]sqltext.Kind{sqltext.QuoteName(text): sqltext.Quoted, sqltext.QuoteText(text): sqltext.Text} {
			read := slices.Collect(sqltext.Tokens(quoted))
			require.Len(t, read, 1, quoted)
			require.Equal(t, kind, read[0].Kind)
			require.Equal(t, text, read[0].Text)
		}
	}
}
