package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestTell(t *testing.T) {
	t.Parallel()
	of := func(column string, rows ...[]any) string {
		return tell(&domain.ResultSet{Columns: []domain.Column{{Name: column}, {Name: "net_sales"}}, Rows: rows}).answer
	}

	t.Run("MonthsHaveTheirNames", func(t *testing.T) {
		t.Parallel()
		require.Contains(t, of("order_month", []any{"01", 5.0}, []any{"12", 7.0}), "- **January**: net sales 5\n- **December**: net sales 7")
		require.Contains(t, of("month", []any{int64(3), 5.0}, []any{int64(5), 7.0}), "- **March**: net sales 5\n- **May**: net sales 7")
	})
	t.Run("OtherNumbersStayAsTheyAre", func(t *testing.T) {
		t.Parallel()
		require.Contains(t, of("month", []any{"2025-01", 5.0}, []any{"2025-12", 7.0}), "- **2025-01**")
		require.Contains(t, of("month", []any{"05", 5.0}, []any{"13", 7.0}), "- **05**")
		require.Contains(t, of("region", []any{"01", 5.0}, []any{"12", 7.0}), "- **01**")
	})
}
