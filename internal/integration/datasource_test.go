package integration_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// source creates a data source of the person, with a described table but without a file.
func (p *person) source(name string) *domain.DataSource {
	p.t.Helper()
	ctx, caller := context.Background(), persistencetest.Caller(p.t, p.node.store, p.email)
	file, work := "uploads/"+uuid.NewString(), "prepared/"+uuid.NewString()
	require.NoError(p.t, p.node.store.Files.FileIntake(p.node.id).Begin(ctx, caller.OrganisationID, file, work))
	d, err := p.node.store.DataSources.CreateDataSource(ctx, caller, domain.NewDataSource{
		Name: name, Description: "About " + name, Type: domain.DataSourceCSV, FileName: "a.csv", FileKey: file, WorkKey: work,
		Resources: []domain.DataResource{{Name: "Table", Table: "t", Columns: []domain.Column{{Name: "n", Type: domain.ColumnInteger}}}},
	})
	require.NoError(p.t, err)
	return d
}

func (p *person) shareSource(id int64, with *person, permission string) answer {
	p.t.Helper()
	return p.do("PUT", fmt.Sprintf("/memory/datasources/%d/actors", id),
		map[string]any{"users": []any{map[string]any{"id": with.me().ID, "permission": permission}}})
}

// runQuery runs a turn of the person with one query, and returns the text and the last attached
// object of the query's result. It calls before while the turn runs and has not sent the query yet.
func (p *person) runQuery(source int64, before func()) (text, object string) {
	p.t.Helper()
	id := p.create()
	asks := p.node.gates.close(id.String())
	prompt := p.prompt(id, `seed=1 tokens=1 rate=0 gate=`+id.String()+` query="SELECT 1"`)
	prompt["dataSources"] = []int64{source}
	p.do("POST", "/discourse/user-text", prompt).into(p.t, 200, nil)
	asks.wait(p.t)
	before()
	now := p.get(id)
	require.True(p.t, now.IsStreaming)
	require.NotContains(p.t, fmt.Sprint(now.MessageSet), string(domain.RoleUserProxy), "the query must not have run yet")
	close(asks.open)
	require.Eventually(p.t, func() bool { return !p.get(id).IsStreaming }, patience, 20*time.Millisecond)
	var c struct {
		MessageSet []struct {
			Role             string `json:"role"`
			Text             string `json:"text"`
			DisplayobjectSet []struct {
				ID   uuid.UUID `json:"id"`
				Type string    `json:"type"`
			} `json:"displayobjectSet"`
		} `json:"messageSet"`
	}
	p.do("GET", "/discourse/conversations/"+id.String(), nil).into(p.t, 200, &c)
	for _, m := range c.MessageSet {
		if m.Role == string(domain.RoleUserProxy) {
			last := m.DisplayobjectSet[len(m.DisplayobjectSet)-1]
			return m.Text, string(p.do("GET", "/discourse/displayobjects/"+last.ID.String()+"/content", nil).body)
		}
	}
	require.Fail(p.t, "no query ran")
	return "", ""
}

// dataSourceRevoked: rights are read when a tool runs and not when the turn
// starts (G15, B08), and a revoked data source disappears from lists immediately.
func dataSourceRevoked(t *testing.T, n *node) {
	t.Helper()
	ben, cleo := n.as(t, persistencetest.Ben), n.as(t, persistencetest.Cleo)
	d := ben.source("Revoked")
	list := func() string {
		a := cleo.do("GET", "/memory/datasources?scope=shared", nil)
		a.into(t, 200, nil)
		return string(a.body)
	}
	require.NotContains(t, list(), "Revoked")
	ben.shareSource(d.ID, cleo, "read").into(t, 200, nil)
	require.Contains(t, list(), "Revoked")

	text, table := cleo.runQuery(d.ID, func() {})
	require.Contains(t, text, "1 row")
	require.Equal(t, "n\n1\n", table)

	text, reason := cleo.runQuery(d.ID, func() { ben.shareSource(d.ID, cleo, "remove").into(t, 200, nil) })
	require.Contains(t, text, "the query failed")
	require.Equal(t, "No data source is attached, or none may be read any more.", reason)
	require.NotContains(t, list(), "Revoked")
	prompt := cleo.prompt(cleo.create(), "hi")
	prompt["dataSources"] = []int64{d.ID}
	require.Equal(t, "dataSources", cleo.do("POST", "/discourse/user-text", prompt).refused(t, 422).Errors[0].Field)
}

