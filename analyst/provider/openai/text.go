package openai

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// contentOf is a chunk's text. A vendor that splits a character between two
// chunks sends bytes that are no UTF-8 in either; decoding would lose them, so
// they are taken from the raw JSON and left to the pipeline to join.
func contentOf(decoded, raw string) string {
	if !strings.ContainsRune(decoded, '\uFFFD') {
		return decoded
	}
	if text, ok := unquote(raw); ok {
		return text
	}
	return decoded
}

// unquote reads a JSON string byte by byte and keeps bytes that are no UTF-8.
func unquote(raw string) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' || utf8.ValidString(raw) {
		return "", false
	}
	raw = raw[1 : len(raw)-1]
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			continue
		}
		if i++; i == len(raw) {
			return "", false
		}
		switch raw[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			if i+4 >= len(raw) {
				return "", false
			}
			n, err := strconv.ParseUint(raw[i+1:i+5], 16, 16)
			if err != nil {
				return "", false
			}
			b.WriteRune(rune(uint16(n)))
			i += 4
		default:
			b.WriteByte(raw[i])
		}
	}
	return b.String(), true
}
