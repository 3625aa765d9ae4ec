package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
)

// TestAsked_Guard asks what is easily answered wrongly: words of scope, two sides,
// numbers that a join repeats, levels over time, names in quotes, and follow-ups that
// point at an answer. What is not answered has to be refused.
func TestAsked_Guard(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Queue, c.Wait = 10_000, 10*time.Minute })
	files, err := filepath.Glob("testdata/guard/*.csv")
	require.NoError(t, err)
	tables := make(map[string]domain.DataSource)
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		source, _ := b.prepare(t, filepath.Base(file), string(content))
		tables[strings.TrimSuffix(filepath.Base(file), ".csv")] = source
	}
	p := builtin.New(builtin.Config{Clock: askedDay{}})
	for _, a := range readAsked(t, "testdata/guard/questions.txt") {
		var sources []domain.DataSource
		for _, name := range a.tables {
			require.Contains(t, tables, name)
			sources = append(sources, tables[name])
		}
		t.Run(strings.Join(a.tables, ",")+"/"+a.name(), func(t *testing.T) {
			t.Parallel()
			ask(t, b, p, sources, &a)
		})
	}
}
