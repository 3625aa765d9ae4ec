package main

// Results of a query as JSON. The caps on rows, columns, cells and bytes are those of the request;
// a result that reaches one is returned as far as it fits, and marked as truncated.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

// collect executes a statement and writes its rows as JSON, until there are no more rows or a cap is reached. The
// result is streamed, so that a result of a billion rows is never in memory.
func collect(statement duckdb.PreparedStatement, caps frame.Caps) (*frame.Result, error) {
	var pending duckdb.PendingResult
	defer duckdb.DestroyPending(&pending)
	// A pending streaming result computes its rows as they are fetched.
	if duckdb.PendingPreparedStreaming(statement, &pending) == duckdb.StateError {
		return nil, &engineError{duckdb.PendingError(pending)}
	}
	var result duckdb.Result
	defer duckdb.DestroyResult(&result)
	if duckdb.ExecutePending(pending, &result) == duckdb.StateError {
		return nil, &engineError{duckdb.ResultError(&result)}
	}
	columns, types, err := columnsOf(&result, caps)
	// The types are destroyed also after an error, because columnsOf returns those that it has
	// made.
	defer func() {
		for i := range types {
			duckdb.DestroyLogicalType(&types[i])
		}
	}()
	if err != nil {
		return nil, err
	}
	w := rowWriter{caps: caps}
	w.out.WriteByte('[')
	for !w.full {
		// A chunk has at most 2,048 rows.
		chunk := duckdb.FetchChunk(result)
		if chunk.Ptr == nil {
			// A streaming result can fail after its first rows, so the error is checked at the end.
			if message := duckdb.ResultError(&result); message != "" {
				return nil, &engineError{message}
			}
			break
		}
		err := w.chunk(chunk, types)
		// Each chunk is destroyed before the next one is fetched, so only one is in memory.
		duckdb.DestroyDataChunk(&chunk)
		if err != nil {
			return nil, err
		}
	}
	w.out.WriteByte(']')
	return &frame.Result{Columns: columns, Rows: w.out.Bytes(), Truncated: w.full || w.cut}, nil
}

// columnsOf returns the names and the types of the columns.
func columnsOf(result *duckdb.Result, caps frame.Caps) ([]frame.Column, []duckdb.LogicalType, error) {
	count := int(duckdb.ColumnCount(result)) //nolint:gosec // bounded by the length of a statement
	// The number of columns is refused and not cut: a table without some of its columns would be
	// misunderstood.
	if count > caps.Columns {
		return nil, nil, domain.Errorf(domain.CodeInvalid, "The result has %d columns, and %d are allowed. Name the ones that are needed.",
			count, caps.Columns)
	}
	columns := make([]frame.Column, count)
	types := make([]duckdb.LogicalType, count)
	for i := range count {
		types[i] = duckdb.ColumnLogicalType(result, duckdb.IdxT(i))
		columns[i] = frame.Column{
			Name:         domain.Clean(duckdb.ColumnName(result, duckdb.IdxT(i))),
			Type:         string(meaning(types[i])),
			DatabaseType: typeName(types[i]),
		}
		// Without this check the query would fail at its first row, or show nothing for the column.
		if !readable(types[i]) {
			return nil, types, domain.Errorf(domain.CodeInvalid, "The column %s is of type %s; cast it to VARCHAR.", columns[i].Name,
				columns[i].DatabaseType)
		}
	}
	return columns, types, nil
}

// rowWriter writes rows as JSON until a cap is reached.
type rowWriter struct {
	caps frame.Caps
	out  bytes.Buffer
	rows int
	full bool // a cap on rows or bytes is reached
	cut  bool // a cell was shortened
}

// chunk writes the rows of a chunk until a cap is reached.
func (w *rowWriter) chunk(chunk duckdb.DataChunk, types []duckdb.LogicalType) error {
	size := int(duckdb.DataChunkGetSize(chunk)) //nolint:gosec // at most 2048
	// One reader for each column; it knows the type, so the rows need no further check.
	readers := make([]func(int) any, len(types))
	for i := range types {
		readers[i] = reader(duckdb.DataChunkGetVector(chunk, duckdb.IdxT(i)), types[i])
	}
	for r := range size {
		if w.rows == w.caps.Rows {
			w.full = true
			return nil
		}
		before := w.out.Len()
		if w.rows > 0 {
			w.out.WriteByte(',')
		}
		if err := w.row(readers, r); err != nil {
			return err
		}
		// The row that exceeds the cap is taken away again as a whole.
		if w.out.Len() > w.caps.Bytes {
			w.out.Truncate(before)
			w.full = true
			return nil
		}
		w.rows++
	}
	return nil
}

// row writes one row as a JSON array.
func (w *rowWriter) row(readers []func(int) any, r int) error {
	w.out.WriteByte('[')
	for c, read := range readers {
		if c > 0 {
			w.out.WriteByte(',')
		}
		value := read(r)
		// A long text is shortened, and the result counts as truncated (Result.Truncated).
		if text, ok := value.(string); ok && len(text) > w.caps.Cell {
			value = shorten(text, w.caps.Cell)
			w.cut = true
		}
		cell, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("encode a cell: %w", err)
		}
		w.out.Write(cell)
	}
	w.out.WriteByte(']')
	return nil
}

// shorten cuts text to at most limit bytes, not inside a rune, and adds an ellipsis.
func shorten(text string, limit int) string {
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
