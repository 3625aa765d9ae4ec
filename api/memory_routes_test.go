package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestRoutes_Memories has the rows of memories. {long} is a text of one more
// character than a name has.
func TestRoutes_Memories(t *testing.T) {
	t.Parallel()
	const all = v1 + "/memory/memories"
	const one = all + "/1"
	const good = `{"question":"Q?","name":"N","type":1,"response":"R","labels":[2]}`
	runScenarios(t, []scenario{
		{"OK", "GET", all + "?page=1&page_size=10", "owner", "", 200, []string{`"index":"What are net sales?"`, `"value":"Sales less discounts."`, `"source":"manual"`, `"labels":[2]`, `"type":1`, `"owner":null`, `"edit":false`, `"count":1`}, nil, "Memories"},
		{"superuser", "GET", all, "root", "", 200, []string{`"edit":true`, `"version":3`}, nil, ""},
		{"specialists", "GET", all + "?specialists=chartReview,insights", "owner", "", 200, nil, nil, "Memories chartReview insights"},
		{"specialists[]", "GET", all + "?specialists[]=chartReview&specialists[]=endOfTurnSummary", "owner", "", 200, nil, nil, "Memories chartReview endOfTurnSummary"},
		{"labels that are none", "GET", all + "?labels=1,x", "owner", "", 422, []string{`"field":"labels"`}, nil, ""},
		{"D07", "GET", all + "?filter=name:like:x", "owner", "", 422, []string{`{"field":"filter","message":"Operation \"like\" currently not supported"}`}, nil, ""},
		{"filter", "GET", all + "?filter=is_enabled:eq:true&filter=name:contains:sales", "owner", "", 200, nil, nil, ""},
		{"none of others", "GET", all, "foreigner", "", 200, []string{`"results":[]`, `"count":0`}, []string{"Net sales"}, ""},

		{"OK", "POST", all, "root", good, 201, []string{`"index":"Q?"`, `"value":"R"`, `"isEnabled":true`, `"version":1`}, nil, "CreateMemory"},
		{"names of the entity", "POST", all, "root", `{"index":"Q?","name":"` + strings.Repeat("n", 31) + `","type":1,"value":"R","always_recalled":true}`, 201, []string{`"name":"` + strings.Repeat("n", 30) + `"`, `"alwaysRecalled":true`, `"labels":[]`}, nil, ""},
		{"B07", "POST", all, "root", `{"question":"Q","name":"N","type":1,"response":"R","id":99,"owner":4,"orgId":2,"source":"sample","isEnabled":false,"createdAt":"1999-01-01T00:00:00Z"}`, 201, []string{`"id":2`, `"source":"manual"`, `"isEnabled":true`}, []string{"1999"}, ""},
		{"ErrAllFields", "POST", all, "root", `{}`, 422, []string{
			`{"field":"name","message":"All fields are required"}`, `{"field":"question","message":"All fields are required"}`,
			`{"field":"response","message":"All fields are required"}`, `{"field":"type","message":"All fields are required"}`,
		}, nil, ""},
		{"ErrBlank", "POST", all, "root", `{"question":" ","name":"N","type":1,"response":"R"}`, 422, []string{`{"field":"question","message":"All fields are required"}`}, []string{`"field":"name"`}, ""},
		{"D01 wrong type", "POST", all, "root", `{"question":"Q","name":"N","type":"1","response":"R"}`, 422, []string{`"field":"type"`}, nil, ""},
		{"B13", "POST", all, "owner", good, 404, []string{`"code":"D404"`}, nil, ""},

		{"OK", "PUT", one, "root", good, 200, []string{`"name":"N"`, `"version":4`}, nil, "UpdateMemory"},
		{"ErrAllFields", "PUT", one, "root", `{"name":"N"}`, 422, []string{`"field":"question"`, `"field":"response"`, `"field":"type"`}, nil, ""},
		{"seen", "PUT", one, "owner", good, 403, nil, nil, ""},
		{"OK", "PATCH", one, "root", `{"is_enabled":false}`, 200, []string{`"isEnabled":false`, `"name":"Net sales"`}, nil, "UpdateMemory"},
		{"seen", "PATCH", one, "reader", `{"isEnabled":false}`, 403, nil, nil, ""},
		{"of another organisation", "PATCH", one, "foreigner", `{"isEnabled":false}`, 404, nil, nil, ""},
		{"D12", "PATCH", one, "root", `{"isEnabled":false,"version":2}`, 409, []string{`"code":"conflict"`}, nil, ""},
		{"no such id", "PATCH", all + "/99", "root", `{"isEnabled":false}`, 404, nil, nil, ""},
		{"no id at all", "PATCH", all + "/x", "root", `{"isEnabled":false}`, 404, nil, nil, ""},
		{"OK", "DELETE", one, "root", "", 204, nil, nil, "DeleteMemory"},
		{"seen", "DELETE", one, "owner", "", 403, nil, nil, ""},
		{"of another organisation", "DELETE", one, "foreigner", "", 404, nil, nil, ""},

		{"OK", "GET", v1 + "/memory/memorytypes", "owner", "", 200, []string{`{"id":2,"name":"Chart","specialist":"chartReview"}`, `"count":2`}, nil, ""},
		{"OK", "GET", v1 + "/memory/memorylabels", "owner", "", 200, []string{`"results":[{"id":2,"name":"Finance"}]`}, nil, ""},
		{"OK", "GET", v1 + "/memory/memorysources", "owner", "", 200, []string{`"results":[{"id":1,"name":"manual"}]`}, nil, ""},
	})
}

// D12: the version may stand in the header, where proxies and clients look for it.
func TestVersion_IfMatch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for header, status := range map[string]int{`"3"`: 200, `W/"3"`: 200, "3": 200, "*": 200, "": 200, `"2"`: 409, "x": 422, "-1": 422, "99999999999999999999": 422} {
		got := b.call(t, &b.world.Root, http.MethodPatch, v1+"/memory/memories/1", `{"isEnabled":true}`, "If-Match", header)
		require.Equal(t, status, got.status, "%q: %s", header, got.body)
	}
	got := b.call(t, &b.world.Root, http.MethodPatch, v1+"/memory/memories/1", `{"isEnabled":true,"version":3}`, "If-Match", "2")
	require.Equal(t, http.StatusUnprocessableEntity, got.status, "they contradict each other")
}

// D11, and the same creation again.
func TestIdempotency_Memory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	post := func(user *domain.User, body string) reply {
		return b.call(t, user, http.MethodPost, v1+"/memory/memories", body, "Idempotency-Key", "k")
	}
	const one, other = `{"question":"Q","name":"N","type":1,"response":"R"}`, `{"question":"Q","name":"M","type":1,"response":"R"}`
	require.Equal(t, http.StatusCreated, post(&b.world.Root, one).status)
	require.Equal(t, http.StatusCreated, post(&b.world.Root, `{"name":"N", "question":"Q","type":1,"response":"R"}`).status)
	require.Equal(t, http.StatusUnprocessableEntity, post(&b.world.Root, other).status)
}
