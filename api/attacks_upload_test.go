package api_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// formOf makes a multipart body with one file and other fields.
func formOf(t *testing.T, field, fileName, content string, others ...string) (*bytes.Buffer, string) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := 0; i+1 < len(others); i += 2 {
		require.NoError(t, w.WriteField(others[i], others[i+1]))
	}
	part, err := w.CreateFormFile(field, fileName)
	require.NoError(t, err)
	_, err = part.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return &body, w.FormDataContentType()
}

// fieldsOf makes a multipart body without a file.
func fieldsOf(t *testing.T, fields ...string) (*bytes.Buffer, string) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := 0; i+1 < len(fields); i += 2 {
		require.NoError(t, w.WriteField(fields[i], fields[i+1]))
	}
	require.NoError(t, w.Close())
	return &body, w.FormDataContentType()
}

func (b *bundle) upload(t *testing.T, path string, body io.Reader, kind string, header ...string) reply {
	t.Helper()
	return b.send(t, http.MethodPost, v1+path, body, append(header, "Content-Type", kind, "Authorization",
		"Bearer "+b.token(t, &b.world.Owner))...)
}

func attackE05(t *testing.T) {
	t.Helper()
	b := setup(t, func(c *api.Config) { c.Limits.UploadsPerHour = -1 })
	for sent, shown := range map[string]string{
		"../../etc/x.csv": "x.csv", `..\..\x.csv`: "x.csv", "CON.csv": "CON.csv",
		strings.Repeat("ä", 150) + ".csv": strings.Repeat("ä", 125) + ".csv", "": "file", "..": "file", "\u202evsc.csv": "vsc.csv",
		"a\x00.csv": "a.csv",
	} {
		// The header is written without a library, which would escape the characters that are
		// tried here.
		boundary := "b0undary"
		escaped := strings.NewReplacer("\r", "%0D", "\n", "%0A").Replace(sent)
		disposition := `form-data; name="file"; filename="` + strings.NewReplacer(`\`, `\\`, "\x00", "%00").Replace(escaped) + `"`
		if strings.ContainsAny(sent, "\r\n\x00") {
			disposition = `form-data; name="file"; filename*=UTF-8''` + strings.NewReplacer("\r", "%0D", "\n", "%0A", "\x00", "%00", " ", "%20",
				":", "%3A").Replace(sent)
		}
		body := "--" + boundary + "\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\nD\r\n--" + boundary +
			"\r\nContent-Disposition: " + disposition + "\r\n\r\na,b\n1,2\n\r\n--" + boundary + "--\r\n"
		got := b.upload(t, "/memory/file/datasources", strings.NewReader(body), "multipart/form-data; boundary="+boundary)
		require.Equal(t, 201, got.status, "%q %s", sent, got.body)
		made, ok := b.world.Asked("CreateDataSource").(domain.NewDataSource)
		require.True(t, ok)
		require.Equal(t, shown, made.FileName, "%q", sent)
		require.Empty(t, got.header.Get("X-Evil"))
	}
	for _, key := range b.files.Keys() {
		require.Regexp(t, `^(uploads|prepared)/1/[0-9a-f-]{36}$`, key)
	}
	for sent, text := range map[string]string{
		"<img>.csv": "The name cannot contain special characters", "a%0D%0AX-Evil: 1.csv": "The name cannot contain special characters",
		"a..b.csv": "The name cannot contain special characters", "sales & co.csv": "The name cannot contain special characters",
		".csv": "File name cannot be empty", "  .csv": "File name cannot be empty",
	} {
		body, kind := formOf(t, "file", sent, "a,b\n1,2\n", "name", " ", "delimiter", "::", "scope", "world")
		got := b.upload(t, "/memory/file/datasources", body, kind)
		require.Equal(t, 422, got.status)
		for field, message := range map[string]string{
			"file": text, "name": "Please enter a valid name", "description": "Please enter a valid description",
			"delimiter": "The delimiter must be one character, or auto", "scope": "The scope must be user, conversation or organization",
		} {
			require.Contains(t, got.body, `{"field":"`+field+`","message":"`+message+`"}`, "all fields are checked at once")
		}
	}
	// A file can be inspected whatever its name is: the name is edited before the file is
	// stored.
	for _, sent := range []string{
		"sales-2025.csv", "Q1 & Q2.csv", "<img>.csv", ".csv", "a..b.csv", strings.Repeat("ä", 300) + ".csv",
		"a%0D%0AX-Evil: 1.csv",
	} {
		body, kind := formOf(t, "file", sent, "a,b\n1,2\n")
		got := b.upload(t, "/memory/file/info", body, kind)
		require.Equal(t, 200, got.status, "%q %s", sent, got.body)
		require.Empty(t, got.header.Get("X-Evil"))
		require.NotContains(t, got.body, "<img>")
	}
	for field, text := range map[string]string{"name": "Please enter a valid name", "description": "Please enter a valid description"} {
		for _, value := range []string{"", " ", strings.Repeat("x", 5001)} {
			body, kind := formOf(t, "file", "a.csv", "a,b\n1,2\n", field, value)
			got := b.upload(t, "/memory/file/datasources", body, kind)
			require.Equal(t, 422, got.status)
			require.Contains(t, got.body, `{"field":"`+field+`","message":"`+text+`"}`)
		}
	}
}

func attackE07(t *testing.T) {
	t.Helper()
	b := setup(t, func(c *api.Config) { c.Limits.UploadsPerHour = -1 })
	for what, row := range map[string]struct {
		name, content string
		status        int
	}{
		"html named csv": {"a.csv", "<!DOCTYPE html><script>alert(1)</script>", 415},
		"exe named csv":  {"a.csv", "MZ\x90\x00\x03", 415},
		"elf":            {"a.csv", "\x7fELF\x02\x01\x01\x00\x00", 415},
		"gif and js":     {"a.csv", "GIF89a/*", 415},
		"pdf and zip":    {"a.csv", "%PDF-1.7\nPK\x03\x04", 415},
		"zip":            {"a.csv", "PK\x03\x04\x14\x00", 415},
		"exe named xlsx": {"a.xlsx", "MZ\x90\x00", 415},
		"html as xlsx":   {"a.xlsx", "<html><table><tr><td>1", 415},
		"zip as xlsx":    {"a.xlsx", "PK\x03\x04\x14\x00", 422},
		"bytes as xlsx":  {"a.xlsx", strings.Repeat("\x01\x02\x03a", 500), 422},
		"csv as xlsx":    {"a.xlsx", "a,b\n1,2\n", 200},
		"docx":           {"a.docx", "a,b\n", 415},
		"no content":     {"a.csv", "", 422},
		"unreadable":     {"a.csv", "broken,\n", 422},
		"csv":            {"a.csv", "a,<script>\n1,2\n", 200},
	} {
		body, kind := formOf(t, "file", row.name, row.content)
		got := b.upload(t, "/memory/file/info", body, kind)
		require.Equal(t, row.status, got.status, what)
		if row.status == 415 {
			require.Equal(t, "Error: Unsupported file type. Please upload a valid file format.", got.json(t)["detail"])
		}
		body, kind = formOf(t, "file", row.name, row.content, "description", "D")
		require.Equal(t, row.status >= 400, b.upload(t, "/memory/file/datasources", body, kind).status >= 400, what)
	}
	require.Equal(t, 2, b.world.Count("CreateDataSource"))
	require.Empty(t, b.world.Held(), "files of refused requests are released")
	require.Equal(t, 415, b.upload(t, "/memory/file/info", strings.NewReader("a,b"), "text/csv").status)
	require.Equal(t, 415, b.upload(t, "/memory/file/info", strings.NewReader("a,b"), "multipart/form-data").status)
	body, kind := formOf(t, "other", "a.csv", "a,b\n")
	got := b.upload(t, "/memory/file/info", body, kind)
	require.Equal(t, 422, got.status)
	require.Contains(t, got.body, `{"field":"file","message":"Please select a file"}`)
}

func attackE09(t *testing.T) {
	t.Helper()
	b := setup(t, func(c *api.Config) { c.Limits.UploadsPerHour, c.Limits.ReadTime = 4, time.Hour })
	bearer := "Bearer " + b.token(t, &b.world.Owner)

	// A length of 5 GB is refused before anything is sent.
	conn, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "POST %s/memory/file/datasources HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: "+
		"multipart/form-data; boundary=b\r\n"+
		"Content-Length: 5368709120\r\n\r\n--b\r\n%s", v1, bearer, strings.Repeat("x", 16<<10))
	require.NoError(t, err)
	line, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "413")

	// A request whose client waits for an answer before it continues is also refused, long
	// before the end of the hour in which a request must arrive.
	for sent, status := range map[string]string{"--b\r\n": "413", "": "408"} {
		waiting, err := net.Dial("tcp", b.server.Address())
		require.NoError(t, err)
		defer func() { _ = waiting.Close() }()
		require.NoError(t, waiting.SetDeadline(time.Now().Add(time.Minute))) //nolint:forbidigo // the kernel's clock
		_, err = fmt.Fprintf(waiting, "POST %s/memory/file/datasources HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: "+
			"multipart/form-data; boundary=b\r\n"+
			"Content-Length: 5368709120\r\n\r\n%s", v1, bearer, sent)
		require.NoError(t, err)
		line, err = bufio.NewReader(waiting).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, status)
	}

	// A body of unknown length is refused when it exceeds the limit.
	head := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\na,b\n"
	endless := io.MultiReader(strings.NewReader(head), io.LimitReader(zeros{}, domain.UploadMax+1))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+v1+"/memory/file/datasources", endless)
	require.NoError(t, err)
	request.Header.Set("Authorization", bearer)
	request.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.Equal(t, 413, response.StatusCode)
	_ = response.Body.Close()
	require.Empty(t, b.world.Held())

	// The upload is cut at 99 %: the connection ends and no file is left.
	cut, err := net.Dial("tcp", b.server.Address())
	require.NoError(t, err)
	body := head + "1,2\n"
	_, err = fmt.Fprintf(cut, "POST %s/memory/file/datasources HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\nContent-Type: "+
		"multipart/form-data; boundary=b\r\n"+
		"Content-Length: %d\r\n\r\n%s", v1, bearer, len(body)+10_000, body)
	require.NoError(t, err)
	require.NoError(t, cut.(*net.TCPConn).CloseWrite())
	_, err = io.ReadAll(cut)
	require.NoError(t, err)
	_ = cut.Close()
	require.Empty(t, b.world.Held())
	require.Zero(t, b.world.Count("CreateDataSource"))

	// This is the quota of uploads per hour.
	form, kind := formOf(t, "file", "a.csv", "a,b\n1,2\n")
	for range 3 {
		b.upload(t, "/memory/file/info", bytes.NewReader(form.Bytes()), kind)
	}
	got := b.upload(t, "/memory/file/info", form, kind)
	require.Equal(t, 429, got.status)
	require.NotEmpty(t, got.header.Get("Retry-After"))

	stalled := setup(t, func(c *api.Config) {
		c.Clock, c.Limits.UploadStall = clock.System{}, 50*time.Millisecond
	})
	conn, err = net.Dial("tcp", stalled.server.Address())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "POST %s/memory/file/datasources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: "+
		"multipart/form-data; boundary=b\r\n"+
		"Content-Length: 100000\r\n\r\n%s%s", v1, stalled.token(t, &stalled.world.Owner), head, strings.Repeat("1,2\n", 4<<10))
	require.NoError(t, err)
	line, err = bufio.NewReader(conn).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "408")
	require.Empty(t, stalled.world.Held())
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '0'
	}
	return len(b), nil
}

