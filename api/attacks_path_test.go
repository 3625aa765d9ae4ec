package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

// documentedCall is one call of the published contract, with ids in its path.
type documentedCall struct {
	method, path string
	paged        bool
}

// documented lists the calls of the published contract, in order.
func documented(t *testing.T) []documentedCall {
	t.Helper()
	raw, err := api.OpenAPI()
	require.NoError(t, err)
	var spec struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name string }
		}
	}
	require.NoError(t, json.Unmarshal(raw, &spec))
	number := regexp.MustCompile(`/(analysts|blueprints|steps|feedbacks|projectlabels|datasources|dataresources|memories)/\{id\}`)
	id := regexp.MustCompile(`\{(id|uuid)\}`)
	var calls []documentedCall
	for path, methods := range spec.Paths {
		filled := v1 + id.ReplaceAllString(number.ReplaceAllString(path, "/$1/1"), someID)
		require.NotContains(t, filled, "{")
		for method, call := range methods {
			paged := slices.ContainsFunc(call.Parameters, func(p struct{ Name string }) bool { return p.Name == "pageSize" })
			calls = append(calls, documentedCall{strings.ToUpper(method), filled, paged})
		}
	}
	slices.SortFunc(calls, func(a, b documentedCall) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	require.Greater(t, len(calls), 80)
	return calls
}

// raw sends a request exactly as it is written and returns the status.
func (b *bundle) raw(t *testing.T, method, target string, header ...string) int {
	t.Helper()
	conn, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	var request strings.Builder
	fmt.Fprintf(&request, "%s %s HTTP/1.1\r\nHost: parley.test\r\nConnection: close\r\nContent-Length: 0\r\n", method, target)
	for i := 0; i+1 < len(header); i += 2 {
		fmt.Fprintf(&request, "%s: %s\r\n", header[i], header[i+1])
	}
	_, err = conn.Write([]byte(request.String() + "\r\n"))
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// J04: no method and no spelling of a path reaches anything that is not documented.
func attackJ04(t *testing.T) {
	t.Helper()
	b := setup(t)
	token := "Bearer " + b.token(t, &b.world.Root)
	methods := map[string][]string{}
	for _, call := range documented(t) {
		methods[call.path] = append(methods[call.path], call.method)
	}
	// PUT and PATCH of a conversation are one call; GET of the stream upgrades.
	for path, has := range methods {
		for _, method := range []string{"TRACE", "TRACK", "CONNECT", "FOO", "PROPFIND", "get", "GET", "POST", "PUT", "PATCH", "DELETE"} {
			if slices.Contains(has, method) {
				continue
			}
			status := b.raw(t, method, path, "Authorization", token, "X-HTTP-Method-Override", has[0], "X-HTTP-Method", has[0],
				"X-Method-Override", has[0])
			require.Contains(t, []int{400, 404, 405, 501}, status, method+" "+path)
		}
		tail := strings.TrimPrefix(path, v1)
		for _, target := range []string{
			"/" + path, v1 + "/" + tail, "/api//v1" + tail, path + "/", path + "//", v1 + "/%2e%2e/v1" + tail, v1 + "/x/../" + tail[1:],
			v1 + "/%2e" + tail, v1 + "/.%2e/v1" + tail,
			v1 + "/%252e%252e/v1" + tail, v1 + strings.Replace(tail, "/", "%2f", 1), v1 + strings.ReplaceAll(tail, "/", "%252f"),
			strings.ReplaceAll(path, "/", "\\"),
			"/API/v1" + tail, strings.ToUpper(path), path + "%00", path + ";a=b", path + ".json", path + "%20",
		} {
			status := b.raw(t, has[0], target, "Authorization", token)
			require.Contains(t, []int{400, 404, 405, 422}, status, has[0]+" "+target)
		}
	}
	// No page has a path with .. or with an encoded slash.
	for _, page := range []string{
		"/../../etc/passwd", "/assets/../../etc/passwd", "/assets/..%2f..%2fetc/passwd", "/conversations%2Fx",
		"/%252e%252e/etc/passwd",
	} {
		require.Equal(t, 404, b.raw(t, http.MethodGet, page), page)
	}
	// A method that does not exist is answered like any other error of the client.
	for _, method := range []string{"FOO", "get", "PRI", "PROPFIND", strings.Repeat("A", 5000), "A*B"} {
		got := b.send(t, method, me, strings.NewReader("{}"), "Authorization", token)
		require.Equal(t, 405, got.status, method)
		require.Equal(t, "method-not-allowed", got.code(t), method)
		require.NotEmpty(t, got.json(t)["requestId"], method)
		require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"), method)
	}
	called := b.world.Calls()
	for _, call := range called {
		require.Contains(t, []string{"UserByIdentity"}, strings.Fields(call)[0], "no such request did anything")
	}
	// Headers and parameters that name another method or path have no effect.
	override := b.send(t, http.MethodGet, me, http.NoBody, "Authorization", token, "X-HTTP-Method-Override", "DELETE", "X-Original-URL",
		"/admin", "X-Rewrite-URL", "/admin")
	require.Equal(t, 200, override.status)
	c, _ := b.world.AddConversation()
	got := b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/conversations/"+c.ID.String()+"?_method=DELETE", "",
		"X-HTTP-Method-Override", "DELETE")
	require.Equal(t, 405, got.status)
	require.Zero(t, b.world.Count("Delete"))
	for method, path := range map[string]string{"POST": "/", "PUT": "/conversations", "TRACE": "/", "DELETE": "/config.json"} {
		require.Contains(t, []int{404, 405, 501}, b.raw(t, method, path), method+" "+path)
	}
}

