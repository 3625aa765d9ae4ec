package api_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

const (
	allAnalysts    = v1 + "/analyst/analysts"
	prismAnalyst   = allAnalysts + "/1"
	financeAnalyst = allAnalysts + "/2"
)

// TestRoutes_Analysts contains the rows about agents that the API answers by itself or with
// what people are shown.
func TestRoutes_Analysts(t *testing.T) {
	t.Parallel()
	const all, prism, finance = allAnalysts, prismAnalyst, financeAnalyst
	settings := []string{`"general":{"enabled":true}`, `"knowledgeBase":{"enabled":true,"specialInstructions":"secret knowledge",` +
		`"memoryLabels":[],"memories":[1]}`, `"summary":{"enabled":true`}
	secret := []string{"secret", "knowledgeBase", "instructions", "general"}
	runScenarios(t, []scenario{
		{
			"OK", "GET", all, "owner", "", 200,
			[]string{`"name":"prism-1"`, `"agentParams":{"modelProvider":"builtin"}`, `"count":1`},
			append(secret, "Finance"), "",
		},
		{
			"shared", "GET", all, "reader", "", 200,
			[]string{`"count":2`, `"projectLabels":[{"id":1,"name":"Launch","color":"Royal Blue"}]`},
			secret, "",
		},
		{"superuser", "GET", all, "root", "", 200, settings, nil, ""},
		{"nothing", "GET", all, "foreigner", "", 200, []string{`"results":[]`}, nil, "Analysts"},
		{
			"D07", "GET", all + "?filter=name:like:x", "owner", "", 422,
			[]string{`{"field":"filter","message":"Operation \"like\" currently not supported"}`},
			nil, "",
		},
		{"D02 scope", "GET", all + "?scope=x", "owner", "", 422, []string{`"field":"scope"`}, nil, ""},
		{"D06", "GET", all + "?project_label=true", "owner", "", 422, []string{`"field":"projectLabel"`}, nil, ""},
		{
			"OK", "GET", v1 + "/analyst/default", "owner", "", 200,
			[]string{`"isDefault":true`, `"owner":null`, `"delete":false`},
			secret,
			"AnalystFor",
		},
		{
			"OK", "GET", all + "/active-models?page_size=1000", "owner", "", 200,
			[]string{`"results":[{"provider":"builtin","model":"builtin"},{"provider":"openai","model":"m-1"}]`, `"count":2`},
			nil, "",
		},
		{
			"page", "GET", all + "/active-models?page_size=1&page=2", "owner", "", 200,
			[]string{`"results":[{"provider":"openai","model":"m-1"}]`},
			nil, "",
		},
		{"D01", "POST", all, "root", `{"name":"N","connectors":"all"}`, 422, []string{`"field":"connectors"`}, nil, ""},
		{"B13", "POST", all, "owner", `{"name":"N"}`, 404, []string{`"code":"D404"`}, nil, ""},

		{"OK", "GET", finance, "root", "", 200, settings, nil, "AnalystFor"},
		{"shared", "GET", finance, "reader", "", 200, []string{`"name":"Finance"`, `"edit":false`, `"favorite":true`}, secret, ""},
		{"not shared", "GET", finance, "stranger", "", 404, nil, []string{"Finance"}, "AnalystFor"},

		// A call with a body is refused before the service is called, by the right of the
		// call.
		{"seen", "PUT", finance, "reader", `{"name":"Mine"}`, 403, nil, nil, "Relation agent"},
		{"B13", "PUT", finance, "stranger", `{"name":"Mine"}`, 404, nil, nil, "Relation agent"},
		{"not shared", "PUT", finance + "/favorite", "stranger", `{"is_favorite":true}`, 404, nil, nil, "Relation agent"},
		{"seen", "PUT", finance + "/actors", "reader", `{"users":[{"id":3}]}`, 403, nil, nil, "Relation agent"},
		{"B13", "PUT", finance + "/actors", "stranger", `{"users":[{"id":3}]}`, 404, nil, nil, "Relation agent"},

		{"missing", "PUT", prism + "/favorite", "stranger", `{}`, 422, []string{`"field":"isFavorite"`}, nil, ""},
		{"OK", "GET", finance + "/actors", "reader", "", 200, []string{
			`"actor":{"id":5,"type":"user","name":"root"`, `"permission":"owner"`,
			`"count":2`,
		}, nil, "AnalystGrants"},
		{"everybody's", "GET", prism + "/actors", "stranger", "", 200, []string{`"results":[]`}, nil, "AnalystGrants"},
		{
			"B06 write", "PUT", finance + "/actors", "root", `{"users":[{"id":3,"permission":"write"}]}`, 422,
			[]string{`{"field":"users[0].permission","message":"An agent can be shared for viewing only"}`},
			nil, "",
		},
		{"B06 owner", "PUT", finance + "/actors", "root", `{"users":[{"id":3,"permission":"owner"}]}`, 422, nil, nil, ""},
		{
			"B06 organisation", "PUT", finance + "/actors", "root", `{"organizations":[{"id":1}]}`, 422,
			[]string{`"field":"organizations"`},
			nil,
			"",
		},
		{"B06 twice", "PUT", finance + "/actors", "root", `{"users":[{"id":3},{"id":3}]}`, 422, nil, nil, ""},
		{
			"B06 many", "PUT", finance + "/actors", "root", `{"users":[` + strings.TrimSuffix(strings.Repeat(`{"id":3},`, 201), ",") + `]}`, 422,
			nil, nil, "",
		},
	})
}

