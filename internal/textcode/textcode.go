// Package textcode tells how bytes code their text where no mark says so, for those
// who decide whether a file is text and those who read it.
package textcode

// UTF16 tells text in UTF-16 without a mark, and whether its high bytes come first.
// Of most of its pairs one byte is zero, and it is always the same one. Fewer than
// four pairs have no rhythm.
func UTF16(start []byte) (bigEndian, ok bool) {
	var zeros [2]int
	for i, b := range start {
		if b == 0 {
			zeros[i%2]++
		}
	}
	pairs := len(start) / 2
	most, few := pairs*7/10, pairs/10
	bigEndian = zeros[0] > most && zeros[1] <= few
	return bigEndian, pairs >= 4 && (bigEndian || zeros[1] > most && zeros[0] <= few)
}
