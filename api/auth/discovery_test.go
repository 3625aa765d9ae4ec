package auth_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/auth"
	"parley.dev/parley/domain"
)

func TestCallOrigins(t *testing.T) {
	t.Parallel()
	// setup serves a discovery document; the issuer's own address is filled in.
	setup := func(t *testing.T, status int, document map[string]string) string {
		t.Helper()
		var issuer string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/pool/.well-known/openid-configuration" {
				http.NotFound(w, r)
				return
			}
			answer := map[string]string{"issuer": issuer, "jwks_uri": issuer + "/keys"}
			for name, value := range document {
				answer[name] = value
			}
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(answer) // the client may have disconnected
		}))
		t.Cleanup(server.Close)
		issuer = server.URL + "/pool"
		return issuer
	}

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		issuer := setup(t, http.StatusOK, map[string]string{
			"token_endpoint":       "https://tokens.test/oauth2/token",
			"userinfo_endpoint":    "https://tokens.test/oauth2/userInfo",
			"end_session_endpoint": "https://[::1]:8443/logout",
			"revocation_endpoint":  "",
		})
		origins, err := auth.CallOrigins(t.Context(), issuer)
		require.NoError(t, err)
		require.Equal(t, []string{"https://tokens.test", "https://[::1]:8443"}, origins)
	})

	t.Run("SaysNothingElse", func(t *testing.T) {
		t.Parallel()
		issuer := setup(t, http.StatusOK, map[string]string{
			"token_endpoint":    "https://a;script-src'unsafe-inline'/x",
			"userinfo_endpoint": "https://*/x",
			// These have no origin that a page could call.
			"revocation_endpoint":  "javascript:alert(1)",
			"end_session_endpoint": "'self'",
		})
		origins, err := auth.CallOrigins(t.Context(), issuer)
		require.NoError(t, err)
		require.Empty(t, origins)
	})

	t.Run("ErrOtherIssuer", func(t *testing.T) {
		t.Parallel()
		issuer := setup(t, http.StatusOK, map[string]string{"issuer": "https://other.test"})
		_, err := auth.CallOrigins(t.Context(), issuer)
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	})

	t.Run("ErrNoAnswer", func(t *testing.T) {
		t.Parallel()
		issuer := setup(t, http.StatusServiceUnavailable, nil)
		_, err := auth.CallOrigins(t.Context(), issuer)
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	})
}
