package auth_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"parley.dev/parley/api/auth"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// mustSign makes a bearer for Anna, valid for ten minutes, signed by the key "first".
func mustSign(t *testing.T, private *ecdsa.PrivateKey, issuer string, now time.Time) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: private},
		(&jose.SignerOptions{}).WithType("at+jwt").WithHeader("kid", "first"))
	require.NoError(t, err)
	claims, err := json.Marshal(map[string]any{
		"iss": issuer, "sub": "anna", "aud": "parley", "iat": now.Unix(),
		"exp": now.Add(10 * time.Minute).Unix(),
	})
	require.NoError(t, err)
	signed, err := signer.Sign(claims)
	require.NoError(t, err)
	token, err := signed.CompactSerialize()
	require.NoError(t, err)
	return token
}

// TestVerifier_Verify_again checks that a cached token is accepted neither for longer nor
// with other contents than a new one.
func TestVerifier_Verify_again(t *testing.T) {
	t.Parallel()
	const issuer = "http://issuer.test"
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

	type bundle struct {
		*auth.Verifier
		clock *clock.Fake
		keys  atomic.Pointer[jose.JSONWebKeySet]
		token string
	}
	setup := func(t *testing.T) *bundle {
		t.Helper()
		private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		require.NoError(t, err)
		b := &bundle{clock: clock.NewFake(now)}
		b.keys.Store(&jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &private.PublicKey, KeyID: "first", Algorithm: "ES256", Use: "sig"}}})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(b.keys.Load()) // the client may have disconnected
		}))
		t.Cleanup(server.Close)
		b.token = mustSign(t, private, issuer, now)
		b.Verifier = auth.NewVerifier(auth.Config{Issuer: issuer, Audiences: []string{"parley"}, KeysURL: server.URL, Clock: b.clock})
		for range 2 {
			id, err := b.Verify(t.Context(), b.token)
			require.NoError(t, err)
			require.Equal(t, "anna", id.Subject)
		}
		return b
	}
	refused := func(t *testing.T, b *bundle, token string) {
		t.Helper()
		_, err := b.Verify(t.Context(), token)
		require.Equal(t, domain.CodeUnauthenticated, domain.CodeOf(err), "%v", err)
	}

	t.Run("ErrOtherClaims", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		parts := strings.Split(b.token, ".")
		claims, err := base64.RawURLEncoding.DecodeString(parts[1])
		require.NoError(t, err)
		parts[1] = base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(claims), "anna", "boss", 1)))
		refused(t, b, strings.Join(parts, "."))
	})

	t.Run("ErrExpired", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.clock.Advance(12 * time.Minute)
		refused(t, b, b.token)
	})

	t.Run("ErrKeyRevoked", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.keys.Store(&jose.JSONWebKeySet{})
		b.clock.Advance(time.Minute)
		refused(t, b, b.token)
	})

	t.Run("ErrKeyReplaced", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		require.NoError(t, err)
		b.keys.Store(&jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &other.PublicKey, KeyID: "first", Algorithm: "ES256", Use: "sig"}}})
		b.clock.Advance(time.Minute)
		refused(t, b, b.token)
	})
}

// newKeyAndToken makes a key, a token of the issuer signed with it, and the issuer's key
// document.
func newKeyAndToken(t *testing.T, issuer string, now time.Time) (token string, set []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	set, err = json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{
		Key: &private.PublicKey, KeyID: "first", Algorithm: "ES256",
		Use: "sig",
	}}})
	require.NoError(t, err)
	return mustSign(t, private, issuer, now), set
}

// TestVerifier_Verify_whileFetching checks that a request that arrives while the first keys
// are being fetched waits for them and is not refused.
func TestVerifier_Verify_whileFetching(t *testing.T) {
	t.Parallel()
	const issuer = "http://issuer.test"
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	token, set := newKeyAndToken(t, issuer, now)
	var v *auth.Verifier
	meanwhile := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A request whose context has ended gets the error that it would have to wait.
		ended, cancel := context.WithCancel(r.Context())
		cancel()
		_, err := v.Verify(ended, token)
		meanwhile <- err
		_, _ = w.Write(set) // the client may have disconnected
	}))
	t.Cleanup(server.Close)
	v = auth.NewVerifier(auth.Config{Issuer: issuer, Audiences: []string{"parley"}, KeysURL: server.URL, Clock: clock.NewFake(now)})
	_, err := v.Verify(t.Context(), token)
	require.NoError(t, err)
	require.ErrorContains(t, <-meanwhile, "the keys are being fetched")
}

