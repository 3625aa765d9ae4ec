package main

// Rows on their way into a table of DuckDB. They are collected in a data chunk, whose memory
// belongs to the engine, and appended many at a time.

import (
	"unsafe"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"parley.dev/parley/cmd/parley-worker/table"
)

// chunk is a batch of rows that are written to a table.
type chunk struct {
	columns  []table.Column
	chunk    duckdb.DataChunk
	types    []duckdb.LogicalType
	vectors  []duckdb.Vector
	data     []unsafe.Pointer
	validity []unsafe.Pointer
	size     int
	capacity int
}

// newChunk makes an empty chunk. It must be closed, because the memory is not the collector's.
func newChunk(columns []table.Column) *chunk {
	c := &chunk{columns: columns, capacity: int(duckdb.VectorSize())} //nolint:gosec // 2048
	for _, column := range columns {
		c.types = append(c.types, logicalType(column.Kind))
	}
	c.chunk = duckdb.CreateDataChunk(c.types)
	c.reset()
	return c
}

// logicalType is the type of a column in DuckDB. The caller must destroy it.
func logicalType(k table.Kind) duckdb.LogicalType {
	switch k.Type {
	case table.Boolean:
		return duckdb.CreateLogicalType(duckdb.TypeBoolean)
	case table.Integer:
		return duckdb.CreateLogicalType(duckdb.TypeBigInt)
	case table.Decimal:
		// 18 digits are the most that DuckDB keeps in eight bytes, which is how add writes them.
		return duckdb.CreateDecimalType(18, uint8(k.Scale)) //nolint:gosec // at most 4
	case table.Number:
		return duckdb.CreateLogicalType(duckdb.TypeDouble)
	case table.Date:
		return duckdb.CreateLogicalType(duckdb.TypeDate)
	case table.Time:
		return duckdb.CreateLogicalType(duckdb.TypeTimestamp)
	default:
		return duckdb.CreateLogicalType(duckdb.TypeVarchar)
	}
}

// reset empties the chunk. The engine may move the chunk's memory when it does so, so reset gets the pointers again.
func (c *chunk) reset() {
	duckdb.DataChunkReset(c.chunk)
	c.size = 0
	c.vectors, c.data, c.validity = c.vectors[:0], c.data[:0], c.validity[:0]
	// A vector may hold no nulls until it has a validity mask, so the mask is made in advance.
	for i := range c.columns {
		v := duckdb.DataChunkGetVector(c.chunk, duckdb.IdxT(i))
		duckdb.VectorEnsureValidityWritable(v)
		c.vectors = append(c.vectors, v)
		c.data = append(c.data, duckdb.VectorGetData(v))
		c.validity = append(c.validity, duckdb.VectorGetValidity(v))
	}
}

// close gives the memory back to the engine.
func (c *chunk) close() {
	duckdb.DestroyDataChunk(&c.chunk)
	for i := range c.types {
		duckdb.DestroyLogicalType(&c.types[i])
	}
}

// add appends a row to the chunk.
func (c *chunk) add(cells func(int) []byte) {
	for i := range c.columns {
		column, cell := &c.columns[i], cells(i)
		// Texts are copied by the engine, since their memory does not fit into the vector.
		if column.Kind.Type == table.Varchar {
			if !column.Holds(cell) {
				c.null(i)
			} else {
				duckdb.VectorAssignStringElement(c.vectors[i], duckdb.IdxT(c.size), table.Text(cell)) //nolint:gosec // positive
			}
			continue
		}
		// The first pass has decided the type from all cells, so only words for missing values are
		// NULL here.
		v := column.Parse(cell)
		if v.IsNull {
			c.null(i)
			continue
		}
		switch column.Kind.Type {
		case table.Boolean:
			put(c.data[i], c.size, v.Bool)
		case table.Number:
			put(c.data[i], c.size, v.Float)
		case table.Date:
			put(c.data[i], c.size, int32(v.Int)) //nolint:gosec // the years 1000 to 9999
		default:
			put(c.data[i], c.size, v.Int)
		}
	}
	c.size++
}

// null marks the current row of a column as NULL. Its value is not read.
func (c *chunk) null(column int) {
	duckdb.ValiditySetRowInvalid(c.validity[column], duckdb.IdxT(c.size)) //nolint:gosec // positive
}

// put writes a value to a row of a vector's memory.
func put[T any](base unsafe.Pointer, row int, value T) {
	// The type must be the one of the vector, or neighbouring rows are overwritten.
	*(*T)(unsafe.Add(base, uintptr(row)*unsafe.Sizeof(value))) = value
}
