package loadtest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/openai"
	"parley.dev/parley/cmd/parley/loadtest"
)

// model starts a model and returns a client of it, as a node has one.
func model(t *testing.T) *openai.Provider {
	t.Helper()
	m, err := loadtest.StartModel(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Stop()) })
	return openai.New(openai.Config{BaseURL: m.URL(), Model: "load-test"})
}

// said collects the text of each channel and the calls of one answer.
type said struct {
	texts map[analyst.Channel]string
	calls []string
}

func ask(t *testing.T, p *openai.Provider, turns ...analyst.Utterance) (said, analyst.End, error) {
	t.Helper()
	out := said{texts: map[analyst.Channel]string{}}
	end, err := p.Stream(t.Context(), &analyst.Request{System: "Be brief.", Turns: turns}, func(piece analyst.Piece) error {
		out.texts[piece.Channel] += piece.Text
		if piece.Call != nil {
			out.calls = append(out.calls, piece.Call.Name)
		}
		return nil
	})
	return out, end, err
}

func user(text string) analyst.Utterance {
	return analyst.Utterance{Role: analyst.UtteranceUser, Text: text}
}

func TestModel_AnswersTheScriptOfTheLastPrompt(t *testing.T) {
	t.Parallel()
	earlier := []analyst.Utterance{user("rate=0 tokens=9"), {Role: analyst.UtteranceAssistant, Text: "before"}}
	out, end, err := ask(t, model(t), append(earlier, user("rate=0 tokens=3 plan=2 summary=2 stamp=true"))...)
	require.NoError(t, err)
	require.Equal(t, analyst.EndStop, end.Reason)
	require.EqualValues(t, 7, end.Usage.OutputTokens)
	require.Positive(t, end.Usage.InputTokens)
	text := out.texts[analyst.ChannelAnswer]
	require.Len(t, strings.TrimRight(text, " \n"), 3*loadtest.TokenBytes-1)
	require.True(t, strings.HasPrefix(text, "00000000-"), text)
	require.Contains(t, text, " 00000002-")
	require.NotEmpty(t, out.texts[analyst.ChannelPlan])
	require.NotEmpty(t, out.texts[analyst.ChannelSummary])
}

func TestModel_CallsToolsUntilTheScriptHasNoMore(t *testing.T) {
	t.Parallel()
	p := model(t)
	turns := []analyst.Utterance{user("calls=1 rate=0 tokens=2 seed=4")}
	out, _, err := ask(t, p, turns...)
	require.NoError(t, err)
	require.Equal(t, []string{analyst.ToolListSources}, out.calls)
	require.Empty(t, out.texts[analyst.ChannelAnswer])

	turns = append(turns,
		analyst.Utterance{
			Role: analyst.UtteranceAssistant, Calls: []analyst.ToolCall{{ID: "call_1", Name: out.calls[0], Args: json.RawMessage("{}")}},
		},
		analyst.Utterance{Role: analyst.UtteranceTool, CallID: "call_1", Text: "none"})
	out, _, err = ask(t, p, turns...)
	require.NoError(t, err)
	require.Empty(t, out.calls)
	require.NotEmpty(t, out.texts[analyst.ChannelAnswer])
}

func TestModel_FailsAsVendorsDo(t *testing.T) {
	t.Parallel()
	p := model(t)
	for name, c := range map[string]struct {
		prompt    string
		status    int
		retryable bool
		wait      int
	}{
		"busy":                     {"fault=429 retry=3", http.StatusTooManyRequests, true, 3},
		"not available":            {"fault=503", http.StatusServiceUnavailable, true, 0},
		"a wrong key":              {"fault=401", http.StatusUnauthorized, false, 0},
		"a connection that breaks": {"rate=0 tokens=9 stamp=true fault=cut@30", 0, true, 0},
		"a script that is wrong":   {"tokens=none", http.StatusBadRequest, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := ask(t, p, user(c.prompt))
			var fault *analyst.ProviderError
			require.ErrorAs(t, err, &fault)
			require.Equal(t, c.status, fault.Status)
			require.Equal(t, c.retryable, fault.Retryable)
			require.Equal(t, c.wait, fault.RetryAfter)
		})
	}
	t.Run("what was sent before the connection broke stays", func(t *testing.T) {
		t.Parallel()
		out, _, err := ask(t, p, user("rate=0 tokens=9 stamp=true fault=cut@30"))
		require.Error(t, err)
		require.Len(t, out.texts[analyst.ChannelAnswer], 30)
	})
}

func TestModel_RefusesWhatItDoesNotServe(t *testing.T) {
	t.Parallel()
	m, err := loadtest.StartModel(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Stop()) })
	parts := `[{"type":"text","text":"tokens=1 "},{"type":"text","text":"rate=0"}]`
	for body, status := range map[string]int{
		`{"model":"m","messages":[]}`:                                          http.StatusBadRequest,
		`{"stream":true,"messages":[{"role":"user","content":` + parts + `}]}`: http.StatusOK,
		`nothing`: http.StatusBadRequest,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.URL()+"/chat/completions", strings.NewReader(body))
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.Equal(t, status, resp.StatusCode, body)
		require.NoError(t, resp.Body.Close())
	}
	_, err = loadtest.StartModel(t.Context(), "no address")
	require.ErrorContains(t, err, "start the model")
}
