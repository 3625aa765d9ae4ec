package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"parley.dev/parley/domain"
)

const (
	relationsBook = `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" ` +
		`Type="x/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="r3" Type="x/worksheet" ` +
		`Target="http://127.0.0.1:%[1]d/sheet.xml" TargetMode="External"/></Relationships>`
	plainBook  = `<workbook><sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>`
	plainSheet = `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" ` +
		`t="inlineStr"><is><t>b</t></is></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row></sheetData></worksheet>`
)

// part is a part of a zip file. Its content is text, or is written by fill, or is a repeated text.
type part struct {
	name   string
	text   string
	fill   func(w io.Writer)
	repeat *repeat
}

// repeat is a long text of size bytes that consists of head, repetitions of text, and foot. Only one block of it is
// compressed, and the compressed block is repeated.
type repeat struct {
	head, text, foot string
	size             int
}

// pack makes a zip file of any parts. A library for workbooks could not make the files of these tests.
func pack(t *testing.T, parts ...part) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range parts {
		if p.repeat != nil {
			p.repeat.pack(t, z, p.name)
			continue
		}
		header := &zip.FileHeader{Name: p.name, Method: zip.Deflate}
		if p.text == "" && p.fill == nil {
			header.Method = zip.Store // to create a compressor for each of 100,000 empty parts takes a minute
		}
		w, err := z.CreateHeader(header)
		require.NoError(t, err)
		if p.fill != nil {
			p.fill(w)
			continue
		}
		_, err = io.WriteString(w, p.text)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// declared makes a zip file whose last part declares this unpacked size.
func declared(t *testing.T, size uint64, parts ...part) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, p := range parts {
		var packed bytes.Buffer
		w, err := flate.NewWriter(&packed, flate.NoCompression)
		require.NoError(t, err)
		_, err = io.WriteString(w, p.text)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		header := &zip.FileHeader{
			Name: p.name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE([]byte(p.text)), CompressedSize64: uint64(packed.Len()),
			UncompressedSize64: uint64(len(p.text)),
		}
		if i == len(parts)-1 {
			header.UncompressedSize64 = size
		}
		raw, err := z.CreateRaw(header)
		require.NoError(t, err)
		_, err = raw.Write(packed.Bytes())
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// oldDocument makes the start of a document of Office before 2007 (a compound file) with one stream: the header, the table
// of sectors and the list of streams.
func oldDocument(stream string) []byte {
	head, table, list := make([]byte, 512), bytes.Repeat([]byte("\xff"), 512), make([]byte, 512)
	copy(head, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	binary.LittleEndian.PutUint16(head[30:], 9)
	binary.LittleEndian.PutUint32(head[48:], 1)
	binary.LittleEndian.PutUint32(table[4:], 0xFFFFFFFE)
	for i, name := range []string{"Root Entry", stream} {
		for j, u := range utf16.Encode([]rune(name)) {
			binary.LittleEndian.PutUint16(list[128*i+2*j:], u)
		}
		binary.LittleEndian.PutUint16(list[128*i+64:], uint16(2*len(name)+2))
	}
	return bytes.Join([][]byte{head, table, list}, nil)
}

// bookOf makes a workbook with one sheet and further parts.
func bookOf(t *testing.T, sheet string, more ...part) []byte {
	t.Helper()
	parts := []part{
		{name: "xl/workbook.xml", text: plainBook},
		{name: "xl/_rels/workbook.xml.rels", text: fmt.Sprintf(relationsBook, 9)},
		{name: "xl/worksheets/sheet1.xml", text: sheet},
	}
	return pack(t, append(parts, more...)...)
}

// refusal uploads a file, requires that it is refused with this code, and returns the error.
func (b *bundle) refusal(t *testing.T, what, name string, content []byte, code domain.Code) error {
	t.Helper()
	_, _, err := b.upload(t, name, content)
	require.Equal(t, code, domain.CodeOf(err), "%s: %v", what, err)
	return err
}

func (b *bundle) refuses(t *testing.T, what, name string, content []byte, code domain.Code) {
	t.Helper()
	require.Error(t, b.refusal(t, what, name, content, code))
}

// pack writes the text as blocks that were compressed independently. To compress 200 MB would take longer than all other
// steps of these tests.
func (r *repeat) pack(t *testing.T, z *zip.Writer, name string) {
	t.Helper()
	block := strings.Repeat(r.text, 1<<20/len(r.text))
	times := (r.size + len(block) - 1) / len(block)
	first, again, last := deflated(t, r.head, false), deflated(t, block, false), deflated(t, r.foot, true)
	sum := crc32.NewIEEE()
	for _, text := range slices.Concat([]string{r.head}, slices.Repeat([]string{block}, times), []string{r.foot}) {
		_, err := io.WriteString(sum, text)
		require.NoError(t, err)
	}
	w, err := z.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: sum.Sum32(),
		CompressedSize64:   uint64(len(first) + times*len(again) + len(last)),
		UncompressedSize64: uint64(len(r.head) + times*len(block) + len(r.foot)),
	})
	require.NoError(t, err)
	_, err = w.Write(slices.Concat(first, bytes.Repeat(again, times), last))
	require.NoError(t, err)
}

// deflated returns a compressed block of a text. The last block ends the compressed data.
func deflated(t *testing.T, text string, last bool) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	require.NoError(t, err)
	_, err = io.WriteString(w, text)
	require.NoError(t, err)
	if last {
		require.NoError(t, w.Close())
	} else {
		require.NoError(t, w.Flush())
	}
	return b.Bytes()
}

