package main

// Whole turns over the real engine: a model's protocol, the planner, memories and steps of a plan, each with SQL whose
// total is wrong.

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/openai"
	"parley.dev/parley/domain"
	means "parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/clock"
)

type object map[string]any

// toolKey is the key under which the arguments of a call name its tool; run_query without it.
const toolKey = " tool"

// named takes the name of the tool out of the arguments of a call.
func (o object) named() (tool string, args object) {
	args = maps.Clone(o)
	delete(args, toolKey)
	if name, ok := o[toolKey].(string); ok {
		return name, args
	}
	return analyst.ToolRunQuery, args
}

// vendor speaks the protocol of a model. For each call it gets the results of the tools so far and returns the arguments
// of the next query, or a text.
type vendor struct {
	next func(results []string) (args object, text string)
}

// ServeHTTP implements http.Handler.
func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		} `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var results []string
	for _, m := range request.Messages {
		if m.Role == "tool" {
			results = append(results, fmt.Sprint(m.Content))
		}
	}
	args, text := v.next(results)
	reason, delta := "stop", object{"content": text}
	if args != nil {
		tool, args := args.named()
		body, _ := json.Marshal(args)
		reason = "tool_calls"
		delta = object{"tool_calls": []object{{
			"index": 0, "id": "c" + strconv.Itoa(len(results)), "type": "function",
			"function": object{"name": tool, "arguments": string(body)},
		}}}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range []object{
		{"id": "x", "choices": []object{{"index": 0, "delta": delta}}},
		{"id": "x", "choices": []object{{"index": 0, "delta": object{}, "finish_reason": reason}}},
		{"id": "x", "choices": []object{}, "usage": object{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}},
	} {
		body, _ := json.Marshal(e)
		_, _ = fmt.Fprintf(w, "data: %s\n\n", body)
	}
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}

// knownFacts are the facts of the sources by their ids.
type knownFacts map[int64]domain.KnownFacts

// Facts implements analyst.FactsReader.
func (k knownFacts) Facts(_ context.Context, _, _ int64, sources []int64) (*domain.FactsOfSources, error) {
	out := &domain.FactsOfSources{}
	for _, id := range sources {
		out.Sources = append(out.Sources, k[id])
	}
	return out, nil
}

// autumn is a clock after the last month of the tables.
type autumn struct{ clock.System }

// Now implements clock.Clock.
func (autumn) Now() time.Time { return time.Date(2026, time.September, 20, 12, 0, 0, 0, time.UTC) }

// askedDay is a clock with the day on which the planner is asked.
type askedDay struct{ clock.System }

// Now implements clock.Clock.
func (askedDay) Now() time.Time { return time.Date(2025, time.November, 20, 12, 0, 0, 0, time.UTC) }

// turns runs turns over the tables of testdata/totals.
type turns struct {
	config analyst.Config
	facts  knownFacts
}

func newTurns(t *testing.T) *turns {
	t.Helper()
	b, x := factsSetup(t), newTotals(t)
	out := &turns{facts: knownFacts{}}
	var sources []domain.DataSource
	for _, name := range x.names {
		text, err := os.ReadFile("testdata/totals/tables/" + name + ".csv")
		require.NoError(t, err)
		s, _ := b.prepare(t, name+".csv", string(text))
		require.Equal(t, name, s.Resources[0].Table)
		facts, err := b.bench.MeasureFacts(t.Context(), &s, nil)
		require.NoError(t, err)
		sources = append(sources, s)
		out.facts[s.ID] = domain.KnownFacts{Source: s.ID, WorkKey: s.WorkKey, Measured: true, SourceFacts: *facts}
	}
	out.config = analyst.Config{
		DataSources: analysttest.NewSources(sources...), Files: &analysttest.Files{}, Workbench: b.bench, Facts: out.facts,
		Backoff: time.Millisecond, Clock: autumn{},
	}
	return out
}

// ask runs a turn with a model.
func (x *turns) ask(t *testing.T, job *analyst.Job, next func(results []string) (object, string)) (*analysttest.Sink, error) {
	t.Helper()
	server := httptest.NewServer(&vendor{next: next})
	t.Cleanup(server.Close)
	config := x.config
	config.Providers = map[string]analyst.Provider{"openai": openai.New(openai.Config{BaseURL: server.URL, Model: "m"})}
	config.Analysts = &analysttest.Agents{Agent: domain.Analyst{ID: 1, IsEnabled: true, Provider: "openai", Model: "m"}}
	sink := &analysttest.Sink{}
	return sink, analyst.NewPipeline(config).Run(t.Context(), job, sink)
}

// plan runs a turn with the planner.
func (x *turns) plan(t *testing.T, job *analyst.Job, memories ...domain.Memory) (*analysttest.Sink, error) {
	t.Helper()
	config := x.config
	config.Providers = map[string]analyst.Provider{"builtin": builtin.New(builtin.Config{Clock: askedDay{}})}
	config.Analysts = &analysttest.Agents{Agent: domain.Analyst{ID: 1, IsEnabled: true, Provider: "builtin"}}
	config.Memories = analysttest.NewMemories(memories...)
	sink := &analysttest.Sink{}
	return sink, analyst.NewPipeline(config).Run(t.Context(), job, sink)
}

// TestTraps_Model lets a model write the wrong SQL of each trap first, and the right SQL of the same question when the error
// says what is wrong. The rows that it then gets are those of the right statement, run by itself.
func TestTraps_Model(t *testing.T) {
	t.Parallel()
	x, engine := newTurns(t), newTotals(t)
	all := readStatements(t, "testdata/totals/traps.sql")
	wrong := 0
	for i := range all {
		if all[i].verdict == "right" {
			continue
		}
		wrong++
		right := rightOf(t, all, i)
		rows, err := engine.db.rows("SELECT COLUMNS(*)::VARCHAR FROM (" + right + ")")
		require.NoError(t, err)
		t.Run(strconv.Itoa(all[i].line), func(t *testing.T) {
			t.Parallel()
			var told []string
			sink, err := x.ask(t, analysttest.Job("a question"), func(results []string) (object, string) {
				told = results
				switch len(results) {
				case 0:
					return object{"sql": all[i].sql}, ""
				case 1:
					return object{"sql": right}, ""
				}
				return nil, "Here it is."
			})
			require.NoError(t, err)
			require.Len(t, told, 2)
			require.Contains(t, told[0], "Not run: ", all[i].sql)
			require.NotContains(t, told[0], "rows,")
			require.Contains(t, told[1], "Result ", right)
			require.Contains(t, told[1], fmt.Sprintf("%d row", len(rows)), right)
			for _, row := range rows {
				require.Contains(t, told[1], strings.TrimSuffix(row[0], ".0"), right)
			}
			require.NotContains(t, told[1], "⚠")
			require.Equal(t, "Here it is.", sink.Role(domain.RoleAssistant)[0].Text)
		})
	}
	require.GreaterOrEqual(t, wrong, 37)
}

// said are corrections by people.
type said []means.Correction

// StandingOf implements analyst.CorrectionReader.
func (s said) StandingOf(_ context.Context, _, _ int64, sources []int64) ([]means.Correction, error) {
	return slices.DeleteFunc(slices.Clone(s), func(c means.Correction) bool { return !slices.Contains(sources, c.Source) }), nil
}

// ratesOfPrices says that the numbers of the list of prices are rates.
func (x *turns) ratesOfPrices() said {
	var out said
	for id := range x.facts {
		for _, column := range []string{"price", "cost"} {
			out = append(out, means.Correction{
				Source: id, Table: "price_list", Column: column, Field: means.FieldAdds, Value: string(means.Rate),
			})
		}
	}
	return out
}

// TestTraps_ModelGivesUp lets a model write each wrong statement over levels, mixed currencies and repeated rows: none gets its
// figures. Here the kinds of the numbers are derived from the data and their names, by which a list of prices could be one of
// things that were sold: that those are rates is said by a person.
func TestTraps_ModelGivesUp(t *testing.T) {
	t.Parallel()
	x := newTurns(t)
	x.config.Corrections = x.ratesOfPrices()
	for _, file := range []string{"own", "shapes"} {
		for _, s := range readStatements(t, "testdata/totals/"+file+".sql") {
			if slices.Contains([]string{"right", "unchecked"}, s.verdict) {
				continue
			}
			t.Run(file+strconv.Itoa(s.line), func(t *testing.T) {
				t.Parallel()
				var told []string
				_, err := x.ask(t, analysttest.Job("a question"), func(results []string) (object, string) {
					if told = results; len(results) == 0 {
						return object{"sql": s.sql}, ""
					}
					return nil, "I cannot say."
				})
				require.NoError(t, err)
				require.Contains(t, told[0], "Not run: ", s.verdict+": "+s.sql)
				require.NotContains(t, told[0], "Result ", s.sql)
			})
		}
	}
}

// rightOf returns the right statement of the question of a wrong one: of the statements beside it, the one that begins alike.
func rightOf(t *testing.T, all []statement, wrong int) string {
	t.Helper()
	best, most := "", -1
	for _, i := range []int{wrong - 1, wrong + 1} {
		if i < 0 || i >= len(all) || all[i].verdict != "right" {
			continue
		}
		same := 0
		for same < min(len(all[i].sql), len(all[wrong].sql)) && all[i].sql[same] == all[wrong].sql[same] {
			same++
		}
		if same > most {
			best, most = all[i].sql, same
		}
	}
	require.NotEmpty(t, best, "no right statement is beside line %d", all[wrong].line)
	return best
}

const budgets = "SELECT department_name, sum(budget) AS total FROM departments JOIN employees USING (department_id) GROUP BY 1"

func TestTurn_WrongTotal(t *testing.T) {
	t.Parallel()
	x := newTurns(t)
	warning := "⚠ This total counts the budget of a department once for each of its employees. The budgets themselves add up to 410,000."
	stored := domain.PlanStep{Name: "Budgets", DetailedInstructions: "Total budgets.", Code: budgets, Language: "sql"}
	last := func(list []string) string { return list[len(list)-1] }

	t.Run("ToldHowToMend", func(t *testing.T) {
		t.Parallel()
		var told string
		sink, err := x.ask(t, analysttest.Job("budgets?"), func(results []string) (object, string) {
			if len(results) == 0 {
				return object{"sql": budgets}, ""
			}
			told = results[0]
			return nil, "I cannot say."
		})
		require.NoError(t, err)
		require.Contains(t, told, "Not run: sum(departments.budget) counts a department once for each of its employees "+
			"(employees has many rows per department).\nSum budget from departments alone, or aggregate employees by department_id first "+
			"and join that.")
		shown := sink.Role(domain.RoleUserProxy)
		require.Contains(t, shown[0].Text, "the result is not shown, because a total in it is wrong")
		require.NotContains(t, told, "2,000,000")
	})
	t.Run("ShownAfterTwoErrors", func(t *testing.T) {
		t.Parallel()
		var told []string
		sink, err := x.ask(t, analysttest.Job("budgets?"), func(results []string) (object, string) {
			told = results
			if len(results) < 3 {
				return object{"sql": budgets}, ""
			}
			return nil, "Research has most."
		})
		require.NoError(t, err)
		require.Contains(t, told[1], "Not run: ")
		require.Contains(t, told[2], "Result ")
		require.Contains(t, told[2], warning)
		require.Contains(t, last(texts(sink, domain.RoleUserProxy)), warning)
		require.Equal(t, warning+"\n\nResearch has most.", last(texts(sink, domain.RoleAssistant)))
	})
	t.Run("AcceptedForAReason", func(t *testing.T) {
		t.Parallel()
		accept := func(reason string, kinds ...string) object {
			return object{"sql": budgets, "accept": kinds, "reason": reason}
		}
		var told []string
		sink, err := x.ask(t, analysttest.Job("budgets?"), func(results []string) (object, string) {
			told = results
			switch len(results) {
			case 0:
				return accept("", "repeated"), ""
			case 1:
				return accept("The person asked for the sum over employees.", "repeated"), ""
			}
			return nil, "Research has most."
		})
		require.NoError(t, err)
		require.Contains(t, told[0], "Not run: ", "a kind without a reason is not accepted")
		require.Contains(t, told[1], warning)
		require.Contains(t, last(texts(sink, domain.RoleUserProxy)), warning)

		_, err = x.ask(t, analysttest.Job("budgets?"), func(results []string) (object, string) {
			if told = results; len(results) == 0 {
				return accept("Levels may be added up here.", "level"), ""
			}
			return nil, "No."
		})
		require.NoError(t, err)
		require.Contains(t, told[0], "Not run: ", "another kind is not accepted")
	})
	t.Run("LevelWithItsLastMonth", func(t *testing.T) {
		t.Parallel()
		var told []string
		_, err := x.ask(t, analysttest.Job("mrr?"), func(results []string) (object, string) {
			if told = results; len(results) < 3 {
				return object{"sql": "SELECT plan, sum(mrr) AS mrr FROM revenue GROUP BY plan"}, ""
			}
			return nil, "So much."
		})
		require.NoError(t, err)
		require.Contains(t, told[0], "Not run: sum(revenue.mrr) adds up several months of mrr, which is a level")
		result, err := x.config.Workbench.Query(t.Context(), mustSources(t, x), "SELECT sum(mrr) FROM revenue WHERE month = DATE '2026-08-01'")
		require.NoError(t, err)
		require.Contains(t, told[2], "⚠ mrr is a level: this adds 8 months of it up. In August 2026 it was "+grouped(result.Rows[0][0])+".")
	})
	t.Run("UncheckedIsSaid", func(t *testing.T) {
		t.Parallel()
		var told []string
		sink, err := x.ask(t, analysttest.Job("budgets?"), func(results []string) (object, string) {
			if told = results; len(results) == 0 {
				return object{"sql": "SELECT sum(budget) FROM departments POSITIONAL JOIN employees"}, ""
			}
			return nil, "So much."
		})
		require.NoError(t, err)
		require.Contains(t, told[0], "Not checked for double counting (positional join).")
		require.Contains(t, last(texts(sink, domain.RoleUserProxy)), "Not checked for double counting (positional join).")
		require.Equal(t, "So much.", last(texts(sink, domain.RoleAssistant)))
	})
	t.Run("NotMeasured", func(t *testing.T) {
		t.Parallel()
		y := *x
		y.config.Facts = nil
		var told []string
		for sql, want := range map[string]string{
			"SELECT sum(salary) FROM departments JOIN employees USING (department_id)": "Not checked for double counting (the keys of departments " +
				"are not measured",
			"SELECT sum(budget) FROM departments":                                                  "",
			"SELECT e.job_title, d.city FROM employees e JOIN departments d USING (department_id)": "",
		} {
			_, err := y.ask(t, analysttest.Job("budgets?"), func(results []string) (object, string) {
				if told = results; len(results) == 0 {
					return object{"sql": sql}, ""
				}
				return nil, "So much."
			})
			require.NoError(t, err)
			require.Contains(t, told[0], "Result ")
			require.Contains(t, told[0], want)
			if want == "" {
				require.NotContains(t, told[0], "Not checked", "a query that joins nothing to a total is not commented")
			}
		}
	})
	t.Run("StepOfAPlan", func(t *testing.T) {
		t.Parallel()
		job := analysttest.PlanJob("Review.", stored)
		var first string
		_, err := x.ask(t, job, func(results []string) (object, string) {
			if len(results) > 0 && first == "" {
				first = results[0]
				return object{"sql": "SELECT department_name, budget FROM departments"}, ""
			}
			return nil, "Done."
		})
		require.NoError(t, err)
		require.Contains(t, first, "Not run: sum(departments.budget)")
	})
	t.Run("MemoryOfThePlanner", func(t *testing.T) {
		t.Parallel()
		sink, err := x.plan(t, analysttest.Job("What is the budget of our departments?"), domain.Memory{
			ID: 1, Name: "Budgets", Question: "What is the budget of our departments?", Response: "```sql\n" + budgets + "\n```",
			AlwaysRecalled: true,
		})
		require.NoError(t, err)
		answer := strings.Join(texts(sink, domain.RoleAssistant), "\n")
		require.Contains(t, answer, "I do not show its result, because a total in it is wrong. This total counts the budget of a department "+
			"once for each of its employees. The budgets themselves add up to 410,000.")
		require.NotContains(t, answer, "2,000,000")
	})
	t.Run("StepOfThePlanner", func(t *testing.T) {
		t.Parallel()
		_, err := x.plan(t, analysttest.PlanJob("Review.", stored))
		require.ErrorContains(t, err, "a total in it is wrong. This total counts the budget of a department once for each of its employees.")
	})
}

func mustSources(t *testing.T, x *turns) []domain.DataSource {
	t.Helper()
	out, err := x.config.DataSources.OfConversation(t.Context(), domain.Caller{}, analysttest.Job("").Turn.ConversationID)
	require.NoError(t, err)
	return out
}

func texts(sink *analysttest.Sink, role domain.Role) []string {
	var out []string
	for _, m := range sink.Role(role) {
		out = append(out, m.Text)
	}
	return out
}

// grouped writes a whole number with separators.
func grouped(cell any) string {
	text := fmt.Sprint(cell)
	if len(text) > 3 {
		text = text[:len(text)-3] + "," + text[len(text)-3:]
	}
	return text
}

// TestTurn_Unmeasured lets a model add up a level and a rate of a file that has not been measured yet: nothing passes without a word.
func TestTurn_Unmeasured(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, _ := b.prepare(t, "stores.csv", "store,counted_on,headcount,discount_percent,sold\n"+
		"a,2026-01-31,10,5,1\nb,2026-01-31,20,10,2\na,2026-02-28,12,5,3\nb,2026-02-28,18,10,4\n")
	x := turns{config: analyst.Config{
		DataSources: analysttest.NewSources(s), Files: &analysttest.Files{}, Workbench: b.bench, Facts: knownFacts{},
		Backoff: time.Millisecond, Clock: autumn{},
	}}
	for sql, want := range map[string]string{
		"SELECT sum(headcount) FROM stores": "Not checked for double counting (whether a level is there for several periods is " +
			"not measured)",
		"SELECT sum(discount_percent) FROM stores": "Not run: ",
		"SELECT sum(sold) FROM stores":             "Result ",
		"SELECT avg(headcount) FROM stores":        "Result ",
	} {
		var told []string
		_, err := x.ask(t, analysttest.Job("a question"), func(results []string) (object, string) {
			if told = results; len(results) == 0 {
				return object{"sql": sql}, ""
			}
			return nil, "So much."
		})
		require.NoError(t, err)
		require.Contains(t, told[0], want, sql)
		if want == "Result " {
			require.NotContains(t, told[0], "Not checked", sql)
		}
	}
}
