package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/analyst/provider/openai"
	"parley.dev/parley/domain"
)

// vendor answers each request with the next script; the last one repeats.
type vendor struct {
	requests chan map[string]any
	gone     chan struct{} // signals that the client of a request has disconnected
	provider *openai.Provider
}

type script func(w http.ResponseWriter, r *http.Request)

func newVendor(t *testing.T, scripts ...script) *vendor {
	t.Helper()
	v := &vendor{requests: make(chan map[string]any, 100), gone: make(chan struct{}, 100)}
	next := make(chan script, len(scripts))
	for _, s := range scripts {
		next <- s
	}
	last := scripts[len(scripts)-1]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/chat/completions" ||
			r.Header.Get("Authorization") != "Bearer key" {
			http.Error(w, "bad request", http.StatusTeapot)
			return
		}
		v.requests <- body
		s := last
		select {
		case s = <-next:
		default:
		}
		s(w, r)
		if r.Context().Err() != nil {
			v.gone <- struct{}{}
		}
	}))
	t.Cleanup(server.Close)
	v.provider = openai.New(openai.Config{BaseURL: server.URL + "/v1/", APIKey: "key", Model: "small", Client: server.Client()})
	return v
}

// sse writes raw events and flushes each.
func sse(events ...string) script {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			_, _ = io.WriteString(w, e)
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
		}
	}
}

func event(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return "data: " + string(body) + "\n\n"
}

type object = map[string]any

func delta(d object) string {
	return event(object{"id": "x", "object": "chat.completion.chunk", "choices": []object{{"index": 0, "delta": d}}})
}

func said(text string) string { return delta(object{"content": text}) }

func finish(reason string) string {
	return event(object{"id": "x", "choices": []object{{"index": 0, "delta": object{}, "finish_reason": reason}}}) +
		event(object{"id": "x", "choices": []object{}, "usage": object{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}}) +
		"data: [DONE]\n\n"
}

func called(index int, id, name, args string) string {
	return delta(object{"tool_calls": []object{{
		"index": index, "id": id, "type": "function",
		"function": object{"name": name, "arguments": args},
	}}})
}