// attackJ06: a request whose length can be read in two ways is refused, and nothing after it
// is handled as another request.
func attackJ06(t *testing.T) {
	t.Helper()
	b := setup(t)
	post := "POST " + v1 + "/discourse/conversations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer " +
		b.token(t, &b.world.Owner) + "\r\n"
	hidden := "GET " + me + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	for what, request := range map[string]string{
		"both, the length longer":      "Content-Length: 200\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
		"both, the length shorter":     "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + hidden,
		"both, in other letters":       "CONTENT-length: 5\r\ntransfer-ENCODING: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + hidden,
		"two lengths":                  "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}" + hidden,
		"two lengths that agree":       "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" + hidden,
		"a length with a sign":         "Content-Length: +2\r\n\r\n{}" + hidden,
		"a length below nothing":       "Content-Length: -2\r\n\r\n{}" + hidden,
		"a length of another base":     "Content-Length: 0x2\r\n\r\n{}" + hidden,
		"a length beyond numbers":      "Content-Length: 18446744073709551618\r\n\r\n{}" + hidden,
		"another coding":               "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden,
		"two codings":                  "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + hidden,
		"a blank before the colon":     "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden,
		"a chunk of a negative length": "Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n" + hidden,
		"a chunk beyond numbers":       "Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n" + hidden,
		"a chunk longer than it says":  "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n" + hidden,
		"NUL in a header":              "X-A: a\x00b\r\nContent-Length: 2\r\n\r\n{}" + hidden,
	} {
		conn, err := net.Dial("tcp", b.server.Address())
		require.NoError(t, err)
		_, err = io.WriteString(conn, post+request)
		require.NoError(t, err)
		all, err := io.ReadAll(conn)
		require.NoError(t, err, what)
		require.NoError(t, conn.Close())
		require.Equal(t, 1, strings.Count(string(all), "HTTP/1.1 "), "%s: %s", what, all)
		require.True(t, strings.HasPrefix(string(all), "HTTP/1.1 400 "), "%s: %s", what, all)
	}
	require.Zero(t, b.world.Count("CreateConversation"))
	// Two valid requests on one connection are two requests.
	conn, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	_, err = io.WriteString(conn,
		post+"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"+post+"Connection: close\r\nContent-Length: 2\r\n\r\n{}")
	require.NoError(t, err)
	all, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(all), "HTTP/1.1 201 "), "%s", all)
}

// J05: the headers with which a proxy describes a client are not trusted.
func attackJ05(t *testing.T) {
	t.Helper()
	b := setup(t, func(c *api.Config) { c.Limits.SocketsPerAddress = 1 })
	pretend := []string{
		"X-Forwarded-For", "203.0.113.9", "X-Real-Ip", "203.0.113.9", "Forwarded", "for=203.0.113.9;host=evil.example;proto=https",
		"X-Forwarded-Host", "evil.example",
		"X-Forwarded-Proto", "https", "X-User-Id", "5", "X-User-Uuid", b.world.Root.UUID.String(), "X-Auth-Request-Email", b.world.Root.Email,
		"X-Forwarded-User", b.world.Root.Email, "X-Remote-User", b.world.Root.Email, "Remote-User", b.world.Root.Email, "X-Org-Id", "2",
	}
	b.dial(t)
	got := b.send(t, http.MethodGet, b.streamPath(), http.NoBody, append(append(upgradeHeaders(), pretend...), "Authorization",
		"Bearer "+b.token(t, &b.world.Owner))...)
	require.Equal(t, http.StatusTooManyRequests, got.status, "the address is the address of the connection")
	for _, call := range documented(t) {
		require.Equal(t, http.StatusUnauthorized, b.raw(t, call.method, call.path, pretend...), call.method+" "+call.path)
	}
	got = b.call(t, &b.world.Owner, http.MethodGet, me, "", pretend...)
	require.Equal(t, 200, got.status)
	require.Contains(t, got.body, `"fullName":"owner"`)
	require.Contains(t, got.body, `"isSuperuser":false`)
	_, object := b.world.AddConversation()
	got = b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/displayobjects/"+object.ID.String()+"/presigned-url", "", pretend...)
	require.NotContains(t, got.body, "evil.example")
	require.NotContains(t, b.log.String(), "203.0.113.9")
}
