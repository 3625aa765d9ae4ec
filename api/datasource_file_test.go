package api_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

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
		require.Equal(t, "private, no-cache", got.header.Get("Cache-Control"), "the file may be replaced later")
		for _, bad := range []string{"bytes=100-", "bytes=-0", "bytes=0-1,3-4"} {
			require.Equal(t, 416, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "/file"), "", "Range", bad).status, bad)
		}
	})
	t.Run("ErrTypes", func(t *testing.T) {
		t.Parallel()
		for _, kind := range []domain.DataSourceType{
			domain.DataSourceAthena, domain.DataSourceGoogleSlides, domain.DataSourceHabu,
			domain.DataSourceNotebook, domain.DataSourcePPTX,
		} {
			b := setup(t)
			d := b.world.AddSource(b.files, kind)
			got := b.call(t, &b.world.Owner, http.MethodGet, pathOf(d, "/file"), "")
			require.Equal(t, 403, got.status, kind)
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
	// The table of the fake reader has no name; the stored table must match it.
	d.Resources[0].Table = ""
	b.world.ShowSource(&b.world.Reader, *d)
	require.Contains(t, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, ""), "").body, `"preview":"stored"`)
	require.Contains(t, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "?regenerate_preview=true"), "").body, `"preview":"region,count"`)
	require.Contains(t, b.call(t, &b.world.Reader, http.MethodGet, pathOf(d, "?regeneratePreview=false"), "").body, `"preview":"stored"`,
		"reading changes nothing")
}

// put sends a form with PUT.
func (b *bundle) put(t *testing.T, who *domain.User, path string, body *bytes.Buffer, kind string, header ...string) reply {
	t.Helper()
	return b.send(t, http.MethodPut, path, body, append(header, "Content-Type", kind, "Authorization", "Bearer "+b.token(t, who))...)
}

// storedFile returns a file as it was passed to the service. Its keys are checked and
// removed, so that the rest can be compared.
func (b *bundle) storedFile(t *testing.T, f *domain.DataSourceFile, content string) domain.DataSourceFile {
	t.Helper()
	require.NotNil(t, f)
	require.Regexp(t, `^uploads/1/[0-9a-f-]{36}$`, f.FileKey)
	require.Regexp(t, `^prepared/1/[0-9a-f-]{36}$`, f.WorkKey)
	require.Equal(t, content, b.files.Content(f.FileKey))
	require.Equal(t, "prepared", b.files.Content(f.WorkKey))
	require.Subset(t, b.world.Noted(), []string{f.FileKey, f.WorkKey}, "noted before they were stored")
	require.Empty(t, b.world.Held(), "nothing is held when the request is over")
	out := *f
	out.FileKey, out.WorkKey = "", ""
	return out
}

