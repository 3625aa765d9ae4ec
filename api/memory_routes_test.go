package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

const (
	allMemories = v1 + "/memory/memories"
	oneMemory   = allMemories + "/1"
)

// TestRoutes_Memories contains the rows about memories that the API answers by itself or with
// the only memory.
func TestRoutes_Memories(t *testing.T) {
	t.Parallel()
	const (
		all  = allMemories
		one  = oneMemory
		good = `{"question":"Q?","name":"N","type":1,"response":"R","labels":[2]}`
	)
	runScenarios(t, []scenario{
		{
			"OK", "GET", all + "?page=1&page_size=10", "owner", "", 200,
			[]string{
				`"index":"What are net sales?"`, `"value":"Sales less discounts."`, `"source":"manual"`, `"labels":[2]`, `"type":1`,
				`"owner":null`, `"edit":false`, `"count":1`,
			},
			nil, "Memories",
		},
		{"superuser", "GET", all, "root", "", 200, []string{`"edit":true`, `"version":3`}, nil, ""},
		{"labels that are none", "GET", all + "?labels=1,x", "owner", "", 422, []string{`"field":"labels"`}, nil, ""},
		{
			"D07", "GET", all + "?filter=name:like:x", "owner", "", 422,
			[]string{`{"field":"filter","message":"Operation \"like\" currently not supported"}`},
			nil, "",
		},
		{
			"D01 wrong type", "POST", all, "root", `{"question":"Q","name":"N","type":"1","response":"R"}`, 422,
			[]string{`"field":"type"`},
			nil,
			"",
		},
		{"no id at all", "PATCH", all + "/x", "root", `{"isEnabled":false}`, 404, nil, nil, ""},

		// A call with a body is refused before the service is called, by the right of the
		// call.
		{"B13", "POST", all, "owner", good, 404, []string{`"code":"D404"`}, nil, "UserByIdentity"},
		{"seen", "PUT", one, "owner", good, 403, nil, nil, "Relation memory"},
		{"seen", "PATCH", one, "reader", `{"isEnabled":false}`, 403, nil, nil, "Relation memory"},
		{"of another organisation", "PATCH", one, "foreigner", `{"isEnabled":false}`, 404, nil, nil, "Relation memory"},
		{"no such id", "PATCH", all + "/99", "root", `{"isEnabled":false}`, 404, nil, nil, "Relation memory"},

		{
			"OK", "GET", v1 + "/memory/memorytypes", "owner", "", 200,
			[]string{`{"id":2,"name":"Chart","specialist":"chartReview"}`, `"count":2`},
			nil, "MemoryTypes",
		},
		{"OK", "GET", v1 + "/memory/memorylabels", "owner", "", 200, []string{`"results":[{"id":2,"name":"Finance"}]`}, nil, "MemoryLabels"},
		{"OK", "GET", v1 + "/memory/memorysources", "owner", "", 200, []string{`"results":[{"id":1,"name":"manual"}]`}, nil, "MemorySources"},
	})
}

// TestRoutes_MemoriesArguments checks all arguments that the service gets from each call.
func TestRoutes_MemoriesArguments(t *testing.T) {
	t.Parallel()
	const (
		all  = allMemories
		one  = oneMemory
		good = `{"question":"Q?","name":"N","type":1,"response":"R","labels":[2],"alwaysRecalled":true}`
	)
	list := func(change func(*domain.MemoryFilter)) domain.MemoryFilter {
		f := domain.MemoryFilter{Labels: []int64{}, Filters: domain.Filters{}, Page: domain.Page{Number: 1, Size: 100}}
		change(&f)
		return f
	}
	row := func(method, name, call, path, who, body string, status int, asked any) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, nil, nil, method}, method, nil, asked}
	}
	runServiceRows(t, []serviceRow{
		row("Memories", "specialists", "GET", all+"?specialists=chartReview,insights", "owner", "", 200, list(func(f *domain.MemoryFilter) {
			f.Specialists = []domain.Specialist{"chartReview", "insights"}
		})),
		row("Memories", "specialists[]", "GET", all+"?specialists[]=chartReview&specialists[]=endOfTurnSummary", "owner", "", 200,
			list(func(f *domain.MemoryFilter) {
				f.Specialists = []domain.Specialist{"chartReview", "endOfTurnSummary"}
			})),
		row("Memories", "filter", "GET", all+"?filter=is_enabled:eq:true&filter=name:contains:sales", "owner", "", 200,
			list(func(f *domain.MemoryFilter) {
				f.Filters = domain.Filters{{Field: "isEnabled", Op: "eq", Values: []any{true}}, {Field: "name", Op: "contains", Values: []any{"sales"}}}
			})),
		row("Memories", "of labels, found", "GET", all+"?labels=1,2&search=net&page=2&page_size=7", "owner", "", 200,
			list(func(f *domain.MemoryFilter) {
				f.Labels, f.Search, f.Page = []int64{1, 2}, "net", domain.Page{Number: 2, Size: 7}
			})),

		row("CreateMemory", "OK", "POST", all, "root", good, 201, domain.NewMemory{
			Name: "N", Question: "Q?", Response: "R", TypeID: 1, Labels: []int64{2}, AlwaysRecalled: true,
		}),
		row("CreateMemory", "names of the entity", "POST", all, "root", `{"index":"Q?","name":"N","type":1,"value":"R","always_recalled":true}`,
			201, domain.NewMemory{
				Name: "N", Question: "Q?", Response: "R", TypeID: 1, AlwaysRecalled: true,
			}),
		row("CreateMemory", "B07", "POST", all, "root", `{"id":99,"owner":4,"orgId":2,"source":"sample","isEnabled":false,`+
			`"createdAt":"1999-01-01T00:00:00Z"}`, 201, domain.NewMemory{}),

		row("UpdateMemory", "OK", "PUT", one, "root", good, 200, fakes.MemoryChange{ID: 1, Update: domain.MemoryUpdate{
			Name: new("N"), Question: new("Q?"), Response: new("R"), TypeID: new(int64(1)), Labels: &[]int64{2}, AlwaysRecalled: new(true),
		}}),
		row("UpdateMemory", "nothing is empty", "PUT", one, "root", `{"name":"N"}`, 200, fakes.MemoryChange{ID: 1, Update: domain.MemoryUpdate{
			Name: new("N"), Question: new(""), Response: new(""), TypeID: new(int64(0)),
		}}),
		row("UpdateMemory", "OK", "PATCH", one, "root", `{"is_enabled":false,"version":3}`, 200,
			fakes.MemoryChange{ID: 1, Update: domain.MemoryUpdate{
				IsEnabled: new(false), Version: 3,
			}}),
		row("DeleteMemory", "OK", "DELETE", one, "root", "", 204, int64(1)),
	})
}

