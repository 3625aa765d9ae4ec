package openai

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	sdk "github.com/openai/openai-go/v3"
	"github.com/stretchr/testify/require"
)

// usualChunk has the fields that OpenAI sends.
const usualChunk = `{"id":"chatcmpl-9","object":"chat.completion.chunk","created":1764150000,"model":"gpt-5","service_tier":"default",` +
	`"system_fingerprint":null,"choices":[{"index":0,"delta":{"content":" revenue"},"logprobs":null,"finish_reason":null}],"usage":null,` +
	`"obfuscation":"x1"}` + "\n"

func plainChunks() map[string]string {
	return map[string]string{
		usualChunk: " revenue",
		`{"choices":[{"delta":{"content":"a"}}]}`:                                                          "a",
		`{"choices":[{"delta":{"content":""}}]}`:                                                           "",
		"\t{ \"choices\" : [ { \"index\" : 0 , \"delta\" : { \"content\" : \"a\" } } ] }\r\n":              "a",
		`{"choices":[{"delta":{"role":"assistant","content":"a","refusal":null,"tool_calls":null}}]}`:      "a",
		`{"choices":[{"finish_reason":"","delta":{"content":"a"}}],"created":0,"cached":false,"score":-7}`: "a",
		`{"choices":[{"delta":{"content":"line\n\t\"quoted\" \u00e9 \ud83d\ude00 \/ \\"}}]}`:               "line\n\t\"quoted\" é 😀 / \\",
	}
}

func TestPlainContent_ReadsTheTextOfUsualChunks(t *testing.T) {
	t.Parallel()
	for chunk, want := range plainChunks() {
		raw, ok := plainContent([]byte(chunk))
		require.True(t, ok, chunk)
		var r reader
		require.Equal(t, want, string(r.text.appendTo(nil, raw)), chunk)
	}
}

func TestPlainContent_LeavesAllOthersToTheSDK(t *testing.T) {
	t.Parallel()
	for _, chunk := range []string{
		`[DONE]`, ``, `{`, `{}`, `null`, `{"choices":null}`, `{"choices":[]}`, `{"choices":[{}]}`, `{"choices":[{"delta":{}}]}`,
		`{"choices":[{"delta":{"content":null}}]}`,
		`{"choices":[{"delta":{"content":[]}}]}`,
		`{"choices":[{"index":1,"delta":{"content":"a"}}]}`,
		`{"choices":[{"index":00,"delta":{"content":"a"}}]}`,
		`{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}`,
		`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`,
		`{"choices":[{"delta":{"content":"a","refusal":"no"}}]}`,
		`{"choices":[{"delta":{"content":"a","reasoning_content":""}}]}`,
		`{"choices":[{"delta":{"content":"a","tool_calls":[]}}]}`,
		`{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":1}}`,
		`{"choices":[{"delta":{"content":"a"}}],"error":null}`,
		`{"error":{"message":"busy"}}`,
		`{"choices":[{"delta":{"content":"a"}}]} {}`,
		`{"choices":[{"delta":{"content":"a"}}],}`,
		`{"choices":[{"delta":{"content":"a","content":"b"}}]}`,
		`{"choices":[{"delta":{"content":"a"}}],"choices":[{"delta":{"content":"b"}}]}`,
		`{"choices":[{"delta":{"content":"a"}}],"\u0065rror":"e"}`,
		"{\"choices\":[{\"delta\":{\"content\":\"a\nb\"}}]}",
		`{"choices":[{"delta":{"content":"\x"}}]}`, `{"choices":[{"delta":{"content":"\u12"}}]}`, `{"choices":[{"delta":{"content":"a`,
		`{"choices":[{"delta":{"content":"a"}}],"n":01}`, `{"choices":[{"delta":{"content":"a"}}],"n":-}`,
		`{"choices":[{"delta":{"content":"a"}}],"n":nullx}`,
	} {
		_, ok := plainContent([]byte(chunk))
		require.False(t, ok, chunk)
	}
}

// What is read without the SDK has the meaning that the SDK sees.
func FuzzPlainContent(f *testing.F) {
	for chunk := range plainChunks() {
		f.Add(chunk)
		f.Add(strings.Replace(chunk, `"content"`, `"reasoning_content"`, 1))
		f.Add(chunk[:len(chunk)/2])
	}
	f.Fuzz(func(t *testing.T, data string) {
		raw, ok := plainContent([]byte(data))
		if !ok {
			return
		}
		var chunk sdk.ChatCompletionChunk
		require.NoError(t, json.Unmarshal([]byte(data), &chunk))
		require.Len(t, chunk.Choices, 1)
		c := chunk.Choices[0]
		require.Zero(t, c.Index)
		require.Empty(t, c.FinishReason)
		require.Empty(t, c.Delta.Refusal)
		require.Empty(t, c.Delta.ToolCalls)
		require.Zero(t, chunk.Usage.PromptTokens+chunk.Usage.CompletionTokens)
		reasoning := c.Delta.JSON.ExtraFields[fieldReasoning].Raw()
		require.True(t, reasoning == "" || reasoning == "null", reasoning)
		if utf8.ValidString(data) {
			var ours, theirs text
			require.Equal(t, theirs.of(c.Delta.Content, c.Delta.JSON.Content.Raw()), string(ours.appendTo(nil, raw)))
		}
	})
}

func BenchmarkChunk(b *testing.B) {
	data := []byte(usualChunk)
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := plainContent(data); !ok {
				b.Fatal("not plain")
			}
		}
	})
	b.Run("sdk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var chunk sdk.ChatCompletionChunk
			if err := json.Unmarshal(data, &chunk); err != nil {
				b.Fatal(err)
			}
		}
	})
}
