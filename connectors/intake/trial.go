package intake

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"parley.dev/parley/domain"
)

// trial implements domain.Trial with a file in its own folder.
type trial struct {
	service *Service
	caller  domain.Caller
	dir     string
}

func (t *trial) path() string { return filepath.Join(t.dir, "upload") }

// Keep implements domain.Trial. It copies at most domain.UploadMax bytes.
func (t *trial) Keep(_ context.Context, r io.Reader) (int64, error) {
	r, err := sniffed(r)
	if err != nil {
		return 0, err
	}
	file, err := os.OpenFile(t.path(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, domain.Internal(err, "the upload cannot be written")
	}
	// One byte more than the limit tells that the file is too large.
	n, err := io.Copy(file, io.LimitReader(r, domain.UploadMax+1))
	if closeErr := file.Close(); err == nil && closeErr != nil {
		err = domain.Internal(closeErr, "the upload cannot be written")
	}
	if err == nil && n > domain.UploadMax {
		err = tooLarge(domain.UploadMax)
	}
	return n, err
}

// Inspect implements domain.Trial.
// The folder is removed by Release, also after an error.
func (t *trial) Inspect(ctx context.Context, f *domain.UploadedFile) (*domain.FileInfo, error) {
	reader, err := t.service.reader(t.path(), f)
	if err != nil {
		return nil, err
	}
	return t.service.inspect(ctx, t.caller, reader, t.path(), f)
}

// Release implements domain.Trial.
func (t *trial) Release(ctx context.Context) { t.service.removeAll(ctx, t.dir) }
