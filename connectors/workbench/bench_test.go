package workbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/startstop/startstoptest"
)

// noFiles is a store without files.
type noFiles struct{}

func (noFiles) LocalPath(context.Context, string) (string, error) {
	return "", domain.NotFound("file")
}

// fake writes a worker with a fixed output: every part is a file that a shell prints, so
// that a test controls each byte of a malicious worker. %wait waits until the worker is
// killed, %request reads the request first.
func fake(t *testing.T, parts ...string) string {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\n"
	for i, part := range parts {
		switch part {
		case "%wait":
			script += "/bin/cat >/dev/null\n"
		case "%request":
			// The length is in the first four bytes; one block is enough to read the request.
			script += "/bin/dd bs=65536 count=1 of=/dev/null 2>/dev/null\n"
		case "%complain":
			script += "/usr/bin/head -c 1000000 /dev/zero >&2\n"
		default:
			name := filepath.Join(dir, fmt.Sprint(i))
			require.NoError(t, os.WriteFile(name, []byte(part), 0o644))
			script += "/bin/cat " + name + "\n"
		}
	}
	path := filepath.Join(dir, "worker")
	require.NoError(t, os.WriteFile(path, []byte(script), 0o755))
	return path
}

func framed(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, frame.Write(&b, v, frame.MaxReply))
	return b.String()
}

func hello(t *testing.T) string {
	t.Helper()
	return framed(t, frame.Hello{Version: frame.Version})
}

func setup(t *testing.T, worker string, change ...func(*Config)) *Bench {
	t.Helper()
	c := Config{Files: noFiles{}, Dir: filepath.Join(t.TempDir(), "bench"), Worker: worker, Idle: -1}
	for _, f := range change {
		f(&c)
	}
	b := New(c)
	require.NoError(t, b.Start(t.Context()))
	t.Cleanup(b.Stop)
	return b
}

func TestBench_Start(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ worker, message string }{
		"ErrMissing":      {"/nowhere/parley-worker", "is not there"},
		"ErrNotAWorker":   {fake(t, "what is this"), "did not start"},
		"ErrOtherVersion": {fake(t, framed(t, frame.Hello{Version: 99}), "%wait"), "build both from one source"},
		"ErrEndsAtOnce":   {fake(t), "did not start"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := New(Config{Files: noFiles{}, Dir: t.TempDir(), Worker: c.worker})
			require.ErrorContains(t, b.Start(t.Context()), c.message)
			b.Stop()
		})
	}
	t.Run("ErrWalls", func(t *testing.T) {
		t.Parallel()
		b := New(Config{Files: noFiles{}, Dir: t.TempDir(), Worker: fake(t, hello(t), "%wait"), RequireWalls: true})
		require.ErrorContains(t, b.Start(t.Context()), "PARLEY_WORKER_WALLS", "this worker reports that it has no walls")
		b.Stop()
	})
	t.Run("OKStress", func(t *testing.T) {
		t.Parallel()
		worker := fake(t, hello(t), "%wait")
		startstoptest.Stress(t, 5, func(tb testing.TB) startstoptest.Subject {
			tb.Helper()
			b := New(Config{Files: noFiles{}, Dir: tb.TempDir(), Worker: worker, Idle: 2})
			return startstoptest.Subject{
				Start: func() error { return b.Start(context.Background()) },
				Stop:  func() error { b.Stop(); return nil },
				Ended: func(tb testing.TB) {
					tb.Helper()
					left, err := os.ReadDir(b.config.Dir)
					require.NoError(tb, err)
					require.Empty(tb, left, "no folder of a worker, nor the bench's own")
					_, err = b.Query(tb.Context(), nil, "SELECT 1")
					require.Equal(tb, domain.CodeUnavailable, domain.CodeOf(err))
				},
			}
		})
	})
	// No worker of a query that arrives during Stop outlives Stop.
	t.Run("OKStopWhileAsked", func(t *testing.T) {
		t.Parallel()
		worker := fake(t, hello(t))
		for range 5 {
			b := setup(t, worker, func(c *Config) { c.Idle = 1 })
			var asking sync.WaitGroup
			begun := make(chan struct{}, 8)
			for range 8 {
				asking.Go(func() {
					begun <- struct{}{}
					for ok := true; ok; {
						_, err := b.Query(context.Background(), nil, "SELECT 1")
						ok = domain.CodeOf(err) == domain.CodeInvalid // its worker has died
					}
				})
			}
			<-begun
			b.Stop()
			left, err := os.ReadDir(b.config.Dir)
			require.NoError(t, err)
			require.Empty(t, left)
			asking.Wait()
		}
	})
	t.Run("ErrNotStarted", func(t *testing.T) {
		t.Parallel()
		b := New(Config{Files: noFiles{}, Dir: t.TempDir()})
		_, err := b.Query(t.Context(), nil, "SELECT 1")
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	})
}

