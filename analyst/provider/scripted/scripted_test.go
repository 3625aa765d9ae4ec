package scripted_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/analyst/provider/scripted"
	"parley.dev/parley/domain"
)

type bundle struct {
	sink  *analysttest.Sink
	files *analysttest.Files
	run   func(ctx context.Context, prompt string) error
	plan  func(ctx context.Context, steps ...domain.PlanStep) error
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{sink: &analysttest.Sink{}, files: &analysttest.Files{}}
	p := analyst.NewPipeline(analyst.Config{
		Providers:   map[string]analyst.Provider{"scripted": scripted.New(scripted.Config{})},
		DataSources: analysttest.NewSources(domain.DataSource{ID: 1, Name: "sales", Resources: []domain.DataResource{{Table: "sales"}}}),
		Analysts:    &analysttest.Agents{Agent: domain.Analyst{ID: 1, IsEnabled: true, Provider: "scripted", Model: "load"}},
		Files:       b.files,
		Backoff:     1,
		Workbench: analysttest.QueryFunc(func(context.Context, []domain.DataSource, string) (*domain.ResultSet, error) {
			return &domain.ResultSet{
				Columns: []domain.Column{{Name: "region", Type: domain.ColumnText}, {Name: "n", Type: domain.ColumnInteger}},
				Rows:    [][]any{{"North", int64(3)}, {"South", int64(4)}},
			}, nil
		}),
	})
	b.run = func(ctx context.Context, prompt string) error { return p.Run(ctx, analysttest.Job(prompt), b.sink) }
	b.plan = func(ctx context.Context, steps ...domain.PlanStep) error {
		return p.Run(ctx, analysttest.PlanJob("go", steps...), b.sink)
	}
	return b
}

func TestProvider_Plan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.plan(t.Context(),
		domain.PlanStep{
			Name: "one", DetailedInstructions: "rate=0 tokens=30 seed=7 summary=2 calls=1 fault=500 times=1", Code: "SELECT 1",
			Language: "sql",
		},
		domain.PlanStep{Name: "two", DetailedInstructions: "rate=0 tokens=20", QAInstructions: "not looked at"},
		domain.PlanStep{Name: "three", DetailedInstructions: "rate=0 tokens=10 seed=9 summary=4 fault=500 times=1"},
	))
	answers := b.sink.Role(domain.RoleAssistant)
	require.Len(t, answers, 3)
	require.Equal(t, scripted.Text(7, 30), answers[0].Text, "byte by byte, without a heading")
	require.Equal(t, scripted.Text(9, 10), answers[2].Text)
	require.Equal(t, scripted.Text(11, 4), b.sink.Role(domain.RoleSummary)[0].Text)
	require.Len(t, b.sink.Role(domain.RoleSummary), 1)
	again := setup(t)
	require.NoError(t, again.plan(t.Context(), domain.PlanStep{Name: "two", DetailedInstructions: "rate=0 tokens=20"}))
	require.Equal(t, answers[1].Text, again.sink.Role(domain.RoleAssistant)[0].Text, "a script without a seed says the same in every turn")
	require.Len(t, b.sink.Usage(), 4, "one for each step, and one for the tool call of the first")
}

func TestProvider_Stream(t *testing.T) {
	t.Parallel()

	t.Run("SpeaksTheSeedsText", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.run(t.Context(), "please rate=0 tokens=300 seed=7"))
		m := b.sink.Role(domain.RoleAssistant)
		require.Len(t, m, 1)
		require.Equal(t, scripted.Text(7, 300), m[0].Text)
		require.Equal(t, 300, m[0].Deltas)
		require.True(t, m[0].Closed)
		require.Len(t, b.sink.Usage(), 1)
		require.EqualValues(t, 300, b.sink.Usage()[0].OutputTokens)
	})

	t.Run("KeepsTheRate", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.run(t.Context(), "rate=2000 tokens=50 seed=1"))
		require.Equal(t, scripted.Text(1, 50), b.sink.Role(domain.RoleAssistant)[0].Text)
	})

	t.Run("SpeaksPlanAndSummary", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.run(t.Context(), "rate=0 tokens=3 plan=4 summary=5 seed=10"))
		require.Equal(t, scripted.Text(11, 4), b.sink.Role(domain.RoleCoordinator)[0].Text)
		require.Equal(t, scripted.Text(10, 3), b.sink.Role(domain.RoleAssistant)[0].Text)
		require.Equal(t, scripted.Text(12, 5), b.sink.Role(domain.RoleSummary)[0].Text)
	})

	t.Run("CallsTools", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.run(t.Context(), `rate=0 tokens=3 seed=1 calls=2 chart=bar query="SELECT region, n FROM sales"`))
		names := []string{}
		for _, s := range b.sink.Steps() {
			names = append(names, s.Name)
			require.Equal(t, domain.StepFinished, s.Status)
		}
		require.Equal(t, []string{"load", "list_sources", "load", "list_sources", "load", "run_query", "load", "make_chart", "load"}, names)
		answer := b.sink.Role(domain.RoleAssistant)
		require.Len(t, answer, 1)
		require.Len(t, answer[0].Objects, 1)
		require.Equal(t, domain.DisplayHighcharts, answer[0].Objects[0].Type)
		require.Contains(t, b.files.Text(answer[0].Objects[0].FileKey), `"type":"bar"`)
		proxy := b.sink.Role(domain.RoleUserProxy)
		require.Len(t, proxy, 1)
		require.Equal(t, "region,n\nNorth,3\nSouth,4\n", b.files.Text(proxy[0].Objects[1].FileKey))
	})
}

