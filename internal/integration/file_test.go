package integration_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"parley.dev/parley/api"
	"parley.dev/parley/connectors/csv"
	"parley.dev/parley/connectors/hyper"
	"parley.dev/parley/connectors/pptx"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/connectors/xlsx"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// startWithWorkers starts two more servers on the database and the files of a node. They use real
// workers, like two nodes of a cluster.
func startWithWorkers(t *testing.T, n *node, quota persistence.Quota) (one, two *node, bench *workbench.Bench) {
	t.Helper()
	dir := t.TempDir()
	worker := processtest.Build(t, dir, "parley-worker")
	bench = workbench.New(workbench.Config{
		Files: n.files, Dir: filepath.Join(dir, "bench"), Worker: worker, Idle: -1, Deadline: patience,
		Wait: patience,
	})
	require.NoError(t, bench.Start(t.Context()))
	t.Cleanup(bench.Stop)
	nodes := make([]*node, 2)
	for i := range nodes {
		store, err := persistence.Open(t.Context(), persistence.Config{URL: n.database, Quota: quota})
		require.NoError(t, err)
		t.Cleanup(store.Close)
		url := n.serve(t, api.Limits{UploadsPerHour: -1}, func(c *api.Config) {
			c.DataSources, c.Exporter, c.Workbench = store.DataSources, bench, bench
			c.Intake = n.newIntake(t, store.Files, csv.New(bench), xlsx.New(bench), pptx.New(bench), hyper.New(bench))
		})
		nodes[i] = &node{store: store, files: n.files, url: url}
	}
	return nodes[0], nodes[1], bench
}

// form sends a multipart body with fields (names and values), and a file unless its name is empty.
func (p *person) form(path, fileName string, content []byte, key string, fields ...string) answer {
	p.t.Helper()
	return p.formBy(http.MethodPost, path, fileName, content, key, fields...)
}

// formBy is form with another method.
func (p *person) formBy(method, path, fileName string, content []byte, key string, fields ...string) answer {
	p.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := 0; i+1 < len(fields); i += 2 {
		require.NoError(p.t, w.WriteField(fields[i], fields[i+1]))
	}
	if fileName != "" {
		part, err := w.CreateFormFile("file", fileName)
		require.NoError(p.t, err)
		_, err = part.Write(content)
		require.NoError(p.t, err)
	}
	require.NoError(p.t, w.Close())
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.node.url+v1+path, &body)
	require.NoError(p.t, err)
	r.Header.Set("Authorization", "Bearer "+p.email)
	r.Header.Set("Content-Type", w.FormDataContentType())
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(p.t, err)
	defer func() { require.NoError(p.t, response.Body.Close()) }()
	out, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	return answer{response.StatusCode, response.Header, out}
}

// source is a data source as the API returns it.
type source struct {
	ID              int64    `json:"id"`
	Name            string   `json:"name"`
	Description     string   `json:"description"`
	Type            []string `json:"type"`
	FileName        string   `json:"fileName"`
	Notice          string   `json:"notice"`
	DataResourceSet []struct {
		Name string `json:"name"`
		Rows int64  `json:"rows"`
	} `json:"dataResourceSet"`
}

