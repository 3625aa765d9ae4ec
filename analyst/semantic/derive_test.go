package semantic_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
)

var update = flag.Bool("update", false, "write the derived meanings again")

// today is the day of the tests.
func today() time.Time { return time.Date(2026, time.November, 23, 0, 0, 0, 0, time.UTC) }

// measuredInput reads sources with their facts, as TestMeaning_Measured of cmd/parley-worker has measured them.
func measuredInput(tb testing.TB, group string) *semantic.Input {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "measured", group+".json"))
	require.NoError(tb, err)
	var stored struct {
		Sources []struct {
			Source domain.DataSource
			Facts  *domain.SourceFacts
		}
		Links []domain.SourceLink
	}
	require.NoError(tb, json.Unmarshal(text, &stored))
	in := &semantic.Input{Links: stored.Links, Today: today()}
	for i := range stored.Sources {
		s := &stored.Sources[i]
		known := &domain.KnownFacts{Source: s.Source.ID, WorkKey: s.Source.WorkKey, Measured: true, SourceFacts: *s.Facts}
		in.Sources = append(in.Sources, semantic.NewSource(&s.Source, known, nil))
	}
	return in
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// TestDerive compares what is derived of the sample sources, of the joined tables of the evaluation, and of fifty files of
// many kinds, line by line.
func TestDerive(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"samples", "asked", "files"} {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			golden(t, group, dump(semantic.Derive(measuredInput(t, group))))
		})
	}
}
