package api_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api"
	"parley.dev/parley/domain"
)

// The committed files must be the files that the code generates: run
// go run ./api/internal/openapigen
func TestOpenAPI_Committed(t *testing.T) {
	t.Parallel()
	spec, err := api.OpenAPI()
	require.NoError(t, err)
	committed, err := os.ReadFile("openapi.json")
	require.NoError(t, err)
	require.Equal(t, string(spec), string(committed))

	catalogue, err := api.ErrorCatalogue()
	require.NoError(t, err)
	committed, err = os.ReadFile("errors.json")
	require.NoError(t, err)
	require.Equal(t, string(catalogue), string(committed))
}

func TestServer_Web(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *api.Config) {
		c.Identity = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, "provider "+r.URL.Path)
		})
	})
	get := func(path string, header ...string) reply {
		return b.send(t, http.MethodGet, path, http.NoBody, header...)
	}

	for _, path := range []string{"/", "/conversations", "/conversations/" + someID, "/index.html", "/apixyz"} {
		page := get(path)
		require.Equal(t, 200, page.status, path)
		require.Contains(t, page.body, "<title>Parley</title>")
		require.Equal(t, "text/html; charset=utf-8", page.header.Get("Content-Type"))
		require.Equal(t, "no-cache", page.header.Get("Cache-Control"))
		nonce := regexp.MustCompile(`nonce="([A-Z2-7]{26})"`).FindStringSubmatch(page.body)
		require.Len(t, nonce, 2)
		require.Contains(t, page.header.Get("Content-Security-Policy"), "'nonce-"+nonce[1]+"'")
		require.NotContains(t, page.header.Get("Content-Security-Policy"), "unsafe-inline")
		require.NotContains(t, get(path).body, nonce[1])
		require.Empty(t, page.header.Get("ETag"))
	}
	for _, path := range []string{"/missing.js", "/assets/missing.js", "/favicon.ico", "/api/nothing", "/dexter.js"} {
		require.Equal(t, 404, get(path).status, path)
	}
	file := get("/assets/app-1a2b.js", "Accept-Encoding", "gzip")
	require.Equal(t, "public, max-age=31536000, immutable", file.header.Get("Cache-Control"))
	require.Equal(t, "gzip", file.header.Get("Content-Encoding"))
	unzipped, err := gzip.NewReader(strings.NewReader(file.body))
	require.NoError(t, err)
	content, err := io.ReadAll(unzipped)
	require.NoError(t, err)
	require.Contains(t, string(content), "answer = 42")
	require.Contains(t, get("/assets/app-1a2b.js", "Accept-Encoding", "identity").body, "answer = 42")
	require.Equal(t, 304, get("/assets/app-1a2b.js", "Accept-Encoding", "gzip", "If-None-Match", file.header.Get("ETag")).status)
	sheet := func(accepted string) (encoding, etag string) {
		got := get("/assets/small-1a2b.css", "Accept-Encoding", accepted)
		require.Equal(t, "Accept-Encoding", got.header.Get("Vary"), accepted)
		return got.header.Get("Content-Encoding"), got.header.Get("ETag")
	}
	for accepted, want := range map[string]string{
		"gzip, deflate, br, zstd": "br", "br;q=1.0, gzip;q=0.8": "br", "br;q=0, gzip": "gzip", "brotli, gzip": "gzip", "identity": "", "*": "",
	} {
		encoding, etag := sheet(accepted)
		require.Equal(t, want, encoding, accepted)
		require.Equal(t, 304, get("/assets/small-1a2b.css", "Accept-Encoding", accepted, "If-None-Match", etag).status)
	}
	require.Equal(t, "compressed by the build", get("/assets/small-1a2b.css", "Accept-Encoding", "br").body)
	require.Equal(t, 404, get("/assets/small-1a2b.css.br").status)

	config := get("/config.json")
	require.Contains(t, config.body, `"authority":"`+b.issuer.url+`"`)
	require.Contains(t, config.body, `"clientId":"parley-web"`)
	require.Equal(t, "no-cache", config.header.Get("Cache-Control"))
	require.Equal(t, "provider /dex/auth", get("/dex/auth?x=1").body)
	require.Equal(t, "application/vnd.oai.openapi+json", get("/api/v1/openapi.json").header.Get("Content-Type"))
	require.Equal(t, 401, get("/api/v1/docs").status)
	require.NotContains(t, get("/api/v1/openapi.json").body, "$schema")
}

