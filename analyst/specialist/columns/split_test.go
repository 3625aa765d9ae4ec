package columns_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/specialist/columns"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"":                     nil,
		"net_sales":            {"net", "sales"},
		"NetSales":             {"Net", "Sales"},
		"HTTPServer 2":         {"HTTP", "Server", "2"},
		"eMail of iPhone":      {"eMail", "of", "iPhone"},
		"Größe (m²)":           {"Größe", "m"},
		"a\xffb\xc3":           {"a", "b"},
		"\uFFFDleft\uFFFDover": {"left", "over"},
		"__x__":                {"x"},
	} {
		require.Equal(t, want, columns.Split(name), "%q", name)
	}
}

// FuzzSplit checks that words are all letters and digits of a name, in their order, and nothing else.
func FuzzSplit(f *testing.F) {
	for _, name := range []string{"NetSales", "a\xffb", "Größe (m²)", "\uFFFD", "éÉ_ǅx"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		var kept strings.Builder
		for _, r := range name {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				kept.WriteRune(r)
			}
		}
		words := columns.Split(name)
		require.Equal(t, kept.String(), strings.Join(words, ""))
		require.NotContains(t, words, "")
	})
}
