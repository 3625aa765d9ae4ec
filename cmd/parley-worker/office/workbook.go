package office

// Workbooks (ECMA-376, part 1, 18). Sheets, styles and shared texts are parts of a container
// (container.go). Formulas are not computed: the value that was saved with them is read.

import (
	"io"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/domain"
)

// Workbook is an open .xlsx.
type Workbook struct {
	Sheets []WorkbookSheet

	c      *container
	styles []numberStyle
	texts  texts
	epoch  epoch
}

// WorkbookSheet is a sheet of a workbook.
type WorkbookSheet struct {
	Name string
	part string
}

// OpenWorkbook reads the list of sheets, the formats of dates, and the texts that cells share. Errors: CodeInvalid,
// CodeTooLarge.
func OpenWorkbook(file io.ReaderAt, size int64, l Limits) (*Workbook, error) {
	c, err := open(file, size, l)
	if err != nil {
		return nil, err
	}
	w := &Workbook{c: c}
	main, err := c.main("xl/workbook.xml")
	if err != nil {
		return nil, err
	}
	parts, err := c.relations(main)
	if err != nil {
		return nil, err
	}
	if err := w.readBook(main, parts); err != nil {
		return nil, err
	}
	// The order of these two parts does not matter, and each may be missing.
	for _, r := range parts {
		switch r.kind {
		case "styles":
			err = c.each(r.target, w.readStyles)
		case "sharedStrings":
			err = c.each(r.target, w.readTexts)
		}
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

// readBook lists the sheets.
func (w *Workbook) readBook(main string, parts map[string]relation) error {
	count := 0
	err := w.c.each(main, func(s *scanner) error {
		return walk(s, func(element string) error {
			switch element {
			case "workbookPr":
				// Workbooks of old Macintosh programs count days from 1904.
				if v, _ := s.attr("date1904"); v == "1" || v == "true" {
					w.epoch = epoch1904
				}
			case "sheet":
				// All sheets count for the limit, also charts.
				if count++; count > w.c.limits.Sheets {
					return nil
				}
				name, _ := s.attr("name")
				id := s.prefixed("id")
				// The list of sheets also contains charts and dialogs.
				if r, ok := parts[id]; ok && r.kind == "worksheet" {
					w.Sheets = append(w.Sheets, WorkbookSheet{Name: domain.Clean(name), part: r.target})
				}
			}
			return nil
		})
	})
	// The whole list was counted, so the error can name the number.
	if err == nil && count > w.c.limits.Sheets {
		return domain.Errorf(domain.CodeInvalid, "The workbook has %d sheets, and %d are the most.", count, w.c.limits.Sheets)
	}
	if err == nil && len(w.Sheets) == 0 {
		return domain.Errorf(domain.CodeInvalid, "The workbook has no sheet that can be read.")
	}
	return err
}

// ReadSheet copies the cells of a sheet to a spool. Errors: CodeInvalid, CodeTooLarge.
func (w *Workbook) ReadSheet(sheet WorkbookSheet, into *table.Sheet) error {
	in, err := w.c.part(sheet.part)
	if err != nil {
		return err
	}
	// A relation may name a part that the container does not have.
	if in == nil {
		return unreadable()
	}
	defer func() { _ = in.Close() }() // only read from
	// The row begins at -1, so that the first row without a number is row 0.
	r := &sheetReader{s: newScanner(in), book: w, into: into, columns: w.c.limits.Columns, row: -1}
	return userError(r.read())
}

// texts are the shared texts of a workbook, concatenated. ends has the end of each text in bytes.
// They are one piece of memory, because a slice for each text would need 24 bytes more.
type texts struct {
	bytes []byte
	ends  []uint32
}

// get returns a text; nil for a number that the workbook does not have.
func (t *texts) get(i int) []byte {
	if i < 0 || i >= len(t.ends) {
		return nil
	}
	from := uint32(0)
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.bytes[from:t.ends[i]]
}

// readTexts reads the shared texts.
func (w *Workbook) readTexts(s *scanner) error {
	return walk(s, func(element string) error {
		if element != "si" {
			return nil
		}
		// Even an empty text has an entry in ends, so the number of texts is limited as well as
		// their size.
		if len(w.texts.ends) >= w.c.limits.Texts {
			return domain.Errorf(domain.CodeInvalid, "The workbook has more than %d different texts.", w.c.limits.Texts)
		}
		from := len(w.texts.bytes)
		var err error
		w.texts.bytes, err = richText(s, w.texts.bytes)
		// The escapes are replaced in place, which can only make the text shorter.
		w.texts.bytes = w.texts.bytes[:from+len(unescapeX(w.texts.bytes[from:]))]
		w.texts.ends = append(w.texts.ends, uint32(len(w.texts.bytes))) //nolint:gosec // at most what may be unpacked
		return err
	})
}

// richText appends the runs of a text, and leaves out phonetic hints.
func richText(s *scanner, into []byte) ([]byte, error) {
	from := len(into)
	for at := s.depth() - 1; ; {
		kind, err := s.next()
		// The loop ends at the end of the element that the caller has opened.
		if err != nil {
			return into, unexpectedEnd(err)
		}
		if s.depth() == at {
			return into, nil
		}
		if kind != startTag {
			continue
		}
		switch string(s.name) {
		case "t":
			if into, err = s.inner(into); err != nil {
				return into, err
			}
			if len(into)-from > textMax {
				return into, errMalformed
			}
		// Phonetic hints of East Asian texts would repeat the text.
		case "rPh":
			if err := s.skip(); err != nil {
				return into, err
			}
		}
	}
}

// unescapeX replaces escapes such as _x000D_, in place. Excel uses them for characters that XML cannot contain.
func unescapeX(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		if b[i] == '_' && i+6 < len(b) && b[i+1] == 'x' && b[i+6] == '_' {
			// Only ASCII is replaced: other characters can stand in XML as they are.
			if n, ok := hex4(b[i+2 : i+6]); ok && n < 0x80 {
				out = append(out, byte(n)) //nolint:gosec // below 0x80
				i += 6
				continue
			}
		}
		out = append(out, b[i])
	}
	return out
}

// hex4 parses four hexadecimal digits.
func hex4(b []byte) (n int, ok bool) {
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | int(c-'0')
		case c >= 'A' && c <= 'F':
			n = n<<4 | int(c-'A'+10)
		case c >= 'a' && c <= 'f':
			n = n<<4 | int(c-'a'+10)
		default:
			return 0, false
		}
	}
	return n, true
}
