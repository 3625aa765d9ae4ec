package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/openai"
	"parley.dev/parley/cmd/parley/eval"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/processtest"
)

// keep makes TestEval_Builtin write the baseline instead of comparing with it. It is used after the answers
// have become better, or questions were added.
var keep = flag.Bool("keep-baseline", false, "write eval/baseline.json again")

// suitesDir is the folder of the suites, and baseline is what the planner has reached.
const (
	suitesDir = "../../eval"
	baseline  = suitesDir + "/baseline.json"
)

// builtinEval returns an evaluation of the planner, and all suites.
func builtinEval(t *testing.T) (eval.Config, []*eval.Suite) {
	t.Helper()
	suites, err := eval.Load(suitesDir, nil)
	require.NoError(t, err)
	asks, err := asked(&config{}, builtinProvider, new(string))
	require.NoError(t, err)
	return evalKit(t).config(asks, ""), suites
}

// TestEval_Builtin asks the planner the questions of all suites through the whole product, and fails if one
// of them is worse than before.
func TestEval_Builtin(t *testing.T) {
	t.Parallel()
	conf, suites := builtinEval(t)
	report, err := eval.Run(t.Context(), conf, suites)
	require.NoError(t, err)
	var table bytes.Buffer
	require.NoError(t, report.WriteTable(&table))
	t.Log("\n" + table.String())
	if *keep {
		for i := range report.Suites {
			report.Suites[i].Median, report.Suites[i].P95 = 0, 0
		}
		var b bytes.Buffer
		require.NoError(t, report.WriteJSON(&b))
		require.NoError(t, os.WriteFile(baseline, b.Bytes(), 0o600))
	}
	base, err := eval.ReadReport(baseline)
	require.NoError(t, err)
	for _, s := range suites {
		has := slices.ContainsFunc(base.Suites, func(o eval.Score) bool { return o.Suite == s.Name })
		require.True(t, has, "the suite %s is not in the baseline", s.Name)
	}
	for i := range report.Suites {
		require.Empty(t, report.Suites[i].Outdated, "what a suite calls true must follow from its files")
	}
	require.NoError(t, report.Against(base))
}

// evalKit starts the parts that an evaluation uses, with the real worker.
func evalKit(t *testing.T) *kit {
	t.Helper()
	log := (&program{stderr: io.Discard}).logger("error", formatText)
	k, err := newKit(t.Context(), processtest.Build(t, t.TempDir(), "parley-worker"), log)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, k.parts.stop(context.Background())) })
	return k
}

// vendor is a model behind a server with the protocol of OpenAI: it answers each question with a query, and
// then with a sentence; or at once with a sentence. A model that insists sends the query until its result is
// shown with a warning.
type vendor map[string]reply

type reply struct {
	sql, text string
	insists   bool
}

