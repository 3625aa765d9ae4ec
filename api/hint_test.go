package api_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

// Two nodes share their hints: a log-out on one node removes the person from the cache of the
// other and ends its streams, without waiting for a regular check.
func TestServer_LogOutOnAnotherNode(t *testing.T) {
	t.Parallel()
	var c api.Config
	b := setup(t, func(config *api.Config) { c = *config })
	c.Metrics = nil
	other, err := api.New(c)
	require.NoError(t, err)
	require.NoError(t, other.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, other.Stop(context.WithoutCancel(t.Context()))) })

	bearer := b.signedIn(t, &b.world.Owner, "tab", b.clock.Now())
	at := *b
	at.url = "http://" + other.Address()
	at.requireMe(t, http.StatusOK, bearer)
	stream, _ := at.dialAs(t, bearer)
	require.Equal(t, http.StatusNoContent, b.send(t, http.MethodPost, logOut, http.NoBody, "Authorization", "Bearer "+bearer).status)
	require.Eventually(t, func() bool {
		b.clock.Advance(0) // fires the timers that are due now
		return at.send(t, http.MethodGet, me, http.NoBody, "Authorization", "Bearer "+bearer).status == http.StatusUnauthorized
	}, time.Minute, 10*time.Millisecond, "the clock has not moved, so the entry in the cache has not expired")
	requireClose(t, stream, 4401)
}