// TestUpload_E01_Bombs: the sizes that a file declares are checked before it is unpacked.
func TestUpload_E01_Bombs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bomb := func(size int) []byte {
		return pack(t, part{name: "xl/workbook.xml", text: plainBook},
			part{name: "xl/_rels/workbook.xml.rels", text: fmt.Sprintf(relationsBook, 9)},
			part{name: "xl/worksheets/sheet1.xml", repeat: &repeat{
				"<worksheet><sheetData>", `<row><c><v>1</v></c></row>`,
				"</sheetData></worksheet>", size,
			}})
	}
	b.refuses(t, "210 MB", "a.xlsx", bomb(210<<20), domain.CodeTooLarge)
	b.refuses(t, "20 MB in 40 kB", "a.xlsx", bomb(20<<20), domain.CodeTooLarge)

	// Files that declare a false size. Nothing of them is unpacked.
	lie := bookOf(t, plainSheet)
	at := bytes.LastIndex(lie, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(lie[at+24:], 0xFFFFFFFE)
	b.refuses(t, "4 GB", "a.xlsx", lie, domain.CodeTooLarge)

	for what, size := range map[string]uint64{"10 GB in 40 kB": 10 << 30, "2^63 bytes": 1 << 63, "2^64-1 bytes": 1<<64 - 1} {
		b.refuses(t, what, "a.xlsx", declared(t, size, part{name: "xl/workbook.xml", text: plainBook},
			part{name: "xl/_rels/workbook.xml.rels", text: fmt.Sprintf(relationsBook, 9)},
			part{name: "xl/worksheets/sheet1.xml", text: strings.Repeat("x", 40<<10)}), domain.CodeTooLarge)
	}

	s, _, err := b.upload(t, "a.xlsx", bookOf(t, plainSheet))
	require.NoError(t, err, "the same parts with their real sizes are read")
	require.Equal(t, [][]any{{int64(1), int64(2)}}, b.query(t, "FROM data", s).Rows[:1])
}