func attackE16(t *testing.T) {
	t.Helper()
	b := setup(t)
	_, object := b.world.AddConversation()
	b.files.Set(object.FileKey, []byte(strings.Repeat("0123456789", 30)))
	get := func(spec string) reply {
		return b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/displayobjects/"+object.ID.String()+"/content", "", "Range", spec)
	}
	for spec, row := range map[string]struct {
		status, length int
		contentRange   string
	}{
		"Bytes=0-9": {206, 10, "bytes 0-9/300"}, "bytes=0-200": {206, 201, "bytes 0-200/300"}, "bytes=0-": {206, 201, "bytes 0-200/300"},
		"bytes=-5":       {206, 5, "bytes 295-299/300"},
		"bytes=290-9999": {206, 10, "bytes 290-299/300"}, "bytes=-9999": {206, 201, "bytes 0-200/300"}, "lines=1-2": {200, 300, ""},
	} {
		got := get(spec)
		require.Equal(t, row.status, got.status, spec)
		require.Len(t, got.body, row.length, spec)
		require.Equal(t, row.contentRange, got.header.Get("Content-Range"))
	}
	for _, spec := range []string{
		"bytes=300-", "bytes=5-1", "bytes=a-b", "bytes=--5", "bytes=", "bytes=-", "bytes=-0", "bytes=0-1" + strings.Repeat(",0-1", 99),
		"bytes=99999999999999999999-",
	} {
		got := get(spec)
		require.Equal(t, 416, got.status, spec)
		require.Equal(t, "bytes */300", got.header.Get("Content-Range"), spec)
	}
}

