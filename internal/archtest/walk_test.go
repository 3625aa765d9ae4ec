package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// filesOfAPrompt is the maximum number of files on the path of one prompt.
const filesOfAPrompt = 30

// TestWalk checks the walk in docs/architecture.md: each line names an existing file and
// functions in it, and the files are few enough to be read in an afternoon.
func TestWalk(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	require.NoError(t, err)
	_, walk, found := strings.Cut(string(page), "\n## One prompt, file by file\n")
	require.True(t, found)
	walk, _, _ = strings.Cut(walk, "\n## ")
	line := regexp.MustCompile("(?m)^(\\d+)\\. `([^`]+\\.go)` ((?:`\\w+`(?:, )?)+): ")
	lines := line.FindAllStringSubmatch(walk, -1)
	require.NotEmpty(t, lines)
	require.LessOrEqual(t, len(lines), filesOfAPrompt)
	require.Len(t, regexp.MustCompile(`(?m)^\d+\. `).FindAllString(walk, -1), len(lines), "each line has a file and its functions")
	seen := map[string]bool{}
	for i, l := range lines {
		require.Equal(t, strconv.Itoa(i+1), l[1])
		require.False(t, seen[l[2]], "%s is named twice", l[2])
		seen[l[2]] = true
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(l[2])))
		require.NoError(t, err)
		for _, name := range strings.Split(strings.ReplaceAll(l[3], "`", ""), ", ") {
			function := regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?` + name + `[\[(]`)
			require.True(t, function.Match(src), "%s has no function %s", l[2], name)
		}
	}
}
