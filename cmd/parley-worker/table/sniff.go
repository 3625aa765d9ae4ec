package table

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
	// preambleMax is how many rows above the header may be titles or blank.
	preambleMax = 10
)

// delimiters are tried in this order; a tie goes to the earlier.
const delimiters = ",;\t|"

// Delimiter reads what a person said: one ASCII character, a word for the
// tabulator, or auto, which gives 0.
func Delimiter(said string) (byte, error) {
	switch said {
	case "", "auto":
		return 0, nil
	case `\t`, "tab":
		return '\t', nil
	}
	if c := said[0]; len(said) == 1 && c < utf8.RuneSelf && c != '"' && c != '\n' && c != '\r' && (c >= ' ' || c == '\t') {
		return c, nil
	}
	return 0, domain.Invalid("delimiter", "The delimiter must be one character, or auto")
}

// sample is the start of a file, split by one delimiter.
type sample struct {
	comma byte
	rows  [][]string
	width int // the most usual number of cells
	skip  int // rows above the header
	score float64
}

// sniff chooses the delimiter that splits the start of the file most evenly.
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

// split reads the sample by one delimiter and scores how even it is.
func split(start []byte, comma byte, quotes bool, o Options) sample {
	s := sample{comma: comma}
	r := newReader(&byteReader{data: start}, comma, quotes, o.Line, o.Columns)
	r.exact = o.Exact
	counts := map[int]int{}
	for len(s.rows) < sniffRows {
		rec, err := r.next()
		if err != nil {
			// The sample may end inside a row; what is wrong is said by the first pass.
			break
		}
		s.rows = append(s.rows, rec.texts())
		counts[rec.len()]++
	}
	most := 0
	for width, count := range counts {
		if count > most || count == most && width > s.width {
			most, s.width = count, width
		}
	}
	// Titles above a table have one cell where the table has several.
	for s.width > 1 && s.skip < min(preambleMax, len(s.rows)-1) && filled(s.rows[s.skip]) <= 1 {
		s.skip++
	}
	if s.width > 1 {
		s.score = float64(most)/float64(len(s.rows)) + float64(min(s.width, 50))/1000
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

// byteReader reads a slice; it ends with an error that is not io.EOF, so that a
// row cut by the end of the sample is not taken for a whole one.
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

// head reads the start of a stream, whole when it is short: then its last row counts.
func head(in io.Reader) ([]byte, error) {
	start := make([]byte, sniffBytes)
	n, err := io.ReadFull(in, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err //nolint:wrapcheck // the caller names the file
	}
	if start = start[:n]; n < sniffBytes && !bytes.HasSuffix(start, []byte("\n")) {
		start = append(start, '\n')
	}
	return start, nil
}
