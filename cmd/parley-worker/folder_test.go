package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/demo"
)

// folderQuestion is a line of a folder's questions.jsonl, and folderAnswer is the answer to it.
type folderQuestion struct {
	Style    string          `json:"style"`
	Sources  []string        `json:"sources"`
	Question string          `json:"question"`
	Truth    json.RawMessage `json:"truth"`
	Was      string          `json:"was"`
	Said     string          `json:"said"`
}

type folderAnswer struct {
	Line     int             `json:"line"`
	Style    string          `json:"style,omitempty"`
	Sources  []string        `json:"sources"`
	Question string          `json:"question"`
	Was      string          `json:"was"`
	Class    string          `json:"class"` // refused, holds (the result contains the truth), or other (a person must check it)
	Plan     string          `json:"plan"`
	SQL      string          `json:"sql"`
	Answer   string          `json:"answer"`
	Truth    json.RawMessage `json:"truth"`
	Rows     [][]any         `json:"rows"`
}

type folderDay struct{ clock.System }

func (folderDay) Now() time.Time { return time.Date(2026, time.November, 23, 12, 0, 0, 0, time.UTC) }

// TestAsked_Folder asks the questions in questions.jsonl of the folder PARLEY_ASKED, over the sample sources and the tables of
// the folder. It writes the answers as JSON lines to the file PARLEY_ASKED_OUT, and logs how many answers each class has.
func TestAsked_Folder(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("PARLEY_ASKED")
	if dir == "" {
		t.Skip("PARLEY_ASKED is not set")
	}
	b := setup(t, func(c *workbench.Config) { c.Queue, c.Wait = 10_000, 10*time.Minute })
	sources := folderSources(t, b, dir)
	content, err := os.ReadFile(filepath.Join(dir, "questions.jsonl"))
	require.NoError(t, err)
	p := builtin.New(builtin.Config{Clock: folderDay{}})
	var mu sync.Mutex
	var answers []folderAnswer
	var chain []string
	t.Run("all", func(t *testing.T) {
		follows := 0
		s := bufio.NewScanner(bytes.NewReader(content))
		s.Buffer(nil, 1<<20)
		for line := 1; s.Scan(); line++ {
			var q folderQuestion
			require.NoError(t, json.Unmarshal(s.Bytes(), &q))
			if q.Style != "followup" {
				follows = 0
			} else {
				follows++
			}
			if follows%3 == 1 || q.Style != "followup" {
				chain = nil
			}
			chain = append(slices.Clone(chain), q.Question)
			asked := chain
			t.Run(q.Question, func(t *testing.T) {
				t.Parallel()
				a := folderAsk(t, b, p, sources, asked, &q)
				a.Line = line
				mu.Lock()
				defer mu.Unlock()
				answers = append(answers, a)
			})
		}
		require.NoError(t, s.Err())
	})
	slices.SortFunc(answers, func(a, b folderAnswer) int { return a.Line - b.Line })
	var out bytes.Buffer
	counts := map[string]int{}
	for _, a := range answers {
		counts[a.Was+" → "+a.Class]++
		require.NoError(t, json.NewEncoder(&out).Encode(a))
	}
	t.Log(counts)
	if path := os.Getenv("PARLEY_ASKED_OUT"); path != "" {
		require.NoError(t, os.WriteFile(path, out.Bytes(), 0o600))
	}
}

// folderSources returns the sample sources with their dictionaries, and the tables of the folder, by their names.
func folderSources(t *testing.T, b *bundle, dir string) map[string]domain.DataSource {
	t.Helper()
	out := map[string]domain.DataSource{}
	for _, s := range demo.Sources() {
		var text bytes.Buffer
		require.NoError(t, s.WriteCSV(&text))
		source, _ := b.prepare(t, s.FileName, text.String())
		source.Name, source.Description = s.Name, s.Description
		source.Resources[0].Details = s.Dictionary()
		for i := range source.Resources[0].Columns {
			source.Resources[0].Columns[i].Description = s.Columns[i].Description
		}
		out[s.Name] = source
	}
	files, err := filepath.Glob(filepath.Join(dir, "tables", "*.csv"))
	require.NoError(t, err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		source, _ := b.prepare(t, filepath.Base(file), string(content))
		out[strings.TrimSuffix(filepath.Base(file), ".csv")] = source
	}
	return out
}

func folderAsk(
	t *testing.T, b *bundle, p *builtin.Provider, all map[string]domain.DataSource, asked []string, q *folderQuestion,
) folderAnswer {
	t.Helper()
	var sources []domain.DataSource
	for _, name := range q.Sources {
		require.Contains(t, all, name)
		sources = append(sources, all[name])
	}
	request := &analyst.Request{Tables: analyst.Tables(sources)}
	for _, text := range asked {
		request.Turns = append(request.Turns, analyst.Utterance{Role: analyst.UtteranceUser, Text: text})
	}
	a := folderAnswer{Style: q.Style, Sources: q.Sources, Question: q.Question, Was: q.Was, Truth: q.Truth, Class: "refused"}
	plan, call := step(t, p, request)
	a.Plan = plan
	if call == nil {
		return a
	}
	var args analyst.RunQueryArgs
	require.NoError(t, json.Unmarshal(call.Args, &args))
	a.SQL = args.SQL
	got, err := b.bench.Query(t.Context(), sources, args.SQL)
	require.NoError(t, err, args.SQL)
	request.Turns = append(request.Turns, analyst.Utterance{
		Role: analyst.UtteranceTool, CallID: call.ID,
		Result: &analyst.ToolResult{Table: got},
	})
	a.Answer, call = step(t, p, request)
	if call != nil {
		request.Turns = append(request.Turns, analyst.Utterance{Role: analyst.UtteranceTool, CallID: call.ID, Result: &analyst.ToolResult{}})
		a.Answer, _ = step(t, p, request)
	}
	a.Rows = got.Rows[:min(len(got.Rows), 12)]
	a.Class = "other"
	if holdsTruth(got, q.Truth) {
		a.Class = "holds"
	}
	return a
}

// holdsTruth reports whether the result contains each row of the truth: all of its texts, and at least one of its numbers. If
// a row of the truth has several numbers, they belong to different interpretations of the question.
func holdsTruth(got *domain.ResultSet, truth json.RawMessage) bool {
	var rows [][]any
	if json.Unmarshal(truth, &rows) != nil || len(rows) == 0 {
		return false
	}
	for _, want := range rows {
		if !slices.ContainsFunc(got.Rows, func(row []any) bool { return holdsRow(row, want) }) {
			return false
		}
	}
	return true
}

func holdsRow(row, want []any) bool {
	numbers, held := 0, 0
	for _, w := range want {
		n, isNumber := specialist.Number(w)
		found := slices.ContainsFunc(row, func(v any) bool {
			if g, ok := specialist.Number(v); ok && isNumber {
				return g == n || max(g-n, n-g) <= 0.006*max(1, n/1000)
			}
			return figureText(v) == figureText(w) || strings.HasPrefix(figureText(v), figureText(w)+"-")
		})
		switch {
		case isNumber:
			numbers++
			if found {
				held++
			}
		case w != nil && !found:
			return false
		}
	}
	return numbers == 0 || held > 0
}
