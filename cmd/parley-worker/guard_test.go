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

// TestAsked_Guard asks questions that are easily answered wrongly: with words that restrict the scope, with a comparison of
// two sides, about numbers that a join repeats, about levels over time, with names in quotes, and follow-up questions that
// refer to an answer. A question that is not answered must be refused.
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
