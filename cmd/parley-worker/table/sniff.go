package table

// The delimiter and the place of the header, which are found in the beginning of a file. People can
// name the delimiter themselves if the choice is wrong (Delimiter).

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"parley.dev/parley/domain"
)

const (
	sniffBytes = 256 << 10
	sniffRows  = 200
	// preambleMax is the maximum number of title rows above the header.
	preambleMax = 10
)

// delimiters are tried in this order. If several have the same score, the first is used.
const delimiters = ",;\t|"

// Delimiter parses the delimiter that a person chose: one ASCII character, tab or \t for the tab character, or auto, for
// which it returns 0. Errors: CodeInvalid.
func Delimiter(choice string) (byte, error) {
	switch choice {
	case "", "auto":
		return 0, nil
	case `\t`, "tab":
		return '\t', nil
	}
	// Quotation marks and line breaks have a meaning of their own in CSV.
	if c := choice[0]; len(choice) == 1 && c < utf8.RuneSelf && c != '"' && c != '\n' && c != '\r' && (c >= ' ' || c == '\t') {
		return c, nil
	}
	return 0, domain.Invalid("delimiter", "The delimiter must be one character, or auto")
}

// sample is the start of a file, split into rows by one delimiter.
type sample struct {
	comma byte
	rows  [][]string
	width int // the most frequent number of cells
	skip  int // rows above the header
	score float64
}

// sniff chooses the delimiter for which the largest share of rows has the same number of cells.
func sniff(start []byte, given byte, quotes bool, o Options) sample {
	if given != 0 {
		return split(start, given, quotes, o)
	}
	var best sample
	for i := range len(delimiters) {
		s := split(start, delimiters[i], quotes, o)
		if i == 0 || s.score > best.score {
			best = s
		}
	}
	return best
}

// split reads the sample with one delimiter and computes its score: the share of rows with the most frequent number of cells,
// and a small bonus for more cells.
func split(start []byte, comma byte, quotes bool, o Options) sample {
	s := sample{comma: comma}
	r := newReader(&byteReader{data: start}, comma, quotes, o.Line, o.Columns)
	r.exact = o.Exact
	counts := map[int]int{}
	for len(s.rows) < sniffRows {
		rec, err := r.next()
		if err != nil {
			// The sample may end inside a row. The first pass returns real errors.
			break
		}
		s.rows = append(s.rows, rec.texts())
		counts[rec.len()]++
	}
	// Of two widths that are equally frequent the greater one counts, whatever the order of the map
	// is.
	highest := 0
	for width, count := range counts {
		if count > highest || count == highest && width > s.width {
			highest, s.width = count, width
		}
	}
	// A row of titles above a table has one filled cell, and the rows of the table have several.
	for s.width > 1 && s.skip < min(preambleMax, len(s.rows)-1) && filled(s.rows[s.skip]) <= 1 {
		s.skip++
	}
	// With one column the score is 0: the delimiter may not be in the file at all.
	if s.width > 1 {
		s.score = float64(highest)/float64(len(s.rows)) + float64(min(s.width, 50))/1000
	}
	return s
}

func filled(row []string) int {
	n := 0
	for _, cell := range row {
		if cell != "" {
			n++
		}
	}
	return n
}

// byteReader reads a slice. Its last error is not io.EOF, so that a row that is cut at the end of the sample is not read as
// a complete row.
type byteReader struct{ data []byte }

var errSampleEnd = errors.New("end of sample")

// Read implements io.Reader.
func (b *byteReader) Read(p []byte) (int, error) {
	if len(b.data) == 0 {
		return 0, errSampleEnd
	}
	n := copy(p, b.data)
	b.data = b.data[n:]
	return n, nil
}

// head reads the start of a stream. If the stream is short, head adds a missing newline, so that the last row is complete.
func head(in io.Reader) ([]byte, error) {
	start := make([]byte, sniffBytes)
	n, err := io.ReadFull(in, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err //nolint:wrapcheck // the caller adds the name of the file
	}
	if start = start[:n]; n < sniffBytes && !bytes.HasSuffix(start, []byte("\n")) {
		start = append(start, '\n')
	}
	return start, nil
}
