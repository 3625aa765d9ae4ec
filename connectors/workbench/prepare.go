package workbench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	maxFileColumns = 2000
	maxFileLine    = 1 << 20
	maxFileRows    = 20_000_000
	madeFile       = "made.duckdb"
)

// InspectCSV reads a CSV file in a worker and says what it is. title is what
// people call its table. Errors: CodeInvalid, CodeTooLarge, CodeTooMany, CodeUnavailable.
func (b *Bench) InspectCSV(ctx context.Context, path, title, delimiter string) (*domain.FileInfo, error) {
	return b.csv(ctx, path, title, delimiter, "")
}

// PrepareCSV is InspectCSV and leaves the database that queries read at workPath,
// which is replaced whole or not touched.
func (b *Bench) PrepareCSV(ctx context.Context, path, title, delimiter, workPath string) (*domain.FileInfo, error) {
	return b.csv(ctx, path, title, delimiter, workPath)
}

func (b *Bench) csv(ctx context.Context, path, title, delimiter, workPath string) (*domain.FileInfo, error) {
	release, err := b.reading.take(ctx, b.config.Clock, b.config.Wait)
	if err != nil {
		return nil, err
	}
	defer release()
	if !b.running() {
		return nil, closedError()
	}
	// The worker gets the file as an open descriptor: it need not reach the path.
	upload, err := os.Open(path)
	if err != nil {
		return nil, domain.Internal(err, "open the upload")
	}
	if info, err := upload.Stat(); err != nil || info.Size() > domain.UploadMax {
		_ = upload.Close() // only read
		if err != nil {
			return nil, domain.Internal(err, "look at the upload")
		}
		return nil, domain.Errorf(domain.CodeTooLarge, "The file is larger than %d MB.", domain.UploadMax>>20)
	}
	w, err := b.spawn(ctx, prepareLimits(b.config.PrepareDeadline), upload)
	_ = upload.Close() // only read, and the worker has its own
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("read a file: %w", context.Cause(ctx))
		}
		b.config.Log.ErrorContext(ctx, "worker did not start", slog.Any("error", err))
		return nil, busyError(domain.CodeUnavailable)
	}
	defer w.end()
	request := frame.CSV{
		Delimiter: delimiter, Title: title,
		Caps: frame.CSVCaps{Bytes: domain.UploadMax, Line: maxFileLine, Columns: maxFileColumns, Rows: maxFileRows},
	}
	if workPath != "" {
		request.Out = madeFile
	}
	reply, err := w.ask(ctx, b.config.Clock, b.config.PrepareDeadline, frame.Request{Kind: frame.KindCSV, CSV: &request})
	if err != nil {
		return nil, b.unread(ctx, w, err)
	}
	if reply.File == nil {
		return nil, fileFault(reply.Fault)
	}
	if workPath != "" {
		// The worker is done writing only when it is gone.
		w.kill()
		<-w.exited
		if err := moveFile(filepath.Join(w.dir, madeFile), workPath); err != nil {
			return nil, domain.Internal(err, "keep the prepared file")
		}
	}
	return fileInfo(title, reply.File), nil
}

// unread words the end of a worker that gave no answer about a file.
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

// fileFault is a fault about a file; the field is named for forms.
func fileFault(f *frame.Fault) error {
	err := faultError(f)
	var known *domain.Error
	if errors.As(err, &known) && known.Code == domain.CodeInvalid {
		return domain.Invalid("file", known.Message)
	}
	return err
}

// fileInfo makes a worker's file ours. A worker read a stranger's bytes, so its
// words are bounded again.
func fileInfo(title string, f *frame.File) *domain.FileInfo {
	description := domain.Clean(domain.Shorten(f.Description, domain.DataSourceDescriptionMax))
	columns := columnsOf(f.Columns)
	for i := range columns {
		if note := f.Columns[i].Note; note != "" && columns[i].Description != "" {
			columns[i].Description += ", " + note
		} else if note != "" {
			columns[i].Description = note
		}
	}
	return &domain.FileInfo{
		Type: domain.DataSourceCSV, Delimiter: f.Delimiter, Encoding: f.Encoding, Name: title, Description: description,
		Resources: []domain.DataResource{{
			Name: title, Table: f.Table, Description: description, Columns: columns,
			Rows: f.Rows, Preview: domain.Clean(f.Preview),
		}},
	}
}

// moveFile puts a worker's file at a path of ours, owned by us and read-only.
func moveFile(from, to string) error {
	// A link or a device in place of the file would be the worker's doing.
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
	// Another file system: copied beside its place first, so that the place never holds half.
	half := to + ".part"
	if err := copyFile(from, half); err != nil {
		return errors.Join(err, os.RemoveAll(half))
	}
	if err := os.Rename(half, to); err != nil {
		return fmt.Errorf("place the prepared file: %w", err)
	}
	return nil
}
