package jsonout

import "unicode/utf8"

// escapes is, for each byte, whether it stands in a JSON string as it is (0), is
// written with a letter, as a number (1), or begins more than one byte (2).
//
//nolint:gochecknoglobals // a table that nothing changes
var escapes = func() (table [256]byte) {
	for i := range table {
		switch {
		case i < 0x20:
			table[i] = 1
		case i >= utf8.RuneSelf:
			table[i] = 2
		}
	}
	table['"'], table['\\'] = '"', '\\'
	table['\b'], table['\f'], table['\n'], table['\r'], table['\t'] = 'b', 'f', 'n', 'r', 't'
	return table
}()

const digits = "0123456789abcdef"

// appendString writes a text in quotes. What is no UTF-8 becomes the replacement
// character, and the two ends of lines that JavaScript knows besides are escaped.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		switch how := escapes[s[i]]; how {
		case 0:
			i++
			continue
		case 1:
			b = append(append(b, s[from:i]...), '\\', 'u', '0', '0', digits[s[i]>>4], digits[s[i]&0xF])
			i++
		case 2:
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				b = append(append(b, s[from:i]...), `\ufffd`...)
			case r == '\u2028' || r == '\u2029':
				b = append(append(b, s[from:i]...), '\\', 'u', '2', '0', '2', digits[r&0xF])
			default:
				i += size
				continue
			}
			i += size
		default:
			b = append(append(b, s[from:i]...), '\\', how)
			i++
		}
		from = i
	}
	return append(append(b, s[from:]...), '"')
}