func status(code int, body string, headers ...string) script {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// collect makes one call and joins its text by channel.
func collect(ctx context.Context, p analyst.Provider) (map[analyst.Channel]string, []analyst.ToolCall, analyst.Usage, error) {
	text := map[analyst.Channel]string{}
	var calls []analyst.ToolCall
	u, err := p.Stream(ctx, &analyst.Request{System: "rules", Turns: []analyst.Utterance{{Role: analyst.UtteranceUser, Text: "how many?"}}},
		func(p analyst.Piece) error {
			text[p.Channel] += p.Text
			if p.Call != nil {
				calls = append(calls, *p.Call)
			}
			return nil
		})
	return text, calls, u.Usage, err
}

func TestProvider_Stream(t *testing.T) {
	t.Parallel()

	t.Run("Text", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, sse(said("Hel"), ": a comment\n\n", said("lo wörld"), finish("stop")))
		text, calls, usage, err := collect(t.Context(), v.provider)
		require.NoError(t, err)
		require.Equal(t, "Hello wörld", text[analyst.ChannelAnswer])
		require.Empty(t, calls)
		require.Equal(t, analyst.Usage{InputTokens: 11, OutputTokens: 7}, usage)
		body := <-v.requests
		require.Equal(t, "small", body["model"])
		require.Equal(t, true, body["stream"])
		require.Equal(t, object{"include_usage": true}, body["stream_options"])
	})

	t.Run("Channels", func(t *testing.T) {
		t.Parallel()
		whole := "<plan>count the\nrows</plan>\n\nThere are 5 < 6 rows & <b>more</b>. <summary>Five.</summary>\n"
		for size := 1; size < 12; size++ {
			var events []string
			for rest := whole; rest != ""; {
				n := min(size, len(rest))
				events = append(events, said(rest[:n]))
				rest = rest[n:]
			}
			v := newVendor(t, sse(append(events, finish("stop"))...))
			text, _, _, err := collect(t.Context(), v.provider)
			require.NoError(t, err)
			require.Equal(t, "count the\nrows", text[analyst.ChannelPlan])
			require.Equal(t, "There are 5 < 6 rows & <b>more</b>. ", text[analyst.ChannelAnswer])
			require.Equal(t, "Five.", text[analyst.ChannelSummary])
		}
	})

	t.Run("ToolCallsInFragments", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, sse(
			called(0, "a", "run_query", ""), called(0, "", "", `{"sql":`), called(1, "b", "list_sources", ""), called(0, "", "", `"SELECT 1"}`),
			finish("tool_calls")))
		_, calls, _, err := collect(t.Context(), v.provider)
		require.NoError(t, err)
		require.Equal(t, []analyst.ToolCall{
			{ID: "a", Name: "run_query", Args: json.RawMessage(`{"sql":"SELECT 1"}`)},
			{ID: "b", Name: "list_sources", Args: json.RawMessage(`{}`)},
		}, calls)
	})

	t.Run("SplitCharacterIsKept", func(t *testing.T) {
		t.Parallel()
		raw := func(s string) string {
			return `data: {"id":"x","choices":[{"index":0,"delta":{"content":"` + s + `"}}]}` + "\n\n"
		}
		v := newVendor(t, sse(raw("gr\xc3"), raw("\xbcn \\\"\\n"), raw("\xf0\x9f"), raw("\x93\x88."), finish("stop")))
		text, _, _, err := collect(t.Context(), v.provider)
		require.NoError(t, err)
		require.Equal(t, "grün \"\n📈.", text[analyst.ChannelAnswer])
	})

	t.Run("CutInsideAnEventByTheNetwork", func(t *testing.T) {
		t.Parallel()
		all := said("grün 📈") + finish("stop")
		var pieces []string
		for i := range len(all) {
			pieces = append(pieces, all[i:i+1])
		}
		v := newVendor(t, sse(pieces...))
		text, _, _, err := collect(t.Context(), v.provider)
		require.NoError(t, err)
		require.Equal(t, "grün 📈", text[analyst.ChannelAnswer])
	})

	t.Run("HugeChunk", func(t *testing.T) {
		t.Parallel()
		huge := strings.Repeat("0123456789", 1<<20)
		v := newVendor(t, sse(said(huge), finish("stop")))
		text, _, _, err := collect(t.Context(), v.provider)
		require.NoError(t, err)
		require.Len(t, text[analyst.ChannelAnswer], len(huge))
	})

	t.Run("CancelClosesTheRequest", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		v := newVendor(t, func(w http.ResponseWriter, r *http.Request) {
			sse(said("one "))(w, r)
			cancel()
			<-r.Context().Done()
		})
		_, _, _, err := collect(ctx, v.provider)
		require.ErrorIs(t, err, context.Canceled)
		<-v.gone
	})

	t.Run("EmitErrorEndsTheCallAsItIs", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, func(w http.ResponseWriter, r *http.Request) {
			sse(said("one "))(w, r)
			<-r.Context().Done()
		})
		full := domain.Errorf(domain.CodeTooLarge, "full")
		_, err := v.provider.Stream(t.Context(), &analyst.Request{}, func(analyst.Piece) error { return full })
		require.Equal(t, full, err)
		<-v.gone
	})
}

