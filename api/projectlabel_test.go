package api_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

const (
	allProjects = v1 + "/discourse/projectlabels"
	oneProject  = allProjects + "/1"
)

// TestRoutes_ProjectLabels contains the rows about projects that the API answers by itself or
// with the only project.
func TestRoutes_ProjectLabels(t *testing.T) {
	t.Parallel()
	const (
		all  = allProjects
		one  = oneProject
		good = `{"id":7,"name":"Launch","description":"In spring","color":"royal blue"}`
	)
	runScenarios(t, []scenario{
		{"OK", "GET", all + "?page_size=50", "reader", "", 200, []string{
			`"name":"Launch"`, `"color":"Royal Blue"`, `"conversations":4`,
			`"abilities":{"edit":false,"delete":false}`, `"count":1`,
		}, nil, "ProjectLabels"},
		{"owner", "GET", all, "owner", "", 200, []string{`"edit":true`, `"fullName":"owner"`, `"version":2`}, nil, ""},
		{"superuser", "GET", all, "root", "", 200, []string{`"delete":true`}, nil, ""},
		{"D01", "POST", all, "owner", `{"name":1,"description":"D","color":"Royal Blue"}`, 422, []string{`"field":"name"`}, nil, ""},

		// A call with a body is refused before the service is called, by the right of the
		// call.
		{"seen, not changeable", "PUT", one, "reader", good, 403, []string{`"code":"forbidden"`}, nil, "Relation project"},
		{"seen, not changeable, whatever it says", "PUT", one, "reader", `{}`, 403, nil, nil, "Relation project"},
		{"of another organisation", "PUT", one, "foreigner", good, 404, nil, nil, "Relation project"},

		{
			"of a conversation", "PATCH", v1 + "/discourse/conversations/{c}", "owner", `{"projectLabels":[1,99]}`, 422,
			[]string{`{"field":"projectLabels","message":"One of the projects is not available."}`},
			nil, "Relation conversation",
		},
		{"of a conversation shared", "PATCH", v1 + "/discourse/conversations/{c}", "reader", `{"projectLabels":[1]}`, 403, nil, nil, ""},
		{"of a conversation not seen", "PATCH", v1 + "/discourse/conversations/{c}", "stranger", `{"projectLabels":[99]}`, 404, nil, nil, ""},
		{
			"filter by no id", "GET", v1 + "/discourse/conversations?project_label=x", "owner", "", 422,
			[]string{`"field":"projectLabel"`},
			nil,
			"",
		},
	})
}