// dataSourceRights makes the calls of a data source as a colleague without a share, a person
// of another organisation and a reader (B04, B05, B11, G18), then as a writer and as the owner.
func dataSourceRights(t *testing.T, n *node) {
	t.Helper()
	ben, cleo, anna, doris := n.as(t, persistencetest.Ben), n.as(t, persistencetest.Cleo), n.as(t, persistencetest.Anna),
		n.as(t, persistencetest.Doris)
	d := ben.source("Bens own")
	ben.shareSource(d.ID, cleo, "read").into(t, 200, nil)
	one := fmt.Sprintf("/memory/datasources/%d", d.ID)
	table := fmt.Sprintf("/memory/dataresources/%d", d.Resources[0].ID)
	for _, call := range []struct {
		method, path string
		body         any
		reader       int
	}{
		{"GET", one, nil, 200},
		{"GET", one + "/actors", nil, 200},
		{"PUT", one + "/favorite", map[string]any{"is_favorite": true}, 204},
		{"PUT", one, map[string]any{"name": "Stolen"}, 403},
		{"POST", one + "/archive", nil, 403},
		{"POST", one + "/sync", nil, 403},
		{"PUT", one + "/file", nil, 403},
		{"PUT", one + "/actors", map[string]any{"users": []any{map[string]any{"id": cleo.me().ID, "permission": "write"}}}, 403},
		{"PATCH", one + "/details", map[string]any{"id": d.Resources[0].ID, "text": "x"}, 403},
		{"PATCH", table, map[string]any{"details": "x"}, 403},
		{"DELETE", one, nil, 403},
	} {
		for _, stranger := range []*person{anna, doris} {
			require.Equal(t, "D404", stranger.do(call.method, call.path, call.body).refused(t, 404).Code, call.method+call.path)
		}
		require.Equal(t, call.reader, cleo.do(call.method, call.path, call.body).status, call.method+call.path)
	}
	for _, stranger := range []*person{anna, doris} {
		a := stranger.do("GET", "/memory/datasources?include_nested_objects=true&retrieve_type=all&search=Bens", nil)
		a.into(t, 200, nil)
		require.NotContains(t, string(a.body), "Bens")
		require.Contains(t, string(a.body), `"count":0`)
	}
	// A write share permits changes of names and descriptions only.
	ben.shareSource(d.ID, cleo, "write").into(t, 200, nil)
	var changed struct {
		Name    string `json:"name"`
		OwnerID int64  `json:"ownerId"`
	}
	cleo.do("PUT", one, map[string]any{"name": "By Cleo", "owner": cleo.me().ID, "ownerId": cleo.me().ID}).into(t, 200, &changed)
	require.Equal(t, "By Cleo", changed.Name)
	require.Equal(t, ben.me().ID, changed.OwnerID)
	cleo.do("PATCH", table, map[string]any{"details": "n: a number"}).into(t, 200, nil)
	cleo.do("DELETE", one, nil).refused(t, 403)
	cleo.shareSource(d.ID, anna, "read").refused(t, 403)
	// B04: a caller cannot change another data source's table through their own data source.
	own := cleo.source("Cleos own")
	cleo.do("PATCH", fmt.Sprintf("/memory/datasources/%d/details", own.ID), map[string]any{"id": d.Resources[0].ID, "text": "x"}).refused(t,
		404)
	// Archive, restore, delete permanently.
	ben.do("POST", one+"/archive", nil).into(t, 200, nil)
	require.Contains(t, string(cleo.do("GET", "/memory/datasources?status=archived", nil).body), "By Cleo")
	ben.do("POST", one+"/archive", map[string]any{"isArchived": false}).into(t, 200, nil)
	ben.do("DELETE", one, nil).into(t, 204, nil)
	for _, p := range []*person{ben, cleo} {
		p.do("GET", one, nil).refused(t, 404)
	}
}

