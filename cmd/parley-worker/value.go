package main

// Values of DuckDB as cells of a result. Vectors are read directly from the engine's memory, in the
// layout of its C API; a value is converted only when its row is written.

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unsafe"

	duckdb "github.com/duckdb/duckdb-go-bindings"
	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// meaning returns the column type that an analyst sees for a type of DuckDB.
func meaning(t duckdb.LogicalType) domain.ColumnType {
	// An integer of any width is one type for people; the width is in the name of the type.
	switch duckdb.GetTypeId(t) {
	case duckdb.TypeTinyInt, duckdb.TypeSmallInt, duckdb.TypeInteger, duckdb.TypeBigInt, duckdb.TypeUTinyInt,
		duckdb.TypeUSmallInt, duckdb.TypeUInteger, duckdb.TypeUBigInt, duckdb.TypeHugeInt, duckdb.TypeUHugeInt:
		return domain.ColumnInteger
	case duckdb.TypeDecimal:
		if duckdb.DecimalScale(t) == 0 {
			return domain.ColumnInteger
		}
		return domain.ColumnNumber
	case duckdb.TypeFloat, duckdb.TypeDouble:
		return domain.ColumnNumber
	case duckdb.TypeBoolean:
		return domain.ColumnBoolean
	case duckdb.TypeDate:
		return domain.ColumnDate
	case duckdb.TypeTimestamp, duckdb.TypeTimestampS, duckdb.TypeTimestampMS, duckdb.TypeTimestampNS, duckdb.TypeTimestampTZ:
		return domain.ColumnTime
	default:
		return domain.ColumnText
	}
}

// typeName returns DuckDB's own name of a type.
func typeName(t duckdb.LogicalType) string {
	switch id := duckdb.GetTypeId(t); id {
	case duckdb.TypeDecimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", duckdb.DecimalWidth(t), duckdb.DecimalScale(t))
	case duckdb.TypeList:
		child := duckdb.ListTypeChildType(t)
		defer duckdb.DestroyLogicalType(&child)
		return typeName(child) + "[]"
	case duckdb.TypeArray:
		child := duckdb.ArrayTypeChildType(t)
		defer duckdb.DestroyLogicalType(&child)
		return fmt.Sprintf("%s[%d]", typeName(child), uint64(duckdb.ArrayTypeArraySize(t)))
	default:
		if name, ok := typeNames()[id]; ok {
			return name
		}
		// A type that a newer engine adds has no name here.
		return "OTHER"
	}
}

// typeNames are the names that DuckDB shows for its types, for those without parameters.
func typeNames() map[duckdb.Type]string {
	return map[duckdb.Type]string{
		duckdb.TypeBoolean: "BOOLEAN", duckdb.TypeTinyInt: "TINYINT", duckdb.TypeSmallInt: "SMALLINT",
		duckdb.TypeInteger: "INTEGER", duckdb.TypeBigInt: "BIGINT", duckdb.TypeUTinyInt: "UTINYINT",
		duckdb.TypeUSmallInt: "USMALLINT", duckdb.TypeUInteger: "UINTEGER", duckdb.TypeUBigInt: "UBIGINT",
		duckdb.TypeFloat: "FLOAT", duckdb.TypeDouble: "DOUBLE", duckdb.TypeTimestamp: "TIMESTAMP",
		duckdb.TypeDate: "DATE", duckdb.TypeTime: "TIME", duckdb.TypeInterval: "INTERVAL",
		duckdb.TypeHugeInt: "HUGEINT", duckdb.TypeUHugeInt: "UHUGEINT", duckdb.TypeVarchar: "VARCHAR",
		duckdb.TypeBlob: "BLOB", duckdb.TypeTimestampS: "TIMESTAMP_S", duckdb.TypeTimestampMS: "TIMESTAMP_MS",
		duckdb.TypeTimestampNS: "TIMESTAMP_NS", duckdb.TypeEnum: "ENUM", duckdb.TypeStruct: "STRUCT",
		duckdb.TypeMap: "MAP", duckdb.TypeUUID: "UUID", duckdb.TypeUnion: "UNION", duckdb.TypeBit: "BIT",
		duckdb.TypeTimeTZ: "TIME WITH TIME ZONE", duckdb.TypeTimestampTZ: "TIMESTAMP WITH TIME ZONE",
		duckdb.TypeBigNum: "BIGNUM", duckdb.TypeSQLNull: "NULL", duckdb.TypeTimeNS: "TIME_NS",
		duckdb.TypeGeometry: "GEOMETRY", duckdb.TypeVariant: "VARIANT",
	}
}