// TestUpload_E02_Sizes: sheets, cells and texts are counted while they are read.
func TestUpload_E02_Sizes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cell := `<c r="%s" t="inlineStr"><is><t>x</t></is></c>`
	for what, content := range map[string][]byte{
		"the maximum size declared": bookOf(t, strings.Replace(plainSheet, "<sheetData>", `<dimension ref="A1:XFD1048576"/><sheetData>`, 1)),
		"a cell in the last corner": bookOf(t, `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576">`+
			fmt.Sprintf(cell, "XFD1048576")+`</row></sheetData></worksheet>`),
		"a cell beyond the grid": bookOf(t, `<worksheet><sheetData><row r="1048577"><c><v>1</v></c></row></sheetData></worksheet>`),
		"10,000 sheets": pack(t, part{name: "xl/workbook.xml", fill: func(w io.Writer) {
			_, _ = io.WriteString(w, "<workbook><sheets>")
			for i := range 10_000 {
				_, _ = fmt.Fprintf(w, `<sheet name="S%[1]d" sheetId="%[1]d" r:id="r1"/>`, i)
			}
			_, _ = io.WriteString(w, "</sheets></workbook>")
		}}, part{name: "xl/_rels/workbook.xml.rels", text: fmt.Sprintf(relationsBook, 9)}, part{
			name: "xl/worksheets/sheet1.xml",
			text: plainSheet,
		}),
		"one text in every cell": bookOf(t, "", part{name: "xl/sharedStrings.xml", text: "<sst><si><t>" + strings.Repeat("long ", 6000) +
			"</t></si></sst>"},
			part{name: "xl/worksheets/sheet1.xml", fill: func(w io.Writer) {
				_, _ = io.WriteString(w, "<worksheet><sheetData>")
				for i := range 30_000 {
					_, _ = fmt.Fprintf(w, `<row r="%d"><c t="s"><v>0</v></c><c><v>%d</v></c></row>`, i+1, i*104_729)
				}
				_, _ = io.WriteString(w, "</sheetData></worksheet>")
			}}),
		"a text without end": bookOf(t, "", part{name: "xl/worksheets/sheet1.xml", fill: func(w io.Writer) {
			_, _ = io.WriteString(w, `<worksheet><sheetData><row><c t="str"><v>`)
			for i := range 600_000 {
				_, _ = fmt.Fprintf(w, "%d ", i*104_729)
			}
		}}),
	} {
		b.refuses(t, what, "a.xlsx", content, domain.CodeInvalid)
	}
	b.refuses(t, "2 GB of texts declared", "a.xlsx", declared(t, 2<<30, part{name: "xl/workbook.xml", text: plainBook},
		part{name: "xl/_rels/workbook.xml.rels", text: fmt.Sprintf(relationsBook, 9)}, part{name: "xl/worksheets/sheet1.xml", text: plainSheet},
		part{name: "xl/sharedStrings.xml", text: "<sst><si><t>a text</t></si></sst>"}), domain.CodeTooLarge)
	b.refuses(t, "205 MB of texts", "a.xlsx", pack(t, part{name: "xl/workbook.xml", text: plainBook},
		part{name: "xl/_rels/workbook.xml.rels", text: fmt.Sprintf(relationsBook, 9)}, part{name: "xl/worksheets/sheet1.xml", text: plainSheet},
		part{name: "xl/sharedStrings.xml", repeat: &repeat{text: "<si><t>a text</t></si>", size: 205 << 20}}), domain.CodeTooLarge)
}

