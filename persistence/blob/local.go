package blob

// Local paths of files, for readers that need a path and not a stream, such as the worker. In a
// folder it is the file itself; otherwise it is a copy in a cache on this machine.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"parley.dev/parley/domain"
)

// LocalPath implements domain.FileStore. In a folder it is the file itself.
func (s *Store) LocalPath(ctx context.Context, name string) (string, error) {
	if err := check(name); err != nil {
		return "", err
	}
	if s.folder != "" {
		path := filepath.Join(s.folder, filepath.FromSlash(name))
		// Only regular files are given out: a link or a folder in the place of a file is treated as
		// a missing file.
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return "", domain.NotFound("File").WithCause(err)
		}
		return path, nil
	}
	path := s.cached(name)
	if _, err := os.Stat(path); err == nil {
		// A key never changes its content, so a copy is never out of date.
		return path, nil
	}
	if err := s.fetch(ctx, name, path); err != nil {
		return "", err
	}
	return path, nil
}

// cached is the path of a file's copy.
func (s *Store) cached(name string) string { return filepath.Join(s.cache, filepath.FromSlash(name)) }

// fetch copies a file into the cache. If several calls fetch the same file at once, the
// last rename wins; all of them have the same content.
func (s *Store) fetch(ctx context.Context, name, path string) (err error) {
	r, err := s.Get(ctx, name, 0, -1)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return domain.Internal(err, "The file could not be fetched.")
	}
	// The copy is written under another name first, so that no reader sees a part of it.
	f, err := os.CreateTemp(filepath.Dir(path), ".fetching-*")
	if err != nil {
		return domain.Internal(err, "The file could not be fetched.")
	}
	// What was written so far is removed after any error.
	defer func() {
		if err != nil {
			err = domain.Internal(errors.Join(err, os.Remove(f.Name())), "The file could not be fetched.")
		}
	}()
	_, err = io.Copy(f, r)
	// The error of Close counts: a full disk may be reported only there.
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("rename: %w", err)
	}
	return nil
}
