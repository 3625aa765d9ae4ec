package builtin_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/builtin/corpus"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// asked is a clock that is stopped on the day of the corpus.
type asked struct{ clock.System }

func (asked) Now() time.Time { return corpus.Now() }

func schema(t interface {
	require.TestingT
	Helper()
}, name string,
) corpus.Schema {
	t.Helper()
	s, ok := corpus.SchemaOf(name)
	require.True(t, ok, name)
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestRead_Corpus(t *testing.T) {
	t.Parallel()
	questions, err := corpus.Questions()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(questions), 150)
	for _, q := range questions {
		t.Run(q.Schema+"/"+q.Text, func(t *testing.T) {
			t.Parallel()
			r := builtin.Read(schema(t, q.Schema).Tables, corpus.Now(), append(q.Before, q.Text)...)
			require.Equal(t, q.SQL != "", r.Understood)
			require.Equal(t, q.SQL, oneLine(r.SQL), r.Plan)
		})
	}
}

// TestRead_NotesOfTheQuestionBefore asks pairs of questions: a note that applies only to the first
// question must not appear with the second.
func TestRead_NotesOfTheQuestionBefore(t *testing.T) {
	t.Parallel()
	questions := []string{
		"aov per quarter", "revenue by region per widget", "which is the biggest order?", "total by region", "best seller",
		"compare 2024 and 2025 by region", "revenue by channel", "as a pie", "by category", "and in 2024?", "how many orders in 2025?",
		"revenu by regoin", "average by country", "top 3 products last month",
	}
	sales := schema(t, "sales")
	notes := func(plan string) (out []string) {
		for _, s := range strings.SplitAfter(plan, ". ") {
			if s = strings.TrimSpace(s); s != "" && !strings.HasPrefix(s, "I read this as") && !strings.HasPrefix(s, "I joined") {
				out = append(out, s)
			}
		}
		return out
	}
	said := 0
	for _, first := range questions {
		before := builtin.Read(sales.Tables, corpus.Now(), first)
		for _, second := range questions {
			alone := builtin.Read(sales.Tables, corpus.Now(), second)
			after := builtin.Read(sales.Tables, corpus.Now(), first, second)
			for _, note := range notes(before.Plan) {
				said++
				if !strings.Contains(alone.Plan, note) {
					require.NotContains(t, after.Plan, note, "%s > %s", first, second)
				}
			}
			for _, word := range before.Ignored {
				if !slices.Contains(alone.Ignored, word) {
					require.NotContains(t, after.Ignored, word, "%s > %s", first, second)
				}
			}
		}
	}
	require.Positive(t, said)
}

// TestRead_BehindOneThatWasNotUnderstood checks that a question which only shows the last answer in
// another way finds that answer before questions that were not understood, and says so.
func TestRead_BehindOneThatWasNotUnderstood(t *testing.T) {
	t.Parallel()
	sales := schema(t, "sales")
	for _, view := range []string{"as a pie", "by channel", "by month"} {
		want := builtin.Read(sales.Tables, corpus.Now(), "total revenue by region", view)
		require.True(t, want.Understood)
		got := builtin.Read(sales.Tables, corpus.Now(), "total revenue by region", "qwertz asdfg of yxcvb", view)
		require.True(t, got.Understood, view)
		require.Equal(t, want.SQL, got.SQL, view)
		require.Contains(t, got.Plan, "I did not understand the previous question")
	}
}

// TestRead_AnyWords checks that any words lead to an answer or an honest refusal, and never to a panic.
func TestRead_AnyWords(t *testing.T) {
	t.Parallel()
	questions, err := corpus.Questions()
	require.NoError(t, err)
	var words []string
	for _, q := range questions {
		words = append(words, strings.Fields(q.Text)...)
	}
	words = append(words, "", ",", "\"", "'x'", "<", "2025-13", "9999999999999999999999", "Q5", "-", "%", "💥", "\x00",
		"'; DROP TABLE orders; --", "))((", "\u202e")
	schemas := corpus.Schemas()
	rapid.Check(t, func(t *rapid.T) {
		s := schemas[rapid.IntRange(0, len(schemas)-1).Draw(t, "schema")]
		var asked []string
		for range rapid.IntRange(1, 3).Draw(t, "questions") {
			asked = append(asked, strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 14).Draw(t, "words"), " "))
		}
		r := builtin.Read(s.Tables, corpus.Now(), asked...)
		if r.Understood && !strings.Contains(r.Plan, "what is in") { // a description of a table has no query
			require.True(t, strings.HasPrefix(r.SQL, "SELECT") || strings.HasPrefix(r.SQL, "WITH"), r.SQL)
			require.NotEmpty(t, r.Plan)
		}
	})
}

