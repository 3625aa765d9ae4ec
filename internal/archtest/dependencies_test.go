package archtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDependencies checks docs/dependencies.md: each direct dependency of the server, and each
// package that the web ships, is named in one row.
func TestDependencies(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "dependencies.md"))
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \|$`).FindAllStringSubmatch(string(page), -1)
	names := map[string]int{}
	for _, row := range rows {
		for _, word := range regexp.MustCompile(`[^ ,]+`).FindAllString(row[1], -1) {
			names[word]++
		}
	}
	for name, count := range names {
		if strings.Contains(name, "/") && !strings.HasSuffix(name, "*") {
			require.Equal(t, 1, count, "%s has %d rows", name, count)
		}
	}

	module, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	direct := regexp.MustCompile(`(?m)^\t?(?:require )?([a-z0-9.]+\.[a-z]+/\S+|[a-z0-9.]+\.[a-z]+) v\S+$`)
	for _, m := range direct.FindAllStringSubmatch(string(module), -1) {
		require.True(t, hasRow(string(page), m[1]), "%s of go.mod has no row in docs/dependencies.md", m[1])
	}
	text, err := os.ReadFile(filepath.Join(root, "web", "package.json"))
	require.NoError(t, err)
	var web struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	require.NoError(t, json.Unmarshal(text, &web))
	require.NotEmpty(t, web.Dependencies)
	for name := range web.Dependencies {
		require.True(t, hasRow(string(page), name), "%s of web/package.json has no row in docs/dependencies.md", name)
	}
}

// hasRow reports whether the page names a package: by its path without the host and the
// version, by its last part in a row for several packages of one owner, or by a pattern such
// as lang-*.
func hasRow(page, name string) bool {
	name = regexp.MustCompile(`/v\d+$`).ReplaceAllString(name, "")
	short := strings.TrimPrefix(name, "github.com/")
	parts := strings.Split(short, "/")
	last := parts[len(parts)-1]
	family, _, _ := strings.Cut(last, "-")
	for _, row := range strings.Split(page, "\n") {
		if !strings.HasPrefix(row, "| ") {
			continue
		}
		if strings.Contains(row, short) || strings.Contains(row, parts[0]) &&
			(strings.Contains(row, last) || strings.Contains(row, family+"-*")) {
			return true
		}
	}
	return false
}
