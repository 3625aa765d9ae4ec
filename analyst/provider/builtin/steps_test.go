package builtin_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/builtin/corpus"
	"parley.dev/parley/domain"
)

// stage is a turn over the sales schema.
type stage struct {
	job      *analyst.Job
	config   analyst.Config
	sink     *analysttest.Sink
	agent    *domain.Analyst
	memories *analysttest.Memories
	queries  []string
	// refuse is a word: queries that contain it fail.
	refuse string
}

func staged(t *testing.T, job *analyst.Job, resources ...domain.DataResource) *stage {
	t.Helper()
	s := &stage{job: job, sink: &analysttest.Sink{}, memories: analysttest.NewMemories()}
	sources := make([]domain.DataSource, 0, 2)
	if len(resources) > 0 {
		sources = append(sources, domain.DataSource{ID: 1, Name: "Own", Resources: resources})
	} else {
		for _, table := range schema(t, "sales").Tables {
			sources = append(sources, domain.DataSource{
				ID: table.SourceID, Name: table.Source,
				Resources: []domain.DataResource{{Name: table.Title, Table: table.Name, Rows: table.Rows, Columns: table.Columns}},
			})
		}
	}
	agents := &analysttest.Agents{Agent: domain.Analyst{ID: 1, Name: "prism-1", IsEnabled: true, Provider: "builtin"}}
	s.agent = &agents.Agent
	s.config = analyst.Config{
		Providers:   map[string]analyst.Provider{"builtin": builtin.New(builtin.Config{Clock: asked{}})},
		DataSources: analysttest.NewSources(sources...), Analysts: agents, Files: &analysttest.Files{}, Memories: s.memories,
		Workbench: analysttest.QueryFunc(func(_ context.Context, _ []domain.DataSource, sql string) (*domain.ResultSet, error) {
			s.queries = append(s.queries, oneLine(sql))
			if s.refuse != "" && strings.Contains(sql, s.refuse) {
				return nil, domain.Errorf(domain.CodeInvalid, "Catalog Error: no such column.")
			}
			return byRegion([]any{"North", 300.5}, []any{"South", -2.0}, []any{"West", 99.25}), nil
		}),
	}
	return s
}

func (s *stage) run(t *testing.T) error {
	t.Helper()
	return analyst.NewPipeline(s.config).Run(t.Context(), s.job, s.sink)
}

func (s *stage) answers() string {
	var b strings.Builder
	for _, m := range s.sink.Role(domain.RoleAssistant) {
		b.WriteString(m.Text + "\n")
	}
	return b.String()
}