// TestBench_LyingWorker runs fake workers that act as if an attacker had taken them over.
func TestBench_LyingWorker(t *testing.T) {
	t.Parallel()
	one := []frame.Column{{Name: "a", Type: "integer"}}
	for name, c := range map[string]struct {
		reply string
		code  domain.Code
	}{
		"nothing":               {"", domain.CodeInvalid},
		"half a frame":          {"\x00\x00\x10\x00{", domain.CodeInvalid},
		"four gigabytes":        {"\xff\xff\xff\xff", domain.CodeInvalid},
		"no json":               {"\x00\x00\x00\x02xx", domain.CodeInvalid},
		"an empty reply":        {framed(t, frame.Reply{}), domain.CodeInvalid},
		"a reply about a file":  {framed(t, frame.Reply{File: &frame.File{}}), domain.CodeInternal},
		"a code it may not say": {framed(t, frame.Reply{Fault: &frame.Fault{Code: "forbidden", Message: "/etc/shadow"}}), domain.CodeInternal},
		"cells without columns": {framed(t, frame.Reply{Result: &frame.Result{Columns: one, Rows: []byte("[[1,2]]")}}), domain.CodeInternal},
		"a cell of cells":       {framed(t, frame.Reply{Result: &frame.Result{Columns: one, Rows: []byte("[[{}]]")}}), domain.CodeInternal},
		"rows that are none":    {framed(t, frame.Reply{Result: &frame.Result{Columns: one, Rows: []byte("7")}}), domain.CodeInternal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, fake(t, hello(t), "%request", "%complain", c.reply))
			_, err := b.Query(t.Context(), nil, "SELECT 1")
			require.Equal(t, c.code, domain.CodeOf(err), "%v", err)
			var known *domain.Error
			require.ErrorAs(t, err, &known)
			require.NotContains(t, known.Message, "/etc/")
		})
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		columns := []frame.Column{{Name: "a", Type: "integer"}, {Name: "b", Type: "number"}, {Name: "c", Type: "text"}}
		rows := []byte(`[[9007199254740993,1,"x"],[1e30,2.5,null],[null,null,""]]`)
		b := setup(t, fake(t, hello(t), "%request", framed(t, frame.Reply{Result: &frame.Result{Columns: columns, Rows: rows}})))
		r, err := b.Query(t.Context(), nil, "SELECT 1")
		require.NoError(t, err)
		require.Equal(t, [][]any{{int64(9007199254740993), 1.0, "x"}, {1e30, 2.5, nil}, {nil, nil, ""}}, r.Rows)
	})
}

