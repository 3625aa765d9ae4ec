package providertest

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
)

// Connect makes a provider for the server at an address, which ends with /v1.
type Connect func(baseURL string, client *http.Client) analyst.Provider

// Recording is what a server sends, and what the provider must make of it.
type Recording struct {
	// Name is the server and the peculiarity of this stream.
	Name string
	// Model is the model of the request; empty means an unknown one.
	Model string
	// Status and Header of the answer; 0 means 200 and a stream.
	Status int
	Header map[string]string
	// Body is sent in these pieces, one by one.
	Body []string
	// Breaks means that the connection is broken after the body.
	Breaks bool

	Want Want
}

// Want is what the provider must make of a recording.
type Want struct {
	Text   map[analyst.Channel]string
	Calls  []analyst.ToolCall // their Vendor is not compared: it is private to the provider
	Usage  analyst.Usage
	Reason analyst.EndReason
	// Back are parts of the JSON of the next request, whose context contains the calls and their
	// results: what the vendor wants back.
	Back []string
	// Error is the text for people; empty means that there is no error. The other fields say what can
	// be done about it.
	Error      string
	Status     int
	Retryable  bool
	TooLong    bool
	RetryAfter int
}

// question returns a request for a recording.
func question(model string) *analyst.Request {
	// Some model must be named, because most servers refuse a request without one.
	if model == "" {
		model = "some-model"
	}
	return &analyst.Request{
		Model: model, System: "rules", Step: 3,
		Turns: []analyst.Utterance{{Role: analyst.UtteranceUser, Text: "how many?"}},
		Tools: []analyst.ToolSpec{{Name: "run_query", Description: "asks", Schema: json.RawMessage(`{"type":"object"}`)}},
	}
}

// Vendors plays all recordings to a provider, and checks what the provider sends.
func Vendors(t *testing.T, connect Connect) {
	t.Helper()
	for _, r := range Recordings() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			// Each recording is played in several ways, since networks split a stream anywhere.
			for way, cut := range ways() {
				t.Run(way, func(t *testing.T) {
					t.Parallel()
					r.check(t, connect, cut(r.Body))
				})
			}
		})
	}
	t.Run("LifeIsBytes", func(t *testing.T) {
		t.Parallel()
		lifeIsBytes(t, connect)
	})
	t.Run("CancelClosesTheRequest", func(t *testing.T) {
		t.Parallel()
		cancelClosesTheRequest(t, connect)
	})
	t.Run("RolesAlternate", func(t *testing.T) {
		t.Parallel()
		rolesAlternate(t, connect)
	})
	t.Run("IDsComeOnce", func(t *testing.T) {
		t.Parallel()
		idsComeOnce(t, connect)
	})
	t.Run("ArgumentsAreObjects", func(t *testing.T) {
		t.Parallel()
		argumentsAreObjects(t, connect)
	})
	t.Run("BrokenConnection", func(t *testing.T) {
		t.Parallel()
		brokenConnection(t, connect)
	})
	t.Run("Contract", func(t *testing.T) {
		t.Parallel()
		s := newServer(t, answerOrGoOn)
		Contract(t, Subject{Provider: connect(s.url, s.client), Answers: question("answers"), Endless: question("endless")})
	})
}

// check plays the recording once.
func (r *Recording) check(t *testing.T, connect Connect, body []string) {
	t.Helper()
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
		for name, value := range r.Header {
			w.Header().Set(name, value)
		}
		if r.Status != 0 {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(r.Status)
		}
		send(w, body...)
		// The server breaks the connection without the end of the body.
		if r.Breaks {
			panic(http.ErrAbortHandler)
		}
	})
	p := connect(s.url, s.client)
	q := question(r.Model)
	h := listen(t.Context(), t, p, q)
	r.compare(t, h)
	<-s.requests
	// Repetitions are the pipeline's decision: it knows whether text was shown.
	require.Empty(t, s.requests, "the provider must not repeat a call by itself")
	if len(r.Want.Back) > 0 {
		r.checkBack(t, s, p, q, h)
	}
}

// compare checks text, calls, usage, and the end or the error.
func (r *Recording) compare(t *testing.T, h *heard) {
	t.Helper()
	for channel, text := range h.text {
		require.Equal(t, r.Want.Text[channel], text, "channel %q", channel)
	}
	for channel, text := range r.Want.Text {
		require.Equal(t, text, h.text[channel], "channel %q", channel)
	}
	require.Len(t, h.calls, len(r.Want.Calls))
	for i, want := range r.Want.Calls {
		got := h.calls[i]
		require.Equal(t, want.Name, got.Name)
		require.Equal(t, string(want.Args), string(got.Args))
		if want.ID != "" {
			require.Equal(t, want.ID, got.ID)
		}
		// Ids are made unique by the provider where a server repeats them.
		for _, other := range h.calls[:i] {
			require.NotEqual(t, other.ID, got.ID, "each call has a unique id")
		}
	}
	require.Equal(t, r.Want.Usage, h.end.Usage)
	if r.Want.Error == "" {
		require.NoError(t, h.err)
		require.Equal(t, r.Want.Reason, h.end.Reason)
		return
	}
	var e *analyst.ProviderError
	require.ErrorAs(t, h.err, &e)
	require.Equal(t, r.Want.Error, e.Reason)
	require.Equal(t, r.Want.Status, e.Status)
	require.Equal(t, r.Want.Retryable, e.Retryable, "retryable")
	require.Equal(t, r.Want.TooLong, e.TooLong, "too long")
	require.Equal(t, r.Want.RetryAfter, e.RetryAfter)
	require.NotContains(t, e.Reason, secret, "people are not shown the text of a vendor")
}

