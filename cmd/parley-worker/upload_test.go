package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestUpload_E05_FileNames: a file name is only shown to people. Names that cannot be shown safely are refused.
func TestUpload_E05_FileNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const special = "The name cannot contain special characters"
	for name, message := range map[string]string{
		"../../etc/x.csv":                   special,
		`..\..\x.csv`:                       special,
		"/etc/passwd.csv":                   special,
		"a\x00.csv":                         special,
		"<img>.csv":                         special,
		"a\nSet-Cookie: x.csv":              special,
		"a\r\n.csv":                         special,
		"\u202egnp.csv":                     special,
		"a..b.csv":                          special,
		"a\xff.csv":                         special,
		`"; filename="x.csv`:                special,
		".csv":                              "File name cannot be empty",
		"   .csv":                           "File name cannot be empty",
		"":                                  "File name cannot be empty",
		strings.Repeat("x", 300) + ".csv":   "The file name is too long",
		"CON.csv":                           "",
		"Umsatz März (final)_2.csv":         "",
		"売上 2025.csv":                       "",
		strings.Repeat("ab ", 60) + "x.csv": "",
	} {
		t.Run(fmt.Sprintf("%.30q", name), func(t *testing.T) {
			_, info, err := b.tryPrepare(t, name, "a,b\n1,2\n", "auto")
			if message != "" {
				require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
				require.ErrorContains(t, err, message)
				return
			}
			require.NoError(t, err)
			require.NotEmpty(t, info.Name)
			require.LessOrEqual(t, domain.Length(info.Name), domain.DataSourceNameMax)
		})
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(b.dir), "*.csv"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestUpload_E07_Content: the kind of a file is found in its bytes and not in its name.
func TestUpload_E07_Content(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := "a,b\n1,2\n"
	refuse := map[string]string{
		"html":                          "<!DOCTYPE html><html><body>x</body></html>",
		"html with a byte order mark":   "\xef\xbb\xbf  \n<html>",
		"html in utf-16":                utf16Text("<HTML><script>alert(1)</script>,b\n1,2\n", binary.LittleEndian, true),
		"html in big-endian utf-16":     utf16Text(" \n<!doctype html>", binary.BigEndian, true),
		"html in utf-16 without a mark": utf16Text("<svg onload='x()'/>,a long enough header to be seen as text\n", binary.LittleEndian, false),
		"utf-32":                        "\xff\xfe\x00\x00a\x00\x00\x00,\x00\x00\x00b\x00\x00\x00\n\x00\x00\x00",
		"hta":                           "<hta:application id='x'>",
		"script":                        "<script>alert(1)</script>," + table,
		"svg":                           `<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>`,
		"xml":                           "<?xml version=\"1.0\"?><a/>",
		"php":                           "<?php system('x'); ?>",
		"program":                       "MZ\x90\x00\x03" + strings.Repeat("\x00", 60) + "PE",
		"elf":                           "\x7fELF\x02\x01\x01",
		"shell":                         "#!/bin/sh\nrm -rf /\n",
		"zip":                           "PK\x03\x04\x14\x00\x00\x00" + table,
		"pdf":                           "%PDF-1.7\n" + table,
		"pdf after a first row":         "a,b\n%PDF-1.7\n1,2\n",
		"gif":                           "GIF89a=1,2\n" + table,
		"png":                           "\x89PNG\r\n\x1a\n" + table,
		"gzip":                          "\x1f\x8b\x08\x00",
		"old office":                    "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"parquet":                       "PAR1" + table,
		"duckdb":                        "\x01\x02\x03\x04\x05\x06\x07\x08DUCK\x40\x00\x00\x00",
		"binary":                        strings.Repeat("\x01\x02\x03a", 500),
	}
	for name, content := range refuse {
		t.Run("ErrUnsupportedType/"+name, func(t *testing.T) {
			_, _, err := b.tryPrepare(t, "x.csv", content, "auto")
			require.Equal(t, domain.CodeUnsupportedType, domain.CodeOf(err), "%v", err)
		})
	}
	for name, content := range map[string]string{"empty": "", "white space": " \n\n\t ", "only a byte order mark": "\xef\xbb\xbf"} {
		t.Run("ErrEmpty/"+name, func(t *testing.T) {
			_, _, err := b.tryPrepare(t, "x.csv", content, "auto")
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
		})
	}
	t.Run("OK/html in a cell stays text", func(t *testing.T) {
		s, _ := b.prepare(t, "x.csv", "a,b\n<script>alert(1)</script>,2\n")
		require.Equal(t, "<script>alert(1)</script>", b.query(t, "SELECT a FROM x", s).Rows[0][0])
	})
}

// TestUpload_E09_NothingLeftBehind: an upload that fails leaves no prepared database and no folder.
func TestUpload_E09_NothingLeftBehind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	path := filepath.Join(b.dir, "big.csv")
	f, err := os.Create(path)
	require.NoError(t, err)
	_, err = f.WriteString(strings.Repeat("a,b\n", 4<<10))
	require.NoError(t, err)
	require.NoError(t, f.Truncate(domain.UploadMax+1)) // sparse: only the size is checked
	require.NoError(t, f.Close())
	work := path + ".work"
	_, err = b.csv.Prepare(t.Context(), path, "big.csv", work, domain.FileOptions{})
	require.Equal(t, domain.CodeTooLarge, domain.CodeOf(err), "%v", err)
	require.NoFileExists(t, work)
	_, _, err = b.tryPrepare(t, "x.csv", "a\n"+strings.Repeat("x", 2<<20)+"\n", "auto")
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	b.bench.Stop()
	left, err := os.ReadDir(filepath.Join(b.dir, "bench"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func utf16Text(text string, order binary.ByteOrder, mark bool) string {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var out bytes.Buffer
	for _, u := range units {
		var two [2]byte
		order.PutUint16(two[:], u)
		out.Write(two[:])
	}
	return out.String()
}

// TestUpload_E10_Shapes: files with unusual layouts are read correctly or refused by the worker.
func TestUpload_E10_Shapes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, content := range map[string]string{
		"one long line":   strings.Repeat("x", 30<<20),
		"100,000 columns": strings.Repeat("a,", 100_000) + "\n",
	} {
		t.Run("ErrInvalid/"+name, func(t *testing.T) {
			_, _, err := b.tryPrepare(t, "x.csv", content, "auto")
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
		})
	}
	t.Run("OK/an unclosed quotation mark in a long file", func(t *testing.T) {
		_, _, err := b.tryPrepare(t, "x.csv", "a,b\n\""+strings.Repeat("x\n", 1<<20), "auto")
		require.NoError(t, err, "the quotation mark is read as text")
	})
	people := "name;city;amount\nZoë;Köln;1.200,50\nJosé;São Paulo;3,25\n"
	want := [][]any{{"Zoë", "Köln", 1200.5}, {"José", "São Paulo", 3.25}}
	latin := strings.NewReplacer("ë", "\xeb", "ö", "\xf6", "é", "\xe9", "ã", "\xe3").Replace(people)
	mixed := strings.Replace(people, "Köln", "K\xf6ln", 1)
	for name, c := range map[string]struct{ content, encoding string }{
		"utf-8":                    {people, "utf-8"},
		"utf-8 with mark":          {"\xef\xbb\xbf" + people, "utf-8"},
		"utf-16 le":                {utf16Text(people, binary.LittleEndian, true), "utf-16le"},
		"utf-16 be":                {utf16Text(people, binary.BigEndian, true), "utf-16be"},
		"utf-16 le without a mark": {utf16Text(people, binary.LittleEndian, false), "utf-16le"},
		"latin-1":                  {latin, "windows-1252"},
		"mixed":                    {mixed, "mixed"},
		"cr":                       {strings.ReplaceAll(people, "\n", "\r"), "utf-8"},
		"crlf":                     {strings.ReplaceAll(people, "\n", "\r\n"), "utf-8"},
		"no newline at the end":    {strings.TrimSuffix(people, "\n"), "utf-8"},
	} {
		t.Run("OK/"+name, func(t *testing.T) {
			s, info := b.prepare(t, "people.csv", c.content)
			require.Equal(t, c.encoding, info.Encoding)
			require.Equal(t, ";", info.Delimiter)
			require.Equal(t, want, b.query(t, "FROM people", s).Rows)
		})
	}
	t.Run("OK/unbalanced quotes", func(t *testing.T) {
		s, _ := b.prepare(t, "x.csv", "size,n\n\"5 inch,1\n6 inch,2\n")
		require.Equal(t, [][]any{{`"5 inch`, int64(1)}, {"6 inch", int64(2)}}, b.query(t, "FROM x", s).Rows)
	})
	t.Run("OK/NUL", func(t *testing.T) {
		s, _ := b.prepare(t, "x.csv", "a,b\nx\x00y,2\n"+strings.Repeat("q,1\n", 100))
		require.Equal(t, "x\ufffdy", b.query(t, "FROM x", s).Rows[0][0])
	})
	t.Run("OK/a few characters of UTF-16 without a mark", func(t *testing.T) {
		s, info, err := b.upload(t, "x.csv", []byte(utf16Text("a,b\n1,2\n", binary.BigEndian, false)))
		require.NoError(t, err)
		require.Equal(t, "utf-16be", info.Encoding)
		require.Equal(t, [][]any{{int64(1), int64(2)}}, b.query(t, "SELECT a, b FROM x", s).Rows)
	})
	t.Run("OK/a hint for Excel", func(t *testing.T) {
		s, _ := b.prepare(t, "x.csv", "sep=;\na;b\n1;x,y\n2;z\n")
		require.Equal(t, [][]any{{int64(1), "x,y"}, {int64(2), "z"}}, b.query(t, "SELECT a, b FROM x", s).Rows)
	})
	t.Run("Err/nothing but NUL", func(t *testing.T) {
		_, _, err := b.upload(t, "x.csv", make([]byte, 10_000))
		require.Equal(t, domain.CodeUnsupportedType, domain.CodeOf(err), "%v", err)
	})
	t.Run("ErrTooManyColumns/utf-16", func(t *testing.T) {
		_, _, err := b.upload(t, "x.csv", []byte(utf16Text(strings.Repeat("a,", 3000)+"\n", binary.LittleEndian, true)))
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
	})
	t.Run("OK/cut inside a character", func(t *testing.T) {
		s, info, err := b.upload(t, "x.csv", []byte(utf16Text("a,b\n1,2\n3,4\n", binary.LittleEndian, true)+"5"))
		require.NoError(t, err)
		require.Equal(t, "utf-16le", info.Encoding)
		require.Equal(t, [][]any{{"1", "2"}, {"3", "4"}, {"\ufffd", nil}}, b.query(t, "SELECT a::VARCHAR, b::VARCHAR FROM x", s).Rows)
	})
	t.Run("OK/2,000 columns", func(t *testing.T) {
		header := strings.TrimSuffix(strings.Repeat("c,", 2000), ",")
		s, info := b.prepare(t, "x.csv", header+"\n"+strings.TrimSuffix(strings.Repeat("7,", 2000), ",")+"\n")
		require.Len(t, info.Resources[0].Columns, 2000)
		require.Equal(t, int64(14), b.query(t, "SELECT c + c_2000 FROM x", s).Rows[0][0])
	})
	t.Run("OK/ragged rows", func(t *testing.T) {
		s, _ := b.prepare(t, "x.csv", "a,b\n1,2\n3\n4,5,6\n")
		require.Equal(t, [][]any{{int64(1), int64(2), nil}, {int64(3), nil, nil}, {int64(4), int64(5), int64(6)}}, b.query(t, "FROM x", s).Rows)
	})
	t.Run("OK/each delimiter", func(t *testing.T) {
		for _, d := range []string{",", ";", "\t", "|"} {
			_, info := b.prepare(t, "x.csv", strings.ReplaceAll("a~b~c\n1~\"x, y; z\"~2\n3~\"q|\tr\"~4\n", "~", d))
			require.Equal(t, d, info.Delimiter)
			require.Len(t, info.Resources[0].Columns, 3)
		}
	})
	t.Run("OK/a given delimiter", func(t *testing.T) {
		_, info, err := b.tryPrepare(t, "x.csv", "a:b\n1:2\n", ":")
		require.NoError(t, err)
		require.Len(t, info.Resources[0].Columns, 2)
	})
	t.Run("ErrDelimiter", func(t *testing.T) {
		for _, d := range []string{"ab", `"`, "\n", "é", "\x01"} {
			_, _, err := b.tryPrepare(t, "x.csv", "a,b\n1,2\n", d)
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%q: %v", d, err)
		}
	})
}

// TestUpload_E11_Headers: for any header the column has a name that queries can use without quotes.
func TestUpload_E11_Headers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	long := strings.Repeat("long header ", 900)
	s, info := b.prepare(t, "x.csv", `"a""; DROP TABLE x; --",order,,Total,total,TOTAL,2024,`+
		`"<img src=x>",`+long+",Größe\nq,1,2,3,4,5,6,7,8,9\n")
	names := make([]string, 0, 10)
	for _, c := range info.Resources[0].Columns {
		names = append(names, c.Name)
	}
	require.Equal(t, []string{"a_drop_table_x", "order_", "column_3", "total", "total_2", "total_3", "n_2024", "img_src_x"}, names[:8])
	require.LessOrEqual(t, len(names[8]), 80)
	require.Equal(t, "größe", names[9])
	columns := info.Resources[0].Columns
	require.Equal(t, `a"; DROP TABLE x; --`, columns[0].Description)
	require.LessOrEqual(t, domain.Length(columns[8].Description), 300)
	odd, _ := b.prepare(t, "odd.csv", "__proto__,constructor,\"two\nlines\",select,\u202eevil,' OR 1=1--\n1,2,3,4,5,6\n")
	require.Equal(t, []any{int64(1), int64(2), int64(3), int64(4), int64(5), int64(6)},
		b.query(t, "SELECT proto, constructor, two_lines, select_, evil, or_1_1 FROM odd", odd).Rows[0])
	r := b.query(t, "SELECT "+strings.Join(names, ", ")+" FROM x", s)
	require.Equal(t, []any{"q", int64(1), int64(2), int64(3), int64(4), int64(5), int64(6), int64(7), int64(8), int64(9)}, r.Rows[0])
}

// TestUpload_ColumnNames: a column may have any name, including names that the statements of the worker could use for
// something else.
func TestUpload_ColumnNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	names := []string{
		"V", "v ", "_v", "count", "min", "max", "work", "rows", "value", "values", "distinct", "length", "rowid", "column_1",
		"excluded", "rank",
	}
	for letter := 'a'; letter <= 'z'; letter++ {
		names = append(names, string(letter))
	}
	for _, name := range names {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			_, info := b.prepare(t, "x.csv", "city,"+name+"\nb,12\nb,30\na,7\n")
			columns := info.Resources[0].Columns
			require.Equal(t, []string{"b", "a"}, columns[0].Values)
			require.Equal(t, int64(3), columns[1].Distinct)
			_, info = b.prepare(t, "y.csv", name+",amount\nb,12\nb,30\na,7\n")
			require.Equal(t, []string{"b", "a"}, info.Resources[0].Columns[0].Values)
		})
	}
}
