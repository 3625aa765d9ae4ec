package archtest

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// number finds the number of an attack or a fault in the text of a test. Cells of a workbook (such as B7), the
// quarters of a year and hexadecimal digits look similar; the characters around them tell them apart.
var number = regexp.MustCompile(`(?:^|[^A-Za-z0-9_#&%\\])(?:attack)?([A-FHIJ]\d\d|Q\d\d)(?:[^0-9A-Za-z]|$)`)

// connection finds the number of an attack through a connector. Guarantees have the same letter: they are in
// comments and in names such as guaranteeG10, attacks are at the start of a name in quotes.
var connection = regexp.MustCompile(`"(G0\d|G1[0-3])[ (]`)

// cellsOnly lists the rooms in whose tests such texts are names of cells.
var cellsOnly = map[string]bool{"cmd/parley-worker/table": true}

// TestNumbers checks docs/test-numbers.md: each number in a test has a line, and each line names exactly
// the rooms whose tests have the number.
func TestNumbers(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "test-numbers.md"))
	require.NoError(t, err)
	rooms := map[string]string{}
	row := regexp.MustCompile(`(?m)^\| ([A-Z])(\d\d)(?:–[A-Z](\d\d))? \| .+ \| (.+) \|$`)
	for _, line := range row.FindAllStringSubmatch(string(page), -1) {
		first, err := strconv.Atoi(line[2])
		require.NoError(t, err)
		last := first
		if line[3] != "" {
			last, err = strconv.Atoi(line[3])
			require.NoError(t, err)
		}
		for n := first; n <= last; n++ {
			rooms[fmt.Sprintf("%s%02d", line[1], n)] = line[4]
		}
	}
	require.Greater(t, len(rooms), 100)

	carried := map[string]map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "tmp" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if !isTest(entry.Name()) {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		room := path.Dir(filepath.ToSlash(relative))
		if cellsOnly[room] {
			return nil
		}
		for _, m := range append(number.FindAllStringSubmatch(string(text), -1), connection.FindAllStringSubmatch(string(text), -1)...) {
			if carried[m[1]] == nil {
				carried[m[1]] = map[string]bool{}
			}
			carried[m[1]][room] = true
		}
		return nil
	}))
	for n, in := range carried {
		require.Contains(t, rooms, n, "tests in %v have number %s, which docs/test-numbers.md does not list", in, n)
	}
	for n, named := range rooms {
		for _, room := range strings.Split(named, ", ") {
			require.True(t, carried[n][strings.Trim(room, "`")], "docs/test-numbers.md says that tests in %s have number %s", room, n)
		}
		for room := range carried[n] {
			require.Contains(t, strings.Split(named, ", "), "`"+room+"`", "tests in %s have number %s, but docs/test-numbers.md does not say so",
				room, n)
		}
	}
}

// isTest reports whether a file contains tests in Go, unit tests of the web or end-to-end tests.
func isTest(name string) bool {
	for _, end := range []string{"_test.go", ".test.ts", ".test.tsx", ".e2e.ts"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