func TestDataSource_ReplaceFile(t *testing.T) {
	t.Parallel()
	other := domain.DataSourceFile{
		Type: domain.DataSourceCSV, FileName: "other.csv", Size: 8, Description: "Columns: a,b",
		Resources: []domain.DataResource{{ID: 1, Name: "other.csv", Columns: []domain.Column{
			{Name: "a", Type: domain.ColumnText},
			{Name: "b", Type: domain.ColumnText},
		}, Preview: "a,b"}},
	}
	for _, rest := range []string{"/file", ""} {
		t.Run("OK"+rest, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			d := b.world.AddSource(b.files, domain.DataSourceCSV)
			body, kind := formOf(t, "file", "other.csv", "a,b\n1,2\n", "name", "Other", "project_labels", "", "version", "1")
			got := b.put(t, &b.world.Owner, pathOf(d, rest), body, kind)
			require.Equal(t, 200, got.status, got.body)
			change, ok := b.world.Asked("UpdateDataSource").(fakes.SourceChange)
			require.True(t, ok)
			require.Equal(t, other, b.storedFile(t, change.Update.File, "a,b\n1,2\n"))
			change.Update.File = nil
			require.Equal(t, fakes.SourceChange{ID: d.ID, Update: domain.DataSourceUpdate{
				Name: new("Other"), ProjectLabels: &[]int64{},
				Version: 1,
			}}, change)
		})
		t.Run("Err"+rest, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			d := b.world.AddSource(b.files, domain.DataSourceCSV)
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
				{"x.csv", "a,b\n", 422, []string{"version", "x"}},
				{"x.csv", "a,b\n", 422, []string{"projectLabels", "true"}},
				{"x.csv", "a,b\n", 422, []string{"name", ""}},
				{"x.csv", "a,b\n", 422, []string{"delimiter", "abc"}},
			} {
				body, kind := formOf(t, "file", bad.name, bad.content, bad.fields...)
				got := b.put(t, &b.world.Owner, pathOf(d, rest), body, kind)
				require.Equal(t, bad.status, got.status, "%v %s", bad, got.body)
			}
			require.NotContains(t, b.world.Calls(), "UpdateDataSource")
			require.Empty(t, b.world.Held(), "files of failed requests are released")
			b.world.Fail("UpdateDataSource", domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile."))
			body, kind := formOf(t, "file", "x.csv", "a,b\n", "version", "1", "scope", "organization")
			require.Equal(t, 409, b.put(t, &b.world.Owner, pathOf(d, rest), body, kind).status)
			change, ok := b.world.Asked("UpdateDataSource").(fakes.SourceChange)
			require.True(t, ok)
			require.Equal(t, new(domain.ScopeOrganisation), change.Update.Scope, "the service refuses another scope")
			require.Empty(t, b.world.Held(), "files of failed requests are released")
		})
	}
	t.Run("FieldsAlone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		form, kind := fieldsOf(t, "description", "Told again")
		got := b.put(t, &b.world.Owner, pathOf(d, ""), bytes.NewBuffer(form.Bytes()), kind)
		require.Equal(t, 200, got.status, got.body)
		require.Equal(t, fakes.SourceChange{ID: d.ID, Update: domain.DataSourceUpdate{Description: new("Told again")}},
			b.world.Asked("UpdateDataSource"))
		got = b.put(t, &b.world.Owner, pathOf(d, "/file"), bytes.NewBuffer(form.Bytes()), kind)
		require.Equal(t, 422, got.status)
		require.Contains(t, got.body, `{"field":"file","message":"File is required"}`)
	})
	t.Run("ProjectsOneByOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		for _, name := range []string{"project_labels", "projectLabels[]"} {
			form, kind := fieldsOf(t, name, "1", name, "1")
			got := b.put(t, &b.world.Owner, pathOf(d, ""), form, kind)
			require.Equal(t, 200, got.status, got.body)
			require.Equal(t, fakes.SourceChange{ID: d.ID, Update: domain.DataSourceUpdate{ProjectLabels: &[]int64{1}}},
				b.world.Asked("UpdateDataSource"))
		}
	})
	t.Run("IfMatchD12", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		d := b.world.AddSource(b.files, domain.DataSourceCSV)
		require.Equal(t, 422, b.call(t, &b.world.Owner, http.MethodPut, pathOf(d, ""), `{"name":"New"}`, "If-Match", "x").status)
		require.NotContains(t, b.world.Calls(), "UpdateDataSource")
		require.Equal(t, 200, b.call(t, &b.world.Owner, http.MethodPut, pathOf(d, ""), `{"name":"New"}`, "If-Match", `"7"`).status)
		require.Equal(t, fakes.SourceChange{ID: d.ID, Update: domain.DataSourceUpdate{Name: new("New"), Version: 7}},
			b.world.Asked("UpdateDataSource"))
	})
}

func TestDataSource_Create(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for description, generated := range map[string]bool{"Columns: a,b": true, "My own": false} {
		body, kind := formOf(t, "file", "first.csv", "a,b\n1,2\n", "name", " First ", "description", description, "scope", "conversation",
			"conversationId", someID)
		got := b.upload(t, "/memory/file/datasources", body, kind)
		require.Equal(t, 201, got.status, got.body)
		require.Contains(t, got.body, `"permissions":[{"actor":{"id":1`)
		n, ok := b.world.Asked("CreateDataSource").(domain.NewDataSource)
		require.True(t, ok)
		b.storedFile(t, &domain.DataSourceFile{FileKey: n.FileKey, WorkKey: n.WorkKey}, "a,b\n1,2\n")
		n.FileKey, n.WorkKey = "", ""
		require.Equal(t, domain.NewDataSource{
			Name: "First", Description: description, DescriptionGenerated: generated, Scope: domain.ScopeConversation,
			ConversationID: uuid.MustParse(someID),
			Type:           domain.DataSourceCSV, FileName: "first.csv", Size: 8,
			Resources: []domain.DataResource{{ID: 1, Name: "first.csv", Columns: []domain.Column{
				{Name: "a", Type: domain.ColumnText},
				{Name: "b", Type: domain.ColumnText},
			}, Preview: "a,b"}},
		}, n)
	}
}