// files tests uploads and downloads with real workers.
func files(t *testing.T, n *node) {
	t.Helper()
	one, two, bench := startWithWorkers(t, n, persistence.Quota{Person: 1 << 20})
	anna, ben, far := one.as(t, persistencetest.Anna), one.as(t, persistencetest.Ben), two.as(t, persistencetest.Anna)

	book := excelize.NewFile()
	require.NoError(t, book.SetSheetRow("Sheet1", "A1", &[]any{"region", "amount"}))
	require.NoError(t, book.SetSheetRow("Sheet1", "A2", &[]any{"North", 12.5}))
	var workbook bytes.Buffer
	require.NoError(t, book.Write(&workbook))
	require.NoError(t, book.Close())

	t.Run("E17", func(t *testing.T) {
		// Eight concurrent uploads of the same file on two nodes, with one key.
		ids := make(chan int64, 8)
		var sends sync.WaitGroup
		for i := range cap(ids) {
			p := []*person{anna, far}[i%2]
			sends.Go(func() {
				got := p.form("/memory/file/datasources", "sales.xlsx", workbook.Bytes(), "one-upload", "name", "Sales", "description", "D")
				var s source
				if got.status == http.StatusCreated {
					got.into(t, 201, &s)
				}
				ids <- s.ID
			})
		}
		sends.Wait()
		close(ids)
		first := int64(0)
		for id := range ids {
			require.NotZero(t, id)
			require.True(t, first == 0 || first == id)
			first = id
		}
		anna.form("/memory/file/datasources", "sales.csv", []byte("a,b\n1,2\n"), "one-upload", "name", "Sales", "description", "D").refused(t,
			422)
		d, err := one.store.DataSources.DataSource(t.Context(), persistencetest.Caller(t, n.store, persistencetest.Anna), first)
		require.NoError(t, err)
		require.Equal(t, domain.DataSourceXLSX, d.Type)
		r, err := bench.Query(t.Context(), []domain.DataSource{*d}, "SELECT region, amount FROM sales")
		require.NoError(t, err)
		require.Equal(t, [][]any{{"North", 12.5}}, r.Rows)
		ben.do("GET", fmt.Sprintf("/memory/datasources/%d", first), nil).refused(t, 404)
	})
	t.Run("ReplaceSyncDownload", func(t *testing.T) { replaceSyncDownload(t, one, two, bench) })
	t.Run("E12", func(t *testing.T) {
		conversation := n.as(t, persistencetest.Anna).create()
		object := table(t, n, conversation)
		content := "/discourse/displayobjects/" + object.String() + "/content"
		got := anna.do("GET", content+"?format=xlsx", nil)
		require.Equal(t, 200, got.status, "%s", got.body)
		f, err := excelize.OpenReader(bytes.NewReader(got.body))
		require.NoError(t, err)
		defer func() { require.NoError(t, f.Close()) }()
		value, err := f.GetCellValue("Sheet1", "A2")
		require.NoError(t, err)
		require.Equal(t, "1", value)
		got = anna.do("GET", content+"?format=json", nil)
		require.JSONEq(t, `{"columns":[{"name":"n","type":"integer"}],"rows":[[1]]}`, string(got.body))
		anna.do("GET", content+"?format=hyper", nil).refused(t, 422)
		ben.do("GET", content+"?format=xlsx", nil).refused(t, 404)

		// E14: a table of an answer becomes a data source.
		ben.form("/memory/file/datasources", "", nil, "", "display_object_id", object.String(), "description", "D").refused(t, 404)
		var s, again source
		anna.form("/memory/file/datasources", "", nil, "from-object", "display_object_id", object.String(), "description", "D").into(t, 201, &s)
		far.form("/memory/file/datasources", "", nil, "from-object", "display_object_id", object.String(), "description", "D").into(t, 201,
			&again)
		require.Equal(t, s.ID, again.ID)
		require.Equal(t, []string{"csv"}, s.Type)
		require.Equal(t, int64(1), s.DataResourceSet[0].Rows)
	})
	t.Run("Info", func(t *testing.T) {
		var s struct{ Type, Name, Description string }
		anna.form("/memory/file/info", "net sales.xlsx", workbook.Bytes(), "", "delimiter", "auto").into(t, 200, &s)
		require.Equal(t, []string{"xlsx", "net sales"}, []string{s.Type, s.Name})
		require.Contains(t, s.Description, "1 row of net sales with 2 columns: Region and Amount.")
		p := anna.form("/memory/file/info", "old.hyper", []byte(strings.Repeat("\x01\x02\x00\x07", 99)), "").refused(t, 422)
		require.Contains(t, p.Errors[0].Message, "In Tableau")
		anna.form("/memory/file/info", "old.hyper", tableauExtract(), "", "delimiter", "auto").into(t, 200, &s)
		require.Equal(t, []string{"hyper", "old"}, []string{s.Type, s.Name})
		require.NotEmpty(t, s.Description)
		require.Equal(t, "Error: Unsupported file type. Please upload a valid file format.",
			anna.form("/memory/file/info", "a.docx", []byte("text"), "").refused(t, 415).Detail)
	})
	t.Run("NoConverter", func(t *testing.T) {
		var s, listed source
		anna.form("/memory/file/datasources", "store visits.hyper", tableauExtract(), "", "description", "D").into(t, 201, &s)
		require.Equal(t, []string{"hyper"}, s.Type)
		require.Contains(t, s.Notice, "No converter for Tableau Hyper files is installed on this server")
		require.Empty(t, s.DataResourceSet)
		one := fmt.Sprintf("/memory/datasources/%d", s.ID)
		for _, path := range []string{one, one + "?regenerate_preview=true"} {
			listed = source{}
			far.do("GET", path, nil).into(t, 200, &listed)
			require.Equal(t, s.Notice, listed.Notice)
		}
		var all struct{ Results []source }
		anna.do("GET", "/memory/datasources?search=store+visits", nil).into(t, 200, &all)
		require.Equal(t, s.Notice, all.Results[0].Notice)
		require.Equal(t, s.Notice, anna.do("POST", one+"/sync", nil).refused(t, 422).Detail)
		require.Equal(t, tableauExtract(), anna.do("GET", one+"/file", nil).body)
		anna.do("GET", one+"/file?format=csv", nil).refused(t, 422)
		// A readable file can replace the unreadable one, and an unreadable one can replace it again.
		anna.formBy("PUT", one+"/file", "visits.csv", []byte("a,b\n1,2\n"), "").into(t, 200, &listed)
		require.Empty(t, listed.Notice)
		require.Len(t, listed.DataResourceSet, 1)
		anna.formBy("PUT", one+"/file", "visits.hyper", tableauExtract(), "").into(t, 200, &listed)
		require.NotEmpty(t, listed.Notice)
		require.Empty(t, listed.DataResourceSet)
		anna.do("DELETE", one, nil).into(t, 204, nil)
	})
	t.Run("E09", func(t *testing.T) {
		big := []byte("a,b\n" + strings.Repeat("1,2\n", 200_000))
		cleo, elsewhere := one.as(t, persistencetest.Cleo), two.as(t, persistencetest.Cleo)
		cleo.form("/memory/file/datasources", "a.csv", big, "", "description", "D").into(t, 201, nil)
		elsewhere.form("/memory/file/datasources", "a.csv", big, "", "description", "D").refused(t, 413)
		ben.form("/memory/file/datasources", "a.csv", big, "", "description", "D").into(t, 201, nil)
	})
}

