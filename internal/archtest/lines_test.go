package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// columnsMax is the maximum length of a line; linters check it in Go and TypeScript.
const columnsMax = 140

// TestLines checks the length of lines in files that no linter reads: migrations, queries,
// scripts, settings. Breaking a line of a migration does not apply it again: goose stores the
// numbers of the files and not what is in them.
func TestLines(t *testing.T) {
	t.Parallel()
	var names []string
	for _, pattern := range []string{
		"persistence/migrations/*.sql", "persistence/queries/*.sql", "cmd/parley-bench/scale/queries/*.sql", "scripts/*", "Makefile",
		"Dockerfile", ".golangci.yml", "docker-compose.yml", ".ci/*", "deploy/*/*.yml", "deploy/*/*.cfg",
	} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		names = append(names, found...)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || info.IsDir() {
			require.NoError(t, err)
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for i, line := range strings.Split(string(text), "\n") {
			require.LessOrEqual(t, utf8.RuneCountInString(line), columnsMax, "%s:%d", name, i+1)
		}
	}
}