// TestRoutes_AnalystsArguments checks all arguments that the service gets from each call.
func TestRoutes_AnalystsArguments(t *testing.T) {
	t.Parallel()
	const all, prism, finance = allAnalysts, prismAnalyst, financeAnalyst
	list := func(change func(*domain.AnalystFilter)) domain.AnalystFilter {
		f := domain.AnalystFilter{
			OnlyEnabled: true, ProjectLabels: []int64{}, Conditions: domain.Filters{},
			Page: domain.Page{Number: 1, Size: 100},
		}
		change(&f)
		return f
	}
	scopes := func(names ...string) domain.AnalystFilter {
		return list(func(f *domain.AnalystFilter) { f.Scopes = names })
	}
	update := func(u domain.AnalystUpdate) domain.AnalystUpdate {
		u.Available = []domain.AgentModel{{Provider: "builtin", Model: "builtin"}, {Provider: "openai", Model: "m-1"}}
		return u
	}
	change := func(u domain.AnalystUpdate) fakes.AnalystChange { return fakes.AnalystChange{ID: 2, Update: update(u)} }
	row := func(method, name, call, path, who, body string, status int, has string, asked any) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, []string{has}, nil, ""}, method, nil, asked}
	}
	const good = `{"agent_name":"Helper","description":"D","controller":"analyst","provider":"openai","model":"m-1","instructions":"I",` +
		`"general":{"enabled":false},` +
		`"knowledge_base":{"enabled":false,"special_instructions":"K"},"chartReview":{"memoryLabels":[1]},"insights":{"memories":[2]},` +
		`"summary":{"enabled":true,"name":"S","specialInstructions":"T"},"connectors":[4],"projectLabels":[3],"picture":"/p.png",` +
		`"is_enabled":true}`
	whole := update(domain.AnalystUpdate{
		Name: new("Helper"), Description: new("D"), Controller: new("analyst"), Provider: new("openai"), Model: new("m-1"),
		Picture:   new("/p.png"),
		IsEnabled: new(true), Instructions: new("I"), General: new(false), Connectors: &[]int64{4}, ProjectLabels: &[]int64{3},
		Knowledge:   domain.AnalystSectionUpdate{Enabled: new(false), SpecialInstructions: new("K")},
		ChartReview: domain.AnalystSectionUpdate{MemoryLabels: &[]int64{1}}, Insights: domain.AnalystSectionUpdate{Memories: &[]int64{2}},
		Summary: domain.AnalystSummaryUpdate{Enabled: new(true), Name: new("S"), SpecialInstructions: new("T")},
	})
	runServiceRows(t, []serviceRow{
		row("Analysts", "all", "GET", all+"?page_size=1000&filter_enabled=false", "owner", "", 200, `"count":1`,
			list(func(f *domain.AnalystFilter) {
				f.OnlyEnabled, f.Page.Size = false, 1000
			})),
		row("Analysts", "favorites", "GET", all+"?only_favorites=true", "owner", "", 200, "", scopes("favorite")),
		row("Analysts", "favorite_scope", "GET", all+"?favorite_scope=favorite", "owner", "", 200, "", scopes("favorite")),
		row("Analysts", "recent", "GET", all+"?recent=true", "owner", "", 200, "", scopes("recent")),
		row("Analysts", "owned", "GET", all+"?scope=owned", "owner", "", 200, "", scopes("owned")),
		row("Analysts", "scopes together", "GET", all+"?scope=only_favorites&retrieve_type=shared&recent=true", "owner", "", 200, "",
			scopes("recent", "favorite", "shared")),
		row("Analysts", "filters", "GET", all+"?filter=name:contains:x&filter=model_provider:eq:openai&project_label=1&search=s&page=2",
			"owner", "", 200, "", list(func(f *domain.AnalystFilter) {
				f.Conditions = domain.Filters{
					{Field: "name", Op: "contains", Values: []any{"x"}},
					{Field: "modelProvider", Op: "eq", Values: []any{"openai"}},
				}
				f.ProjectLabels, f.Search, f.Page.Number = []int64{1}, "s", 2
			})),
		row("DefaultAnalyst", "OK", "GET", v1+"/analyst/default", "owner", "", 200, `"id":1`, int64(1)),
		row("AnalystFor", "OK", "GET", finance, "root", "", 200, `"id":2`, int64(2)),

		row("CreateAnalyst", "OK", "POST", all, "root", good, 201, `"id":3`, whole),
		row("CreateAnalyst", "names of the entity", "POST", all, "root",
			`{"name":"Shaped","agent":"base","agent_params":{"model_provider":"openai"},"model":"m-1"}`, 201, `"manageAccess":true`,
			update(domain.AnalystUpdate{
				Name: new("Shaped"), Controller: new("base"), Provider: new("openai"), Model: new("m-1"),
			})),
		row("CreateAnalyst", "nothing", "POST", all, "root", `{}`, 201, `"fullName":"root"`, update(domain.AnalystUpdate{})),
		row("CreateAnalyst", "B07", "POST", all, "root", `{"id":77,"owner":4,"orgId":2,"isDefault":true,"version":9,`+
			`"createdAt":"1999-01-01T00:00:00Z"}`, 201, "", update(domain.AnalystUpdate{})),
		row("UpdateAnalyst", "OK", "PUT", finance, "root", `{"is_enabled":false,"version":4}`, 200, `"name":"Finance"`,
			change(domain.AnalystUpdate{IsEnabled: new(false), Version: 4})),
		row("UpdateAnalyst", "all of it", "PUT", finance, "root", good, 200, "", fakes.AnalystChange{ID: 2, Update: whole}),
		row("UpdateAnalyst", "blank", "PUT", finance, "root", `{"agentName":""}`, 200, "", change(domain.AnalystUpdate{Name: new("")})),
		row("DeleteAnalyst", "OK", "DELETE", finance, "root", "", 204, "", int64(2)),
		row("SetAnalystFavorite", "OK", "PUT", finance+"/favorite", "reader", `{"is_favorite":true}`, 204, "", fakes.Mark{ID: 2, On: true}),
		row("SetAnalystFavorite", "off", "PUT", prism+"/favorite", "stranger", `{"favorite":false}`, 204, "", fakes.Mark{ID: 1}),
		row("SetAnalystFavorite", "flag", "PUT", finance+"/favorite", "reader", `{"flag":true}`, 204, "", fakes.Mark{ID: 2, On: true}),
		row("SetAnalystGrants", "OK", "PUT", finance+"/actors", "root", `{"users":[{"id":3}],"teams":[{"id":1,"permission":"remove"}]}`, 200,
			`"count":2`, fakes.Grants{ID: 2, Grants: []domain.Grant{
				{Grantee: domain.Grantee{ID: 3, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
				{Grantee: domain.Grantee{ID: 1, Type: domain.GranteeTeam}, Permission: domain.PermissionRemove},
			}}),
	})
}

// TestRoutes_AnalystsRefused checks how the API answers a refusal of the service. Which
// requests the service refuses is tested in domain and, with the whole product, in
// internal/integration.
func TestRoutes_AnalystsRefused(t *testing.T) {
	t.Parallel()
	const all, prism, finance = allAnalysts, prismAnalyst, financeAnalyst
	forbidden, missing, conflict := refusal(domain.CodeForbidden), refusal(domain.CodeNotFound), refusal(domain.CodeConflict)
	fault := errors.New("a secret of the database")
	row := func(name, method string, refuse error, call, path, who, body string, status int, has string) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, []string{has}, []string{"secret"}, method}, method, refuse, nil}
	}
	runServiceRows(t, []serviceRow{
		row("fault", "Analysts", fault, "GET", all, "owner", "", 500, `"code":"I500"`),
		row("fault", "DefaultAnalyst", fault, "GET", v1+"/analyst/default", "owner", "", 500, `"code":"I500"`),
		row("ErrName", "CreateAnalyst", domain.Invalid("name", "Enter agent name"), "POST", all, "root", `{"name":" "}`, 422,
			`{"field":"name","message":"Enter agent name"}`),
		row("D12", "UpdateAnalyst", conflict, "PUT", finance, "root", `{"name":"N","version":3}`, 409, `"code":"conflict"`),
		row("default stays on", "UpdateAnalyst", domain.Invalid("isEnabled", "The default agent cannot be switched off"), "PUT", prism, "root",
			`{"isEnabled":false}`, 422, `"field":"isEnabled"`),
		row("default stays", "DeleteAnalyst", forbidden, "DELETE", prism, "root", "", 403, `"code":"forbidden"`),
		row("B13", "DeleteAnalyst", missing, "DELETE", finance, "stranger", "", 404, `"code":"D404"`),
		row("gone", "SetAnalystFavorite", missing, "PUT", finance+"/favorite", "reader", `{"flag":true}`, 404, `"code":"D404"`),
		row("not shared", "AnalystGrants", missing, "GET", finance+"/actors", "stranger", "", 404, `"code":"D404"`),
		row("somebody who is not there", "SetAnalystGrants", domain.Invalid("users", "Somebody is not there"), "PUT", finance+"/actors", "root",
			`{"users":[{"id":9}]}`, 422, `"field":"users"`),
	})
}

