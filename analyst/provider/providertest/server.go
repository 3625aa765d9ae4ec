package providertest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// server sends server-sent events over a real socket. It rejects a request that a strict server would
// reject.
type server struct {
	url      string
	client   *http.Client
	requests chan map[string]any
}

// handler answers one request. The body is the decoded JSON.
type handler func(w http.ResponseWriter, r *http.Request, body map[string]any)

// newServer starts a server. It keeps every request that it has accepted.
func newServer(t *testing.T, answer handler) *server {
	t.Helper()
	s := &server{requests: make(chan map[string]any, 1000)}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		// The status is one that no provider treats as temporary, so a wrong request is not
		// repeated.
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/chat/completions" {
			http.Error(w, "bad request", http.StatusTeapot)
			return
		}
		if wrong := misplaced(body); wrong != "" {
			http.Error(w, `{"error":{"message":"`+wrong+`"}}`, http.StatusTeapot)
			return
		}
		s.requests <- body
		w.Header().Set("Content-Type", "text/event-stream")
		answer(w, r, body)
	}))
	t.Cleanup(h.Close)
	s.url, s.client = h.URL+"/v1", h.Client()
	return s
}

// send writes pieces of a body and flushes each at once. A client that has disconnected is not an error
// of the server.
func send(w http.ResponseWriter, pieces ...string) {
	for _, p := range pieces {
		_, _ = io.WriteString(w, p)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
}

// chunk returns an event with one delta.
func chunk(delta string) string {
	return `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta +
		`,"finish_reason":null}]}` + "\n\n"
}

// finish returns the event with the reason of the end.
func finish(reason string) string {
	return fmt.Sprintf(`data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},`+
		`"finish_reason":%q}]}`+"\n\n", reason)
}

// counted returns the event with the usage, without choices.
func counted(input, output int) string {
	return fmt.Sprintf(`data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":%d,`+
		`"completion_tokens":%d,"total_tokens":%d}}`+"\n\n",
		input, output, input+output)
}

const over = "data: [DONE]\n\n"

// answerOrGoOn sends the same answer each time, or continues until the client disconnects.
// The model decides which of both it is.
func answerOrGoOn(w http.ResponseWriter, r *http.Request, body map[string]any) {
	for body["model"] == "endless" && r.Context().Err() == nil {
		send(w, chunk(`{"content":"and on "}`))
	}
	send(w, chunk(`{"role":"assistant","content":""}`), chunk(`{"content":"Forty"}`), chunk(`{"content":"-two."}`), finish("stop"),
		counted(11, 7), over)
}

// misplaced returns what a strict template would reject in the order of the messages.
func misplaced(body map[string]any) string {
	list, _ := body["messages"].([]any)
	// before is the role of the last message, or calls for an assistant that waits for results.
	before := "system"
	var open []any // calls without a result yet
	for i, m := range list {
		message, _ := m.(map[string]any)
		role, _ := message["role"].(string)
		content, _ := message["content"].(string)
		calls, _ := message["tool_calls"].([]any)
		// What may follow each role.
		allowed := map[string]string{
			"system": "user", "user": "assistant", "assistant": "user", "calls": "tool",
			"tool": "tool assistant",
		}[before]
		switch {
		case i == 0 && role == "system":
			continue
		case !slices.Contains(strings.Fields(allowed), role):
			return "a message of " + role + " after one of " + before
		case content == "" && len(calls) == 0 && role != "tool":
			return "an empty message of " + role
		}
		before = role
		if role == "tool" {
			id := message["tool_call_id"]
			if !slices.Contains(open, id) {
				return "a result that no call waits for"
			}
			open = slices.DeleteFunc(open, func(o any) bool { return o == id })
		} else if len(open) > 0 {
			return "a call without its result"
		}
		for _, c := range calls {
			call, _ := c.(map[string]any)
			open, before = append(open, call["id"]), "calls"
		}
	}
	// The last message must be one that a model answers.
	if before == "assistant" || before == "system" {
		return "nobody has asked anything"
	}
	return ""
}

// ways returns the ways in which a body may arrive: networks split it anywhere.
func ways() map[string]func([]string) []string {
	return map[string]func([]string) []string{
		"EventByEvent": func(body []string) []string { return body },
		"AllAtOnce":    func(body []string) []string { return []string{strings.Join(body, "")} },
		"InSmallBits": func(body []string) []string {
			var bits []string
			// The bits are shorter than any event, so every event is split.
			for rest := strings.Join(body, ""); rest != ""; {
				n := min(7, len(rest))
				bits = append(bits, rest[:n])
				rest = rest[n:]
			}
			return bits
		},
	}
}
