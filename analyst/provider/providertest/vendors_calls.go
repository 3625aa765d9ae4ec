package providertest

// Checks of calls and connections that are not recordings, because they need two requests or a
// broken connection.

import (
	"encoding/json"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
)

// afterCall returns a question whose first call has a result.
func afterCall(id, args string) *analyst.Request {
	r := question("")
	r.Turns = append(r.Turns,
		analyst.Utterance{Role: analyst.UtteranceAssistant, Calls: []analyst.ToolCall{{ID: id, Name: "run_query", Args: json.RawMessage(args)}}},
		analyst.Utterance{Role: analyst.UtteranceTool, CallID: id, Text: "42"})
	return r
}

// idsComeOnce checks that ids are unique: some servers count their calls from 0 in every answer, and
// others reject a context in which an id occurs twice.
func idsComeOnce(t *testing.T, connect Connect) {
	t.Helper()
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
		send(w, chunk(`{"tool_calls":[{"index":0,"id":"call_0","type":"function","function":{"name":"run_query","arguments":"{}"}}]}`),
			finish("tool_calls"), over)
	})
	h := listen(t.Context(), t, connect(s.url, s.client), afterCall("call_0", `{}`))
	require.NoError(t, h.err)
	require.Len(t, h.calls, 1)
	require.NotEqual(t, "call_0", h.calls[0].ID)
}

// argumentsAreObjects checks that the arguments of earlier calls are sent as objects: templates read
// them as objects, and the request is rejected if they are not.
func argumentsAreObjects(t *testing.T, connect Connect) {
	// The server rejects what is no object, so the arguments are put into one.
	t.Helper()
	s := newServer(t, answerOrGoOn)
	for name, args := range map[string]string{
		"Text": `"{\"sql\": SELECT 1"`, "List": `["SELECT 1"]`, "Null": `null`,
		"Object": `{"sql":"SELECT 1"}`,
	} {
		t.Run(name, func(t *testing.T) {
			h := listen(t.Context(), t, connect(s.url, s.client), afterCall("a", args))
			require.NoError(t, h.err)
			var sent struct {
				Messages []struct {
					Calls []struct{ Function struct{ Arguments string } } `json:"tool_calls"` //nolint:tagliatelle // as OpenAI writes it
				}
			}
			body, err := json.Marshal(<-s.requests)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(body, &sent))
			for _, m := range sent.Messages {
				for _, c := range m.Calls {
					var object map[string]any
					require.NoError(t, json.Unmarshal([]byte(c.Function.Arguments), &object), c.Function.Arguments)
					require.NotEmpty(t, object, "the text of the model is in it")
				}
			}
		})
	}
}

// brokenConnection checks the error for a connection that is reset within an answer: it broke, but the
// vendor was reached.
func brokenConnection(t *testing.T, connect Connect) {
	t.Helper()
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
		send(w, chunk(`{"content":"Begun"}`))
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Errorf("hijack: %v", err)
			return
		}
		// With a linger of 0 the connection is reset and not closed in order.
		tcp, ok := conn.(*net.TCPConn)
		if !ok || tcp.SetLinger(0) != nil || tcp.Close() != nil {
			t.Error("the connection cannot be reset")
		}
	})
	h := listen(t.Context(), t, connect(s.url, s.client), question(""))
	var e *analyst.ProviderError
	require.ErrorAs(t, h.err, &e)
	require.Equal(t, "The connection to the model broke.", e.Reason)
	require.True(t, e.Retryable)
}
