package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

// TestRoutes_DataSources has the rows of data sources. {s} and {table} stand for
// the data source of Owner, which Reader may use, and its table.
func TestRoutes_DataSources(t *testing.T) {
	t.Parallel()
	const all = v1 + "/memory/datasources"
	const one = all + "/{s}"
	const table = v1 + "/memory/dataresources/{table}"
	long := strings.Repeat("x", 81)
	for _, row := range []scenario{
		{"OK", "GET", all, "reader", "", 200, []string{`"id":{s}`, `"ownerId":1`, `"edit":false`, `"download":true`, `"favorite":true`, `"lastUsedAt":null`, `"version":1`, `"canSync":true`, `"projectLabels":[]`}, nil, "DataSources "},
		{"owner", "GET", all, "owner", "", 200, []string{`"edit":true`, `"delete":true`, `"manageAccess":true`, `"archive":true`, `"replaceFile":true`, `"sync":true`, `"isDeletable":true`}, nil, ""},
		{"none of others B11", "GET", all, "foreigner", "", 200, []string{`"results":[]`, `"count":0`}, nil, ""},
		{"filters", "GET", all + "?filter=name:contains:sal&filter=project_labels:in:1,2", "owner", "", 200, nil, nil, ""},
		{"scopes together", "GET", all + "?favorite_scope=true&retrieve_type=owned&scope=recent", "owner", "", 200, nil, nil, "DataSources favorite recent owned"},
		{"sorted", "GET", all + "?sort=-createdAt&recent=true", "owner", "", 200, nil, nil, "DataSources recent -created_at"},
		{"D02 unknown order", "GET", all + "?sort=size", "owner", "", 422, []string{`"field":"sort"`}, nil, ""},
		{"D07", "GET", all + "?filter=name:like:x", "owner", "", 422, []string{`{"field":"filter","message":"Operation \"like\" currently not supported"}`}, nil, ""},
		{"D07 second of two", "GET", all + "?filter=name:eq:x&filter=size:between:1", "owner", "", 422, []string{`Operation \"between\" currently not supported`}, nil, ""},
		{"D06 boolean", "GET", all + "?project_label[]=true", "owner", "", 422, []string{`"field":"projectLabel"`}, nil, ""},
		{"D06 number", "GET", all + "?project_labels[]=1e3&project_label=2,2", "owner", "", 200, nil, nil, ""},
		{"D06 commas", "GET", all + "?project_label=" + strings.Repeat("1,", 5000), "owner", "", 422, []string{"There are too many values."}, nil, ""},
		{"D06 many", "GET", all + "?" + strings.Repeat("project_label[]=1&", 500), "owner", "", 422, []string{"There are too many values."}, nil, ""},
		{"B16 unknown way to retrieve", "GET", all + "?retrieve_type=everything", "owner", "", 422, nil, nil, ""},
		{"B16 all", "GET", all + "?retrieve_type=all&include_nested_objects=true", "foreigner", "", 200, []string{`"results":[]`}, nil, ""},
		{"questions", "GET", all + "/questions?data_sources[]={s}&page_size=3", "owner", "", 200, []string{`{"text":"What is in Sales?","dataSourceId":{s}}`, `"count":1`}, nil, ""},
		{"questions of none", "GET", all + "/questions", "reader", "", 200, []string{`"results":[]`}, nil, ""},
		{"questions of others' B11", "GET", all + "/questions?data_sources={s}", "foreigner", "", 200, []string{`"results":[]`}, []string{"Sales"}, ""},
		{"questions D06", "GET", all + "/questions?data_sources=x", "owner", "", 422, []string{`"field":"dataSources"`}, nil, ""},
		{"types", "GET", all + "/type", "owner", "", 200, []string{`"id":"athena","name":"Athena","isUploadable":false`, `"id":"csv","name":"CSV","isUploadable":true`, `"count":19`}, nil, ""},

		{"OK", "GET", one, "reader", "", 200, []string{`"details":"words"`, `"preview":"stored"`, `"permission":"read"`, `"permissions":[{"actor":{"id":1,"type":"user"`, `"permission":"owner"},{"actor":`}, nil, ""},
		{"regenerated", "GET", one + "?regenerate_preview=true", "reader", "", 200, []string{`"name":"Sales"`}, nil, ""},
		{"G18 stranger", "GET", one + "?regenerate_preview=true", "stranger", "", 404, []string{`"code":"D404"`}, nil, ""},
		{"foreigner", "GET", one, "foreigner", "", 404, nil, nil, ""},

		{"OK", "PUT", one, "owner", `{"name":" New ","description":"D","project_labels":[1],"scope":"user","version":1}`, 200, []string{`"name":"New"`, `"version":2`, `"projectLabels":[{"id":1,"name":"Launch","color":"Royal Blue"}]`}, nil, ""},
		{"B07", "PUT", one, "owner", `{"owner":4,"ownerId":4,"orgId":2,"id":9,"createdAt":"1999-01-01","isFavorite":true,"type":"pptx","isDeletable":false}`, 200, []string{`"id":{s}`, `"ownerId":1`, `"type":["csv"]`}, []string{"1999"}, ""},
		{"scope B07", "PUT", one, "owner", `{"scope":"organization"}`, 422, []string{`"field":"scope"`}, nil, ""},
		{"ErrNameAndDescription", "PUT", one, "owner", `{"name":"` + long + `","description":" "}`, 422, []string{
			`{"field":"name","message":"Please enter a valid name"}`, `{"field":"description","message":"Please enter a valid description"}`,
		}, nil, ""},
		{"ErrDescriptionLong", "PUT", one, "owner", `{"description":"` + strings.Repeat("x", 5001) + `"}`, 422, []string{`"Please enter a valid description"`}, nil, ""},
		{"D01", "PUT", one, "owner", `{"name":7}`, 422, []string{`"field":"name"`}, nil, ""},
		{"D01 labels", "PUT", one, "owner", `{"projectLabels":["x"]}`, 422, []string{`"field":"projectLabels[0]"`}, nil, ""},
		{"as it was read", "PUT", one, "owner", `{"name":"New","projectLabels":[{"id":1,"name":"Launch","color":"Royal Blue"}]}`, 200, []string{`"projectLabels":[{"id":1,`}, nil, ""},
		{"D01 project without id", "PUT", one, "owner", `{"projectLabels":[{"name":"Launch"}]}`, 422, []string{`"field":"projectLabels[0]"`}, nil, ""},
		{"D12", "PUT", one, "owner", `{"name":"New","version":7}`, 409, []string{`"code":"conflict"`}, nil, ""},
		{"reader B05", "PUT", one, "reader", `{"name":"New"}`, 403, nil, nil, ""},
		{"stranger", "PUT", one, "stranger", `{"name":"New"}`, 404, nil, nil, ""},

		{"OK", "DELETE", one, "owner", "", 204, nil, nil, "DeleteDataSource"},
		{"reader B05", "DELETE", one, "reader", "", 403, nil, nil, ""},
		{"stranger", "DELETE", one, "stranger", "", 404, nil, nil, ""},

		{"OK", "POST", one + "/archive", "owner", "", 200, []string{`"isArchived":true`}, nil, ""},
		{"back", "POST", one + "/archive", "owner", `{"is_archived":false}`, 200, []string{`"isArchived":false`}, nil, ""},
		{"reader B05", "POST", one + "/archive", "reader", "", 403, nil, nil, ""},
		{"foreigner", "POST", one + "/archive", "foreigner", "", 404, nil, nil, ""},

		{"OK", "PUT", one + "/favorite", "reader", `{"favorite":true}`, 204, nil, nil, "SetDataSourceFavorite"},
		{"off", "PUT", one + "/favorite", "reader", `{"is_favorite":false}`, 204, nil, nil, ""},
		{"missing", "PUT", one + "/favorite", "reader", `{}`, 422, []string{`"field":"isFavorite"`}, nil, ""},
		{"stranger", "PUT", one + "/favorite", "stranger", `{"isFavorite":true}`, 404, nil, nil, ""},

		{"OK", "PATCH", table, "owner", `{"details":"region: where"}`, 200, []string{`"details":"region: where"`}, nil, ""},
		{"OK", "PATCH", one + "/details", "owner", `{"id":{table},"text":""}`, 200, []string{`"details":""`}, nil, ""},
		{"B04", "PATCH", one + "/details", "owner", `{"id":7,"text":"x"}`, 404, nil, nil, ""},
		{"too long", "PATCH", table, "owner", `{"details":"` + strings.Repeat("x", domain.DataDictionaryMax+1) + `"}`, 422, []string{`"field":"details"`}, nil, ""},
		{"reader B05", "PATCH", table, "reader", `{"details":"x"}`, 403, nil, nil, ""},
		{"stranger B04", "PATCH", table, "stranger", `{"details":"x"}`, 404, nil, nil, ""},

		{"OK", "GET", one + "/actors", "reader", "", 200, []string{`"permission":"owner"`, `"count":2`}, nil, ""},
		{"stranger", "GET", one + "/actors", "stranger", "", 404, nil, nil, ""},
		{"OK", "PUT", one + "/actors", "owner", `{"users":[{"id":3,"permission":"write"}]}`, 200, []string{`"permission":"write"`, `"count":3`}, nil, ""},
		{"remove", "PUT", one + "/actors", "owner", `{"users":[{"id":2,"permission":"remove"}]}`, 200, []string{`"count":1`}, nil, ""},
		{"B06 owner", "PUT", one + "/actors", "owner", `{"users":[{"id":3,"permission":"owner"}]}`, 422, []string{`"field":"users[0].permission"`}, nil, ""},
		{"B06 removing the owner", "PUT", one + "/actors", "owner", `{"users":[{"id":1,"permission":"remove"}]}`, 422, []string{`"field":"users"`}, nil, ""},
		{"B06 organization", "PUT", one + "/actors", "owner", `{"organizations":[{"id":1,"permission":"read"}]}`, 422, []string{`"Sharing with an organization is not available"`}, nil, ""},
		{"B06 twice", "PUT", one + "/actors", "owner", `{"users":[{"id":3},{"id":3}]}`, 422, []string{`"field":"users[1].id"`}, nil, ""},
		{"B06 many", "PUT", one + "/actors", "owner", `{"users":[` + strings.TrimSuffix(strings.Repeat(`{"id":3},`, 10_000), ",") + `]}`, 422, []string{`"field":"users"`}, nil, ""},
		{"reader B05", "PUT", one + "/actors", "reader", `{"organizations":[{"id":1}]}`, 403, nil, nil, ""},
		{"stranger", "PUT", one + "/actors", "stranger", `{"users":[{"id":3}]}`, 404, nil, nil, ""},

		{"OK", "GET", one + "/file", "reader", "", 200, []string{"region,count\nNorth,1\n"}, nil, ""},
		{"as it was uploaded", "GET", one + "/file", "reader", "", 200, []string{"region,count\nNorth,1\n"}, nil, ""},
		{"original", "GET", one + "/file?format=original", "reader", "", 200, []string{"region,count\nNorth,1\n"}, nil, ""},
		{"E12 exported in its own format", "GET", one + "/file?format=CSV", "reader", "", 200, []string{"region,count\n'=North,1\nSouth,2.5\n"}, nil, ""},
		{"a table of it", "GET", one + "/file?format=csv&resource={table}", "reader", "", 200, []string{"region,count\n'=North,1\nSouth,2.5\n"}, nil, ""},
		{"B04 table of another", "GET", one + "/file?format=csv&resource=7", "reader", "", 404, nil, nil, ""},
		{"unknown format", "GET", one + "/file?format=hyper", "reader", "", 422, []string{`"field":"format"`, "currently not supported"}, nil, ""},
		{"stranger", "GET", one + "/file", "stranger", "", 404, nil, nil, ""},

		{"OK", "POST", one + "/sync", "owner", "", 200, []string{`"version":2`}, nil, ""},
		{"reader B05", "POST", one + "/sync", "reader", "", 403, nil, nil, ""},
		{"stranger G18", "POST", one + "/sync", "stranger", "", 404, nil, nil, ""},
		{"not a form", "PUT", one + "/file", "owner", `{}`, 415, nil, nil, ""},
		{"reader B05", "PUT", one + "/file", "reader", `{}`, 403, nil, nil, ""},
		{"stranger", "PUT", one + "/file", "stranger", `{}`, 404, nil, nil, ""},
	} {
		t.Run(row.method+" "+row.path[:min(len(row.path), 80)]+" "+row.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			d := b.world.AddSource(b.files, domain.DataSourceCSV)
			fill := strings.NewReplacer("{s}", strconv.FormatInt(d.ID, 10), "{table}", strconv.FormatInt(d.Resources[0].ID, 10))
			got := b.call(t, b.person(row.who), row.method, fill.Replace(row.path), fill.Replace(row.body))
			require.Equal(t, row.status, got.status, got.body)
			for _, text := range row.has {
				require.Contains(t, got.body, fill.Replace(text))
			}
			for _, text := range row.hasNot {
				require.NotContains(t, got.body, text)
			}
			if row.called != "" {
				calls := b.world.Calls()
				require.Equal(t, row.called, calls[len(calls)-1])
			}
			if row.status >= 400 {
				require.NotEmpty(t, got.code(t))
			}
		})
	}
}

