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
// quarters of a year and hexadecimal digits look alike and are told apart by what stands around them.
var number = regexp.MustCompile(`(?:^|[^A-Za-z0-9_#&%\\])(?:attack)?([A-FHIJ]\d\d|Q\d\d)(?:[^0-9A-Za-z]|$)`)

// connection finds the number of an attack by way of a connector. A guarantee has the same letter: it stands in
// comments and in names such as guaranteeG10, an attack at the beginning of a name in quotes or in one such as attackG10.
var connection = regexp.MustCompile(`(?:"|attack)(G0\d|G1[0-3])[ (]`)

// cellsOnly are the rooms whose tests speak of cells of workbooks by such names.
var cellsOnly = map[string]bool{"cmd/parley-worker/table": true}

// TestNumbers holds docs/test-numbers.md to the tests: each number that a test carries has a line, and
// each line names exactly the rooms whose tests carry it.
func TestNumbers(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "test-numbers.md"))
	require.NoError(t, err)
	rooms := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^\| ([A-Z])(\d\d)(?:–[A-Z](\d\d))? \| .+ \| (.+) \|$`).FindAllStringSubmatch(string(page),
		-1) {
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
		require.Contains(t, rooms, n, "tests in %v carry %s, which docs/test-numbers.md does not have", in, n)
	}
	for n, named := range rooms {
		for _, room := range strings.Split(named, ", ") {
			require.True(t, carried[n][strings.Trim(room, "`")], "docs/test-numbers.md says that tests in %s carry %s", room, n)
		}
		for room := range carried[n] {
			require.Contains(t, strings.Split(named, ", "), "`"+room+"`", "tests in %s carry %s, and docs/test-numbers.md does not name it there",
				room, n)
		}
	}
}

// isTest reports whether a file holds tests of Go, of the web's units or of its journeys.
func isTest(name string) bool {
	for _, end := range []string{"_test.go", ".test.ts", ".test.tsx", ".e2e.ts"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
