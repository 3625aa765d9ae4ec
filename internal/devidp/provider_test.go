package devidp_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"parley.dev/parley/internal/devidp"
	"parley.dev/parley/internal/startstop/startstoptest"
)

const (
	adaID   = "5f0c2a52-7a51-4c8e-9a3e-1d6a1c3b7f10"
	graceID = "0b8f6f0e-3c5d-4d3f-8a55-6a3f9e0c2d11"
	adaMail = "ada@example.test"
	secret  = "correct horse"
)

func TestProvider_SignIn(t *testing.T) {
	t.Parallel()

	// Each provider costs a slow hash, so tests that do not need a provider of their own
	// share one.
	shared := setup(t, nil)

	t.Run("OK", func(t *testing.T) {
		t.Parallel()

		b := shared
		token := b.signIn(t)
		_, provider := b.oauth(t)

		raw, ok := token.Extra("id_token").(string)
		require.True(t, ok)

		id, err := provider.VerifierContext(b.context(t), &oidc.Config{ClientID: devidp.DefaultClientID}).Verify(b.context(t), raw)
		require.NoError(t, err)
		require.Equal(t, adaID, id.Subject)
		require.Equal(t, "the-nonce", id.Nonce)
		require.NoError(t, id.VerifyAccessToken(token.AccessToken))

		claims := map[string]any{}
		require.NoError(t, id.Claims(&claims))
		require.Equal(t, adaMail, claims["email"])
		require.Equal(t, "Ada Lovelace", claims["name"])
		require.Equal(t, true, claims["email_verified"])

		access, err := provider.VerifierContext(b.context(t), &oidc.Config{ClientID: devidp.DefaultAudience}).Verify(b.context(t),
			token.AccessToken)
		require.NoError(t, err)
		require.Equal(t, adaID, access.Subject)
		require.Equal(t, devidp.DefaultLifetime, access.Expiry.Sub(access.IssuedAt))

		info, err := provider.UserInfo(b.context(t), oauth2.StaticTokenSource(token))
		require.NoError(t, err)
		require.Equal(t, adaID, info.Subject)
		require.Equal(t, adaMail, info.Email)
	})

	t.Run("AccessAndIDTokensDiffer", func(t *testing.T) {
		t.Parallel()

		b := shared
		token := b.signIn(t)
		raw, ok := token.Extra("id_token").(string)
		require.True(t, ok)

		header, claims := parts(t, token.AccessToken)
		require.Equal(t, "at+jwt", header["typ"])
		require.Equal(t, "RS256", header["alg"])
		require.Equal(t, devidp.DefaultAudience, claims["aud"])
		require.Equal(t, devidp.DefaultClientID, claims["azp"])
		require.Equal(t, devidp.DefaultClientID, claims["client_id"])

		for _, claim := range []string{"nonce", "at_hash", "c_hash"} {
			require.NotContains(t, claims, claim)
		}

		header, claims = parts(t, raw)
		require.Equal(t, "JWT", header["typ"])
		require.Equal(t, devidp.DefaultClientID, claims["aud"])
		require.Contains(t, claims, "nonce")

		sum := sha256.Sum256([]byte(token.AccessToken))
		require.Equal(t, base64.RawURLEncoding.EncodeToString(sum[:16]), claims["at_hash"])
		require.NotContains(t, claims, "azp")
	})

	t.Run("RefreshRotates", func(t *testing.T) {
		t.Parallel()

		b := setup(t, nil)
		config, provider := b.oauth(t)
		first := b.signIn(t)
		require.NotEmpty(t, first.RefreshToken)
		b.clock.Advance(time.Minute)

		expired := *first
		expired.Expiry = time.Unix(1, 0)
		second, err := config.TokenSource(b.context(t), &expired).Token()
		require.NoError(t, err)
		require.NotEqual(t, first.RefreshToken, second.RefreshToken)

		header, claims := parts(t, second.AccessToken)
		require.Equal(t, "at+jwt", header["typ"])
		require.Equal(t, devidp.DefaultAudience, claims["aud"])
		raw, ok := second.Extra("id_token").(string)
		require.True(t, ok)
		_, err = provider.VerifierContext(b.context(t), &oidc.Config{ClientID: devidp.DefaultClientID}).Verify(b.context(t), raw)
		require.NoError(t, err)

		// After the new refresh token was used and reuseLimit has passed, the old one is
		// invalid.
		b.clock.Advance(time.Minute)
		spent := *second
		spent.Expiry = time.Unix(1, 0)
		_, err = config.TokenSource(b.context(t), &spent).Token()
		require.NoError(t, err)
		_, err = config.TokenSource(b.context(t), &expired).Token()
		require.Error(t, err)
	})

	t.Run("ShortBearersAreRefreshedForTheWholeLifetime", func(t *testing.T) {
		t.Parallel()

		b := setup(t, nil, func(c *devidp.Config) { c.Lifetime, c.BearerLifetime = time.Hour, time.Minute })
		config, provider := b.oauth(t)
		token := b.signIn(t)

		for range 3 {
			access, err := provider.VerifierContext(b.context(t), &oidc.Config{
				ClientID: devidp.DefaultAudience, Now: b.clock.Now,
			}).Verify(b.context(t), token.AccessToken)
			require.NoError(t, err)
			require.Equal(t, time.Minute, access.Expiry.Sub(access.IssuedAt))
			b.clock.Advance(15 * time.Minute)

			spent := *token
			spent.Expiry = time.Unix(1, 0)
			token, err = config.TokenSource(b.context(t), &spent).Token()
			require.NoError(t, err)
		}

		b.clock.Advance(time.Hour)

		spent := *token
		spent.Expiry = time.Unix(1, 0)
		_, err := config.TokenSource(b.context(t), &spent).Token()
		require.Error(t, err)
	})

	t.Run("ErrWrongPassword", func(t *testing.T) {
		t.Parallel()

		b := shared
		config, _ := b.oauth(t)
		page, body := b.get(t, config.AuthCodeURL("s", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
		again, body := b.submit(t, page, body, adaMail, "wrong")
		require.Equal(t, http.StatusUnauthorized, again.status)
		require.Contains(t, body, "do not belong together")
		require.Contains(t, body, `value="`+adaMail+`"`, "the form keeps the email")
	})

	t.Run("ErrWithoutPKCE", func(t *testing.T) {
		t.Parallel()

		b := shared
		config, _ := b.oauth(t)
		back, _ := b.get(t, config.AuthCodeURL("s"))
		require.Equal(t, "invalid_request", back.at.Query().Get("error"))
	})

	t.Run("ErrWrongVerifier", func(t *testing.T) {
		t.Parallel()

		b := shared
		config, _ := b.oauth(t)
		page, body := b.get(t, config.AuthCodeURL("s", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
		back, _ := b.submit(t, page, body, adaMail, secret)
		_, err := config.Exchange(b.context(t), back.at.Query().Get("code"), oauth2.VerifierOption(oauth2.GenerateVerifier()))
		require.Error(t, err)
	})

	t.Run("ErrForeignRedirect", func(t *testing.T) {
		t.Parallel()

		b := shared
		config, _ := b.oauth(t)
		config.RedirectURL = "http://localhost:1/login"
		page, body := b.get(t, config.AuthCodeURL("s", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
		require.Equal(t, http.StatusBadRequest, page.status)
		require.Contains(t, body, "Unregistered redirect_uri")
	})
}

func TestProvider_Page(t *testing.T) {
	t.Parallel()

	b := setup(t, nil)
	config, _ := b.oauth(t)
	page, body := b.get(t, config.AuthCodeURL("s", oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))

	t.Run("ListsThePeople", func(t *testing.T) {
		t.Parallel()

		require.Contains(t, body, "Ada Lovelace")
		require.Contains(t, body, "grace@example.test")
		require.Contains(t, body, "Compilers &lt;b&gt;")
		require.Contains(t, body, ">GH<")
		require.Contains(t, body, secret)
		require.Contains(t, body, "Sign in · Parley")
		require.NotContains(t, body, "quiet@example.test", "unlisted people are not shown")
	})

	t.Run("HasNothingInlineOrRemote", func(t *testing.T) {
		t.Parallel()

		for _, inline := range []string{`<script`, `<style`, `style=`, `javascript:`, `data:`, `\son[a-z]+=`} {
			require.NotRegexp(t, inline, body)
		}

		for _, source := range regexp.MustCompile(`(?:src|href|action)="([^"]*)"`).FindAllStringSubmatch(body, -1) {
			address, err := page.at.Parse(strings.ReplaceAll(source[1], "&amp;", "&"))
			require.NoError(t, err)
			require.Equal(t, page.at.Host, address.Host, source[1])

			if strings.Contains(source[1], "theme/") {
				asset, content := b.get(t, address.String())
				require.Equal(t, http.StatusOK, asset.status, source[1])
				require.NotEmpty(t, content)
			}
		}

		require.Contains(t, page.header.Get("Content-Security-Policy"), "default-src 'self'")
	})

	t.Run("ErrOtherPaths", func(t *testing.T) {
		t.Parallel()

		for _, path := range []string{
			"/", "/device", "/device/code", "/token/introspect", "/healthz", "/static/main.css", "/callback",
			"/auth/other", "/logout", "/theme", "/approval",
		} {
			response, _ := b.get(t, b.issuer+path)
			require.Equal(t, http.StatusNotFound, response.status, path)
		}

		_, document := b.get(t, b.issuer+"/.well-known/openid-configuration")
		require.NotContains(t, document, "introspect")
		require.NotContains(t, document, "device")
		require.Contains(t, document, `"token_endpoint_auth_methods_supported":["none"]`)
	})

	t.Run("ErrOtherHost", func(t *testing.T) {
		t.Parallel()

		b := setup(t, nil)

		for host, want := range map[string]int{
			"localhost:9": http.StatusOK, "127.0.0.1": http.StatusOK, "[::1]:80": http.StatusOK,
			"evil.example": http.StatusBadRequest, "localhost.evil.example:8080": http.StatusBadRequest, "": http.StatusBadRequest,
		} {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, b.issuer+"/keys", nil)
			request.RemoteAddr, request.Host = "127.0.0.1:4711", host
			answer := httptest.NewRecorder()
			b.provider.Handler().ServeHTTP(answer, request)
			require.Equal(t, want, answer.Code, host)
		}
	})

	t.Run("ErrRemoteAddress", func(t *testing.T) {
		t.Parallel()

		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, b.issuer+"/keys", nil)
		request.RemoteAddr = "203.0.113.9:4711"
		recorder := httptest.NewRecorder()
		b.provider.Handler().ServeHTTP(recorder, request)
		require.Equal(t, http.StatusForbidden, recorder.Code)
	})
}

func TestProvider_Keys(t *testing.T) {
	t.Parallel()

	verify := func(t *testing.T, from, at bundle, token string) error {
		t.Helper()

		keys := oidc.NewRemoteKeySet(at.context(t), at.issuer+"/keys")
		_, err := oidc.NewVerifier(from.issuer, keys, &oidc.Config{ClientID: devidp.DefaultAudience}).Verify(t.Context(), token)

		return err
	}

	t.Run("StayAfterARestart", func(t *testing.T) {
		t.Parallel()

		store := devidp.FileKeyStore{Path: filepath.Join(t.TempDir(), "keys.json")}
		before := setup(t, store)
		token := before.signIn(t).AccessToken
		before.provider.Close()

		after := setup(t, store)
		require.NoError(t, verify(t, before, after, token))

		info, err := os.Stat(store.Path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	})

	t.Run("LostAfterARestartWithoutAStore", func(t *testing.T) {
		t.Parallel()

		before, after := setup(t, nil), setup(t, nil)
		require.Error(t, verify(t, before, after, before.signIn(t).AccessToken))
	})

	t.Run("TwoNodesUseTheSameKeys", func(t *testing.T) {
		t.Parallel()

		store := devidp.FileKeyStore{Path: filepath.Join(t.TempDir(), "keys.json")}
		one, two := setup(t, store), setup(t, store)
		require.NoError(t, verify(t, one, two, one.signIn(t).AccessToken))
		require.NoError(t, verify(t, two, one, two.signIn(t).AccessToken))
	})

	t.Run("LaterSaveWinsOnBothNodes", func(t *testing.T) {
		t.Parallel()

		// Both nodes have found the store empty, and the second node has saved last.
		store := devidp.FileKeyStore{Path: filepath.Join(t.TempDir(), "keys.json")}
		other := devidp.FileKeyStore{Path: filepath.Join(t.TempDir(), "keys.json")}
		one, two := setup(t, store), setup(t, other)
		later, err := other.Load(t.Context())
		require.NoError(t, err)
		require.NoError(t, store.Save(t.Context(), later))

		one.clock.Advance(10 * time.Second)
		require.NoError(t, verify(t, one, two, one.signIn(t).AccessToken))
	})

	t.Run("ErrDamagedStore", func(t *testing.T) {
		t.Parallel()

		store := devidp.FileKeyStore{Path: filepath.Join(t.TempDir(), "keys.json")}
		require.NoError(t, store.Save(t.Context(), []byte("{not json")))

		_, err := devidp.New(t.Context(), devidp.Config{
			Issuer: "http://localhost:1/dex", RedirectURIs: []string{"http://localhost:1/login"}, Keys: store,
			People: []devidp.Person{{ID: adaID, Email: adaMail, Name: "Ada", Password: secret}},
		})
		require.ErrorContains(t, err, "decode signing keys")
	})
}

func TestConfig_Validate(t *testing.T) {
	t.Parallel()

	good := devidp.Config{
		Issuer: "http://localhost:1/dex", RedirectURIs: []string{"http://localhost:1/login"},
		People: []devidp.Person{{ID: adaID, Email: adaMail, Name: "Ada", Password: secret}},
	}

	for name, change := range map[string]func(*devidp.Config){
		"ErrIssuerWithoutPath": func(c *devidp.Config) { c.Issuer = "http://localhost:1" },
		"ErrIssuerNotLocal":    func(c *devidp.Config) { c.Issuer = "http://parley.example/dex" },
		"ErrNoRedirect":        func(c *devidp.Config) { c.RedirectURIs = nil },
		"ErrNobody":            func(c *devidp.Config) { c.People = nil },
		"ErrAudienceIsClient":  func(c *devidp.Config) { c.Audience = devidp.DefaultClientID },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			bad := good
			change(&bad)
			require.Panics(t, func() { _, _ = devidp.New(t.Context(), bad) })
		})
	}
}

// A provider works as soon as it is made; what is left running after the test fails the package.
func TestProvider_Close(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	startstoptest.Stress(t, 2, func(tb testing.TB) startstoptest.Subject {
		tb.Helper()
		provider, err := devidp.New(tb.Context(), devidp.Config{
			Issuer: b.issuer, RedirectURIs: []string{b.callback},
			People: []devidp.Person{{ID: adaID, Email: adaMail, Name: "Ada", Password: secret}},
		})
		require.NoError(tb, err)

		return startstoptest.Subject{Stop: func() error { provider.Close(); return nil }}
	})
}