func TestServer_Operator(t *testing.T) {
	t.Parallel()
	var broken error
	note := ""
	b := setup(t, func(c *api.Config) {
		c.Ready = []api.ReadyCheck{{Name: "database", Check: func(context.Context) error { return broken }, Note: func() string { return note }}}
	})
	operator := "http://" + b.server.OperatorAddress()
	get := func(path string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, operator+path, http.NoBody)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		content, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(content)
	}
	status, _ := get("/healthz")
	require.Equal(t, 200, status)
	status, _ = get("/readyz")
	require.Equal(t, 200, status)
	note = "slow"
	status, body := get("/readyz")
	require.Equal(t, 200, status, "a note does not make the check fail")
	require.JSONEq(t, `{"status":"ok","database":"slow"}`, body)
	broken = errors.New("password=secret refused")
	status, body = get("/readyz")
	require.Equal(t, 503, status)
	require.Contains(t, body, `"database":"failed"`)
	require.NotContains(t, body, "secret")
	status, _ = get("/healthz")
	require.Equal(t, 200, status)

	b.call(t, &b.world.Owner, http.MethodGet, "/api/v1/discourse/conversations/"+someID, "")
	_, body = get("/metrics")
	require.Contains(t, body, `parley_http_requests_total{method="GET",route="/api/v1/discourse/conversations/:id",status="404"} 1`)
	require.NotContains(t, body, someID)
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		// From outside the path is a page of the application, or does not exist.
		require.NotContains(t, b.send(t, http.MethodGet, path, http.NoBody).body, "parley_http")
	}
}

func TestServer_Profiles(t *testing.T) {
	t.Parallel()
	status := func(b *bundle, path string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+b.server.OperatorAddress()+path, http.NoBody)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}
	on := setup(t, func(c *api.Config) { c.Profiling = true })
	require.Equal(t, 200, status(on, "/debug/pprof/"))
	require.Equal(t, 200, status(on, "/debug/pprof/heap"))
	require.Equal(t, 404, status(on, "/debug/pprof/cmdline"), "it may hold a password")
	require.Equal(t, 404, status(setup(t, func(*api.Config) {}), "/debug/pprof/heap"), "off unless asked for")
	require.NotContains(t, on.send(t, http.MethodGet, "/debug/pprof/heap", http.NoBody).header.Get("Content-Type"), "octet-stream")
}

// panicking breaks one call.
type panicking struct{ domain.ConversationService }

func (panicking) Running(context.Context, domain.Caller) ([]domain.Conversation, error) {
	panic("secret: postgres://user:password@host")
}

func TestServer_Faults(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *api.Config) { c.Conversations = panicking{c.Conversations} })
	got := b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/conversations/running", "")
	require.Equal(t, 500, got.status)
	require.Equal(t, "I500", got.code(t))
	require.NotContains(t, got.body, "secret")
	require.Contains(t, b.log.String(), got.header.Get("X-Request-Id"))

	b.world.Fail("ConversationAs", domain.Internal(errors.New("SELECT secret FROM conversation"), "reading a conversation"))
	got = b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/conversations/"+someID, "")
	require.Equal(t, 500, got.status)
	require.NotContains(t, got.body, "reading")
	require.NotContains(t, got.body, "secret")
	b.world.Fail("ConversationAs", errors.New("some text"))
	require.NotContains(t, b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/conversations/"+someID, "").body, "some text")

	for code, status := range map[domain.Code]int{
		domain.CodeConflict: 409, domain.CodeUnavailable: 503, domain.CodeFenced: 503, domain.CodeTooMany: 429, domain.CodeUnauthenticated: 401,
	} {
		b.world.Fail("TouchSession", domain.Errorf(code, "as said"))
		got = b.call(t, &b.world.Owner, http.MethodPost, v1+"/user/me/keep-alive", "")
		require.Equal(t, status, got.status)
		require.Equal(t, code != domain.CodeFenced, strings.Contains(got.body, "as said"))
		require.Equal(t, status == 503 || status == 429, got.header.Get("Retry-After") != "")
	}
}

