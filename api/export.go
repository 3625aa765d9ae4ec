package api

// Other formats of a table: CSV is stored, JSON is a chart's own format, and the rest is written by
// a worker process (cmd/parley-worker). Names of files are made safe here as well.

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"parley.dev/parley/domain"
)

// formatJSON is the format in which a chart is stored.
const formatJSON = "json"

// opened are the bytes of a display object in some format. Close removes their temporary
// file, if there is one.
type opened struct {
	io.ReadSeekCloser
	size int64
	done func()
}

// Close implements io.Closer.
func (o *opened) Close() error {
	defer o.done()
	return o.ReadSeekCloser.Close() //nolint:wrapcheck // the HTTP server only logs it
}

// formatOf reads which format of an object is requested; empty means the format in which it
// is stored. For an unknown format it returns CodeInvalid with the formats that are offered.
func (s *Server) formatOf(o *domain.DisplayObject, asked string) (string, error) {
	asked = strings.ToLower(strings.TrimSpace(asked))
	// The object's own type and its extension both mean the stored format.
	own := []string{string(o.Type), strings.TrimPrefix(extension(o), ".")}
	if asked == "" || slices.Contains(own, asked) {
		return "", nil
	}
	var others []string
	if o.Type == domain.DisplayCSV && s.Exporter != nil {
		others = s.Exporter.Formats()
	}
	if slices.Contains(others, asked) {
		return asked, nil
	}
	offered := slices.Compact(slices.Sorted(slices.Values(append(own[1:], others...))))
	return "", domain.Invalid("format",
		`Format "`+domain.Shorten(asked, 20)+`" currently not supported. This object comes as `+strings.Join(offered, ", ")+".")
}

// export converts the object's table to another format. A child process writes it, into a
// temporary file that is removed when the answer was sent.
func (s *Server) export(ctx context.Context, o *domain.DisplayObject, format string) (*opened, error) {
	// The worker reads files by their path, so the store must have the file on this machine.
	path, err := s.Files.LocalPath(ctx, o.FileKey)
	if err != nil {
		return nil, err
	}
	return s.openGenerated(ctx, func(out string) error { return s.exportFile(ctx, path, format, o.Columns, out) })
}

// exportFile lets a worker write a table in another format. It waits until the caller has a
// free slot: the number of exports at once is limited for each person and for the node.
func (s *Server) exportFile(ctx context.Context, path, format string, columns []domain.ShownColumn, out string) error {
	caller := callerOf(ctx)
	// Exports and readings of files share one rate limit.
	if err := s.reads.allow(ctx, caller.UserID); err != nil {
		return err
	}
	release, err := s.Readings.Acquire(ctx, caller.UserID)
	if err != nil {
		return err
	}
	defer release()
	return s.Exporter.Export(ctx, path, format, columns, out)
}

// openGenerated calls write to write a file to a temporary folder, and opens it. Closing it
// removes the folder.
func (s *Server) openGenerated(ctx context.Context, write func(path string) error) (*opened, error) {
	// The folder has a name that cannot be guessed, and rights for this process alone
	// (os.MkdirTemp).
	dir, err := os.MkdirTemp(s.TempDir, "parley-export-")
	if err != nil {
		return nil, domain.Internal(err, "no folder for the export")
	}
	out := &opened{done: func() { s.removeAll(ctx, dir) }}
	path := filepath.Join(dir, "generated")
	// After each error the folder is removed here; after a success the HTTP server closes the
	// result when it is sent, also if the client has gone.
	if err := write(path); err != nil {
		out.done()
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		out.done()
		return nil, domain.Internal(err, "the export is missing")
	}
	out.ReadSeekCloser = file
	info, err := file.Stat()
	if err != nil {
		_ = out.Close() // only read from
		return nil, domain.Internal(err, "the export is missing")
	}
	out.size = info.Size()
	return out, nil
}

// mediaTypeOf returns the media type that is sent for a format.
func mediaTypeOf(format string) string {
	switch format {
	case formatJSON:
		return "application/json"
	case string(domain.DisplayXLSX):
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	default:
		return "application/octet-stream"
	}
}

// withExtension appends the extension of the format, unless the name has it already. It
// replaces the extension of the stored format.
func withExtension(name, format string) string {
	if strings.HasSuffix(strings.ToLower(name), "."+format) {
		return name
	}
	for _, before := range []string{".csv", ".json", ".xlsx"} {
		if stem := name[:max(0, len(name)-len(before))]; stem != "" && strings.EqualFold(name[len(stem):], before) {
			name = stem
			break
		}
	}
	return name + "." + format
}

// plainName turns any text into a file name that the rules for uploads accept.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune(" _-().", r) {
			return r
		}
		return '_'
	}, domain.Clean(name))
	// Two dots in a row are not allowed in the name of a file that is kept (docs/contract.md,
	// files).
	for strings.Contains(name, "..") {
		name = strings.ReplaceAll(name, "..", ".")
	}
	name = strings.TrimSpace(strings.TrimLeft(domain.Shorten(name, domain.DataSourceNameMax), ". "))
	// A name of which nothing is left is replaced.
	if strings.Trim(name, "._ ") == "" {
		return "table"
	}
	return name
}

// disposition is the Content-Disposition of a download. A name with characters that are not
// ASCII is sent twice: with these characters replaced, and complete in the encoding of RFC
// 8187.
func disposition(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, domain.Clean(name))
	plain := strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '_'
		}
		return r
	}, name)
	out := `attachment; filename="` + plain + `"`
	if plain == name {
		return out
	}
	var b strings.Builder
	for _, c := range []byte(name) {
		// These are the characters that RFC 8187 lets stand for themselves (attr-char); every other
		// byte is escaped.
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		const digits = "0123456789ABCDEF"
		b.WriteString(string([]byte{'%', digits[c>>4], digits[c&15]}))
	}
	return out + "; filename*=UTF-8''" + b.String()
}