// path of a data source.
func pathOf(d *domain.DataSource, rest string) string {
	return v1 + "/memory/datasources/" + strconv.FormatInt(d.ID, 10) + rest
}

func TestDataSource_Download(t *testing.T) {
	t.Parallel()
	t.Run("RangeE16", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		got := b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "/file"), "", "Range", "bytes=7-11")
		require.Equal(t, []any{206, "count", "bytes 7-11/29"}, []any{got.status, got.body, got.header.Get("Content-Range")})
		require.Equal(t, `attachment; filename="sales.csv"`, got.header.Get("Content-Disposition"))
		require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"))
		require.Equal(t, "private, no-cache", got.header.Get("Cache-Control"), "the file may be another one tomorrow")
		for _, bad := range []string{"bytes=100-", "bytes=-0", "bytes=0-1,3-4"} {
			require.Equal(t, 416, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "/file"), "", "Range", bad).status, bad)
		}
	})
	t.Run("ErrTypes", func(t *testing.T) {
		t.Parallel()
		for _, kind := range []domain.DataSourceType{domain.DataSourceAthena, domain.DataSourceGoogleSlides, domain.DataSourceHabu, domain.DataSourceNotebook, domain.DataSourcePPTX} {
			b := setup(t)
			d := b.world.AddSource(b.files, kind)
			got := b.call(t, &b.world.Owner, http.MethodGet, pathOf(d, "/file"), "")
			require.Equal(t, 403, got.status, kind)
			require.Contains(t, got.body, kind.Label())
			got = b.call(t, &b.world.Owner, http.MethodPost, pathOf(d, "/archive"), "")
			require.Equal(t, 422, got.status, kind)
			require.Contains(t, got.body, kind.Label())
			require.Contains(t, b.call(t, &b.world.Owner, http.MethodGet, pathOf(d, ""), "").body, `"archive":false`)
		}
	})
	t.Run("ErrTooLarge", func(t *testing.T) {
		t.Parallel()
		b := setup(t, func(c *api.Config) { c.Workbench = &fakes.Workbench{Truncated: true} })
		d := b.world.AddSource(b.files, domain.DataSourceXLSX)
		require.Equal(t, 413, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "/file?format=csv"), "").status)
	})
}

