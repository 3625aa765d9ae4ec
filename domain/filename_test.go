package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/domain"
)

func TestNameOfFile(t *testing.T) {
	t.Parallel()
	require.Equal(t, "orders", domain.NameOfFile("orders.csv"))
	require.Equal(t, "orders.2025", domain.NameOfFile(" orders.2025.csv"))
	require.Equal(t, 80, domain.Length(domain.NameOfFile(strings.Repeat("ä", 100)+".csv")))
}

func TestCheckFileName(t *testing.T) {
	t.Parallel()
	const special = "The name cannot contain special characters"
	for name, want := range map[string]string{
		"orders.csv": "", "Orders 2025 (final)_2.XLSX": "", "Bücher 日本.csv": "", "no extension": "", strings.Repeat("a", 251) + ".csv": "",
		"": "File name cannot be empty", ".csv": "File name cannot be empty", " \t.csv": "File name cannot be empty",
		"a-b.csv": "", "2025-01.backup.csv": "", "a..b.csv": special, ".a.csv": special, "a&b.csv": special, "a/b.csv": special,
		"a'b.csv": special, "a\nb.csv": special, "a\u202eb.csv": special, "🦄.csv": special,
		strings.Repeat("a", 252) + ".csv": "The file name is too long",
	} {
		err := domain.CheckFileName(name)
		if want == "" {
			require.NoError(t, err, name)
			continue
		}
		var wrong *domain.Error
		require.ErrorAs(t, err, &wrong, name)
		require.Equal(t, []domain.FieldError{{Field: "file", Message: want}}, wrong.Fields, name)
	}
	require.Equal(t, "revenue_by_month _EUR_.csv", domain.KeptFileName("revenue-by-month [EUR].csv"))
	require.Equal(t, "table.csv", domain.KeptFileName("--.csv"))
}

// TestCheckFileName_AnyName checks that an accepted name is short, can be shown and is not a path.
func TestCheckFileName_AnyName(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name") + ".csv"
		if domain.CheckFileName(name) != nil {
			return
		}
		require.True(t, domain.Storable(name))
		require.False(t, strings.ContainsAny(name, "/\\<>\"'\n\r\x00\u202e"))
		require.LessOrEqual(t, domain.Length(domain.NameOfFile(name)), domain.DataSourceNameMax)
	})
}