// An issuer that answers only by its own name is asked by it, also at another address.
func TestVerifier_Verify_keysHost(t *testing.T) {
	t.Parallel()
	const issuer = "http://issuer.test/dex"
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	token, set := newKeyAndToken(t, issuer, now)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "issuer.test" {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = w.Write(set) // the client may have disconnected
	}))
	t.Cleanup(server.Close)
	c := auth.Config{Issuer: issuer, Audiences: []string{"parley"}, KeysURL: server.URL, Clock: clock.NewFake(now)}
	_, err := auth.NewVerifier(c).Verify(t.Context(), token)
	require.Error(t, err)
	c.KeysHost = "issuer.test"
	_, err = auth.NewVerifier(c).Verify(t.Context(), token)
	require.NoError(t, err)
}

// roundTrip answers requests without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestVerifier_Verify_asTheKeysCome checks that a request that arrives at the same moment as
// the first keys is not refused. It tries many requests at once, many times, because the
// moment is short.
func TestVerifier_Verify_asTheKeysCome(t *testing.T) {
	t.Parallel()
	const issuer = "http://issuer.test"
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	token, set := newKeyAndToken(t, issuer, now)
	client := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(set))}, nil
	})}
	for range 300 {
		v := auth.NewVerifier(auth.Config{
			Issuer: issuer, Audiences: []string{"parley"}, KeysURL: issuer, Clock: clock.NewFake(now),
			Client: client,
		})
		var requests errgroup.Group
		for range 16 {
			requests.Go(func() error {
				_, err := v.Verify(t.Context(), token)
				return err
			})
		}
		require.NoError(t, requests.Wait())
	}
}

// When another node has seen that the keys have changed, this node fetches them at once and
// not only at its next regular fetch, but no more often than tokens could make it.
func TestVerifier_Renew(t *testing.T) {
	t.Parallel()
	const issuer = "http://issuer.test"
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	var keys atomic.Pointer[jose.JSONWebKeySet]
	keys.Store(&jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &private.PublicKey, KeyID: "first", Algorithm: "ES256", Use: "sig"}}})
	var fetches atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fetches.Add(1)
		_ = json.NewEncoder(w).Encode(keys.Load()) // the client may have disconnected
	}))
	t.Cleanup(server.Close)
	marks := make(chan []byte, 10)
	// Each node has its own clock, so that only one of them reaches its regular fetch.
	oneTicks, twoTicks := clock.NewFake(now), clock.NewFake(now)
	node := func(ticks *clock.Fake) *auth.Verifier {
		return auth.NewVerifier(auth.Config{
			Issuer: issuer, Audiences: []string{"parley"}, KeysURL: server.URL, Clock: ticks, Renewed: func(mark []byte) { marks <- mark },
		})
	}
	one, two := node(oneTicks), node(twoTicks)
	token := mustSign(t, private, issuer, now)
	for _, v := range []*auth.Verifier{one, two} {
		_, err = v.Verify(t.Context(), token)
		require.NoError(t, err)
	}
	require.Empty(t, marks, "the first keys are not a change")

	keys.Store(&jose.JSONWebKeySet{}) // the key is revoked
	oneTicks.Advance(46 * time.Second)
	_, err = one.Verify(t.Context(), token)
	require.Equal(t, domain.CodeUnauthenticated, domain.CodeOf(err))
	require.EqualValues(t, 3, fetches.Load())
	mark := <-marks

	twoTicks.Advance(10 * time.Second)
	_, err = two.Verify(t.Context(), token)
	require.NoError(t, err, "its regular fetch is not due yet")
	two.Renew(mark)
	_, err = two.Verify(t.Context(), token)
	require.Equal(t, domain.CodeUnauthenticated, domain.CodeOf(err), "it has fetched the keys that the other node saw")
	require.EqualValues(t, 4, fetches.Load())
	require.Equal(t, mark, <-marks)

	two.Renew(mark)
	for range 10 {
		two.Renew([]byte("something else"))
		_, err = two.Verify(t.Context(), token)
		require.Error(t, err)
	}
	require.EqualValues(t, 4, fetches.Load(), "repeated notices cause no further fetches")
}
