package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// filesOfAPrompt is the maximum number of files on the path of one prompt.
const filesOfAPrompt = 30

// handedOver are the functions that no file of the walk calls by their names, each with the
// name by which an earlier file causes the call; the page says how.
func handedOver() map[string]string {
	return map[string]string{
		"Receive":  "RequestFuture", // by the library, with what was sent
		"activate": "submitted",     // the callback that it sets
		"Next":     "PullText",
	}
}

// TestWalk checks the walk in docs/architecture.md: each line names an existing file and
// functions in it, each function is called from a file before it or from its own, and the
// files are few enough to be read in an afternoon.
func TestWalk(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	require.NoError(t, err)
	_, walk, found := strings.Cut(string(page), "\n## One prompt, file by file\n")
	require.True(t, found)
	walk, _, _ = strings.Cut(walk, "\n## ")
	lines := regexp.MustCompile("(?m)^(\\d+)\\. `([^`]+\\.go)` ((?:`\\w+`(?:, )?)+): ").FindAllStringSubmatch(walk, -1)
	require.NotEmpty(t, lines)
	require.LessOrEqual(t, len(lines), filesOfAPrompt)
	require.Len(t, regexp.MustCompile(`(?m)^\d+\. `).FindAllString(walk, -1), len(lines), "each line has a file and its functions")
	seen := map[string]bool{}
	before := ""
	for i, l := range lines {
		require.Equal(t, strconv.Itoa(i+1), l[1])
		require.False(t, seen[l[2]], "%s is named twice", l[2])
		seen[l[2]] = true
		code := codeOf(t, l[2])
		for k, name := range namesIn(l[3]) {
			requireFunction(t, l[2], code, name)
			from := before
			if k > 0 {
				from += code
			}
			if by, ok := handedOver()[name]; ok {
				name = by
			}
			require.True(t, i+k == 0 || calls(from, name), "%s %s: no file before it names %s", l[2], l[3], name)
		}
		before += code
	}
	// What is named as not worth opening must exist as well, and be called on the way, or by one that is
	// named before it.
	asides := regexp.MustCompile("(?m)^- `([^`]+\\.go)` ((?:`\\w+`(?:, )?)+): \\S").FindAllStringSubmatch(walk, -1)
	require.Len(t, regexp.MustCompile(`(?m)^- `).FindAllString(walk, -1), len(asides), "each line has a file, its functions and a reason")
	require.NotEmpty(t, asides)
	for _, a := range asides {
		require.False(t, seen[a[1]], "%s is named twice", a[1])
		seen[a[1]] = true
		code := codeOf(t, a[1])
		for _, name := range namesIn(a[2]) {
			requireFunction(t, a[1], code, name)
			if name != "makeEngine" && name != "PostUserMessage" { // the start of the node, and the library's call
				require.True(t, calls(before, name), "%s: no file of the walk calls %s", a[1], name)
			}
		}
		before += code
	}
}

// codeOf returns a file without its comments.
func codeOf(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	require.NoError(t, err)
	return regexp.MustCompile(`(?m)//.*$`).ReplaceAllString(string(src), "") + "\n"
}

func namesIn(list string) []string { return strings.Split(strings.ReplaceAll(list, "`", ""), ", ") }

func requireFunction(t *testing.T, file, code, name string) {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?` + name + `[\[(]`)
	require.True(t, declared.MatchString(code), "%s has no function %s", file, name)
}

// calls reports whether code names a function other than in its declaration. A message, or a
// function in a field, may have the name with a capital letter.
func calls(code, name string) bool {
	first, rest := unicode.ToUpper(rune(name[0])), name[1:]
	named := `[` + string(first) + string(unicode.ToLower(first)) + `]` + rest
	code = regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?`+named+`[\[(]`).ReplaceAllString(code, "")
	return regexp.MustCompile(`\b` + named + `\b`).MatchString(code)
}

func TestWalk_Calls(t *testing.T) {
	t.Parallel()
	require.False(t, calls("func (a *Actor) begin(ctx Context) {}", "begin"))
	require.False(t, calls("beginning()", "begin"))
	require.True(t, calls("a.begin(ctx)", "begin"))
	require.True(t, calls("case *protocol.Publication:", "publication"))
}
