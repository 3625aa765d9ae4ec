package csv_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/csv"
	"parley.dev/parley/domain"
)

// recorder is a worker that records its requests.
type recorder struct {
	title, delimiter, workPath string
	calls                      int
	err                        error
}

func (r *recorder) InspectCSV(_ context.Context, _, title, delimiter string) (*domain.FileInfo, error) {
	r.title, r.delimiter = title, delimiter
	r.calls++
	if r.err != nil {
		return nil, r.err
	}
	return &domain.FileInfo{Type: domain.DataSourceCSV}, nil
}

func (r *recorder) PrepareCSV(ctx context.Context, path, title, delimiter, workPath string) (*domain.FileInfo, error) {
	r.workPath = workPath
	return r.InspectCSV(ctx, path, title, delimiter)
}

func upload(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "upload")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestConnector_Inspect(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		r := &recorder{}
		info, err := csv.New(r).Inspect(t.Context(), upload(t, "a,b\n1,2\n"), "net_sales-2025 (final).csv", domain.FileOptions{Delimiter: ";"})
		require.NoError(t, err)
		require.Equal(t, "net_sales-2025 (final)", info.Name)
		require.Equal(t, "net sales 2025 (final)", r.title)
		require.Equal(t, ";", r.delimiter)
		require.Empty(t, r.workPath)
	})
	t.Run("ErrOfTheWorker", func(t *testing.T) {
		t.Parallel()
		r := &recorder{err: domain.Invalid("file", "The file holds no table.")}
		info, err := csv.New(r).Inspect(t.Context(), upload(t, "a,b\n1,2\n"), "x.csv", domain.FileOptions{})
		require.ErrorIs(t, err, r.err)
		require.Nil(t, info)
	})
	t.Run("ErrBeforeTheWorkerIsAsked", func(t *testing.T) {
		t.Parallel()
		r := &recorder{}
		c := csv.New(r)
		_, err := c.Inspect(t.Context(), upload(t, "a,b\n1,2\n"), "a/b.csv", domain.FileOptions{})
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		_, err = c.Inspect(t.Context(), upload(t, "<html>"), "x.csv", domain.FileOptions{})
		require.Equal(t, domain.CodeUnsupportedType, domain.CodeOf(err))
		_, err = c.Inspect(t.Context(), "/nowhere/at/all", "x.csv", domain.FileOptions{})
		require.Equal(t, domain.CodeInternal, domain.CodeOf(err))
		require.Zero(t, r.calls)
	})
}

func TestConnector_Prepare(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	_, err := csv.New(r).Prepare(t.Context(), upload(t, "a,b\n1,2\n"), "x.csv", "/work/path", domain.FileOptions{})
	require.NoError(t, err)
	require.Equal(t, "/work/path", r.workPath)
}