// A body that is not read must not be handled as the next request.
func TestServer_UnreadBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	smuggled := "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
	padding := strings.Repeat(" ", 9<<10)
	_, err = fmt.Fprintf(conn, "POST /api/v1/user/me/keep-alive HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(padding+smuggled),
		padding+smuggled)
	require.NoError(t, err)
	answer, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.Contains(t, string(answer), "401")
	require.Contains(t, string(answer), "Connection: close")
	require.Equal(t, 1, strings.Count(string(answer), "HTTP/1.1"))
}

// A client whose connection breaks in the middle of a request is not an error of the server:
// otherwise any client could fill its log with such errors, without a bearer.
func TestServer_BrokenRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	// The first request was answered, so the server is reading from the connection when it
	// breaks.
	_, err = fmt.Fprint(conn, "GET /config.json HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	_, err = fmt.Fprint(conn, "GET /config.json HTTP/1.1\r\nHo")
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).SetLinger(0)) // closing resets it
	require.NoError(t, conn.Close())
	require.Eventually(t, func() bool {
		return strings.Contains(b.log.String(), "request could not be read") || strings.Contains(b.log.String(), "request failed")
	},
		time.Minute, time.Millisecond)
	require.NotContains(t, b.log.String(), `"level":"ERROR"`)
}

func TestStream_Pong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, end := b.dial(t)
	require.Equal(t, b.world.Owner.Caller(), end.Request.Caller)
	require.WithinDuration(t, b.clock.Now().Add(time.Hour), end.Request.Deadline, time.Second)
	pinger, ok := end.Request.Sink.(interface{ Ping() error })
	require.True(t, ok)
	_, ok = end.Request.Sink.(interface{ WriteAt([][]byte, []byte) error })
	require.False(t, ok)
	require.NoError(t, pinger.Ping())
	require.NoError(t, end.Request.Sink.Write([][]byte{
		[]byte(`{"a":1}`), []byte(`{"b":"` + strings.Repeat("x", 70_000) + `"}`),
		[]byte(`{"c":"` + strings.Repeat("y", 200) + `"}`),
	}))
	for _, length := range []int{7, 70_008, 208} {
		kind, text, err := conn.ReadMessage() // also answers the ping
		require.NoError(t, err)
		require.Equal(t, websocket.TextMessage, kind)
		require.Len(t, text, length)
	}
	<-end.Pongs
	// A ping of the client is answered.
	answered := make(chan string, 1)
	conn.SetPongHandler(func(text string) error { answered <- text; return nil })
	require.NoError(t, conn.WriteMessage(websocket.PingMessage, []byte("hi")))
	read := make(chan error, 1)
	go func() {
		_, _, err := conn.ReadMessage() // also handles pongs
		read <- err
	}()
	require.Equal(t, "hi", <-answered)
	require.NoError(t, end.Request.Sink.Write([][]byte{[]byte("{}")}))
	require.NoError(t, <-read)

	require.NoError(t, conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(1001, "going")))
	requireClose(t, conn, 1001)
	require.Equal(t, 1001, (<-end.Closed).Code)
	require.Error(t, end.Request.Sink.Write([][]byte{[]byte("{}")}))
}

func TestStream_Refused(t *testing.T) {
	t.Parallel()
	for code, closed := range map[domain.Code]int{
		domain.CodeUnavailable: 4503, domain.CodeTooMany: 4429, domain.CodeUnauthenticated: 4401, domain.CodeInternal: 1011,
		domain.CodeForbidden: 4403,
	} {
		b := setup(t)
		b.streams.Refuse = domain.Errorf(code, "no")
		dialer := websocket.Dialer{Subprotocols: []string{"parley.v1", "bearer." + b.token(t, &b.world.Owner)}}
		conn, response, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(b.url, "http")+b.streamPath(),
			http.Header{"Origin": {origin}})
		require.NoError(t, err)
		_ = response.Body.Close()
		requireClose(t, conn, closed)
		_ = conn.Close()
	}
}