func TestProvider_Errors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		script    script
		status    int
		retryable bool
		after     int
		reason    string
	}{
		{
			"TooMany", status(429, `{"error":{"message":"slow down sk-secret"}}`, "Retry-After", "7"), 429, true, 7,
			"The model is busy (too many requests).",
		},
		{"TooManyInMilliseconds", status(429, `{}`, "Retry-After-Ms", "2500"), 429, true, 3, "The model is busy (too many requests)."},
		{
			"TooManyByDate", status(429, `{}`, "Retry-After", "Thu, 01 Jan 2026 00:00:09 GMT", "Date", "Thu, 01 Jan 2026 00:00:00 GMT"), 429, true,
			9, "The model is busy (too many requests).",
		},
		{
			"QuotaUsedUp", status(429, `{"error":{"message":"no money","code":"insufficient_quota"}}`), 429, false, 0,
			"The model provider's quota is used up.",
		},
		{"ServerError", status(500, `oops`), 500, true, 0, "The model is not available right now."},
		{"Overloaded", status(529, `{}`), 529, true, 0, "The model is not available right now."},
		{"BadKey", status(401, `{"error":{"message":"key sk-secret is wrong"}}`), 401, false, 0, "The model provider refused the key."},
		{"NoModel", status(404, `{}`), 404, false, 0, "The model provider does not know this model."},
		{
			"TooLong", status(400, `{"error":{"message":"long","code":"context_length_exceeded"}}`), 400, false, 0,
			"The conversation has grown too long for this model.",
		},
		{"BadRequest", status(422, `{}`), 422, false, 0, "The model provider refused the request (status 422)."},
		{"NoEvents", sse(), 0, true, 0, "The connection to the model broke."},
		{"BrokenJSON", sse("data: {\"choices\": [{\n\n"), 0, true, 0, "The model sent something that cannot be read."},
		{"OtherShape", sse("data: [1,2,3]\n\n"), 0, true, 0, ""},
		{"ErrorInTheStream", sse(event(object{"error": object{"message": "exploded"}})), 0, true, 0, "The model reported an error."},
		{"CutBeforeTheEnd", sse(said("half a ")), 0, true, 0, "The connection to the model broke."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := newVendor(t, c.script)
			_, _, _, err := collect(t.Context(), v.provider)
			var e *analyst.ProviderError
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.status, e.Status)
			require.Equal(t, c.retryable, e.Retryable)
			require.Equal(t, c.after, e.RetryAfter)
			if c.reason != "" {
				require.Equal(t, c.reason, e.Reason)
			}
			require.NotContains(t, e.Reason, "sk-secret")
			require.Len(t, v.requests, 1, "the SDK does not retry")
		})
	}
}

// turn runs the provider through the real pipeline.
func turn(t *testing.T, v *vendor, configure func(*analyst.Config)) (*analysttest.Sink, error) {
	t.Helper()
	cfg := config(v)
	if configure != nil {
		configure(&cfg)
	}
	return run(t, cfg, analysttest.Job("how many by region?"))
}

func config(v *vendor) analyst.Config {
	return analyst.Config{
		Providers:   map[string]analyst.Provider{"openai": v.provider},
		DataSources: analysttest.NewSources(domain.DataSource{ID: 1, Name: "sales", Resources: []domain.DataResource{{Table: "sales"}}}),
		Analysts:    &analysttest.Agents{Agent: domain.Analyst{ID: 1, IsEnabled: true, Provider: "openai", Model: "big"}},
		Files:       &analysttest.Files{},
		Backoff:     time.Millisecond,
		Workbench: analysttest.QueryFunc(func(_ context.Context, _ []domain.DataSource, sql string) (*domain.ResultSet, error) {
			if !strings.HasPrefix(sql, "SELECT") {
				return nil, domain.Errorf(domain.CodeInvalid, "Parser error near %s", sql)
			}
			return &domain.ResultSet{
				Columns: []domain.Column{{Name: "region", Type: domain.ColumnText}, {Name: "n", Type: domain.ColumnInteger}},
				Rows:    [][]any{{"North", int64(3)}, {"South", int64(4)}},
			}, nil
		}),
	}
}

func run(t *testing.T, cfg analyst.Config, job *analyst.Job) (*analysttest.Sink, error) {
	t.Helper()
	sink := &analysttest.Sink{}
	err := analyst.NewPipeline(cfg).Run(t.Context(), job, sink)
	return sink, err
}

func query(sql string) script {
	return sse(said("<plan>Count by region.</plan>"), called(0, "c1", "run_query", fmt.Sprintf(`{"sql":%q,"title":"Count by region"}`, sql)),
		finish("tool_calls"))
}