// TestUpload_E03_Containers: zip files that different programs read differently, and other malformed ones, are refused.
func TestUpload_E03_Containers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	inner := bookOf(t, plainSheet)
	b.refuses(t, "a zip file in a zip file", "a.xlsx", pack(t, part{name: "inner.xlsx", text: string(inner)}), domain.CodeInvalid)
	for _, name := range []string{"inner.zip", "xl/media/image1.png", "xl/worksheets/_rels/a"} {
		b.refuses(t, "a zip file next to a sheet", "a.xlsx", bookOf(t, plainSheet, part{name: name, text: string(inner)}), domain.CodeInvalid)
	}
	_, info, err := b.upload(t, "a.xlsx", bookOf(t, plainSheet, part{name: "xl/embeddings/Workbook1.xlsx", text: string(inner)}))
	require.NoError(t, err, "an embedded document is allowed")
	require.Len(t, info.Resources, 1)
	many := make([]part, 0, 100_000)
	for i := range 100_000 {
		many = append(many, part{name: fmt.Sprintf("xl/media/%d", i)})
	}
	b.refuses(t, "100,000 parts", "a.xlsx", bookOf(t, plainSheet, many...), domain.CodeInvalid)

	// Two parts with the same bytes: the last entry of the central directory points to the part of the first.
	overlap := bookOf(t, plainSheet, part{name: "xl/worksheets/sheet2.xml", text: plainSheet})
	first := bytes.Index(overlap, []byte("PK\x01\x02"))
	last := bytes.LastIndex(overlap, []byte("PK\x01\x02"))
	copy(overlap[last+42:last+46], overlap[first+42:first+46])
	b.refuses(t, "overlapping parts", "a.xlsx", overlap, domain.CodeInvalid)

	// Two parts with the same name, of which another program could read the other one. Empty parts are refused, too.
	for what, name := range map[string]string{"the same name twice": "xl/worksheets/sheet1.xml", "in upper case": "XL/Worksheets/SHEET1.xml"} {
		b.refuses(t, what, "a.xlsx", bookOf(t, plainSheet, part{name: name, text: plainSheet}), domain.CodeInvalid)
		b.refuses(t, what+", empty", "a.xlsx", bookOf(t, plainSheet, part{name: name}), domain.CodeInvalid)
	}
	b.refuses(t, "cut short", "a.xlsx", inner[:len(inner)-40], domain.CodeInvalid)
	b.refuses(t, "no central directory", "a.xlsx", inner[:200], domain.CodeInvalid)
	wrong := bytes.Clone(inner)
	wrong[60] ^= 0xff
	b.refuses(t, "broken bytes", "a.xlsx", wrong, domain.CodeInvalid)

	// A zip64 record that declares a central directory of 2^60 bytes at a false offset.
	end := bytes.LastIndex(inner, []byte("PK\x05\x06"))
	record := make([]byte, 56+20)
	copy(record, "PK\x06\x06")
	binary.LittleEndian.PutUint64(record[4:], 44)
	binary.LittleEndian.PutUint64(record[24:], 1<<40)
	binary.LittleEndian.PutUint64(record[32:], 1<<40)
	binary.LittleEndian.PutUint64(record[40:], 1<<60)
	binary.LittleEndian.PutUint64(record[48:], 1<<50)
	copy(record[56:], "PK\x06\x07")
	binary.LittleEndian.PutUint64(record[64:], uint64(end))
	binary.LittleEndian.PutUint32(record[72:], 1)
	tail := bytes.Clone(inner[end:])
	copy(tail[8:20], bytes.Repeat([]byte{0xff}, 12))
	b.refuses(t, "zip64 with false sizes", "a.xlsx", bytes.Join([][]byte{inner[:end], record, tail}, nil), domain.CodeInvalid)
}

// TestUpload_E04_PartNames: the names of parts are only compared and never used as paths of the file system.
func TestUpload_E04_PartNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	marker := filepath.Join(t.TempDir(), "outside")
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, p := range []part{
		{name: "../../../../../.." + marker, text: "x"},
		{name: marker, text: "x"},
		{name: `..\..\outside`, text: "x"},
		{name: "CON", text: "x"},
		{name: "xl/workbook.xml", text: plainBook},
		{name: "xl/_rels/workbook.xml.rels", text: fmt.Sprintf(relationsBook, 9)},
		{name: "xl/worksheets/sheet1.xml", text: plainSheet},
	} {
		w, err := z.Create(p.name)
		require.NoError(t, err)
		_, err = io.WriteString(w, p.text)
		require.NoError(t, err)
	}
	link := &zip.FileHeader{Name: "xl/link"}
	link.SetMode(os.ModeSymlink | 0o777)
	w, err := z.CreateHeader(link)
	require.NoError(t, err)
	_, err = io.WriteString(w, "/etc/passwd")
	require.NoError(t, err)
	require.NoError(t, z.Close())
	_, info, err := b.upload(t, "a.xlsx", packed.Bytes())
	require.NoError(t, err)
	require.Len(t, info.Resources, 1)
	require.NoFileExists(t, marker)

	// A relation whose target is a path outside of the zip file finds nothing.
	content := pack(t, part{name: "xl/workbook.xml", text: plainBook}, part{name: "xl/worksheets/sheet1.xml", text: plainSheet},
		part{name: "xl/_rels/workbook.xml.rels", text: `<Relationships><Relationship Id="r1" Type="x/worksheet" ` +
			`Target="../../../../../etc/passwd"/></Relationships>`})
	err = b.refusal(t, "a relation to a path", "a.xlsx", content, domain.CodeInvalid)
	require.NotContains(t, err.Error(), "passwd")
}

