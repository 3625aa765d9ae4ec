package office

// Presentations (Office Open XML, ECMA-376, part 1, 19). Their texts become one table with a row
// for each text, and each table on a slide a table of its own. Pictures, charts and comments are
// not read.

import (
	"io"
	"strconv"
	"strings"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/domain"
)

// The kinds of text on a slide.
const (
	kindTitle    = "title"
	kindSubtitle = "subtitle"
	kindText     = "text"
	kindTable    = "table"
	kindNotes    = "notes"
)

// Slides is an open .pptx.
type Slides struct {
	c      *container
	slides []string // the names of their parts, in the order in which the slides are shown
}

// OpenSlides reads the list of slides. Errors: CodeInvalid, CodeTooLarge.
func OpenSlides(file io.ReaderAt, size int64, l Limits) (*Slides, error) {
	c, err := open(file, size, l)
	if err != nil {
		return nil, err
	}
	main, err := c.main("ppt/presentation.xml")
	if err != nil {
		return nil, err
	}
	// Parts refer to each other by relations, never by their names.
	parts, err := c.relations(main)
	if err != nil {
		return nil, err
	}
	p := &Slides{c: c}
	count := 0
	err = c.each(main, func(s *scanner) error {
		return walk(s, func(element string) error {
			if element != "sldId" {
				return nil
			}
			// Every slide counts for the limit, also one that cannot be read.
			count++
			// The element also has an id of its own. The id of the relation has a namespace prefix.
			// Hidden slides are in the list as well, and are read like others.
			id := s.prefixed("id")
			if r, ok := parts[id]; ok && r.kind == "slide" && len(p.slides) < l.Sheets {
				p.slides = append(p.slides, r.target)
			}
			return nil
		})
	})
	switch {
	case err != nil:
		return nil, err
	case count > l.Sheets:
		return nil, domain.Errorf(domain.CodeInvalid, "The presentation has %d slides, and %d are the most.", count, l.Sheets)
	case len(p.slides) == 0:
		return nil, domain.Errorf(domain.CodeInvalid, "The presentation has no slide that can be read.")
	}
	return p, nil
}

// SlideTable is a table on a slide.
type SlideTable struct {
	Slide int
	Title string // of the slide; empty if the slide has no title
	Sheet *table.Sheet
}

// Read writes to the spool one sheet with the texts of all slides, with the header slide, kind and text, and one sheet
// for each table on a slide.
func (p *Slides) Read(spool *table.Spool) (*table.Sheet, []SlideTable, error) {
	collected := &slideTexts{}
	var tables []SlideTable
	for i, part := range p.slides {
		// The number of a slide is its position, as people see it.
		r := &slideReader{number: i + 1, spool: spool, texts: collected, columns: p.c.limits.Columns}
		if err := p.c.each(part, r.read); err != nil {
			return nil, nil, err
		}
		for _, t := range r.tables {
			// The limit is for the whole file, because each table becomes one of the connector's.
			if len(tables) == p.c.limits.Sheets {
				return nil, nil, domain.Errorf(domain.CodeInvalid, "The presentation has more than %d tables.", p.c.limits.Sheets)
			}
			tables = append(tables, SlideTable{Slide: r.number, Title: r.title, Sheet: t})
		}
		related, err := p.c.relations(part)
		if err != nil {
			return nil, nil, err
		}
		// Notes are a part of their own, which the slide refers to.
		for _, n := range related {
			if n.kind != "notesSlide" {
				continue
			}
			notes := &slideReader{number: i + 1, texts: collected, notes: true}
			if err := p.c.each(n.target, notes.read); err != nil {
				return nil, nil, err
			}
		}
	}
	sheet, err := collected.spool(spool)
	return sheet, tables, err
}

// slideTexts collects the texts of the slides in memory, because only one sheet of a spool can be written at a time, and
// the tables of the slides are written first.
type slideTexts struct {
	rows [][3]string
	size int
}

// add keeps a text. Empty ones are dropped, and the size of all is limited.
func (a *slideTexts) add(slide int, kind, text string) error {
	text = strings.TrimSpace(domain.Clean(text))
	if text == "" {
		return nil
	}
	if a.size += len(text); a.size > slideTextsMax {
		return domain.Errorf(domain.CodeInvalid, "The presentation holds more than %d MB of text.", slideTextsMax>>20)
	}
	a.rows = append(a.rows, [3]string{strconv.Itoa(slide), kind, text})
	return nil
}

// slideTextsMax is the limit of all texts together in bytes.
const slideTextsMax = 64 << 20

// spool writes the texts as a sheet, with its header.
func (a *slideTexts) spool(spool *table.Spool) (*table.Sheet, error) {
	sheet := spool.Sheet()
	for i, row := range append([][3]string{{"slide", "kind", "text"}}, a.rows...) {
		sheet.Row(i)
		for column, cell := range row {
			sheet.Cell(column, []byte(cell))
		}
		if err := sheet.EndRow(); err != nil {
			return nil, err
		}
	}
	return sheet, nil
}

