package analyst_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/clock"
)

var update = flag.Bool("update", false, "write the golden prompts again")

// fixedClock is a clock with a fixed time.
type fixedClock struct {
	clock.System
	day time.Time
}

// Now implements clock.Clock.
func (d fixedClock) Now() time.Time { return d.day }

// facts are the facts of sources, with the calls that were made.
type facts struct {
	known domain.FactsOfSources
	err   error
	asked [][]int64
}

// Facts implements analyst.FactsReader.
func (f *facts) Facts(_ context.Context, _, _ int64, sources []int64) (*domain.FactsOfSources, error) {
	f.asked = append(f.asked, slices.Clone(sources))
	return &f.known, f.err
}

// corrections are what people said.
type corrections []meaning.Correction

// StandingOf implements analyst.CorrectionReader.
func (c corrections) StandingOf(_ context.Context, _, _ int64, sources []int64) ([]meaning.Correction, error) {
	return slices.DeleteFunc(slices.Clone(c), func(m meaning.Correction) bool { return !slices.Contains(sources, m.Source) }), nil
}

// measuredSources are sources with their facts, as the worker measures them.
func measuredSources(t *testing.T, group string) ([]domain.DataSource, *facts) {
	t.Helper()
	text, err := os.ReadFile("semantic/testdata/measured/" + group + ".json")
	require.NoError(t, err)
	var stored struct {
		Sources []struct {
			Source domain.DataSource
			Facts  *domain.SourceFacts
		}
		Links []domain.SourceLink
	}
	require.NoError(t, json.Unmarshal(text, &stored))
	var sources []domain.DataSource
	known := &facts{known: domain.FactsOfSources{Links: stored.Links}}
	for _, s := range stored.Sources {
		s.Source.HasFile = true
		sources = append(sources, s.Source)
		known.known.Sources = append(known.known.Sources, domain.KnownFacts{
			Source: s.Source.ID, WorkKey: s.Source.WorkKey, Measured: true, SourceFacts: *s.Facts,
		})
	}
	return sources, known
}

// prompted returns the prompt of a turn over sources on a day.
func prompted(t *testing.T, group, day string) string {
	t.Helper()
	sources, known := measuredSources(t, group)
	b := setup(t, speaks(analyst.ChannelAnswer, "So much."))
	b.config.DataSources, b.config.Facts = analysttest.NewSources(sources...), known
	at, err := time.Parse(time.DateOnly, day)
	require.NoError(t, err)
	b.config.Clock = fixedClock{day: at}
	require.NoError(t, b.run(t))
	require.Len(t, known.asked, 1, "the facts of all sources are read in one call")
	require.Len(t, known.asked[0], len(sources))
	require.NotNil(t, b.model.made[0].Meaning)
	return regexp.MustCompile(`(data|guidance)-[0-9a-z]+`).ReplaceAllString(b.model.made[0].System, "$1")
}

// TestPrompt_Meaning compares the whole prompt over the sample sources and over joined tables with a file, line by line.
func TestPrompt_Meaning(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"samples", "asked"} {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			got := prompted(t, group, "2026-11-23")
			path := "testdata/prompt-" + group + ".txt"
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o700))
				require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
				return
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// TestPrompt_StableFirst checks that the next day changes only the end of the prompt, because vendors cache its beginning.
func TestPrompt_StableFirst(t *testing.T) {
	t.Parallel()
	one, other := prompted(t, "samples", "2026-10-15"), prompted(t, "samples", "2026-11-23")
	require.NotEqual(t, one, other)
	stable, daily, ok := strings.Cut(other, "The last complete month of subscription_revenue is 2026-10-01.")
	require.True(t, ok)
	require.True(t, strings.HasPrefix(one, stable), "what changes daily comes last")
	require.Contains(t, one, "The last complete month of subscription_revenue is 2026-09-01.")
	require.Contains(t, daily, "Today is Monday, 23 November 2026.")
	require.Less(t, len(daily), 100)
}