// TestUpload_E06_Entities: XML entities that download something or that grow when they are expanded are refused, and no
// request is sent.
func TestUpload_E06_Entities(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	t.Cleanup(server.Close)
	address, ok := server.Listener.Addr().(*net.TCPAddr)
	require.True(t, ok)
	bomb := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>`
	external := fmt.Sprintf(`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "%s/a"><!ENTITY f SYSTEM "file:///etc/passwd">]>`, server.URL)
	parameter := fmt.Sprintf(`<!DOCTYPE x SYSTEM "%s/x.dtd">`, server.URL)
	template := strings.Replace(plainSheet, "<t>a</t>", "<t>%s</t>", 1)
	for what, sheet := range map[string]string{
		"a bomb": bomb + fmt.Sprintf(template, "&c;"), "an address": external + fmt.Sprintf(template, "&a;"), "a file": external +
			fmt.Sprintf(template, "&f;"),
		"another document": parameter + plainSheet, "an undeclared entity": fmt.Sprintf(template, "&nbsp;"),
	} {
		err := b.refusal(t, what, "a.xlsx", bookOf(t, sheet), domain.CodeInvalid)
		require.NotContains(t, err.Error(), "root:")
		b.refuses(t, what+" in slides", "a.pptx", deck(t, slide{xml: sheet}), domain.CodeInvalid)
	}
	for what, xml := range map[string]string{
		"svg": `<svg xmlns="http://www.w3.org/2000/svg"><image href="` + server.URL + `"/></svg>`,
		"xml": bomb + "<x>&c;</x>",
	} {
		b.refuses(t, what, what+".csv", []byte(xml), domain.CodeUnsupportedType)
	}
	// A sheet whose target is a URL is left out, and the other sheets are read.
	outside := pack(t, part{name: "xl/workbook.xml", text: strings.Replace(plainBook, "</sheets>",
		`<sheet name="Far" sheetId="2" r:id="r3"/></sheets>`, 1)},
		part{name: "xl/_rels/workbook.xml.rels", text: fmt.Sprintf(relationsBook, address.Port)},
		part{name: "xl/worksheets/sheet1.xml", text: plainSheet})
	_, info, err := b.upload(t, "a.xlsx", outside)
	require.NoError(t, err)
	require.Len(t, info.Resources, 1)
	require.Zero(t, requests.Load())
}

// TestUpload_E07_Documents: the kind of a document is found in its bytes and not in its name.
func TestUpload_E07_Documents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.refuses(t, "a program", "a.xlsx", []byte("MZ\x90\x00\x03"+strings.Repeat("\x00", 60)), domain.CodeUnsupportedType)
	b.refuses(t, "an HTML page", "a.xlsx", []byte("<html><table><tr><td>1</td></tr></table>"), domain.CodeUnsupportedType)
	b.refuses(t, "a pdf that is a zip", "a.xlsx", append([]byte("%PDF-1.7\n"), bookOf(t, plainSheet)...), domain.CodeUnsupportedType)
	b.refuses(t, "a zip after a program header", "a.xlsx", append([]byte("MZ\x90\x00"), bookOf(t, plainSheet)...), domain.CodeUnsupportedType)
	b.refuses(t, "a document of Word", "a.docx", pack(t, part{name: "word/document.xml", text: "<x/>"}), domain.CodeUnsupportedType)
	b.refuses(t, "an HTML page as a sheet", "a.xlsx", bookOf(t, "<html><body>x</body></html>"), domain.CodeInvalid)
	b.refuses(t, "an empty file", "a.xlsx", nil, domain.CodeInvalid)
	_, info, err := b.upload(t, "a.csv", bookOf(t, plainSheet))
	require.NoError(t, err)
	require.Equal(t, domain.DataSourceXLSX, info.Type, "a workbook named .csv is a workbook")
	_, info, err = b.upload(t, "a.xlsx", []byte("a,b\n1,2\n"))
	require.NoError(t, err)
	require.Equal(t, domain.DataSourceCSV, info.Type, "and text named .xlsx is a CSV file")
}

// TestUpload_E08_Locked: a file that cannot be opened is refused with an error that says what to do.
func TestUpload_E08_Locked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var locked bytes.Buffer
	f := excelize.NewFile()
	require.NoError(t, f.SetCellValue("Sheet1", "A1", 1))
	require.NoError(t, f.Write(&locked, excelize.Options{Password: "secret"}))
	require.NoError(t, f.Close())
	macros := bookOf(t, plainSheet, part{name: "xl/vbaProject.bin", text: "x"})
	formulas := bookOf(t, plainSheet, part{name: "xl/macrosheets/sheet1.xml", text: "<macrosheet/>"}) // Excel 4.0 macros
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	header := &zip.FileHeader{
		Name: "xl/workbook.xml", Flags: 1, Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte("xxxx")),
		CompressedSize64: 4, UncompressedSize64: 4,
	}
	w, err := z.CreateRaw(header)
	require.NoError(t, err)
	_, err = io.WriteString(w, "xxxx")
	require.NoError(t, err)
	require.NoError(t, z.Close())
	for name, row := range map[string]struct {
		content []byte
		message string
	}{
		"encrypted.xlsx": {locked.Bytes(), "Remove the password"}, "macros.xlsm": {macros, "holds macros"},
		"macros.xlsx": {macros, "holds macros"}, "formulas.xlsx": {formulas, "holds macros"},
		"password.xlsx": {zipped.Bytes(), "Remove the password"}, "binary.xlsb": {
			pack(t, part{name: "xl/workbook.bin", text: "x"}),
			"In Excel choose Save As",
		},
		"BIFF8.xls": {oldDocument("Workbook"), "In Excel choose Save As"}, "BIFF5.xls": {oldDocument("Book"), "In Excel choose Save As"},
		"BIFF8 named.xlsx": {oldDocument("Workbook"), "In Excel choose Save As"},
		"slides.ppt":       {oldDocument("PowerPoint Document"), "In PowerPoint choose Save As"},
	} {
		err := b.refusal(t, name, name, row.content, domain.CodeInvalid)
		require.ErrorContains(t, err, row.message, name)
	}
}

// TestUpload_E13_Malformed: malformed presentations and Tableau extracts are refused with CodeInvalid.
func TestUpload_E13_Malformed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for what, content := range map[string][]byte{
		"no slides":           pack(t, part{name: "ppt/presentation.xml", text: "<presentation/>"}),
		"no presentation":     pack(t, part{name: "ppt/slides/slide1.xml", text: "<sld/>"}),
		"broken slide":        deck(t, slide{xml: "<sld><sp><txBody>"}),
		"an empty slide":      deck(t, slide{xml: "<sld/>"}),
		"no XML":              deck(t, slide{xml: "\x00\x01\x02"}),
		"cut short":           deck(t, slide{xml: "<sld/>"})[:100],
		"deeply nested":       deck(t, slide{xml: strings.Repeat("<sp>", 100_000)}),
		"cells without a row": deck(t, slide{xml: "<sld><tbl>" + strings.Repeat("<tc><txBody/></tc>", 5000) + "</tbl></sld>"}),
	} {
		b.refuses(t, what, "a.pptx", content, domain.CodeInvalid)
	}
	for what, content := range map[string]string{
		"well-formed": "HyPe\x03\x00\x00\x00" + strings.Repeat("\x00\x01\x02\x03", 4000),
		"malformed":   strings.Repeat("\x00\xff\x01\x07\x00", 300),
	} {
		err := b.refusal(t, what, "sales.hyper", []byte(content), domain.CodeInvalid)
		require.ErrorContains(t, err, "In Tableau open the data, choose Export and CSV")
	}
}
