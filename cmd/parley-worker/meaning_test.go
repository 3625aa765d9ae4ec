package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/demo"
)

// measuredSource is a source with its facts, as the tests of analyst/semantic read it.
type measuredSource struct {
	Source domain.DataSource
	Facts  *domain.SourceFacts
}

// measuredGroup is what is known of some sources and the links between them.
type measuredGroup struct {
	Sources []measuredSource
	Links   []domain.SourceLink
}

// TestMeaning_Measured compares the measurements from which the tests of analyst/semantic derive meanings with those that the
// worker makes now, so that no test derives from facts that nobody would measure.
func TestMeaning_Measured(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	groups := map[string]*measuredGroup{"samples": {}, "asked": {}, "files": {}}
	for _, s := range demo.Sources() {
		var text bytes.Buffer
		require.NoError(t, s.WriteCSV(&text))
		source, _ := b.prepare(t, s.FileName, text.String())
		source.Name, source.Description = s.Name, s.Description
		for i := range source.Resources {
			source.Resources[i].Details = s.Dictionary()
			for j := range source.Resources[i].Columns {
				source.Resources[i].Columns[j].Description = s.Columns[j].Description
			}
		}
		groups["samples"].add(t, b, source)
	}
	for group, pattern := range map[string]string{"asked": "../../eval/asked/tables/*.csv", "files": "../../eval/files/*.csv"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			source, _ := b.prepare(t, filepath.Base(file), string(content))
			groups[group].add(t, b, source)
		}
	}
	for name, g := range groups {
		if name != "files" {
			g.link(t, b)
		}
		g.renumber()
		text, err := json.MarshalIndent(g, "", " ")
		require.NoError(t, err)
		path := filepath.Join("../../analyst/semantic/testdata/measured", name+".json")
		if *update {
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, append(text, '\n'), 0o644))
			continue
		}
		stored, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, strings.TrimSpace(string(stored)), string(text),
			"run the test with -update, and look at what changes in analyst/semantic")
	}
}

// add measures a source.
func (g *measuredGroup) add(t *testing.T, b *bundle, source domain.DataSource) {
	t.Helper()
	facts, err := b.bench.MeasureFacts(t.Context(), &source, nil)
	require.NoError(t, err)
	g.Sources = append(g.Sources, measuredSource{Source: source, Facts: facts})
}

// link measures the links between all sources.
func (g *measuredGroup) link(t *testing.T, b *bundle) {
	t.Helper()
	for i := range g.Sources {
		for j := i + 1; j < len(g.Sources); j++ {
			links, err := b.bench.MeasureLinks(t.Context(), [2]domain.DataSource{g.Sources[i].Source, g.Sources[j].Source},
				[2]domain.SourceFacts{*g.Sources[i].Facts, *g.Sources[j].Facts})
			require.NoError(t, err)
			g.Links = append(g.Links, links...)
		}
	}
}

// renumber replaces what differs from run to run: the ids, the keys of files and the samples of rows.
func (g *measuredGroup) renumber() {
	ids := map[int64]int64{}
	for i := range g.Sources {
		s := &g.Sources[i].Source
		ids[s.ID] = int64(i + 1)
		s.ID, s.WorkKey = int64(i+1), "work-"+s.Resources[0].Table
		for j := range s.Resources {
			s.Resources[j].Preview = ""
		}
	}
	for i := range g.Links {
		g.Links[i].FromSource, g.Links[i].ToSource = ids[g.Links[i].FromSource], ids[g.Links[i].ToSource]
	}
	slices.SortStableFunc(g.Links, func(a, b domain.SourceLink) int {
		return strings.Compare(a.FromTable+" "+a.ToTable+strings.Join(a.From, " "), b.FromTable+" "+b.ToTable+strings.Join(b.From, " "))
	})
}
