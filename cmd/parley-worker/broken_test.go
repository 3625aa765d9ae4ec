package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// brokenFiles is the number of damaged files that are tried. `make test/broken` sets PARLEY_BROKEN_FILES to 10,000, the
// number of Q41.
const brokenFiles = 300

// TestSandbox_Q41_BrokenFiles damages files of several kinds in many places. A damaged file may crash a worker, but the bench
// must return an error and continue to work. The kind of an uploaded file is detected from its content first, as in the API.
// A database is a prepared file that was damaged later, for example by the disk.
func TestSandbox_Q41_BrokenFiles(t *testing.T) {
	t.Parallel()
	rounds := brokenFiles
	if count := os.Getenv("PARLEY_BROKEN_FILES"); count != "" {
		n, err := strconv.Atoi(count)
		require.NoError(t, err)
		rounds = n
	} else if testing.Short() {
		rounds = brokenFiles / 10
	}
	b := setup(t)
	table := "a,b\n" + strings.Repeat("1,x\n2,y\n", 500)
	source, _ := b.prepare(t, "t.csv", table)
	database, err := os.ReadFile(source.WorkKey)
	require.NoError(t, err)
	whole := map[string][]byte{"duckdb": database, "csv": []byte(table), "parquet": parquet(t, b.dir), "xlsx": workbook(t)}
	kinds := []string{"duckdb", "csv", "parquet", "xlsx"}
	outcomes := map[string]int{}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range rounds {
		kind := kinds[i%len(kinds)]
		err := b.tryBroken(t, kind, damage(random, i/len(kinds), whole[kind]), source)
		// The query or the upload can also succeed, because not every byte matters.
		outcome := "answered"
		if err != nil {
			outcome = string(domain.CodeOf(err))
			require.Contains(t, []domain.Code{
				domain.CodeInvalid, domain.CodeUnavailable, domain.CodeUnsupportedType, domain.CodeTooLarge,
			}, domain.CodeOf(err), "file %d, %s: %v", i, kind, err)
			require.NotContains(t, err.Error(), b.dir)
		}
		outcomes[kind+" "+outcome]++
	}
	require.Len(t, b.query(t, "FROM t", source).Rows, 1000)
	t.Logf("%d damaged files: %v", rounds, outcomes)
}

// tryBroken queries or uploads a damaged file.
func (b *bundle) tryBroken(t *testing.T, kind string, content []byte, source domain.DataSource) error {
	t.Helper()
	switch kind {
	case "duckdb":
		path := filepath.Join(b.dir, "broken")
		require.NoError(t, os.WriteFile(path, content, 0o600))
		defer func() { require.NoError(t, os.Remove(path)) }()
		source.WorkKey = path
		_, err := b.bench.Query(t.Context(), []domain.DataSource{source}, "SELECT a, count(*), min(b) FROM t GROUP BY a")
		return err
	case "xlsx":
		return b.forget(b.upload(t, "x.xlsx", content))
	default:
		// Parquet files are refused. If the first bytes are damaged, the file may be read as text.
		return b.forget(b.upload(t, "x.csv", content))
	}
}

// forget removes a prepared database, so that ten thousand uploads do not fill the disk.
func (b *bundle) forget(s domain.DataSource, _ *domain.FileInfo, err error) error {
	if err != nil {
		return err
	}
	return os.Remove(s.WorkKey)
}

// damage changes a copy of a file.
func damage(random *rand.Rand, i int, whole []byte) []byte {
	broken := bytes.Clone(whole)
	switch i % 5 {
	case 0: // a few bytes anywhere
		for range 1 + random.IntN(20) {
			broken[random.IntN(len(broken))] = byte(random.Uint32())
		}
	case 1: // the start, where headers with sizes and offsets are
		for range 1 + random.IntN(20) {
			broken[random.IntN(min(len(broken), 12288))] = byte(random.Uint32())
		}
	case 2: // the end, where the directories of zip and parquet are
		for range 1 + random.IntN(20) {
			broken[len(broken)-1-random.IntN(min(len(broken), 512))] = byte(random.Uint32())
		}
	case 3:
		broken = broken[:random.IntN(len(broken))]
	default: // random bytes after a correct start
		for j := random.IntN(min(len(broken), 64)); j < len(broken); j++ {
			broken[j] = byte(random.Uint32())
		}
	}
	return broken
}

func parquet(t *testing.T, dir string) []byte {
	t.Helper()
	db, err := openMemory()
	require.NoError(t, err)
	path := filepath.Join(dir, "whole.parquet")
	require.NoError(t, db.exec("COPY (SELECT i AS a, 'x' AS b FROM range(1000) r(i)) TO "+sqltext.QuoteText(path)+" (FORMAT parquet)"))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	return whole
}

func workbook(t *testing.T) []byte {
	t.Helper()
	f := excelize.NewFile()
	for row := range 200 {
		require.NoError(t, f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", row+1), &[]any{row, "x", 1.5}))
	}
	var whole bytes.Buffer
	require.NoError(t, f.Write(&whole))
	require.NoError(t, f.Close())
	return whole.Bytes()
}
