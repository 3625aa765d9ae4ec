package workbench

// Answers of workers. A worker has read data of strangers, so its answer is checked like input: the
// number of cells, their types, and the codes of faults.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

// unplannedMax is the maximum number of characters of the reason why there is no plan.
const unplannedMax = 200

// resultSet converts a worker's result. Cells are JSON, which has only one type of number;
// the column's type decides which type of Go it becomes.
func resultSet(r *frame.Result) (*domain.ResultSet, error) {
	decoder := json.NewDecoder(bytes.NewReader(r.Rows))
	// Numbers stay texts at first, because a float64 would change large integers.
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
	// A result without rows is an empty list, never null.
	if rows == nil {
		rows = [][]any{}
	}
	out := &domain.ResultSet{
		Columns: columns, Rows: rows, Truncated: r.Truncated,
		Elapsed: time.Duration(r.Micros) * time.Microsecond,
		Plan:    domain.QueryPlan{JSON: r.Plan, Missing: domain.Shorten(domain.Clean(r.Unplanned), unplannedMax)},
	}
	if r.Control == nil {
		return out, nil
	}
	// A control of a control is none of ours.
	r.Control.Control = nil
	var err error
	out.Control, err = resultSet(r.Control)
	return out, err
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
		// An integer that does not fit is a float, as the worker sends it.
		f, err := v.Float64()
		if err != nil {
			return nil, fmt.Errorf("read a number: %w", err)
		}
		return f, nil
	// Nested values are texts (cmd/parley-worker/nested.go).
	default:
		return nil, fmt.Errorf("a cell is a %T", cell)
	}
}

// columnsOf converts a worker's columns.
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

// faultError converts a worker's fault to an error. A worker may use only some codes: any
// other fault is an internal error, whose text is hidden.
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
