package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"parley.dev/parley/analyst"
)

// reader turns chunks into pieces.
type reader struct {
	out   *outlet
	of    *analyst.Request
	text  text
	tags  tags
	calls calls
	usage analyst.Usage
	// reason is why the vendor says that it stopped, empty while it did not.
	reason string
	// thought is the thinking that DeepSeek wants back, and thinks that it sent some,
	// were it an empty text.
	thought strings.Builder
	thinks  bool
}

// read takes the whole stream and says how it ended.
func (r *reader) read(stream *ssestream.Stream[sdk.ChatCompletionChunk]) (analyst.End, error) {
	var err error
	for err == nil && stream.Next() {
		chunk := stream.Current()
		err = r.chunk(&chunk)
	}
	if err == nil && r.reason == "" {
		if err = errCut; stream.Err() != nil {
			err = fmt.Errorf("read the stream: %w", stream.Err())
		}
	}
	// What breaks after the vendor said why it stopped costs at most the count of tokens.
	if err != nil {
		// What was held back because it could have become a mark is text after all.
		err = errors.Join(err, r.give(r.tags.rest()))
		return analyst.End{Usage: r.usage}, err
	}
	return r.end()
}

func (r *reader) chunk(chunk *sdk.ChatCompletionChunk) error {
	if u := chunk.Usage; u.PromptTokens+u.CompletionTokens > 0 {
		// A server that counts in every chunk counts from the beginning each time.
		r.usage = analyst.Usage{InputTokens: u.PromptTokens, OutputTokens: u.CompletionTokens}
	}
	for i := range chunk.Choices {
		// One answer was asked for; a server that gives more speaks over itself.
		if chunk.Choices[i].Index == 0 {
			if err := r.choice(&chunk.Choices[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) choice(c *sdk.ChatCompletionChunkChoice) error {
	if text := r.text.of(c.Delta.Content, c.Delta.JSON.Content.Raw()) + c.Delta.Refusal; text != "" {
		if err := r.give(r.tags.feed(text)); err != nil {
			return err
		}
	}
	r.think(c.Delta.JSON.ExtraFields[fieldReasoning].Raw())
	for i := range c.Delta.ToolCalls {
		if err := r.calls.add(&c.Delta.ToolCalls[i]); err != nil {
			return err
		}
	}
	if c.FinishReason != "" {
		r.reason = c.FinishReason
	}
	return nil
}

// think keeps thinking that may have to be sent back.
func (r *reader) think(raw string) {
	var text string
	if raw == "" || raw == "null" || json.Unmarshal([]byte(raw), &text) != nil {
		return
	}
	r.thinks = true
	if r.thought.Len()+len(text) <= reasoningMax {
		r.thought.WriteString(text)
	}
}

func (r *reader) give(pieces []analyst.Piece) error {
	for _, p := range pieces {
		if err := r.out.give(p); err != nil {
			return err
		}
	}
	return nil
}

// end gives what was held back, and says how the call ended.
func (r *reader) end() (analyst.End, error) {
	end := analyst.End{Usage: r.usage}
	if err := r.give(append(r.tags.feed(r.text.rest()), r.tags.rest()...)); err != nil {
		return end, err
	}
	reason, err := endOf(r.reason)
	if err != nil {
		return end, err
	}
	end.Reason = reason
	if reason == analyst.EndLength {
		// The last call is not whole, and the others were only a part of what was meant.
		return end, nil
	}
	calls, err := r.calls.done(r.of)
	if err != nil {
		return end, err
	}
	if len(calls) == 0 && wantsTools(r.reason) {
		return end, errNoTool(nil)
	}
	for i := range calls {
		if err := r.out.give(analyst.Piece{Call: &calls[i]}); err != nil {
			return end, err
		}
	}
	if len(calls) > 0 && r.thinks {
		end.Vendor = vendorOf(fieldReasoning, r.thought.String())
	}
	return end, nil
}

// wantsTools tells the reasons that promise calls.
func wantsTools(reason string) bool {
	switch strings.ToLower(reason) {
	case "tool_calls", "function_call", "tool_use":
		return true
	default:
		return false
	}
}

// endOf reads the reason that a vendor gives. The common ones are OpenAI's; the
// others are those of servers that hand their own on.
func endOf(reason string) (analyst.EndReason, error) {
	switch strings.ToLower(reason) {
	case "stop", "eos", "eos_token", "end_turn", "stop_sequence", "tool_calls", "function_call", "tool_use":
		return analyst.EndStop, nil
	case "length", "max_tokens", "model_length", "model_context_window_exceeded":
		return analyst.EndLength, nil
	case "content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii", "refusal", "sensitive":
		return "", errFiltered(nil)
	case "insufficient_system_resource", "abort":
		return "", &analyst.ProviderError{
			Retryable: true, Reason: "The model is not available right now.",
			Cause: errors.New("finish reason " + reason),
		}
	default:
		// Whatever it means, it is not said that the answer is whole.
		return "", &analyst.ProviderError{
			Retryable: true, Reason: "The model ended its answer with an error.",
			Cause: errors.New("finish reason " + reason),
		}
	}
}