// readable reports whether reader can show the type. The other types have no form in a cell
// that would be useful to people, and a query can easily cast them to VARCHAR.
func readable(t duckdb.LogicalType) bool {
	switch duckdb.GetTypeId(t) {
	case duckdb.TypeUnion, duckdb.TypeBit, duckdb.TypeBigNum, duckdb.TypeGeometry, duckdb.TypeVariant,
		duckdb.TypeTimeTZ, duckdb.TypeTimeNS, duckdb.TypeInvalid, duckdb.TypeAny:
		return false
	case duckdb.TypeList:
		child := duckdb.ListTypeChildType(t)
		defer duckdb.DestroyLogicalType(&child)
		return readable(child)
	case duckdb.TypeMap:
		key, value := duckdb.MapTypeKeyType(t), duckdb.MapTypeValueType(t)
		defer duckdb.DestroyLogicalType(&key)
		defer duckdb.DestroyLogicalType(&value)
		return readable(key) && readable(value)
	// An array has a fixed length and another layout than a list, which reader does not know.
	case duckdb.TypeArray:
		return false
	case duckdb.TypeStruct:
		for i := range duckdb.StructTypeChildCount(t) {
			child := duckdb.StructTypeChildType(t, i)
			ok := readable(child)
			duckdb.DestroyLogicalType(&child)
			if !ok {
				return false
			}
		}
	}
	return true
}

// cells returns a function that reads a row of the vector's data without a copy of the vector.
// T must have the memory layout of the vector's elements.
func cells[T any](v duckdb.Vector) func(int) T {
	// base stays valid as long as the chunk is not destroyed.
	base := duckdb.VectorGetData(v)
	var zero T
	size := unsafe.Sizeof(zero)
	return func(r int) T { return *(*T)(unsafe.Add(base, uintptr(r)*size)) }
}

// reader returns a function that reads a row of the vector as a cell of a domain.ResultSet. NULL,
// NaN and infinity become nil, because JSON has no NaN and no infinity.
func reader(v duckdb.Vector, t duckdb.LogicalType) func(int) any {
	read := present(v, t)
	mask := duckdb.VectorGetValidity(v)
	// Without a mask no row is NULL.
	if mask == nil {
		return read
	}
	return func(r int) any {
		if !duckdb.ValidityRowIsValid(mask, duckdb.IdxT(r)) { //nolint:gosec // positive
			return nil
		}
		return read(r)
	}
}

// present reads rows that are not NULL.
func present(v duckdb.Vector, t duckdb.LogicalType) func(int) any {
	switch duckdb.GetTypeId(t) {
	case duckdb.TypeBoolean:
		at := cells[bool](v)
		return func(r int) any { return at(r) }
	case duckdb.TypeTinyInt:
		return integer(cells[int8](v))
	case duckdb.TypeSmallInt:
		return integer(cells[int16](v))
	case duckdb.TypeInteger:
		return integer(cells[int32](v))
	case duckdb.TypeBigInt:
		return integer(cells[int64](v))
	case duckdb.TypeUTinyInt:
		return integer(cells[uint8](v))
	case duckdb.TypeUSmallInt:
		return integer(cells[uint16](v))
	case duckdb.TypeUInteger:
		return integer(cells[uint32](v))
	case duckdb.TypeUBigInt:
		// It may not fit int64, so it goes through whole.
		at := cells[uint64](v)
		return func(r int) any { return whole(new(big.Int).SetUint64(at(r))) }
	case duckdb.TypeHugeInt:
		at := cells[[2]uint64](v)
		return func(r int) any { return whole(huge(at(r), true)) }
	case duckdb.TypeUHugeInt:
		at := cells[[2]uint64](v)
		return func(r int) any { return whole(huge(at(r), false)) }
	case duckdb.TypeFloat:
		at := cells[float32](v)
		// The conversion goes through text, so that 0.1 as float32 does not become 0.10000000149.
		return func(r int) any {
			f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(at(r)), 'g', -1, 32), 64)
			return finite(f)
		}
	case duckdb.TypeDouble:
		at := cells[float64](v)
		return func(r int) any { return finite(at(r)) }
	case duckdb.TypeDecimal:
		return decimal(v, t)
	case duckdb.TypeVarchar:
		at := textReader(v)
		return func(r int) any { return domain.Clean(at(r)) }
	case duckdb.TypeBlob:
		at := textReader(v)
		// Bytes have no text, so they are shown in hexadecimal.
		return func(r int) any { return hex.EncodeToString([]byte(at(r))) }
	case duckdb.TypeEnum:
		return enum(v, t)
	case duckdb.TypeUUID:
		at := cells[[2]uint64](v)
		return func(r int) any { return uuidText(at(r)) }
	case duckdb.TypeSQLNull:
		return func(int) any { return nil }
	case duckdb.TypeList, duckdb.TypeMap:
		return list(v, t)
	case duckdb.TypeStruct:
		return structure(v, t)
	default:
		return moment(v, t)
	}
}

