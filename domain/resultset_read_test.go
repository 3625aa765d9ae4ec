package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestReadResultSet(t *testing.T) {
	t.Parallel()

	t.Run("ReadsWhatWasWritten", func(t *testing.T) {
		t.Parallel()
		original := &domain.ResultSet{
			Columns: []domain.Column{
				{Name: "region", Type: domain.ColumnText},
				{Name: "=n", Type: domain.ColumnInteger},
				{Name: "share", Type: domain.ColumnNumber},
				{Name: "open", Type: domain.ColumnBoolean},
				{Name: "day", Type: domain.ColumnDate},
				{Name: "at", Type: domain.ColumnTime},
				{Name: "plz", Type: domain.ColumnText},
			},
			Rows: [][]any{
				{"North, \"far\"", int64(-3), 0.5, true, "2025-03-01", "2025-03-01 10:00:00", "01067"},
				{"=cmd()", int64(0), -12.25, false, "2025-03-02", "2025-03-02 10:00:00.5", "10115"},
				{"'it", nil, nil, nil, nil, nil, nil},
				{"grün\n📈", int64(1 << 60), 7.0, true, "0999-12-31", "2025-03-02 10:00:00", "+49"},
			},
		}
		got, err := domain.ReadResultSet(strings.NewReader(original.CSV(-1)))
		require.NoError(t, err)
		require.Equal(t, original.Columns, got.Columns)
		require.Equal(t, original.Rows, got.Rows)
	})

	t.Run("EmptyColumnsAreText", func(t *testing.T) {
		t.Parallel()
		got, err := domain.ReadResultSet(strings.NewReader("a,b\n,1\n,2\n"))
		require.NoError(t, err)
		require.Equal(t, domain.ColumnText, got.Columns[0].Type)
		require.Equal(t, [][]any{{nil, int64(1)}, {nil, int64(2)}}, got.Rows)
	})

	t.Run("ErrNoTable", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"", "a,b\n1\n", "a\n\"b"} {
			_, err := domain.ReadResultSet(strings.NewReader(text))
			require.Error(t, err, text)
		}
	})
}

func FuzzReadResultSet(f *testing.F) {
	f.Add("'=x", "a")
	f.Add("''@\n", "0")
	f.Fuzz(func(t *testing.T, name, cell string) {
		original := &domain.ResultSet{Columns: []domain.Column{{Name: name}, {Name: "b"}}, Rows: [][]any{{cell, "x"}}}
		once := original.CSV(-1)
		got, err := domain.ReadResultSet(strings.NewReader(once))
		if err != nil {
			t.Fatalf("%q: %v", once, err)
		}
		// A CSV reader converts \r\n to \n.
		if again := got.CSV(-1); strings.ReplaceAll(again, "\r\n", "\n") != strings.ReplaceAll(once, "\r\n", "\n") {
			t.Fatalf("%q was read and written as %q", once, again)
		}
	})
}
