package openai

import (
	"net/url"
	"slices"
	"strings"

	"parley.dev/parley/analyst"
)

var _ analyst.Windowed = (*Provider)(nil)

// ollamaWindow is the context that Ollama gives a model by default, however long the model's own window
// is. The rest is truncated without an error, beginning with the rules.
const ollamaWindow = 4096

// Window implements analyst.Windowed: the configured window, or else the known window of the model. A
// private server may allow less; then it reports an error, and the pipeline shortens the context.
func (p *Provider) Window(model string) int {
	if p.cfg.Window > 0 {
		return p.cfg.Window
	}
	// This is Ollama's default port.
	if u, err := url.Parse(p.cfg.BaseURL); err == nil && u.Port() == "11434" {
		return ollamaWindow
	}
	return windowOf(p.model(model))
}

// windowOf finds a model by the beginning of its name, without the vendor before it (openai/gpt-4o).
// The longest matching beginning is used; 0 means that the model is not known.
func windowOf(model string) int {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	name = strings.ReplaceAll(name, "llama-", "llama")
	window, longest := 0, 0
	for _, w := range windows() {
		if len(w.begins) > longest && strings.HasPrefix(name, w.begins) {
			window, longest = w.tokens, len(w.begins)
		}
	}
	return window
}

// window is the window of all models whose names begin in this way.
type window struct {
	begins string
	tokens int
}

// windows returns the windows that vendors publish for their models, in tokens; if models with the same
// beginning differ, the smallest.
func windows() []window {
	const thousand = 1000
	return slices.Concat(
		all(1_047_576, "gpt-4.1", "gemini-"),
		all(400*thousand, "gpt-5"),
		all(200*thousand, "o1", "o3", "o4", "claude-"),
		all(128*thousand, "gpt-4o", "gpt-4-turbo", "gpt-5-chat", "gpt-oss", "deepseek-", "mistral-large", "mistral-medium", "mistral-small",
			"ministral", "codestral",
			"llama3.1", "llama3.2", "llama3.3", "llama4", "gemma3", "gemma-3", "command-r", "command-a", "grok-", "kimi-", "glm-4.5", "glm-4.6",
			"glm-5"),
		all(32*thousand, "qwen", "mistral", "mixtral", "phi3.5"),
		all(16*thousand, "gpt-3.5-turbo", "phi4", "phi-4"),
		all(8*thousand, "gpt-4", "llama3", "gemma2", "gemma-2"),
	)
}

// all gives several beginnings the same window.
func all(tokens int, begins ...string) []window {
	out := make([]window, len(begins))
	for i, b := range begins {
		out[i] = window{b, tokens}
	}
	return out
}
