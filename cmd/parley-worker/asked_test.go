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

// asked is a question of a file in testdata, with the expected result.
type asked struct {
	line   int
	before []string
	text   string
	// truth is a query that was written by hand and returns the correct result. If possible, it calculates the result in
	// another way than the planner. It is empty if the only correct answer is that the question was not understood.
	truth string
	// first says that only the first row is compared, for questions such as "which is the most".
	first bool
	// refusable says that a refusal is also a correct answer.
	refusable bool
	tables    []string // the tables that are attached; nil for all tables
	chart     string   // the expected kind of chart: "" for any, "none" for no chart
	plan      string   // a text that the plan must contain
}

func (a *asked) name() string { return strings.Join(append(slices.Clone(a.before), a.text), " > ") }

// readAsked reads a file of questions. Each line is empty, a comment after //, or begins with a sign:
//
//	? question
//	> follow-up question
//	= truth     the query for the question above; without a query, a refusal is expected
//	=1 truth    only the first row is compared
//	=? =1?      like = and =1, but a refusal is also correct
//	~ kind      the expected kind of chart for the question above
//	^ text      a text that the plan of the question above must contain
//	@ tables    the tables that are attached from here on
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
			require.FailNow(t, "unknown sign", "%s line %d", path, n)
		}
	}
	require.NoError(t, s.Err())
	return out
}

// askedDay is a clock with the day on which all questions are asked.
type askedDay struct{ clock.System }

func (askedDay) Now() time.Time { return time.Date(2025, time.November, 20, 12, 0, 0, 0, time.UTC) }

// TestAsked uploads many different files, asks the planner questions as people ask them, runs the planner's queries in the
// real worker, and compares the results with those of the queries that were written by hand.
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

// TestAsked_SeveralFiles asks questions that need several files.
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

// ask asks one question and compares the result with the truth.
func ask(t *testing.T, b *bundle, p *builtin.Provider, sources []domain.DataSource, a *asked) {
	t.Helper()
	request := &analyst.Request{Tables: analyst.Tables(sources)}
	for _, q := range append(slices.Clone(a.before), a.text) {
		request.Turns = append(request.Turns, analyst.Utterance{Role: analyst.UtteranceUser, Text: q})
	}
	plan, call := step(t, p, request)
	if a.truth == "" {
		require.Nil(t, call, "answered instead of refused: %s", plan)
		require.Contains(t, plan, "\n- ", "the refusal must offer questions")
		return
	}
	if call == nil && a.refusable {
		return
	}
	require.NotNil(t, call, "refused: %s", plan)
	var args analyst.RunQueryArgs
	require.NoError(t, json.Unmarshal(call.Args, &args))
	got, err := b.bench.Query(t.Context(), sources, args.SQL)
	require.NoError(t, err, "%s\n%s", plan, args.SQL)
	want, err := b.bench.Query(t.Context(), sources, a.truth)
	require.NoError(t, err, a.truth)
	require.NotEmpty(t, want.Rows, "the query written by hand returns no rows")
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
	t.Logf("\n%s\n%s\nchart %s: %s", plan, args.SQL, chart, answer)
	if reason := differs(got, want, a.first); reason != "" {
		require.Fail(t, "wrong result", "%s\n%s\n%s\ngot  %v\nwant %v", reason, plan, args.SQL, head(got), head(want))
	}
	if a.chart != "" {
		require.Equal(t, a.chart, chart, "%s\n%s", plan, args.SQL)
	}
	require.Contains(t, plan, a.plan)
}

func head(r *domain.ResultSet) [][]any { return r.Rows[:min(6, len(r.Rows))] }

// step calls the provider once. It returns the text, except the summary, and the last tool call.
func step(t *testing.T, p *builtin.Provider, r *analyst.Request) (text string, call *analyst.ToolCall) {
	t.Helper()
	_, err := p.Stream(context.WithoutCancel(t.Context()), r, func(piece analyst.Piece) error {
		if piece.Channel != analyst.ChannelSummary {
			text += piece.Text
		}
		if piece.Call != nil {
			call = piece.Call
		}
		return nil
	})
	require.NoError(t, err)
	return text, call
}

// differs returns how a result differs from the truth, or an empty string. The result must have all columns of the truth
// with equal values. The names and the order of the columns, the order of the rows, and further columns do not matter.
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
	// Every choice of columns is tried, because results have few columns.
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
		return "different values"
	}
	return ""
}

// sorted returns the rows as sorted texts, with only the given columns, or all columns if columns is nil.
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

// figureText formats a number with six significant digits, independent of its type.
func figureText(v any) string {
	if n, ok := specialist.Number(v); ok {
		if n == math.Trunc(n) && math.Abs(n) < 1e6 {
			return fmt.Sprintf("%.0f", n)
		}
		return fmt.Sprintf("%.6g", n)
	}
	return fmt.Sprint(v)
}
