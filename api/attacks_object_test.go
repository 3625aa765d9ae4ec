package api_test

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/domain"
)

// room is a quota in bytes, the same for every person; 0 means full.
type room int64

func (r room) UploadRoom(_ context.Context, _ domain.Caller, key string, replaced int64) (int64, error) {
	if key == "repeated" {
		return domain.UploadMax, nil
	}
	r += room(replaced)
	if r == 0 {
		return 0, domain.Errorf(domain.CodeTooLarge, "Your connectors hold 5 of 5 MB.")
	}
	return int64(r), nil
}

func attackE09Quota(t *testing.T) {
	t.Helper()
	for what, row := range map[string]struct {
		room   room
		status int
		says   string
	}{
		"full":          {0, 413, "Your connectors hold 5 of 5 MB."},
		"does not fit":  {1 << 20, 413, "The file does not fit: 1.0 MB are left"},
		"fits just":     {2<<20 + 8, 201, ""},
		"is cut by one": {2<<20 + 7, 413, "The file does not fit"},
	} {
		b := setup(t, func(c *api.Config) { c.Limits.UploadsPerHour = -1 })
		b.quota.Store(&row.room)
		body, kind := formOf(t, "file", "a.csv", "a,b\n1,2\n"+strings.Repeat("1,2\n", 1<<19), "description", "D")
		got := b.upload(t, "/memory/file/datasources", body, kind)
		require.Equal(t, row.status, got.status, what+got.body)
		require.Contains(t, got.body, row.says)
		if row.status >= 400 {
			require.Equal(t, "too-large", got.code(t))
			require.Empty(t, b.world.Held(), "no file is left")
			// A request that was executed and is repeated for its answer needs no room.
			body, kind = formOf(t, "file", "a.csv", "a,b\n1,2\n"+strings.Repeat("1,2\n", 1<<19), "description", "D")
			got = b.upload(t, "/memory/file/datasources", body, kind, "Idempotency-Key", "repeated")
			require.Equal(t, 201, got.status, what+got.body)
		}
	}
}

// attackE09InPlace: even without room a file may replace one of the same size.
func attackE09InPlace(t *testing.T) {
	t.Helper()
	b := setup(t, func(c *api.Config) { c.Limits.UploadsPerHour = -1 })
	b.quota.Store(new(room))
	d := b.world.AddSource(b.files, domain.DataSourceCSV)
	for content, status := range map[string]int{strings.Repeat("x", int(d.Size)): 200, strings.Repeat("x", int(d.Size)+1): 413} {
		body, kind := formOf(t, "file", "a.csv", content)
		got := b.send(t, http.MethodPut, v1+"/memory/datasources/"+strconv.FormatInt(d.ID, 10)+"/file", body, "Content-Type", kind,
			"Authorization", "Bearer "+b.token(t, &b.world.Owner))
		require.Equal(t, status, got.status, got.body)
	}
}

// shouting is an exporter that writes the name of the format, and the content in capitals.
type shouting struct{}

func (shouting) Formats() []string { return []string{"json", "xlsx"} }

func (shouting) Export(_ context.Context, path, format string, _ []domain.ShownColumn, out string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if strings.HasPrefix(string(content), "broken") {
		return domain.Errorf(domain.CodeTooLarge, "A sheet of Excel holds 1048575 rows")
	}
	return os.WriteFile(out, []byte(format+":"+strings.ToUpper(string(content))), 0o600)
}

