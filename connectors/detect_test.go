package connectors_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

func file(t require.TestingT, dir, content string) string {
	path := filepath.Join(dir, "upload")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// packed is a zip of empty parts with these names.
func packed(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		_, err := w.Create(name)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String()
}

// manyParts are names of a workbook that fill more than a megabyte.
func manyParts(n int) []string {
	names := []string{"xl/workbook.xml"}
	for i := range n {
		names = append(names, fmt.Sprintf("xl/media/picture-%0100d.png", i))
	}
	return names
}

// locked marks the parts of a zip as encrypted.
func locked(content string) string {
	b := []byte(content)
	at := bytes.Index(b, []byte("PK\x01\x02"))
	b[at+8] |= 1
	return string(b)
}

// compound is an old document with these streams: a header, a table of sectors
// and the list of streams.
func compound(streams ...string) string {
	head := make([]byte, 512)
	copy(head, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	binary.LittleEndian.PutUint16(head[30:], 9)
	binary.LittleEndian.PutUint32(head[48:], 1) // the list begins in sector 1
	table := bytes.Repeat([]byte("\xff"), 512)  // sector 0
	names := append([]string{"Root Entry"}, streams...)
	sectors := (len(names) + 3) / 4
	list := make([]byte, 512*sectors)
	for i, name := range names {
		for j, u := range utf16.Encode([]rune(name)) {
			binary.LittleEndian.PutUint16(list[128*i+2*j:], u)
		}
		binary.LittleEndian.PutUint16(list[128*i+64:], uint16(2*len(name)+2))
	}
	for i := range sectors {
		next := uint32(i + 2)
		if i == sectors-1 {
			next = 0xFFFFFFFE
		}
		binary.LittleEndian.PutUint32(table[4*(i+1):], next)
	}
	return string(head) + string(table) + string(list)
}

func TestDetect(t *testing.T) {
	t.Parallel()
	const unsupported = "Error: Unsupported file type. Please upload a valid file format."
	text, bytes := "a,b\n1,2\n", strings.Repeat("\x01\x02\x03a", 500)
	book, slides := packed(t, "[Content_Types].xml", "xl/workbook.xml"), packed(t, "ppt/presentation.xml")
	for name, row := range map[string]struct {
		content, fileName, media, said string
		kind                           domain.DataSourceType
		message                        string
	}{
		"csv":                     {content: text, fileName: "a.csv", kind: "csv"},
		"no extension":            {content: text, fileName: "a", kind: "csv"},
		"by media type":           {content: text, fileName: "a.dat", media: "text/csv; charset=utf-8", kind: "csv"},
		"unknown extension":       {content: text, fileName: "a.dat", message: unsupported},
		"program's extension":     {content: text, fileName: "a.exe", message: unsupported},
		"html's extension":        {content: text, fileName: "a.csv.html", message: unsupported},
		"said to be csv":          {content: text, fileName: "a.dat", said: "CSV", kind: "csv"},
		"said to be unknown":      {content: text, fileName: "a.csv", said: "postgres", message: unsupported},
		"workbook":                {content: book, fileName: "a.xlsx", kind: "xlsx"},
		"workbook named csv":      {content: book, fileName: "a.csv", said: "csv", kind: "xlsx"},
		"slides named xlsx":       {content: slides, fileName: "a.xlsx", kind: "pptx"},
		"csv named xlsx":          {content: text, fileName: "a.xlsx", kind: "csv"},
		"csv named hyperloop":     {content: text, fileName: "hyperloop.csv", said: "hyper", kind: "csv"},
		"short csv with NUL":      {content: "a,b\n1,\x00\n", fileName: "a.csv", kind: "csv"},
		"nothing but NUL":         {content: "\x00", fileName: "a.csv", message: unsupported},
		"short UTF-16, no mark":   {content: "a\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00", fileName: "a.csv", kind: "csv"},
		"short UTF-16, other end": {content: "\x00a\x00,\x00b\x00\n\x001\x00,\x002\x00\n", fileName: "a.csv", kind: "csv"},
		"text named hyper":        {content: text, fileName: "a.hyper", said: "hyper", message: "not a Tableau Hyper extract"},
		"text named pptx":         {content: text, fileName: "a.pptx", message: "not a presentation"},
		"csv named xls":           {content: text, fileName: "a.xls", media: "application/vnd.ms-excel", kind: "csv"},
		"csv about hyper growth":  {content: text, fileName: "hyper growth.csv", kind: "csv"},
		"hyper":                   {content: "Hyper\x08\x00\x00\x01" + strings.Repeat(bytes, 3), fileName: "a.hyper", kind: "hyper"},
		"hyper named csv":         {content: "Hyper\x08\x00\x00\x01" + strings.Repeat(bytes, 3), fileName: "a.csv", kind: "hyper"},
		"hyper cut short":         {content: "Hyper\x08\x00\x00\x01" + bytes, fileName: "a.hyper", message: "not a Tableau Hyper extract"},
		"hyper with another mark": {content: "HyPe" + strings.Repeat(bytes, 3), fileName: "a.hyper", message: "not a Tableau Hyper extract"},
		"hyper that is broken":    {content: bytes, fileName: "sales.hyper", message: "not a Tableau Hyper extract"},
		"hyper by its name alone": {content: bytes, fileName: "my hyper file", message: "not a Tableau Hyper extract"},
		"csv of hypertension":     {content: "Hypertension,Cases\n" + strings.Repeat("north,12\n", 900), fileName: "a.csv", kind: "csv"},
		"xls":                     {content: compound("Workbook"), fileName: "a.xls", message: "save as"},
		"xls of Excel 5":          {content: compound("Book"), fileName: "a.csv", message: "save as"},
		"ppt":                     {content: compound("a", "b", "c", "d", "PowerPoint Document"), fileName: "a.ppt", kind: "ppt"},
		"msi":                     {content: compound("Table"), fileName: "a.xls", message: unsupported},
		"xls cut short":           {content: compound("Workbook")[:300], fileName: "a.xls", message: unsupported},
		"encrypted xlsx":          {content: compound("EncryptionInfo", "EncryptedPackage"), fileName: "a.xlsx", message: "password"},
		"zip with a password":     {content: locked(book), fileName: "a.xlsx", message: "password"},
		"macros":                  {content: packed(t, "xl/workbook.xml", "xl/vbaProject.bin"), fileName: "a.xlsm", message: "macros"},
		"macros behind many parts": {
			content: packed(t, append(manyParts(12_000), "xl/vbaProject.bin")...), fileName: "a.xlsx",
			message: "macros",
		},
		"macros in slides":          {content: packed(t, "ppt/presentation.xml", "ppt/vbaProject.bin"), fileName: "a.pptx", message: "macros"},
		"xlsb":                      {content: packed(t, "xl/workbook.bin"), fileName: "a.xlsb", message: ".xlsb"},
		"zip":                       {content: packed(t, "a.csv"), fileName: "a.csv", message: unsupported},
		"zip named xlsx":            {content: packed(t, "a.zip"), fileName: "a.xlsx", message: "not an Excel workbook"},
		"zip cut short, named xlsx": {content: book[:40], fileName: "a.xlsx", message: "not an Excel workbook"},
		"zip named pptx":            {content: packed(t, "a.zip"), fileName: "a.pptx", message: "not a presentation"},
		"document of Word":          {content: packed(t, "word/document.xml"), fileName: "a.docx", message: unsupported},
		"program named xlsx":        {content: "MZ\x90\x00", fileName: "a.xlsx", message: unsupported},
		"html named xlsx":           {content: "<html>", fileName: "a.xlsx", message: unsupported},
		"html named hyper":          {content: "<html>", fileName: "a.hyper", message: unsupported},
		"bytes named csv":           {content: bytes, fileName: "a.csv", message: unsupported},
		"nothing":                   {content: " \n", fileName: "a.xlsx", message: "Please provide a valid file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kind, err := connectors.Detect(connectors.Upload{
				Path: file(t, t.TempDir(), row.content), FileName: row.fileName, MediaType: row.media,
				Said: row.said,
			})
			require.Equal(t, row.kind, kind)
			if row.message == "" {
				require.NoError(t, err)
				return
			}
			require.Contains(t, strings.ToLower(err.Error()), strings.ToLower(row.message))
			code := domain.CodeInvalid
			if row.message == unsupported {
				code = domain.CodeUnsupportedType
			}
			require.Equal(t, code, domain.CodeOf(err))
		})
	}
}

// TestLook_Anything: Look never fails or hangs, whatever the bytes are.
func TestLook_Anything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	starts := []string{"", "PK\x03\x04", "PK\x05\x06", compound("Workbook", "x", "y", "z", "w")}
	rapid.Check(t, func(t *rapid.T) {
		content := []byte(rapid.SampledFrom(starts).Draw(t, "start"))
		for range rapid.IntRange(0, 20).Draw(t, "flips") {
			if len(content) > 8 {
				content[rapid.IntRange(8, len(content)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
			}
		}
		content = append(content, rapid.SliceOf(rapid.Byte()).Draw(t, "rest")...)
		_, err := connectors.Look(file(t, dir, string(content)))
		require.NoError(t, err)
	})
}
