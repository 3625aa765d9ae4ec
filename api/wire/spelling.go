package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley.dev/parley/domain"
)

// maxDepth is how deep arrays and objects of a request may be nested.
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

// NormaliseQuery converts the name of every parameter to camelCase, without the [] of arrays.
// If both spellings are given, the values of the camelCase spelling are first.
func NormaliseQuery(raw string) (url.Values, error) {
	// A semicolon is an ordinary character: current standards do not use it as a separator.
	given, err := url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
	if err != nil {
		return nil, domain.Errorf(domain.CodeBadRequest, "The query of the URL cannot be read").WithCause(err)
	}
	out := make(url.Values, len(given))
	for pair := range strings.SplitSeq(raw, "&") {
		// The loop uses the order of the query, because the order of a map is random.
		name, _, _ := strings.Cut(pair, "=")
		if name, err = url.QueryUnescape(name); err != nil {
			continue // ParseQuery would have returned this error
		}
		values, first := given[name]
		if !first {
			continue
		}
		delete(given, name)
		camel := Camel(strings.TrimSuffix(name, "[]"))
		for _, value := range values {
			if !domain.Storable(value) {
				return nil, domain.Invalid(camel, "The value contains characters that cannot be stored.")
			}
		}
		if name == camel {
			// The values of the camelCase spelling are first, whatever their order in the
			// query.
			out[camel] = append(append([]string{}, values...), out[camel]...)
			continue
		}
		out[camel] = append(out[camel], values...)
	}
	return out, nil
}

// NormaliseJSON converts the name of every field of a request to camelCase. It refuses a body
// that is not exactly one JSON value (CodeBadRequest), and, for a single field (CodeInvalid),
// a key that is given twice in either spelling, a string with NUL, and nesting deeper than
// 32, because later readers treat these three differently. Keys that differ only in their
// case are one key.
func NormaliseJSON(body []byte) ([]byte, error) {
	if !utf8.Valid(body) {
		return nil, malformed(nil)
	}
	n := normaliser{in: json.NewDecoder(bytes.NewReader(body)), raw: body}
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
	raw  []byte // the input of in
	out  bytes.Buffer
	path []string // the fields that lead to the value being read
}

// halved reports whether the string that was just read contains half of a surrogate pair,
// which the decoder has replaced by a replacement character. What is stored would differ from
// what the person has sent.
func (n *normaliser) halved(read string) bool {
	if !strings.ContainsRune(read, utf8.RuneError) {
		return false
	}
	end := n.in.InputOffset()
	begin := bytes.LastIndexByte(n.raw[:end-1], '"')
	// A quote inside the string has a backslash before it, and so has a backslash.
	for begin > 0 && escaped(n.raw[:begin]) {
		begin = bytes.LastIndexByte(n.raw[:begin], '"')
	}
	written := n.raw[begin+1 : end-1]
	for i := 0; i+6 <= len(written); i++ {
		if written[i] != '\\' {
			continue
		}
		if written[i+1] != 'u' {
			i++ // skip the escaped character
			continue
		}
		switch first := unit(written[i:]); {
		case first < 0xD800 || first > 0xDFFF:
			i += 5
		case first <= 0xDBFF && i+12 <= len(written) && written[i+6] == '\\' && written[i+7] == 'u' && unit(written[i+6:])&^0x3FF == 0xDC00:
			i += 11
		default:
			return true
		}
	}
	return false
}

// escaped reports whether text ends with an odd number of backslashes, so that the next
// character is escaped.
func escaped(text []byte) bool {
	slashes := 0
	for i := len(text) - 1; i >= 0 && text[i] == '\\'; i-- {
		slashes++
	}
	return slashes%2 == 1
}

// unit returns the number of an escape such as \ud83d, which the decoder has checked.
func unit(escape []byte) uint64 {
	n, err := strconv.ParseUint(string(escape[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return n
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
		if strings.IndexByte(t, 0) >= 0 || n.halved(t) {
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
		name := camel
		if !n.own() {
			name = folded(camel)
		}
		if seen[name] {
			return n.invalid("The field is given twice.")
		}
		if len(seen) > 0 {
			n.out.WriteByte(',')
		}
		seen[name] = true
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

// own reports whether a person has chosen the names in the object that is read, so that they
// may differ only in their case: the names of a blueprint's inputs.
func (n *normaliser) own() bool { return len(n.path) == 2 && n.path[0] == "inputs" }

// folded returns a name without its case, as the standard library compares names: for it NAME
// and name are one field, and the last one counts.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}

func (n *normaliser) array(depth int) error {
	n.out.WriteByte('[')
	// An entry is named as validation names it: steps[0].name.
	last, name := len(n.path)-1, ""
	if last >= 0 {
		name = n.path[last]
	}
	for i := 0; n.in.More(); i++ {
		if i > 0 {
			n.out.WriteByte(',')
		}
		if last >= 0 {
			n.path[last] = name + "[" + strconv.Itoa(i) + "]"
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
