package api_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

func attackJ01(t *testing.T) {
	t.Helper()
	b := setup(t)
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""} {
		got := b.send(t, http.MethodPost, v1+"/discourse/conversations", strings.NewReader(`{"name":"X"}`), "Content-Type", kind)
		require.Equal(t, http.StatusUnauthorized, got.status)
		got = b.send(t, http.MethodPost, v1+"/discourse/conversations", strings.NewReader(`{"name":"X"}`), "Content-Type", kind,
			"Authorization", "Bearer "+b.token(t, &b.world.Owner))
		require.Equal(t, http.StatusUnsupportedMediaType, got.status, kind)
	}
	preflight := b.send(t, http.MethodOptions, v1+"/discourse/conversations", http.NoBody, "Origin", "https://evil.example",
		"Access-Control-Request-Method", "POST")
	require.Empty(t, preflight.header.Get("Access-Control-Allow-Origin"))
	require.Zero(t, b.world.Count("CreateConversation"))
}

func attackJ03(t *testing.T) {
	t.Helper()
	b := setup(t, func(c *api.Config) {
		c.Identity = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("sign in")) })
	})
	_, object := b.world.AddConversation()
	b.files.Set(object.FileKey, []byte("x"))
	paths := []string{
		"/", "/conversations/1", "/assets/app-1a2b.js", "/missing.js", "/config.json", "/dex/auth", v1 + "/openapi.json", v1 + "/nothing",
		"/api/v2/x",
		me, v1 + "/user/me/keep-alive", b.streamPath(), v1 + "/discourse/displayobjects/" + object.ID.String() + "/content", "//x",
		"/%2e%2e/%2e%2e/etc/passwd",
	}
	for _, path := range paths {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
			got := b.call(t, &b.world.Owner, method, path, "")
			what := method + " " + path
			policy := got.header.Get("Content-Security-Policy")
			require.Contains(t, policy, "frame-ancestors 'none'", what)
			if !strings.Contains(policy, "sandbox") {
				require.Contains(t, policy, "default-src 'self'", what)
				require.Contains(t, policy, "script-src 'self';", what)
				require.Contains(t, policy, "object-src 'none'", what)
				require.Contains(t, policy, "base-uri 'none'", what)
			}
			require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"), what)
			require.Equal(t, "no-referrer", got.header.Get("Referrer-Policy"), what)
			require.Equal(t, "max-age=31536000", got.header.Get("Strict-Transport-Security"), what)
			require.NotEmpty(t, got.header.Get("X-Request-Id"), what)
			if got.body != "" {
				require.NotEmpty(t, got.header.Get("Content-Type"), what)
			}
			require.Empty(t, got.header.Get("Server"), what)
			if strings.HasPrefix(path, "/api/") && got.status != 200 && got.status != 204 && method != http.MethodOptions {
				require.NotEmpty(t, got.code(t), what)
			}
		}
	}
}

// TestServer_AllowCalls checks that pages may call the servers that an issuer names, and that
// an address cannot change anything else in the policy.
func TestServer_AllowCalls(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *api.Config) { c.Browser.Issuer = "https://pool.issuer.test/tenant" })
	require.Equal(t, "'self' https://pool.issuer.test", b.source(t, me, "connect-src"))
	b.server.AllowCalls([]string{"https://tokens.issuer.test:8443"})
	require.Equal(t, "'self' https://pool.issuer.test https://tokens.issuer.test:8443", b.source(t, me, "connect-src"))
}

// source returns the part of an answer's policy for one kind of content.
func (b *bundle) source(t *testing.T, path, directive string) string {
	t.Helper()
	policy := b.call(t, &b.world.Owner, http.MethodGet, path, "").header.Get("Content-Security-Policy")
	_, rest, found := strings.Cut(policy, directive+" ")
	require.True(t, found, policy)
	sources, _, _ := strings.Cut(rest, ";")
	return sources
}

