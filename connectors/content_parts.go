package connectors

// What is inside containers: zip archives (ZIP specification) and compound files (MS-CFB, the
// format of old Office documents). Only names are read, and nothing is unpacked, so that a
// dangerous file is recognized before anything opens it. Every number comes from the file and is
// checked by reading within its bounds.

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"
)

const (
	// listPiece is how many bytes of a zip archive's list of parts are in memory at once.
	listPiece = 64 << 10
	// endMax is how far from its end a zip archive's list of parts may be announced.
	endMax = 66 << 10

	zipEndMark    = "PK\x05\x06"
	zipEnd64Mark  = "PK\x06\x06"
	zipFinderMark = "PK\x06\x07"
	zipPartMark   = "PK\x01\x02"
)

// zipContent reads the names of the parts of a zip archive: the whole list, piece by piece,
// because a part with macros may be the last one.
func zipContent(file io.ReaderAt, size int64) Content {
	list := bufio.NewReaderSize(zipList(file, size), listPiece)
	var book, slides, word bool
	content := ContentZip
	for {
		// 46 bytes are the fixed part of an entry (ZIP specification, 4.3.12).
		head, err := list.Peek(46)
		if err != nil || string(head[:4]) != zipPartMark {
			break
		}
		flags := binary.LittleEndian.Uint16(head[8:])
		width := int(binary.LittleEndian.Uint16(head[28:]))
		rest := int(binary.LittleEndian.Uint16(head[30:])) + int(binary.LittleEndian.Uint16(head[32:]))
		part := make([]byte, 46+width)
		if _, err := io.ReadFull(list, part); err != nil {
			break
		}
		name := strings.ToLower(string(part[46:]))
		switch {
		// Bit 0 of the flags says that a part is encrypted.
		case flags&1 != 0:
			return ContentLockedZip
		case strings.HasSuffix(name, "vbaproject.bin"), strings.Contains(name, "/macrosheets/"):
			content = ContentMacros
		case name == "xl/workbook.bin":
			content = ContentBinaryBook
		}
		book = book || strings.HasPrefix(name, "xl/")
		slides = slides || strings.HasPrefix(name, "ppt/")
		word = word || strings.HasPrefix(name, "word/")
		if _, err := list.Discard(rest); err != nil {
			break
		}
	}
	// The name of a macro means something only in an Office document.
	switch {
	case content != ContentZip && (book || slides):
		return content
	// A file with folders of two kinds is neither of them.
	case book && !slides && !word:
		return ContentWorkbook
	case slides && !book && !word:
		return ContentSlides
	default:
		return ContentZip
	}
}

// zipList finds a zip archive's list of parts; empty if there is none.
func zipList(file io.ReaderAt, size int64) io.Reader {
	none := bytes.NewReader(nil)
	tail := readAt(file, max(0, size-endMax), int(min(size, endMax)))
	// The end record is searched from the end, because a comment may follow it.
	at := bytes.LastIndex(tail, []byte(zipEndMark))
	if at < 0 || len(tail)-at < 22 {
		return none
	}
	length, offset := int64(binary.LittleEndian.Uint32(tail[at+12:])), int64(binary.LittleEndian.Uint32(tail[at+16:]))
	// A large archive has a second end record with numbers of 64 bits (4.3.14 and 4.3.15).
	if at >= 20 && string(tail[at-20:at-16]) == zipFinderMark {
		end := readAt(file, int64(binary.LittleEndian.Uint64(tail[at-12:])), 56) //nolint:gosec // readAt refuses negative numbers
		if len(end) == 56 && string(end[:4]) == zipEnd64Mark {
			length, offset = int64(binary.LittleEndian.Uint64(end[40:])), int64(binary.LittleEndian.Uint64(end[48:])) //nolint:gosec // checked below
		}
	}
	// The list must be inside the file.
	if offset < 0 || length < 0 || offset > size {
		return none
	}
	return io.NewSectionReader(file, offset, min(length, size-offset))
}

// readAt reads bytes; the result is shorter at the end of the file.
func readAt(file io.ReaderAt, offset int64, length int) []byte {
	if offset < 0 {
		return nil
	}
	out := make([]byte, length)
	n, _ := file.ReadAt(out, offset) // missing bytes only make the result shorter
	return out[:n]
}

const (
	compoundMark = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
	// compoundSectors is how much of an old document's list of streams is read.
	compoundSectors = 64
	endOfChain      = 0xFFFFFFFE
)

// compoundContent reads the names of the streams of an old document.
func compoundContent(file io.ReaderAt, size int64) Content {
	head := readAt(file, 0, 512)
	if len(head) < 512 {
		return ContentForeign
	}
	// The header gives the size of a sector as a power of two: 512 or 4,096 bytes.
	shift := binary.LittleEndian.Uint16(head[30:])
	if shift != 9 && shift != 12 {
		return ContentForeign
	}
	width := int64(1) << shift
	// The header is before sector 0.
	sector := func(n uint32) []byte { return readAt(file, (int64(n)+1)*width, int(width)) }
	// next follows the chain of a stream by the table that the header names.
	next := func(n uint32) uint32 {
		perTable := uint32(width / 4) //nolint:gosec // 128 or 1024
		table := n / perTable
		// The header names the first 109 blocks of the table; further ones are not followed.
		if table >= 109 {
			return endOfChain
		}
		block := sector(binary.LittleEndian.Uint32(head[76+4*table:]))
		if at := int(n%perTable) * 4; at+4 <= len(block) {
			return binary.LittleEndian.Uint32(block[at:])
		}
		return endOfChain
	}
	names := map[string]bool{}
	at := binary.LittleEndian.Uint32(head[48:])
	// The number of sectors is limited, so a chain that is a circle ends as well.
	for range compoundSectors {
		block := sector(at)
		for ; len(block) >= 128; block = block[128:] {
			// The length of a name includes its zero at the end, in bytes.
			if n := int(binary.LittleEndian.Uint16(block[64:])); n >= 2 && n <= 64 {
				names[utf16Name(block[:n-2])] = true
			}
		}
		if at = next(at); int64(at) > size/width {
			break
		}
	}
	switch {
	// Both are names of streams in an encrypted Office document (MS-OFFCRYPTO).
	case names["EncryptedPackage"] || names["EncryptionInfo"]:
		return ContentEncrypted
	case names["PowerPoint Document"]:
		return ContentOldSlides
	case names["Workbook"] || names["Book"]:
		return ContentOldWorkbook
	default:
		return ContentForeign
	}
}

// utf16Name decodes the name of a stream.
func utf16Name(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
