package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

func TestDescribe_WholeFactsByHeadings(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long heading ", 5)
	all := []frame.Column{
		{Name: "when_", Title: "When?", Type: string(domain.ColumnTime), Min: "2024-01-02 08:00:00", Max: "2025-08-21 09:30:00"},
		{Name: "order_status", Type: string(domain.ColumnText), Distinct: 3, Values: []string{"delivered", "open", "returned"}},
		{Name: "city", Type: string(domain.ColumnText), Distinct: 9, Values: []string{"Bern", "Wien"}},
		{Name: "umsatz_netto", Title: "Umsatz netto", Type: string(domain.ColumnNumber), Min: "15.66", Max: "9996.66"},
		{
			Name: strings.ReplaceAll(strings.TrimSpace(long), " ", "_"), Title: long, Type: string(domain.ColumnInteger), Doubtful: true,
			Note: "why",
		},
	}
	require.Equal(t, "1,300 rows of mix with 5 columns: When?, Order status, City, Umsatz netto and A long heading a long heading a long…. "+
		"When? is from 2 January 2024 to 21 August 2025. Order status is delivered, open or returned. Please check A long heading a long "+
		"heading a long…: why.",
		describe("mix", &table.File{Rows: 1300}, all))
	wide := make([]frame.Column, 200)
	for i := range wide {
		wide[i] = frame.Column{Name: fmt.Sprintf("column_%d", i), Type: string(domain.ColumnInteger)}
	}
	require.Contains(t, describe("wide", &table.File{Rows: 60}, wide), "Column 10, Column 11 and 188 more.")
}

func TestDescribeAll_Counts(t *testing.T) {
	t.Parallel()
	require.Equal(t, "2 tables of book: One (1 row, 1 column), Many (1,200 rows, 2 columns).", describeAll("book", []frame.Table{
		{Title: "One", Rows: 1, Columns: make([]frame.Column, 1)}, {Title: "Many", Rows: 1200, Columns: make([]frame.Column, 2)},
	}))
}