// TestServer_Collector checks that pages know a collector, and may call it, only if an
// operator has configured one, and that the rest of the policy is the same.
func TestServer_Collector(t *testing.T) {
	t.Parallel()
	const issuer = "https://pool.issuer.test"
	without := setup(t, func(c *api.Config) { c.Browser.Issuer = issuer })
	with := setup(t, func(c *api.Config) {
		c.Browser.Issuer, c.Browser.Collector, c.Browser.Version = issuer, "https://key@collector.test:9000/path/7", "1.2.3"
	})

	t.Run("OKNone", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/", me} {
			require.Equal(t, "'self' "+issuer, without.source(t, path, "connect-src"))
		}
		require.NotContains(t, without.send(t, http.MethodGet, "/config.json", http.NoBody).body, "collector")
	})

	t.Run("OKItsOriginAlone", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/", me} {
			require.Equal(t, "'self' "+issuer+" https://collector.test:9000", with.source(t, path, "connect-src"))
			for _, directive := range []string{"default-src", "script-src", "worker-src", "img-src", "font-src"} {
				require.Equal(t, without.source(t, path, directive), with.source(t, path, directive))
			}
		}
		config := with.send(t, http.MethodGet, "/config.json", http.NoBody).body
		require.Contains(t, config, `"collector":"https://key@collector.test:9000/path/7"`)
		require.Contains(t, config, `"version":"1.2.3"`)
	})
}

func attackJ07(t *testing.T) {
	t.Helper()
	b := setup(t)
	c, _ := b.world.AddConversation()
	text := `{"conversationId":"` + c.ID.String() + `","message":{"text":"Hi"}}`
	for range 60 {
		require.Equal(t, 200, b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/user-text", text).status)
	}
	got := b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/user-text", text)
	require.Equal(t, 429, got.status)
	wait, err := strconv.Atoi(got.header.Get("Retry-After"))
	require.NoError(t, err)
	require.InDelta(t, 62, wait, 2, "when the window has passed")
	require.Equal(t, "too-many", got.code(t))
	require.Equal(t, 200, b.call(t, &b.world.Reader, http.MethodPost, v1+"/discourse/user-text", text).status,
		"each person has a separate limit")
	b.clock.Advance(time.Duration(wait-5) * time.Second)
	require.Equal(t, 429, b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/user-text", text).status)
	b.clock.Advance(5 * time.Second)
	require.Equal(t, 200, b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/user-text", text).status)
}

func attackJ08(t *testing.T) {
	t.Helper()
	b := setup(t)
	c, object := b.world.AddConversation()
	b.files.Set(object.FileKey, []byte("cell-canary"))
	token := b.token(t, &b.world.Owner)
	link, ok := b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/displayobjects/"+object.ID.String()+"/presigned-url",
		"").json(t)["url"].(string)
	require.True(t, ok)
	b.send(t, http.MethodGet, link, http.NoBody)
	b.send(t, http.MethodGet, me+"?secret=query-canary", http.NoBody, "Authorization", "Bearer "+token)
	b.send(t, http.MethodGet, me, http.NoBody, "Authorization", "Bearer "+token+"x")
	b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/user-text",
		`{"conversationId":"`+c.ID.String()+`","message":{"text":"prompt-canary"}}`)
	b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/user-text", `{"conversationId":"prompt-canary"}`)
	// Injected and split lines are escaped by the format of the log.
	conn, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	_, err = fmt.Fprintf(conn, "GET /a%%0Ainjected-line HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	_, err = bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, conn.Close())

	log := b.log.String()
	require.Contains(t, log, `"msg":"request"`)
	for _, canary := range []string{
		strings.Split(token, ".")[2], strings.Split(link, "token=")[1], "query-canary", "prompt-canary",
		"cell-canary", b.world.Owner.Email,
	} {
		require.NotContains(t, log, canary)
	}
	require.NotContains(t, log, "\ninjected-line")
}