// slideReader reads one slide, or the notes of one.
type slideReader struct {
	number  int
	notes   bool
	spool   *table.Spool
	texts   *slideTexts
	columns int

	title  string
	tables []*table.Sheet
}

// read reads the shapes and tables of a slide, wherever they are nested in groups.
func (r *slideReader) read(s *scanner) error {
	return walk(s, func(element string) error {
		switch element {
		case "Fallback":
			return s.skip() // for older programs: an alternative to what was already read
		case "sp":
			return r.shape(s)
		case "tbl":
			// Notes have no tables of their own: they show a picture of the slide.
			if r.notes {
				return s.skip()
			}
			return r.table(s)
		}
		return nil
	})
}

// shape reads the text of a shape. The type of its placeholder gives the kind of the text.
func (r *slideReader) shape(s *scanner) error {
	kind, placeholder := kindText, ""
	var text []byte
	// The depth ends the loop at the end of the shape, whatever is nested in it.
	for at := s.depth() - 1; s.depth() > at; {
		t, err := s.next()
		if err != nil {
			return unexpectedEnd(err)
		}
		if t != startTag {
			continue
		}
		switch string(s.name) {
		case "ph":
			placeholder, _ = s.attr("type")
			switch placeholder {
			case "title", "ctrTitle":
				kind = kindTitle
			case "subTitle":
				kind = kindSubtitle
			}
		case "txBody":
			if text, err = paragraphs(s, text); err != nil {
				return err
			}
		}
	}
	// Numbers, dates, footers and headers are not content.
	switch placeholder {
	case "sldNum", "dt", "ftr", "hdr":
		return nil // the same on every slide
	}
	if r.notes {
		// The page of notes has other texts too, such as the number of the page.
		if placeholder != "body" {
			return nil
		}
		kind = kindNotes
	}
	// The first title names the tables of the slide.
	if kind == kindTitle && r.title == "" {
		r.title = strings.Join(strings.Fields(domain.Clean(string(text))), " ")
	}
	return r.texts.add(r.number, kind, string(text))
}

// paragraphs appends the paragraphs of a text, each as a line.
func paragraphs(s *scanner, into []byte) ([]byte, error) {
	for at := s.depth() - 1; s.depth() > at; {
		kind, err := s.next()
		if err != nil {
			return into, unexpectedEnd(err)
		}
		switch {
		case kind == startTag && string(s.name) == "t":
			if into, err = s.inner(into); err != nil {
				return into, err
			}
		case kind == startTag && string(s.name) == "br", kind == endTag && string(s.name) == "p":
			into = append(into, '\n')
		}
		// The limit is that of one text, also if it has many paragraphs.
		if len(into) > textMax {
			return into, errMalformed
		}
	}
	return into, nil
}

// table writes a table of a slide to the spool, and adds each of its rows to the texts of the slides.
func (r *slideReader) table(s *scanner) error {
	sheet := r.spool.Sheet()
	// Rows and columns are counted from 0.
	row, column := -1, 0
	var line []string
	for at := s.depth() - 1; s.depth() > at; {
		t, err := s.next()
		if err != nil {
			return unexpectedEnd(err)
		}
		name := string(s.name)
		switch {
		case t == endTag && name == "tr":
			if err := sheet.EndRow(); err != nil {
				return err
			}
			if err := r.texts.add(r.number, kindTable, strings.Join(line, " | ")); err != nil {
				return err
			}
		case t != startTag:
		case name == "tr":
			row, column, line = row+1, 0, line[:0]
			sheet.Row(row)
		case name == "tc":
			// A merged cell has its text in the first cell only.
			across, down := s.number("gridSpan", 1), s.number("rowSpan", 1)
			text, err := paragraphs(s, nil)
			if err != nil {
				return err
			}
			cell := strings.TrimSpace(string(text))
			if column >= r.columns {
				return domain.Errorf(domain.CodeInvalid, "A table has more than %d columns.", r.columns)
			}
			// A cell outside of a row is not allowed by the format.
			if row < 0 {
				return errMalformed
			}
			sheet.Cell(column, []byte(cell))
			if across > 1 || down > 1 {
				// The numbers come from the file, so they are limited before they are added.
				sheet.Merges = append(sheet.Merges, table.Merge{Top: row, Left: column, Bottom: row + min(max(down, 1), rowsMax) - 1, Right: column +
					min(max(across, 1), r.columns) - 1})
			}
			line = append(line, cell)
			column++
		}
	}
	// A table without rows is not a table.
	if sheet.Rows > 0 {
		r.tables = append(r.tables, sheet)
	}
	return nil
}
