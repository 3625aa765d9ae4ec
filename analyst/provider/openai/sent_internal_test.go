package openai

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A request can be sent again until it is answered; a body that is being sent then is sent to
// its end.
func TestSent(t *testing.T) {
	t.Parallel()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://model.example", strings.NewReader("the context"))
	require.NoError(t, err)
	s, err := releasable(r)
	require.NoError(t, err)
	again, err := r.GetBody()
	require.NoError(t, err)
	s.release()
	for _, body := range []io.ReadCloser{r.Body, again} {
		read, err := io.ReadAll(body)
		require.NoError(t, err)
		require.Equal(t, "the context", string(read))
		require.NoError(t, body.Close())
		_, err = body.Read(make([]byte, 1))
		require.ErrorIs(t, err, http.ErrBodyReadAfterClose, "a closed body holds nothing")
	}
	_, err = r.GetBody()
	require.Error(t, err)
	require.Nil(t, s.data)
}

// A request without a body stays one.
func TestSent_None(t *testing.T) {
	t.Parallel()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://model.example", http.NoBody)
	require.NoError(t, err)
	r.Body = nil
	s, err := releasable(r)
	require.NoError(t, err)
	s.release()
	require.Nil(t, r.Body)
}
