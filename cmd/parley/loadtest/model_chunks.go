package loadtest

// Chunks of an answer as OpenAI's API streams them (object chat.completion.chunk), written by hand
// into one buffer.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/analyst"
)

// chunks writes one answer as server-sent events, each of which is sent at once, in the shape and with
// the fields that OpenAI's API sends.
type chunks struct {
	w       http.ResponseWriter
	control *http.ResponseController
	// head is the beginning of each chunk, up to its choices.
	head    []byte
	buf     []byte
	begun   bool
	calls   int
	channel analyst.Channel
}

// These are around the delta of a chunk, after its head.
const (
	choiceHead = `{"index":0,"delta":`
	choiceTail = `,"logprobs":null,"finish_reason":null}],"usage":null}` + "\n\n"
)

// newChunks prepares the part that all chunks of an answer have in common.
func newChunks(w http.ResponseWriter, model string) *chunks {
	if model == "" {
		model = modelName
	}
	head := append([]byte(`data: {"id":"chatcmpl-`), uuid.NewString()...)
	head = append(head, `","object":"chat.completion.chunk","created":`...)
	head = strconv.AppendInt(head, time.Now().Unix(), 10)
	head = append(head, `,"model":`...)
	head = appendJSON(head, model)
	head = append(head, `,"service_tier":"default","system_fingerprint":null,"choices":[`...)
	return &chunks{w: w, control: http.NewResponseController(w), head: head}
}

// piece is the receiver of the script's pieces.
func (c *chunks) piece(p analyst.Piece) error {
	if err := c.begin(); err != nil {
		return err
	}
	if p.Call != nil {
		c.calls++
		return c.call(c.calls-1, p.Call)
	}
	return c.text(c.marks(p.Channel) + p.Text)
}

// begin sends the headers and the chunk with which every answer begins.
func (c *chunks) begin() error {
	if c.begun {
		return nil
	}
	c.begun = true
	c.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	c.w.Header().Set("Cache-Control", "no-cache")
	c.w.WriteHeader(http.StatusOK)
	return c.delta(`{"role":"assistant","content":"","refusal":null}`)
}

// marks returns the marks between two channels, which the rules of a node ask of a model.
func (c *chunks) marks(next analyst.Channel) string {
	before := c.channel
	if next == before {
		return ""
	}
	c.channel = next
	return markOf(before, "</") + markOf(next, "<")
}

// markOf is the mark that begins or ends a channel; the answer itself has none.
func markOf(channel analyst.Channel, open string) string {
	switch channel {
	case analyst.ChannelPlan:
		return open + "plan>"
	case analyst.ChannelSummary:
		return open + "summary>"
	default:
		return ""
	}
}

// text writes one piece of text. An empty one would be a chunk without content.
func (c *chunks) text(text string) error {
	if text == "" {
		return nil
	}
	c.start(choiceHead + `{"content":`)
	c.buf = appendJSON(c.buf, text)
	return c.send("}" + choiceTail)
}

// call writes a tool call as a whole, which the API may do as well.
func (c *chunks) call(index int, call *analyst.ToolCall) error {
	body, err := json.Marshal(map[string]any{"tool_calls": []any{map[string]any{
		"index": index, "id": call.ID, "type": "function",
		"function": map[string]any{"name": call.Name, "arguments": string(call.Args)},
	}}})
	if err != nil {
		return fmt.Errorf("encode a call: %w", err)
	}
	return c.delta(string(body))
}

// delta writes a chunk with any delta.
func (c *chunks) delta(delta string) error {
	c.start(choiceHead)
	return c.send(delta + choiceTail)
}

// start begins a chunk in the buffer.
func (c *chunks) start(with string) { c.buf = append(append(c.buf[:0], c.head...), with...) }

// send writes what is in the buffer and the end of its event, and flushes.
func (c *chunks) send(tail string) error {
	c.buf = append(c.buf, tail...)
	if _, err := c.w.Write(c.buf); err != nil {
		return fmt.Errorf("send a chunk: %w", err)
	}
	if err := c.control.Flush(); err != nil {
		return fmt.Errorf("send a chunk: %w", err)
	}
	return nil
}

// end sends the reason of the end, the number of tokens, and the mark of the end.
func (c *chunks) end(end analyst.End) error {
	if err := c.begin(); err != nil {
		return err
	}
	// An open channel is closed, so that the text is complete.
	if err := c.text(c.marks(analyst.ChannelAnswer)); err != nil {
		return err
	}
	reason := "stop"
	if c.calls > 0 {
		reason = "tool_calls"
	}
	c.start(choiceHead + `{},"logprobs":null,"finish_reason":"` + reason + `"}],"usage":null}` + "\n\n")
	c.buf = append(c.buf, c.head...)
	in, out := end.Usage.InputTokens, end.Usage.OutputTokens
	c.buf = fmt.Appendf(c.buf, `],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}}`+"\n\n", in, out, in+out)
	return c.send("data: [DONE]\n\n")
}

// appendJSON appends a text as a JSON string. Bytes that are not UTF-8 stay as they are, because a
// script can ask for them.
func appendJSON(b []byte, text string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"', c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
