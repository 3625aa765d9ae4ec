package main

// Statistics of the columns, for people and for the prompts of models.

import (
	"fmt"
	"strconv"
	"strings"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

const (
	// valuesMax is the maximum number of frequent values that are listed for a text column, valueMax the maximum
	// length of one in characters, and valuesBudget the maximum size of all values together in bytes: they are part
	// of every list of the connector's columns and of prompts.
	valuesMax    = 100
	valueMax     = 100
	valuesBudget = 256 << 10
	// edgeMax is the maximum length of the minimum and the maximum of a column, in characters.
	edgeMax = 100
	// batchColumns is how many columns one statement measures.
	batchColumns = 25
)

// measure returns the columns with their statistics, which the engine computes. The tables of a file share one
// budget for the values that are listed.
func measure(db *database, file *table.File, name string, budget *int) ([]frame.Column, error) {
	columns := make([]frame.Column, len(file.Columns))
	for i, c := range file.Columns {
		columns[i] = frame.Column{
			Name: c.Name, Title: c.Title, Note: c.Note, Doubtful: c.Doubtful, Type: string(c.Kind.Meaning()), DatabaseType: c.Kind.SQL(),
			Nulls: c.Nulls,
		}
	}
	for first := 0; first < len(columns); first += batchColumns {
		batch := columns[first:min(first+batchColumns, len(columns))]
		if err := edges(db, batch, name, file.Rows > domain.DistinctCountedRows); err != nil {
			return nil, err
		}
	}
	// Frequent values are listed for texts only; other columns are described by their minimum and
	// maximum.
	for i := range columns {
		if file.Columns[i].Kind.Type != table.Varchar || *budget <= 0 {
			continue
		}
		values, err := frequent(db, columns[i].Name, name)
		if err != nil {
			return nil, err
		}
		// The value that exceeds the budget is left out, and so are all after it.
		for _, v := range values {
			if *budget -= len(v[0]); *budget > 0 {
				columns[i].Values = append(columns[i].Values, v[0])
			}
		}
	}
	return columns, nil
}

// edges sets the number of distinct values, the minimum and the maximum of some columns.
func edges(db *database, columns []frame.Column, name string, estimate bool) error {
	distinct := "count(DISTINCT %[1]s)"
	if estimate {
		distinct = "approx_count_distinct(%[1]s)"
	}
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = fmt.Sprintf(
			distinct+"::VARCHAR, coalesce(min(%[1]s)::VARCHAR, ''), coalesce(max(%[1]s)::VARCHAR, '')", sqltext.QuoteName(c.Name))
	}
	rows, err := db.rows("SELECT " + strings.Join(parts, ", ") + " FROM work." + sqltext.QuoteName(name))
	if err != nil {
		return fmt.Errorf("measure columns: %w", err)
	}
	for i := range columns {
		// There are three cells for each column, in the order of the statement.
		cells := rows[0][3*i:]
		if columns[i].Distinct, err = strconv.ParseInt(cells[0], 10, 64); err != nil {
			return fmt.Errorf("measure columns: %w", err)
		}
		columns[i].Min, columns[i].Max = domain.Shorten(cells[1], edgeMax), domain.Shorten(cells[2], edgeMax)
	}
	return nil
}

// frequent lists the most frequent values of a text column. It groups and orders by position, because an alias in
// this statement could be the name of a column of the table.
func frequent(db *database, column, name string) ([][]string, error) {
	rows, err := db.rows(fmt.Sprintf(
		"SELECT %[1]s FROM work.%[2]s WHERE %[1]s IS NOT NULL AND length(%[1]s) <= %[3]d GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT %[4]d",
		sqltext.QuoteName(column), sqltext.QuoteName(name), valueMax, valuesMax))
	if err != nil {
		return nil, fmt.Errorf("list frequent values: %w", err)
	}
	return rows, nil
}
