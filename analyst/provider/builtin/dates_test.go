package builtin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestReadSpan(t *testing.T) {
	t.Parallel()
	now := date(2025, 10, 15)
	until := func(last string) *column {
		return &column{Column: &domain.Column{Type: domain.ColumnDate, Min: "2020-01-01", Max: last}}
	}
	for _, c := range []struct{ text, last, from, to string }{
		{"2024", "2025-12-31", "2024-01-01", "2025-01-01"},
		{"March 2025", "2025-12-31", "2025-03-01", "2025-04-01"},
		{"march", "2025-12-31", "2025-03-01", "2025-04-01"},
		{"November", "2025-12-31", "2024-11-01", "2024-12-01"},
		{"Q3 2024", "2025-12-31", "2024-07-01", "2024-10-01"},
		{"2024-Q3", "2025-12-31", "2024-07-01", "2024-10-01"},
		{"Q1", "2025-12-31", "2025-01-01", "2025-04-01"},
		{"H2 2024", "2025-12-31", "2024-07-01", "2025-01-01"},
		{"2025-03-15", "2025-12-31", "2025-03-15", "2025-03-16"},
		{"2025-03", "2025-12-31", "2025-03-01", "2025-04-01"},
		{"March 3, 2025", "2025-12-31", "2025-03-03", "2025-03-04"},
		{"3rd of March 2025", "2025-12-31", "2025-03-03", "2025-03-04"},
		{"between January and March 2025", "2025-12-31", "2025-01-01", "2025-04-01"},
		{"from 2023 to 2024", "2025-12-31", "2023-01-01", "2025-01-01"},
		{"since June 2025", "2025-12-31", "2025-06-01", ""},
		{"after 2023", "2025-12-31", "2024-01-01", ""},
		{"before March 2024", "2025-12-31", "", "2024-03-01"},
		{"until March 2024", "2025-12-31", "", "2024-04-01"},
		{"last month", "2025-12-31", "2025-09-01", "2025-10-01"},
		{"this year", "2025-12-31", "2025-01-01", "2026-01-01"},
		{"last year", "2025-12-31", "2024-01-01", "2025-01-01"},
		{"yesterday", "2025-12-31", "2025-10-14", "2025-10-15"},
		{"last 6 months", "2025-12-31", "2025-05-01", "2025-11-01"},
		{"last 7 days", "2025-12-31", "2025-10-09", "2025-10-16"},
		{"past 2 quarters", "2025-12-31", "2025-07-01", "2026-01-01"},
		// If the data end before today, the span is counted back from the end of the data.
		{"last 6 months", "2024-03-20", "2023-10-01", "2024-04-01"},
		{"last month", "2024-03-20", "2024-02-01", "2024-03-01"}, // March is not over in the data
		{"last month", "2024-03-29", "2024-03-01", "2024-04-01"},
		{"last quarter", "2024-03-20", "2023-10-01", "2024-01-01"},
		{"last year", "2023-03-20", "2022-01-01", "2023-01-01"},
		{"this year", "2024-03-20", "2024-01-01", "2025-01-01"},
		{"last 7 days", "2024-03-20", "2024-03-14", "2024-03-21"},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			ts := lex(c.text)
			s, n := readSpan(ts)
			require.Equal(t, len(ts), n)
			s, _ = resolve(s, now, until(c.last))
			require.Equal(t, c.from, day(s.from))
			require.Equal(t, c.to, day(s.to))
		})
	}
	for _, none := range []string{"", "may I", "sales", "15", "first 5", "last orders", "20 items"} {
		_, n := readSpan(lex(none))
		require.Zero(t, n, none)
	}
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
