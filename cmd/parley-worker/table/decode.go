package table

// Encodings of text files. UTF-16 is decoded as a whole, all others cell by cell, since bytes of
// UTF-8 and of Windows-1252 may be in one file. Delimiters, quotes and line breaks are ASCII in
// both.

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"parley.dev/parley/internal/textcode"
)

// Names of encodings, as they are in a FileInfo.
const (
	encodingUTF8    = "utf-8"
	encodingUTF16LE = "utf-16le"
	encodingUTF16BE = "utf-16be"
	encodingLatin   = "windows-1252"
	encodingMixed   = "mixed"
)

// decodeSample is how many bytes of a file's start are used to detect UTF-16 without a byte order mark.
const decodeSample = 4 << 10

// decoded returns a reader of the file in which the delimiters are single ASCII bytes. UTF-16 is decoded here. Text decodes
// the other encodings for each cell, because a file is often put together from the output of two programs.
func decoded(file io.ReadSeeker) (io.Reader, string, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, "", err //nolint:wrapcheck // the caller adds the name of the file
	}
	start := make([]byte, decodeSample)
	n, err := io.ReadFull(file, start)
	// A file that is shorter than the sample is read as far as it goes.
	if err != nil && n == 0 && err != io.EOF {
		return nil, "", err //nolint:wrapcheck // the caller adds the name of the file
	}
	start = start[:n]
	name, skip := encodingOf(start)
	if _, err := file.Seek(int64(skip), io.SeekStart); err != nil {
		return nil, "", err //nolint:wrapcheck // the caller adds the name of the file
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

// encodingOf detects a byte order mark, and the zero bytes of UTF-16 without a mark. skip is the length of the mark.
func encodingOf(start []byte) (name string, skip int) {
	switch {
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		return encodingUTF8, 3
	case bytes.HasPrefix(start, []byte("\xff\xfe")):
		return encodingUTF16LE, 2
	case bytes.HasPrefix(start, []byte("\xfe\xff")):
		return encodingUTF16BE, 2
	}
	// Without a mark, UTF-16 is recognized by the zero bytes of its ASCII characters.
	switch big, ok := textcode.UTF16(start); {
	case ok && big:
		return encodingUTF16BE, 0
	case ok:
		return encodingUTF16LE, 0
	}
	// UTF-8 is assumed until a cell says otherwise (encodings).
	return encodingUTF8, 0
}

// Text converts a cell to valid UTF-8. Bytes that are not UTF-8 are read as Windows-1252, which contains the printable
// characters of Latin-1. NUL becomes the replacement character.
func Text(cell []byte) string {
	// The usual case needs no conversion.
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

// toUTF8 returns a cell as UTF-8, so that signs such as € are found in every encoding.
func toUTF8(cell []byte) []byte {
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

// encodings reports which encodings the cells use: UTF-8 with characters outside of ASCII (wide), or Windows-1252 (latin).
type encodings struct{ wide, latin bool }

// see looks at the first byte of a cell that is not ASCII.
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

// name returns the encoding of a file, given the one that was detected at its start.
func (e *encodings) name(detected string) string {
	switch {
	case detected != encodingUTF8 || !e.latin:
		return detected
	case e.wide:
		return encodingMixed
	default:
		return encodingLatin
	}
}