func TestProvider_Plan(t *testing.T) {
	t.Parallel()

	t.Run("EachSentenceIsAQuestion", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.PlanJob("Run it.",
			domain.PlanStep{Name: "Totals", DetailedInstructions: "1. Total revenue by region in 2025.\n2. Then how many orders are there by " +
				"region?\nColour the swallows purple."},
			domain.PlanStep{Name: "Nothing", DetailedInstructions: "Ponder the airspeed of swallows."},
		))
		require.NoError(t, s.run(t))
		require.Len(t, s.queries, 2)
		require.Contains(t, s.queries[0], "sum(")
		require.Contains(t, s.queries[1], "count(")
		answers := s.sink.Role(domain.RoleAssistant)
		require.Len(t, answers, 2)
		require.True(t, strings.HasPrefix(answers[0].Text, "**Step 1 of 2: Totals**\n\n"))
		require.Contains(t, answers[0].Text, "**North** has the highest total revenue")
		require.Contains(t, answers[0].Text, "I could not read “Colour the swallows purple” as a question of this data")
		require.Contains(t, answers[1].Text, "I did not understand")
		require.Len(t, s.sink.Role(domain.RoleSummary), 1)
		require.Contains(t, s.sink.Role(domain.RoleSummary)[0].Text, "- Totals: **North** has the highest total revenue")
	})

	t.Run("AStepAsksAtMostEightQuestions", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.PlanJob("Run it.", domain.PlanStep{
			Name: "Many", DetailedInstructions: strings.Repeat("Total revenue by region. ", 8) + "How many orders are there by region?",
		}))
		require.NoError(t, s.run(t))
		require.Len(t, s.queries, 8)
		require.Contains(t, s.answers(), "A step asks at most 8 questions, so nothing was done about “How many orders are there by region?”.")
		require.NotContains(t, s.answers(), "I could not read")
	})

	t.Run("AStepMayLeanOnTheOneBefore", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.PlanJob("Run it.",
			domain.PlanStep{Name: "One", DetailedInstructions: "Total revenue by region"},
			domain.PlanStep{Name: "Two", DetailedInstructions: "and by product category?"},
		))
		require.NoError(t, s.run(t))
		require.Len(t, s.queries, 2)
		require.Contains(t, s.queries[1], "category")
		require.Contains(t, s.queries[1], "revenue")
	})

	t.Run("SQLRunsUnchanged", func(t *testing.T) {
		t.Parallel()
		r := builtin.Read(schema(t, "sales").Tables, corpus.Now(), "total revenue by region")
		s := staged(t, analysttest.PlanJob("Run it.",
			domain.PlanStep{Name: "Own", Code: "SELECT 1 AS x, 2 AS y;", Language: "sql"},
			domain.PlanStep{Name: "Known", DetailedInstructions: "total revenue by region", Code: r.SQL, Language: "sql"},
		))
		require.NoError(t, s.run(t))
		require.Equal(t, []string{"SELECT 1 AS x, 2 AS y;", oneLine(r.SQL)}, s.queries)
		require.Contains(t, s.answers(), "The query gives 3 rows.\n\n- **North**: total revenue eur 300.5")
		require.Contains(t, s.answers(), "**North** has the highest total revenue", "narrated with the words of its instructions")
	})

	t.Run("FailedSQLFailsTheStep", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.PlanJob("Run it.",
			domain.PlanStep{Name: "Own", Code: "SELECT gone FROM sales", Language: "sql"},
			domain.PlanStep{Name: "After", DetailedInstructions: "total revenue"}))
		s.refuse = "gone"
		err := s.run(t)
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
		require.ErrorContains(t, err, "Step 1 of 2 (Own) failed: The SQL of this step could not be run: Catalog Error: no such column.")
		require.Len(t, s.queries, 1)
	})

	t.Run("OtherCodeIsNotRun", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.PlanJob("Run it.", domain.PlanStep{
			Name: "Own", DetailedInstructions: "total revenue by region",
			Code: "import os\nos.system('SELECT')", Language: "python",
		}))
		require.NoError(t, s.run(t))
		require.Len(t, s.queries, 1)
		require.NotContains(t, s.queries[0], "os.system")
		require.Contains(t, s.answers(), "is not SQL, so it is not run here")
	})

	t.Run("ChecksWhatItCan", func(t *testing.T) {
		t.Parallel()
		for _, c := range []struct{ qa, want string }{
			{"There are at least 3 rows.", "Passed: the last result has 3 rows."},
			{"At most 2 rows. No empty cells.", "Not passed: the last result has 3 rows. It is true that no cell is empty."},
			{"No value is negative", "Not passed: 1 value is negative."},
			{"No duplicates; the tone is friendly", "Passed: no row is repeated. I cannot check “the tone is friendly” without a model."},
			{"The tone is friendly", "I cannot check “The tone is friendly” without a model."},
			{"The result is not empty", "Passed: every result has rows."},
		} {
			s := staged(t, analysttest.PlanJob("Run it.", domain.PlanStep{
				Name: "Own", DetailedInstructions: "total revenue by region",
				QAInstructions: c.qa,
			}))
			require.NoError(t, s.run(t))
			require.Contains(t, s.answers(), "**Check of step 1**\n\n"+c.want+"\n")
			require.Len(t, s.queries, 1, "after a review that did not pass, no query is made twice")
			if strings.HasPrefix(c.want, "Not passed") {
				require.Contains(t, s.answers(), "I have no other way to do this step")
				require.Contains(t, s.sink.Role(domain.RoleSummary)[0].Text, "did not pass")
			}
		}
	})
}