func (v vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		} `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Model != "clever-1" {
		http.Error(w, "bad request", http.StatusTeapot)
		return
	}
	question, queried, withheld := "", false, false
	for _, m := range body.Messages {
		switch m.Role {
		case "user":
			question, queried = fmt.Sprint(m.Content), false
		case "tool":
			queried, withheld = true, strings.HasPrefix(fmt.Sprint(m.Content), "Error: ")
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(delta map[string]any, reason any) {
		b, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}})
		fmt.Fprintf(w, "data: %s\n\n", b)
	}
	known, reason := v[question], "stop"
	if known.sql == "" || queried && !(known.insists && withheld) {
		say(map[string]any{"content": known.text}, nil)
	} else {
		reason = "tool_calls"
		args, _ := json.Marshal(map[string]string{"sql": known.sql})
		say(map[string]any{"tool_calls": []any{map[string]any{
			"index": 0, "id": "call", "type": "function", "function": map[string]any{"name": "run_query", "arguments": string(args)},
		}}}, nil)
	}
	say(map[string]any{}, reason)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// TestEval_Model runs the command with a model behind a server, with each outcome once, and against a
// baseline that was better.
func TestEval_Model(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"shop/suite.json": `{"title": "a shop", "today": "2026-11-23"}`,
		"shop/sales.csv":  "region,amount,rate\nNorth,10.25,0.1\nSouth,20.5,0.3\nNorth,5,0.2\n",
		"shop/sales.jsonl": `{"question": "total", "truth": [[35.75]]}
{"question": "by region", "truth": [["South", 20.5], ["North", 15.25]], "rows": "ordered"}
{"question": "and the North?", "truth": [[15.25]], "follows": true}
{"question": "half of it", "truth": [["North", 15.25, 2], ["South", 20.5, 1]]}
{"question": "which year?", "truth": [[1]]}
{"question": "too hard", "truth": [[1]]}
{"question": "no answer", "kind": "refuse"}
{"question": "mean rate", "truth": [[20]]}
{"question": "carefully wrong", "truth": [[35.75]]}
{"question": "boldly wrong", "truth": [[35.75]]}
{"question": "made up", "truth": [[35.75]]}
`,
		"sealed/suite.json":  `{"title": "sealed", "today": "2026-11-23", "sealed": true}`,
		"sealed/other.csv":   "region,amount\nNorth,10\n",
		"sealed/other.jsonl": `{"question": "boldly wrong", "truth": [[10]]}`,
	}
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	server := httptest.NewServer(vendor{
		"total": {sql: "SELECT sum(amount) FROM sales", text: "It is 35.75."},
		"by region": {
			sql: "SELECT region, count(*) AS n, sum(amount) FROM sales GROUP BY 1 ORDER BY 3 DESC", text: "South leads with 20.50.",
		},
		"and the North?":  {text: "The North has **15.25**."},
		"half of it":      {sql: "SELECT region, sum(amount) FROM sales GROUP BY 1", text: "South leads."},
		"which year?":     {text: "Which year do you mean?"},
		"too hard":        {text: "I cannot answer that from this data."},
		"no answer":       {text: "The data have no such column."},
		"mean rate":       {sql: "SELECT avg(rate) AS rate FROM sales", text: "The mean rate is 20%."},
		"carefully wrong": {sql: "SELECT max(amount) FROM sales", text: "Assuming that you want the highest, it is 20.5."},
		"boldly wrong":    {sql: "SELECT 1 AS n", text: "It is 1."},
		"made up":         {text: "It is 4,711."},
	})
	t.Cleanup(server.Close)
	worker := processtest.Build(t, t.TempDir(), "parley-worker")
	run := func(args ...string) (table string, err error) {
		var out, errs bytes.Buffer
		p := &program{stdout: &out, stderr: &errs, getenv: func(name string) string {
			return map[string]string{
				"OPENAI_BASE_URL": server.URL, "OPENAI_MODEL": "other", "PARLEY_WORKER": worker, "PARLEY_DATA": t.TempDir(),
			}[name]
		}}
		err = p.main(t.Context(), append([]string{"eval", "--provider", "openai", "--model", "clever-1", "--suites", dir}, args...))
		return out.String(), err
	}
	first := filepath.Join(t.TempDir(), "first.json")
	table, err := run("--suite", "shop", "--fit", "--json", first)
	require.NoError(t, err)
	got, err := eval.ReadReport(first)
	require.NoError(t, err)
	require.Equal(t, "clever-1", got.Model)
	require.Len(t, got.Suites, 1)
	outcomes := map[string]eval.Outcome{}
	for _, e := range got.Suites[0].Entries {
		outcomes[e.Question] = e.Outcome
	}
	require.Equal(t, map[string]eval.Outcome{
		"half of it": eval.Partial, "which year?": eval.Asked, "too hard": eval.Refused, "carefully wrong": eval.WrongSaid,
		"boldly wrong": eval.WrongCertain, "made up": eval.WrongCertain,
	}, outcomes)
	s := got.Suites[0]
	require.Equal(t, []int{11, 5, 1, 1, 1, 1, 1, 2}, []int{
		s.Questions, s.Right, s.Declined, s.Partial, s.Asked, s.Refused, s.WrongSaid, s.WrongCertain,
	})
	require.Contains(t, table, "SELECT max(amount) FROM sales", "--fit shows the query of a wrong answer")

	t.Run("AgainstItself", func(t *testing.T) {
		t.Parallel()
		_, err := run("--suite", "shop", "--against", first)
		require.NoError(t, err)
	})
	t.Run("ErrBar", func(t *testing.T) {
		t.Parallel()
		better := *got
		better.Suites = slices.Clone(got.Suites)
		better.Suites[0].WrongCertain--
		better.Suites[0].Right++
		path := filepath.Join(t.TempDir(), "better.json")
		f, err := os.Create(path)
		require.NoError(t, err)
		require.NoError(t, better.WriteJSON(f))
		require.NoError(t, f.Close())
		_, err = run("--suite", "shop", "--against", path)
		require.ErrorIs(t, err, eval.ErrBar)
		require.ErrorContains(t, err, "right fell")
		require.ErrorContains(t, err, "wrong and certain rose from 1 to 2")
		require.Equal(t, exitFailed, (&program{stderr: io.Discard}).exit(err))
	})
	t.Run("Sealed", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "sealed.json")
		_, err := run("--suite", "sealed", "--json", path)
		require.NoError(t, err)
		got, err := eval.ReadReport(path)
		require.NoError(t, err)
		require.Equal(t, 1, got.Suites[0].WrongCertain)
		require.Empty(t, got.Suites[0].Entries, "only totals")
		_, err = run("--suite", "sealed", "--fit")
		require.ErrorContains(t, err, "sealed")
		require.Equal(t, exitUsage, (&program{stderr: io.Discard}).exit(err))
	})
	t.Run("ErrProvider", func(t *testing.T) {
		t.Parallel()
		_, err := run("--provider", "nobody")
		require.ErrorContains(t, err, "these are: builtin, openai")
	})
}

// TestEval_Shown checks that only what a person saw counts: a model writes totals that the guard withholds. The same statements
// over other tables are shown.
func TestEval_Shown(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "offices")
	require.NoError(t, os.Mkdir(dir, 0o700))
	const sources = `"sources": ["teams", "people"]`
	for name, text := range map[string]string{
		"suite.json": `{"title": "offices", "today": "2026-11-23"}`,
		"teams.csv":  "team_id,team,budget\n1,Sales,100000\n2,Research,250000\n3,Support,60000\n",
		"people.csv": "person_id,team_id,salary\n1,1,4100\n2,1,5200\n3,2,6300\n4,2,7400\n5,2,8500\n6,3,9600\n",
		"offices.jsonl": `{"question": "budgets, given up", "truth": [[410000]], ` + sources + `}
{"question": "budgets, no answer", "kind": "refuse", ` + sources + `}
{"question": "budgets, insisted", "truth": [[410000]], ` + sources + `}
{"question": "budgets, told by the warning", "truth": [[410000]], ` + sources + `}
{"question": "a table of budgets", "truth": [[410000]], ` + sources + `}
{"question": "the mean salary", "truth": [[6850]], ` + sources + `}
{"question": "salaries, no rows", "truth": [[6]], ` + sources + `}
{"question": "salaries, an error", "truth": [[41100]], ` + sources + `}
`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	const budgets = "SELECT sum(budget) AS total FROM teams JOIN people USING (team_id)"
	server := httptest.NewServer(vendor{
		"budgets, given up":            {sql: budgets, text: "I cannot answer that from this data."},
		"budgets, no answer":           {sql: budgets, text: "The data cannot tell that."},
		"budgets, insisted":            {sql: budgets, text: "It is what the table says.", insists: true},
		"budgets, told by the warning": {sql: budgets, text: "The teams together have 410,000.", insists: true},
		"a table of budgets":           {sql: "SELECT sum(budget) AS total FROM teams", text: "It is what the table says."},
		"the mean salary":              {sql: "SELECT avg(salary) AS mean FROM people", text: "It is what the table says."},
		"salaries, no rows":            {sql: "SELECT salary FROM people WHERE team_id = 4", text: "There are none."},
		"salaries, an error":           {sql: "SELECT sum(wages) FROM people", text: "I cannot answer that from this data."},
	})
	t.Cleanup(server.Close)
	suites, err := eval.Load(filepath.Dir(dir), nil)
	require.NoError(t, err)
	conf := evalKit(t).config(func(clock.Clock) analyst.Provider {
		return openai.New(openai.Config{BaseURL: server.URL, Model: "clever-1"})
	}, "clever-1")
	conf.Details = true
	report, err := eval.Run(t.Context(), conf, suites)
	require.NoError(t, err)
	outcomes := map[string]eval.Outcome{}
	for _, e := range report.Suites[0].Entries {
		outcomes[e.Question] = e.Outcome
		t.Logf("%s: %s %s\n%s\n%s\n%s", e.Question, e.Outcome, e.Reason, e.SQL, e.Got, e.Text)
	}
	require.Equal(t, map[string]eval.Outcome{
		"budgets, given up": eval.Refused, "budgets, insisted": eval.WrongSaid, "salaries, no rows": eval.WrongCertain,
		"salaries, an error": eval.Refused,
	}, outcomes)
}

// TestOffer_Samples checks the questions that are offered for the sample sources and for the tables of the suite asked. The
// suites samples and offered, in which all must be right, have each of them; a description of a table has no truth.
func TestOffer_Samples(t *testing.T) {
	t.Parallel()
	k := evalKit(t)
	suites, err := eval.Load(suitesDir, []string{"samples", "offered"})
	require.NoError(t, err)
	for i, least := range []int{3, 2} {
		sources, err := eval.Sources(t.Context(), k.config(nil, ""), suites[i])
		require.NoError(t, err)
		known := map[string]bool{}
		for _, c := range suites[i].Conversations {
			known[strings.Join(c[0].Sources, ",")+": "+c[0].Text] = true
		}
		require.Len(t, sources, []int{3, 8}[i])
		planner := builtin.New(builtin.Config{Clock: clock.NewFake(suites[i].Today.Time)})
		for _, s := range sources {
			offered := planner.Offer([]domain.DataSource{s}, 4)
			require.GreaterOrEqual(t, len(offered), least, s.Name)
			for _, q := range offered {
				if strings.HasPrefix(q.Text, "Describe the data in ") {
					continue
				}
				require.True(t, known[s.Name+": "+q.Text], "%s has no correct answer for %s: %s", suites[i].Name, s.Name, q.Text)
			}
		}
	}
}

// TestEval_Outdated checks that a written truth that differs from its own query is reported.
func TestEval_Outdated(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "shop")
	require.NoError(t, os.Mkdir(dir, 0o700))
	for name, text := range map[string]string{
		"suite.json": `{"title": "a shop", "today": "2026-11-23"}`,
		"sales.csv":  "region,amount\nNorth,10\nSouth,20\n",
		"sales.jsonl": `{"question": "total amount", "truth": [[30]], "sql": "SELECT sum(amount) FROM sales"}
{"question": "highest amount", "truth": [[21]], "sql": "SELECT max(amount) FROM sales"}
`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	suites, err := eval.Load(filepath.Dir(dir), nil)
	require.NoError(t, err)
	asks, err := asked(&config{}, builtinProvider, new(string))
	require.NoError(t, err)
	report, err := eval.Run(t.Context(), evalKit(t).config(asks, ""), suites)
	require.NoError(t, err)
	require.Len(t, report.Suites[0].Outdated, 1)
	require.Contains(t, report.Suites[0].Outdated[0], "highest amount")
}