// D10 for the picture: nothing that a browser runs, and nothing that it loads from another
// server.
func TestAttack_D10_Picture(t *testing.T) {
	t.Parallel()
	b := setup(t, checked)
	data := func(kind, content string) string {
		return "data:image/" + kind + ";base64," + base64.StdEncoding.EncodeToString([]byte(content))
	}
	for picture, status := range map[string]int{
		"javascript:alert(1)": 422, "https://evil.example/x.png": 422, "//evil.example/x.png": 422, `/\evil.example`: 422,
		"data:text/html;base64,PGI+":             422,
		data("svg+xml", "<svg onload=alert(1)>"): 422, data("png", "<script>"): 422, "data:image/png;base64,***": 422, "/a/../b": 422,
		data("png", "\x89PNG\r\n\x1a\n"+strings.Repeat("x", 101<<10)): 422,
		"": 200, "/pictures/a.png": 200, data("png", "\x89PNG\r\n\x1a\nrest"): 200, data("jpeg", "\xff\xd8\xff\xe0"): 200,
		data("gif", "GIF89a"):            200,
		data("webp", "RIFF0000WEBPVP8 "): 200,
	} {
		got := b.call(t, &b.world.Root, http.MethodPut, v1+"/analyst/analysts/2", fmt.Sprintf(`{"picture":%q}`, picture))
		require.Equal(t, status, got.status, picture[:min(len(picture), 60)])
		if status == 422 {
			require.Contains(t, got.body, `"field":"picture"`)
		}
	}
}

// D11 and D12 with their headers: which version is changed, and which request is repeated.
func TestAnalysts_Headers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := func(body string) domain.IdempotencyKey {
		require.Equal(t, 201, b.call(t, &b.world.Root, http.MethodPost, allAnalysts, body, "Idempotency-Key", "k").status)
		u, ok := b.world.Asked("CreateAnalyst").(domain.AnalystUpdate)
		require.True(t, ok)
		return u.Key
	}
	first := key(`{"name":"A"}`)
	require.Equal(t, "k", first.Key)
	require.Equal(t, first, key(`{"name":"A"}`))
	require.NotEqual(t, first.Body, key(`{"name":"B"}`).Body)

	require.Equal(t, 200, b.call(t, &b.world.Root, http.MethodPut, financeAnalyst, `{"name":"A"}`, "If-Match", `"2"`).status)
	change, ok := b.world.Asked("UpdateAnalyst").(fakes.AnalystChange)
	require.True(t, ok)
	require.Equal(t, 2, change.Update.Version)
}
