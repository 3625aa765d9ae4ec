package intake

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// releaseTimeout bounds how long a request waits at its end.
const releaseTimeout = 5 * time.Second

// preparedMax is the maximum size of a prepared database, which holds statistics and
// indexes in addition to the data.
const preparedMax = 8 * domain.UploadMax

// upload implements domain.Upload. It belongs to one request.
type upload struct {
	service  *Service
	caller   domain.Caller
	request  string
	replaced int64

	// file has its keys from the beginning. They are entered in the account before anything
	// is stored under them; keys are the entered ones.
	file domain.DataSourceFile
	keys []string
}

// Keep implements domain.Upload.
func (u *upload) Keep(ctx context.Context, r io.Reader) (int64, error) {
	r, err := sniffed(r)
	if err != nil {
		return 0, err
	}
	room := int64(domain.UploadMax)
	if quota := u.service.cfg.Quota; quota != nil {
		if room, err = quota.UploadRoom(ctx, u.caller, u.request, u.replaced); err != nil {
			return 0, err
		}
	}
	if err := u.note(ctx, u.file.FileKey, u.file.WorkKey); err != nil {
		return 0, err
	}
	n, err := u.service.cfg.Files.Put(ctx, u.file.FileKey, "application/octet-stream", r, min(room, domain.UploadMax))
	if domain.CodeOf(err) == domain.CodeTooLarge {
		err = tooLarge(room)
	}
	return n, err
}

// note enters keys in the account before anything is stored under them.
func (u *upload) note(ctx context.Context, keys ...string) error {
	if err := u.service.cfg.Account.Begin(ctx, u.caller.OrganisationID, keys...); err != nil {
		return err
	}
	u.keys = keys
	return nil
}

// Prepare implements domain.Upload.
func (u *upload) Prepare(ctx context.Context, f *domain.UploadedFile) (*domain.DataSourceFile, error) {
	path, err := u.service.cfg.Files.LocalPath(ctx, u.file.FileKey)
	if err != nil {
		return nil, err
	}
	reader, err := u.service.reader(path, f)
	if err != nil {
		return nil, err
	}
	info, err := u.prepare(ctx, reader, path, f)
	if err != nil {
		return nil, err
	}
	if info.Notice != "" {
		u.file.WorkKey = "" // there is nothing to query yet
	}
	return &u.file, nil
}

// prepare writes the database that queries read and stores it, unless the file can only
// be kept.
func (u *upload) prepare(
	ctx context.Context, reader connectors.FileReader, path string, f *domain.UploadedFile,
) (*domain.FileInfo, error) {
	dir, err := os.MkdirTemp(u.service.cfg.TempDir, "parley-prepare-")
	if err != nil {
		return nil, domain.Internal(err, "no folder for the preparation")
	}
	defer u.service.removeAll(ctx, dir)
	work := filepath.Join(dir, "work")
	release, err := u.service.cfg.Readings.Acquire(ctx, u.caller.UserID)
	if err != nil {
		return nil, err
	}
	defer release()
	info, err := reader.Prepare(ctx, path, f.Name, work, f.Options)
	if err != nil {
		return nil, err
	}
	u.file.Type, u.file.FileName, u.file.Delimiter, u.file.Size = info.Type, f.Name, f.Options.Delimiter, f.Size
	u.file.Description, u.file.Resources = info.Description, info.Resources
	if info.Notice != "" {
		return info, nil
	}
	prepared, err := os.Open(work)
	if err != nil {
		return nil, domain.Internal(err, "the prepared file is missing")
	}
	defer func() { _ = prepared.Close() }() // only read from
	if _, err := u.service.cfg.Files.Put(ctx, u.file.WorkKey, "application/octet-stream", prepared, preparedMax); err != nil {
		return nil, err
	}
	return info, nil
}

// Release implements domain.Upload.
func (u *upload) Release(ctx context.Context) {
	if len(u.keys) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if err := u.service.cfg.Account.End(ctx, u.caller.OrganisationID, u.keys...); err != nil {
		// The entry stays, so the files can still be found and removed.
		u.service.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "files of an upload are removed later than usual",
			slog.Any("keys", u.keys), slog.Any("error", err))
	}
	u.keys = nil
}

// tooLarge returns the error for a file that does not fit.
func tooLarge(room int64) error {
	if room < domain.UploadMax {
		return domain.Errorf(domain.CodeTooLarge,
			"The file does not fit: %.1f MB are left for uploads. Delete connectors that are not needed, then upload it again.",
			float64(room)/(1<<20))
	}
	return domain.Errorf(domain.CodeTooLarge, "The file is larger than %d MB", domain.UploadMax>>20)
}
