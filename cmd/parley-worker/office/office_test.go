package office

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/domain"
)

func limits() Limits {
	return Limits{Unpacked: 200 << 20, Ratio: 100, Parts: 10_000, Sheets: 256, Columns: 2000, Texts: 5_000_000}
}

// flat returns the tokens of a scanner as text: +name("value of a") for a start tag, a quoted text, -name for an end tag.
func flat(t require.TestingT, text string) (string, error) {
	s := newScanner(strings.NewReader(text))
	var out strings.Builder
	pending := "" // a text may be split into several tokens
	for {
		kind, err := s.next()
		if kind != textData || err != nil {
			if strings.TrimSpace(pending) != "" {
				fmt.Fprintf(&out, "%q", pending)
			}
			pending = ""
		}
		if errors.Is(err, io.EOF) {
			return out.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch kind {
		case startTag:
			fmt.Fprintf(&out, "+%s", s.name)
			if v, ok := s.attr("a"); ok {
				fmt.Fprintf(&out, "(%q)", v)
			}
		case endTag:
			fmt.Fprintf(&out, "-%s", s.name)
		case textData:
			pending += string(s.text)
		}
	}
}

func TestScanner(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ xml, want string }{
		"all": {"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<x:a a='1>2'><!-- a - -- b ---><b/>t " +
			"&lt;&#65;&#x42;&amp;<![CDATA[<c>]]></x:a>\n", `+a("1>2")+b-b"t <AB&<c>"-a`},
		"entity":        {`<a>&x;</a>`, ""},
		"doctype":       {`<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`, ""},
		"doctype only":  {`<!DOCTYPE a><a/>`, ""},
		"not closed":    {`<a><b></a>`, ""},
		"cut in a tag":  {`<a><b`, ""},
		"cut in a text": {`<a>text`, ""},
		"wrong end tag": {`<a></b>`, ""},
		"too deep":      {strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300), ""},
		"end tag first": {`</a>`, ""},
		"no name":       {`< a/>`, ""},
		"huge tag":      {"<a " + strings.Repeat("x", 2<<20) + "/>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := flat(t, row.xml)
			require.Equal(t, row.want, got)
			if row.want == "" {
				require.ErrorIs(t, err, errMalformed)
			}
		})
	}
}

// TestScanner_AsTheStandardLibrary: the scanner reads what encoding/xml has encoded.
func TestScanner_AsTheStandardLibrary(t *testing.T) {
	t.Parallel()
	type node struct {
		XMLName xml.Name
		A       string `xml:"a,attr"`
		Text    string `xml:",chardata"`
		Inner   []node
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zA-Z<>&"' \n\]äß✓😀-]{0,30}`)
		name := rapid.SampledFrom([]string{"c", "row", "is"})
		root := node{XMLName: xml.Name{Local: "root"}, A: text.Draw(t, "a")}
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			root.Inner = append(root.Inner, node{XMLName: xml.Name{Local: name.Draw(t, "name")}, A: text.Draw(t, "a"), Text: text.Draw(t, "text")})
		}
		encoded, err := xml.Marshal(root)
		require.NoError(t, err)
		want := fmt.Sprintf("+root(%q)", root.A)
		for _, n := range root.Inner {
			content := ""
			if strings.TrimSpace(n.Text) != "" {
				content = fmt.Sprintf("%q", n.Text)
			}
			want += fmt.Sprintf("+%s(%q)%s-%s", n.XMLName.Local, n.A, content, n.XMLName.Local)
		}
		got, err := flat(t, string(encoded))
		require.NoError(t, err, string(encoded))
		require.Equal(t, want+"-root", got)
	})
}

// TestScanner_Anything: for any input the scanner ends, and its only error is errMalformed.
func TestScanner_Anything(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"<a>", "</a>", "<b c='", "'/>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "&", ";", "&#", "x", "<", ">", "\"",
		"<!DOCTYPE", "\x00", "\xff",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
		_, err := flat(t, text)
		if err != nil {
			require.ErrorIs(t, err, errMalformed)
		}
	})
}

func TestStyleOf(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]numberStyle{
		"General": plainNumber, "0.00": plainNumber, "#,##0 [$€-407]": plainNumber, `0 "days"`: plainNumber, `[Red]0;[Blue]-0`: plainNumber,
		"0%": plainNumber, "0.00E+00": plainNumber,
		"dd/mm/yyyy": dateNumber, `[$-407]d\. mmmm yyyy;@`: dateNumber, "mmm-yy": dateNumber, "m/d/yy h:mm": dateNumber, "mmmm": dateNumber,
		`yyyy"年"`:    dateNumber,
		"h:mm AM/PM": clockNumber, "mm:ss": clockNumber, "[h]:mm": spanNumber, "[mm]:ss": spanNumber, `_-* #,##0.00_-`: plainNumber,
		`"unclosed`: plainNumber, "[": plainNumber,
	} {
		require.Equal(t, want, styleOf(code), code)
	}
}

