package loadtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/scripted"
)

// modelName is the model that a node under test asks for.
const modelName = "load-test"

// requestMax is the maximum size of a request to the model: a long context with its tools.
const requestMax = 32 << 20

// Model plays a language model for the node under test, as a vendor's server would: streamed chat
// completions of OpenAI's API over HTTP (https://platform.openai.com/docs/api-reference/chat-streaming).
// What it says is the script in the last prompt (package scripted): text at a rate, tool calls, faults.
// It runs in the load tester's process, so that its CPU time is not the node's, and stamps tokens when
// they are made.
type Model struct {
	says   *scripted.Provider
	server *http.Server
	url    string
	ended  chan error
}

// StartModel listens on an address. Stop must be called.
func StartModel(ctx context.Context, addr string) (*Model, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("start the model: %w", err)
	}
	m := &Model{says: scripted.New(scripted.Config{}), url: "http://" + listener.Addr().String() + "/v1", ended: make(chan error, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", m.complete)
	// There is no limit for writing: an answer lasts as long as its script says.
	m.server = &http.Server{
		Handler: mux, ReadHeaderTimeout: 30 * time.Second,
		// A fault that breaks a connection is wanted, and not worth a line each time.
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	go func() { m.ended <- m.server.Serve(listener) }()
	return m, nil
}

// URL is the value for the node's OPENAI_BASE_URL.
func (m *Model) URL() string { return m.url }

// Stop breaks all connections and ends the server.
func (m *Model) Stop() error {
	err := m.server.Close()
	if ended := <-m.ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	if err != nil {
		return fmt.Errorf("stop the model: %w", err)
	}
	return nil
}

// completion is the part of a request that the model reads.
type completion struct {
	Model    string         `json:"model"`
	Stream   bool           `json:"stream"`
	Messages []modelMessage `json:"messages"`
}

type modelMessage struct {
	Role       string    `json:"role"`
	Content    modelText `json:"content"`
	ToolCallID string    `json:"tool_call_id"` //nolint:tagliatelle // OpenAI's name
}

// modelText is the content of a message: a text, a list of parts with texts, or null.
type modelText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *modelText) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '[' {
		var parts []struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal(raw, &parts); err != nil {
			return fmt.Errorf("the parts of a message: %w", err)
		}
		for _, p := range parts {
			*t += modelText(p.Text)
		}
		return nil
	}
	return json.Unmarshal(raw, (*string)(t)) //nolint:wrapcheck // the caller says what it decodes
}

// complete answers one request.
func (m *Model) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, requestMax))
	var in completion
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	if err == nil && !in.Stream {
		err = errors.New("only streamed answers are served")
	}
	if err != nil {
		refuse(w, &analyst.ProviderError{Status: http.StatusBadRequest, Reason: err.Error()})
		return
	}
	out := newChunks(w, in.Model)
	end, err := m.says.Stream(r.Context(), in.request(), out.piece)
	if err == nil {
		err = out.end(end)
	}
	var fault *analyst.ProviderError
	// A client that has ended its call gets no answer.
	switch {
	case err == nil, r.Context().Err() != nil:
	case errors.As(err, &fault) && !out.begun:
		refuse(w, fault)
	default:
		// The answer has begun, so the only way to say that it failed is to break the connection.
		panic(http.ErrAbortHandler)
	}
}

// request returns what the script is read from.
func (c *completion) request() *analyst.Request {
	out := &analyst.Request{Model: c.Model, Step: 1}
	for _, m := range c.Messages {
		u := analyst.Utterance{Text: string(m.Content), CallID: m.ToolCallID}
		switch m.Role {
		case "user":
			u.Role = analyst.UtteranceUser
			// A fault that happens a few times is counted for each prompt.
			out.Seed = u.Text
		case "tool":
			u.Role = analyst.UtteranceTool
		case "assistant":
			u.Role = analyst.UtteranceAssistant
		default:
			continue // the rules; scripts are in prompts
		}
		out.Turns = append(out.Turns, u)
	}
	return out
}

// refuse sends an error as OpenAI's API does.
func refuse(w http.ResponseWriter, fault *analyst.ProviderError) {
	status := fault.Status
	if status == 0 {
		status = http.StatusBadRequest // a script that cannot be read
	}
	if fault.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(fault.RetryAfter))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A client that has gone needs no answer.
	_, _ = w.Write(append(appendJSON([]byte(`{"error":{"type":"load_test","code":null,"message":`), fault.Reason), "}}"...))
}
