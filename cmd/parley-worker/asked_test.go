package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/specialist"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// asked is a question of one of the files in testdata/asked, with what is true.
type asked struct {
	line   int
	before []string
	text   string
	// truth is a query that was written by hand, with other means where there are
	// any; empty where the only right answer is to say that it was not understood.
	truth string
	// first compares the first row only, for "which is the most" and its like.
	first bool
	// refusable says that a refusal is right as well.
	refusable bool
	tables    []string // what is attached; nil for all that there is
	chart     string   // "" does not matter, "none" for no chart
	plan      string   // what the plan has to say
}

func (a *asked) name() string { return strings.Join(append(slices.Clone(a.before), a.text), " > ") }

// readAsked reads a file of questions: "? question", "> follow-up", then "= truth",
// with "=1" for the first row only and a bare "=" for a refusal; "=?" and "=1?" take
// either. "~ kind" names the chart and "^ text" something that the plan says, each of
// the question above; "@ tables" says what is attached from there on.
func readAsked(t *testing.T, path string) []asked {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	var out []asked
	var chain, tables []string
	s := bufio.NewScanner(strings.NewReader(string(content)))
	for n := 1; s.Scan(); n++ {
		sign, rest, _ := strings.Cut(strings.TrimSpace(s.Text()), " ")
		switch sign {
		case "", "//":
		case "@":
			tables = strings.Fields(rest)
		case "?":
			chain = []string{rest}
		case ">":
			chain = append(chain, rest)
		case "=", "=1", "=?", "=1?":
			require.NotEmpty(t, chain, "line %d", n)
			last := len(chain) - 1
			out = append(out, asked{
				line: n, before: chain[:last:last], text: chain[last], truth: rest, tables: tables,
				first: strings.HasPrefix(sign, "=1"), refusable: strings.HasSuffix(sign, "?"),
			})
		case "~":
			out[len(out)-1].chart = rest
		case "^":
			out[len(out)-1].plan = rest
		default:
			require.FailNow(t, "no entry", "%s line %d", path, n)
		}
	}
	require.NoError(t, s.Err())
	return out
}

// askedDay is the day on which all of it is asked.
type askedDay struct{ clock.System }

func (askedDay) Now() time.Time { return time.Date(2025, time.November, 20, 12, 0, 0, 0, time.UTC) }

// TestAsked uploads files of many kinds, asks what people ask of them, runs the
// planner's queries in the real worker and compares the numbers with the truth.
func TestAsked(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Queue, c.Wait = 10_000, 10*time.Minute })
	files, err := filepath.Glob("testdata/asked/*.csv")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	p := builtin.New(builtin.Config{Clock: askedDay{}})
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		source, _ := b.prepare(t, filepath.Base(file), string(content))
		for _, a := range readAsked(t, strings.TrimSuffix(file, ".csv")+".txt") {
			t.Run(filepath.Base(file)+"/"+a.name(), func(t *testing.T) {
				t.Parallel()
				ask(t, b, p, []domain.DataSource{source}, &a)
			})
		}
	}
}

// TestAsked_SeveralFiles asks what needs more than one file at once.
func TestAsked_SeveralFiles(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Queue, c.Wait = 10_000, 10*time.Minute })
	files, err := filepath.Glob("testdata/asked/shop/*.csv")
	require.NoError(t, err)
	require.Len(t, files, 3)
	var sources []domain.DataSource
	for i, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		source, _ := b.prepare(t, filepath.Base(file), string(content))
		source.ID = int64(i + 1)
		sources = append(sources, source)
	}
	p := builtin.New(builtin.Config{Clock: askedDay{}})
	for _, a := range readAsked(t, "testdata/asked/shop/questions.txt") {
		t.Run(a.name(), func(t *testing.T) {
			t.Parallel()
			ask(t, b, p, sources, &a)
		})
	}
}

