package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChecklist checks docs/web-checklist.md: each line has an item and at least one
// test, and each test exists in the file that the line names. The name of a test with a
// table is its template, as written in the file.
func TestChecklist(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "web-checklist.md"))
	require.NoError(t, err)
	text, open, _ := strings.Cut(string(page), "\n## Not shown yet\n")
	lines := 0
	texts := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| section |") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "| "), `\|`, "\x00"), " | ")
		require.Len(t, cells, 3, "a line has a section, an item and its tests: %s", line)
		lines++
		for _, test := range strings.Split(strings.Trim(strings.ReplaceAll(cells[2], "\x00", "|"), "`"), "`; `") {
			file, name, ok := strings.Cut(test, ": ")
			require.True(t, ok, "%q is not a file and a name: %s", test, line)
			held, ok := texts[file]
			if !ok {
				content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
				require.NoError(t, err, line)
				held = string(content)
				texts[file] = held
			}
			require.True(t, hasTest(file, held, name), "%s has no test named %q: %s", file, name, line)
		}
	}
	require.Greater(t, lines, 350)
	require.NotContains(t, open, "\n## ", "the section of items that are not shown yet must be the last one")
}

// hasTest reports whether a file has a test: in Go a function and, after slashes, the names of its
// subtests in quotes; in TypeScript the name that is passed to it or test, with or without a table.
func hasTest(file, text, name string) bool {
	if strings.HasSuffix(file, ".go") {
		function, parts, _ := strings.Cut(name, "/")
		if !strings.Contains(text, "func "+function+"(") {
			return false
		}
		for _, part := range strings.Split(parts, "/") {
			if part != "" && !strings.Contains(text, `"`+part+`"`) {
				return false
			}
		}
		return true
	}
	for _, quote := range []string{"'", `"`, "`"} {
		written := quote + strings.ReplaceAll(name, quote, `\`+quote) + quote
		// Directly after the call, or after the rows of a table.
		at := regexp.MustCompile(`(?:\b(?:it|test)(?:\.\w+)*\(|\)\()\s*` + regexp.QuoteMeta(written))
		if at.MatchString(text) {
			return true
		}
	}
	return false
}
