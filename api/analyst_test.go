package api_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoutes_Analysts(t *testing.T) {
	t.Parallel()
	const all = v1 + "/analyst/analysts"
	const prism, finance = all + "/1", all + "/2"
	settings := []string{`"general":{"enabled":true}`, `"knowledgeBase":{"enabled":true,"specialInstructions":"secret knowledge","memoryLabels":[],"memories":[1]}`, `"summary":{"enabled":true`}
	secret := []string{"secret", "knowledgeBase", "instructions", "general"}
	runScenarios(t, []scenario{
		{"OK", "GET", all + "?page_size=100&filter_enabled=false", "owner", "", 200, []string{`"name":"prism-1"`, `"agentParams":{"modelProvider":"builtin"}`, `"count":1`}, append(secret, "Finance"), "Analysts all"},
		{"shared", "GET", all, "reader", "", 200, []string{`"count":2`, `"projectLabels":[{"id":1,"name":"Launch","color":"Royal Blue"}]`}, secret, "Analysts enabled"},
		{"superuser", "GET", all, "root", "", 200, settings, nil, ""},
		{"none of others", "GET", all, "foreigner", "", 200, []string{`"results":[]`}, nil, ""},
		{"favorites", "GET", all + "?only_favorites=true", "owner", "", 200, nil, nil, "Analysts enabled favorite"},
		{"favorite_scope", "GET", all + "?favorite_scope=favorite", "owner", "", 200, nil, nil, "Analysts enabled favorite"},
		{"recent", "GET", all + "?recent=true", "owner", "", 200, nil, nil, "Analysts enabled recent"},
		{"owned", "GET", all + "?scope=owned", "owner", "", 200, nil, nil, "Analysts enabled owned"},
		{"scopes together", "GET", all + "?scope=only_favorites&retrieve_type=shared&recent=true", "owner", "", 200, nil, nil, "Analysts enabled recent favorite shared"},
		{"filters", "GET", all + "?filter=name:contains:x&filter=model_provider:eq:openai", "owner", "", 200, nil, nil, "Analysts enabled name modelProvider"},
		{"D07", "GET", all + "?filter=name:like:x", "owner", "", 422, []string{`{"field":"filter","message":"Operation \"like\" currently not supported"}`}, nil, ""},
		{"D02 scope", "GET", all + "?scope=x", "owner", "", 422, []string{`"field":"scope"`}, nil, ""},
		{"D06", "GET", all + "?project_label=true", "owner", "", 422, []string{`"field":"projectLabel"`}, nil, ""},
		{"OK", "GET", v1 + "/analyst/default", "owner", "", 200, []string{`"isDefault":true`, `"owner":null`, `"delete":false`}, secret, "AnalystFor"},
		{"OK", "GET", all + "/active-models?page_size=1000", "owner", "", 200, []string{`"results":[{"provider":"builtin","model":"builtin"},{"provider":"openai","model":"m-1"}]`, `"count":2`}, nil, ""},
		{"page", "GET", all + "/active-models?page_size=1&page=2", "owner", "", 200, []string{`"results":[{"provider":"openai","model":"m-1"}]`}, nil, ""},

		{"OK", "POST", all, "root", `{"agent_name":"Helper","description":"D","controller":"analyst","provider":"openai","model":"m-1","knowledge_base":{"enabled":false,"special_instructions":"K"},"chartReview":{"memoryLabels":[1]},"summary":{"name":"S"},"connectors":[],"is_enabled":true}`, 201, []string{`"name":"Helper"`, `"knowledgeBase":{"enabled":false,"specialInstructions":"K"`, `"memoryLabels":[1]`, `"summary":{"enabled":true,"name":"S"`, `"manageAccess":true`, `"version":1`}, nil, "CreateAnalyst"},
		{"names of the entity", "POST", all, "root", `{"name":"Shaped","agent":"base","agent_params":{"model_provider":"openai"},"model":"m-1"}`, 201, []string{`"agent":"base"`, `"agentParams":{"modelProvider":"openai"}`}, nil, ""},
		{"default name", "POST", all, "root", `{}`, 201, []string{`"name":"prism-2"`}, nil, ""},
		{"B07", "POST", all, "root", `{"name":"N","id":77,"owner":4,"orgId":2,"isDefault":true,"version":9,"createdAt":"1999-01-01T00:00:00Z"}`, 201, []string{`"id":3`, `"isDefault":false`, `"version":1`, `"fullName":"root"`}, []string{"1999"}, ""},
		{"ErrName", "POST", all, "root", `{"name":" "}`, 422, []string{`{"field":"name","message":"Enter agent name"}`}, nil, ""},
		{"D01", "POST", all, "root", `{"name":"N","connectors":"all"}`, 422, []string{`"field":"connectors"`}, nil, ""},
		{"B13", "POST", all, "owner", `{"name":"N"}`, 404, []string{`"code":"D404"`}, nil, ""},

		{"OK", "GET", finance, "root", "", 200, settings, nil, "AnalystFor"},
		{"shared", "GET", finance, "reader", "", 200, []string{`"name":"Finance"`, `"edit":false`, `"favorite":true`}, secret, ""},
		{"not shared", "GET", finance, "stranger", "", 404, nil, []string{"Finance"}, ""},
		{"of another organisation", "GET", finance, "foreigner", "", 404, nil, nil, ""},
		{"OK", "PUT", finance, "root", `{"is_enabled":false}`, 200, []string{`"isEnabled":false`, `"name":"Finance"`, `"version":5`}, nil, "UpdateAnalyst"},
		{"general off", "PUT", finance, "root", `{"general":{"enabled":false}}`, 200, []string{`"general":{"enabled":false}`, `"isEnabled":true`}, nil, "UpdateAnalyst"},
		{"ErrName", "PUT", finance, "root", `{"agentName":""}`, 422, []string{`{"field":"name","message":"Enter agent name"}`}, nil, ""},
		{"D12", "PUT", finance, "root", `{"name":"N","version":3}`, 409, nil, nil, ""},
		{"default stays on", "PUT", prism, "root", `{"isEnabled":false}`, 422, []string{`"field":"isEnabled"`}, nil, ""},
		{"seen", "PUT", finance, "reader", `{"name":"Mine"}`, 403, nil, nil, ""},
		{"B13", "PUT", finance, "stranger", `{"name":"Mine"}`, 404, nil, nil, ""},
		{"of another organisation", "PUT", finance, "foreigner", `{"name":"Mine"}`, 404, nil, nil, ""},
		{"OK", "DELETE", finance, "root", "", 204, nil, nil, "DeleteAnalyst"},
		{"default stays", "DELETE", prism, "root", "", 403, nil, nil, ""},
		{"seen", "DELETE", finance, "reader", "", 403, nil, nil, ""},
		{"B13", "DELETE", finance, "stranger", "", 404, nil, nil, ""},
		{"OK", "PUT", finance + "/favorite", "reader", `{"is_favorite":true}`, 204, nil, nil, "SetAnalystFavorite on"},
		{"off", "PUT", prism + "/favorite", "stranger", `{"favorite":false}`, 204, nil, nil, "SetAnalystFavorite off"},
		{"missing", "PUT", prism + "/favorite", "stranger", `{}`, 422, []string{`"field":"isFavorite"`}, nil, ""},
		{"flag", "PUT", finance + "/favorite", "reader", `{"flag":true}`, 204, nil, nil, "SetAnalystFavorite on"},
		{"not shared", "PUT", finance + "/favorite", "stranger", `{"is_favorite":true}`, 404, nil, nil, ""},
		{"OK", "GET", finance + "/actors", "reader", "", 200, []string{`"actor":{"id":5,"type":"user","name":"root"`, `"permission":"owner"`, `"count":2`}, nil, "AnalystGrants"},
		{"not shared", "GET", finance + "/actors", "stranger", "", 404, nil, nil, ""},
		{"everybody's", "GET", prism + "/actors", "stranger", "", 200, []string{`"results":[]`}, nil, ""},
		{"OK", "PUT", finance + "/actors", "root", `{"users":[{"id":3}],"teams":[{"id":1,"permission":"remove"}]}`, 200, []string{`"count":2`}, nil, "AnalystGrants"},
		{"seen", "PUT", finance + "/actors", "reader", `{"users":[{"id":3}]}`, 403, nil, nil, ""},
		{"B13", "PUT", finance + "/actors", "stranger", `{"users":[{"id":3}]}`, 404, nil, nil, ""},
		{"B06 write", "PUT", finance + "/actors", "root", `{"users":[{"id":3,"permission":"write"}]}`, 422, []string{`{"field":"users[0].permission","message":"An agent can be shared for viewing only"}`}, nil, ""},
		{"B06 owner", "PUT", finance + "/actors", "root", `{"users":[{"id":3,"permission":"owner"}]}`, 422, nil, nil, ""},
		{"B06 organisation", "PUT", finance + "/actors", "root", `{"organizations":[{"id":1}]}`, 422, []string{`"field":"organizations"`}, nil, ""},
		{"B06 twice", "PUT", finance + "/actors", "root", `{"users":[{"id":3},{"id":3}]}`, 422, nil, nil, ""},
		{"B06 many", "PUT", finance + "/actors", "root", `{"users":[` + strings.TrimSuffix(strings.Repeat(`{"id":3},`, 201), ",") + `]}`, 422, nil, nil, ""},
	})
}