// A question that is offered must be understood word for word.
func TestSuggestions_AreAnswerable(t *testing.T) {
	t.Parallel()
	for _, s := range corpus.Schemas() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			sink, _ := turn(t, s, nil, "what is the airspeed of an unladen swallow?")
			answer := sink.Role(domain.RoleAssistant)[0].Text
			require.Contains(t, answer, "I did not understand")
			require.Empty(t, sink.Role(domain.RoleUserProxy))
			var offers []string
			for _, line := range strings.Split(answer, "\n") {
				if q, ok := strings.CutPrefix(line, "- "); ok {
					offers = append(offers, q)
				}
			}
			require.GreaterOrEqual(t, len(offers), 3)
			for _, q := range offers {
				r := builtin.Read(s.Tables, corpus.Now(), q)
				require.True(t, r.Understood, q)
				require.Empty(t, r.Ignored, q)
			}
		})
	}
	t.Run("AnySchema", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			tables := []analyst.Table{anyTable(t)}
			sink := &analysttest.Sink{}
			p := builtin.New(builtin.Config{Clock: asked{}})
			var answer strings.Builder
			_, err := p.Stream(context.Background(),
				&analyst.Request{Tables: tables, Turns: []analyst.Utterance{{Role: analyst.UtteranceUser, Text: "qwertz asdfg"}}},
				func(p analyst.Piece) error {
					answer.WriteString(p.Text)
					return nil
				})
			require.NoError(t, err)
			require.Empty(t, sink.Messages())
			for _, line := range strings.Split(answer.String(), "\n") {
				if q, ok := strings.CutPrefix(line, "- "); ok {
					r := builtin.Read(tables, corpus.Now(), q)
					require.True(t, r.Understood, q)
					require.Empty(t, r.Ignored, q)
				}
			}
		})
	})
}

// anyTable draws a table with names that people might use.
func anyTable(t *rapid.T) analyst.Table {
	name := rapid.SampledFrom([]string{"orders", "data", "Sheet1", "select", "people list", "sensor-log", "x"})
	word := rapid.SampledFrom([]string{
		"date", "Total", "region", "Count", "name", "id", "value", "order", "Year", "month", "unit price",
		"is_open", "top", "by", "Größe", "a", "%", "status",
	})
	table := analyst.Table{Name: name.Draw(t, "table"), SourceID: 1, Rows: int64(rapid.IntRange(0, 5000).Draw(t, "rows"))}
	table.Title = table.Name
	for range rapid.IntRange(1, 8).Draw(t, "columns") {
		kind := rapid.SampledFrom([]domain.ColumnType{
			domain.ColumnText, domain.ColumnInteger, domain.ColumnNumber, domain.ColumnBoolean,
			domain.ColumnDate, domain.ColumnTime,
		}).Draw(t, "type")
		c := domain.Column{Name: strings.Join(rapid.SliceOfN(word, 1, 3).Draw(t, "name"), rapid.SampledFrom([]string{"_", " ", ""}).Draw(t,
			"join")), Type: kind, Distinct: int64(rapid.IntRange(0, 500).Draw(t, "distinct"))}
		if kind == domain.ColumnText {
			c.Values = rapid.SliceOfN(rapid.SampledFrom([]string{"North", "yes", "no", "5", "total", "by month", ""}), 0, 4).Draw(t, "values")
		}
		table.Columns = append(table.Columns, c)
	}
	return table
}

