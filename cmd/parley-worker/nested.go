package main

// Lists, maps and structures as text. A cell of a result is one value, so what is nested is shown
// in the notation of DuckDB.

import (
	"fmt"
	"strings"

	duckdb "github.com/duckdb/duckdb-go-bindings"
)

// listMax is how many elements of a list are shown in a cell.
const listMax = 1000

// list returns a list or a map as text, such as [1, 2] or {a=1}.
func list(v duckdb.Vector, t duckdb.LogicalType) func(int) any {
	isMap := duckdb.GetTypeId(t) == duckdb.TypeMap
	child := duckdb.ListVectorGetChild(v)
	childType := duckdb.VectorGetColumnType(child)
	// An entry of the vector is the place and the number of its elements in the child vector.
	at := cells[[2]uint64](v)
	var element func(int) any
	if isMap {
		element = pair(child)
	} else {
		element = reader(child, childType)
	}
	opening, closing := "[", "]"
	if isMap {
		opening, closing = "{", "}"
	}
	return func(r int) any {
		entry := at(r)
		offset, length := int(entry[0]), int(entry[1]) //nolint:gosec // within a chunk
		// A very long list is cut, because it would be shown in one cell.
		parts := make([]string, 0, min(length, listMax))
		for i := range min(length, listMax) {
			parts = append(parts, show(element(offset+i)))
		}
		if length > listMax {
			parts = append(parts, "…")
		}
		return opening + strings.Join(parts, ", ") + closing
	}
}

// pair returns an entry of a map as text. The child vector of a map is a STRUCT of key and value.
func pair(child duckdb.Vector) func(int) any {
	keys, values := duckdb.StructVectorGetChild(child, 0), duckdb.StructVectorGetChild(child, 1)
	key := reader(keys, duckdb.VectorGetColumnType(keys))
	value := reader(values, duckdb.VectorGetColumnType(values))
	return func(r int) any { return show(key(r)) + "=" + show(value(r)) }
}

// structure returns a STRUCT as text, such as {name: value}.
func structure(v duckdb.Vector, t duckdb.LogicalType) func(int) any {
	count := int(duckdb.StructTypeChildCount(t)) //nolint:gosec // the fields of one statement
	names := make([]string, count)
	fields := make([]func(int) any, count)
	for i := range count {
		names[i] = duckdb.StructTypeChildName(t, duckdb.IdxT(i))
		child := duckdb.StructVectorGetChild(v, duckdb.IdxT(i))
		// The children have as many rows as the structure, so the same number reads them.
		fields[i] = reader(child, duckdb.VectorGetColumnType(child))
	}
	return func(r int) any {
		parts := make([]string, count)
		for i, field := range fields {
			parts[i] = names[i] + ": " + show(field(r))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
}

// show is the text of a nested value, with NULL where the engine would write it.
func show(cell any) string {
	if cell == nil {
		return "NULL"
	}
	return fmt.Sprint(cell)
}
