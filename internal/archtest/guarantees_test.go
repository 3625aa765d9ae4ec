package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGuarantees checks docs/guarantees.md: the tests and files that each row names exist.
func TestGuarantees(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "guarantees.md"))
	require.NoError(t, err)
	row := regexp.MustCompile(`(?m)^\| (G\d+) \|[^|]*\|([^|]*)\|([^|]*)\|$`)
	rows := row.FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(rows), 15)
	group := regexp.MustCompile("`([a-z/]+)` ((?:Test\\w+(?:, )?)+)")
	file := regexp.MustCompile("`([a-z_/]+/[a-z0-9_]+\\.(?:go|sql))`")
	for _, r := range rows {
		groups := group.FindAllStringSubmatch(r[3], -1)
		require.NotEmpty(t, groups, "%s names no test", r[1])
		for _, g := range groups {
			tests := testsOf(t, filepath.Join(root, filepath.FromSlash(g[1])))
			for _, name := range strings.Split(strings.TrimSuffix(g[2], ", "), ", ") {
				require.Contains(t, tests, name, "%s names a test that package %s does not have", r[1], g[1])
			}
		}
		for _, f := range file.FindAllStringSubmatch(r[2], -1) {
			name := f[1]
			if strings.HasPrefix(name, "migrations/") || strings.HasPrefix(name, "queries/") {
				name = "persistence/" + name
			}
			require.FileExists(t, filepath.Join(root, filepath.FromSlash(name)), r[1])
		}
	}
}

// TestFaultTable checks the table of faults in docs/guarantees.md: the tests that each row names exist, and a row without
// a test says what is missing.
func TestFaultTable(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "guarantees.md"))
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (F\d\d)(?: \*)? \|([^|]*)\|([^|]*)\|([^|]*)\|$`).FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(rows), 30)
	group := regexp.MustCompile("`([a-z/]+)` ((?:Test\\w+(?:, )?)+)")
	for _, r := range rows {
		groups := group.FindAllStringSubmatch(r[2]+";"+r[3], -1)
		if len(groups) == 0 || strings.TrimSpace(r[3]) == "" {
			require.NotEmpty(t, strings.TrimSpace(r[4]), "%s has no test with real processes, and nothing is said to be missing", r[1])
		}
		for _, g := range groups {
			tests := testsOf(t, filepath.Join(root, filepath.FromSlash(g[1])))
			for _, name := range strings.Split(strings.TrimSuffix(g[2], ", "), ", ") {
				require.Contains(t, tests, name, "%s names a test that package %s does not have", r[1], g[1])
			}
		}
	}
}

// testsOf returns the names of a package's tests, with any build tags.
func testsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, dir)
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	tests := map[string]bool{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range function.FindAllStringSubmatch(string(text), -1) {
			tests[m[1]] = true
		}
	}
	return tests
}