// attackE12 has the part of the API: formats, names and ranges. The content of the cells is
// tested where it is written.
func attackE12(t *testing.T) {
	t.Helper()
	b := setup(t, func(c *api.Config) { c.Exporter = shouting{} })
	_, object := b.world.AddConversation()
	b.files.Set(object.FileKey, []byte("region,n\nnorth,1\n"))
	content := v1 + "/discourse/displayobjects/" + object.ID.String() + "/content"
	get := func(query string, header ...string) reply {
		return b.call(t, &b.world.Reader, http.MethodGet, content+query, "", header...)
	}
	named := func(name string, kind domain.DisplayObjectType) {
		b.world.ChangeObject(object.ID, func(o *domain.DisplayObject) { o.Name, o.Type = name, kind })
	}
	disposition := func(r reply) string { return r.header.Get("Content-Disposition") }

	got := get("?format=xlsx")
	require.Equal(t, 200, got.status, got.body)
	require.Equal(t, "xlsx:REGION,N\nNORTH,1\n", got.body)
	require.Equal(t, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", got.header.Get("Content-Type"))
	require.Equal(t, `attachment; filename="sales by region.xlsx"`, disposition(got))
	require.Equal(t, "application/json", get("?format=JSON").header.Get("Content-Type"))
	part := get("?format=xlsx", "Range", "bytes=5-10")
	require.Equal(t, 206, part.status)
	require.Equal(t, "REGION", part.body)
	require.Equal(t, 416, get("?format=xlsx", "Range", "bytes=900-").status)
	require.Equal(t, 404, b.call(t, &b.world.Stranger, http.MethodGet, content+"?format=xlsx", "").status)
	left, err := os.ReadDir(b.temp)
	require.NoError(t, err)
	require.Empty(t, left, "a file that was made for a download is removed with it")

	// A link returns the format for which it was made.
	link, ok := b.call(t, &b.world.Reader, http.MethodGet, strings.TrimSuffix(content, "content")+"presigned-url?format=xlsx",
		"").json(t)["url"].(string)
	require.True(t, ok)
	require.Equal(t, "xlsx:REGION,N\nNORTH,1\n", b.send(t, http.MethodGet, link, http.NoBody).body)

	for _, bad := range []string{"hyper", "pptx", "xls", "html", "../x", "%00"} {
		got := get("?format=" + bad)
		require.Equal(t, 422, got.status, bad)
		if bad != "%00" {
			require.Contains(t, got.body, "currently not supported. This object comes as csv, json, xlsx.")
		}
	}
	for sent, want := range map[string]string{
		"Q1.2025":                    `attachment; filename="Q1.2025.csv"`,
		"Report.CSV":                 `attachment; filename="Report.CSV"`,
		"Umsatz März":                `attachment; filename="Umsatz M_rz.csv"; filename*=UTF-8''Umsatz%20M%C3%A4rz.csv`,
		"a\"; filename=\"x.exe":      `attachment; filename="a_; filename=_x.exe.csv"`,
		"a\r\nSet-Cookie: x":         `attachment; filename="a__Set-Cookie_ x.csv"`,
		"../../etc/passwd":           `attachment; filename=".._.._etc_passwd.csv"`,
		"\u202egnp.csv":              `attachment; filename="_gnp.csv"`,
		strings.Repeat("\u200b", 10): `attachment; filename="` + object.ID.String() + `.csv"`,
	} {
		named(sent, domain.DisplayCSV)
		got := get("")
		require.Equal(t, want, disposition(got), "%q", sent)
		require.Empty(t, got.header.Get("Set-Cookie"))
	}
	named("table.csv", domain.DisplayCSV)
	require.Equal(t, `attachment; filename="table.xlsx"`, disposition(get("?format=xlsx")))
	named("chart", domain.DisplayHighcharts)
	require.Equal(t, `attachment; filename="chart.json"`, disposition(get("?format=json")))
	require.Contains(t, get("?format=xlsx").body, "This object comes as json.")
	named("table", domain.DisplayCSV)
	b.files.Set(object.FileKey, []byte("broken"))
	require.Equal(t, 413, get("?format=xlsx").status)
}

func attackE14(t *testing.T) {
	t.Helper()
	b := setup(t, func(c *api.Config) { c.Limits.UploadsPerHour = -1 })
	_, object := b.world.AddConversation()
	b.files.Set(object.FileKey, []byte("region,n\nnorth,1\n"))
	create := func(user *domain.User, id, key string, more ...string) reply {
		body, kind := fieldsOf(t, append([]string{"display_object_id", id, "description", "D"}, more...)...)
		return b.send(t, http.MethodPost, v1+"/memory/file/datasources", body, "Content-Type", kind, "Authorization",
			"Bearer "+b.token(t, user), "Idempotency-Key", key)
	}
	id := object.ID.String()
	for _, user := range []*domain.User{&b.world.Stranger, &b.world.Foreigner} {
		require.Equal(t, 404, create(user, id, "x").status)
	}
	for _, unknown := range []string{uuid.NewString(), "x", "../" + id} {
		require.Equal(t, 404, create(&b.world.Owner, unknown, "x").status, unknown)
	}
	require.Empty(t, b.world.Held())
	require.Zero(t, b.world.Count("CreateDataSource"))

	made := func(more ...string) domain.NewDataSource {
		got := create(&b.world.Owner, id, "k", more...)
		require.Equal(t, 201, got.status, got.body)
		n, ok := b.world.Asked("CreateDataSource").(domain.NewDataSource)
		require.True(t, ok)
		return n
	}
	first := made()
	require.Equal(t, []any{"sales by region", "sales by region.csv", int64(17)}, []any{first.Name, first.FileName, first.Size})
	require.Equal(t, "region,n\nnorth,1\n", b.files.Content(first.FileKey))
	require.Equal(t, "k", first.Key.Key)
	require.Equal(t, first.Key, made().Key)
	require.NotEqual(t, first.Key, made("name", "Other").Key)
	require.Equal(t, 201, create(&b.world.Reader, id, "k").status, "a person who may read it may use it")
	body, kind := fieldsOf(t, "displayObjectId", id, "description", "D")
	require.Equal(t, 201, b.upload(t, "/memory/file/datasources", body, kind).status, "also in the other spelling")

	b.world.ChangeObject(object.ID, func(o *domain.DisplayObject) { o.Type = domain.DisplayHighcharts })
	got := create(&b.world.Owner, id, "", "name", " ")
	require.Equal(t, 422, got.status)
	require.Contains(t, got.body, `{"field":"displayObjectId","message":"Only a table or a file can become a connector."}`)
	require.Contains(t, got.body, `{"field":"name","message":"Please enter a valid name"}`)
	body, kind = fieldsOf(t, "description", "")
	got = b.upload(t, "/memory/file/datasources", body, kind)
	require.Equal(t, 422, got.status)
	require.Contains(t, got.body, `{"field":"file","message":"Please select a file"}`)
	require.Contains(t, got.body, `{"field":"description","message":"Please enter a valid description"}`)
}

// attackE18: no browser ever runs the content of a display object, whatever its name is.
func attackE18(t *testing.T) {
	t.Helper()
	b := setup(t, func(c *api.Config) { c.Limits.UploadsPerHour = -1 })
	_, object := b.world.AddConversation()
	evil := `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`
	b.files.Set(object.FileKey, []byte(evil))
	for name, row := range map[string]struct {
		kind domain.DisplayObjectType
		says string
	}{
		"x.svg": {"svg", "image/svg+xml"}, "x.html": {"html", "text/html; charset=utf-8"}, "x.xhtml": {"bin", "application/xhtml+xml"},
		"x.js":  {"bin", "text/javascript"},
		"x.png": {domain.DisplayPNG, "image/svg+xml"}, "x.xml": {"bin", "text/xml"}, "x": {"bin", "not a type"},
	} {
		b.world.ChangeObject(object.ID, func(o *domain.DisplayObject) { o.Name, o.Type, o.ContentType = name, row.kind, row.says })
		got := b.call(t, &b.world.Owner, http.MethodGet, v1+"/discourse/displayobjects/"+object.ID.String()+"/content", "")
		require.Equal(t, 200, got.status)
		require.Equal(t, "application/octet-stream", got.header.Get("Content-Type"), name)
		require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"))
		require.True(t, strings.HasPrefix(got.header.Get("Content-Disposition"), "attachment; "))
		require.Equal(t, "sandbox; default-src 'none'; frame-ancestors 'none'", got.header.Get("Content-Security-Policy"))
	}
	for _, name := range []string{"x.svg", "x.csv", "x.xlsx", "x.png"} {
		body, kind := formOf(t, "file", name, evil, "description", "D")
		require.Equal(t, 415, b.upload(t, "/memory/file/datasources", body, kind).status, name)
	}
	require.Zero(t, b.world.Count("CreateDataSource"))
}
