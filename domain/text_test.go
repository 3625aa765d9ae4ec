package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestLength(t *testing.T) {
	t.Parallel()
	family := "👨🏻‍👩🏼‍👧🏽‍👦🏾"
	for text, want := range map[string]int{
		"": 0, "abc": 3, "e\u0301": 1, family: 1, strings.Repeat(family, 30): 30, "🇩🇪🇫🇷": 2, "a\u202eb": 3, "\r\n": 1,
		// A letter with 3,000 marks does not count as one character.
		"a" + strings.Repeat("\u0301", 3000): 126,
	} {
		require.Equal(t, want, domain.Length(text), "%.40q", text)
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	family := "👨🏻‍👩🏼‍👧🏽‍👦🏾"
	require.Equal(t, "ab", domain.Shorten("abc", 2))
	require.Equal(t, "abc", domain.Shorten("abc", 3))
	require.Equal(t, strings.Repeat(family, 3), domain.Shorten(strings.Repeat(family, 4), 3), "a character is never cut")
	require.Equal(t, "e\u0301", domain.Shorten("e\u0301x", 1))
	require.Empty(t, domain.Shorten("abc", 0))
	marked := domain.Shorten("a"+strings.Repeat("\u0301", 3000), 30)
	require.Equal(t, "a"+strings.Repeat("\u0301", 719), marked)
	require.LessOrEqual(t, domain.Length(marked), 30)
	require.Equal(t, "b", domain.Shorten("ba"+strings.Repeat("\u0301", 3000), 30))
}

func TestShortenAtWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"total refund amount by category":            "total refund amount",
		"which product has the most tickets?":        "which product has the most",
		"exactly thirty characters long":             "exactly thirty characters long",
		"exactly thirty characters long!":            "exactly thirty characters",
		"exactly thirty characters long and more":    "exactly thirty characters long",
		"Umsatz nach Region und Monat im Jahr 2025":  "Umsatz nach Region und Monat",
		"Donaudampfschifffahrtsgesellschaftskapitän": "Donaudampfschifffahrtsgesellsc",
		"revenue, margin and returns, by region":     "revenue, margin and returns",
		"  short  ":                                  "short",
		"":                                           "",
	} {
		require.Equal(t, want, domain.ShortenAtWord(text, 30), text)
	}
	family := "👨🏻‍👩🏼‍👧🏽‍👦🏾"
	require.Equal(t, strings.Repeat(family, 3), domain.ShortenAtWord(strings.Repeat(family, 4), 3), "a character is never cut")
}

func TestBlank(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " \t\r\n\u00a0\u3000", "\u200b\u200d\u2060\ufeff", "\u202e", "\x1b\x7f\u0085", strings.Repeat("\ufe0f", 9), "\U000e0100",
		"\U000e0001\U000e0041", "\u3164\uffa0\u115f", "\u034f", "\u2800",
	} {
		require.True(t, domain.Blank(text), "%q", text)
	}
	for _, text := range []string{"a", "\u200b.", "\ufe0f❤", "\u0301", "ㅤx", "\u2801", "👩‍🚀"} {
		require.False(t, domain.Blank(text), "%q", text)
	}
}
