package workbench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	maxFileColumns = 2000
	maxFileLine    = 1 << 20
	maxFileRows    = 20_000_000
	madeFile       = "made.duckdb"

	// The limits of a workbook or a presentation.
	maxUnpacked = 200 << 20
	maxRatio    = 100
	maxParts    = 10_000
	maxSheets   = 256
	maxTexts    = 5_000_000
	maxSpooled  = 512 << 20
)

// InspectCSV reads a CSV file in a worker and describes it. title is the name of its table
// for people. Errors: CodeInvalid, CodeTooLarge, CodeTooMany, CodeUnavailable.
func (b *Bench) InspectCSV(ctx context.Context, path, title, delimiter string) (*domain.FileInfo, error) {
	return b.PrepareCSV(ctx, path, title, delimiter, "")
}

// PrepareCSV is InspectCSV, and also writes the database that queries read to workPath,
// which is replaced atomically or not changed.
func (b *Bench) PrepareCSV(ctx context.Context, path, title, delimiter, workPath string) (*domain.FileInfo, error) {
	return b.prepare(ctx, domain.DataSourceCSV, path, workPath, nil, func(out string) frame.Request {
		return frame.Request{Kind: frame.KindCSV, CSV: &frame.CSV{Delimiter: delimiter, Title: title, Out: out, Caps: csvCaps()}}
	})
}

// InspectXLSX is InspectCSV for a workbook: each sheet that is not empty is a table.
func (b *Bench) InspectXLSX(ctx context.Context, path, title string) (*domain.FileInfo, error) {
	return b.PrepareXLSX(ctx, path, title, "")
}

// PrepareXLSX is PrepareCSV for a workbook.
func (b *Bench) PrepareXLSX(ctx context.Context, path, title, workPath string) (*domain.FileInfo, error) {
	return b.prepare(ctx, domain.DataSourceXLSX, path, workPath, nil, func(out string) frame.Request {
		return frame.Request{Kind: frame.KindXLSX, Document: documentOf(title, out)}
	})
}

// InspectPPTX is InspectCSV for a presentation: the text of its slides is a table, and so
// is each table on them.
func (b *Bench) InspectPPTX(ctx context.Context, path, title string) (*domain.FileInfo, error) {
	return b.PreparePPTX(ctx, path, title, "")
}

// PreparePPTX is PrepareCSV for a presentation.
func (b *Bench) PreparePPTX(ctx context.Context, path, title, workPath string) (*domain.FileInfo, error) {
	return b.prepare(ctx, domain.DataSourcePPTX, path, workPath, nil, func(out string) frame.Request {
		return frame.Request{Kind: frame.KindPPTX, Document: documentOf(title, out)}
	})
}

func csvCaps() frame.CSVCaps {
	return frame.CSVCaps{Bytes: domain.UploadMax, Line: maxFileLine, Columns: maxFileColumns, Rows: maxFileRows}
}

func documentOf(title, out string) *frame.Document {
	return &frame.Document{Title: title, Out: out, Caps: frame.DocumentCaps{
		Bytes: domain.UploadMax, Unpacked: maxUnpacked, Ratio: maxRatio, Parts: maxParts, Sheets: maxSheets,
		Columns: maxFileColumns, Rows: maxFileRows, Texts: maxTexts, Spooled: maxSpooled,
	}}
}

// prepare reads a file in a worker, or the files of its tables. Without a workPath it only
// inspects.
func (b *Bench) prepare(
	ctx context.Context, kind domain.DataSourceType, path, workPath string, files map[string]string, request func(out string) frame.Request,
) (*domain.FileInfo, error) {
	out := ""
	if workPath != "" {
		out = madeFile
	}
	reply, err := b.read(ctx, path, request(out), workPath, files)
	if err != nil {
		return nil, err
	}
	if reply.File == nil || len(reply.File.Tables) == 0 {
		return nil, fileFault(reply.Fault)
	}
	return fileInfo(kind, reply.File), nil
}

// read lets a new worker read files and returns the worker's reply. The worker gets the
// file at path as an open descriptor; files are moved to the worker's folder, under their
// names there. The file that the worker has made is moved to made, unless made is empty.
func (b *Bench) read(ctx context.Context, path string, request frame.Request, made string, files map[string]string) (*frame.Reply, error) {
	release, err := b.admit(ctx, b.reading, 0)
	if err != nil {
		return nil, err
	}
	defer release()
	w, err := b.reader(ctx, path)
	if err != nil {
		return nil, err
	}
	defer w.end()
	for name, from := range files {
		if err := moveFile(from, filepath.Join(w.dir, name)); err != nil {
			return nil, domain.Internal(err, "hand a file to a worker")
		}
	}
	reply, err := w.ask(ctx, b.config.Clock, b.config.PrepareDeadline, request)
	if err != nil {
		return nil, b.unread(ctx, w, err)
	}
	if made != "" && reply.Fault == nil {
		// The worker can write to the file until it has ended.
		w.kill()
		<-w.exited
		if err := moveFile(filepath.Join(w.dir, madeFile), made); err != nil {
			return nil, domain.Internal(err, "keep the prepared file")
		}
	}
	return reply, nil
}