// tableauExtract returns bytes with the signature of a Tableau extract, long enough to be one.
func tableauExtract() []byte {
	return []byte("Hyper\x08\x00\x00\x01" + strings.Repeat("\x00", 8<<10))
}

// table runs a turn that shows a table, and returns the id of its display object.
func table(t *testing.T, n *node, conversation uuid.UUID) uuid.UUID {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	stream := anna.dial(nil)
	var sources struct{ Results []source }
	anna.do("GET", "/memory/datasources?search=Orders", nil).into(t, 200, &sources)
	require.NotEmpty(t, sources.Results)
	prompt := anna.prompt(conversation, `rate=0 tokens=5 query="SELECT 1"`)
	prompt["dataSources"] = []int64{sources.Results[0].ID}
	anna.do("POST", "/discourse/user-text", prompt).into(t, 200, nil)
	stream.wait(func(f frame) bool {
		return f.Type == string(domain.EventStreamingComplete) && strings.Contains(string(f.Data), conversation.String())
	})
	var c struct {
		MessageSet []struct {
			DisplayobjectSet []struct {
				ID   uuid.UUID `json:"id"`
				Type string    `json:"type"`
			} `json:"displayobjectSet"`
		} `json:"messageSet"`
	}
	anna.do("GET", "/discourse/conversations/"+conversation.String(), nil).into(t, 200, &c)
	for _, m := range c.MessageSet {
		for _, o := range m.DisplayobjectSet {
			if o.Type == string(domain.DisplayCSV) {
				return o.ID
			}
		}
	}
	require.Fail(t, "the turn did not show a table")
	return uuid.Nil
}
