package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"parley.dev/parley/analyst"
)

// These limits apply to the tool calls of one model call.
const (
	callsMax = 64
	argsMax  = 256 << 10
)

// calls assembles tool calls from their fragments, in the order in which they began.
// Servers differ in how they separate calls:
//
//	OpenAI           an index for each call; id and name in its first fragment
//	Ollama, lmdeploy index 0 for every call, each with an id of its own
//	Gemini           no index at all; a signature, perhaps in a fragment of its own
//	some proxies     id and name again in every fragment, or no id at all
type calls struct {
	all []*fragments
	// latest is the call that a fragment with this index continues.
	latest map[int64]*fragments
	// early is vendor data that arrived before the call that it belongs to.
	early json.RawMessage
}

type fragments struct {
	id, name string
	args     strings.Builder
	vendor   json.RawMessage
}

// add adds a fragment.
func (c *calls) add(t *sdk.ChatCompletionChunkChoiceDeltaToolCall) error {
	args := t.Function.Arguments
	if raw := t.Function.JSON.Arguments.Raw(); strings.HasPrefix(raw, "{") {
		// Some servers send the arguments as an object instead of a string.
		args = raw
	}
	f := c.latest[t.Index]
	if f == nil || f.isOther(t.ID, t.Function.Name) {
		if f == nil && t.ID == "" && t.Function.Name == "" && args == "" {
			c.early = extraOf(t)
			return nil
		}
		if len(c.all) >= callsMax {
			return &analyst.ProviderError{Reason: "The model asked for too many tools at once."}
		}
		f = &fragments{vendor: c.early}
		c.early = nil
		c.all = append(c.all, f)
		if c.latest == nil {
			c.latest = make(map[int64]*fragments)
		}
		c.latest[t.Index] = f
	}
	if f.id == "" {
		f.id = t.ID
	}
	if f.name == "" {
		f.name = t.Function.Name
	}
	if vendor := extraOf(t); vendor != nil {
		f.vendor = vendor
	}
	f.args.WriteString(args)
	if f.args.Len() > argsMax {
		return &analyst.ProviderError{Reason: "The model called a tool with too long arguments."}
	}
	return nil
}

// isOther reports whether a fragment begins the next call, and does not continue this one. A call
// begins with its name: if only the id changes, the server creates a new id for every chunk.
func (f *fragments) isOther(id, name string) bool {
	if name == "" || f.name == "" {
		return false
	}
	switch {
	case id != "" && f.id != "":
		return id != f.id
	case name != f.name:
		return true
	default:
		// The same name again is another call of the tool if the arguments of this one are complete.
		return json.Valid([]byte(f.args.String()))
	}
}

// extraOf returns the vendor data of a fragment, or nil.
func extraOf(t *sdk.ChatCompletionChunkChoiceDeltaToolCall) json.RawMessage {
	raw := t.JSON.ExtraFields[fieldExtra].Raw()
	if raw == "" || raw == "null" {
		return nil
	}
	return vendorOf(fieldExtra, json.RawMessage(raw))
}

// done returns the calls in their order. Each gets an id that is unique in its request: some servers
// count from 0 in every answer, and others reject a context in which an id occurs twice. Ids that are
// created here contain the step of the request, so that they stay unique.
func (c *calls) done(of *analyst.Request) ([]analyst.ToolCall, error) {
	out := make([]analyst.ToolCall, 0, len(c.all))
	seen := make(map[string]bool, len(c.all))
	for i := range of.Turns {
		for _, earlier := range of.Turns[i].Calls {
			seen[earlier.ID] = true
		}
	}
	for i, f := range c.all {
		if f.name == "" {
			return nil, errNoTool(nil)
		}
		if f.id == "" || seen[f.id] {
			// Nine letters and digits are the only form that every vendor accepts.
			f.id = fmt.Sprintf("c%04dx%03d", of.Step%10_000, i)
		}
		seen[f.id] = true
		args := f.args.String()
		if strings.TrimSpace(args) == "" {
			args = "{}"
		}
		out = append(out, analyst.ToolCall{ID: f.id, Name: f.name, Args: json.RawMessage(args), Vendor: f.vendor})
	}
	return out, nil
}