// TestRoutes_MemoriesRefused checks how the API answers a refusal of the service. Which
// requests the service refuses is tested in domain and, with the whole product, in
// internal/integration.
func TestRoutes_MemoriesRefused(t *testing.T) {
	t.Parallel()
	row := func(method string, refuse error, call, path, body string, status int, has string) serviceRow {
		return serviceRow{scenario{method, call, path, "root", body, status, []string{has}, nil, method}, method, refuse, nil}
	}
	runServiceRows(t, []serviceRow{
		row("Memories", refusal(domain.CodeUnavailable), "GET", allMemories, "", 503, `"code":"unavailable"`),
		row("CreateMemory", domain.Invalid("question", "All fields are required"), "POST", allMemories, `{}`, 422,
			`{"field":"question","message":"All fields are required"}`),
		row("UpdateMemory", refusal(domain.CodeConflict), "PATCH", oneMemory, `{"isEnabled":false,"version":2}`, 409, `"code":"conflict"`),
		row("UpdateMemory", domain.Invalid("type", "All fields are required"), "PUT", oneMemory, `{"name":"N"}`, 422, `"field":"type"`),
		row("DeleteMemory", refusal(domain.CodeForbidden), "DELETE", oneMemory, "", 403, `"code":"forbidden"`),
		row("DeleteMemory", refusal(domain.CodeNotFound), "DELETE", allMemories+"/99", "", 404, `"code":"D404"`),
	})
}

// D12: the version may be in the header, where proxies and clients expect it.
func TestVersion_IfMatch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for header, version := range map[string]int{`"3"`: 3, `W/"3"`: 3, "3": 3, "*": 0, "": 0, `"2"`: 2} {
		got := b.call(t, &b.world.Root, http.MethodPatch, oneMemory, `{"isEnabled":true}`, "If-Match", header)
		require.Equal(t, http.StatusOK, got.status, "%q: %s", header, got.body)
		change, ok := b.world.Asked("UpdateMemory").(fakes.MemoryChange)
		require.True(t, ok)
		require.Equal(t, version, change.Update.Version, "%q", header)
	}
	for _, header := range []string{"x", "-1", "99999999999999999999"} {
		got := b.call(t, &b.world.Root, http.MethodPatch, oneMemory, `{"isEnabled":true}`, "If-Match", header)
		require.Equal(t, http.StatusUnprocessableEntity, got.status, "%q: %s", header, got.body)
	}
	got := b.call(t, &b.world.Root, http.MethodPatch, oneMemory, `{"isEnabled":true,"version":3}`, "If-Match", "2")
	require.Equal(t, http.StatusUnprocessableEntity, got.status, "they contradict each other")
}

// D11: the same creation again has the same key, whatever the order of its fields.
func TestIdempotency_Memory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	post := func(body string) domain.IdempotencyKey {
		got := b.call(t, &b.world.Root, http.MethodPost, allMemories, body, "Idempotency-Key", "k")
		require.Equal(t, http.StatusCreated, got.status, got.body)
		made, ok := b.world.Asked("CreateMemory").(domain.NewMemory)
		require.True(t, ok)
		require.Equal(t, "k", made.Key.Key)
		return made.Key
	}
	one := post(`{"question":"Q","name":"N","type":1,"response":"R"}`)
	require.Equal(t, one, post(`{"name":"N", "question":"Q","type":1,"response":"R"}`))
	require.NotEqual(t, one, post(`{"question":"Q","name":"M","type":1,"response":"R"}`))
}
