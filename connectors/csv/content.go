package csv

import (
	"bytes"
	"errors"
	"io"
	"os"

	"parley.dev/parley/domain"
)

// peek is how much of a file says what it is.
const peek = 8 << 10

// signatures are the first bytes of files that people rename to .csv, by mistake
// or on purpose.
func signatures() []string {
	return []string{
		"PK\x03\x04", "PK\x05\x06", "PK\x07\x08", // zip, xlsx, docx, jar
		"MZ", "\x7fELF", "\xca\xfe\xba\xbe", "\xcf\xfa\xed\xfe", "\xfe\xed\xfa\xcf", "#!", // programs
		"GIF87a", "GIF89a", "\x89PNG", "\xff\xd8\xff", "RIFF", "BM\x00", "II*\x00", "MM\x00*", // pictures and sound
		"\x1f\x8b", "BZh", "7z\xbc\xaf\x27\x1c", "Rar!", "\xfd7zXZ", "\x28\xb5\x2f\xfd", // packed
		"\xd0\xcf\x11\xe0", "{\\rtf", "%!PS", "PAR1", "SQLite format 3", "OggS", "ID3", "Obj\x01", "ARROW1",
	}
}

// markup starts of HTML, SVG and XML, in lower case.
func markup() []string {
	return []string{"<!doctype", "<html", "<head", "<body", "<script", "<svg", "<?xml", "<!--", "<iframe", "<img", "<table", "<?php", "<style", "<meta"}
}

// checkContent judges a file by its first bytes. Errors: CodeInvalid for an empty
// file, CodeUnsupportedType for one that is no text table.
func checkContent(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return domain.Internal(err, "open the upload")
	}
	defer func() { _ = file.Close() }() // only read
	start := make([]byte, peek)
	n, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return domain.Internal(err, "read the upload")
	}
	return judge(start[:n])
}

// judge looks at the first bytes of a file.
func judge(start []byte) error {
	text := bytes.TrimPrefix(start, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(text)) == 0 {
		return domain.Invalid("file", "The file is empty.")
	}
	for _, s := range signatures() {
		if bytes.HasPrefix(text, []byte(s)) {
			return unsupported()
		}
	}
	// A PDF may stand anywhere in its first kilobyte, a database's mark behind a checksum.
	if i := bytes.Index(text[:min(1024, len(text))], []byte("%PDF-")); i == 0 || i > 0 && text[i-1] == '\n' {
		return unsupported()
	}
	if len(text) > 12 && string(text[8:12]) == "DUCK" || len(text) > 265 && string(text[257:262]) == "ustar" {
		return unsupported()
	}
	lower := bytes.ToLower(bytes.TrimLeft(text, " \t\r\n\x00"))
	for _, m := range markup() {
		if bytes.HasPrefix(lower, []byte(m)) {
			return unsupported()
		}
	}
	if binary(start) {
		return unsupported()
	}
	return nil
}

// binary tells whether the bytes are no text. UTF-16 has a zero in most pairs and
// is settled by its mark or its rhythm; of other text one byte in twenty at most
// may be a control character.
func binary(start []byte) bool {
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return false
	}
	control := 0
	var zeros [2]int
	for i, c := range start {
		if c == 0 {
			zeros[i%2]++
		}
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f {
			control++
		}
	}
	half := len(start) / 2
	if zeros[1] > half*7/10 && zeros[0] < half/10 || zeros[0] > half*7/10 && zeros[1] < half/10 {
		return false
	}
	return control*20 > len(start)
}
