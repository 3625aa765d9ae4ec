package analyst_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// TestPipeline_Life checks that a model that thinks, or writes a long call, counts as alive although it
// sends no text.
func TestPipeline_Life(t *testing.T) {
	t.Parallel()
	thinks := func(now *clock.Fake, alive bool) step {
		return func(_ *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
			for range 5 {
				if alive {
					if err := emit(analyst.Piece{Alive: true}); err != nil {
						return analyst.End{}, err
					}
				}
				now.Advance(50 * time.Second)
			}
			return ends(10, 5), emit(analyst.Piece{Text: "42."})
		}
	}
	for name, alive := range map[string]bool{"BytesArrive": true, "NothingArrives": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			b := setup(t, thinks(now, alive))
			b.config.Clock = now
			err := b.run(t)
			if !alive {
				var e *analyst.ProviderError
				require.ErrorAs(t, err, &e)
				require.Contains(t, e.Reason, "timeout")
				return
			}
			require.NoError(t, err)
			require.Equal(t, "42.", b.sink.Role(domain.RoleAssistant)[0].Text)
			require.Equal(t, 5, b.sink.Lives(), "the watchdog of the turn is informed as well")
		})
	}

	t.Run("ReportsAtMostOnceASecond", func(t *testing.T) {
		t.Parallel()
		now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		b := setup(t, func(_ *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
			for range 1000 {
				if err := emit(analyst.Piece{Alive: true}); err != nil {
					return analyst.End{}, err
				}
				now.Advance(10 * time.Millisecond)
			}
			return ends(10, 5), emit(analyst.Piece{Text: "42."})
		})
		b.config.Clock = now
		require.NoError(t, b.run(t))
		require.LessOrEqual(t, b.sink.Lives(), 11)
		require.GreaterOrEqual(t, b.sink.Lives(), 9)
	})
}

// cut says something and is ended by the vendor's limit.
func cut(text string, calls ...analyst.ToolCall) step {
	return func(_ *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
		end := ends(10, 5)
		end.Reason = analyst.EndLength
		if text != "" {
			if err := emit(analyst.Piece{Text: text}); err != nil {
				return end, err
			}
		}
		for i := range calls {
			if err := emit(analyst.Piece{Call: &calls[i]}); err != nil {
				return end, err
			}
		}
		return end, nil
	}
}

func TestPipeline_End(t *testing.T) {
	t.Parallel()
	query := callsTool(analyst.ToolRunQuery, analyst.RunQueryArgs{SQL: "SELECT 1", Title: "T"})

	t.Run("CutByLength", func(t *testing.T) {
		t.Parallel()
		b := setup(t, query, cut("North has", analyst.ToolCall{ID: "x", Name: analyst.ToolListSources, Args: json.RawMessage(`{"a`)}))
		var e *analyst.ProviderError
		require.ErrorAs(t, b.run(t), &e)
		require.True(t, e.Midstream, "the answer is kept, and marked as interrupted")
		require.Contains(t, e.Reason, "length limit")
		require.Contains(t, e.Reason, "continue", "the reason says how to continue")
		answer := b.sink.Role(domain.RoleAssistant)[0]
		require.Equal(t, "North has", answer.Text)
		require.False(t, answer.Closed, "the end of the turn closes it")
		require.Len(t, answer.Objects, 1, "the chart of the result is shown nevertheless")
		require.Len(t, b.sink.Steps(), 3, "an incomplete call is not made")
		require.Len(t, b.sink.Usage(), 2)
	})

	t.Run("CutBeforeAnyWord", func(t *testing.T) {
		t.Parallel()
		b := setup(t, cut(""))
		var e *analyst.ProviderError
		require.ErrorAs(t, b.run(t), &e)
		require.False(t, e.Midstream)
		require.Contains(t, e.Reason, "length limit")
		require.Len(t, b.model.made, 1)
	})

	t.Run("CutIsReadFromTheJournal", func(t *testing.T) {
		t.Parallel()
		b := setup(t, cut("North has"))
		require.Error(t, b.run(t))
		b.job.Finished, b.sink, b.model.made = b.sink.Steps(), &analysttest.Sink{}, nil
		var e *analyst.ProviderError
		require.ErrorAs(t, b.run(t), &e)
		require.Contains(t, e.Reason, "length limit")
		require.Empty(t, b.model.made)
	})

	t.Run("EmptyTextIsNoAnswer", func(t *testing.T) {
		t.Parallel()
		silence := func(*analyst.Request, func(analyst.Piece) error) (analyst.End, error) { return ends(10, 0), nil }
		b := setup(t, silence)
		var e *analyst.ProviderError
		require.ErrorAs(t, b.run(t), &e)
		require.Equal(t, "The model ended without an answer.", e.Reason)
		require.Len(t, b.model.made, 3, "another attempt usually helps")

		b = setup(t, silence, speaks("", "42."))
		require.NoError(t, b.run(t))
		require.Equal(t, "42.", b.sink.Role(domain.RoleAssistant)[0].Text)
		require.EqualValues(t, 20, b.sink.Usage()[0].InputTokens, "the usage of the silent attempt is counted")
	})

	t.Run("NothingMoreToSayIsAnEnd", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
			if err := emit(analyst.Piece{Text: "Here is all of it."}); err != nil {
				return analyst.End{}, err
			}
			return query(r, emit)
		}, func(*analyst.Request, func(analyst.Piece) error) (analyst.End, error) { return ends(10, 0), nil })
		require.NoError(t, b.run(t))
		require.Len(t, b.model.made, 2)
	})
}

