package api_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

// What the identity provider starts for a request ends with that request, and not with the
// server: fasthttp writes the end of the server without a lock, while a database driver may
// read it.
func TestServer_IdentityContext(t *testing.T) { // G19
	t.Parallel()
	got := make(chan context.Context, 1)
	b := setup(t, func(c *api.Config) {
		c.Identity = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Context().Err() == nil {
				w.WriteHeader(http.StatusNoContent)
			}
			got <- r.Context()
		})
	})
	require.Equal(t, http.StatusNoContent, b.send(t, http.MethodGet, "/dex/keys", http.NoBody).status)
	ctx := <-got
	<-ctx.Done()
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	_, bounded := ctx.Deadline()
	require.True(t, bounded)
}
