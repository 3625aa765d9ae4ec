package fakes

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// Files is a file store in memory.
type Files struct {
	// Dir is where LocalPath creates files.
	Dir string

	// mu protects content.
	mu      sync.Mutex
	content map[string][]byte
}

// NewFiles makes an empty store.
func NewFiles(dir string) *Files { return &Files{Dir: dir, content: map[string][]byte{}} }

// Set stores bytes.
func (f *Files) Set(key string, content []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.content[key] = content
}

// Content returns what is stored under a key; empty if nothing is.
func (f *Files) Content(key string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return string(f.content[key])
}

// Keys lists what is stored.
func (f *Files) Keys() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var keys []string
	for key := range f.content {
		keys = append(keys, key)
	}
	return keys
}

// Put implements domain.FileStore. It counts the bytes that it gets and stores only the first
// megabyte, so that a test can send a large file.
func (f *Files) Put(_ context.Context, key, _ string, r io.Reader, limit int64) (int64, error) {
	var kept bytes.Buffer
	if _, err := io.CopyN(&kept, r, 1<<20); err != nil && err != io.EOF { //nolint:errorlint // CopyN returns the plain value
		return 0, err
	}
	more, err := io.Copy(io.Discard, io.LimitReader(r, limit+1-int64(kept.Len())))
	if err != nil {
		return 0, err
	}
	size := int64(kept.Len()) + more
	if size > limit {
		return 0, domain.Errorf(domain.CodeTooLarge, "The file is larger than 200 MB")
	}
	f.Set(key, kept.Bytes())
	return size, nil
}

// Get implements domain.FileStore.
func (f *Files) Get(_ context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, ok := f.content[key]
	if !ok {
		return nil, domain.NotFound("File")
	}
	content = content[offset:]
	if length >= 0 {
		content = content[:length]
	}
	return io.NopCloser(bytes.NewReader(content)), nil
}

// Size implements domain.FileStore.
func (f *Files) Size(_ context.Context, key string) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, ok := f.content[key]
	if !ok {
		return 0, domain.NotFound("File")
	}
	return int64(len(content)), nil
}

// Delete implements domain.FileStore.
func (f *Files) Delete(_ context.Context, key string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.content, key)
	return nil
}

// LocalPath implements domain.FileStore.
func (f *Files) LocalPath(_ context.Context, key string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, ok := f.content[key]
	if !ok {
		return "", domain.NotFound("File")
	}
	path := filepath.Join(f.Dir, uuid.NewString())
	return path, os.WriteFile(path, content, 0o600)
}

// CSV inspects only the first line. A file that begins with "broken" cannot be read.
type CSV struct{}

// Type implements connectors.FileReader.
func (CSV) Type() domain.DataSourceType { return domain.DataSourceCSV }

// Inspect implements connectors.FileReader.
func (CSV) Inspect(_ context.Context, path, fileName string, _ domain.FileOptions) (*domain.FileInfo, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, domain.Internal(err, "no file")
	}
	head, _, _ := strings.Cut(string(content), "\n")
	if strings.HasPrefix(head, "broken") {
		return nil, domain.Invalid("file", "The file cannot be read")
	}
	columns := []domain.Column{}
	for name := range strings.SplitSeq(head, ",") {
		columns = append(columns, domain.Column{Name: name, Type: domain.ColumnText})
	}
	return &domain.FileInfo{
		Type: domain.DataSourceCSV, Delimiter: ",", Encoding: "utf-8", Name: fileName, Description: "Columns: " + head,
		Resources: []domain.DataResource{{ID: 1, Name: fileName, Columns: columns, Preview: head}},
	}, nil
}

// Prepare implements connectors.FileReader.
func (c CSV) Prepare(ctx context.Context, path, fileName, workPath string, o domain.FileOptions) (*domain.FileInfo, error) {
	info, err := c.Inspect(ctx, path, fileName, o)
	if err != nil {
		return nil, err
	}
	return info, os.WriteFile(workPath, []byte("prepared"), 0o600)
}