// checkBack makes the next call of the turn, through the journal's form of the calls.
func (r *Recording) checkBack(t *testing.T, s *server, p analyst.Provider, q *analyst.Request, h *heard) {
	t.Helper()
	// The calls go through JSON as they do in the journal of a turn.
	next := analyst.Utterance{Role: analyst.UtteranceAssistant, Text: h.text[analyst.ChannelAnswer], Vendor: h.end.Vendor}
	body, err := json.Marshal(h.calls)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(body, &next.Calls))
	q.Turns = append(q.Turns, next)
	for _, c := range next.Calls {
		q.Turns = append(q.Turns, analyst.Utterance{Role: analyst.UtteranceTool, CallID: c.ID, Text: "42"})
	}
	listen(t.Context(), t, p, q)
	sent, err := json.Marshal(<-s.requests)
	require.NoError(t, err)
	for _, want := range r.Want.Back {
		require.Contains(t, string(sent), want)
	}
}

// lifeIsBytes checks that each part of an answer is reported before the next one arrives.
func lifeIsBytes(t *testing.T, connect Connect) {
	t.Helper()
	signs := []string{
		": keep-alive\n\n",
		chunk(`{"role":"assistant","content":null,"reasoning_content":"Hm."}`),
		chunk(`{"content":"<think>still at it"}`),
		chunk(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"run_query","arguments":"{\"sql\":"}}]}`),
		"data: {\"id\":\"x\",",
	}
	alive := make(chan struct{}, 1000)
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, _ map[string]any) {
		for _, sign := range signs {
			send(w, sign)
			select {
			case <-alive:
			case <-r.Context().Done():
				return
			}
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	lives := 0
	_, err := connect(s.url, s.client).Stream(ctx, question(""), func(p analyst.Piece) error {
		require.Empty(t, p.Text)
		// Signs of life have neither text nor a call.
		require.Nil(t, p.Call)
		if lives++; lives > 1 { // the first one is for the headers
			alive <- struct{}{}
		}
		return nil
	})
	var e *analyst.ProviderError
	require.ErrorAs(t, err, &e, "the stream ended, and not the time limit")
	require.Greater(t, lives, len(signs))
}

// cancelClosesTheRequest checks that a cancelled request is closed, because a vendor must not continue
// to work, and to charge.
func cancelClosesTheRequest(t *testing.T, connect Connect) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, _ map[string]any) {
		send(w, chunk(`{"role":"assistant","content":"one "}`))
		cancel()
		<-r.Context().Done()
		close(gone)
	})
	h := listen(ctx, t, connect(s.url, s.client), question(""))
	require.ErrorIs(t, h.err, context.Canceled)
	// The server learns of the end, or this waits until the test's own limit.
	<-gone
}

// rolesAlternate uses a server that rejects what the templates of open models reject.
func rolesAlternate(t *testing.T, connect Connect) {
	t.Helper()
	s := newServer(t, answerOrGoOn)
	user := func(text string) analyst.Utterance { return analyst.Utterance{Role: analyst.UtteranceUser, Text: text} }
	says := func(text string) analyst.Utterance {
		return analyst.Utterance{Role: analyst.UtteranceAssistant, Text: text}
	}
	calls := analyst.Utterance{Role: analyst.UtteranceAssistant, Calls: []analyst.ToolCall{
		{ID: "a", Name: "run_query", Args: json.RawMessage(`{}`)}, {ID: "b", Name: "run_query", Args: json.RawMessage(`{}`)},
	}}
	result := func(id string) analyst.Utterance {
		return analyst.Utterance{Role: analyst.UtteranceTool, CallID: id, Text: "42"}
	}
	for name, turns := range map[string][]analyst.Utterance{
		"BeginsWithAnAnswer":   {says("Earlier I said:"), says("this."), user("why?")},
		"AnsweredTwice":        {user("first?"), says("One."), says("Two."), user("why?")},
		"StoppedBeforeAnyWord": {user("first?"), user("second?")},
		"EmptyAnswer":          {user("first?"), says(""), user("second?")},
		"AnswerBeforeCalls":    {user("first?"), says("I look."), calls, result("a"), result("b")},
		"ResultsWithoutAWord":  {user("first?"), calls, result("a"), result("b"), user("check it")},
	} {
		t.Run(name, func(t *testing.T) {
			r := question("")
			r.Turns = turns
			h := listen(t.Context(), t, connect(s.url, s.client), r)
			require.NoError(t, h.err)
			sent, err := json.Marshal(<-s.requests)
			require.NoError(t, err)
			require.Contains(t, string(sent), turns[len(turns)-1].Text)
		})
	}
}
