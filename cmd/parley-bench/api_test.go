package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/cmd/parley-bench/apibench"
	"parley.dev/parley/internal/commandline"
	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/persistence/persistencetest"
)

// bundle is the program with a database and a folder of the test, and its output.
type bundle struct {
	*program
	out bytes.Buffer
	// log is a file, because the server processes write to it, too.
	log *os.File
	dir string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{dir: t.TempDir()}
	var err error
	b.log, err = os.Create(filepath.Join(b.dir, "log"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.log.Close()) })
	b.program = &program{stdout: &b.out, stderr: b.log, environment: append(os.Environ(),
		"DATABASE_URL="+persistencetest.URL(t), "PARLEY_NODE=bench", "PARLEY_DATA="+b.dir, "PARLEY_LOG=warn",
		"PARLEY_ADDR="+processtest.FreeAddress(t), "PARLEY_OPERATOR_ADDR="+processtest.FreeAddress(t), "PARLEY_CLUSTER_ADDR=127.0.0.1:0",
	)}
	return b
}

// run runs the program with a command line.
func (b *bundle) run(t *testing.T, line string, args ...string) error {
	t.Helper()
	return b.main(context.WithoutCancel(t.Context()), append(strings.Fields(line), args...))
}

// said returns what the program and its servers have logged so far.
func (b *bundle) said(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(b.log.Name())
	require.NoError(t, err)
	return string(text)
}

func TestAPI(t *testing.T) {
	t.Parallel()

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.run(t, "seed --people 60 --conversations 300 --messages 2000 --blueprints 100"), "%s", b.said(t))
		require.Contains(t, b.said(t), "Scale has 60 people, 300 conversations, 2000 messages and 100 blueprints")
		processtest.Build(t, b.dir, "parley-worker") // the server looks for it in its own folder
		server, file := processtest.Build(t, b.dir, "parley", raceFlag()...), filepath.Join(b.dir, "report.json")
		err := b.run(t, "api --rounds 1 --seconds 1 --connections 2 --only", "running,one conversation", "--server", server, "--json", file)
		require.NoError(t, err, "%s", b.said(t))

		var report apibench.Report
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &report))
		require.Len(t, report.Rows, 2)
		for i, name := range []string{"one conversation", "running"} {
			row := report.Rows[i]
			require.Equal(t, name, row.Call)
			// BEGIN, the statement that sets the organisation, at least one query, and COMMIT.
			require.GreaterOrEqual(t, row.Statements, 4.0, name)
			require.Positive(t, row.Bytes, name)
			require.Positive(t, row.API.PerSecond, name)
			require.Positive(t, row.API.Own, name)
			if apibench.FindPGBench() != "" {
				require.Positive(t, row.Database.PerSecond, name)
				require.Positive(t, row.Ratio, name)
			}
			require.Contains(t, b.out.String(), "| "+name+" |")
		}
	})

	t.Run("ErrNobody", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.ErrorContains(t, b.run(t, "api --rounds 1 --seconds 1"), "parley-bench seed")
		require.Empty(t, b.out.String())
	})

	t.Run("ErrServer", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.run(t, "seed --people 60 --conversations 300 --messages 2000 --blueprints 100"), "%s", b.said(t))
		require.ErrorContains(t, b.run(t, "api", "--server", "/bin/false"), "the server has ended")
		require.Empty(t, b.out.String())
	})

	t.Run("ErrUsage", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, line := range []string{"", "serve", "api --rounds 0", "api --only nothing", "api more", "seed --people 0"} {
			err := b.run(t, line)
			require.ErrorAs(t, err, new(commandline.UsageError), line)
			require.Equal(t, exitUsage, b.exit(err), line)
		}
	})
}
