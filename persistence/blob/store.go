// Package blob keeps uploaded files and what is made of them, by key, in a bucket that a
// URL names. Keys are made by the product and never from the name that a person gave a
// file.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"regexp"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
	_ "gocloud.dev/blob/memblob"  // mem://
	"gocloud.dev/gcerrors"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/startstop"
)

// Config of a Store.
type Config struct {
	// URL names the bucket: file:///folder (made if it is not there) or mem://.
	// Required.
	URL string

	// CacheDir is where LocalPath keeps copies of a bucket that is not a folder.
	// Empty means a separate folder below the system's temporary one.
	CacheDir string

	// Logger receives the errors of a cleanup. Nil discards them.
	Logger *slog.Logger
}

func (c *Config) mustValidate() {
	if c.URL == "" {
		panic("blob: Config.URL is required")
	}
	if c.CacheDir == "" {
		c.CacheDir = filepath.Join(os.TempDir(), "parley-files")
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
}

// Store implements domain.FileStore.
type Store struct {
	bucket *blob.Bucket
	logger *slog.Logger

	// folder is the folder of the bucket's files; empty if the bucket is not a folder.
	folder string
	// cache holds copies when folder is empty.
	cache string

	life startstop.Guard
}

var _ domain.FileStore = (*Store)(nil)

// key is the pattern of a key: folders and a name of letters, digits, dots, dashes and
// underscores, none of them beginning with a dot. So a key has the same meaning in a
// folder, in a URL and in every vendor's bucket.
var key = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}(/[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}){0,7}$`)

// Open opens the bucket.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	cfg.mustValidate()
	u, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("blob: the URL of the files is not understood: %w", err)
	}
	s := &Store{logger: cfg.Logger, cache: cfg.CacheDir}
	switch u.Scheme {
	case "file":
		if s.folder, err = folderOf(u); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(s.folder, 0o750); err != nil {
			return nil, fmt.Errorf("blob: make the folder of the files: %w", err)
		}
		q := u.Query()
		// Half-written files are next to the finished ones, so that the last step
		// is a rename; their content type is in the database, not in a second file.
		q.Set("no_tmp_dir", "true")
		q.Set("metadata", "skip")
		u = &url.URL{Scheme: "file", Path: filepath.ToSlash(s.folder), RawQuery: q.Encode()}
	case "mem":
	default:
		return nil, fmt.Errorf("blob: files can be kept in file:///folder, not in %s://", u.Scheme)
	}
	if s.bucket, err = blob.OpenBucket(ctx, u.String()); err != nil {
		return nil, fmt.Errorf("blob: open the bucket: %w", err)
	}
	return s, s.life.Start(func() error { return nil })
}

// folderOf is the absolute folder of a file URL: file:///folder, or file://./folder
// below the current one.
func folderOf(u *url.URL) (string, error) {
	path := filepath.FromSlash(u.Path)
	switch u.Host {
	case "", "localhost":
	case ".":
		path = "." + path
	default:
		return "", fmt.Errorf("blob: file://%s is a folder of another machine; write file:///folder", u.Host)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("blob: find the folder of the files: %w", err)
	}
	return path, nil
}

// Close closes the bucket.
func (s *Store) Close() error {
	return s.life.Stop(func() error {
		if err := s.bucket.Close(); err != nil {
			return fmt.Errorf("blob: close the bucket: %w", err)
		}
		return nil
	})
}

// Put implements domain.FileStore. CodeConflict if the key is taken.
func (s *Store) Put(ctx context.Context, name, contentType string, r io.Reader, limit int64) (int64, error) {
	if err := check(name); err != nil {
		return 0, err
	}
	// Ending this context before Close makes the bucket discard what was written.
	writing, forget := context.WithCancel(ctx)
	defer forget()
	w, err := s.bucket.NewWriter(writing, name, &blob.WriterOptions{
		ContentType: contentType, IfNotExist: true,
		DisableContentTypeDetection: true,
	})
	if err != nil {
		return 0, translate(err)
	}
	size, err := io.Copy(w, io.LimitReader(r, limit+1))
	if err == nil && size > limit {
		err = domain.Errorf(domain.CodeTooLarge, "The file is too large.")
	}
	if err != nil {
		forget()
		// Close is expected to return the cancellation: then nothing was kept.
		if closing := w.Close(); closing == nil {
			s.logger.LogAttrs(ctx, slog.LevelWarn, "blob: a file that failed was kept", slog.String("key", name))
			err = errors.Join(err, s.bucket.Delete(ctx, name))
		}
		return 0, translate(err)
	}
	if err := w.Close(); err != nil {
		return 0, translate(err)
	}
	return size, nil
}

// Get implements domain.FileStore.
func (s *Store) Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if err := check(name); err != nil {
		return nil, err
	}
	if length < 0 {
		length = -1
	}
	r, err := s.bucket.NewRangeReader(ctx, name, offset, length, nil)
	if err != nil {
		return nil, translate(err)
	}
	return r, nil
}

// Size implements domain.FileStore.
func (s *Store) Size(ctx context.Context, name string) (int64, error) {
	if err := check(name); err != nil {
		return 0, err
	}
	a, err := s.bucket.Attributes(ctx, name)
	if err != nil {
		return 0, translate(err)
	}
	return a.Size, nil
}

// Delete implements domain.FileStore. It is no error if the file does not exist any more.
// The parts that a killed process left while it stored the file are deleted as well.
func (s *Store) Delete(ctx context.Context, name string) error {
	if err := check(name); err != nil {
		return err
	}
	if s.folder == "" {
		if err := os.Remove(s.cached(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return translate(err)
		}
	}
	err := s.bucket.Delete(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		err = s.deleteParts(name)
	}
	if err != nil {
		return translate(err)
	}
	return nil
}

// deleteParts removes what the bucket has begun to write under a key: files in the same
// folder, with a number behind the name.
func (s *Store) deleteParts(name string) error {
	if s.folder == "" {
		return nil // other buckets show a file only when it is complete
	}
	// A key has no character that means something to Glob. The folder may have some.
	parts, err := fs.Glob(os.DirFS(s.folder), name+".*.tmp")
	for _, part := range parts {
		err = errors.Join(err, os.Remove(filepath.Join(s.folder, filepath.FromSlash(part))))
	}
	return err
}

// check refuses what cannot be a key of this store.
func check(name string) error {
	if !key.MatchString(name) {
		return domain.NotFound("File")
	}
	return nil
}

// translate turns an error of the bucket into one of domain, without its path.
func translate(err error) error {
	var known *domain.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	code := gcerrors.Code(err)
	if code == gcerrors.NotFound {
		return domain.NotFound("File").WithCause(err)
	}
	if code == gcerrors.FailedPrecondition || code == gcerrors.AlreadyExists {
		return domain.Errorf(domain.CodeConflict, "The file exists already.").WithCause(err)
	}
	return domain.Internal(err, "The file could not be kept or read.")
}