// ask asks one question and compares.
func ask(t *testing.T, b *bundle, p *builtin.Provider, sources []domain.DataSource, a *asked) {
	t.Helper()
	request := analyst.Request{Tables: analyst.Tables(sources)}
	for _, q := range append(slices.Clone(a.before), a.text) {
		request.Turns = append(request.Turns, analyst.Utterance{Role: analyst.UtteranceUser, Text: q})
	}
	said, call := step(t, p, request)
	if a.truth == "" {
		require.Nil(t, call, "answered: %s", said)
		require.Contains(t, said, "\n- ", "no question is offered")
		return
	}
	if call == nil && a.refusable {
		return
	}
	require.NotNil(t, call, "refused: %s", said)
	var args analyst.RunQueryArgs
	require.NoError(t, json.Unmarshal(call.Args, &args))
	got, err := b.bench.Query(t.Context(), sources, args.SQL)
	require.NoError(t, err, "%s\n%s", said, args.SQL)
	want, err := b.bench.Query(t.Context(), sources, a.truth)
	require.NoError(t, err, a.truth)
	require.NotEmpty(t, want.Rows, "the truth is empty")
	request.Turns = append(request.Turns, analyst.Utterance{
		Role: analyst.UtteranceTool, CallID: call.ID,
		Result: &analyst.ToolResult{Table: got},
	})
	answer, call := step(t, p, request)
	chart := "none"
	if call != nil {
		var wish analyst.MakeChartArgs
		require.NoError(t, json.Unmarshal(call.Args, &wish))
		made, err := specialist.DeriveChart(got, specialist.ChartWish{Kind: specialist.Kind(wish.Kind), Title: wish.Title})
		if err == nil {
			chart = string(made.Kind)
		}
		request.Turns = append(request.Turns, analyst.Utterance{Role: analyst.UtteranceTool, CallID: call.ID, Result: &analyst.ToolResult{}})
		answer, _ = step(t, p, request)
	}
	t.Logf("\n%s\n%s\nchart %s: %s", said, args.SQL, chart, answer)
	if reason := differs(got, want, a.first); reason != "" {
		require.Fail(t, "not the truth", "%s\n%s\n%s\ngot  %v\nwant %v", reason, said, args.SQL, head(got), head(want))
	}
	if a.chart != "" {
		require.Equal(t, a.chart, chart, "%s\n%s", said, args.SQL)
	}
	require.Contains(t, said, a.plan)
}

func head(r *domain.ResultSet) [][]any { return r.Rows[:min(6, len(r.Rows))] }

// step makes one call of the provider.
func step(t *testing.T, p *builtin.Provider, r analyst.Request) (said string, call *analyst.ToolCall) {
	t.Helper()
	_, err := p.Stream(context.WithoutCancel(t.Context()), r, func(piece analyst.Piece) error {
		if piece.Channel != analyst.ChannelSummary {
			said += piece.Text
		}
		if piece.Call != nil {
			call = piece.Call
		}
		return nil
	})
	require.NoError(t, err)
	return said, call
}

// differs tells how a result is not the truth: each of the truth's columns must
// stand in it, row for row, whatever its name, its place and the order of rows.
func differs(got, want *domain.ResultSet, first bool) string {
	if first {
		if len(got.Rows) == 0 {
			return "no rows"
		}
		got, want = &domain.ResultSet{Columns: got.Columns, Rows: got.Rows[:1]}, &domain.ResultSet{Columns: want.Columns, Rows: want.Rows[:1]}
	}
	if len(got.Rows) != len(want.Rows) {
		return fmt.Sprintf("%d rows instead of %d", len(got.Rows), len(want.Rows))
	}
	// Every choice of columns is tried; results have few of them.
	var choose func(chosen []int) bool
	choose = func(chosen []int) bool {
		if len(chosen) == len(want.Columns) {
			return slices.Equal(sorted(got, chosen), sorted(want, nil))
		}
		k := len(chosen)
		for i := range got.Columns {
			if !slices.Contains(chosen, i) && slices.Equal(sorted(got, []int{i}), sorted(want, []int{k})) &&
				choose(append(slices.Clone(chosen), i)) {
				return true
			}
		}
		return false
	}
	if !choose(nil) {
		return "other values"
	}
	return ""
}

// sorted writes rows as text, of some of their columns, in an order of its own.
func sorted(r *domain.ResultSet, columns []int) []string {
	out := make([]string, len(r.Rows))
	for i, row := range r.Rows {
		var cells []string
		for k, v := range row {
			if columns == nil {
				cells = append(cells, figureText(v))
			} else if k < len(columns) {
				cells = append(cells, figureText(row[columns[k]]))
			}
		}
		out[i] = strings.Join(cells, "|")
	}
	slices.Sort(out)
	return out
}

// figureText writes numbers alike, whatever their type, to six figures.
func figureText(v any) string {
	if n, ok := specialist.Number(v); ok {
		if n == math.Trunc(n) && math.Abs(n) < 1e6 {
			return fmt.Sprintf("%.0f", n)
		}
		return fmt.Sprintf("%.6g", n)
	}
	return fmt.Sprint(v)
}
