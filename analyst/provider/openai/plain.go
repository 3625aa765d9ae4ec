package openai

import "bytes"

// plainContent returns the text of a chunk that has nothing but text, as the raw content of its JSON
// string, or ok false for any other chunk, which is decoded by the SDK. Nearly all chunks of an answer
// are of this kind. Reading one here costs 1.8 µs and no allocation; the SDK's decoder, which keeps
// every field and its raw form, needs 27 µs and 61 allocations (BenchmarkChunk).
//
// It accepts one choice with index 0, whose delta has a content and, apart from a role, only nulls, and
// scalars of any name around them. What it accepts is valid JSON with the meaning that the SDK sees
// (FuzzPlainContent).
func plainContent(data []byte) (raw []byte, ok bool) {
	s := skim{b: data}
	ok = s.object(func(key []byte) bool {
		switch string(key) {
		case "choices":
			return once(&raw, s.choices)
		case "usage":
			return s.null()
		case "error":
			return false
		default:
			return s.scalar()
		}
	})
	s.space()
	return raw, ok && raw != nil && s.at == len(s.b)
}

// once reads a value that may occur one time.
func once(raw *[]byte, read func() ([]byte, bool)) (ok bool) {
	if *raw == nil {
		*raw, ok = read()
	}
	return ok
}

// choices reads a list with one choice.
func (s *skim) choices() (raw []byte, ok bool) {
	if !s.sign('[') {
		return nil, false
	}
	ok = s.object(func(key []byte) bool {
		switch string(key) {
		case "index":
			return s.literal("0")
		case "delta":
			return once(&raw, s.delta)
		case "finish_reason":
			return s.null() || s.literal(`""`)
		default:
			return s.scalar()
		}
	})
	return raw, ok && s.sign(']')
}

// delta reads the content of a delta.
func (s *skim) delta() (raw []byte, ok bool) {
	ok = s.object(func(key []byte) bool {
		switch string(key) {
		case "content":
			return once(&raw, s.text)
		case "role":
			return s.scalar()
		default:
			return s.null()
		}
	})
	return raw, ok
}

// skim reads JSON without building anything. Each method returns false if something else is next.
type skim struct {
	b  []byte
	at int
}

func (s *skim) space() {
	for s.at < len(s.b) && bytes.IndexByte([]byte(" \t\r\n"), s.b[s.at]) >= 0 {
		s.at++
	}
}

// sign takes one character after blanks.
func (s *skim) sign(c byte) bool {
	s.space()
	if s.at == len(s.b) || s.b[s.at] != c {
		return false
	}
	s.at++
	return true
}

// literal takes a text after blanks that no further letter or digit follows.
func (s *skim) literal(text string) bool {
	s.space()
	rest := s.b[s.at:]
	if len(rest) < len(text) || string(rest[:len(text)]) != text {
		return false
	}
	if len(rest) > len(text) && bytes.IndexByte([]byte(" \t\r\n,]}"), rest[len(text)]) < 0 {
		return false
	}
	s.at += len(text)
	return true
}

func (s *skim) null() bool { return s.literal("null") }

// object takes an object; member takes the value of each key.
func (s *skim) object(member func(key []byte) bool) bool {
	if !s.sign('{') {
		return false
	}
	if s.sign('}') {
		return true
	}
	for {
		key, ok := s.text()
		// A key may be written with escapes; none of these keys is.
		if !ok || bytes.IndexByte(key, '\\') >= 0 || !s.sign(':') || !member(key) {
			return false
		}
		if s.sign('}') {
			return true
		}
		if !s.sign(',') {
			return false
		}
	}
}

// text takes a string and returns what is between its quotes. The result is not nil.
func (s *skim) text() ([]byte, bool) {
	if !s.sign('"') {
		return nil, false
	}
	start := s.at
	// The bytes are not checked for UTF-8: a vendor may split a character (text.go).
	for ; s.at < len(s.b); s.at++ {
		switch c := s.b[s.at]; {
		case c == '"':
			s.at++
			return s.b[start : s.at-1 : s.at-1], true
		case c < ' ':
			return nil, false
		case c == '\\':
			s.at++
			if !s.escape() {
				return nil, false
			}
		}
	}
	return nil, false
}

// escape takes what follows a backslash, except its last character.
func (s *skim) escape() bool {
	if s.at == len(s.b) {
		return false
	}
	if s.b[s.at] != 'u' {
		return bytes.IndexByte([]byte(`"\/bfnrt`), s.b[s.at]) >= 0
	}
	for range 4 {
		s.at++
		if s.at == len(s.b) || bytes.IndexByte([]byte("0123456789abcdefABCDEF"), s.b[s.at]) < 0 {
			return false
		}
	}
	return true
}

// scalar takes a string, a number, a boolean or null.
func (s *skim) scalar() bool {
	if s.null() || s.literal("true") || s.literal("false") {
		return true
	}
	if s.space(); s.at < len(s.b) && s.b[s.at] == '"' {
		_, ok := s.text()
		return ok
	}
	return s.number()
}

// number takes a number without fraction or exponent, such as a time or an index.
func (s *skim) number() bool {
	start := s.at
	if s.at < len(s.b) && s.b[s.at] == '-' {
		s.at++
	}
	digits := s.at
	for s.at < len(s.b) && s.b[s.at] >= '0' && s.b[s.at] <= '9' {
		s.at++
	}
	n := s.at - digits
	end := s.at == len(s.b) || bytes.IndexByte([]byte(" \t\r\n,]}"), s.b[s.at]) >= 0
	// JSON has no numbers with a zero in front.
	return s.at > start && n > 0 && end && (n == 1 || s.b[digits] != '0')
}
