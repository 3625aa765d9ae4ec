package analyst_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/clock"
)

// follower records its arguments and offers them as a question.
type follower struct {
	questions []string
	found     *domain.ResultSet
}

func (f *follower) FollowUps(_ []analyst.Table, _ *meaning.Meaning, questions []string, found *domain.ResultSet, limit int) []string {
	f.questions = questions
	f.found = found
	if limit < 1 {
		return nil
	}
	return []string{"And by month?"}
}

// speaksAnswerThenCalls says something on the answer's channel before it calls a tool.
func speaksAnswerThenCalls(text string, call step) step {
	return func(r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
		if _, err := speaks("", text)(r, emit); err != nil {
			return analyst.End{}, err
		}
		return call(r, emit)
	}
}

func TestPipeline_Annotate(t *testing.T) {
	t.Parallel()
	query := callsTool(analyst.ToolRunQuery, analyst.RunQueryArgs{SQL: "SELECT 1", Title: "Total by region"})
	chart := callsTool(analyst.ToolMakeChart, analyst.MakeChartArgs{})
	answers := func(b *bundle) []analysttest.Message { return b.sink.Role(domain.RoleAssistant) }

	t.Run("TextBesideACallIsWorking", func(t *testing.T) {
		t.Parallel()
		b := setup(t, speaksAnswerThenCalls("Let me look.", query), speaks("", "North has 1."))
		require.NoError(t, b.run(t))
		said := answers(b)
		require.Equal(t, domain.PartWorking, said[0].Annotation.Part)
		require.Equal(t, domain.PartAnswer, said[1].Annotation.Part)
	})
	t.Run("TheLastWordIsTheAnswerThoughACallFollowed", func(t *testing.T) {
		t.Parallel()
		b := setup(t, query, speaksAnswerThenCalls("North has 1.", chart), speaks("", ""))
		require.NoError(t, b.run(t))
		said := answers(b)
		require.Len(t, said, 1)
		require.Equal(t, domain.PartAnswer, said[0].Annotation.Part)
	})
	t.Run("TheTableStandsInForAChart", func(t *testing.T) {
		t.Parallel()
		no := false
		b := setup(t, callsTool(analyst.ToolRunQuery, analyst.RunQueryArgs{SQL: "SELECT 1", Chart: &no}), speaks("", "North has 1."))
		require.NoError(t, b.run(t))
		table := b.sink.Role(domain.RoleUserProxy)[0].Objects[1]
		require.Equal(t, domain.DisplayCSV, table.Type)
		require.Equal(t, table.ID, answers(b)[0].Annotation.Table)
		require.Equal(t, table.ID, b.model.made[1].Turns[2].Result.Object, "figures of providers refer to the table that people see")
	})
	t.Run("AChartNeedsNoTable", func(t *testing.T) {
		t.Parallel()
		b := setup(t, query, speaks("", "North has 1."))
		require.NoError(t, b.run(t))
		require.Len(t, answers(b)[0].Objects, 1)
		require.Zero(t, answers(b)[0].Annotation.Table)
	})
	t.Run("QuestionsThatFollow", func(t *testing.T) {
		t.Parallel()
		b := setup(t, query, speaks("", "North has 1."))
		f := &follower{}
		b.config.FollowUps = f
		require.NoError(t, b.run(t))
		require.Equal(t, []string{"And by month?"}, answers(b)[0].Annotation.FollowUps)
		require.Equal(t, []string{"total by region?"}, f.questions)
		require.NotNil(t, f.found)
	})
	t.Run("QuestionsThatFollowAPlanStandBehindItsLastStep", func(t *testing.T) {
		t.Parallel()
		b := setup(t, query, speaks("", "North has 1."), query, speaks("", "South has 2."), speaks("", "All."))
		b.job.Turn.Plan = &domain.Plan{Blueprint: "B", Steps: []domain.PlanStep{
			{Name: "One", DetailedInstructions: "Sum."},
			{Name: "Two", DetailedInstructions: "Count."},
		}}
		f := &follower{}
		b.config.FollowUps = f
		require.NoError(t, b.run(t))
		said := answers(b)
		require.Len(t, said, 2)
		require.Empty(t, said[0].Annotation.FollowUps)
		require.Equal(t, []string{"And by month?"}, said[1].Annotation.FollowUps)
		require.Equal(t, []string{"total by region?"}, f.questions, "the next question follows the message, and not a step")
		require.Nil(t, f.found)
	})
	t.Run("NoneWhereNothingWasAsked", func(t *testing.T) {
		t.Parallel()
		b := setup(t, speaks("", "Hello."))
		b.config.FollowUps = &follower{}
		require.NoError(t, b.run(t))
		require.Empty(t, answers(b)[0].Annotation.FollowUps)
	})
	t.Run("Facts", func(t *testing.T) {
		t.Parallel()
		b := setup(t, query, speaks("", "North has 1."))
		now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
		b.config.Clock = clock.NewFake(now)
		b.job.Turn.StartedAt = now.Add(-1500 * time.Millisecond)
		require.NoError(t, b.run(t))
		facts := answers(b)[0].Annotation.Facts
		require.Equal(t, 1, facts.Queries)
		require.InDelta(t, 1.5, facts.Seconds, 1e-9)
		require.InDelta(t, b.sink.Usage()[0].Credits+b.sink.Usage()[1].Credits, facts.Credits, 1e-9)
	})
	t.Run("FiguresCountFromTheMessage", func(t *testing.T) {
		t.Parallel()
		annotated := func(r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
			end, err := speaks("", "North has 1.")(r, emit)
			if err != nil {
				return end, err
			}
			return end, emit(analyst.Piece{Annotation: &domain.Annotation{CaveatsAt: 10, Figures: []domain.Figure{{Start: 10, End: 11}}}})
		}
		b := setup(t, annotated)
		b.job.Turn.Plan = &domain.Plan{Blueprint: "B", Steps: []domain.PlanStep{{Name: "Sums", DetailedInstructions: "Sum."}}}
		b.model.calls = append(b.model.calls, speaks("", "All."))
		require.NoError(t, b.run(t))
		m := answers(b)[0]
		f := m.Annotation.Figures[0]
		require.Equal(t, "1", m.Text[f.Start:f.End], "the name of the step is before it")
		require.Equal(t, f.Start, m.Annotation.CaveatsAt)
		require.Equal(t, 1, m.Annotation.PlanStep)
	})
	t.Run("ACheckIsWorking", func(t *testing.T) {
		t.Parallel()
		b := setup(t, speaks("", "North has 1."), speaks("", "Passed: it is so."), speaks("", "All."))
		b.job.Turn.Plan = &domain.Plan{
			Blueprint: "B",
			Steps:     []domain.PlanStep{{Name: "Sums", DetailedInstructions: "Sum.", QAInstructions: "Is it so?"}},
		}
		require.NoError(t, b.run(t))
		said := answers(b)
		require.Equal(t, []domain.MessagePart{domain.PartAnswer, domain.PartWorking}, []domain.MessagePart{
			said[0].Annotation.Part,
			said[1].Annotation.Part,
		})
	})
}
