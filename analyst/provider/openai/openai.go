package openai

import (
	"context"
	"errors"
	"net/http"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"parley.dev/parley/analyst"
)

// Config configures a Provider.
type Config struct {
	// BaseURL is the vendor's address, including its version; empty means OpenAI's.
	BaseURL string
	// APIKey is sent as the bearer token; empty is for servers that need none.
	APIKey string
	// Model is used if the agent names no model. It is required.
	Model string
	// Client makes the requests; nil means a client that keeps a connection for each call that runs at the
	// same time, so that a call does not begin with a handshake.
	Client *http.Client
	// MaxOutputTokens limits one call; 0 means the limit of the vendor.
	MaxOutputTokens int64
	// Window is the maximum number of tokens of the context and the answer together, for all models; 0
	// means the known window of each model.
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
		c.Client = &http.Client{Transport: transport()}
	}
	if c.MaxOutputTokens < 0 {
		panic("openai: Config.MaxOutputTokens is negative")
	}
	if c.Window < 0 {
		panic("openai: Config.Window is negative")
	}
}

// idleConnections is the number of connections to a vendor that are kept for later calls. Go's default of
// two closes nearly all of them after each call if the vendor does not speak HTTP/2.
const idleConnections = 10_000

// The buffers of a connection to a vendor, which an answer holds while it is streamed. Go's default is
// 4 kB for each. A read of 2 kB has some six chunks; a request is written once, and what does not fit
// into the buffer is not copied.
const (
	readBuffer  = 2 << 10
	writeBuffer = 1 << 10
)

func transport() http.RoundTripper {
	usual, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport // replaced by the program
	}
	t := usual.Clone()
	t.ReadBufferSize, t.WriteBufferSize = readBuffer, writeBuffer
	t.MaxIdleConns, t.MaxIdleConnsPerHost = idleConnections, idleConnections
	return t
}

// Provider streams chat completions. It is safe for concurrent use.
type Provider struct {
	cfg    Config
	client sdk.Client
}

var _ analyst.Provider = (*Provider)(nil)

// New returns a Provider. It does not read the environment.
func New(cfg Config) *Provider {
	cfg.mustValidate()
	options := []option.RequestOption{
		option.WithBaseURL(cfg.BaseURL), option.WithHTTPClient(cfg.Client), option.WithMaxRetries(0),
	}
	if cfg.APIKey != "" {
		options = append(options, option.WithAPIKey(cfg.APIKey))
	}
	return &Provider{cfg: cfg, client: sdk.Client{Options: options}}
}

// Name implements analyst.Provider.
func (p *Provider) Name() string { return "openai" }

// Stream implements analyst.Provider.
func (p *Provider) Stream(ctx context.Context, r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
	// The request is always closed, whatever ends the call.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &outlet{emit: emit}
	reader := &reader{out: out, of: r}
	end, err := reader.read(p.open(ctx, r, reader))
	if out.refused != nil {
		return end, out.refused
	}
	var status *sdk.Error
	if out.failure != nil && !errors.As(err, &status) {
		// The SDK returns no status if it cannot read the error: some servers write it as a string
		// where others have an object.
		err = &sdk.Error{StatusCode: out.failure.StatusCode, Request: out.failure.Request, Response: out.failure}
	}
	return end, mapError(ctx, err)
}

// open sends the request. The SDK makes it, and reads all that is not plain text.
func (p *Provider) open(ctx context.Context, r *analyst.Request, to *reader) *ssestream.Stream[sdk.ChatCompletionChunk] {
	var answer *http.Response
	err := p.client.Post(ctx, "chat/completions", p.params(r), &answer,
		option.WithJSONSet("stream", true), option.WithMiddleware(to.out.listen))
	var decoder ssestream.Decoder
	if err == nil {
		decoder = newEvents(answer.Body, to)
	}
	return ssestream.NewStream[sdk.ChatCompletionChunk](decoder, err)
}

// params returns the request.
func (p *Provider) params(r *analyst.Request) sdk.ChatCompletionNewParams {
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

// model returns the model to use if an agent names this one.
func (p *Provider) model(name string) string {
	if name == "" || name == p.Name() {
		return p.cfg.Model
	}
	return name
}
