package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/workbench/frame"
)

func TestDescribeAll_Counts(t *testing.T) {
	t.Parallel()
	require.Equal(t, "2 tables of book: One (1 row, 1 column), Many (1,200 rows, 2 columns).", describeAll("book", []frame.Table{
		{Title: "One", Rows: 1, Columns: make([]frame.Column, 1)}, {Title: "Many", Rows: 1200, Columns: make([]frame.Column, 2)},
	}))
}
