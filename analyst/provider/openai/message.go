package openai

// The context of a request: the messages in the order and the form that OpenAI's API has and that
// the templates of open models accept.

import (
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// noAnswer replaces the text of an assistant that said nothing after the results of its tools, where
// the form of a conversation requires a text.
const noAnswer = "(no answer)"

// messages returns the context: the system prompt, then user and assistant in turn.
func messages(r *analyst.Request, q quirks) []sdk.ChatCompletionMessageParamUnion {
	var out []sdk.ChatCompletionMessageParamUnion
	if r.System != "" {
		out = append(out, sdk.SystemMessage(r.System))
	}
	for _, u := range alternate(r.Turns) {
		// The result of a tool names its call by the id that this vendor accepts.
		switch u.Role {
		case analyst.UtteranceUser:
			out = append(out, sdk.UserMessage(u.Text))
		case analyst.UtteranceTool:
			out = append(out, sdk.ToolMessage(u.Text, q.callID(u.CallID)))
		case analyst.UtteranceAssistant:
			out = append(out, assistant(u, q))
		}
	}
	return out
}

// alternate returns the turns in the form that the templates of many open models require: a user first,
// then one entry of each role in turn, and an assistant between a tool's result and the next user.
func alternate(turns []analyst.Utterance) []analyst.Utterance {
	out := make([]analyst.Utterance, 0, len(turns))
	for _, u := range turns {
		// What says nothing is left out: some servers refuse an empty text.
		if domain.Blank(u.Text) && len(u.Calls) == 0 && u.Role != analyst.UtteranceTool {
			continue
		}
		// The first message after the rules must be a user's.
		if len(out) == 0 {
			if u.Role == analyst.UtteranceUser {
				out = append(out, u)
			}
			continue
		}
		last := &out[len(out)-1]
		switch {
		// Two messages of one role become one; an assistant that has made calls must be followed by
		// their results.
		case u.Role == last.Role && u.Role != analyst.UtteranceTool && len(last.Calls) == 0:
			last.Text = joined(last.Text, u.Text)
			last.Calls, last.Vendor = u.Calls, u.Vendor
		case u.Role == analyst.UtteranceUser && last.Role == analyst.UtteranceTool:
			out = append(out, analyst.Utterance{Role: analyst.UtteranceAssistant, Text: noAnswer}, u)
		default:
			out = append(out, u)
		}
	}
	return out
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}

// assistant writes what the model said and called before, with the data that its vendor wants back.
func assistant(u analyst.Utterance, q quirks) sdk.ChatCompletionMessageParamUnion {
	m := &sdk.ChatCompletionAssistantMessageParam{}
	if u.Text != "" {
		m.Content.OfString = param.NewOpt(u.Text)
	}
	for i, c := range u.Calls {
		call := &sdk.ChatCompletionMessageFunctionToolCallParam{
			ID:       q.callID(c.ID),
			Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: arguments(c.Args)},
		}
		if back := q.ofCall(u.Calls, i); len(back) > 0 {
			call.SetExtraFields(back)
		}
		m.ToolCalls = append(m.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: call})
	}
	if len(u.Calls) > 0 {
		if back := q.ofMessage(u.Vendor); len(back) > 0 {
			m.SetExtraFields(back)
		}
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: m}
}

// arguments returns a call's arguments as a JSON object. Templates and gateways read them as an object
// and otherwise reject the whole request. So anything else that a model wrote becomes a text in such an
// object. The result of the call says what was wrong.
func arguments(args json.RawMessage) string {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(args, &object); err == nil && object != nil {
		return string(args)
	}
	text := string(args)
	var broken string // arguments that were not JSON are stored as a JSON string
	if err := json.Unmarshal(args, &broken); err == nil {
		text = broken
	}
	body, err := json.Marshal(map[string]string{"unreadable": text})
	if err != nil {
		// Encoding a text cannot fail.
		return "{}"
	}
	return string(body)
}

func tool(t analyst.ToolSpec) sdk.ChatCompletionToolUnionParam {
	var schema map[string]any
	// The schemas are constants of this program, and decoding them cannot fail.
	if err := json.Unmarshal(t.Schema, &schema); err != nil {
		schema = map[string]any{"type": "object"}
	}
	return sdk.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
		Name: t.Name, Description: param.NewOpt(t.Description), Parameters: schema,
	})
}
