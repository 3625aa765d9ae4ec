package blob_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/startstop/startstoptest"
	"parley.dev/parley/persistence/blob"
)

func open(t *testing.T, url string) *blob.Store {
	t.Helper()
	s, err := blob.Open(t.Context(), blob.Config{URL: url, CacheDir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// files lists the files in a folder and its subfolders.
func files(t *testing.T, dir string) []string {
	t.Helper()
	list := []string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, path)
		}
		return err
	}))
	return list
}

func TestStore_Put(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		for _, url := range []string{"file://" + dir, "mem://"} {
			s := open(t, url)
			size, err := s.Put(t.Context(), "org/1/upload.csv", "text/csv", strings.NewReader("a,b\n1,2\n"), 8)
			require.NoError(t, err)
			require.Equal(t, int64(8), size)

			r, err := s.Get(t.Context(), "org/1/upload.csv", 2, 3)
			require.NoError(t, err)
			part, err := io.ReadAll(r)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			require.Equal(t, "b\n1", string(part))

			path, err := s.LocalPath(t.Context(), "org/1/upload.csv")
			require.NoError(t, err)
			whole, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, "a,b\n1,2\n", string(whole))

			size, err = s.Size(t.Context(), "org/1/upload.csv")
			require.NoError(t, err)
			require.Equal(t, int64(8), size)
		}
		require.Len(t, files(t, dir), 1, "there is no other file next to it")
	})
	t.Run("ErrTooLargeLeavesNothing", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		s := open(t, "file://"+dir)
		_, err := s.Put(t.Context(), "big", "text/csv", bytes.NewReader(make([]byte, 1<<20+1)), 1<<20)
		require.Equal(t, domain.CodeTooLarge, domain.CodeOf(err))
		require.Empty(t, files(t, dir))
		_, err = s.Size(t.Context(), "big")
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
	})
	t.Run("ErrReaderLeavesNothing", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		s := open(t, "file://"+dir)
		r := io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)), iotest.ErrReader(errors.New("cut")))
		_, err := s.Put(t.Context(), "cut", "text/csv", r, 1<<30)
		require.Error(t, err)
		require.Empty(t, files(t, dir))
	})
	t.Run("ErrKeyTaken", func(t *testing.T) {
		t.Parallel()
		s := open(t, "file://"+t.TempDir())
		_, err := s.Put(t.Context(), "k", "", strings.NewReader("1"), 10)
		require.NoError(t, err)
		_, err = s.Put(t.Context(), "k", "", strings.NewReader("2"), 10)
		require.Equal(t, domain.CodeConflict, domain.CodeOf(err))
		path, err := s.LocalPath(t.Context(), "k")
		require.NoError(t, err)
		body, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "1", string(body))
	})
}

func TestStore_ForeignKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("s"), 0o600))
	s := open(t, "file://"+filepath.Join(dir, "files"))
	for _, name := range []string{
		"", "../secret", "a/../../secret", "/etc/passwd", "a//b", ".hidden", "a/.hidden", "a\x00b", "a b",
		strings.Repeat("a", 200),
	} {
		_, err := s.Put(t.Context(), name, "", strings.NewReader("x"), 10)
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err), name)
		_, err = s.Get(t.Context(), name, 0, -1)
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err), name)
		_, err = s.LocalPath(t.Context(), name)
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err), name)
	}
}

func TestStore_Delete(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"file://" + t.TempDir(), "mem://"} {
		s := open(t, url)
		_, err := s.Put(t.Context(), "k", "", strings.NewReader("1"), 10)
		require.NoError(t, err)
		_, err = s.LocalPath(t.Context(), "k")
		require.NoError(t, err)
		require.NoError(t, s.Delete(t.Context(), "k"))
		require.NoError(t, s.Delete(t.Context(), "k"))
		_, err = s.LocalPath(t.Context(), "k")
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
		_, err = s.Get(t.Context(), "k", 0, -1)
		require.Equal(t, domain.CodeNotFound, domain.CodeOf(err))
	}
}

// A process that was killed during a Put has left a partial file next to the file.
func TestStore_Delete_HalfWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, "file://"+dir)
	// The reader stops in the middle, so there is a partial file with the bucket's own name for it.
	r, w := io.Pipe()
	put := make(chan error, 1)
	go func() {
		_, err := s.Put(t.Context(), "uploads/1/key", "", r, 100<<10)
		put <- err
	}()
	_, err := w.Write(bytes.Repeat([]byte("x"), 64<<10))
	require.NoError(t, err)
	_, err = w.Write([]byte("x")) // then the bytes before it have been written
	require.NoError(t, err)
	parts := files(t, dir)
	require.Len(t, parts, 1)
	left, err := os.ReadFile(parts[0])
	require.NoError(t, err)
	require.NoError(t, w.CloseWithError(io.ErrUnexpectedEOF))
	require.Error(t, <-put)
	require.NoError(t, os.WriteFile(parts[0], left, 0o600))

	_, err = s.Put(t.Context(), "uploads/1/key2", "", strings.NewReader("2"), 10)
	require.NoError(t, err)
	require.NoError(t, s.Delete(t.Context(), "uploads/1/key"))
	require.Equal(t, []string{filepath.Join(dir, "uploads/1/key2")}, files(t, dir))
	require.NoError(t, s.Delete(t.Context(), "uploads/2/never"))
}

func TestOpen(t *testing.T) {
	t.Parallel()
	t.Run("ErrUnknownScheme", func(t *testing.T) {
		t.Parallel()
		_, err := blob.Open(t.Context(), blob.Config{URL: "ftp://x/y"})
		require.ErrorContains(t, err, "ftp://")
	})
}

func TestStore_Close(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"Folder": "file://" + t.TempDir(), "Memory": "mem://"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			startstoptest.Stress(t, 20, func(tb testing.TB) startstoptest.Subject {
				tb.Helper()
				s, err := blob.Open(tb.Context(), blob.Config{URL: url, CacheDir: tb.TempDir()})
				require.NoError(tb, err)
				return startstoptest.Subject{Stop: s.Close, Ended: func(tb testing.TB) {
					tb.Helper()
					_, err := s.Put(tb.Context(), "a", "text/plain", strings.NewReader("a"), 10)
					require.Error(tb, err)
				}}
			})
		})
	}
}