func TestDataSource_Sync(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.world.AddSource(b.files, domain.DataSourceCSV)
	require.Equal(t, 200, b.call(t, &b.world.Owner, http.MethodPost, pathOf(d, "/sync"), "").status)
	read, ok := b.world.Asked("ResyncDataSource").(fakes.SourceRead)
	require.True(t, ok)
	require.NotEqual(t, d.WorkKey, read.File.WorkKey)
	require.Equal(t, "prepared", b.files.Content(read.File.WorkKey))
	require.Equal(t, []string{read.File.WorkKey}, b.world.Noted())
	require.Empty(t, b.world.Held())
	read.File.WorkKey = ""
	require.Equal(t, fakes.SourceRead{ID: d.ID, File: domain.DataSourceFile{FileKey: d.FileKey, Resources: []domain.DataResource{
		{ID: 1, Name: "sales.csv", Columns: []domain.Column{
			{Name: "region", Type: domain.ColumnText},
			{Name: "count", Type: domain.ColumnText},
		}, Preview: "region,count"},
	}}}, read)
}

// An error of the store does not mean that nothing was committed. So the API removes no file:
// the intake of files finds out which of them a row refers to.
func TestDataSource_LostAnswer(t *testing.T) {
	t.Parallel()
	away := domain.Errorf(domain.CodeUnavailable, "The database is away.")
	lost := func(t *testing.T, method string, send func(b *bundle) reply) {
		t.Helper()
		b := setup(t)
		b.world.Fail(method, away)
		require.Equal(t, 503, send(b).status)
		require.NotEmpty(t, b.world.Noted())
		require.Subset(t, b.files.Keys(), b.world.Noted(), "a committed row may refer to them")
		require.Empty(t, b.world.Held(), "the intake is told that the request is over")
	}
	t.Run("Create", func(t *testing.T) {
		t.Parallel()
		lost(t, "CreateDataSource", func(b *bundle) reply {
			body, kind := formOf(t, "file", "sales.csv", "region,count\nNorth,1\n", "name", "Sales", "description", "D")
			return b.upload(t, "/memory/file/datasources", body, kind, "Idempotency-Key", "one-upload")
		})
	})
	t.Run("Replace", func(t *testing.T) {
		t.Parallel()
		lost(t, "UpdateDataSource", func(b *bundle) reply {
			d := b.world.AddSource(b.files, domain.DataSourceCSV)
			body, kind := formOf(t, "file", "other.csv", "a,b\n1,2\n")
			return b.put(t, &b.world.Owner, pathOf(d, "/file"), body, kind)
		})
	})
	t.Run("Sync", func(t *testing.T) {
		t.Parallel()
		lost(t, "ResyncDataSource", func(b *bundle) reply {
			d := b.world.AddSource(b.files, domain.DataSourceCSV)
			return b.call(t, &b.world.Owner, http.MethodPost, pathOf(d, "/sync"), "")
		})
	})
}

// All errors of a form without a file are reported at once, and an invalid name is also
// reported when the file is missing.
func TestDataSource_CreateSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const file = `{"field":"file","message":"Please select a file"}`
	for name, want := range map[string]string{
		" ": file + `,{"field":"name","message":"Please enter a valid name"},{"field":"description","message":"Please enter a valid ` +
			`description"}`,
		"OK": file + `,{"field":"description","message":"Please enter a valid description"}`,
	} {
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		require.NoError(t, w.WriteField("name", name))
		require.NoError(t, w.Close())
		got := b.send(t, http.MethodPost, v1+"/memory/file/datasources", &form, "Content-Type", w.FormDataContentType(), "Authorization",
			"Bearer "+b.token(t, &b.world.Owner))
		require.Equal(t, 422, got.status)
		require.Contains(t, got.body, `"errors":[`+want+`]`)
	}
}