func TestProvider_Faults(t *testing.T) {
	t.Parallel()
	text := scripted.Text(7, 300)

	t.Run("CutKeepsWholeCharacters", func(t *testing.T) {
		t.Parallel()
		for at := range 120 {
			b := setup(t)
			err := b.run(t.Context(), "rate=0 tokens=300 seed=7 fault=cut@"+itoa(at))
			var vendor *analyst.ProviderError
			require.ErrorAs(t, err, &vendor)
			m := b.sink.Role(domain.RoleAssistant)
			if at == 0 {
				require.Empty(t, m)
				require.False(t, vendor.Midstream)
				continue
			}
			require.False(t, m[0].Closed)
			require.True(t, vendor.Midstream)
			require.Equal(t, strings.ToValidUTF8(text[:at], ""), m[0].Text)
			require.Len(t, b.sink.Usage(), 1, "the text that was sent is metered")
		}
	})

	t.Run("StatusIsRetriedThenGivenUp", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		err := b.run(t.Context(), "rate=0 seed=7 fault=529")
		var vendor *analyst.ProviderError
		require.ErrorAs(t, err, &vendor)
		require.Equal(t, 529, vendor.Status)
		require.Len(t, b.sink.Notices(), 2)
		require.Empty(t, b.sink.Messages())
	})

	t.Run("StatusThatPassesIsForgotten", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.run(t.Context(), "rate=0 seed=7 tokens=300 fault=500 times=2"))
		require.Equal(t, text, b.sink.Role(domain.RoleAssistant)[0].Text)
	})

	t.Run("SplitCharactersAreJoined", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.run(t.Context(), "rate=0 seed=7 tokens=300 fault=split"))
		require.Equal(t, text, b.sink.Role(domain.RoleAssistant)[0].Text)
	})

	t.Run("GarbageBecomesReplacementCharacters", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.NoError(t, b.run(t.Context(), "rate=0 seed=7 tokens=20 fault=garbage"))
		require.True(t, domain.Storable(b.sink.Role(domain.RoleAssistant)[0].Text))
	})

	t.Run("HugePieceIsEndedByTheTextLimit", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		err := b.run(t.Context(), "rate=0 seed=7 tokens=2 fault=huge")
		require.Equal(t, domain.CodeTooLarge, domain.CodeOf(err))
	})

	t.Run("LoopIsEndedByTheStepLimit", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		err := b.run(t.Context(), "fault=loop")
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err))
		require.Len(t, b.sink.Steps(), 20)
	})

	t.Run("RepeatedFailingCallEndsTheTurn", func(t *testing.T) {
		t.Parallel()
		for _, fault := range []string{"args", "tool"} {
			b := setup(t)
			err := b.run(t.Context(), "fault="+fault)
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
			require.Len(t, b.sink.Steps(), 4, "two model calls, two tool calls")
		}
	})

	t.Run("StopEndsSilence", func(t *testing.T) {
		t.Parallel()
		for _, fault := range []string{"silent", "stall@40"} {
			b := setup(t)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			b.sink.OnDelta = func(string) error { cancel(); return nil }
			go func() { done <- b.run(ctx, "rate=0 seed=7 fault="+fault) }()
			if fault == "silent" {
				cancel()
			}
			require.ErrorIs(t, <-done, context.Canceled)
		}
	})

	t.Run("BadDirectiveIsReported", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		err := b.run(t.Context(), "tokens=many")
		var vendor *analyst.ProviderError
		require.ErrorAs(t, err, &vendor)
		require.Contains(t, vendor.Reason, "tokens=many")
	})
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

func TestStamp(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 7, 12_345_678, 99_999_999} {
		for _, at := range []time.Time{time.UnixMicro(0), time.UnixMicro(1_764_000_000_123_456)} {
			require.Equal(t, fmt.Sprintf("%08d-%014x ", n, at.UnixMicro()), scripted.Stamp(n, at))
		}
	}
}
