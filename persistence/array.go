package persistence

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// registerTexts makes a connection encode a list of texts into a buffer that is allocated
// once. The library's buffer grows from nothing with each element, which for a group of the
// journal allocated six times the text.
func registerTexts(m *pgtype.Map) {
	element, ok := m.TypeForOID(pgtype.TextOID)
	if !ok {
		panic("persistence: the driver does not know text")
	}
	m.RegisterType(&pgtype.Type{
		Name: "_text", OID: pgtype.TextArrayOID, Codec: textArrayCodec{&pgtype.ArrayCodec{ElementType: element}},
	})
}

type textArrayCodec struct{ *pgtype.ArrayCodec }

// PlanEncode implements pgtype.Codec.
func (c textArrayCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.([]string); ok && format == pgtype.BinaryFormatCode {
		return encodeTexts{}
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

type encodeTexts struct{}

// Encode implements pgtype.EncodePlan: the binary form of an array without nulls.
func (encodeTexts) Encode(value any, buf []byte) ([]byte, error) {
	texts, ok := value.([]string)
	if !ok {
		return nil, fmt.Errorf("%T is no list of texts", value)
	}
	if texts == nil {
		return nil, nil
	}
	return appendList(buf, pgtype.TextOID, texts), nil
}

// appendList appends the binary form of a list, into a buffer that is allocated once. A nil byte string is NULL.
func appendList[T string | []byte](buf []byte, element uint32, list []T) []byte {
	need, missing := arrayHead, false
	for _, x := range list {
		need += 4 + len(x)
		missing = missing || isNil(x)
	}
	buf = slices.Grow(buf, need)
	from := len(buf)
	buf = appendArrayHead(buf, element, len(list))
	if missing {
		binary.BigEndian.PutUint32(buf[from+4:], 1) // the list has NULLs
	}
	for _, x := range list {
		if isNil(x) {
			buf = binary.BigEndian.AppendUint32(buf, math.MaxUint32) // -1 in place of a length is NULL
			continue
		}
		buf = binary.BigEndian.AppendUint32(buf, uint32(len(x))) //nolint:gosec // bounded by the limits of a text
		buf = append(buf, x...)
	}
	return buf
}

// isNil reports whether a value is a byte string that is nil; a text never is.
func isNil[T string | []byte](x T) bool {
	b, ok := any(x).([]byte)
	return ok && b == nil
}

// registerBytes does the same for a list of byte strings, such as the keys of the sign-ins of a node's
// open sockets, which are checked every two seconds.
func registerBytes(m *pgtype.Map) {
	element, ok := m.TypeForOID(pgtype.ByteaOID)
	if !ok {
		panic("persistence: the driver does not know bytea")
	}
	m.RegisterType(&pgtype.Type{
		Name: "_bytea", OID: pgtype.ByteaArrayOID, Codec: bytesArrayCodec{&pgtype.ArrayCodec{ElementType: element}},
	})
}

type bytesArrayCodec struct{ *pgtype.ArrayCodec }

// PlanEncode implements pgtype.Codec.
func (c bytesArrayCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.([][]byte); ok && format == pgtype.BinaryFormatCode {
		return encodeBytes{}
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

type encodeBytes struct{}

// Encode implements pgtype.EncodePlan. A byte string that is nil is NULL, as in the library's own encoding.
func (encodeBytes) Encode(value any, buf []byte) ([]byte, error) {
	list, ok := value.([][]byte)
	if !ok {
		return nil, fmt.Errorf("%T is no list of byte strings", value)
	}
	if list == nil {
		return nil, nil
	}
	return appendList(buf, pgtype.ByteaOID, list), nil
}

// registerNumbers does the same for a list of numbers, such as how far the logs of a node's people have come, which are
// compared every two seconds. The library allocates twice for each number.
func registerNumbers(m *pgtype.Map) {
	element, ok := m.TypeForOID(pgtype.Int8OID)
	if !ok {
		panic("persistence: the driver does not know bigint")
	}
	m.RegisterType(&pgtype.Type{
		Name: "_int8", OID: pgtype.Int8ArrayOID, Codec: numberArrayCodec{&pgtype.ArrayCodec{ElementType: element}},
	})
}

type numberArrayCodec struct{ *pgtype.ArrayCodec }

// PlanEncode implements pgtype.Codec.
func (c numberArrayCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.([]int64); ok && format == pgtype.BinaryFormatCode {
		return encodeNumbers{}
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

type encodeNumbers struct{}

// Encode implements pgtype.EncodePlan: the binary form of an array without nulls.
func (encodeNumbers) Encode(value any, buf []byte) ([]byte, error) {
	list, ok := value.([]int64)
	if !ok {
		return nil, fmt.Errorf("%T is no list of numbers", value)
	}
	if list == nil {
		return nil, nil
	}
	const size = 4 + 8
	buf = appendArrayHead(slices.Grow(buf, arrayHead+size*len(list)), pgtype.Int8OID, len(list))
	for _, n := range list {
		buf = appendNumber(buf, n)
	}
	return buf, nil
}

// arrayHead is how many bytes appendArrayHead writes.
const arrayHead = 20

// appendArrayHead begins the binary form of an array of one dimension without
// nulls (array_recv in the source of Postgres).
func appendArrayHead(buf []byte, element uint32, n int) []byte {
	buf = binary.BigEndian.AppendUint32(buf, 1) // dimension
	buf = binary.BigEndian.AppendUint32(buf, 0) // no nulls
	buf = binary.BigEndian.AppendUint32(buf, element)
	buf = binary.BigEndian.AppendUint32(buf, uint32(n)) //nolint:gosec // bounded by the size of a group
	return binary.BigEndian.AppendUint32(buf, 1)        // the first index
}

// appendText, appendNumber and appendID write an element of such an array: its length and
// its bytes. A text may come in two parts.
func appendText(buf []byte, first, more string) []byte {
	buf = binary.BigEndian.AppendUint32(buf, uint32(len(first)+len(more))) //nolint:gosec // bounded by the limits of a text
	buf = append(buf, first...)
	return append(buf, more...)
}

func appendNumber(buf []byte, n int64) []byte {
	buf = binary.BigEndian.AppendUint32(buf, 8)
	return binary.BigEndian.AppendUint64(buf, uint64(n)) //nolint:gosec // the bits of it
}

func appendID(buf []byte, id uuid.UUID) []byte {
	buf = binary.BigEndian.AppendUint32(buf, uint32(len(id)))
	return append(buf, id[:]...)
}