// TestRoutes_ProjectLabelsArguments checks all arguments that the service gets from each call,
// and how the API answers its refusals. Which requests the service refuses is tested in
// domain and, with the whole product, in internal/integration.
func TestRoutes_ProjectLabelsArguments(t *testing.T) {
	t.Parallel()
	const (
		all  = allProjects
		one  = oneProject
		good = `{"id":7,"name":"Launch","description":"In spring","color":"royal blue"}`
	)
	draft := domain.ProjectLabelDraft{Name: "Launch", Description: "In spring", Color: "royal blue"}
	changed := draft
	changed.Version = 1
	asks := func(method, name, call, path, who, body string, status int, asked any) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, nil, nil, method}, method, nil, asked}
	}
	refuses := func(method string, refuse error, call, path, who, body string, status int, has string) serviceRow {
		return serviceRow{scenario{"refused", call, path, who, body, status, []string{has}, nil, method}, method, refuse, nil}
	}
	runServiceRows(t, []serviceRow{
		asks("ProjectLabels", "found", "GET", all+"?search=x&page=2&page_size=7", "reader", "", 200,
			domain.ProjectLabelFilter{Search: "x", Page: domain.Page{Number: 2, Size: 7}}),
		asks("CreateProjectLabel", "OK", "POST", all, "stranger", good, 201, draft),
		asks("CreateProjectLabel", "B07", "POST", all, "stranger",
			`{"id":99,"owner":4,"ownerId":4,"orgId":2,"createdAt":"1999-01-01T00:00:00Z","deletedAt":null}`, 201, domain.ProjectLabelDraft{}),
		asks("UpdateProjectLabel", "OK", "PUT", one, "owner", strings.Replace(good, "{", `{"version":1,`, 1), 200,
			fakes.ProjectLabelChange{ID: 1, Draft: changed}),
		asks("UpdateProjectLabel", "superuser", "PUT", one, "root", good, 200, fakes.ProjectLabelChange{ID: 1, Draft: draft}),
		asks("DeleteProjectLabel", "OK", "DELETE", one, "owner", "", 204, int64(1)),

		refuses("CreateProjectLabel", domain.Invalid("color", "Please enter a valid color"), "POST", all, "owner", `{}`, 422,
			`{"field":"color","message":"Please enter a valid color"}`),
		refuses("UpdateProjectLabel", domain.Invalid("name", "Please enter a valid name"), "PUT", one, "owner", `{"name":" "}`, 422,
			`"field":"name"`),
		refuses("UpdateProjectLabel", refusal(domain.CodeConflict), "PUT", one, "owner", strings.Replace(good, "{", `{"version":1,`, 1), 409,
			`"code":"conflict"`),
		refuses("DeleteProjectLabel", refusal(domain.CodeForbidden), "DELETE", one, "reader", "", 403, `"code":"forbidden"`),
		refuses("DeleteProjectLabel", refusal(domain.CodeNotFound), "DELETE", all+"/99", "owner", "", 404, `"code":"D404"`),
	})
}

// multipartOf writes fields as a form: name, value, name, value.
func multipartOf(t *testing.T, fields ...string) (body, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		require.NoError(t, w.WriteField(fields[i], fields[i+1]))
	}
	require.NoError(t, w.Close())
	return b.String(), w.FormDataContentType()
}

