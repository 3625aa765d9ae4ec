package api_test

import (
	"bufio"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/auth"
	"parley.dev/parley/domain"
)

const me = "/api/v1/user/me"

type header = map[jose.HeaderKey]any

// requireMe requests the person of a bearer and expects a status.
func (b *bundle) requireMe(t *testing.T, status int, token string) {
	t.Helper()
	got := b.send(t, http.MethodGet, me, http.NoBody, "Authorization", "Bearer "+token)
	require.Equal(t, status, got.status, got.body)
}

// unsigned makes a token without the library.
func unsigned(t *testing.T, head header, c claims, signature string) string {
	t.Helper()
	h, err := json.Marshal(head)
	require.NoError(t, err)
	p, err := json.Marshal(c)
	require.NoError(t, err)
	return base64.RawURLEncoding.EncodeToString(h) + "." + base64.RawURLEncoding.EncodeToString(p) + "." + signature
}

func (b *bundle) claims(t *testing.T) claims {
	t.Helper()
	var c claims
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(b.token(t, &b.world.Owner), ".")[1])
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(payload, &c))
	return c
}

func attackA01(t *testing.T) {
	t.Helper()
	b := setup(t)
	good := b.token(t, &b.world.Owner)
	b.requireMe(t, http.StatusOK, good)
	for _, alg := range []string{"none", "None", "NONE", "", "ES256"} {
		head := header{"alg": alg, "typ": "at+jwt", "kid": "one"}
		b.requireMe(t, http.StatusUnauthorized, unsigned(t, head, b.claims(t), ""))
	}
	parts := strings.Split(good, ".")
	b.requireMe(t, http.StatusUnauthorized, parts[0]+"."+parts[1]+".")
	b.requireMe(t, http.StatusUnauthorized, parts[0]+"."+parts[1])
	// This is the same signature in another spelling: two or four bits of its last letter
	// have no meaning, and a token that is identified by its text would count as another
	// sign-in.
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for _, letter := range letters {
		if again := good[:len(good)-1] + string(letter); again != good {
			b.requireMe(t, http.StatusUnauthorized, again)
		}
	}
	other := strings.Split(b.token(t, &b.world.Reader), ".")
	b.requireMe(t, http.StatusUnauthorized, parts[0]+"."+parts[1]+"."+other[2])
}

func attackA02(t *testing.T) {
	t.Helper()
	b := setup(t)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	b.issuer.publish(jose.JSONWebKey{Key: &key.PublicKey, KeyID: "rsa", Use: "sig"})
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	require.NoError(t, err)
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	for _, secret := range [][]byte{public, der} {
		b.requireMe(t, http.StatusUnauthorized, sign(t, jose.HS256, secret, b.claims(t), header{"typ": "at+jwt", "kid": "rsa"}))
	}
	b.requireMe(t, http.StatusOK, sign(t, jose.RS256, key, b.claims(t), header{"typ": "at+jwt", "kid": "rsa"}))
	require.Panics(t, func() {
		auth.NewVerifier(auth.Config{Issuer: "x", Audiences: []string{"y"}, Algorithms: []string{"HS256"}})
	})
}

// refused expects 401 for the valid claims with a change.
func (b *bundle) refused(t *testing.T, what string, change func(claims, header)) {
	t.Helper()
	got := b.send(t, http.MethodGet, me, http.NoBody, "Authorization", "Bearer "+b.token(t, &b.world.Owner, change))
	require.Equal(t, http.StatusUnauthorized, got.status, what)
	require.Equal(t, "E401", got.code(t), what)
}

func attackA03(t *testing.T) {
	t.Helper()
	b := setup(t)
	for _, iss := range []any{"https://evil.example", b.issuer.url + "/", strings.ToUpper(b.issuer.url), "", nil, []string{b.issuer.url}, 7} {
		b.refused(t, fmt.Sprint(iss), func(c claims, _ header) { c["iss"] = iss })
	}
}

func attackA04(t *testing.T) {
	t.Helper()
	b := setup(t)
	for _, aud := range []any{"other", []string{"a", "b"}, []string{}, "", audience + "x", strings.ToUpper(audience)} {
		b.refused(t, fmt.Sprint(aud), func(c claims, _ header) { c["aud"] = aud })
	}
	b.refused(t, "missing", func(c claims, _ header) { delete(c, "aud") })
	b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner, func(c claims, _ header) { c["aud"] = []string{"x", audience} }))
}

