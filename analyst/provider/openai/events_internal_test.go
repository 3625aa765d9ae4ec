package openai

import (
	"io"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
)

// Text that has arrived is passed on before the next read, which may have to wait: in one piece, and
// also if it arrived with a comment or with the beginning of the next event.
func TestEvents_PassesOnWhatArrivedBeforeItWaits(t *testing.T) {
	t.Parallel()
	answer, vendor := io.Pipe()
	texts := make(chan string, 10)
	out := &outlet{emit: func(p analyst.Piece) error {
		if p.Text != "" {
			texts <- p.Text
		}
		return nil
	}}
	r := &reader{out: out, of: &analyst.Request{}}
	ended := make(chan error, 1)
	go func() {
		_, err := r.read(ssestream.NewStream[sdk.ChatCompletionChunk](newEvents(&heardBody{answer, out}, r), nil))
		ended <- err
	}()
	says := func(text string) string { return `data: {"choices":[{"delta":{"content":"` + text + `"}}]}` + "\n\n" }
	for _, c := range []struct{ arrives, want string }{
		{says("a") + says("b"), "ab"},
		{says("c") + ": ping\n\n", "c"},
		{says("d") + `data: {"choices":[`, "d"},
		{`{"delta":{"content":"e"}}]}` + "\n\n", "e"},
	} {
		_, err := io.WriteString(vendor, c.arrives)
		require.NoError(t, err)
		require.Equal(t, c.want, <-texts)
	}
	_, err := io.WriteString(vendor, `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	require.NoError(t, err)
	require.NoError(t, <-ended)
}
