package devidp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FileKeyStore stores the signing keys in a file that only its owner can read.
type FileKeyStore struct {
	// Path is the path of the file. Its folder must exist.
	Path string
}

// Load implements KeyStore.
func (s FileKeyStore) Load(context.Context) ([]byte, error) {
	raw, err := os.ReadFile(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}

	if err != nil {
		return nil, fmt.Errorf("read signing keys: %w", err)
	}

	return raw, nil
}

// Save implements KeyStore.
func (s FileKeyStore) Save(_ context.Context, keys []byte) error {
	if err := writePrivate(s.Path, keys); err != nil {
		return fmt.Errorf("write signing keys: %w", err)
	}

	return nil
}

// writePrivate replaces a file atomically. Only its owner can read it, and it is synced to
// the disk when writePrivate returns.
func writePrivate(path string, content []byte) error {
	// CreateTemp makes files of mode 600.
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}

	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}

	if err != nil {
		// Only the first error matters; a temporary file that is left over is harmless.
		_ = os.Remove(file.Name())
		return fmt.Errorf("write: %w", err)
	}

	return syncDir(filepath.Dir(path))
}

// syncDir syncs a folder, so that a rename in it is durable.
func syncDir(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("open %s: %w", dir, err)
	}

	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("flush %s: %w", dir, err)
	}

	return nil
}
