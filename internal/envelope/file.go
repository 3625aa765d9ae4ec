package envelope

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File reads the ring from a file. If the file does not exist, it is created with a new
// key. A file that users other than its owner may read is refused.
func File(path string) (*Ring, error) {
	if err := create(path); err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("envelope: look at the key file: %w", err)
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("envelope: the key file %s must be a file that its owner alone can read (chmod 600)", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("envelope: read the key file: %w", err)
	}
	return Parse(strings.Join(strings.Fields(string(text)), ","))
}

// create creates the file unless it exists. The file gets its name only when it is
// complete: if two programs create it at the same time, one of them succeeds, and both read
// the same key.
func create(path string) (err error) {
	if _, err := os.Lstat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return nil // if there is an error, reading the file reports it
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".key-*") // of mode 600
	if err != nil {
		return fmt.Errorf("envelope: make the key file: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.WriteString(Generate() + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("envelope: write the key file: %w", err)
	}
	if err = os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("envelope: place the key file: %w", err)
	}
	return nil
}