func TestEpoch_Moment(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		epoch epoch
		v     float64
		style numberStyle
		want  string
	}{
		{epoch1900, 1, dateNumber, "1900-01-01"},
		{epoch1900, 59, dateNumber, "1900-02-28"},
		{epoch1900, 61, dateNumber, "1900-03-01"},
		{epoch1900, 45351, dateNumber, "2024-02-29"},
		{epoch1900, 45351.5, dateNumber, "2024-02-29T12:00:00"},
		{epoch1900, 45351.999999999, dateNumber, "2024-03-01"},
		{epoch1900, 2958465, dateNumber, "9999-12-31"},
		{epoch1904, 0, dateNumber, "1904-01-01"},
		{epoch1904, 43889, dateNumber, "2024-02-29"},
		{epoch1904, 2957003, dateNumber, "9999-12-31"},
		{epoch1904, 2957004, dateNumber, ""},
		{epoch1900, 0.25, dateNumber, "06:00:00"},
		{epoch1900, 0.75, clockNumber, "18:00:00"},
		{epoch1900, 2.5, spanNumber, "60:00:00"},
		{epoch1900, -1, dateNumber, ""},
		{epoch1900, 0, dateNumber, ""},
		{epoch1900, 1e9, dateNumber, ""},
	} {
		got, ok := row.epoch.moment(row.v, row.style)
		require.Equal(t, row.want, got, "%v", row)
		require.Equal(t, row.want != "", ok)
	}
}

func spool(t *testing.T) *table.Spool {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "spool"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, file.Close()) })
	return table.NewSpool(file, 1<<30)
}

// TestReadSheet_MemoryIsFlat: reading a sheet of about 40 MB allocates less than 32 MB, because rows are not kept.
func TestReadSheet_MemoryIsFlat(t *testing.T) { //nolint:paralleltest // it measures the allocations of the whole process
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	write := func(name string) io.Writer {
		w, err := z.Create(name)
		require.NoError(t, err)
		return w
	}
	_, err := io.WriteString(write("xl/workbook.xml"), `<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`)
	require.NoError(t, err)
	_, err = io.WriteString(write("xl/_rels/workbook.xml.rels"), `<Relationships><Relationship Id="r1" Type="x/worksheet" `+
		`Target="worksheets/s.xml"/></Relationships>`)
	require.NoError(t, err)
	w := write("xl/worksheets/s.xml")
	_, err = io.WriteString(w, "<worksheet><sheetData>")
	require.NoError(t, err)
	const rows = 200_000
	for i := range rows {
		_, err = fmt.Fprintf(w, `<row r="%[1]d"><c r="A%[1]d"><v>%[2]d</v></c><c r="B%[1]d" t="inlineStr"><is><t>%[3]d %[2]d</t></is></c><c `+
			`r="C%[1]d" t="b"><v>1</v></c><c r="D%[1]d" s="1"><f>A%[1]d*2</f><v>%[4]d.5</v></c></row>`,
			i+1, i*7919%1_000_003, i*104_729%10_007, i%977)
		require.NoError(t, err)
	}
	_, err = io.WriteString(w, "</sheetData></worksheet>")
	require.NoError(t, err)
	require.NoError(t, z.Close())

	book, err := OpenWorkbook(bytes.NewReader(b.Bytes()), int64(b.Len()), limits())
	require.NoError(t, err)
	sheet := spool(t).Sheet()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, book.ReadSheet(book.Sheets[0], sheet))
	runtime.ReadMemStats(&after)
	require.Equal(t, int64(rows), sheet.Rows)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20), "the sum of all allocations, not only the memory in use")
}

// TestContainer_Lies: a file that declares a wrong size of a part is refused.
func TestContainer_Lies(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("xl/workbook.xml")
	require.NoError(t, err)
	_, err = io.WriteString(w, "<workbook>"+strings.Repeat(" ", 1000)+"</workbook>")
	require.NoError(t, err)
	require.NoError(t, z.Close())
	content := b.Bytes()
	at := bytes.Index(content, []byte("PK\x01\x02"))
	for i, lie := range []string{"\x05\x00\x00\x00", "\xff\xff\xff\x7f"} {
		copy(content[at+24:], lie) // the unpacked size
		_, err = OpenWorkbook(bytes.NewReader(content), int64(len(content)), limits())
		require.Error(t, err)
		require.Equal(t, []domain.Code{domain.CodeInvalid, domain.CodeTooLarge}[i], domain.CodeOf(err), "%v", err)
	}
}
