package main

// Workbooks and presentations: their sheets are copied to a spool and then read as tables, like a
// CSV file. All limits of a file are for its tables together.

import (
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"strings"

	"parley.dev/parley/cmd/parley-worker/office"
	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	spoolFile = "spool"
	// documentMemory is the limit of the Go heap. It is larger than goMemory because the shared texts of a
	// workbook are in memory.
	documentMemory = 512 << 20
)

// document is an upload that is read as sheets.
type document struct {
	upload   *os.File
	size     int64
	limits   office.Limits
	options  table.Options
	spool    *table.Spool
	reserved map[string]bool
}

// openDocument prepares the reading of an upload. Files are created in the worker's folder.
func openDocument(db *database, q frame.Document) (*document, error) {
	debug.SetMemoryLimit(documentMemory)
	upload, size, err := openUpload(q.Caps.Bytes)
	if err != nil {
		return nil, err
	}
	reserved, err := reservedWords(db)
	if err != nil {
		return nil, err
	}
	// O_EXCL: the folder is new, so an existing file would be a mistake.
	file, err := os.OpenFile(spoolFile, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make the spool: %w", err)
	}
	c := q.Caps
	return &document{
		upload: upload, size: size, reserved: reserved, spool: table.NewSpool(file, c.Spooled),
		limits:  office.Limits{Unpacked: c.Unpacked, Ratio: c.Ratio, Parts: c.Parts, Sheets: c.Sheets, Columns: c.Columns, Texts: c.Texts},
		options: table.Options{Columns: c.Columns, Rows: c.Rows, Reserved: reserved},
	}, nil
}

// add reads a sheet as a table, unless it is empty. The limit of rows is for all tables of the file together.
func (d *document) add(tables []namedTable, title string, sheet *table.Sheet, headed bool) ([]namedTable, error) {
	if sheet.Rows == 0 {
		return tables, nil
	}
	o := d.options
	o.Headed = headed
	file, err := table.OpenSheet(sheet, o)
	if err != nil {
		return nil, fmt.Errorf("read a table: %w", err)
	}
	d.options.Rows -= file.Rows
	return append(tables, namedTable{title: title, file: file}), nil
}

// prepareWorkbook makes a table of each sheet that is not empty.
func prepareWorkbook(db *database, q frame.Document) (*frame.File, error) {
	d, err := openDocument(db, q)
	if err != nil {
		return nil, err
	}
	book, err := office.OpenWorkbook(d.upload, d.size, d.limits)
	if err != nil {
		return nil, err
	}
	var tables []namedTable
	for _, s := range book.Sheets {
		// Only one sheet of a spool is written at a time, and it can be read as often as needed.
		sheet := d.spool.Sheet()
		if err := book.ReadSheet(s, sheet); err != nil {
			return nil, err
		}
		if tables, err = d.add(tables, sheetTitle(s.Name), sheet, false); err != nil {
			return nil, err
		}
	}
	if len(tables) == 1 && unnamed().MatchString(tables[0].title) {
		tables[0].title = q.Title // the sheet still has the default name of a new sheet
	}
	return writeFile(db, q.Title, q.Out, tables, d.reserved, "The workbook holds no table.")
}

// unnamed matches the default names that spreadsheet programs give to a new sheet.
func unnamed() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(sheet|tabelle|feuil|hoja|foglio|blad|planilha|лист|sheet ?)\d*$`)
}

// sheetTitle returns the name of a sheet as words with spaces between them.
func sheetTitle(name string) string {
	title := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == ' ' || r == '-' }), " ")
	if domain.Blank(title) {
		return "Sheet"
	}
	return domain.Shorten(title, domain.DataSourceNameMax)
}

// prepareSlides makes one table of the texts of all slides, and one table of each table on a slide.
func prepareSlides(db *database, q frame.Document) (*frame.File, error) {
	d, err := openDocument(db, q)
	if err != nil {
		return nil, err
	}
	slides, err := office.OpenSlides(d.upload, d.size, d.limits)
	if err != nil {
		return nil, err
	}
	texts, onSlides, err := slides.Read(d.spool)
	if err != nil {
		return nil, err
	}
	var tables []namedTable
	// Slides without any text are no table of texts, though they may have tables.
	if texts.Rows > 1 { // the first row is the header
		if tables, err = d.add(tables, "Slides", texts, true); err != nil {
			return nil, err
		}
	}
	// A table is named after the title of its slide. Equal names are made different when the tables
	// are written.
	for _, t := range onSlides {
		title := fmt.Sprintf("Slide %d table", t.Slide)
		if t.Title != "" {
			title = domain.Shorten(t.Title, domain.DataSourceNameMax)
		}
		if tables, err = d.add(tables, title, t.Sheet, false); err != nil {
			return nil, err
		}
	}
	return writeFile(db, q.Title, q.Out, tables, d.reserved, "The presentation holds no text.")
}

// writeFile writes the tables of a file to a database and describes the file. empty is the error message for a file
// without tables.
func writeFile(db *database, title, out string, tables []namedTable, reserved map[string]bool, empty string) (*frame.File, error) {
	if len(tables) == 0 {
		return nil, domain.Errorf(domain.CodeInvalid, "%s", empty)
	}
	made, err := write(db, tables, reserved, out)
	if err != nil {
		return nil, err
	}
	description := made[0].Description
	if len(made) > 1 {
		description = describeAll(title, made)
	}
	return &frame.File{Description: description, Tables: made}, nil
}