func TestProvider_Memories(t *testing.T) {
	t.Parallel()
	const query = "SELECT region, sum(net) AS net FROM sales GROUP BY ALL"

	t.Run("ItsQueryIsRunAndItIsNamed", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.Job("Please show me the churn by region?"))
		s.memories.Add(domain.Memory{ID: 1, Name: "Churn", Question: "churn by region", Response: "Our way:\n```sql\n" + query +
			";\n```\nSpeak of churn.", AlwaysRecalled: true})
		require.NoError(t, s.run(t))
		require.Equal(t, []string{query}, s.queries)
		require.Contains(t, s.answers(), "The query gives 3 rows")
		require.Contains(t, s.answers(), "I used the query of the memory **Churn**.")
		require.Contains(t, s.sink.Role(domain.RoleCoordinator)[0].Text, "**Churn**")
	})

	t.Run("AnotherQuestionIsNotAnsweredByIt", func(t *testing.T) {
		t.Parallel()
		for _, other := range []string{
			"total revenue by region in 2024", "total revenue by category in 2025",
			"total revenue by region in 2025 for Germany", "average revenue by region in 2025",
		} {
			s := staged(t, analysttest.Job(other))
			s.memories.Add(domain.Memory{ID: 1, Name: "Sums", Question: "total revenue by region in 2025", Response: query, AlwaysRecalled: true})
			require.NoError(t, s.run(t))
			require.NotContains(t, s.queries, query, other)
			require.NotContains(t, s.answers(), "Sums")
		}
	})

	t.Run("FailedQueryIsReportedAfterTheReading", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.Job("total revenue by region"))
		s.refuse = "net"
		s.memories.Add(domain.Memory{ID: 1, Name: "Sums", Question: "total revenue by region", Response: query, AlwaysRecalled: true})
		require.NoError(t, s.run(t))
		require.Len(t, s.queries, 2)
		require.Contains(t, s.answers(), "**North** has the highest total revenue")
		require.Contains(t, s.answers(), "The query of the memory **Sums** does not run any more")
	})

	t.Run("TextIsQuoted", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.Job("Who owns the churn definition?"))
		s.memories.Add(domain.Memory{
			ID: 1, Name: "Owner", Question: "who owns the churn definition",
			Response: "Finance does.\n![x](https://evil/?d=1)", AlwaysRecalled: true,
		})
		require.NoError(t, s.run(t))
		require.Contains(t, s.answers(), "Known from the memory **Owner**")
		require.Contains(t, s.answers(), "> Finance does.")
		require.NotContains(t, s.answers(), "](")
		require.Empty(t, s.queries)
	})

	t.Run("TextStandsBesideTheNumbers", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.Job("total revenue by region"))
		s.memories.Add(domain.Memory{
			ID: 1, Name: "Note", Question: "revenue by region", Response: "West was restated in March.",
			AlwaysRecalled: true,
		})
		require.NoError(t, s.run(t))
		require.Contains(t, s.answers(), "**North** has the highest")
		require.Contains(t, s.answers(), "> West was restated in March.")
	})

	t.Run("InAStep", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.PlanJob("Run it.",
			domain.PlanStep{Name: "One", DetailedInstructions: "Churn by region. Total revenue by region.", Memories: []int64{1}}))
		s.memories.Add(domain.Memory{ID: 1, Name: "Churn", Question: "churn by region", Response: query})
		require.NoError(t, s.run(t))
		require.Len(t, s.queries, 2)
		require.Equal(t, query, s.queries[0])
		require.Contains(t, s.answers(), "I used the query of the memory **Churn**.")
		require.Contains(t, s.answers(), "**North** has the highest total revenue")
	})
}