func attackE17(t *testing.T) {
	t.Helper()
	b := setup(t)
	upload := func(content, key string) reply {
		body, kind := formOf(t, "file", "sales.csv", content, "name", "Sales", "description", "D", "scope", "user", "delimiter", "auto")
		// The boundary differs each time: the key depends on the content, not on its form.
		return b.upload(t, "/memory/file/datasources", body, kind, "Idempotency-Key", key)
	}
	key := func(content, key string) domain.IdempotencyKey {
		got := upload(content, key)
		require.Equal(t, 201, got.status, got.body)
		made, ok := b.world.Asked("CreateDataSource").(domain.NewDataSource)
		require.True(t, ok)
		return made.Key
	}
	first := key("a,b\n1,2\n", "k")
	require.Equal(t, "k", first.Key)
	require.Equal(t, first, key("a,b\n1,2\n", "k"))
	require.NotEqual(t, first.Body, key("a,b\n3,4\n", "k").Body, "a different file is a different request")
	require.Empty(t, b.world.Held(), "a file that was sent again is released")
	b.world.Fail("CreateDataSource", domain.Invalid("Idempotency-Key", "The key was used for another request"))
	require.Equal(t, 422, upload("a,b\n3,4\n", "k").status)
	require.Empty(t, b.world.Held())
}
