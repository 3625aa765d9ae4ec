package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/csv"
	"parley.dev/parley/connectors/pptx"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/connectors/xlsx"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/throwaway"
)

// worker is the path of the real program. TestMain builds it before any test runs.
var worker string

func TestMain(m *testing.M) {
	// With this flag the tests can run as another user who has no compiler.
	flag.StringVar(&worker, "worker", "", "path of a parley-worker that is already built")
	flag.Parse()
	if worker != "" {
		os.Exit(m.Run())
	}
	code, err := withWorker(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

func withWorker(m *testing.M) (code int, err error) {
	dir, err := throwaway.Folder(os.TempDir(), "parley-worker-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { // for tests that run the worker as another user
		return 0, err
	}
	worker = filepath.Join(dir, "parley-worker")
	build := exec.Command("go", "build", "-o", worker, ".")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return 0, fmt.Errorf("build the worker: %w", err)
	}
	return m.Run(), nil
}

// files fakes a file store whose keys are paths.
type files struct{}

func (files) LocalPath(_ context.Context, key string) (string, error) {
	if _, err := os.Stat(key); err != nil {
		return "", domain.NotFound("file")
	}
	return key, nil
}

// bundle is a bench with the real worker and a folder for files.
type bundle struct {
	bench *workbench.Bench
	csv   *csv.Connector
	kinds map[domain.DataSourceType]connectors.FileReader
	dir   string
	// Tests that run at once share a bundle.
	lastID atomic.Int64
}

func setup(tb testing.TB, change ...func(*workbench.Config)) *bundle {
	tb.Helper()
	dir := tb.TempDir()
	config := workbench.Config{
		Files: files{}, Dir: filepath.Join(dir, "bench"), Worker: worker, Idle: 1,
		// On a busy machine a query may take longer than the default deadlines allow.
		Deadline: time.Minute, PrepareDeadline: 10 * time.Minute, Wait: 10 * time.Minute,
	}
	for _, c := range change {
		c(&config)
	}
	b := workbench.New(config)
	require.NoError(tb, b.Start(context.Background()))
	tb.Cleanup(b.Stop)
	return &bundle{bench: b, csv: csv.New(b), dir: dir, kinds: map[domain.DataSourceType]connectors.FileReader{
		domain.DataSourceCSV: csv.New(b), domain.DataSourceXLSX: xlsx.New(b), domain.DataSourcePPTX: pptx.New(b),
	}}
}

// prepare makes a data source of a CSV text.
func (b *bundle) prepare(t *testing.T, name, text string) (domain.DataSource, *domain.FileInfo) {
	t.Helper()
	s, info, err := b.tryPrepare(t, name, text, "auto")
	require.NoError(t, err)
	return s, info
}

func (b *bundle) tryPrepare(t *testing.T, name, text, delimiter string) (domain.DataSource, *domain.FileInfo, error) {
	t.Helper()
	id := b.lastID.Add(1)
	path := filepath.Join(b.dir, fmt.Sprintf("upload-%d", id))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	work := path + ".work"
	info, err := b.csv.Prepare(t.Context(), path, name, work, domain.FileOptions{Delimiter: delimiter})
	if err != nil {
		return domain.DataSource{}, nil, err
	}
	return domain.DataSource{ID: id, Name: info.Name, WorkKey: work, Resources: info.Resources}, info, nil
}

// upload makes a data source of any file, as the API does: it detects the kind of the file first.
func (b *bundle) upload(t *testing.T, name string, content []byte) (domain.DataSource, *domain.FileInfo, error) {
	t.Helper()
	id := b.lastID.Add(1)
	path := filepath.Join(b.dir, fmt.Sprintf("upload-%d", id))
	require.NoError(t, os.WriteFile(path, content, 0o600))
	kind, err := connectors.Detect(connectors.Upload{Path: path, FileName: name})
	if err != nil {
		return domain.DataSource{}, nil, err
	}
	if b.kinds[kind] == nil {
		return domain.DataSource{}, nil, connectors.Untaken(kind)
	}
	work := path + ".work"
	info, err := b.kinds[kind].Prepare(t.Context(), path, name, work, domain.FileOptions{})
	if err != nil {
		require.NoFileExists(t, work)
		return domain.DataSource{}, nil, err
	}
	require.Equal(t, kind, info.Type)
	return domain.DataSource{ID: id, Name: info.Name, WorkKey: work, Resources: info.Resources}, info, nil
}

func (b *bundle) query(t *testing.T, sql string, sources ...domain.DataSource) *domain.ResultSet {
	t.Helper()
	result, err := b.bench.Query(t.Context(), sources, sql)
	require.NoError(t, err, sql)
	return result
}

// contextOf returns the context of a test or of a check of a property.
func contextOf(t require.TestingT) context.Context {
	if own, ok := t.(interface{ Context() context.Context }); ok {
		return own.Context()
	}
	return context.Background()
}