// turn runs a question through the whole pipeline; the results of queries come from the fake workbench.
func turn(t *testing.T, s corpus.Schema, answer *domain.ResultSet, questions ...string) (*analysttest.Sink, *analysttest.Files) {
	t.Helper()
	var sources []domain.DataSource
	for _, table := range s.Tables {
		sources = append(sources, domain.DataSource{
			ID: table.SourceID, Name: table.Source,
			Resources: []domain.DataResource{{Name: table.Title, Table: table.Name, Rows: table.Rows, Columns: table.Columns}},
		})
	}
	var past analysttest.Past
	last := len(questions) - 1
	for _, q := range questions[:last] {
		past = append(past, domain.Message{ID: domain.NewID(), Role: domain.RoleUser, Text: q})
	}
	files := &analysttest.Files{}
	sink := &analysttest.Sink{}
	p := analyst.NewPipeline(analyst.Config{
		Providers:   map[string]analyst.Provider{"builtin": builtin.New(builtin.Config{Clock: asked{}})},
		DataSources: analysttest.NewSources(sources...),
		Analysts:    &analysttest.Agents{Agent: domain.Analyst{ID: 1, IsEnabled: true, Provider: "builtin"}},
		Files:       files,
		History:     past,
		Workbench: analysttest.QueryFunc(func(context.Context, []domain.DataSource, string) (*domain.ResultSet, error) {
			if answer == nil {
				return nil, domain.Errorf(domain.CodeUnavailable, "The query could not be run.")
			}
			return answer, nil
		}),
	})
	require.NoError(t, p.Run(t.Context(), analysttest.Job(questions[last]), sink))
	return sink, files
}

func byRegion(rows ...[]any) *domain.ResultSet {
	return &domain.ResultSet{
		Columns: []domain.Column{{Name: "region", Type: domain.ColumnText}, {Name: "total_revenue_eur", Type: domain.ColumnNumber}},
		Rows:    rows,
	}
}

