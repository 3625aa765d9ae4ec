package builtin

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

func TestTable_RowNoun(t *testing.T) {
	t.Parallel()
	number := domain.Column{Name: "amount", Type: domain.ColumnNumber, Distinct: 90, Min: "1", Max: "900"}
	key := func(name string, distinct int64) domain.Column {
		return domain.Column{Name: name, Type: domain.ColumnText, Distinct: distinct}
	}
	for name, c := range map[string]struct {
		columns []domain.Column
		things  string
	}{
		"headeronly":    {[]domain.Column{number}, "rows"},
		"onecol":        {[]domain.Column{number}, "rows"},
		"many":          {[]domain.Column{number}, "rows"},
		"mixdates":      {[]domain.Column{number}, "rows"},
		"wide200":       {[]domain.Column{number}, "rows"},
		"retail_orders": {[]domain.Column{number}, "retail orders"},
		"company":       {[]domain.Column{number}, "companies"},
		"export_q3":     {[]domain.Column{key("ticket_id", 100), number}, "tickets"},
		"export_q4":     {[]domain.Column{key("ticket_id", 40), number}, "rows"},
		"export_q5":     {[]domain.Column{key("xyz_id", 100), number}, "rows"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tables := []analyst.Table{{SourceID: 1, Source: name, Name: name, Title: name, Rows: 100, Columns: c.columns}}
			p := New(Config{Clock: clock.System{}})
			planner := newPlanner(p.lang, tables, nil, today(p.cfg.Clock.Now()), nil)
			require.Equal(t, c.things, planner.views[0].base.rowNoun())
			offered := planner.suggest(10)
			require.Contains(t, offered, "How many "+c.things+" are there?")
			require.False(t, slices.ContainsFunc(offered, func(q string) bool {
				return strings.HasPrefix(q, "How many") && !strings.HasPrefix(q, "How many "+c.things+" ")
			}), offered)
		})
	}
}