func TestDataSource_RegeneratedPreview(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.world.AddSource(b.files, domain.DataSourceCSV)
	// The fake reader calls its table by no name; the stored one must match it.
	d.Resources[0].Table = ""
	require.Contains(t, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, ""), "").body, `"preview":"stored"`)
	require.Contains(t, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "?regenerate_preview=true"), "").body, `"preview":"region,count"`)
	require.Contains(t, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "?regeneratePreview=false"), "").body, `"preview":"stored"`, "reading changes nothing")
}

// put sends a form with PUT.
func (b *bundle) put(t *testing.T, who *domain.User, path string, body *bytes.Buffer, kind string, header ...string) reply {
	t.Helper()
	return b.send(t, http.MethodPut, path, body, append(header, "Content-Type", kind, "Authorization", "Bearer "+b.token(t, who))...)
}

func TestDataSource_ReplaceFile(t *testing.T) {
	t.Parallel()
	for _, rest := range []string{"/file", ""} {
		t.Run("OK"+rest, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			d := b.world.AddSource(b.files, domain.DataSourceCSV)
			before := len(b.files.Keys())
			body, kind := formOf(t, "file", "other.csv", "a,b\n1,2\n", "name", "Other", "project_labels", "", "version", "1")
			got := b.put(t, &b.world.Owner, pathOf(d, rest), body, kind)
			require.Equal(t, 200, got.status, got.body)
			require.Contains(t, got.body, `"fileName":"other.csv"`)
			require.Contains(t, got.body, `"name":"Other"`)
			require.Contains(t, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "/file"), "").body, "a,b\n1,2\n")
			require.Len(t, b.files.Keys(), before+2, "the old files stay for queries that run")

			for _, row := range []struct {
				who    *domain.User
				status int
			}{{&b.world.Reader, 403}, {&b.world.Stranger, 404}, {&b.world.Foreigner, 404}} {
				body, kind := formOf(t, "file", "evil.csv", "a,b\n", "name", "Evil")
				require.Equal(t, row.status, b.put(t, row.who, pathOf(d, rest), body, kind).status)
			}
			for _, bad := range []struct {
				name, content string
				status        int
				fields        []string
			}{
				{"x.csv", "", 422, nil},
				{"x.csv", "broken", 422, nil},
				{"x.exe", "MZ", 415, nil},
				{"x.csv", "a,b\n", 409, []string{"version", "1"}},
				{"x.csv", "a,b\n", 422, []string{"version", "x"}},
				{"x.csv", "a,b\n", 422, []string{"scope", "organization"}},
				{"x.csv", "a,b\n", 422, []string{"projectLabels", "true"}},
				{"x.csv", "a,b\n", 422, []string{"name", ""}},
				{"x.csv", "a,b\n", 422, []string{"delimiter", "abc"}},
			} {
				body, kind := formOf(t, "file", bad.name, bad.content, bad.fields...)
				got := b.put(t, &b.world.Owner, pathOf(d, rest), body, kind)
				require.Equal(t, bad.status, got.status, "%v %s", bad, got.body)
			}
			require.Len(t, b.files.Keys(), before+2, "what failed left nothing behind")
		})
	}
	t.Run("FieldsAlone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		require.NoError(t, w.WriteField("description", "Told anew"))
		require.NoError(t, w.Close())
		got := b.put(t, &b.world.Owner, pathOf(d, ""), bytes.NewBuffer(form.Bytes()), w.FormDataContentType())
		require.Equal(t, 200, got.status, got.body)
		require.Contains(t, got.body, `"description":"Told anew"`)
		require.Contains(t, got.body, `"fileName":"sales.csv"`)
		got = b.put(t, &b.world.Owner, pathOf(d, "/file"), bytes.NewBuffer(form.Bytes()), w.FormDataContentType())
		require.Equal(t, 422, got.status)
		require.Contains(t, got.body, `{"field":"file","message":"File is required"}`)
	})
	for name, row := range map[string]struct {
		description, edited, want string
	}{
		"DescriptionMadeFromTheFile":  {"Columns: a,b", "", "Columns: c"},
		"DescriptionSentAgain":        {"Columns: a,b", "Columns: a,b", "Columns: c"},
		"DescriptionWrittenAtFirst":   {"My own", "", "My own"},
		"DescriptionWrittenAfterward": {"Columns: a,b", "Mine now", "Mine now"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			body, kind := formOf(t, "file", "first.csv", "a,b\n1,2\n", "name", "First", "description", row.description)
			made := b.send(t, http.MethodPost, v1+"/memory/file/datasources", body, "Content-Type", kind, "Authorization", "Bearer "+b.token(t, &b.world.Owner))
			require.Equal(t, 201, made.status, made.body)
			var id struct {
				ID int64 `json:"id"`
			}
			require.NoError(t, json.Unmarshal([]byte(made.body), &id))
			d := domain.DataSource{ID: id.ID}
			if row.edited != "" {
				require.Equal(t, 200, b.call(t, &b.world.Owner, http.MethodPut, pathOf(&d, ""), `{"description":"`+row.edited+`"}`).status)
			}
			body, kind = formOf(t, "file", "second.csv", "c\n3\n")
			got := b.put(t, &b.world.Owner, pathOf(&d, "/file"), body, kind)
			require.Equal(t, 200, got.status, got.body)
			require.Contains(t, got.body, `"description":"`+row.want+`"`)
		})
	}
	t.Run("ProjectsOneByOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		for _, name := range []string{"project_labels", "projectLabels[]"} {
			var form bytes.Buffer
			w := multipart.NewWriter(&form)
			require.NoError(t, w.WriteField(name, "1"))
			require.NoError(t, w.WriteField(name, "1"))
			require.NoError(t, w.Close())
			got := b.put(t, &b.world.Owner, pathOf(d, ""), &form, w.FormDataContentType())
			require.Equal(t, 200, got.status, got.body)
			require.Contains(t, got.body, `"projectLabels":[{"id":1`)
		}
	})
	t.Run("IfMatchD12", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		for header, status := range map[string]int{`"7"`: 409, "x": 422} {
			require.Equal(t, status, b.call(t, &b.world.Owner, http.MethodPut, pathOf(d, ""), `{"name":"New"}`, "If-Match", header).status)
		}
		require.Equal(t, 200, b.call(t, &b.world.Owner, http.MethodPut, pathOf(d, ""), `{"name":"New"}`, "If-Match", `"1"`).status)
	})
}