// intLike are the integers that fit int64.
type intLike interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// integer reads any of them as int64.
func integer[T intLike](at func(int) T) func(int) any {
	return func(r int) any { return int64(at(r)) }
}

// whole returns an int64 if the number fits, and the nearest float64 otherwise.
func whole(n *big.Int) any {
	if n.IsInt64() {
		return n.Int64()
	}
	// JSON has only floating numbers in most clients, so the nearest one is what people would see
	// anyway.
	f, _ := new(big.Float).SetInt(n).Float64()
	return finite(f)
}

// huge combines the two halves of a 128-bit integer.
// The lower half comes first, as in duckdb_hugeint.
func huge(parts [2]uint64, signed bool) *big.Int {
	n := new(big.Int).SetUint64(parts[1])
	if signed {
		n.SetInt64(int64(parts[1])) //nolint:gosec // the upper half carries the sign
	}
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(parts[0]))
}

// finite returns nil for values that JSON does not have.
func finite(f float64) any {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return f
}

// decimal divides by the power of ten that the scale gives. With a scale of 0 the value stays an integer.
func decimal(v duckdb.Vector, t duckdb.LogicalType) func(int) any {
	scale := int(duckdb.DecimalScale(t))
	var at func(int) *big.Int
	// The engine stores a decimal as an integer, whose width depends on the number of digits.
	switch duckdb.DecimalInternalType(t) {
	case duckdb.TypeSmallInt:
		read := cells[int16](v)
		at = func(r int) *big.Int { return big.NewInt(int64(read(r))) }
	case duckdb.TypeInteger:
		read := cells[int32](v)
		at = func(r int) *big.Int { return big.NewInt(int64(read(r))) }
	case duckdb.TypeBigInt:
		read := cells[int64](v)
		at = func(r int) *big.Int { return big.NewInt(read(r)) }
	default:
		read := cells[[2]uint64](v)
		at = func(r int) *big.Int { return huge(read(r), true) }
	}
	if scale == 0 {
		return func(r int) any { return whole(at(r)) }
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	return func(r int) any {
		// The quotient of the exact integers is the nearest float64, which prints as the decimal number.
		f, _ := new(big.Rat).SetFrac(at(r), power).Float64()
		return finite(f)
	}
}

// textReader reads VARCHAR and BLOB.
func textReader(v duckdb.Vector) func(int) string {
	base := duckdb.VectorGetData(v)
	mask := duckdb.VectorGetValidity(v)
	var zero duckdb.StringT
	size := unsafe.Sizeof(zero)
	return func(r int) string {
		// The bytes of a NULL are undefined, so they must not be read.
		if mask != nil && !duckdb.ValidityRowIsValid(mask, duckdb.IdxT(r)) { //nolint:gosec // positive
			return ""
		}
		return duckdb.StringTData((*duckdb.StringT)(unsafe.Add(base, uintptr(r)*size)))
	}
}

// enum reads the words of an ENUM. The vector has their numbers in the dictionary.
func enum(v duckdb.Vector, t duckdb.LogicalType) func(int) any {
	var at func(int) uint64
	switch duckdb.EnumInternalType(t) {
	case duckdb.TypeUTinyInt:
		read := cells[uint8](v)
		at = func(r int) uint64 { return uint64(read(r)) }
	case duckdb.TypeUSmallInt:
		read := cells[uint16](v)
		at = func(r int) uint64 { return uint64(read(r)) }
	default:
		read := cells[uint32](v)
		at = func(r int) uint64 { return uint64(read(r)) }
	}
	return func(r int) any { return domain.Clean(duckdb.EnumDictionaryValue(t, duckdb.IdxT(at(r)))) }
}

// uuidText formats a UUID, which the engine stores as a 128-bit integer.
func uuidText(parts [2]uint64) string {
	var id uuid.UUID
	// DuckDB stores the top bit inverted, so that the order of the signed halves is the order of the UUIDs.
	binary.BigEndian.PutUint64(id[:8], parts[1]^(1<<63))
	binary.BigEndian.PutUint64(id[8:], parts[0])
	return id.String()
}

// Forms of ISO 8601 (Go's layouts). Zeros at the end of a fraction are left out.
const (
	dateForm  = "2006-01-02"
	timeForm  = "2006-01-02T15:04:05.999999999"
	clockForm = "15:04:05.999999"
)

// moment returns dates, timestamps, times and intervals as text in ISO 8601.
func moment(v duckdb.Vector, t duckdb.LogicalType) func(int) any {
	switch id := duckdb.GetTypeId(t); id {
	case duckdb.TypeDate:
		at := cells[int32](v)
		return func(r int) any {
			// These two numbers are infinity and its negative.
			if days := at(r); days != math.MaxInt32 && days != -math.MaxInt32 {
				return time.Unix(int64(days)*86400, 0).UTC().Format(dateForm)
			}
			return nil
		}
	case duckdb.TypeTimestampS:
		return instant(cells[int64](v), func(n int64) time.Time { return time.Unix(n, 0) }, "")
	case duckdb.TypeTimestampMS:
		return instant(cells[int64](v), time.UnixMilli, "")
	case duckdb.TypeTimestampNS:
		return instant(cells[int64](v), func(n int64) time.Time { return time.Unix(0, n) }, "")
	case duckdb.TypeTimestampTZ:
		// Only this type is a moment in time, so only it is written with a zone.
		return instant(cells[int64](v), time.UnixMicro, "Z")
	case duckdb.TypeTimestamp:
		return instant(cells[int64](v), time.UnixMicro, "")
	case duckdb.TypeTime:
		at := cells[int64](v)
		return func(r int) any { return time.UnixMicro(at(r)).UTC().Format(clockForm) }
	case duckdb.TypeInterval:
		at := cells[interval](v)
		return func(r int) any { return at(r).String() }
	default:
		return func(int) any { return nil }
	}
}

// instant reads a timestamp. n is in the unit of its type, since 1970 in UTC.
func instant(at func(int) int64, toTime func(int64) time.Time, zone string) func(int) any {
	return func(r int) any {
		n := at(r)
		if n == math.MaxInt64 || n == -math.MaxInt64 {
			return nil // infinity in DuckDB
		}
		return toTime(n).UTC().Format(timeForm) + zone
	}
}

// interval has the memory layout of duckdb_interval.
type interval struct {
	months, days int32
	micros       int64
}

// String returns an ISO 8601 duration.
// Parts that are zero are left out, and an empty interval is PT0S.
func (i interval) String() string {
	var b strings.Builder
	b.WriteByte('P')
	if i.months/12 != 0 {
		fmt.Fprintf(&b, "%dY", i.months/12)
	}
	if i.months%12 != 0 {
		fmt.Fprintf(&b, "%dM", i.months%12)
	}
	if i.days != 0 {
		fmt.Fprintf(&b, "%dD", i.days)
	}
	if i.micros != 0 || b.Len() == 1 {
		b.WriteString("T" + strconv.FormatFloat(float64(i.micros)/1e6, 'f', -1, 64) + "S")
	}
	return b.String()
}
