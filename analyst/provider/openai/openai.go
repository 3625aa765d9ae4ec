package openai

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"parley.dev/parley/analyst"
)

// Config of a Provider.
type Config struct {
	// BaseURL is the vendor's address up to and with its version; empty means OpenAI's.
	BaseURL string
	// APIKey is sent as the bearer; empty is for servers that want none.
	APIKey string
	// Model answers where the agent names none. It is required.
	Model string
	// Client makes the requests; nil means http.DefaultClient.
	Client *http.Client
	// MaxOutputTokens caps one call; 0 leaves it to the vendor.
	MaxOutputTokens int64
}

func (c *Config) mustValidate() {
	if c.Model == "" {
		panic("openai: Config.Model is required")
	}
	if c.BaseURL == "" {
		c.BaseURL = "https://api.openai.com/v1/"
	}
	if c.Client == nil {
		c.Client = http.DefaultClient
	}
	if c.MaxOutputTokens < 0 {
		panic("openai: Config.MaxOutputTokens is negative")
	}
}

// Provider streams chat completions. It is safe for concurrent use.
type Provider struct {
	cfg  Config
	chat sdk.ChatCompletionService
}

var _ analyst.Provider = (*Provider)(nil)

// New makes a Provider. It reads no environment.
func New(cfg Config) *Provider {
	cfg.mustValidate()
	options := []option.RequestOption{
		option.WithBaseURL(cfg.BaseURL), option.WithHTTPClient(cfg.Client), option.WithMaxRetries(0),
	}
	if cfg.APIKey != "" {
		options = append(options, option.WithAPIKey(cfg.APIKey))
	}
	return &Provider{cfg: cfg, chat: sdk.NewChatCompletionService(options...)}
}

// Name implements analyst.Provider.
func (p *Provider) Name() string { return "openai" }

// Stream implements analyst.Provider.
func (p *Provider) Stream(ctx context.Context, r analyst.Request, emit func(analyst.Piece) error) (analyst.Usage, error) {
	// Whatever ends the call, its request is really closed.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream := p.chat.NewStreaming(ctx, p.params(r))
	var refused error
	reader := &reader{emit: func(piece analyst.Piece) error {
		refused = emit(piece)
		return refused
	}}
	err := reader.read(stream)
	// The body is read to its end or cancelled; an error of closing says nothing more.
	_ = stream.Close()
	if refused != nil {
		return reader.usage, refused
	}
	return reader.usage, mapError(ctx, err)
}

// params writes the request.
func (p *Provider) params(r analyst.Request) sdk.ChatCompletionNewParams {
	model := r.Model
	if model == "" || model == p.Name() {
		model = p.cfg.Model
	}
	out := sdk.ChatCompletionNewParams{
		Model:         model,
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: param.NewOpt(true)},
	}
	if p.cfg.MaxOutputTokens > 0 {
		out.MaxCompletionTokens = param.NewOpt(p.cfg.MaxOutputTokens)
	}
	if r.System != "" {
		out.Messages = append(out.Messages, sdk.SystemMessage(r.System))
	}
	for _, u := range r.Turns {
		switch u.Role {
		case analyst.UtteranceUser:
			out.Messages = append(out.Messages, sdk.UserMessage(u.Text))
		case analyst.UtteranceTool:
			out.Messages = append(out.Messages, sdk.ToolMessage(u.Text, u.CallID))
		case analyst.UtteranceAssistant:
			out.Messages = append(out.Messages, assistant(u))
		}
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, tool(t))
	}
	return out
}

// reader turns chunks into pieces.
type reader struct {
	emit  func(analyst.Piece) error
	tags  tags
	calls calls
	usage analyst.Usage
	ended bool // the vendor said why it stopped
}

func (r *reader) read(stream *ssestream.Stream[sdk.ChatCompletionChunk]) error {
	for stream.Next() {
		chunk := stream.Current()
		if chunk.Usage.TotalTokens > 0 {
			r.usage = analyst.Usage{InputTokens: chunk.Usage.PromptTokens, OutputTokens: chunk.Usage.CompletionTokens}
		}
		for i := range chunk.Choices {
			if err := r.choice(&chunk.Choices[i]); err != nil {
				return err
			}
		}
	}
	if err := stream.Err(); err != nil {
		return fmt.Errorf("read the stream: %w", err)
	}
	if !r.ended {
		return errCut
	}
	for _, p := range r.tags.rest() {
		if err := r.emit(p); err != nil {
			return err
		}
	}
	for _, call := range r.calls.done() {
		if err := r.emit(analyst.Piece{Call: &call}); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) choice(c *sdk.ChatCompletionChunkChoice) error {
	text := contentOf(c.Delta.Content, c.Delta.JSON.Content.Raw()) + c.Delta.Refusal
	if text != "" {
		for _, p := range r.tags.feed(text) {
			if err := r.emit(p); err != nil {
				return err
			}
		}
	}
	for _, t := range c.Delta.ToolCalls {
		if err := r.calls.add(t.Index, t.ID, t.Function.Name, t.Function.Arguments); err != nil {
			return err
		}
	}
	if c.FinishReason != "" {
		r.ended = true
	}
	return nil
}

// contentOf is a chunk's text. A vendor that splits a character between two
// chunks sends bytes that are no UTF-8 in either; decoding would lose them, so
// they are taken from the raw JSON and left to the pipeline to join.
func contentOf(decoded, raw string) string {
	if !strings.ContainsRune(decoded, '\uFFFD') {
		return decoded
	}
	if text, ok := unquote(raw); ok {
		return text
	}
	return decoded
}