func attackA05(t *testing.T) {
	t.Helper()
	b := setup(t)
	in := func(d time.Duration) int64 { return b.clock.Now().Add(d).Unix() }
	b.refused(t, "expired", func(c claims, _ header) { c["exp"] = in(-62 * time.Second) })
	b.refused(t, "no exp", func(c claims, _ header) { delete(c, "exp") })
	b.refused(t, "exp 0", func(c claims, _ header) { c["exp"] = 0 })
	b.refused(t, "nbf", func(c claims, _ header) { c["nbf"] = in(62 * time.Second) })
	b.refused(t, "no iat", func(c claims, _ header) { delete(c, "iat") })
	b.refused(t, "iat next year", func(c claims, _ header) { c["iat"] = in(365 * 24 * time.Hour) })
	b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner, func(c claims, _ header) {
		c["exp"], c["nbf"] = in(-58*time.Second), in(58*time.Second)
	}))
}

func attackA06(t *testing.T) {
	t.Helper()
	b := setup(t)
	b.refused(t, "an ID token of the embedded provider", func(c claims, h header) { c["aud"], h["typ"] = client, "JWT" })
	b.refused(t, "c_hash", func(c claims, h header) { c["c_hash"], h["typ"] = "x", "JWT" })
	b.refused(t, "at_hash", func(c claims, h header) { c["at_hash"], h["typ"] = "x", "JWT" })
	b.refused(t, "nonce", func(c claims, h header) { c["nonce"], h["typ"] = "x", "JWT" })
	b.refused(t, "token_use", func(c claims, h header) { c["token_use"], h["typ"] = "id", "JWT" })
	for _, typ := range []any{"logout+jwt", "dpop+jwt", "secevent+jwt", "at+jwt2", 7} {
		b.refused(t, fmt.Sprint(typ), func(_ claims, h header) { h["typ"] = typ })
	}
	b.refused(t, "azp", func(c claims, _ header) { c["azp"] = "another-client" })
	b.refused(t, "client_id", func(c claims, _ header) { c["client_id"] = "another-client" })
	b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner, func(_ claims, h header) { h["typ"] = "JWT" }))

	strict := setup(t, func(c *api.Config) {
		c.Tokens = auth.NewVerifier(auth.Config{Issuer: b.issuer.url, Audiences: []string{audience}, RequireType: true, Clock: b.clock})
	})
	strict.requireMe(t, http.StatusUnauthorized, b.token(t, &b.world.Owner, func(_ claims, h header) { h["typ"] = "JWT" }))
	strict.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner))
	dex := setup(t, func(c *api.Config) {
		c.Tokens = auth.NewVerifier(auth.Config{Issuer: b.issuer.url, Audiences: []string{audience}, TrustHashClaim: true, Clock: b.clock})
	})
	dex.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner, func(c claims, h header) { c["at_hash"], h["typ"] = "x", "JWT" }))
	dex.requireMe(t, http.StatusUnauthorized, b.token(t, &b.world.Owner, func(c claims, h header) { c["c_hash"], h["typ"] = "x", "JWT" }))
}

func attackA07(t *testing.T) {
	t.Helper()
	b := setup(t)
	b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner))
	var asked atomic.Int32
	evil := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer evil.Close()
	own := newKey(t)
	for _, kid := range []any{"two", "../../x", "' OR 1=1--", strings.Repeat("k", 300), "", nil} {
		b.refused(t, fmt.Sprint(kid), func(_ claims, h header) { h["kid"] = kid })
	}
	for _, name := range []jose.HeaderKey{"jku", "x5u"} {
		b.refused(t, string(name), func(_ claims, h header) { h[name] = evil.URL })
	}
	b.requireMe(t, http.StatusUnauthorized, sign(t, jose.ES256, own, b.claims(t), header{
		"typ": "at+jwt", "kid": "one", "jwk": jose.JSONWebKey{Key: &own.PublicKey, KeyID: "one"},
	}))
	require.Zero(t, asked.Load())
	require.EqualValues(t, 1, b.issuer.fetches.Load())
}

func attackA08(t *testing.T) {
	t.Helper()
	b := setup(t)
	old := b.token(t, &b.world.Owner)
	b.requireMe(t, http.StatusOK, old)
	next := newKey(t)
	oldKey := jose.JSONWebKey{Key: &b.issuer.key.PublicKey, KeyID: "one", Use: "sig"}
	newKey := jose.JSONWebKey{Key: &next.PublicKey, KeyID: "two", Use: "sig"}
	rotated := sign(t, jose.ES256, next, b.claims(t), header{"typ": "at+jwt", "kid": "two"})

	b.issuer.publish(oldKey, newKey)
	b.clock.Advance(31 * time.Second)
	b.requireMe(t, http.StatusOK, rotated)
	require.EqualValues(t, 2, b.issuer.fetches.Load())

	b.issuer.publish(newKey)
	b.clock.Advance(46 * time.Second)
	b.requireMe(t, http.StatusUnauthorized, old)
	b.requireMe(t, http.StatusOK, rotated)
	require.EqualValues(t, 3, b.issuer.fetches.Load())

	b.clock.Advance(31 * time.Second)
	for i := range 100 {
		b.refused(t, "unknown", func(_ claims, h header) { h["kid"] = fmt.Sprint("unknown", i) })
	}
	require.EqualValues(t, 4, b.issuer.fetches.Load())
}

