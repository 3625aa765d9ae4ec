package analyst_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// worker is a provider whose answers depend only on its requests, so that it makes the same calls in
// every attempt of a plan.
type worker struct {
	name string
	// answer returns the pieces of a call; nil means worker.usual.
	answer func(r *analyst.Request) ([]analyst.Piece, error)

	mu   sync.Mutex
	made []*analyst.Request
}

func (w *worker) Name() string { return w.name }

func (w *worker) Stream(_ context.Context, r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
	w.mu.Lock()
	w.made = append(w.made, r)
	w.mu.Unlock()
	answer := w.answer
	if answer == nil {
		answer = w.usual
	}
	pieces, err := answer(r)
	for _, p := range pieces {
		if err := emit(p); err != nil {
			return ends(10, 5), err
		}
	}
	return ends(10, 5), err
}

func (w *worker) requests() []*analyst.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]*analyst.Request(nil), w.made...)
}

// usual makes one query in a step without code, then answers.
func (w *worker) usual(r *analyst.Request) ([]analyst.Piece, error) {
	last := r.Turns[len(r.Turns)-1]
	switch {
	case r.Guide.Stage == analyst.StageSummary:
		return said(fmt.Sprintf("%d steps are done.", len(r.Guide.Done))), nil
	case r.Guide.Stage == analyst.StageReview:
		return said("Passed: all is there."), nil
	case last.Role == analyst.UtteranceTool:
		return said(fmt.Sprintf("%s answered step %d.", w.name, r.Guide.Step)), nil
	default:
		return query(fmt.Sprintf("SELECT %d", r.Guide.Step)), nil
	}
}

func said(text string) []analyst.Piece { return []analyst.Piece{{Text: text}} }

func query(sql string) []analyst.Piece {
	args, err := json.Marshal(analyst.RunQueryArgs{SQL: sql, Title: "T"})
	if err != nil {
		panic(err)
	}
	return []analyst.Piece{{Call: &analyst.ToolCall{ID: "c", Name: analyst.ToolRunQuery, Args: args}}}
}

type planBundle struct {
	*bundle
	worker, other *worker
	agents        *analysttest.Agents
	memories      *analysttest.Memories
}

// steps returns a plan with one step of each kind: with an agent of its own, with code and with a
// review.
func steps() []domain.PlanStep {
	return []domain.PlanStep{
		{Name: "Regions", DetailedInstructions: "Sum by region."},
		{Name: "Code", DetailedInstructions: "Explain it.", Code: "SELECT region, total FROM sales", Language: "SQL"},
		{Name: "Check", DetailedInstructions: "Look again.", QAInstructions: "Every region is there.", AnalystID: 9},
		{Name: "Words", DetailedInstructions: "Say it.", Code: "df.head()", Memories: []int64{4}},
	}
}

func planned(t *testing.T, plan ...domain.PlanStep) *planBundle {
	t.Helper()
	b := &planBundle{bundle: setup(t, speaks("", "unused")), worker: &worker{name: "test"}, other: &worker{name: "other"}}
	b.agents = &analysttest.Agents{
		Agent: domain.Analyst{ID: 1, Name: "prism-1", IsEnabled: true, Provider: "test", Model: "m", Instructions: "Speak of money."},
		Others: map[int64]domain.Analyst{
			9: {ID: 9, Name: "checker", IsEnabled: true, Provider: "other", Model: "o", Instructions: "Doubt everything."},
		},
	}
	b.memories = analysttest.NewMemories(domain.Memory{ID: 4, Name: "Four", Question: "what?", Response: "Four is the number."})
	b.config.Providers = map[string]analyst.Provider{"test": b.worker, "other": b.other}
	b.config.Analysts, b.config.Memories = b.agents, b.memories
	b.config.Prices["other/o"] = analyst.Price{Input: 1000, Output: 1000}
	b.job = analysttest.PlanJob("Please review the week.", plan...)
	return b
}

// transcript returns what people see, without ids.
func transcript(messages []analysttest.Message) []string {
	var out []string
	for _, m := range messages {
		objects := make([]string, 0, len(m.Objects))
		for _, o := range m.Objects {
			objects = append(objects, string(o.Type))
		}
		out = append(out, fmt.Sprintf("%s %d %s %v", m.Role, m.Analyst, m.Text, objects))
	}
	return out
}

