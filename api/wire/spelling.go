package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"parley.dev/parley/domain"
)

// maxDepth is how deep arrays and objects of a request may stand in each other.
const maxDepth = 32

// Camel turns page_size into pageSize. A name that is not snake case stays as it is.
func Camel(name string) string {
	if !strings.Contains(name, "_") {
		return name
	}
	var out strings.Builder
	upper := false
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_' && i > 0 && i < len(name)-1 && name[i-1] != '_':
			upper = true
			continue
		case upper && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		upper = false
		out.WriteByte(c)
	}
	return out.String()
}

// NormaliseQuery gives every parameter its camelCase name, without the [] of
// arrays. Where both spellings are given the first one stands first.
func NormaliseQuery(raw string) (url.Values, error) {
	// A semicolon is a character like any other: it has separated nothing for years.
	given, err := url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
	if err != nil {
		return nil, domain.Errorf(domain.CodeBadRequest, "The query of the URL cannot be read").WithCause(err)
	}
	out := make(url.Values, len(given))
	for name, values := range given {
		camel := Camel(strings.TrimSuffix(name, "[]"))
		for _, value := range values {
			if !domain.Storable(value) {
				return nil, domain.Invalid(camel, "The value contains characters that cannot be stored.")
			}
		}
		if name == camel {
			// The camelCase spelling wins, whatever order the map has.
			out[camel] = append(append([]string{}, values...), out[camel]...)
			continue
		}
		out[camel] = append(out[camel], values...)
	}
	return out, nil
}

// NormaliseJSON gives every field of a request its camelCase name. It refuses
// what is not one JSON value (CodeBadRequest), and, field by field
// (CodeInvalid), a key that is given twice in either spelling, a string with
// NUL and nesting beyond 32: later readers disagree about all three.
func NormaliseJSON(body []byte) ([]byte, error) {
	if !utf8.Valid(body) {
		return nil, malformed(nil)
	}
	n := normaliser{in: json.NewDecoder(bytes.NewReader(body))}
	n.in.UseNumber()
	n.out.Grow(len(body) + 16)
	token, err := n.in.Token()
	if err != nil {
		return nil, malformed(err)
	}
	if err := n.value(token, 0); err != nil {
		return nil, err
	}
	if _, err := n.in.Token(); !errors.Is(err, io.EOF) {
		return nil, malformed(err)
	}
	return n.out.Bytes(), nil
}

func malformed(cause error) error {
	return domain.Errorf(domain.CodeBadRequest, "The body is not valid JSON").WithCause(cause)
}

type normaliser struct {
	in   *json.Decoder
	out  bytes.Buffer
	path []string // the fields that lead to the value being read
}

func (n *normaliser) value(token json.Token, depth int) error {
	if depth > maxDepth {
		return n.invalid("The value is nested too deeply.")
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return n.object(depth)
		}
		return n.array(depth)
	case json.Number:
		if _, err := t.Float64(); err != nil {
			return n.invalid("The number is too large.")
		}
	case string:
		if strings.IndexByte(t, 0) >= 0 {
			return n.invalid("The value contains characters that cannot be stored.")
		}
	}
	return n.write(token)
}

func (n *normaliser) object(depth int) error {
	seen := map[string]bool{}
	n.out.WriteByte('{')
	for n.in.More() {
		token, err := n.in.Token()
		if err != nil {
			return malformed(err)
		}
		key, ok := token.(string)
		if !ok {
			return malformed(nil)
		}
		camel := Camel(key)
		n.path = append(n.path, camel)
		if seen[camel] {
			return n.invalid("The field is given twice.")
		}
		if len(seen) > 0 {
			n.out.WriteByte(',')
		}
		seen[camel] = true
		if err := n.write(camel); err != nil {
			return err
		}
		n.out.WriteByte(':')
		if token, err = n.in.Token(); err != nil {
			return malformed(err)
		}
		if err := n.value(token, depth+1); err != nil {
			return err
		}
		n.path = n.path[:len(n.path)-1]
	}
	if _, err := n.in.Token(); err != nil {
		return malformed(err)
	}
	n.out.WriteByte('}')
	return nil
}

func (n *normaliser) array(depth int) error {
	n.out.WriteByte('[')
	for first := true; n.in.More(); first = false {
		if !first {
			n.out.WriteByte(',')
		}
		token, err := n.in.Token()
		if err != nil {
			return malformed(err)
		}
		if err := n.value(token, depth+1); err != nil {
			return err
		}
	}
	if _, err := n.in.Token(); err != nil {
		return malformed(err)
	}
	n.out.WriteByte(']')
	return nil
}

func (n *normaliser) write(v any) error {
	encoded, err := json.Marshal(v)
	if err != nil {
		return malformed(err)
	}
	n.out.Write(encoded)
	return nil
}

func (n *normaliser) invalid(message string) error {
	field := strings.Join(n.path, ".")
	if len(field) > 100 {
		field = domain.Shorten(field, 100)
	}
	return domain.Invalid(field, message)
}