// TestPrompt_Corrected checks that what a person said is in the prompt.
func TestPrompt_Corrected(t *testing.T) {
	t.Parallel()
	sources, known := measuredSources(t, "samples")
	b := setup(t, speaks(analyst.ChannelAnswer, "So much."))
	b.config.DataSources, b.config.Facts = analysttest.NewSources(sources...), known
	b.config.Corrections = corrections{
		{Source: 3, Table: "subscription_revenue", Column: "mrr", Field: meaning.FieldDefault, Value: string(meaning.MeanOfPeriods)},
		{Source: 3, Table: "subscription_revenue", Field: meaning.FieldWords, Value: "book of business, renewals"},
		{Source: 3, Table: "subscription_revenue", Column: "account_manager", Field: meaning.FieldWords, Value: "Owner"},
		{Source: 3, Table: "subscription_revenue", Column: "mrr", Field: meaning.FieldWords, Value: "run rate"},
		{Source: 3, Table: "subscription_revenue", Column: "churned", Field: meaning.FieldVerbs, Value: "defected"},
		{Source: 3, Table: "subscription_revenue", Column: "customer_since", Field: meaning.FieldVerbs, Value: "landed"},
		{Source: 99, Table: "retail_orders", Field: meaning.FieldRow, Value: "something else"},
	}
	require.NoError(t, b.run(t))
	require.Contains(t, b.model.made[0].System, "the mean of the sums of each month; words: run rate -- Monthly recurring revenue")
	require.Contains(t, b.model.made[0].System, "  words: book of business, renewals\n")
	require.Contains(t, b.model.made[0].System, "6948 empty; words: owner -- Who looks after the account")
	require.Contains(t, b.model.made[0].System, `  verbs: "defected", "churn", "cancel", "leave", "quit" mean churned = true; "landed", `)
	require.NotContains(t, b.model.made[0].System, "something else")
}

// TestPrompt_CorrectedWide checks that a column of a wide table is kept if the question has a word that people said for it.
func TestPrompt_CorrectedWide(t *testing.T) {
	t.Parallel()
	columns := make([]domain.Column, 0, 100)
	for i := range cap(columns) {
		columns = append(columns, domain.Column{Name: fmt.Sprintf("f%02d", i), Type: domain.ColumnInteger})
	}
	wide := domain.DataSource{ID: 5, Name: "Wide", HasFile: true, Resources: []domain.DataResource{{Table: "wide", Rows: 9, Columns: columns}}}
	prompt := func(said ...meaning.Correction) string {
		b := setup(t, speaks(analyst.ChannelAnswer, "So much."))
		b.job = analysttest.Job("What is the headcount?")
		b.config.DataSources, b.config.Facts, b.config.Corrections = analysttest.NewSources(wide), &facts{}, corrections(said)
		require.NoError(t, b.run(t))
		return b.model.made[0].System
	}
	require.NotContains(t, prompt(), `"f99"`)
	require.Contains(t, prompt(meaning.Correction{Source: 5, Table: "wide", Column: "f99", Field: meaning.FieldWords, Value: "headcount"}),
		"; words: headcount\n")
}

// TestKnown says when the facts are read again.
func TestKnown(t *testing.T) {
	t.Parallel()
	query := callsTool("run_query", map[string]any{"sql": "SELECT 1"})
	turn := func(t *testing.T, change func(*facts, []domain.DataSource)) (*facts, *bundle) {
		t.Helper()
		sources, known := measuredSources(t, "asked")
		change(known, sources)
		b := setup(t, query, query, speaks(analyst.ChannelAnswer, "So much."))
		b.config.Workbench = analysttest.QueryFunc(func(context.Context, []domain.DataSource, string) (*domain.ResultSet, error) {
			r := result()
			r.Plan.JSON = []byte(`{}`)
			return r, nil
		})
		b.config.DataSources, b.config.Facts = analysttest.NewSources(sources...), known
		require.NoError(t, b.run(t))
		return known, b
	}
	t.Run("OnceATurn", func(t *testing.T) {
		t.Parallel()
		known, _ := turn(t, func(*facts, []domain.DataSource) {})
		require.Len(t, known.asked, 1)
		require.Len(t, known.asked[0], 8)
	})
	t.Run("AgainWhileSomethingIsMeasured", func(t *testing.T) {
		t.Parallel()
		known, _ := turn(t, func(f *facts, _ []domain.DataSource) { f.known.Sources[2].Measured = false })
		require.Len(t, known.asked, 3)
		known, _ = turn(t, func(f *facts, _ []domain.DataSource) { f.known.Unlinked = [][2]int64{{1, 2}} })
		require.Len(t, known.asked, 3)
	})
	t.Run("AnotherFile", func(t *testing.T) {
		t.Parallel()
		_, b := turn(t, func(f *facts, sources []domain.DataSource) { sources[2].WorkKey = "another" })
		require.NotContains(t, b.model.made[0].System, "key: department_id", "facts of a file that was replaced say nothing")
		require.Contains(t, b.model.made[0].System, "key: employee_id")
	})
	t.Run("NotReadable", func(t *testing.T) {
		t.Parallel()
		known, b := turn(t, func(f *facts, _ []domain.DataSource) { f.err = errors.New("no database") })
		require.Len(t, known.asked, 3, "an error is no answer")
		require.NotContains(t, b.model.made[0].System, "(exact)")
		require.NotContains(t, b.model.made[0].System, "no database")
	})
}
