package persistence

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// registerLists makes a connection encode lists of texts, of byte strings and of numbers into a buffer that is allocated once.
// The library's buffer grows from nothing with each element, which for a group of the journal allocated six times the text; for
// a number it allocates twice. A node compares its sign-ins and how far the logs of its people have come every two seconds.
func registerLists(m *pgtype.Map) {
	registerList(m, "_text", pgtype.TextArrayOID, pgtype.TextOID, appendList[string])
	registerList(m, "_bytea", pgtype.ByteaArrayOID, pgtype.ByteaOID, appendList[[]byte])
	registerList(m, "_int8", pgtype.Int8ArrayOID, pgtype.Int8OID, appendNumbers)
}

// registerList registers the type of a list with our encoder. The type of its elements must be known.
func registerList[T any](m *pgtype.Map, name string, oid, element uint32, encode func(buf []byte, element uint32, list []T) []byte) {
	of, ok := m.TypeForOID(element)
	if !ok {
		panic("persistence: the driver does not know the elements of " + name)
	}
	codec := listCodec[T]{&pgtype.ArrayCodec{ElementType: of}, encodeList[T]{element, encode}}
	m.RegisterType(&pgtype.Type{Name: name, OID: oid, Codec: codec})
}

// listCodec adds the encoder of a Go type to what the library can read and write.
type listCodec[T any] struct {
	*pgtype.ArrayCodec

	plan encodeList[T]
}

// PlanEncode implements pgtype.Codec.
func (c listCodec[T]) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.([]T); ok && format == pgtype.BinaryFormatCode {
		return c.plan
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

// encodeList writes the binary form of a list.
type encodeList[T any] struct {
	element uint32
	encode  func(buf []byte, element uint32, list []T) []byte
}

// Encode implements pgtype.EncodePlan. A nil list is NULL, as with the library.
func (e encodeList[T]) Encode(value any, buf []byte) ([]byte, error) {
	list, ok := value.([]T)
	if !ok {
		return nil, fmt.Errorf("%T is no %T", value, list)
	}
	if list == nil {
		return nil, nil
	}
	return e.encode(buf, e.element, list), nil
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

// appendNumbers does the same for a list of numbers.
func appendNumbers(buf []byte, element uint32, list []int64) []byte {
	buf = appendArrayHead(slices.Grow(buf, arrayHead+len(list)*(4+8)), element, len(list))
	for _, n := range list {
		buf = appendNumber(buf, n)
	}
	return buf
}

// appendIDs does the same for a list of ids.
func appendIDs(buf []byte, element uint32, list []uuid.UUID) []byte {
	buf = appendArrayHead(slices.Grow(buf, arrayHead+len(list)*(4+len(uuid.Nil))), element, len(list))
	for _, id := range list {
		buf = appendID(buf, id)
	}
	return buf
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
