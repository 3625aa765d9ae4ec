// Package textcode detects the encoding of text that has no byte order mark, for the code
// that decides whether a file is text and for the code that reads it.
package textcode

// UTF16 reports whether bytes are the start of a text in UTF-16 without a byte order mark,
// and whether it is big-endian. In such a text most pairs of bytes have a zero, always at the
// same position. Fewer than four pairs are not enough to decide.
func UTF16(start []byte) (bigEndian, ok bool) {
	var zeros [2]int
	for i, b := range start {
		if b == 0 {
			zeros[i%2]++
		}
	}
	pairs := len(start) / 2
	many, few := pairs*7/10, pairs/10
	bigEndian = zeros[0] > many && zeros[1] <= few
	return bigEndian, pairs >= 4 && (bigEndian || zeros[1] > many && zeros[0] <= few)
}
