package sqltext_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/internal/sqltext"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"":                            "",
		"SELECT a FROM T":             "word:select word:a word:from word:t",
		"Größe_1$, x.\"Y Z\"":         "word:größe_1$ sign:, word:x sign:. quoted:y z",
		`"a""b" 'it''s'`:              `quoted:a"b text:it's`,
		"1_000.5e3 .5 x.y":            "number:1000.5e3 number:.5 word:x sign:. word:y",
		"a -- from b\n/* from c */ d": "word:a word:d",
		"a /* from b":                 "word:a",
		"a --":                        "word:a",
		"/*/ a */ b":                  "word:b",
		"'open":                       "text:open",
		`"open`:                       "quoted:open",
		"x::int":                      "word:x sign::: word:int",
		"$$ FROM a $$ $b$ $$ $b$ c":   "text: FROM a  text: $$  word:c",
		"$1 + $2":                     "sign:$ number:1 sign:+ sign:$ number:2",
		"$a$ open":                    "text: open",
		"a >= 'b' || c":               "word:a sign:> sign:= text:b sign:| sign:| word:c",
		"\x00\xff":                    "sign:\x00 sign:\xff",
	} {
		var got []string
		for token := range sqltext.Tokens(sql) {
			kind := map[sqltext.Kind]string{
				sqltext.Word: "word", sqltext.Quoted: "quoted", sqltext.Number: "number", sqltext.Text: "text", sqltext.Sign: "sign",
			}[token.Kind]
			got = append(got, kind+":"+token.Text)
		}
		require.Equal(t, want, strings.Join(got, " "), sql)
	}
}

func TestToken_Is(t *testing.T) {
	t.Parallel()
	tokens := slices.Collect(sqltext.Tokens(`FROM "from" 'from' ,`))
	require.True(t, tokens[0].Is("from"))
	require.False(t, tokens[1].Is("from"), "a quoted name is no keyword")
	require.True(t, tokens[1].IsName())
	require.False(t, tokens[2].Is("from"))
	require.False(t, tokens[2].IsName())
	require.True(t, tokens[3].Is(","))
}

// TestTokens_AnyText checks that tokens are in order and without overlap for any text, and that a
// caller may stop at any of them.
func TestTokens_AnyText(t *testing.T) {
	t.Parallel()
	pieces := []string{"'", `"`, "--", "/*", "*/", "$$", "$a$", "$", "\n", "a", "é", "1", ".", "::", "\xff", " "}
	rapid.Check(t, func(t *rapid.T) {
		sql := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
		at, all := 0, 0
		for token := range sqltext.Tokens(sql) {
			require.GreaterOrEqual(t, token.From, at, "%q", sql)
			require.Greater(t, token.To, token.From)
			at, all = token.To, all+1
		}
		require.LessOrEqual(t, at, len(sql))
		for range sqltext.Tokens(sql) {
			all--
			break
		}
		require.GreaterOrEqual(t, all, 0)
	})
}