// TestPipeline_VendorData checks that data which a vendor wants back is stored with the call, in the
// journal too, and is sent back by the attempt that continues the turn.
func TestPipeline_VendorData(t *testing.T) {
	t.Parallel()
	signed := func(_ *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
		end := ends(10, 5)
		end.Vendor = json.RawMessage(`{"reasoning_content":"Hm."}`)
		return end, emit(analyst.Piece{Call: &analyst.ToolCall{
			ID: "c", Name: analyst.ToolListSources, Args: json.RawMessage(`{}`),
			Vendor: json.RawMessage(`{"extra_content":{"google":{"thought_signature":"x"}}}`),
		}})
	}
	check := func(t *testing.T, r *analyst.Request) {
		t.Helper()
		u := r.Turns[len(r.Turns)-2]
		require.JSONEq(t, `{"reasoning_content":"Hm."}`, string(u.Vendor))
		require.JSONEq(t, `{"extra_content":{"google":{"thought_signature":"x"}}}`, string(u.Calls[0].Vendor))
	}
	b := setup(t, signed, speaks("", "42."))
	require.NoError(t, b.run(t))
	check(t, b.model.made[1])

	b.job.Finished, b.sink, b.model.made, b.model.calls = b.sink.Steps()[:2], &analysttest.Sink{}, nil, []step{speaks("", "42.")}
	require.NoError(t, b.run(t))
	check(t, b.model.made[0])

	t.Run("StepsJournaledBeforeThereWasAny", func(t *testing.T) {
		t.Parallel()
		b := setup(t, speaks("", "42."))
		b.job.Finished = []domain.Step{
			{
				Number: 1, Kind: domain.StepModel, Status: domain.StepFinished,
				Output: json.RawMessage(`{"calls":[{"id":"c","name":"list_sources","args":{}}],"usage":{"InputTokens":10,"OutputTokens":5}}`),
			},
			{
				Number: 2, Kind: domain.StepTool, Name: "list_sources", Status: domain.StepFinished,
				Output: json.RawMessage(`{"result":{"text":"one source"}}`),
			},
		}
		require.NoError(t, b.run(t))
		turns := b.model.made[0].Turns
		require.Equal(t, "c", turns[len(turns)-2].Calls[0].ID)
		require.Equal(t, "one source", turns[len(turns)-1].Text)
	})
}