func TestPipeline_Plan(t *testing.T) {
	t.Parallel()

	t.Run("StepsInOrderWithTheirAgents", func(t *testing.T) {
		t.Parallel()
		b := planned(t, steps()...)
		require.NoError(t, b.run(t))
		require.Equal(t, []string{
			"coordinator 0 **Blueprint: Weekly review**\n\n1. Regions\n2. Code\n3. Check\n4. Words []",
			"user_proxy 1 T: 2 rows, 2 columns. [python csv]",
			"assistant 1 **Step 1 of 4: Regions**\n\ntest answered step 1. [highcharts]",
			"user_proxy 1 Code: 2 rows, 2 columns. [python csv]",
			"assistant 1 **Step 2 of 4: Code**\n\ntest answered step 2. [highcharts]",
			"user_proxy 9 T: 2 rows, 2 columns. [python csv]",
			"assistant 9 **Step 3 of 4: Check**\n\nother answered step 3. []",
			"assistant 9 **Check of step 3**\n\nPassed: all is there. [highcharts]",
			"user_proxy 1 T: 2 rows, 2 columns. [python csv]",
			"assistant 1 **Step 4 of 4: Words**\n\ntest answered step 4. [highcharts]",
			"summary 1 4 steps are done. [highcharts highcharts highcharts highcharts]",
		}, transcript(b.sink.Messages()))
		require.Equal(t, []string{"SELECT 1", "SELECT region, total FROM sales", "SELECT 3", "SELECT 4"}, *b.queries,
			"SQL runs unchanged, other code does not run")
		for i, s := range b.sink.Steps() {
			require.Equal(t, i+1, s.Number, "numbered through the whole turn")
			require.Equal(t, domain.StepFinished, s.Status)
		}
	})

	t.Run("EachStepSeesItsTaskAndWhatWasFound", func(t *testing.T) {
		t.Parallel()
		b := planned(t, steps()...)
		require.NoError(t, b.run(t))
		made := b.worker.requests()
		require.Contains(t, made[0].System, "Speak of money.")
		require.NotContains(t, made[0].System, "executive reader", "the turn is closed by one summary")
		task := made[0].Turns[len(made[0].Turns)-1].Text
		require.Contains(t, task, "Step 1 of 4: Regions")
		require.Contains(t, task, "Sum by region.")

		code := made[2]
		require.Equal(t, "SELECT region, total FROM sales", sqlOf(t, code.Turns[len(code.Turns)-2]))
		require.Equal(t, analyst.UtteranceTool, code.Turns[len(code.Turns)-1].Role)

		last := made[len(made)-2] // the answer of step 4; the summary follows
		whole := texts(last.Turns)
		for _, want := range []string{
			"test answered step 1.", "test answered step 2.", "other answered step 3.", "Result r2, Code", "North,1",
			"code (python). It is not run", "df.head()",
		} {
			require.Contains(t, whole, want)
		}
		require.Contains(t, last.System, "Four is the number.", "the memories of the step")
		require.Contains(t, last.System, "When you use a memory")

		check := b.other.requests()
		require.Contains(t, check[0].System, "Doubt everything.")
		require.NotContains(t, check[0].System, "Speak of money.")
		require.Contains(t, check[0].Turns[len(check[0].Turns)-1].Text, "Every region is there.")
		require.Equal(t, analyst.StageReview, check[2].Guide.Stage)
		require.Contains(t, check[2].Turns[len(check[2].Turns)-1].Text, "Every region is there.")

		summary := made[len(made)-1]
		require.Equal(t, analyst.StageSummary, summary.Guide.Stage)
		require.Empty(t, summary.Tools)
		require.Len(t, summary.Guide.Done, 4)
	})

	t.Run("ReviewCorrectsOnce", func(t *testing.T) {
		t.Parallel()
		for _, second := range []string{"Passed: now.", "Not passed: still."} {
			b := planned(t, steps()[2])
			verdicts := []string{"Not passed: South is missing.", second}
			b.other.answer = func(r *analyst.Request) ([]analyst.Piece, error) {
				if r.Guide.Stage == analyst.StageReview {
					v := verdicts[0]
					verdicts = verdicts[1:]
					return said(v), nil
				}
				return said("An answer."), nil
			}
			require.NoError(t, b.run(t))
			require.Empty(t, verdicts)
			answers := b.sink.Role(domain.RoleAssistant)
			require.Len(t, answers, 4)
			require.Equal(t, "**Step 1 of 1: Check (corrected)**\n\nAn answer.", answers[2].Text)
			made := b.worker.requests()
			require.Equal(t, second != "Passed: now.", made[0].Guide.Done[0].Failed)
		}
	})

	t.Run("UnavailableAgentIsReplacedAndThatIsReported", func(t *testing.T) {
		t.Parallel()
		b := planned(t, steps()[2])
		b.agents.Gone = []int64{9}
		require.NoError(t, b.run(t))
		require.Empty(t, b.other.requests())
		require.Contains(t, b.sink.Role(domain.RoleAssistant)[0].Text, "not available any more; prism-1 is used instead")
	})

	t.Run("StepLimitIsOfAStep", func(t *testing.T) {
		t.Parallel()
		b := planned(t, steps()[0], steps()[0], steps()[0])
		b.config.MaxSteps = 3
		require.NoError(t, b.run(t), "three for each step, ten in total")
		b = planned(t, steps()[0], steps()[0])
		b.config.MaxSteps = 2
		b.worker.answer = func(*analyst.Request) ([]analyst.Piece, error) { return query("SELECT 1"), nil }
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(b.run(t)))
	})

	t.Run("AStepThatUsedUpItsStepsIsChecked", func(t *testing.T) {
		t.Parallel()
		b := planned(t, domain.PlanStep{Name: "Regions", DetailedInstructions: "Sum.", QAInstructions: "All is there."})
		b.config.MaxSteps = 3
		require.NoError(t, b.run(t))
		answers := b.sink.Role(domain.RoleAssistant)
		require.Contains(t, answers[len(answers)-1].Text, "Passed")
	})

	t.Run("TokenLimitIsOfTheTurn", func(t *testing.T) {
		t.Parallel()
		b := planned(t, steps()[0], steps()[0], steps()[0])
		b.config.MaxTokens = 50
		err := b.run(t)
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err))
		require.Contains(t, message(t, err), "Step 2 of 3 (Regions) failed")
	})

	t.Run("StopEndsAll", func(t *testing.T) {
		t.Parallel()
		b := planned(t, steps()...)
		ctx, cancel := context.WithCancel(t.Context())
		b.worker.answer = func(r *analyst.Request) ([]analyst.Piece, error) {
			if r.Guide.Step == 2 {
				cancel()
			}
			return b.worker.usual(r)
		}
		require.ErrorIs(t, analyst.NewPipeline(b.config).Run(ctx, b.job, b.sink), context.Canceled)
		require.Empty(t, b.other.requests())
	})

	t.Run("TimeLimitNamesTheStep", func(t *testing.T) {
		t.Parallel()
		// On the fake clock of synctest the first step takes no time, however busy the machine is.
		synctest.Test(t, func(t *testing.T) {
			b := planned(t, steps()[0], steps()[2])
			b.config.Providers["other"] = silent{}
			b.config.TurnTimeout = time.Second
			err := b.run(t)
			require.Contains(t, message(t, err), "Step 2 of 2 (Check) failed: The answer took too long")
		})
	})

	t.Run("SummaryFailsAndAnswersStandIn", func(t *testing.T) {
		t.Parallel()
		b := planned(t, steps()[0], steps()[0])
		b.worker.answer = func(r *analyst.Request) ([]analyst.Piece, error) {
			if r.Guide.Stage == analyst.StageSummary {
				return nil, &analyst.ProviderError{Status: 400, Reason: "no"}
			}
			return b.worker.usual(r)
		}
		require.NoError(t, b.run(t))
		require.Equal(t, "test answered step 1.\ntest answered step 2.", b.sink.Role(domain.RoleSummary)[0].Text)
	})

	t.Run("NamesAreTextAndNoMarkup", func(t *testing.T) {
		t.Parallel()
		b := planned(t, domain.PlanStep{Name: "**x** [a](javascript:1)\n# y <b>", DetailedInstructions: "Go."})
		require.NoError(t, b.run(t))
		for _, m := range b.sink.Messages() {
			require.NotContains(t, m.Text, "](")
			require.NotContains(t, m.Text, "<b>")
			require.NotContains(t, m.Text, "\n# ")
		}
	})
}

