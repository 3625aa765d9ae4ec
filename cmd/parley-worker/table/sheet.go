package table

// Sheets as people fill them, and the table in them. The sheet is read three times from the spool:
// a sample for the layout, all rows for the columns that are used, and the rows of the table.

import (
	"errors"
	"io"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

const (
	// headerDepth is the maximum number of rows of a header.
	headerDepth = 3
	encodingXML = "utf-8"
)

// OpenSheet is like Open, but for a sheet as people fill it: with titles above the header, blank rows and columns around the
// table, headers of several rows, and merged cells. Dates must be in ISO 8601, and numbers must have a decimal point.
func OpenSheet(sheet *Sheet, o Options) (*File, error) {
	sample, err := sheet.sample()
	if err != nil {
		return nil, err
	}
	l := sheet.layout(sample, o)
	if err := l.chooseColumns(sheet); err != nil {
		return nil, err
	}
	switch {
	case len(l.keep) == 0:
		return nil, domain.Errorf(domain.CodeInvalid, "The file holds no table.")
	// Only columns that are used count, and not blank ones around the table.
	case len(l.keep) > o.Columns:
		return nil, domain.Errorf(domain.CodeInvalid, "A sheet has more than %d columns.", o.Columns)
	}
	f := &File{Delimiter: ',', options: o, begin: func() (rows, string, error) {
		r, err := newSheetRows(sheet, l)
		return r, encodingXML, err
	}}
	// The headers are in the order of the columns that are kept.
	headers := make([]string, len(l.keep))
	for i, column := range l.keep {
		headers[i] = l.headers[column]
	}
	return f, f.scan(headers, len(headers))
}

// sample returns the first rows of the sheet. Each has all cells up to its last one that is filled.
func (s *Sheet) sample() ([]gridSample, error) {
	g, err := s.read()
	if err != nil {
		return nil, err
	}
	var out []gridSample
	for len(out) < sniffRows {
		row, err := g.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		one := gridSample{number: row.number}
		// Cells that are not in the spool are empty ones in between.
		for i, column := range row.columns {
			for len(one.cells) <= column {
				one.cells = append(one.cells, "")
			}
			one.cells[column] = strings.TrimSpace(Text(row.texts[i]))
		}
		out = append(out, one)
	}
	return out, nil
}

// gridSample is a row of the sample, with its number in the sheet.
type gridSample struct {
	number int
	cells  []string
}

// layout is the position of the table in a sheet.
type layout struct {
	body    int // the number of the first row of data
	headers map[int]string
	keep    []int   // the columns that are not empty
	merges  []Merge // the merged cells of the data that span several rows, sorted by their first row
}

// layout finds the header of a sheet.
func (s *Sheet) layout(sample []gridSample, o Options) *layout {
	l := &layout{headers: map[int]string{}}
	if len(sample) == 0 {
		return l
	}
	at := 0
	// A table that was made by this program has its header in its first row.
	if !o.Headed {
		at = s.skipTitles(sample)
	}
	below := make([][]string, 0, len(sample))
	for _, row := range sample[at+1:] {
		below = append(below, row.cells)
	}
	// Without a header the first row is data.
	l.body = sample[at].number
	if o.Headed || isHeader(sample[at].cells, below) {
		l.body = s.header(sample[at:], l.headers) + 1
	}
	for _, m := range s.Merges {
		// Only merges over rows matter in the body: those over columns have their text in one
		// column.
		if m.Top >= l.body && m.Bottom > m.Top {
			l.merges = append(l.merges, m)
		}
	}
	slices.SortFunc(l.merges, func(a, b Merge) int { return a.Top - b.Top })
	return l
}

// skipTitles returns the index of the first row that has more than half as many cells as most rows have. Titles, dates and
// notes above a table fill fewer cells. A row of several cells, one of which is merged over columns, is the first row of a
// header.
func (s *Sheet) skipTitles(sample []gridSample) int {
	counts := map[int]int{}
	for _, row := range sample {
		counts[filled(row.cells)]++
	}
	// Of two widths that are equally frequent the greater one is the table's.
	width, highest := 0, 0 // the most frequent number of cells, and how many rows have it
	for n, count := range counts {
		if count > highest || count == highest && n > width {
			width, highest = n, count
		}
	}
	at := 0
	// At least one row is left for the header.
	for width > 1 && at < min(preambleMax, len(sample)-1) {
		if n := filled(sample[at].cells); n > 1 && (2*n > width || s.groups(sample[at].number)) {
			break
		}
		at++
	}
	return at
}

// groups reports whether a row has a cell that is merged over columns.
func (s *Sheet) groups(number int) bool {
	return slices.ContainsFunc(s.Merges, func(m Merge) bool { return m.Top == number && m.Bottom == number && m.Right > m.Left })
}

// header reads the names of the columns into a map: from the first row of the header, and from the rows below it that belong
// to the header because of merged cells. It returns the number of the last row of the header.
func (s *Sheet) header(sample []gridSample, into map[int]string) int {
	first := sample[0].number
	last := first
	across := map[[2]int]Merge{}
	for _, m := range s.Merges {
		// Merges below the header belong to the data.
		if m.Top < first || m.Top >= first+headerDepth-1 {
			continue
		}
		if m.Top == first {
			last = max(last, min(m.Bottom, first+headerDepth-1))
			if m.Right > m.Left && m.Bottom == m.Top {
				last = max(last, first+1) // the columns that it spans have their names in the row below
			}
		}
		// By the first cell, because only that one has the text.
		across[[2]int{m.Top, m.Left}] = m
	}
	for _, row := range sample {
		if row.number > last {
			break
		}
		for column, cell := range row.cells {
			if cell == "" {
				continue
			}
			right := column
			if m, ok := across[[2]int{row.number, column}]; ok {
				// The number of columns is limited, since a file may declare a merge over all of
				// them.
				right = min(m.Right, m.Left+len(row.cells)+headerSpan)
			}
			for c := column; c <= right; c++ {
				// A name below is added to the one above: Revenue over 2024 becomes Revenue 2024.
				into[c] = strings.TrimSpace(into[c] + " " + cell)
			}
		}
	}
	return last
}

// headerSpan limits how many columns a merged header may span, in addition to the number of cells of its row.
const headerSpan = 2000

// chooseColumns keeps the columns that have a cell in the body, or a name in the header. Empty columns to the right of the
// body are left out if they have a name only because a merged cell spans them.
func (l *layout) chooseColumns(sheet *Sheet) error {
	g, err := sheet.read()
	if err != nil {
		return err
	}
	// A map, because sheets may have cells far to the right.
	used := map[int]bool{}
	body := false
	for {
		row, err := g.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if row.number < l.body {
			continue
		}
		body = true
		for _, column := range row.columns {
			used[column] = true
		}
	}
	// Names to the right of the data are kept only if they are their own.
	edge := -1 // the last column of the body
	for column := range used {
		edge = max(edge, column)
	}
	for column := range l.headers {
		if !body || column <= edge || sheet.named(column, l.body) {
			used[column] = true
		}
	}
	for column := range used {
		l.keep = append(l.keep, column)
	}
	slices.Sort(l.keep)
	return nil
}

// named reports whether a column has its own name above the body, and is not only spanned by a merged cell.
func (s *Sheet) named(column, body int) bool {
	for _, m := range s.Merges {
		if m.Top < body && column > m.Left && column <= m.Right {
			return false
		}
	}
	return true
}

// sheetRows iterates over the rows of the table in a sheet.
type sheetRows struct {
	in    *gridReader
	l     *layout
	place map[int]int // the index in the record, by the column of the sheet
	// after is the index of the first merge below the current row. open has the merges that contain the current row.
	after int
	open  []openMerge
	cells [][]byte
	rec   record
}

// openMerge is a block of merged cells with the text of its first cell.
type openMerge struct {
	Merge
	text []byte
}

func newSheetRows(sheet *Sheet, l *layout) (*sheetRows, error) {
	in, err := sheet.read()
	if err != nil {
		return nil, err
	}
	r := &sheetRows{in: in, l: l, place: make(map[int]int, len(l.keep)), cells: make([][]byte, len(l.keep))}
	for i, column := range l.keep {
		r.place[column] = i
	}
	return r, nil
}

// next implements rows.
func (r *sheetRows) next() (record, error) {
	for {
		row, err := r.in.next()
		if err != nil {
			return record{}, err
		}
		if row.number < r.l.body {
			continue
		}
		// A cell that is not in the row must not have the text of the row before.
		clear(r.cells)
		for i, column := range row.columns {
			if at, ok := r.place[column]; ok {
				r.cells[at] = row.texts[i]
			}
		}
		r.fillDown(row)
		// The record is a list of cells in one piece of memory, as for CSV.
		r.rec.row, r.rec.ends = r.rec.row[:0], r.rec.ends[:0]
		for _, cell := range r.cells {
			r.rec.row = append(r.rec.row, cell...)
			r.rec.ends = append(r.rec.ends, len(r.rec.row))
		}
		return r.rec, nil
	}
}

// fillDown fills the cells of a row that are merged with cells above. The merged value is meant for each of the rows,
// although only the first cell has it.
func (r *sheetRows) fillDown(row *gridRow) {
	// Merges that ended above this row are dropped.
	r.open = slices.DeleteFunc(r.open, func(m openMerge) bool { return m.Bottom < row.number })
	for ; r.after < len(r.l.merges) && r.l.merges[r.after].Top <= row.number; r.after++ {
		m := r.l.merges[r.after]
		if m.Top == row.number {
			// The text is copied, because the memory of the row is used again.
			r.open = append(r.open, openMerge{m, slices.Clone(row.cell(m.Left))})
		}
	}
	for _, m := range r.open {
		// A cell that has a text of its own keeps it.
		if at, ok := r.place[m.Left]; ok && len(r.cells[at]) == 0 {
			r.cells[at] = m.text
		}
	}
}
