package openai

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"parley.dev/parley/analyst"
)

// assistant writes what the model said and called before.
func assistant(u analyst.Utterance) sdk.ChatCompletionMessageParamUnion {
	m := &sdk.ChatCompletionAssistantMessageParam{}
	if u.Text != "" {
		m.Content.OfString = param.NewOpt(u.Text)
	}
	for _, c := range u.Calls {
		m.ToolCalls = append(m.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: arguments(c.Args)},
			},
		})
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: m}
}

// arguments gives a call's arguments as the model wrote them: what was no JSON
// is kept as a JSON string.
func arguments(args json.RawMessage) string {
	var broken string
	if err := json.Unmarshal(args, &broken); err == nil {
		return broken
	}
	return string(args)
}

func tool(t analyst.ToolSpec) sdk.ChatCompletionToolUnionParam {
	var schema map[string]any
	// The schemas are constants of ours and always decode.
	if err := json.Unmarshal(t.Schema, &schema); err != nil {
		schema = map[string]any{"type": "object"}
	}
	return sdk.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
		Name: t.Name, Description: param.NewOpt(t.Description), Parameters: schema,
	})
}

// Bounds of what one call may ask of the tools.
const (
	callsMax = 64
	argsMax  = 256 << 10
)

// calls puts tool calls together from their fragments.
type calls struct {
	byIndex map[int64]*fragments
}

type fragments struct {
	id, name string
	args     strings.Builder
}

func (c *calls) add(index int64, id, name, args string) error {
	if c.byIndex == nil {
		c.byIndex = make(map[int64]*fragments)
	}
	f := c.byIndex[index]
	if f == nil {
		if len(c.byIndex) >= callsMax {
			return &analyst.ProviderError{Reason: "The model asked for too many tools at once."}
		}
		f = &fragments{}
		c.byIndex[index] = f
	}
	if id != "" {
		f.id = id
	}
	f.name += name
	f.args.WriteString(args)
	if f.args.Len() > argsMax {
		return &analyst.ProviderError{Reason: "The model called a tool with too long arguments."}
	}
	return nil
}

// done gives the calls in their order.
func (c *calls) done() []analyst.ToolCall {
	var out []analyst.ToolCall
	for _, i := range slices.Sorted(maps.Keys(c.byIndex)) {
		f := c.byIndex[i]
		if f.id == "" {
			f.id = fmt.Sprintf("call_%d", i)
		}
		args := f.args.String()
		if strings.TrimSpace(args) == "" {
			args = "{}"
		}
		out = append(out, analyst.ToolCall{ID: f.id, Name: f.name, Args: json.RawMessage(args)})
	}
	return out
}

// unquote reads a JSON string byte by byte and keeps bytes that are no UTF-8.
func unquote(raw string) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' || utf8.ValidString(raw) {
		return "", false
	}
	raw = raw[1 : len(raw)-1]
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			continue
		}
		if i++; i == len(raw) {
			return "", false
		}
		switch raw[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			if i+4 >= len(raw) {
				return "", false
			}
			n, err := strconv.ParseUint(raw[i+1:i+5], 16, 16)
			if err != nil {
				return "", false
			}
			b.WriteRune(rune(uint16(n)))
			i += 4
		default:
			b.WriteByte(raw[i])
		}
	}
	return b.String(), true
}
