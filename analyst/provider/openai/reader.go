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
	out  *outlet
	of   *analyst.Request
	text text
	// pending is plain text that has arrived and was not passed on yet.
	pending []byte

	tags  tags
	calls calls
	usage analyst.Usage
	// reason is the vendor's reason for stopping; empty until the vendor sends one.
	reason string
	// thought is the thinking that DeepSeek wants back, and thinks means that it sent some, even if the
	// text was empty.
	thought strings.Builder
	thinks  bool
}

// plain takes the data of an event if it is a chunk with nothing but text; flush passes the text on.
func (r *reader) plain(data []byte) bool {
	raw, ok := plainContent(data)
	if ok {
		r.pending = r.text.appendTo(r.pending, raw)
	}
	return ok
}

// flush passes on the plain text that has arrived.
func (r *reader) flush() error {
	if len(r.pending) == 0 {
		return nil
	}
	text := string(r.pending)
	r.pending = r.pending[:0]
	return r.give(r.tags.feed(text))
}

// read reads the whole stream and returns how it ended.
func (r *reader) read(stream *ssestream.Stream[sdk.ChatCompletionChunk]) (analyst.End, error) {
	// The body was read completely or cancelled, so an error of closing has no meaning.
	defer func() { _ = stream.Close() }()
	var err error
	for err == nil && stream.Next() {
		err = r.current(stream)
	}
	if err == nil && r.reason == "" {
		if err = errCut; stream.Err() != nil {
			err = fmt.Errorf("read the stream: %w", stream.Err())
		}
	}
	// An error after the vendor's reason for stopping costs at most the count of tokens.
	if err != nil {
		// Text that was held back because it could have become a mark is text after all.
		err = errors.Join(err, r.give(r.tags.rest()))
		return analyst.End{Usage: r.usage}, err
	}
	return r.end()
}

// current handles the chunk that the SDK has decoded. It is not inlined, because the copy of the
// chunk would take 3 kB of the stack that waits for the next one.
//
//go:noinline
func (r *reader) current(stream *ssestream.Stream[sdk.ChatCompletionChunk]) error {
	chunk := stream.Current()
	return r.chunk(&chunk)
}

func (r *reader) chunk(chunk *sdk.ChatCompletionChunk) error {
	if u := chunk.Usage; u.PromptTokens+u.CompletionTokens > 0 {
		// A server that sends the usage with every chunk counts from the beginning each time.
		r.usage = analyst.Usage{InputTokens: u.PromptTokens, OutputTokens: u.CompletionTokens}
	}
	for i := range chunk.Choices {
		// Only one answer was asked for; the texts of several answers would be mixed.
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

// think stores thinking that may have to be sent back.
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

// end passes on what was held back, and returns how the call ended.
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
		// The last call is incomplete, and the others were only a part of what the model wanted.
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

// wantsTools reports whether a reason announces calls.
func wantsTools(reason string) bool {
	switch strings.ToLower(reason) {
	case "tool_calls", "function_call", "tool_use":
		return true
	default:
		return false
	}
}

// endOf interprets the reason of a vendor. The common reasons are OpenAI's; the others come from
// servers that pass on the reasons of their own vendors.
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
		// Whatever an unknown reason means, it does not say that the answer is complete.
		return "", &analyst.ProviderError{
			Retryable: true, Reason: "The model ended its answer with an error.",
			Cause: errors.New("finish reason " + reason),
		}
	}
}
