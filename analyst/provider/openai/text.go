package openai

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads the text of one chunk after the other. A vendor that splits a character between two chunks
// sends bytes that are not UTF-8 in either chunk, or the halves of a UTF-16 pair. Decoding would lose
// both, so they are taken from the raw JSON: the pipeline joins the bytes, and the first half of a pair
// waits for the second.
type text struct {
	half rune // 0 if there is none
}

// of returns the text of a chunk, given in decoded and in raw form.
func (t *text) of(decoded, raw string) string {
	if t.half == 0 && !strings.ContainsRune(decoded, utf8.RuneError) {
		return decoded
	}
	// Without the raw form only the decoded text is known.
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return t.rest() + decoded
	}
	return t.unquote(raw[1 : len(raw)-1])
}

// appendTo appends the text of a chunk, given as the content of a valid JSON string.
func (t *text) appendTo(b, raw []byte) []byte {
	if t.half == 0 && bytes.IndexByte(raw, '\\') < 0 {
		return append(b, raw...)
	}
	return append(b, t.unquote(string(raw))...)
}

// rest replaces a half whose other half did not arrive.
func (t *text) rest() string {
	if t.half == 0 {
		return ""
	}
	t.half = 0
	return string(utf8.RuneError)
}

// unquote reads the content of a valid JSON string byte by byte and keeps bytes that are not UTF-8.
func (t *text) unquote(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\\' && i+1 < len(raw) {
			i++
			if c = raw[i]; c == 'u' && i+4 < len(raw) {
				n, err := strconv.ParseUint(raw[i+1:i+5], 16, 16)
				if err != nil {
					n = utf8.RuneError // cannot happen: the decoder has already accepted the number
				}
				i += 4
				t.unit(&b, rune(n))
				continue
			}
			if at := strings.IndexByte("ntrbf", c); at >= 0 {
				c = "\n\t\r\b\f"[at]
			}
		}
		b.WriteString(t.rest())
		b.WriteByte(c)
	}
	return b.String()
}

// unit writes one UTF-16 code unit, together with the half before it if both form a pair.
func (t *text) unit(b *strings.Builder, u rune) {
	if pair := utf16.DecodeRune(t.half, u); pair != utf8.RuneError {
		t.half = 0
		b.WriteRune(pair)
		return
	}
	b.WriteString(t.rest())
	if utf16.IsSurrogate(u) && u < 0xDC00 {
		t.half = u
		return
	}
	b.WriteRune(u)
}