func TestProvider_Turn(t *testing.T) {
	t.Parallel()

	t.Run("PlanQueryChartAnswerSummary", func(t *testing.T) {
		t.Parallel()
		sink, files := turn(t, schema(t, "sales"), byRegion([]any{"North", 300.5}, []any{"South", 200.25}, []any{"West", 99.25}),
			"total revenue by region in 2025")
		var roles []domain.Role
		for _, m := range sink.Messages() {
			roles = append(roles, m.Role)
			require.True(t, m.Closed)
		}
		require.Equal(t, []domain.Role{domain.RoleCoordinator, domain.RoleUserProxy, domain.RoleAssistant, domain.RoleSummary}, roles)
		m := sink.Messages()
		require.Equal(t, "I read this as: total of `Revenue` by `Region`, for 2025 by `Order date`, highest first.", m[0].Text)
		require.Contains(t, files.Text(m[1].Objects[0].FileKey), "sum(revenue_eur) AS total_revenue_eur")
		require.Equal(t, "region,total_revenue_eur\nNorth,300.5\nSouth,200.25\nWest,99.25\n", files.Text(m[1].Objects[1].FileKey))
		require.Equal(t, "**North** has the highest total revenue in 2025: **€300.50**, 50.1% of the total of €600.\n\nNext is South with "+
			"€200.25. The lowest of the 3 is West with €99.25.", m[2].Text)
		require.Contains(t, files.Text(m[2].Objects[0].FileKey), `"type":"column"`)
		require.Equal(t, "North has the highest total revenue in 2025: €300.50, 50.1% of the total of €600.", m[3].Text)
		require.Len(t, m[3].Objects, 1, "the executive reader sees the chart, too")
		require.Greater(t, m[2].Deltas, 10, "the answer streams")
		require.Len(t, sink.Usage(), 3)
	})

	t.Run("FollowUpChangesTheChart", func(t *testing.T) {
		t.Parallel()
		sink, files := turn(t, schema(t, "sales"), byRegion([]any{"North", 300.5}, []any{"South", 200.25}), "revenue by region", "as a pie chart")
		require.Contains(t, files.Text(sink.Role(domain.RoleAssistant)[0].Objects[0].FileKey), `"type":"pie"`)
	})

	t.Run("OneFigureIsNoChart", func(t *testing.T) {
		t.Parallel()
		one := &domain.ResultSet{Columns: []domain.Column{{Name: "total_revenue_eur", Type: domain.ColumnNumber}}, Rows: [][]any{{300.5}}}
		sink, _ := turn(t, schema(t, "sales"), one, "total revenue", "as a pie")
		require.Contains(t, sink.Role(domain.RoleAssistant)[0].Text, "A chart needs at least two figures")
		require.Empty(t, sink.Role(domain.RoleAssistant)[0].Objects)
	})

	t.Run("LongWordIsCut", func(t *testing.T) {
		t.Parallel()
		for _, q := range []string{"%s", "revenue by %s", "why %s", "orders called \"%s\"", "is %s both and %s"} {
			sink, _ := turn(t, schema(t, "sales"), byRegion(), strings.ReplaceAll(q, "%s", strings.Repeat("qwertzuiop", 6000)))
			for _, m := range sink.Messages() {
				require.Less(t, len(m.Text), 3000, q)
			}
		}
	})

	t.Run("NoRows", func(t *testing.T) {
		t.Parallel()
		sink, _ := turn(t, schema(t, "sales"), byRegion(), "revenue by region in Germany")
		require.Contains(t, sink.Role(domain.RoleAssistant)[0].Text, "No rows match")
		require.Empty(t, sink.Role(domain.RoleAssistant)[0].Objects)
	})

	t.Run("OnlyEmptyCells", func(t *testing.T) {
		t.Parallel()
		sink, _ := turn(t, schema(t, "sales"), byRegion([]any{"North", nil}, []any{nil, nil}), "revenue by region")
		require.NotContains(t, sink.Role(domain.RoleAssistant)[0].Text, "NaN")
	})

	t.Run("FailedQueryIsReported", func(t *testing.T) {
		t.Parallel()
		sink, _ := turn(t, schema(t, "sales"), nil, "revenue by region")
		require.Contains(t, sink.Role(domain.RoleAssistant)[0].Text, "The query could not be run.")
	})

	t.Run("NoSource", func(t *testing.T) {
		t.Parallel()
		sink, _ := turn(t, corpus.Schema{}, nil, "revenue by region")
		require.Contains(t, sink.Role(domain.RoleAssistant)[0].Text, "No data source is attached")
	})

	t.Run("SourceThatIsGone", func(t *testing.T) {
		t.Parallel()
		sink := &analysttest.Sink{}
		sources := analysttest.NewSources(domain.DataSource{ID: 7, Name: "Visits"})
		p := analyst.NewPipeline(analyst.Config{
			Providers: map[string]analyst.Provider{"builtin": builtin.New(builtin.Config{Clock: asked{}})}, DataSources: sources,
			Analysts: &analysttest.Agents{Agent: domain.Analyst{ID: 1, IsEnabled: true, Provider: "builtin"}},
			Files:    &analysttest.Files{}, History: analysttest.Past{}, Workbench: analysttest.QueryFunc(nil),
		})
		job := analysttest.Job("revenue by region")
		job.Prompt.DataSources = []int64{7}
		sources.Revoke(7)
		require.NoError(t, p.Run(t.Context(), job, sink))
		require.Equal(t, "The data source of this conversation is not available any more: it was deleted, or is no longer shared with you. "+
			"Add one with *Add Connector*, or upload a file, and ask again.", sink.Role(domain.RoleAssistant)[0].Text)
	})

	t.Run("UnreadSource", func(t *testing.T) {
		t.Parallel()
		sink := &analysttest.Sink{}
		p := analyst.NewPipeline(analyst.Config{
			Providers:   map[string]analyst.Provider{"builtin": builtin.New(builtin.Config{Clock: asked{}})},
			DataSources: analysttest.NewSources(domain.DataSource{ID: 7, Name: "Visits", Type: domain.DataSourceHyper, HasFile: true}),
			Analysts:    &analysttest.Agents{Agent: domain.Analyst{ID: 1, IsEnabled: true, Provider: "builtin"}},
			Files:       &analysttest.Files{}, History: analysttest.Past{}, Workbench: analysttest.QueryFunc(nil),
		})
		require.NoError(t, p.Run(t.Context(), analysttest.Job("revenue by region"), sink))
		require.Contains(t, sink.Role(domain.RoleAssistant)[0].Text, "Visits: No converter for Tableau Hyper files is installed on this server")
	})

	t.Run("HelpOffersQuestions", func(t *testing.T) {
		t.Parallel()
		sink, _ := turn(t, schema(t, "people"), nil, "hello")
		require.Contains(t, sink.Role(domain.RoleAssistant)[0].Text, "You could ask")
	})

	t.Run("ThanksAreAnsweredInOneLine", func(t *testing.T) {
		t.Parallel()
		sink, _ := turn(t, schema(t, "people"), nil, "thank you very much")
		require.Equal(t, "You are welcome.", sink.Role(domain.RoleAssistant)[0].Text)
	})

	t.Run("MarkupInCellsIsText", func(t *testing.T) {
		t.Parallel()
		sink, files := turn(t, schema(t, "sales"), byRegion([]any{"<img src=x>![x](https://evil/?d=1)", 2.0}, []any{"B", 1.0}),
			"revenue by region")
		answer := sink.Role(domain.RoleAssistant)[0]
		require.NotContains(t, answer.Text, "<img")
		require.NotContains(t, answer.Text, "](")
		require.NotContains(t, files.Text(answer.Objects[0].FileKey), "<img")
	})
}