// An error of the store does not say that nothing was committed: the file stays, and
// who repeats the request has the connector with it.
func TestDataSource_LostAnswer(t *testing.T) {
	t.Parallel()
	away := domain.Errorf(domain.CodeUnavailable, "The database is away.")
	t.Run("Create", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		send := func() reply {
			body, kind := formOf(t, "file", "sales.csv", "region,count\nNorth,1\n", "name", "Sales", "description", "D")
			return b.upload(t, "/memory/file/datasources", body, kind, "Idempotency-Key", "one-upload")
		}
		b.world.LoseAnswer("CreateDataSource", away)
		require.Equal(t, 503, send().status)
		kept := b.files.Keys()
		require.Len(t, kept, 2, "the committed row refers to them")
		b.world.LoseAnswer("CreateDataSource", nil)
		got := send()
		require.Equal(t, 201, got.status, got.body)
		require.ElementsMatch(t, kept, b.files.Keys(), "the bytes that came again are not needed")
		id, ok := got.json(t)["id"].(float64)
		require.True(t, ok)
		got = b.call(t, &b.world.Owner, http.MethodGet, fmt.Sprintf(v1+"/memory/datasources/%d/file", int(id)), "")
		require.Equal(t, "region,count\nNorth,1\n", got.body)
	})
	t.Run("Replace", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		b.world.LoseAnswer("UpdateDataSource", away)
		body, kind := formOf(t, "file", "other.csv", "a,b\n1,2\n")
		require.Equal(t, 503, b.put(t, &b.world.Owner, pathOf(d, "/file"), body, kind).status)
		b.world.LoseAnswer("UpdateDataSource", nil)
		require.Equal(t, "a,b\n1,2\n", b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "/file"), "").body)
	})
	t.Run("Sync", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		before := len(b.files.Keys())
		b.world.LoseAnswer("ResyncDataSource", away)
		require.Equal(t, 503, b.call(t, &b.world.Owner, http.MethodPost, pathOf(d, "/sync"), "").status)
		require.Len(t, b.files.Keys(), before+1, "the database that the row has now, and the one before it")
	})
}

// Of a form without a file all that is wrong is said at once, and a name that
// was given is no less wrong for the missing file.
func TestDataSource_CreateSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const file = `{"field":"file","message":"Please select a file"}`
	for name, want := range map[string]string{
		" ":  file + `,{"field":"name","message":"Please enter a valid name"},{"field":"description","message":"Please enter a valid description"}`,
		"OK": file + `,{"field":"description","message":"Please enter a valid description"}`,
	} {
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		require.NoError(t, w.WriteField("name", name))
		require.NoError(t, w.Close())
		got := b.send(t, http.MethodPost, v1+"/memory/file/datasources", &form, "Content-Type", w.FormDataContentType(), "Authorization", "Bearer "+b.token(t, &b.world.Owner))
		require.Equal(t, 422, got.status)
		require.Contains(t, got.body, `"errors":[`+want+`]`)
	}
}
