package openai

import (
	"context"
	"errors"
	"net/http"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"

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
	// Window is how many tokens the context and the answer may have together, for all
	// models; 0 means what is known of each by its name.
	Window int
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
	if c.Window < 0 {
		panic("openai: Config.Window is negative")
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
func (p *Provider) Stream(ctx context.Context, r analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
	// Whatever ends the call, its request is really closed.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &outlet{emit: emit}
	stream := p.chat.NewStreaming(ctx, p.params(r), option.WithMiddleware(out.listen))
	reader := &reader{out: out, of: &r}
	end, err := reader.read(stream)
	// The body is read to its end or cancelled; an error of closing says nothing more.
	_ = stream.Close()
	if out.refused != nil {
		return end, out.refused
	}
	var status *sdk.Error
	if out.failure != nil && !errors.As(err, &status) {
		// The SDK gives no status where it cannot read what is wrong: some servers write it
		// as a text where others have an object.
		err = &sdk.Error{StatusCode: out.failure.StatusCode, Request: out.failure.Request, Response: out.failure}
	}
	return end, mapError(ctx, err)
}

// params writes the request.
func (p *Provider) params(r analyst.Request) sdk.ChatCompletionNewParams {
	model := p.model(r.Model)
	out := sdk.ChatCompletionNewParams{
		Model:         model,
		Messages:      messages(r, quirksOf(model)),
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: param.NewOpt(true)},
	}
	if p.cfg.MaxOutputTokens > 0 {
		out.MaxCompletionTokens = param.NewOpt(p.cfg.MaxOutputTokens)
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, tool(t))
	}
	return out
}

// model is the one that is asked where an agent names this one.
func (p *Provider) model(name string) string {
	if name == "" || name == p.Name() {
		return p.cfg.Model
	}
	return name
}
