// Package jsonout writes values as encoding/json writes a pointer to them, byte
// for byte, at a fraction of the cost. What each type of value looks like is worked out once;
// times and ids, of which answers are full, are written in place rather than made,
// copied and checked one by one. What it does not know by itself it gives to
// encoding/json.
package jsonout

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"sync"

	"github.com/google/uuid"
)

// Appender is implemented by types that write themselves.
type Appender interface {
	// AppendJSON adds the value to b, as its MarshalJSON or MarshalText would have it.
	AppendJSON(b []byte) []byte
}

// bufferMax is the largest buffer that is kept for later.
const bufferMax = 1 << 20

// Writer writes values. Its zero value is ready; it may be used by many at once.
// Values that point to themselves are not for it.
type Writer struct {
	types   sync.Map // reflect.Type to appender
	buffers sync.Pool
}

// appender adds a value, which is addressable, to b.
type appender func(b []byte, v reflect.Value) ([]byte, error)

// Write writes a value and the end of a line, without escaping what only HTML minds.
func (w *Writer) Write(to io.Writer, value any) error {
	buffer, _ := w.buffers.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	b, err := w.Append((*buffer)[:0], value)
	if err == nil {
		_, err = to.Write(append(b, '\n'))
	}
	if cap(b) <= bufferMax {
		*buffer = b
		w.buffers.Put(buffer)
	}
	return err //nolint:wrapcheck // the writer's own error says it all
}

// Append adds a value to b.
func (w *Writer) Append(b []byte, value any) ([]byte, error) {
	if value == nil {
		return append(b, "null"...), nil
	}
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	} else {
		whole := reflect.New(v.Type()).Elem()
		whole.Set(v)
		v = whole
	}
	return w.of(v.Type())(b, v)
}

// of finds how a type is written.
func (w *Writer) of(t reflect.Type) appender {
	if known, ok := w.types.Load(t); ok {
		return known.(appender) //nolint:forcetypeassert // nothing else is stored
	}
	// A type may have itself inside: until it is known, it is looked up at each value.
	w.types.Store(t, appender(func(b []byte, v reflect.Value) ([]byte, error) { return w.make(t)(b, v) }))
	made := w.make(t)
	w.types.Store(t, made)
	return made
}

// make works out how a type is written.
func (w *Writer) make(t reflect.Type) appender {
	pointer := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer:
		// Below it is what implements an interface, if anything.
	case t == reflect.TypeFor[uuid.UUID]():
		return appendID
	case pointer.Implements(reflect.TypeFor[Appender]()):
		return func(b []byte, v reflect.Value) ([]byte, error) {
			return v.Addr().Interface().(Appender).AppendJSON(b), nil //nolint:forcetypeassert // checked above
		}
	case pointer.Implements(reflect.TypeFor[json.Marshaler]()), pointer.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return appendOther
	}
	switch t.Kind() {
	case reflect.Bool:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(b, v.Int(), 10), nil }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendUint(b, v.Uint(), 10), nil }
	case reflect.Float64:
		return appendFloat
	case reflect.String:
		if t == reflect.TypeFor[json.Number]() {
			return appendOther
		}
		return func(b []byte, v reflect.Value) ([]byte, error) { return appendString(b, v.String()), nil }
	case reflect.Pointer:
		inner := w.of(t.Elem())
		return func(b []byte, v reflect.Value) ([]byte, error) {
			if v.IsNil() {
				return append(b, "null"...), nil
			}
			return inner(b, v.Elem())
		}
	case reflect.Slice:
		return w.makeSlice(t)
	case reflect.Struct:
		return w.makeStruct(t)
	default:
		return appendOther
	}
}

func (w *Writer) makeSlice(t reflect.Type) appender {
	if t.Elem().Kind() == reflect.Uint8 {
		if t == reflect.TypeFor[[]byte]() {
			return appendBytes
		}
		return appendOther
	}
	inner := w.of(t.Elem())
	return func(b []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		b = append(b, '[')
		var err error
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = inner(b, v.Index(i)); err != nil {
				return b, err
			}
		}
		return append(b, ']'), nil
	}
}

// appendOther is for what encoding/json knows alone.
func appendOther(b []byte, v reflect.Value) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	value := v
	if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
		value = v.Addr() // methods may need it
	}
	if err := e.Encode(value.Interface()); err != nil {
		return b, fmt.Errorf("write JSON: %w", err)
	}
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...), nil
}

func appendID(b []byte, v reflect.Value) ([]byte, error) {
	id := v.Addr().Interface().(*uuid.UUID) //nolint:forcetypeassert // only for that type
	b = append(b, '"')
	for i, part := range [][]byte{id[0:4], id[4:6], id[6:8], id[8:10], id[10:16]} {
		if i > 0 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, part)
	}
	return append(b, '"'), nil
}

func appendBytes(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), v.Bytes()), '"'), nil
}

// appendFloat writes numbers as JavaScript does.
func appendFloat(b []byte, v reflect.Value) ([]byte, error) {
	f := v.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return b, fmt.Errorf("write JSON: %v is no number of JSON", f)
	}
	if abs := math.Abs(f); abs == 0 || 1e-6 <= abs && abs < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64), nil
	}
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	// e-09 is e-9.
	if n := len(b); n >= 4 && b[n-4] == 'e' && (b[n-3] == '-' || b[n-3] == '+') && b[n-2] == '0' {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b, nil
}
