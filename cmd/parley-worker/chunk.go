package main

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

func newChunk(columns []table.Column) *chunk {
	c := &chunk{columns: columns, capacity: int(duckdb.VectorSize())} //nolint:gosec // 2048
	for _, column := range columns {
		c.types = append(c.types, logicalType(column.Kind))
	}
	c.chunk = duckdb.CreateDataChunk(c.types)
	c.reset()
	return c
}

func logicalType(k table.Kind) duckdb.LogicalType {
	switch k.Type {
	case table.Boolean:
		return duckdb.CreateLogicalType(duckdb.TypeBoolean)
	case table.Integer:
		return duckdb.CreateLogicalType(duckdb.TypeBigInt)
	case table.Decimal:
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
	for i := range c.columns {
		v := duckdb.DataChunkGetVector(c.chunk, duckdb.IdxT(i))
		duckdb.VectorEnsureValidityWritable(v)
		c.vectors = append(c.vectors, v)
		c.data = append(c.data, duckdb.VectorGetData(v))
		c.validity = append(c.validity, duckdb.VectorGetValidity(v))
	}
}

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
		if column.Kind.Type == table.Varchar {
			if !column.Holds(cell) {
				c.null(i)
			} else {
				duckdb.VectorAssignStringElement(c.vectors[i], duckdb.IdxT(c.size), table.Text(cell)) //nolint:gosec // positive
			}
			continue
		}
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

func (c *chunk) null(column int) {
	duckdb.ValiditySetRowInvalid(c.validity[column], duckdb.IdxT(c.size)) //nolint:gosec // positive
}

// put writes a value to a row of a vector's memory.
func put[T any](base unsafe.Pointer, row int, value T) {
	*(*T)(unsafe.Add(base, uintptr(row)*unsafe.Sizeof(value))) = value
}