// D10 for the picture: nothing that runs, and nothing that asks a stranger.
func TestAttack_D10_Picture(t *testing.T) {
	t.Parallel()
	b := setup(t)
	data := func(kind, content string) string {
		return "data:image/" + kind + ";base64," + base64.StdEncoding.EncodeToString([]byte(content))
	}
	for picture, status := range map[string]int{
		"javascript:alert(1)": 422, "https://evil.example/x.png": 422, "//evil.example/x.png": 422, `/\evil.example`: 422, "data:text/html;base64,PGI+": 422,
		data("svg+xml", "<svg onload=alert(1)>"): 422, data("png", "<script>"): 422, "data:image/png;base64,***": 422, "/a/../b": 422,
		data("png", "\x89PNG\r\n\x1a\n"+strings.Repeat("x", 101<<10)): 422,
		"": 200, "/pictures/a.png": 200, data("png", "\x89PNG\r\n\x1a\nrest"): 200, data("jpeg", "\xff\xd8\xff\xe0"): 200, data("gif", "GIF89a"): 200,
		data("webp", "RIFF0000WEBPVP8 "): 200,
	} {
		got := b.call(t, &b.world.Root, http.MethodPut, v1+"/analyst/analysts/2", fmt.Sprintf(`{"picture":%q}`, picture))
		require.Equal(t, status, got.status, picture[:min(len(picture), 60)])
		if status == 422 {
			require.Contains(t, got.body, `"field":"picture"`)
		}
	}
}

// D11 for agents.
func TestIdempotency_Analyst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	post := func(body string) int {
		return b.call(t, &b.world.Root, http.MethodPost, v1+"/analyst/analysts", body, "Idempotency-Key", "k").status
	}
	require.Equal(t, 201, post(`{"name":"A"}`))
	require.Equal(t, 201, post(`{"name":"A"}`))
	require.Equal(t, 422, post(`{"name":"B"}`))
}
