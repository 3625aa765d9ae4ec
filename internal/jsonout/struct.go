package jsonout

import (
	"reflect"
	"slices"
	"strings"
)

// field is one of a struct as it is written.
type field struct {
	index     int
	name      string // in quotes, with the colon
	omitEmpty bool
	append    appender
}

// makeStruct works out the fields of a struct. One with embedded fields or with
// rarer options is left to encoding/json, whose rules for them are long.
func (w *Writer) makeStruct(t reflect.Type) appender {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if f.Anonymous {
			return appendOther
		}
		if !f.IsExported() || tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		if !plain(name) || options != "" && options != "omitempty" {
			return appendOther
		}
		fields = append(fields, field{index: i, name: `"` + name + `":`, omitEmpty: options == "omitempty", append: w.of(f.Type)})
	}
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].name
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(fields) {
		return appendOther
	}
	return func(b []byte, v reflect.Value) ([]byte, error) {
		var err error
		next := byte('{')
		for i := range fields {
			f := &fields[i]
			value := v.Field(f.index)
			if f.omitEmpty && empty(value) {
				continue
			}
			b = append(append(b, next), f.name...)
			if b, err = f.append(b, value); err != nil {
				return b, err
			}
			next = ','
		}
		if next == '{' {
			b = append(b, '{')
		}
		return append(b, '}'), nil
	}
}

// plain tells a name that stands in JSON as it is.
func plain(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// empty is what omitempty leaves out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	default:
		return v.IsZero()
	}
}