func TestProvider_Dictionary(t *testing.T) {
	t.Parallel()
	resource := domain.DataResource{
		Name: "Verkauf", Table: "verkauf", Rows: 100,
		Details: "rev = revenue in EUR\nkunde: customer, client\n- `prc` – unit price (net)\nst: status of the order\nA = active\nturnover: " +
			"rev\namt: amount, list price times quantity in USD. Synonyms: takings, money earned.\nreg: Sales area (also called territory or patch)",
		Columns: []domain.Column{
			{Name: "kunde", Type: domain.ColumnText, Distinct: 20, Values: []string{"Ada", "Bo"}},
			{Name: "rev", Type: domain.ColumnNumber, Distinct: 90, Min: "1", Max: "900"},
			{Name: "prc", Type: domain.ColumnNumber, Distinct: 90, Min: "1", Max: "90"},
			{Name: "amt", Type: domain.ColumnNumber, Distinct: 90, Min: "1", Max: "90"},
			{Name: "reg", Type: domain.ColumnText, Distinct: 3, Values: []string{"N", "S", "E"}},
			{Name: "st", Type: domain.ColumnText, Distinct: 2, Values: []string{"A", "X"}},
		},
	}
	for _, c := range []struct{ question, sql string }{
		{"total revenue by customer", `SELECT kunde, sum(rev) AS total_rev FROM verkauf GROUP BY 1 ORDER BY 2 DESC`},
		{"revenue by client", `SELECT kunde, sum(rev) AS total_rev FROM verkauf GROUP BY 1 ORDER BY 2 DESC`},
		{"turnover by customer", `SELECT kunde, sum(rev) AS total_rev FROM verkauf GROUP BY 1 ORDER BY 2 DESC`},
		{"unit price by customer", "avg(prc)"},
		{"amount by customer", "sum(amt)"},
		{"total takings by territory", "SELECT reg, sum(amt) AS total_amt"},
		{"money earned by patch", "SELECT reg, sum(amt) AS total_amt"},
		{"revenue by sales area", "SELECT reg, sum(rev) AS total_rev"},
		{"how many active customers are there?", `st = 'A'`},
	} {
		t.Run(c.question, func(t *testing.T) {
			t.Parallel()
			s := staged(t, analysttest.Job(c.question), resource)
			require.NoError(t, s.run(t))
			require.Len(t, s.queries, 1, s.answers())
			require.Contains(t, strings.ReplaceAll(s.queries[0], `"`, ""), c.sql)
		})
	}
	for form, details := range map[string]string{
		"Sentences": "amt: takings, paid in euros\nreg: patch of the sales force",
		"Markdown":  "| column | type | description |\n|---|---|---|\n| amt | number | takings |\n| reg | text | patch |",
		"Commas":    "column,description\namt,takings\nreg,patch",
		"Tabs":      "amt\ttakings\nreg\tpatch",
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			other := resource
			other.Details = details
			s := staged(t, analysttest.Job("total takings by patch"), other)
			require.NoError(t, s.run(t))
			require.Len(t, s.queries, 1, s.answers())
			require.Contains(t, strings.ReplaceAll(s.queries[0], `"`, ""), "SELECT reg, sum(amt) AS total_amt")
		})
	}

	t.Run("WithoutItTheWordIsNotThere", func(t *testing.T) {
		t.Parallel()
		bare := resource
		bare.Details = ""
		s := staged(t, analysttest.Job("total turnover by patch"), bare)
		require.NoError(t, s.run(t))
		require.Empty(t, s.queries)
	})

	t.Run("UnitIsShown", func(t *testing.T) {
		t.Parallel()
		s := staged(t, analysttest.Job("total revenue by customer"), resource)
		require.NoError(t, s.run(t))
		require.Contains(t, s.answers(), "€300.50")
	})
}

