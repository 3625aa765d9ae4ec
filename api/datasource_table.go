package api

// Downloads of a connector: the stored bytes, or one table that is queried and written in another
// format. The media type is always one that a browser saves and does not run.

import (
	"context"
	"encoding/csv"
	"io"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// variants are the formats in which a table of a data source can be exported.
func (s *Server) variants() []string {
	formats := []string{string(domain.DataSourceCSV)}
	if s.Exporter != nil {
		formats = append(formats, s.Exporter.Formats()...)
	}
	return formats
}

// sendStored sends the file as it was uploaded.
func (s *Server) sendStored(ctx context.Context, d *domain.DataSource, ranged string) (*streamResponse, error) {
	size, err := s.Files.Size(ctx, d.FileKey)
	if err != nil {
		return nil, err
	}
	section, err := parseRange(ranged, size)
	if err != nil {
		return nil, rangeProblem(ctx, size)
	}
	// The bytes are sent after this handler returned: the context must live as long.
	reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	content, err := s.Files.Get(reading, d.FileKey, section.offset, section.length)
	if err != nil {
		cancel()
		return nil, err
	}
	name := d.FileName
	// The name of an uploaded file may be the name of a program.
	if mediaTypeOfFile(name) == mediaTypeUnknown && !strings.EqualFold(filepath.Ext(name), "."+string(d.Type)) {
		name += "." + string(d.Type)
	}
	return sendAttachment(attachment{
		bytes: &closing{ReadCloser: content, done: cancel}, section: section, size: size, mediaType: mediaTypeOfFile(name), name: name,
	}), nil
}

// mediaTypeOfFile is the media type of an uploaded file: never one that a browser would run.
func mediaTypeOfFile(name string) string {
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".csv":
		return "text/csv"
	case ".tsv", ".txt", ".tab":
		return "text/plain"
	case ".xlsx":
		return mediaTypeOf(string(domain.DisplayXLSX))
	// All formats of workbooks and presentations other than this one are sent as unknown content.
	default:
		return mediaTypeUnknown
	}
}

// mediaTypeUnknown is the media type of unknown content.
const mediaTypeUnknown = "application/octet-stream"

// headed sets the headings of the columns of a whole table to the headings of its preview,
// which are the headings of the file. Queries use other names: umsatz_eur for Umsatz (EUR).
func headed(columns []domain.Column, preview string) []domain.Column {
	headings, err := csv.NewReader(strings.NewReader(preview)).Read()
	if err != nil || len(headings) != len(columns) {
		return columns // a table without a preview has the names of its columns
	}
	out := slices.Clone(columns)
	for i, heading := range headings {
		out[i].Name = heading
	}
	return out
}

// sendTable sends one table as analysts see it, in another format. The query that reads it
// has the limits of every query, so a large table is refused.
func (s *Server) sendTable(ctx context.Context, d *domain.DataSource, resource int64, format, ranged string) (*streamResponse, error) {
	// Without an id it is the first table.
	at := 0
	if resource != 0 {
		at = slices.IndexFunc(d.Resources, func(r domain.DataResource) bool { return r.ID == resource })
	}
	if at < 0 || at >= len(d.Resources) {
		return nil, domain.NotFound("Table")
	}
	table := &d.Resources[at]
	// The name of the table is quoted as an SQL identifier. The query runs in the workbench, with
	// the rows and bytes of every query as its limit.
	result, err := s.Workbench.Query(ctx, []domain.DataSource{*d}, "SELECT * FROM "+sqltext.QuoteName(table.Table))
	if err != nil {
		return nil, err
	}
	// A table that is cut would look complete in a spreadsheet, so it is refused instead.
	if result.Truncated {
		return nil, domain.Errorf(domain.CodeTooLarge, "The table is too large to be converted. Download the file as it is.")
	}
	result.Columns = headed(result.Columns, table.Preview)
	// CSV is written directly. For other formats it is a second file next to the result, from which
	// the worker reads; both are in the temporary folder.
	made, err := s.openGenerated(ctx, func(path string) error {
		text := path
		if format != string(domain.DataSourceCSV) {
			text += ".csv"
		}
		if err := os.WriteFile(text, []byte(result.CSV(-1)), 0o600); err != nil {
			return domain.Internal(err, "the table cannot be written")
		}
		if text == path {
			return nil
		}
		return s.exportFile(ctx, text, format, nil, path)
	})
	if err != nil {
		return nil, err
	}
	section, err := parseRange(ranged, made.size)
	if err == nil {
		_, err = made.Seek(section.offset, io.SeekStart)
	}
	if err != nil {
		_ = made.Close() // only read from
		return nil, rangeProblem(ctx, made.size)
	}
	mediaType := mediaTypeOf(format)
	if format == string(domain.DataSourceCSV) {
		// The text is always UTF-8, and the media type says so.
		mediaType = mime.FormatMediaType("text/csv", map[string]string{"charset": "utf-8"})
	}
	return sendAttachment(attachment{
		bytes: limited{io.LimitReader(made, section.length), made}, section: section, size: made.size,
		mediaType: mediaType, name: withExtension(plainName(table.Name), format),
	}), nil
}