func TestPipeline_PlanStepFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		breakIt func(b *planBundle)
		says    string
		code    domain.Code
	}{
		{"ModelError", func(b *planBundle) {
			b.other.answer = func(*analyst.Request) ([]analyst.Piece, error) {
				return nil, &analyst.ProviderError{Status: 401, Reason: "The model provider refused the key."}
			}
		}, "The model provider refused the key.", domain.CodeUnavailable},
		{"AgentAndItsStandInGone", func(b *planBundle) {
			b.other.answer = nil
			b.worker.answer = func(r *analyst.Request) ([]analyst.Piece, error) {
				b.agents.Gone = []int64{9, 1}
				return b.worker.usual(r)
			}
		}, "Agent", domain.CodeNotFound},
		{"DataSourcesNotReadable", func(b *planBundle) {
			b.job.Prompt.DataSources = []int64{1}
			b.worker.answer = func(r *analyst.Request) ([]analyst.Piece, error) {
				if r.Turns[len(r.Turns)-1].Role == analyst.UtteranceTool {
					b.sources.Revoke(1)
				}
				return b.worker.usual(r)
			}
		}, "None of the data sources", domain.CodeForbidden},
		{"CauseStaysInTheLog", func(b *planBundle) {
			b.other.answer = func(*analyst.Request) ([]analyst.Piece, error) { return nil, errors.New("a secret cause") }
		}, "Something went wrong on our side.", domain.CodeUnavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := planned(t, steps()[0], steps()[2], steps()[3])
			c.breakIt(b)
			err := b.run(t)
			require.Equal(t, c.code, domain.CodeOf(err))
			text := message(t, err)
			require.Contains(t, text, "Step 2 of 3 (Check) failed: ")
			require.Contains(t, text, c.says)
			require.NotContains(t, text, "secret")
			require.Contains(t, text, "What the steps before it found stands. The steps after it were not run.")
			require.Empty(t, b.sink.Role(domain.RoleSummary))
			var vendor *analyst.ProviderError
			require.NotErrorAs(t, err, &vendor, "the turn fails, it is not interrupted")
			require.Contains(t, b.sink.Role(domain.RoleAssistant)[0].Text, "test answered step 1.")
			require.True(t, b.sink.Role(domain.RoleAssistant)[0].Closed)
		})
	}

	t.Run("BrokenOffIsInterrupted", func(t *testing.T) {
		t.Parallel()
		b := planned(t, steps()[0], steps()[2])
		b.other.answer = func(*analyst.Request) ([]analyst.Piece, error) {
			return said("Half an ans"), &analyst.ProviderError{Retryable: true, Reason: "The connection to the model broke."}
		}
		var vendor *analyst.ProviderError
		require.ErrorAs(t, b.run(t), &vendor)
		require.True(t, vendor.Midstream)
		require.Contains(t, vendor.Reason, "Step 2 of 2 (Check) failed: The connection to the model broke.")
	})
}

