package table

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"parley.dev/parley/internal/textcode"
)

// Names of encodings, as a FileInfo gives them.
const (
	encodingUTF8    = "utf-8"
	encodingUTF16LE = "utf-16le"
	encodingUTF16BE = "utf-16be"
	encodingLatin   = "windows-1252"
	encodingMixed   = "mixed"
)

// decodeSample is how much of a file's start shows UTF-16 without a mark.
const decodeSample = 4 << 10

// decoded gives the file as bytes in which the delimiters are ASCII: UTF-16 is
// decoded here, and what is left of other encodings is settled cell by cell in
// Text, because files glued together from two programs are common.
func decoded(file io.ReadSeeker) (io.Reader, string, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, "", err //nolint:wrapcheck // the caller names the file
	}
	start := make([]byte, decodeSample)
	n, err := io.ReadFull(file, start)
	if err != nil && n == 0 && err != io.EOF {
		return nil, "", err //nolint:wrapcheck // the caller names the file
	}
	start = start[:n]
	name, skip := encodingOf(start)
	if _, err := file.Seek(int64(skip), io.SeekStart); err != nil {
		return nil, "", err //nolint:wrapcheck // the caller names the file
	}
	switch name {
	case encodingUTF16LE:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder().Reader(file), name, nil
	case encodingUTF16BE:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder().Reader(file), name, nil
	default:
		return file, name, nil
	}
}

// encodingOf looks for a mark, and for the zero bytes of UTF-16 without one.
func encodingOf(start []byte) (name string, skip int) {
	switch {
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		return encodingUTF8, 3
	case bytes.HasPrefix(start, []byte("\xff\xfe")):
		return encodingUTF16LE, 2
	case bytes.HasPrefix(start, []byte("\xfe\xff")):
		return encodingUTF16BE, 2
	}
	switch big, ok := textcode.UTF16(start); {
	case ok && big:
		return encodingUTF16BE, 0
	case ok:
		return encodingUTF16LE, 0
	}
	return encodingUTF8, 0
}

// Text makes clean UTF-8 of a cell: bytes that are not UTF-8 are read as
// Windows-1252, of which Latin-1 is a part, and NUL becomes the replacement character.
func Text(cell []byte) string {
	if utf8.Valid(cell) && bytes.IndexByte(cell, 0) < 0 {
		return string(cell)
	}
	var b strings.Builder
	for len(cell) > 0 {
		r, size := utf8.DecodeRune(cell)
		switch {
		case r == utf8.RuneError && size <= 1:
			b.WriteRune(charmap.Windows1252.DecodeByte(cell[0]))
			size = 1
		case r == 0:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
		cell = cell[size:]
	}
	return b.String()
}

// unified gives a cell as UTF-8, so that signs such as € are found in every encoding.
func unified(cell []byte) []byte {
	for _, c := range cell {
		if c >= utf8.RuneSelf {
			if utf8.Valid(cell) {
				return cell
			}
			return []byte(Text(cell))
		}
	}
	return cell
}

// encodings counts what the cells were written in.
type encodings struct{ wide, latin bool }

func (e *encodings) see(cell []byte) {
	for _, c := range cell {
		if c < utf8.RuneSelf {
			continue
		}
		if utf8.Valid(cell) {
			e.wide = true
		} else {
			e.latin = true
		}
		return
	}
}

// name gives the encoding of a file that began as one.
func (e *encodings) name(began string) string {
	switch {
	case began != encodingUTF8 || !e.latin:
		return began
	case e.wide:
		return encodingMixed
	default:
		return encodingLatin
	}
}
