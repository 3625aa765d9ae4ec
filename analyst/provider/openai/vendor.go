package openai

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"

	"parley.dev/parley/analyst"
)

// These fields are not part of OpenAI's API; some vendors send them and want them back.
const (
	// fieldReasoning is thinking: DeepSeek rejects a request (400) in which an assistant message with
	// tool calls lacks it. https://api-docs.deepseek.com/guides/thinking_mode
	fieldReasoning = "reasoning_content"
	// fieldExtra contains Gemini's thought signature of a tool call; without it Gemini 3 rejects the
	// next request. https://ai.google.dev/gemini-api/docs/thought-signatures
	fieldExtra = "extra_content"
)

// reasoningMax is the maximum number of bytes of thinking that are kept to be sent back.
const reasoningMax = 128 << 10

// quirks are the requirements of a model's vendor in addition to the common form. They depend on the
// model's name, because the address of a gateway does not say which vendor is behind it.
type quirks struct {
	// gemini checks the signatures of calls. For calls that another model made, it documents a value
	// that turns the check off.
	gemini bool
	// deepseek requires reasoning_content on every message with calls, even an empty one.
	deepseek bool
	// mistral accepts only ids of nine letters and digits.
	mistral bool
}

func quirksOf(model string) quirks {
	model = strings.ToLower(model)
	has := func(names ...string) bool {
		for _, n := range names {
			if strings.Contains(model, n) {
				return true
			}
		}
		return false
	}
	return quirks{gemini: has("gemini"), deepseek: has("deepseek"), mistral: has("mistral", "mixtral", "ministral", "codestral", "magistral",
		"devstral")}
}

// ofCall returns the additional fields of the call at i. If several calls were made at once, only the
// first one has a signature.
func (q quirks) ofCall(calls []analyst.ToolCall, i int) map[string]any {
	if back := fields(calls[i].Vendor); len(back) > 0 {
		return back
	}
	if !q.gemini || i > 0 {
		return nil
	}
	return map[string]any{fieldExtra: map[string]any{"google": map[string]any{"thought_signature": "skip_thought_signature_validator"}}}
}

// ofMessage returns the additional fields of a message with calls.
func (q quirks) ofMessage(vendor json.RawMessage) map[string]any {
	back := fields(vendor)
	if len(back) == 0 && q.deepseek {
		return map[string]any{fieldReasoning: ""}
	}
	return back
}

// fields reads vendor data that this package wrote. Data that cannot be read is left out: it belongs to
// another provider.
func fields(vendor json.RawMessage) map[string]any {
	if len(vendor) == 0 {
		return nil
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(vendor, &raw); err != nil {
		return nil
	}
	out := make(map[string]any, len(raw))
	for _, name := range []string{fieldReasoning, fieldExtra} {
		if value, ok := raw[name]; ok {
			out[name] = value
		}
	}
	return out
}

// vendorOf returns vendor data with one field to be sent back.
func vendorOf(name string, value any) json.RawMessage {
	body, err := json.Marshal(map[string]any{name: value})
	if err != nil {
		// Encoding a string, or JSON that was decoded before, cannot fail.
		return nil
	}
	return body
}

// callID returns a call's id in the form that the vendor accepts.
func (q quirks) callID(id string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	if !q.mistral || len(id) == 9 && strings.Trim(id, letters) == "" {
		return id
	}
	h := fnv.New64a()
	// Writing to a hash cannot fail.
	_, _ = h.Write([]byte(id))
	short := strconv.FormatUint(h.Sum64(), 36)
	return (short + "000000000")[:9]
}