func TestProvider_Sections(t *testing.T) {
	t.Parallel()
	job := func() *analyst.Job { return analysttest.Job("total revenue by region") }

	t.Run("NoChartUnasked", func(t *testing.T) {
		t.Parallel()
		s := staged(t, job())
		s.agent.ChartReview.Disabled = true
		require.NoError(t, s.run(t))
		require.Empty(t, s.sink.Role(domain.RoleAssistant)[0].Objects)
		s = staged(t, analysttest.Job("total revenue by region as a pie chart"))
		s.agent.ChartReview.Disabled = true
		require.NoError(t, s.run(t))
		require.Len(t, s.sink.Role(domain.RoleAssistant)[0].Objects, 1, "a chart that was asked for")
	})

	t.Run("NoInsights", func(t *testing.T) {
		t.Parallel()
		s := staged(t, job())
		s.agent.Insights.Disabled = true
		require.NoError(t, s.run(t))
		require.NotContains(t, s.answers(), "Next is")
		require.Contains(t, s.answers(), "300.5")
	})

	t.Run("NoSummary", func(t *testing.T) {
		t.Parallel()
		s := staged(t, job())
		s.agent.Summary.Disabled = true
		require.NoError(t, s.run(t))
		require.Empty(t, s.sink.Role(domain.RoleSummary))
	})

	t.Run("NoKnowledge", func(t *testing.T) {
		t.Parallel()
		s := staged(t, job())
		s.agent.Knowledge.Disabled = true
		s.memories.Add(domain.Memory{
			ID: 1, Name: "Sums", Question: "total revenue by region", Response: "SELECT a, b FROM c",
			AlwaysRecalled: true,
		})
		require.NoError(t, s.run(t))
		require.NotContains(t, s.queries, "SELECT a, b FROM c")
	})

	t.Run("SummaryHasItsName", func(t *testing.T) {
		t.Parallel()
		s := staged(t, job())
		s.agent.Summary.Name = "In *short*"
		require.NoError(t, s.run(t))
		require.True(t, strings.HasPrefix(s.sink.Role(domain.RoleSummary)[0].Text, "**In short**\n\nNorth"),
			s.sink.Role(domain.RoleSummary)[0].Text)
	})
}

// TestProvider_AnyPlan checks that any content of a plan, a memory or a dictionary leads to an answer
// or an honest failure, and never to a panic.
func TestProvider_AnyPlan(t *testing.T) {
	t.Parallel()
	questions, err := corpus.Questions()
	require.NoError(t, err)
	var words []string
	for _, q := range questions {
		words = append(words, strings.Fields(q.Text)...)
	}
	words = append(words, "", ".", "\n", "- ", "1.", "=", ":", "- rev = ", "`region`", "```sql\nSELECT a FROM b\n```", "SELECT",
		"at least 3 rows", "no negative", "\x00", "\u202e", "💥", "|", "((", "revenue_eur: turnover")
	tables := schema(t, "sales").Tables
	provider := builtin.New(builtin.Config{Clock: asked{}})
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 16).Draw(t, name), " ")
		}
		own := append([]analyst.Table(nil), tables...)
		own[0].Dictionary = text("dictionary")
		plan := &domain.Plan{Blueprint: text("blueprint")}
		for i := range rapid.IntRange(1, 3).Draw(t, "steps") {
			plan.Steps = append(plan.Steps, domain.PlanStep{
				Number: i + 1, Name: text("name"), DetailedInstructions: text("instructions"),
				QAInstructions: text("qa"), Code: text("code"),
			})
		}
		r := &analyst.Request{Tables: own, Turns: []analyst.Utterance{{Role: analyst.UtteranceUser, Text: "go"}}, Guide: analyst.Guide{
			Stage: rapid.SampledFrom([]analyst.Stage{analyst.StageWork, analyst.StageReview, analyst.StageSummary}).Draw(t, "stage"),
			Plan:  plan, Step: rapid.IntRange(0, len(plan.Steps)).Draw(t, "step"),
			Memories: []domain.Memory{{Name: text("memory"), Question: text("question"), Response: text("response")}},
			Done:     []analyst.StepAnswer{{Name: text("done"), Answer: text("answer")}},
		}}
		for range 4 {
			var calls []analyst.ToolCall
			_, err := provider.Stream(context.Background(), r, func(p analyst.Piece) error {
				require.True(t, p.Call != nil || p.Text != "" || p.Annotation != nil)
				if p.Call != nil {
					calls = append(calls, *p.Call)
				}
				return nil
			})
			require.NoError(t, err)
			if len(calls) == 0 {
				return
			}
			r.Turns = append(r.Turns, analyst.Utterance{Role: analyst.UtteranceAssistant, Calls: calls})
			for _, c := range calls {
				r.Turns = append(r.Turns, analyst.Utterance{
					Role: analyst.UtteranceTool, CallID: c.ID,
					Result: &analyst.ToolResult{Table: byRegion([]any{"North", 1.5}, []any{nil, nil})},
				})
			}
		}
		require.Fail(t, "it never stops calling tools")
	})
}
