package integration_test

import (
	"bufio"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/persistence/persistencetest"
)

func attackD01(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	id := anna.create().String()
	for _, route := range []struct{ method, path, field, value, message string }{
		{"POST", "/discourse/user-text", "message", `{"text":""}`, "Please enter a message."},
		{"POST", "/discourse/user-text", "message", `{"text":"` + strings.Repeat("x", 64<<10+1) + `"}`, "The message is too long."},
		{"PATCH", "/discourse/conversations/" + id, "name", `""`, "Please enter a name"},
		{"PATCH", "/discourse/conversations/" + id, "name", `" \u200b\u00a0"`, "Please enter a name"},
		{"PATCH", "/discourse/conversations/" + id, "name", `7`, ""},
		{"PATCH", "/discourse/conversations/" + id, "name", `"a\u0000b"`, ""},
		{"PUT", "/discourse/conversations/" + id + "/favorite", "other", `1`, ""},
		{"POST", "/discourse/conversations/" + id + "/rewind", "message_id", `"x"`, ""},
		{"PATCH", "/user/me/conversations/" + id + "/status", "status", `"deleted"`, ""},
	} {
		body := `{"conversationId":"` + id + `","unknown":[{}],"` + route.field + `":` + route.value + `}`
		p := anna.do(route.method, route.path, body).refused(t, 422)
		require.NotEmpty(t, p.Errors, route.path)
		if route.message != "" {
			require.Equal(t, route.message, p.Errors[0].Message)
		}
		anna.do(route.method, route.path, "{").refused(t, 400)
		anna.do(route.method, route.path, "", "Content-Type", "application/json").refused(t, 422)
	}
	family := "👨‍👩‍👧‍👦"
	var c struct{ Name string }
	anna.do("POST", "/discourse/conversations", map[string]any{"name": strings.Repeat(family, 31)}).into(t, 201, &c)
	require.Equal(t, strings.Repeat(family, 30), c.Name)
	anna.do("PATCH", "/discourse/conversations/"+id, map[string]any{"name": strings.Repeat(family, 100)}).into(t, 200, nil)
	anna.do("PATCH", "/discourse/conversations/"+id, map[string]any{"name": strings.Repeat(family, 101)}).refused(t, 422)
}

func attackD02(t *testing.T, n *node) {
	t.Helper()
	cleo := n.as(t, persistencetest.Cleo)
	for _, query := range []string{
		"page_size=0", "page_size=-1", "page_size=x", "page=0", "page=x", "page=99999999999999999999", "sort=secret",
		"sort=name;drop table conversation", "status=gone", "favorite=maybe",
	} {
		cleo.do("GET", "/discourse/conversations?"+strings.ReplaceAll(query, " ", "%20"), nil).refused(t, 422)
	}
	for range 5 {
		cleo.create()
	}
	type page struct {
		Results    []conversation
		Pagination struct {
			Count          int
			Next, Previous *string
		}
	}
	var all, p page
	cleo.do("GET", "/discourse/conversations?pageSize=1000000000", nil).into(t, 200, &all)
	seen := map[string]bool{}
	next := v1 + "/discourse/conversations?page_size=2&sort=-updated_at"
	for {
		p = page{}
		cleo.do("GET", strings.TrimPrefix(next, v1), nil).into(t, 200, &p)
		for _, c := range p.Results {
			seen[c.ID.String()] = true
		}
		if p.Pagination.Next == nil {
			break
		}
		next = *p.Pagination.Next
	}
	require.NotNil(t, p.Pagination.Previous)
	require.GreaterOrEqual(t, len(seen), 5)
	require.GreaterOrEqual(t, len(all.Results), 5)
}

// attackE09: an upload whose Content-Length is too large is refused, and the server survives
// uploads that break off or stall.
func attackE09(t *testing.T, n *node) {
	t.Helper()
	head := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n"
	upload := func(length int64, body string) int {
		conn, err := net.Dial("tcp", strings.TrimPrefix(n.url, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, err = io.WriteString(conn, "POST "+v1+"/memory/file/datasources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+persistencetest.Anna+
			"\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: "+strconv.FormatInt(length, 10)+"\r\n\r\n"+body)
		require.NoError(t, err)
		if length == int64(len(body))+1000 {
			require.NoError(t, conn.Close())
			return 0
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response.StatusCode
	}
	// The server starts to handle a request when it has received this much of it.
	begun := head + strings.Repeat("a,b\n", 4<<10)
	require.Equal(t, 413, upload(5<<30, begun))
	require.Equal(t, 413, upload(domain.UploadMax+2<<20, begun))
	upload(int64(len(head))+1_000_000+1000, head+strings.Repeat("a,b\n", 250_000))
	n.as(t, persistencetest.Anna).do("GET", "/user/me", nil).into(t, 200, nil)

	// A body that ends before its form is complete, and one that stalls, are answered with an
	// error. Both happen while the real file store copies the file.
	anna := n.as(t, persistencetest.Anna)
	for _, method := range []struct{ name, path string }{
		{"POST", "/memory/file/datasources"}, {"POST", "/memory/file/info"}, {"POST", "/memory/secrets"}, {"PUT", "/memory/datasources/1/file"},
	} {
		cut := anna.do(method.name, method.path, begun, "Content-Type", "multipart/form-data; boundary=b")
		require.Contains(t, []int{400, 403, 404}, cut.status, "%s: %s", method.path, cut.body)
	}
	cut := anna.do("POST", "/memory/file/datasources", begun, "Content-Type", "multipart/form-data; boundary=b").refused(t, 400)
	require.Equal(t, "The upload was cut short", cut.Detail)
	impatient := n.serve(t, api.Limits{UploadsPerHour: -1, UploadStall: 200 * time.Millisecond}, func(c *api.Config) {
		c.Clock = clock.System{}
	})
	conn, err := net.Dial("tcp", strings.TrimPrefix(impatient, "http://"))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, "POST "+v1+"/memory/file/datasources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+persistencetest.Anna+
		"\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n"+begun)
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusRequestTimeout, response.StatusCode)
}

func base64URL(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