// replaceSyncDownload replaces a file while it is in use, with real workers: a query that has the old
// version still reads the old file, and later ones read the new file on both nodes.
func replaceSyncDownload(t *testing.T, one, two *node, bench *workbench.Bench) {
	t.Helper()
	cleo, far := one.as(t, persistencetest.Cleo), two.as(t, persistencetest.Cleo)
	caller := persistencetest.Caller(t, one.store, persistencetest.Cleo)
	var s source
	cleo.form("/memory/file/datasources", "old.csv", []byte("region,amount\nNorth,1\n"), "", "name", "Sales", "description", "D").into(t,
		201, &s)
	path := fmt.Sprintf("/memory/datasources/%d", s.ID)
	old, err := one.store.DataSources.DataSource(t.Context(), caller, s.ID)
	require.NoError(t, err)
	cleo.do("PATCH", fmt.Sprintf("/memory/dataresources/%d", old.Resources[0].ID), map[string]any{"details": "region: where"}).into(t, 200,
		nil)

	far.formBy("PUT", path+"/file", "new.csv", []byte("City (name);people\nParis;2\nRome;3\n"), "").into(t, 200, &s)
	require.Equal(t, "new.csv", s.FileName)
	require.Equal(t, int64(2), s.DataResourceSet[0].Rows)
	now, err := one.store.DataSources.DataSource(t.Context(), caller, s.ID)
	require.NoError(t, err)
	require.Equal(t, []any{old.Resources[0].ID, "region: where"}, []any{now.Resources[0].ID, now.Resources[0].Details})
	for d, want := range map[*domain.DataSource]int64{old: 1, now: 5} {
		column := d.Resources[0].Columns[1].Name
		r, err := bench.Query(t.Context(), []domain.DataSource{*d}, "SELECT sum("+column+")::BIGINT FROM "+d.Resources[0].Table)
		require.NoError(t, err)
		require.Equal(t, [][]any{{want}}, r.Rows)
	}
	cleo.do("POST", path+"/sync", nil).into(t, 200, &s)
	require.Equal(t, int64(2), s.DataResourceSet[0].Rows)
	synced, err := one.store.DataSources.DataSource(t.Context(), caller, s.ID)
	require.NoError(t, err)
	require.NotEqual(t, now.WorkKey, synced.WorkKey)
	require.Equal(t, now.FileKey, synced.FileKey)
	require.Equal(t, now.Resources, synced.Resources)

	a := cleo.do("GET", path+"?regenerate_preview=true", nil)
	a.into(t, 200, nil)
	require.Contains(t, string(a.body), `Paris`)
	require.Equal(t, "City (name);people\nParis;2\nRome;3\n", string(far.do("GET", path+"/file", nil).body))
	require.Equal(t, "City (name),people\nParis,2\nRome,3\n",
		string(cleo.do("GET", fmt.Sprintf("%s/file?format=csv&resource=%d", path, now.Resources[0].ID), nil).body))
	a = cleo.do("GET", path+"/file?format=xlsx", nil)
	a.into(t, 200, nil)
	require.Equal(t, "PK", string(a.body[:2]))
	require.Contains(t, a.header.Get("Content-Disposition"), ".xlsx")
	cleo.formBy("PUT", path+"/file", "bad.csv", []byte("<html></html>"), "").refused(t, 415)
	require.Equal(t, "new.csv", func() string { cleo.do("GET", path, nil).into(t, 200, &s); return s.FileName }())
}