// TestPipeline_PlanResume checks that a plan which is interrupted between any two steps of its journal
// continues there: no call is made twice, and people see in both attempts together what they would have
// seen in one.
func TestPipeline_PlanResume(t *testing.T) {
	t.Parallel()
	whole := planned(t, steps()...)
	require.NoError(t, whole.run(t))
	journal := whole.sink.Steps()
	names := make([]string, 0, len(journal))
	for _, s := range journal {
		names = append(names, s.Name)
	}
	require.Equal(t, strings.Fields("plan m run_query m plan_step run_query m plan_step o run_query o o plan_step m run_query m "+
		"plan_step m"), names)
	calls := len(whole.worker.requests()) + len(whole.other.requests())
	for kept := range len(journal) {
		t.Run(fmt.Sprintf("After%dSteps", kept), func(t *testing.T) {
			t.Parallel()
			// The first attempt ends after this number of steps.
			b := planned(t, steps()...)
			b.job.Turn.ID, b.job.Prompt.TurnID = whole.job.Turn.ID, whole.job.Turn.ID
			ctx, cancel := context.WithCancel(t.Context())
			first := &interruptedSink{Sink: b.sink, left: kept, die: cancel}
			require.Error(t, analyst.NewPipeline(b.config).Run(ctx, b.job, first))
			require.Len(t, first.finished(), kept)

			// The recalled memories stay the same, although there are more to recall now.
			b.memories.Add(domain.Memory{ID: 77, Name: "Late", AlwaysRecalled: true, Response: "too late"})
			second := &analysttest.Sink{}
			job := b.job
			job.Finished = first.finished()
			require.NoError(t, analyst.NewPipeline(b.config).Run(t.Context(), job, second))

			require.Len(t, second.Steps(), len(journal)-kept, "finished steps are read")
			require.LessOrEqual(t, len(b.worker.requests())+len(b.other.requests()), calls+1, "only the interrupted call was made again")
			for i, s := range second.Steps() {
				want := journal[kept+i]
				require.Equal(t, want.Number, s.Number)
				require.Equal(t, want.Name, s.Name, "the right agent's model")
				require.Equal(t, want.Kind, s.Kind)
			}
			metered := append(first.usage(), second.Usage()...)
			require.Len(t, metered, calls, "each call is counted once")

			// The second attempt shows what the first one did not show.
			all := append(transcript(first.shown()), transcript(second.Messages())...)
			// A chart that was ready too late for its answer is shown with a message of its own.
			all = slices.DeleteFunc(all, func(m string) bool { return strings.Contains(m, "Here is the result.") })
			require.Equal(t, withoutObjects(transcript(whole.sink.Messages())), withoutObjects(all))
			charts := func(messages ...analysttest.Message) (n int) {
				for _, m := range messages {
					n += len(m.Objects)
				}
				return n
			}
			require.Equal(t, charts(whole.sink.Messages()...), charts(append(first.shown(), second.Messages()...)...),
				"no chart is lost or shown twice")
			answered := int64(0)
			for _, m := range append(first.shown(), second.Messages()...) {
				if m.Role == domain.RoleAssistant || m.Role == domain.RoleSummary {
					answered += int64(len(m.Text))
				}
			}
			require.Equal(t, answered, analyst.Spoken(append(first.finished(), second.Steps()...)), "the journal accounts for all that was said")
		})
	}

	t.Run("MemoriesOfABegunStepStay", func(t *testing.T) {
		t.Parallel()
		b := planned(t, domain.PlanStep{Name: "One", DetailedInstructions: "Sum."})
		b.memories.Add(domain.Memory{ID: 5, Name: "Five", AlwaysRecalled: true, Response: "five"})
		require.NoError(t, b.run(t))
		require.Contains(t, string(b.sink.Steps()[1].Input), `"analyst":[5]`)
		b.memories.Add(domain.Memory{ID: 77, Name: "Late", AlwaysRecalled: true, Response: "too late"})
		b.job.Finished = b.sink.Steps()[:3]
		made := len(b.worker.requests())
		b.sink = &analysttest.Sink{}
		require.NoError(t, b.run(t))
		again := b.worker.requests()[made]
		require.Contains(t, again.System, "five")
		require.NotContains(t, again.System, "too late")
	})
}