func TestBench_Query(t *testing.T) {
	t.Parallel()
	t.Run("ErrDeadline", func(t *testing.T) {
		t.Parallel()
		b := setup(t, fake(t, hello(t), "%wait"), func(c *Config) { c.Deadline = 50 * time.Millisecond })
		_, err := b.Query(t.Context(), nil, "SELECT 1")
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
		require.ErrorContains(t, err, "took longer than 50ms")
	})
	t.Run("ErrCanceled", func(t *testing.T) {
		t.Parallel()
		b := setup(t, fake(t, hello(t), "%wait"), func(c *Config) { c.Deadline = time.Hour })
		stopped := errors.New("stopped by its owner")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(stopped) })
		_, err := b.Query(ctx, nil, "SELECT 1")
		require.ErrorIs(t, err, stopped)
	})
	t.Run("ErrStopped", func(t *testing.T) {
		t.Parallel()
		b := setup(t, fake(t, hello(t), "%wait"))
		b.Stop()
		_, err := b.Query(t.Context(), nil, "SELECT 1")
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	})
	t.Run("ErrTooLong", func(t *testing.T) {
		t.Parallel()
		b := setup(t, fake(t, hello(t), "%wait"))
		_, err := b.Query(t.Context(), nil, strings.Repeat("x", maxStatement+1))
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	})
	t.Run("ErrFileGone", func(t *testing.T) {
		t.Parallel()
		b := setup(t, fake(t, hello(t), "%wait"))
		_, err := b.Query(t.Context(), []domain.DataSource{{ID: 1, WorkKey: "gone"}}, "SELECT 1")
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	})
	t.Run("LeavesNoFolder", func(t *testing.T) {
		t.Parallel()
		b := setup(t, fake(t, hello(t), "%request"))
		_, err := b.Query(t.Context(), nil, "SELECT 1")
		require.Error(t, err)
		left, err := filepath.Glob(filepath.Join(b.config.Dir, "*", "w*"))
		require.NoError(t, err)
		require.Empty(t, left)
	})
	t.Run("DeadIdleWorkerIsReplaced", func(t *testing.T) {
		t.Parallel()
		// Each worker ends after its hello, so the idle ones are dead when they are taken.
		b := setup(t, fake(t, hello(t)), func(c *Config) { c.Idle = 2 })
		_, err := b.Query(t.Context(), nil, "SELECT 1")
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	})
}

func TestBench_Folders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	share := func(c *Config) { c.Dir = dir }
	// A killed node has left a folder whose lock is not held.
	dead := filepath.Join(dir, "bench-dead")
	require.NoError(t, os.MkdirAll(filepath.Join(dead, "w1"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dead, lockName), nil, 0o600))
	// Another one was killed before its folder had a name, and a third one is about to give its folder one.
	unnamed, starting := filepath.Join(dir, "new-unnamed"), filepath.Join(dir, "new-starting")
	require.NoError(t, os.Mkdir(unnamed, 0o700))
	yesterday := time.Now().Add(-24 * time.Hour) //nolint:forbidigo // the time of a file
	require.NoError(t, os.Chtimes(unnamed, yesterday, yesterday))
	require.NoError(t, os.Mkdir(starting, 0o700))
	worker := fake(t, hello(t), "%wait")
	first, second := setup(t, worker, share), setup(t, worker, share)
	require.NoDirExists(t, dead)
	require.NoDirExists(t, unnamed)
	require.DirExists(t, starting)
	require.DirExists(t, first.home)
	require.DirExists(t, second.home)
	first.Stop()
	require.NoDirExists(t, first.home)
	require.DirExists(t, second.home)
}

// TestBench_Idle_StartFailed checks that the idle workers come back after a time in which no worker could be started.
func TestBench_Idle_StartFailed(t *testing.T) {
	t.Parallel()
	failed := make(chan struct{}, 1)
	b := setup(t, fake(t, hello(t), "%wait"), func(c *Config) {
		c.Idle = 1
		c.Log = slog.New(slog.NewTextHandler(signal(failed), nil))
	})
	full := func() bool { return len(b.idle) == 1 }
	require.Eventually(t, full, time.Minute, time.Millisecond)
	for len(failed) > 0 {
		<-failed // what Start logs
	}

	require.NoError(t, os.Rename(b.home, b.home+".gone"))
	w, err := b.acquireWorker(t.Context())
	require.NoError(t, err)
	<-failed // refill could not start another worker
	require.NoError(t, os.Rename(b.home+".gone", b.home))
	w.end()

	w, err = b.acquireWorker(t.Context())
	require.NoError(t, err)
	w.end()
	require.Eventually(t, full, time.Minute, time.Millisecond)
}

// signal is a writer that says that something was written.
type signal chan struct{}

func (s signal) Write(p []byte) (int, error) {
	select {
	case s <- struct{}{}:
	default:
	}
	return len(p), nil
}