func TestStream_Drain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	conn, end := b.dial(t)
	events := b.events(t, "")
	<-b.streams.Opened
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	drained := make(chan struct{})
	go func() { b.server.Drain(ctx, 0); close(drained) }()
	requireClose(t, conn, 4503)
	require.Equal(t, 1006, (<-end.Closed).Code)
	last, err := io.ReadAll(events.Body)
	require.NoError(t, err)
	require.Contains(t, string(last), "event: close\ndata: {\"code\":4503,\"reason\":\"node draining\"}\n\n")
	require.NoError(t, events.Body.Close())
	<-drained
	require.NoError(t, ctx.Err())
	got := b.send(t, http.MethodGet, b.streamPath(), http.NoBody,
		append(upgradeHeaders(), "Authorization", "Bearer "+b.token(t, &b.world.Owner))...)
	require.Equal(t, http.StatusServiceUnavailable, got.status)
}

// events opens a stream of server-sent events.
func (b *bundle) events(t *testing.T, query string, header ...string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+b.streamPath()+query, http.NoBody)
	require.NoError(t, err)
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Authorization", "Bearer "+b.token(t, &b.world.Owner))
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func TestStream_Events(t *testing.T) {
	t.Parallel()
	b := setup(t)
	held, more := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	seq := int64(118)
	cursor, err := json.Marshal(protocol.ClientCursor{
		User:          &seq,
		Conversations: map[uuid.UUID]protocol.ConversationCursor{held: {Seq: 45, Generation: 3}},
	})
	require.NoError(t, err)
	response := b.events(t, "?conversations="+held.String()+","+more.String(), "Last-Event-ID", base64.RawURLEncoding.EncodeToString(cursor))
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
	require.NotEmpty(t, response.Header.Get("Content-Security-Policy"))

	end := <-b.streams.Opened
	require.True(t, end.Request.SSE)
	require.Equal(t, seq, *end.Request.Cursor.User)
	require.Equal(t, map[uuid.UUID]protocol.ConversationCursor{held: {Seq: 45, Generation: 3}, more: {}}, end.Request.Cursor.Conversations)
	sink, ok := end.Request.Sink.(interface {
		WriteAt(frames [][]byte, cursor []byte) error
	})
	require.True(t, ok)
	_, ok = end.Request.Sink.(interface{ Ping() error })
	require.False(t, ok)

	// Each write arrives at once, not only when a buffer is full.
	lines := bufio.NewReader(response.Body)
	next := func() string {
		var event strings.Builder
		for {
			line, err := lines.ReadString('\n')
			require.NoError(t, err)
			if line == "\n" {
				return event.String()
			}
			event.WriteString(line)
		}
	}
	require.Equal(t, "retry: 3000\n", next())
	require.NoError(t, sink.WriteAt([][]byte{[]byte(`{"a":1}`), []byte(`{"b":2}`)}, cursor))
	require.Equal(t, "data: {\"a\":1}\n", next())
	require.Equal(t, "id: "+base64.RawURLEncoding.EncodeToString(cursor)+"\ndata: {\"b\":2}\n", next())
	require.NoError(t, end.Request.Sink.Write([][]byte{[]byte(`{"type":"keep-alive"}`)}))
	require.Equal(t, "data: {\"type\":\"keep-alive\"}\n", next())

	require.NoError(t, response.Body.Close())
	require.Equal(t, 1006, (<-end.Closed).Code)

	for _, bad := range [][2]string{
		{"?conversations=x", ""},
		{"", "!!"},
		{"", base64.RawURLEncoding.EncodeToString([]byte(`{"user":"x"}`))},
		{"", strings.Repeat("A", 15<<10)},
		{"?conversations=" + strings.Repeat(held.String()+",", 1) + manyIDs(201), ""},
	} {
		require.Equal(t, 422, b.events(t, bad[0], "Last-Event-ID", bad[1]).StatusCode) //nolint:bodyclose // events closes it
	}
	require.Equal(t, 403, b.events(t, "", "Origin", "https://evil.example").StatusCode) //nolint:bodyclose // as above
}

func manyIDs(n int) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = uuid.NewString()
	}
	return strings.Join(ids, ",")
}