// reader starts a worker that reads the file at path, which may be empty. The worker gets
// an open descriptor, so it needs no access to the path.
func (b *Bench) reader(ctx context.Context, path string) (*worker, error) {
	var open []*os.File
	if path != "" {
		upload, err := os.Open(path)
		if err != nil {
			return nil, domain.Internal(err, "open the upload")
		}
		defer func() { _ = upload.Close() }() // only read, and the worker has its own descriptor
		info, err := upload.Stat()
		if err != nil {
			return nil, domain.Internal(err, "look at the upload")
		}
		if info.Size() > domain.UploadMax {
			return nil, domain.Errorf(domain.CodeTooLarge, "The file is larger than %d MB.", domain.UploadMax>>20)
		}
		open = append(open, upload)
	}
	w, err := b.spawn(ctx, prepareLimits(b.config.PrepareDeadline), open...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("read a file: %w", context.Cause(ctx))
		}
		b.config.Log.ErrorContext(ctx, "worker did not start", slog.Any("error", err))
		return nil, connectors.Busy(domain.CodeUnavailable)
	}
	return w, nil
}

// unread returns the error for a worker that ended without an answer about a file.
func (b *Bench) unread(ctx context.Context, w *worker, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("read a file: %w", context.Cause(ctx))
	}
	b.config.Log.WarnContext(ctx, "worker died", slog.Any("error", err), slog.String("stderr", w.said()))
	if w.late() {
		return domain.Errorf(domain.CodeInvalid, "Reading the file took longer than %s.", b.config.PrepareDeadline)
	}
	return domain.Errorf(domain.CodeInvalid, "The file could not be read within the limits of memory and time.").WithCause(err)
}

// fileFault returns the error for a fault about a file, with the field's name for forms.
func fileFault(f *frame.Fault) error {
	err := faultError(f)
	var known *domain.Error
	if errors.As(err, &known) && known.Code == domain.CodeInvalid {
		return domain.Invalid("file", known.Message)
	}
	return err
}

// fileInfo converts a worker's description of a file. The worker has read untrusted bytes,
// so its texts are bounded again.
func fileInfo(kind domain.DataSourceType, f *frame.File) *domain.FileInfo {
	info := &domain.FileInfo{
		Type: kind, Delimiter: f.Delimiter, Encoding: f.Encoding, Description: shown(f.Description),
		Resources: make([]domain.DataResource, 0, len(f.Tables)),
	}
	for _, t := range f.Tables {
		columns := columnsOf(t.Columns)
		for i := range columns {
			if note := t.Columns[i].Note; note != "" && columns[i].Description != "" {
				columns[i].Description += ", " + note
			} else if note != "" {
				columns[i].Description = note
			}
		}
		info.Resources = append(info.Resources, domain.DataResource{
			Name: domain.Clean(domain.Shorten(t.Title, domain.DataSourceNameMax)), Table: t.Name, Description: shown(t.Description),
			Columns: columns, Rows: t.Rows, Preview: domain.Clean(t.Preview),
		})
	}
	return info
}

func shown(description string) string {
	return domain.Clean(domain.Shorten(description, domain.DataSourceDescriptionMax))
}

// moveFile moves a worker's file to another path, makes this process's user its owner, and
// makes it read-only.
func moveFile(from, to string) error {
	// If there is a link or a device instead of a file, an attacked worker has created it.
	info, err := os.Lstat(from)
	if err != nil {
		return fmt.Errorf("find the prepared file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return errors.New("the prepared file is no file")
	}
	if err := os.Chown(from, os.Getuid(), os.Getgid()); err != nil {
		return fmt.Errorf("take the prepared file: %w", err)
	}
	if err := os.Chmod(from, readOnly); err != nil {
		return fmt.Errorf("protect the prepared file: %w", err)
	}
	if os.Rename(from, to) == nil {
		return nil
	}
	// The path is on another file system: the file is copied next to it first, so that the
	// path never has an incomplete file.
	half := to + ".part"
	if err := copyFile(from, half); err != nil {
		return errors.Join(err, os.RemoveAll(half))
	}
	if err := os.Rename(half, to); err != nil {
		return fmt.Errorf("place the prepared file: %w", err)
	}
	return nil
}
