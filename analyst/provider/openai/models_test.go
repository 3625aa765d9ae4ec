package openai_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/analyst/provider/openai"
	"parley.dev/parley/domain"
)

func TestProvider_Window(t *testing.T) {
	t.Parallel()
	p := openai.New(openai.Config{Model: "gpt-4o-mini"})
	for model, want := range map[string]int{
		"": 128_000, "openai": 128_000, "gpt-4.1-nano": 1_047_576, "gpt-4": 8_000, "gpt-4-turbo-2024": 128_000, "gpt-5-mini": 400_000,
		"openai/gpt-oss-120b":         128_000,
		"google/gemini-3-pro-preview": 1_047_576, "meta-llama/Llama-3.1-8B-Instruct": 128_000, "llama3": 8_000, "Qwen/Qwen3-32B": 32_000,
		"a-model-of-ones-own": 0,
	} {
		require.Equal(t, want, p.Window(model), model)
	}
	require.Equal(t, 5000, openai.New(openai.Config{Model: "gpt-4o", Window: 5000}).Window("gpt-4.1"), "the configured window has precedence")
	require.Equal(t, 4096, openai.New(openai.Config{Model: "llama3.1", BaseURL: "http://localhost:11434/v1"}).Window(""),
		"Ollama truncates the context at its default")
}

func TestProvider_TooLong(t *testing.T) {
	t.Parallel()
	v := newVendor(t, status(http.StatusBadRequest, `{"object":"error","message":"This model's maximum context length is 4096 tokens.",`+
		`"code":400}`), sse(said("42."), finish("stop")))
	sink, err := turn(t, v, func(c *analyst.Config) {
		c.Analysts = &analysttest.Agents{Agent: domain.Analyst{
			ID: 1, IsEnabled: true, Provider: "openai", Model: "big",
			Instructions: strings.Repeat("Be brief. ", 2000),
		}}
	})
	require.NoError(t, err)
	require.Equal(t, "42.", sink.Role(domain.RoleAssistant)[0].Text)
	long, _ := sent(t, <-v.requests)
	short, _ := sent(t, <-v.requests)
	require.Less(t, len(short), len(long)*7/10)
	require.Empty(t, v.requests)
}
