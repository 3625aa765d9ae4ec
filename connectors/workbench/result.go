package workbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

// resultSet makes a worker's result ours. Cells come as JSON, which has one kind
// of number; the column's type says which of ours it is.
func resultSet(r *frame.Result) (*domain.ResultSet, error) {
	decoder := json.NewDecoder(bytes.NewReader(r.Rows))
	decoder.UseNumber()
	var rows [][]any
	if err := decoder.Decode(&rows); err != nil {
		return nil, domain.Internal(err, "read a result")
	}
	columns := columnsOf(r.Columns)
	for _, row := range rows {
		if len(row) != len(columns) {
			return nil, domain.Internal(fmt.Errorf("%d cells in a row of %d columns", len(row), len(columns)), "read a result")
		}
		for c, cell := range row {
			value, err := cellOf(cell, columns[c].Type)
			if err != nil {
				return nil, domain.Internal(err, "read a result")
			}
			row[c] = value
		}
	}
	if rows == nil {
		rows = [][]any{}
	}
	return &domain.ResultSet{
		Columns: columns, Rows: rows, Truncated: r.Truncated,
		Elapsed: time.Duration(r.Micros) * time.Microsecond,
	}, nil
}

// cellOf checks a decoded cell and gives numbers their type.
func cellOf(cell any, t domain.ColumnType) (any, error) {
	switch v := cell.(type) {
	case nil, bool, string:
		return v, nil
	case json.Number:
		if t == domain.ColumnInteger {
			if n, err := v.Int64(); err == nil {
				return n, nil
			}
		}
		f, err := v.Float64()
		if err != nil {
			return nil, fmt.Errorf("read a number: %w", err)
		}
		return f, nil
	default:
		return nil, fmt.Errorf("a cell is a %T", cell)
	}
}

// columnsOf makes a worker's columns ours.
func columnsOf(columns []frame.Column) []domain.Column {
	out := make([]domain.Column, len(columns))
	for i, c := range columns {
		out[i] = domain.Column{
			Name: c.Name, Type: domain.ColumnType(c.Type), DatabaseType: c.DatabaseType,
			Distinct: c.Distinct, Nulls: c.Nulls, Min: c.Min, Max: c.Max, Values: c.Values, Description: c.Title,
		}
	}
	return out
}

// faultError makes a worker's fault ours. A worker may not choose any code: what
// it says of itself is a fault of ours and hidden.
func faultError(f *frame.Fault) error {
	if f == nil {
		return domain.Internal(fmt.Errorf("the answer is of another kind"), "read an answer")
	}
	code := domain.Code(f.Code)
	allowed := []domain.Code{domain.CodeInvalid, domain.CodeTooLarge, domain.CodeUnsupportedType, domain.CodeUnavailable}
	if !slices.Contains(allowed, code) {
		return domain.Internal(fmt.Errorf("%s: %s", f.Code, f.Message), "run a worker")
	}
	return domain.Errorf(code, "%s", domain.Clean(f.Message))
}