// interruptedSink accepts a number of finished steps, and then its node is lost.
type interruptedSink struct {
	*analysttest.Sink
	left int
	die  func()
	kept []domain.Step
	at   int // number of messages when the last step was kept
}

func (d *interruptedSink) StepStarted(ctx context.Context, s domain.Step) error {
	if d.left == 0 {
		d.die()
		return context.Canceled
	}
	return d.Sink.StepStarted(ctx, s)
}

func (d *interruptedSink) StepFinished(ctx context.Context, s domain.Step, u *domain.Usage) error {
	d.left--
	d.kept = append(d.kept, s)
	err := d.Sink.StepFinished(ctx, s, u)
	d.at = len(d.Messages())
	return err
}

func (d *interruptedSink) finished() []domain.Step      { return d.kept }
func (d *interruptedSink) usage() []domain.Usage        { return d.Usage() }
func (d *interruptedSink) shown() []analysttest.Message { return d.Messages()[:d.at] }

func withoutObjects(in []string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = s[:strings.LastIndex(s, "[")]
	}
	return out
}

func texts(turns []analyst.Utterance) string {
	var b strings.Builder
	for _, u := range turns {
		b.WriteString(u.Text + "\n")
	}
	return b.String()
}

func sqlOf(t *testing.T, u analyst.Utterance) string {
	t.Helper()
	require.Len(t, u.Calls, 1)
	var a analyst.RunQueryArgs
	require.NoError(t, json.Unmarshal(u.Calls[0].Args, &a))
	return a.SQL
}

func message(t *testing.T, err error) string {
	t.Helper()
	var known *domain.Error
	require.ErrorAs(t, err, &known)
	return known.Message
}