// The calls accept what the form of a browser sends.
func TestProjectLabels_Form(t *testing.T) {
	t.Parallel()
	const urlencoded = "application/x-www-form-urlencoded"
	encoded := url.Values{"id": {"1"}, "name": {"Ünïcode & more"}, "description": {"D"}, "color": {"#00FF00"}, "another": {"x"}}.Encode()
	type sender func(t *testing.T, method, path, body, kind string, header ...string) reply
	start := func(t *testing.T) (*bundle, sender) {
		t.Helper()
		b := setup(t)
		return b, func(t *testing.T, method, path, body, kind string, header ...string) reply {
			t.Helper()
			header = append(header, "Content-Type", kind, "Authorization", "Bearer "+b.token(t, &b.world.Owner))
			return b.send(t, method, v1+path, strings.NewReader(body), header...)
		}
	}
	const all = "/discourse/projectlabels"
	t.Run("URLEncoded", func(t *testing.T) {
		t.Parallel()
		b, send := start(t)
		got := send(t, http.MethodPost, all, encoded, urlencoded+"; charset=utf-8")
		require.Equal(t, http.StatusCreated, got.status, got.body)
		require.Equal(t, domain.ProjectLabelDraft{Name: "Ünïcode & more", Description: "D", Color: "#00FF00"},
			b.world.Asked("CreateProjectLabel"))
	})
	t.Run("Multipart", func(t *testing.T) {
		t.Parallel()
		b, send := start(t)
		body, kind := multipartOf(t, "name", "N", "description", "D", "color", "Teal blue", "version", "2") // D12
		got := send(t, http.MethodPut, all+"/1", body, kind)
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.Equal(t, fakes.ProjectLabelChange{ID: 1, Draft: domain.ProjectLabelDraft{
			Name: "N", Description: "D", Color: "Teal blue",
			Version: 2,
		}},
			b.world.Asked("UpdateProjectLabel"))
	})
	t.Run("ErrSameRules", func(t *testing.T) {
		t.Parallel()
		b, send := start(t)
		var wrong domain.Checks
		for _, field := range []string{"name", "description", "color"} {
			wrong.Require(false, field, "Please enter another")
		}
		b.world.Fail("CreateProjectLabel", wrong.Err())
		body, kind := multipartOf(t, "name", " ", "color", "red;background:url(//x)")
		got := send(t, http.MethodPost, all, body, kind)
		require.Equal(t, 422, got.status)
		for _, field := range []string{"name", "description", "color"} {
			require.Contains(t, got.body, `"field":"`+field+`"`)
		}
		require.Equal(t, domain.ProjectLabelDraft{Name: " ", Color: "red;background:url(//x)"}, b.world.Asked("CreateProjectLabel"))
	})
	t.Run("ErrForm", func(t *testing.T) {
		t.Parallel()
		b, send := start(t)
		twice, kind := multipartOf(t, "name", "N", "name", "M")
		post := func(body, kind string) int { return send(t, http.MethodPost, all, body, kind).status }
		require.Equal(t, 422, post(twice, kind))
		require.Equal(t, 422, post("name=a&name=b", urlencoded))
		require.Equal(t, 422, post("name=a%00b", urlencoded))
		require.Equal(t, 422, post("name=%ff", urlencoded))
		require.Equal(t, 400, post("name=%zz", urlencoded))
		require.Equal(t, 415, post(twice, "multipart/form-data"), "without a boundary")
		require.Equal(t, 400, post("--x\r\ncut", "multipart/form-data; boundary=x"))
		require.Equal(t, 415, post("name=N", "text/plain"))
		require.Nil(t, b.world.Asked("CreateProjectLabel"), "no service is called")
	})
	t.Run("ErrOtherCallsTakeNoForm", func(t *testing.T) {
		t.Parallel()
		b, send := start(t)
		require.Equal(t, http.StatusNoContent, send(t, http.MethodDelete, all+"/1", encoded, urlencoded).status, "its fields are not used")
		published, permitted := describedBodies(t), b.permitted()
		refused := 0
		for _, route := range jsonRoutes() {
			who, filled := permitted(route)
			if published[route.call()][urlencoded] != nil {
				continue
			}
			got := b.send(t, route.method, filled.path, strings.NewReader("name=N"), "Content-Type", urlencoded,
				"Authorization", "Bearer "+b.token(t, who))
			require.Equal(t, http.StatusUnsupportedMediaType, got.status, "%s: %s", route.call(), got.body)
			refused++
		}
		require.Len(t, jsonRoutes(), refused+2, "only the creation and the change of a project accept a form")
	})
	t.Run("D11", func(t *testing.T) {
		t.Parallel()
		b, send := start(t)
		post := func(body, kind string) domain.IdempotencyKey {
			t.Helper()
			require.Equal(t, 201, send(t, http.MethodPost, all, body, kind, "Idempotency-Key", "k").status)
			draft, ok := b.world.Asked("CreateProjectLabel").(domain.ProjectLabelDraft)
			require.True(t, ok)
			require.Equal(t, "k", draft.Key.Key)
			return draft.Key
		}
		body, kind := multipartOf(t, "name", "N", "description", "D", "color", "Teal blue")
		first := post(body, kind)
		require.Equal(t, first, post(`{"name":"N","description":"D","color":"Teal blue"}`, "application/json"),
			"the same fields, written in another way")
		require.NotEqual(t, first, post(encoded, urlencoded))
	})
}

// D10 for the colour, which is passed to the service as it is written and sent to a page as
// the service stores it; pictures are tested with the agents.
func TestAttack_D10_Color(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, color := range []string{"red;background:url(//x)", "javascript:alert(1)", "#12345g", "", "#ABCDEF", "scarlet RED"} {
		got := b.call(t, &b.world.Owner, http.MethodPost, allProjects, `{"name":"N","description":"D","color":"`+color+`"}`)
		require.Equal(t, 201, got.status, color)
		require.Equal(t, domain.ProjectLabelDraft{Name: "N", Description: "D", Color: color}, b.world.Asked("CreateProjectLabel"))
		require.Contains(t, got.body, `"color":"Royal Blue"`)
	}
}
