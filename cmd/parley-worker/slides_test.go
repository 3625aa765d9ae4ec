package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// slide is a slide of a deck. If xml is set, it is the content of the slide, and the other fields except notes are ignored.
type slide struct {
	title, text, notes string
	table              [][]string
	xml                string
}

func shape(kind, text string) string {
	placeholder := ""
	if kind != "" {
		placeholder = `<p:nvPr><p:ph type="` + kind + `"/></p:nvPr>`
	}
	paragraphs := ""
	for line := range strings.SplitSeq(text, "\n") {
		paragraphs += `<a:p><a:r><a:rPr lang="en"/><a:t>` + line + `</a:t></a:r></a:p>`
	}
	return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/>` + placeholder + `</p:nvSpPr><p:txBody><a:bodyPr/>` + paragraphs + `</p:txBody></p:sp>`
}

func (s slide) parts(n int) []part {
	xml := s.xml
	if xml == "" {
		xml = `<?xml version="1.0" encoding="UTF-8"?><p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>` + shape("title", s.title) +
			shape("", s.text) + shape("sldNum", "7")
		if s.table != nil {
			xml += `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblGrid/>`
			for _, row := range s.table {
				xml += `<a:tr h="1">`
				for _, cell := range row {
					xml += `<a:tc><a:txBody><a:p><a:r><a:t>` + cell + `</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>`
				}
				xml += `</a:tr>`
			}
			xml += `</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
		}
		xml += `</p:spTree></p:cSld></p:sld>`
	}
	parts := []part{{name: fmt.Sprintf("ppt/slides/slide%d.xml", n), text: xml}}
	if s.notes != "" {
		parts = append(parts,
			part{
				name: fmt.Sprintf("ppt/slides/_rels/slide%d.xml.rels", n),
				text: fmt.Sprintf(`<Relationships><Relationship Id="n" Type="x/notesSlide" Target="../notesSlides/notes%d.xml"/></Relationships>`, n),
			},
			part{name: fmt.Sprintf("ppt/notesSlides/notes%d.xml", n), text: `<p:notes>` + shape("sldImg", "") + shape("body", s.notes) +
				`</p:notes>`})
	}
	return parts
}

// deck makes a presentation. The numbers of its parts are in the reverse order of its slides.
func deck(t *testing.T, slides ...slide) []byte {
	t.Helper()
	list, relations := "", ""
	var parts []part
	for i, s := range slides {
		n := len(slides) - i
		list += fmt.Sprintf(`<p:sldId id="%d" r:id="rId%d"/>`, 256+i, n)
		relations += fmt.Sprintf(`<Relationship Id="rId%[1]d" Type="http://x/slide" Target="slides/slide%[1]d.xml"/>`, n)
		parts = append(parts, s.parts(n)...)
	}
	return pack(t, append(parts,
		part{name: "_rels/.rels", text: `<Relationships><Relationship Id="a" Type="x/officeDocument" ` +
			`Target="/ppt/presentation.xml"/></Relationships>`},
		part{name: "ppt/presentation.xml", text: `<p:presentation xmlns:r="r"><p:sldIdLst>` + list + `</p:sldIdLst></p:presentation>`},
		part{name: "ppt/_rels/presentation.xml.rels", text: `<Relationships>` + relations + `</Relationships>`})...)
}

func TestSlides(t *testing.T) {
	t.Parallel()
	b := setup(t)
	content := deck(t,
		slide{title: "Results &amp; outlook", text: "First\nSecond", notes: "Say this slowly"},
		slide{title: "Revenue", table: [][]string{{"Region", "2024", "Growth"}, {"North", "1,200", "5%"}, {"South", "900", "-2%"}}},
		slide{text: "only text", table: [][]string{{"a", "b"}, {"1", "x"}}},
	)
	s, info, err := b.upload(t, "review.pptx", content)
	require.NoError(t, err)
	require.Equal(t, domain.DataSourcePPTX, info.Type)
	var names []string
	for _, r := range info.Resources {
		names = append(names, r.Name+"/"+r.Table)
	}
	require.Equal(t, []string{"Slides/slides", "Revenue/revenue", "Slide 3 table/slide_3_table"}, names)
	require.Equal(t, [][]any{
		{int64(1), "title", "Results & outlook"},
		{int64(1), "text", "First\nSecond"},
		{int64(1), "notes", "Say this slowly"},
		{int64(2), "title", "Revenue"},
		{int64(2), "table", "Region | 2024 | Growth"},
		{int64(2), "table", "North | 1,200 | 5%"},
		{int64(2), "table", "South | 900 | -2%"},
		{int64(3), "text", "only text"},
		{int64(3), "table", "a | b"},
		{int64(3), "table", "1 | x"},
	}, b.query(t, "SELECT slide, kind, text FROM slides", s).Rows)
	require.Equal(t, [][]any{{"North", int64(1200), int64(5)}, {"South", int64(900), int64(-2)}},
		b.query(t, "SELECT region, n_2024, growth FROM revenue", s).Rows)
	require.Equal(t, [][]any{{int64(1), "x"}}, b.query(t, "FROM slide_3_table", s).Rows)
	require.Contains(t, info.Description, "3 tables of review")
}
