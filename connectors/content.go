package connectors

import (
	"bytes"
	"errors"
	"io"
	"os"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/textcode"
)

// peek is how many bytes at the beginning of a file are read to find its content.
const peek = 8 << 10

// Content is the kind of a file that its bytes show.
type Content int

// The contents.
const (
	ContentUnknown     Content = iota // bytes without a known signature
	ContentEmpty                      // no bytes, or only blanks
	ContentText                       // may be a table of separated values
	ContentForeign                    // a program, a page, a picture: never data
	ContentZip                        // a zip archive that is not an Office document
	ContentLockedZip                  // a zip archive with a password
	ContentWorkbook                   // .xlsx
	ContentSlides                     // .pptx
	ContentMacros                     // a workbook or slides with macros
	ContentBinaryBook                 // .xlsb
	ContentOldWorkbook                // .xls
	ContentOldSlides                  // .ppt
	ContentEncrypted                  // a document of Office with a password
	ContentHyper                      // .hyper of Tableau
)

// Look finds the content of a file by its bytes. It reads the first bytes, and the list of
// parts of archives and old documents: a node does not unpack or parse anything.
func Look(path string) (Content, error) {
	file, err := os.Open(path)
	if err != nil {
		return ContentUnknown, domain.Internal(err, "open the upload")
	}
	defer func() { _ = file.Close() }() // only read
	start := make([]byte, peek)
	n, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ContentUnknown, domain.Internal(err, "read the upload")
	}
	info, err := file.Stat()
	if err != nil {
		return ContentUnknown, domain.Internal(err, "look at the upload")
	}
	switch start = start[:n]; {
	case isZip(start):
		return zipContent(file, info.Size()), nil
	case bytes.HasPrefix(start, []byte(hyperMark)) && len(start) > len(hyperMark) && unprinted(start[len(hyperMark)]):
		return hyperContent(info.Size()), nil
	case bytes.HasPrefix(start, []byte(compoundMark)):
		return compoundContent(file, info.Size()), nil
	default:
		return judge(start), nil
	}
}

// Foreign reports, by the first bytes of a file, whether it cannot be a data source, so
// that the rest of it need not be received.
func Foreign(start []byte) bool { return !isZip(start) && judge(start) == ContentForeign }

const (
	// hyperMark is the beginning of every extract of Tableau: this name, followed by a byte
	// that no text has, so that a table whose first column is Hypertension is not taken for
	// an extract.
	hyperMark = "Hyper"
	// hyperLeast is less than the size of the smallest extract, which has whole pages.
	hyperLeast = 4 << 10
)

// hyperContent checks the size of a file that begins like an extract. Only Tableau's own
// programs can check more of it.
func hyperContent(size int64) Content {
	if size < hyperLeast {
		return ContentUnknown
	}
	return ContentHyper
}

// unprinted reports whether no text has this byte.
func unprinted(c byte) bool { return c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' }

func isZip(start []byte) bool {
	return bytes.HasPrefix(start, []byte("PK\x03\x04")) || bytes.HasPrefix(start, []byte("PK\x05\x06"))
}

// signatures are the first bytes of files that people rename, by mistake or on purpose.
func signatures() []string {
	return []string{
		"PK\x07\x08",
		"MZ", "\x7fELF", "\xca\xfe\xba\xbe", "\xcf\xfa\xed\xfe", "\xfe\xed\xfa\xcf", "#!", // programs
		"GIF87a", "GIF89a", "\x89PNG", "\xff\xd8\xff", "RIFF", "BM\x00", "II*\x00", "MM\x00*", // pictures and sound
		"\x1f\x8b", "BZh", "7z\xbc\xaf\x27\x1c", "Rar!", "\xfd7zXZ", "\x28\xb5\x2f\xfd", // packed
		"{\\rtf", "%!PS", "PAR1", "SQLite format 3", "OggS", "ID3", "Obj\x01", "ARROW1",
	}
}

// markup lists beginnings of HTML, SVG and XML, in lower case.
func markup() []string {
	return []string{
		"<!doctype", "<html", "<head", "<body", "<script", "<svg", "<?xml", "<!--", "<iframe", "<img", "<table", "<?php",
		"<style", "<meta", "<hta:", "<xml", "<title", "<embed", "<object",
	}
}

// judge finds the content from the first bytes of a file that is neither an archive nor an old
// document.
func judge(start []byte) Content {
	text := bytes.TrimPrefix(start, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(text)) == 0 {
		return ContentEmpty
	}
	for _, s := range signatures() {
		if bytes.HasPrefix(text, []byte(s)) {
			return ContentForeign
		}
	}
	// The signature of a PDF may be anywhere in its first kilobyte, the signature of a
	// database after a checksum.
	if i := bytes.Index(text[:min(1024, len(text))], []byte("%PDF-")); i == 0 || i > 0 && text[i-1] == '\n' {
		return ContentForeign
	}
	if len(text) > 12 && string(text[8:12]) == "DUCK" || len(text) > 265 && string(text[257:262]) == "ustar" {
		return ContentForeign
	}
	if bytes.HasPrefix(start, []byte("\xff\xfe\x00\x00")) {
		return ContentUnknown // UTF-32, which would be noise if it were read as UTF-16
	}
	// In UTF-16 every other byte of markup is zero.
	lower := bytes.ToLower(bytes.ReplaceAll(text, []byte{0}, nil))
	lower = bytes.TrimLeft(bytes.TrimLeft(lower, "\xff\xfe"), " \t\r\n")
	for _, m := range markup() {
		if bytes.HasPrefix(lower, []byte(m)) {
			return ContentForeign
		}
	}
	if notText(start) {
		return ContentUnknown
	}
	return ContentText
}

// notText reports whether the bytes are not text. UTF-16 is recognised by its byte order mark,
// or by a zero in most pairs; in other text one byte in twenty at most may be a control
// character, and in a text shorter than 80 bytes four, but not all bytes.
func notText(start []byte) bool {
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return false
	}
	if _, ok := textcode.UTF16(start); ok {
		return false
	}
	control := 0
	for _, c := range start {
		if unprinted(c) || c == 0x7f {
			control++
		}
	}
	return control == len(start) || control*20 > max(len(start), 80)
}