func TestProvider_Turn(t *testing.T) {
	t.Parallel()

	t.Run("QueryThenAnswer", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, query("SELECT region, count(*) AS n FROM sales GROUP BY ALL"),
			sse(said("South leads with 4.<summary>South leads.</summary>"), finish("stop")))
		sink, err := turn(t, v, nil)
		require.NoError(t, err)
		require.Equal(t, "Count by region.", sink.Role(domain.RoleCoordinator)[0].Text)
		require.Equal(t, "South leads with 4.", sink.Role(domain.RoleAssistant)[0].Text)
		require.Equal(t, "South leads.", sink.Role(domain.RoleSummary)[0].Text)
		require.Len(t, sink.Role(domain.RoleAssistant)[0].Objects, 1, "a chart that was not asked for")
		require.Len(t, sink.Usage(), 2)
		<-v.requests
		second := <-v.requests
		messages, ok := second["messages"].([]any)
		require.True(t, ok)
		last, ok := messages[len(messages)-1].(map[string]any)
		require.True(t, ok)
		require.Equal(t, "tool", last["role"])
		require.Equal(t, "c1", last["tool_call_id"])
		require.Contains(t, last["content"], "North,3")
	})

	t.Run("FailedQueryIsReported", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, query("SELEC"), query("SELECT 1"), sse(said("Done."), finish("stop")))
		sink, err := turn(t, v, nil)
		require.NoError(t, err)
		require.Len(t, sink.Role(domain.RoleUserProxy), 2)
		require.Equal(t, domain.DisplayLogs, sink.Role(domain.RoleUserProxy)[0].Objects[1].Type)
	})

	t.Run("BusyThenWell", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, status(429, `{}`), status(500, `{}`), sse(said("Fine."), finish("stop")))
		sink, err := turn(t, v, nil)
		require.NoError(t, err)
		require.Equal(t, "Fine.", sink.Role(domain.RoleAssistant)[0].Text)
		require.Len(t, sink.Notices(), 2)
	})

	t.Run("CutKeepsTheShownText", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, sse(said("Half an ans")))
		sink, err := turn(t, v, nil)
		var e *analyst.ProviderError
		require.ErrorAs(t, err, &e)
		require.True(t, e.Midstream)
		require.Equal(t, "Half an ans", sink.Role(domain.RoleAssistant)[0].Text)
		require.False(t, sink.Role(domain.RoleAssistant)[0].Closed)
		require.Len(t, sink.Usage(), 1)
		require.Positive(t, sink.Usage()[0].OutputTokens)
	})

	t.Run("SilenceEndsTheTurn", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		_, err := turn(t, v, func(c *analyst.Config) { c.FirstByteTimeout = 20 * time.Millisecond })
		var e *analyst.ProviderError
		require.ErrorAs(t, err, &e)
		require.Contains(t, e.Reason, "timeout")
		if len(v.requests) > 0 {
			// On a busy machine the time may be over before the request reaches the vendor.
			<-v.gone
		}
	})

	t.Run("StallEndsTheTurn", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, func(w http.ResponseWriter, r *http.Request) {
			sse(said("One "), said("two "))(w, r)
			<-r.Context().Done()
		})
		sink, err := turn(t, v, func(c *analyst.Config) { c.StallTimeout = 300 * time.Millisecond })
		var e *analyst.ProviderError
		require.ErrorAs(t, err, &e)
		require.Contains(t, e.Reason, "timeout")
		require.True(t, e.Midstream)
		require.Equal(t, "One two ", sink.Role(domain.RoleAssistant)[0].Text)
		<-v.gone
	})

	t.Run("EndlessToolCalls", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, sse(called(0, "c", "list_sources", "{}"), finish("tool_calls")))
		sink, err := turn(t, v, nil)
		require.Equal(t, domain.CodeTooMany, domain.CodeOf(err))
		require.Len(t, sink.Steps(), 20)
	})

	t.Run("BadArgumentsAreReported", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, sse(called(0, "c", "run_query", `{"sql": "SELECT`), finish("tool_calls")), sse(said("Sorry."), finish("stop")))
		sink, err := turn(t, v, nil)
		require.NoError(t, err)
		require.Equal(t, "Sorry.", sink.Role(domain.RoleAssistant)[0].Text)
		<-v.requests
		body, err := json.Marshal(<-v.requests)
		require.NoError(t, err)
		require.Contains(t, string(body), "not a JSON object")
	})

	t.Run("UnknownToolIsReported", func(t *testing.T) {
		t.Parallel()
		v := newVendor(t, sse(called(0, "c", "drop_everything", `{}`), finish("tool_calls")), sse(said("Sorry."), finish("stop")))
		sink, err := turn(t, v, nil)
		require.NoError(t, err)
		require.Equal(t, "Sorry.", sink.Role(domain.RoleAssistant)[0].Text)
	})
}
