package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChecklist holds docs/web-checklist.md to what there is: each line has an
// item and at least one test, and each test is written in a file that exists.
// The name of a table of tests is its template, as the file has it.
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
			require.True(t, ok, "%q is no file and name: %s", test, line)
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
	require.NotContains(t, open, "\n## ", "what is not shown yet stands last")
}

// hasTest reports whether a file has a test: of Go a function, and behind slashes the names of its parts
// in quotes; of TypeScript the name that is given to it or test, also to a table of them.
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
		// Right behind the call, or behind the rows of a table.
		at := regexp.MustCompile(`(?:\b(?:it|test)(?:\.\w+)*\(|\)\()\s*` + regexp.QuoteMeta(written))
		if at.MatchString(text) {
			return true
		}
	}
	return false
}