func attackA09(t *testing.T) {
	t.Helper()
	b := setup(t)
	b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner))
	b.issuer.down.Store(true)
	b.clock.Advance(59 * time.Minute)
	b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner))
	b.clock.Advance(2 * time.Minute)
	got := b.send(t, http.MethodGet, me, http.NoBody, "Authorization", "Bearer "+b.token(t, &b.world.Owner))
	require.Equal(t, http.StatusServiceUnavailable, got.status)
	require.Equal(t, "unavailable", got.code(t))
	require.NotEmpty(t, got.header.Get("Retry-After"))
	b.issuer.down.Store(false)
	b.clock.Advance(31 * time.Second)
	b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner))
}

func attackA10(t *testing.T) {
	t.Helper()
	b := setup(t)
	conn, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	// The writes run concurrently with the reads, because the server answers before it has
	// read everything.
	go func() {
		_, _ = conn.Write([]byte("GET " + me + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + strings.Repeat(".", 1<<20) + "\r\n\r\n"))
	}()
	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "431")

	b.requireMe(t, http.StatusUnauthorized, strings.Repeat(".", 12<<10))
	b.requireMe(t, http.StatusUnauthorized, strings.Repeat(".", 7<<10))
	require.Zero(t, b.issuer.fetches.Load())
}

func attackA15(t *testing.T) {
	t.Helper()
	b := setup(t)
	unknown := b.world.Owner
	unknown.Email, unknown.FullName = "unknown@example.com", "unknown"
	got := b.call(t, &unknown, http.MethodGet, me, "")
	require.Equal(t, http.StatusForbidden, got.status)
	require.Equal(t, "U401", got.code(t))
	bearer := "Bearer " + b.token(t, &unknown)
	for _, call := range documented(t) {
		require.Equal(t, http.StatusForbidden, b.raw(t, call.method, call.path, "Authorization", bearer), call.method+" "+call.path)
	}
	for _, did := range b.world.Calls() {
		require.Equal(t, "UserByIdentity", strings.Fields(did)[0])
	}
	// The service is told that an address is not verified, and then finds no person.
	for _, verified := range []bool{true, false} {
		b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner, func(c claims, _ header) {
			c["email_verified"], c["jti"] = verified, fmt.Sprint(verified)
		}))
		identity, ok := b.world.Asked("UserByIdentity").(domain.Identity)
		require.True(t, ok)
		require.Equal(t, verified, identity.EmailVerified)
	}
}

func attackA16(t *testing.T) {
	t.Helper()
	b := setup(t)
	token := b.token(t, &b.world.Owner)
	b.requireMe(t, http.StatusOK, token)
	open, _ := b.dialAs(t, token)
	b.world.Disable(b.world.Owner.Email, true)
	b.signIns.End(b.world.Owner.ID)
	b.clock.Advance(5 * time.Second)
	b.requireMe(t, http.StatusUnauthorized, token)
	requireClose(t, open, 4401)
	got := b.send(t, http.MethodGet, b.streamPath(), http.NoBody, append(upgradeHeaders(), "Authorization", "Bearer "+token)...)
	require.Equal(t, http.StatusUnauthorized, got.status)

	// G14: a sign-in that another node ended also ends here within 5 s.
	elsewhere := setup(t)
	token = elsewhere.signedIn(t, &elsewhere.world.Owner, "tab", elsewhere.clock.Now())
	elsewhere.requireMe(t, http.StatusOK, token)
	open, _ = elsewhere.dialAs(t, token)
	elsewhere.clock.Advance(time.Second)
	elsewhere.signIns.End(elsewhere.world.Owner.ID)
	elsewhere.clock.Advance(5 * time.Second)
	elsewhere.requireMe(t, http.StatusUnauthorized, token)
	requireClose(t, open, 4401)
}

func attackA17(t *testing.T) {
	t.Helper()
	b := setup(t)
	b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner))
	// The same subject with another person's email is looked up again only when the cached
	// entry has expired, and then by the service: never with a key without the issuer.
	other := newIssuer(t)
	b.refused(t, "another issuer", func(c claims, _ header) { c["iss"] = other.url })
}
