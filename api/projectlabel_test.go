package api_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoutes_ProjectLabels(t *testing.T) {
	t.Parallel()
	const all = v1 + "/discourse/projectlabels"
	const one = all + "/1"
	const good = `{"id":7,"name":"Launch","description":"In spring","color":"royal blue"}`
	long := strings.Repeat("x", 501)
	runScenarios(t, []scenario{
		{"OK", "GET", all + "?page_size=50", "reader", "", 200, []string{`"name":"Launch"`, `"color":"Royal Blue"`, `"conversations":4`, `"abilities":{"edit":false,"delete":false}`, `"count":1`}, nil, "ProjectLabels"},
		{"owner", "GET", all, "owner", "", 200, []string{`"edit":true`}, nil, ""},
		{"superuser", "GET", all, "root", "", 200, []string{`"delete":true`}, nil, ""},
		{"none of others", "GET", all, "foreigner", "", 200, []string{`"results":[]`, `"count":0`}, nil, ""},
		{"OK", "POST", all, "stranger", good, 201, []string{`"id":2`, `"color":"Royal Blue"`, `"fullName":"stranger"`, `"edit":true`, `"version":1`}, nil, "CreateProjectLabel"},
		{"B07", "POST", all, "stranger", `{"name":"N","description":"D","color":"#A1B2C3","id":99,"owner":4,"ownerId":4,"orgId":2,"createdAt":"1999-01-01T00:00:00Z","deletedAt":null}`, 201, []string{`"id":2`, `"color":"#a1b2c3"`, `"fullName":"stranger"`}, []string{"1999"}, ""},
		{"ErrAll", "POST", all, "owner", `{}`, 422, []string{
			`{"field":"name","message":"Please enter a valid name"}`, `{"field":"description","message":"Please enter a valid description"}`,
			`{"field":"color","message":"Please enter a valid color"}`,
		}, nil, ""},
		{"ErrTooLong", "POST", all, "owner", `{"name":"` + long[:81] + `","description":"` + long + `","color":"Royal Blue"}`, 422, []string{`"field":"name"`, `"field":"description"`}, []string{`"field":"color"`}, ""},
		{"D01", "POST", all, "owner", `{"name":1,"description":"D","color":"Royal Blue"}`, 422, []string{`"field":"name"`}, nil, ""},
		{"OK", "PUT", one, "owner", good, 200, []string{`"id":1`, `"version":3`}, nil, "UpdateProjectLabel"},
		{"superuser", "PUT", one, "root", good, 200, nil, nil, ""},
		{"seen, not changeable", "PUT", one, "reader", good, 403, []string{`"code":"forbidden"`}, nil, ""},
		{"seen, not changeable, whatever it says", "PUT", one, "reader", `{}`, 403, nil, nil, ""},
		{"of another organisation", "PUT", one, "foreigner", good, 404, nil, nil, ""},
		{"ErrAll", "PUT", one, "owner", `{"name":" "}`, 422, []string{`"field":"name"`, `"field":"color"`}, nil, ""},
		{"D12", "PUT", one, "owner", strings.Replace(good, "{", `{"version":1,`, 1), 409, nil, nil, ""},
		{"OK", "DELETE", one, "owner", "", 204, nil, nil, "DeleteProjectLabel"},
		{"reader", "DELETE", one, "reader", "", 403, nil, nil, ""},
		{"of another organisation", "DELETE", one, "foreigner", "", 404, nil, nil, ""},
		{"no such id", "DELETE", all + "/99", "owner", "", 404, nil, nil, ""},

		{"of a conversation", "PATCH", v1 + "/discourse/conversations/{c}", "owner", `{"projectLabels":[1,99]}`, 422, []string{`{"field":"projectLabels","message":"One of the projects is not available."}`}, nil, "Standing conversation"},
		{"of a conversation shared", "PATCH", v1 + "/discourse/conversations/{c}", "reader", `{"projectLabels":[1]}`, 403, nil, nil, ""},
		{"of a conversation not seen", "PATCH", v1 + "/discourse/conversations/{c}", "stranger", `{"projectLabels":[99]}`, 404, nil, nil, ""},
		{"filter", "GET", v1 + "/discourse/conversations?project_label=1,2&project_label[]=3", "owner", "", 200, nil, nil, "Conversations  -updated_at [1 2 3]"},
		{"filter by no id", "GET", v1 + "/discourse/conversations?project_label=x", "owner", "", 422, []string{`"field":"projectLabel"`}, nil, ""},
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

// The calls take what a browser's form sends.
func TestProjectLabels_Form(t *testing.T) {
	t.Parallel()
	b := setup(t)
	send := func(method, path, body, kind string) reply {
		return b.send(t, method, v1+"/discourse/projectlabels"+path, strings.NewReader(body), "Content-Type", kind, "Authorization", "Bearer "+b.token(t, &b.world.Owner))
	}
	const urlencoded = "application/x-www-form-urlencoded"
	encoded := url.Values{"id": {"1"}, "name": {"Ünïcode & more"}, "description": {"D"}, "color": {"#00FF00"}, "another": {"x"}}.Encode()
	t.Run("URLEncoded", func(t *testing.T) {
		t.Parallel()
		got := send(http.MethodPost, "", encoded, urlencoded+"; charset=utf-8")
		require.Equal(t, http.StatusCreated, got.status, got.body)
		require.Equal(t, "Ünïcode & more", got.json(t)["name"])
		require.Equal(t, "#00ff00", got.json(t)["color"])
	})
	t.Run("Multipart", func(t *testing.T) {
		t.Parallel()
		body, kind := multipartOf(t, "name", "N", "description", "D", "color", "Teal blue", "version", "2")
		got := send(http.MethodPut, "/1", body, kind)
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.Equal(t, "Teal blue", got.json(t)["color"])
		body, kind = multipartOf(t, "name", "N", "description", "D", "color", "Teal blue", "version", "1")
		require.Equal(t, http.StatusConflict, send(http.MethodPut, "/1", body, kind).status, "D12")
	})
	t.Run("ErrSameRules", func(t *testing.T) {
		t.Parallel()
		body, kind := multipartOf(t, "name", " ", "color", "red;background:url(//x)")
		got := send(http.MethodPost, "", body, kind)
		require.Equal(t, 422, got.status)
		for _, field := range []string{"name", "description", "color"} {
			require.Contains(t, got.body, `"field":"`+field+`"`)
		}
	})
	t.Run("ErrForm", func(t *testing.T) {
		t.Parallel()
		twice, kind := multipartOf(t, "name", "N", "name", "M")
		require.Equal(t, 422, send(http.MethodPost, "", twice, kind).status)
		require.Equal(t, 422, send(http.MethodPost, "", "name=a&name=b", urlencoded).status)
		require.Equal(t, 422, send(http.MethodPost, "", "name=a%00b", urlencoded).status)
		require.Equal(t, 422, send(http.MethodPost, "", "name=%ff", urlencoded).status)
		require.Equal(t, 400, send(http.MethodPost, "", "name=%zz", urlencoded).status)
		require.Equal(t, 415, send(http.MethodPost, "", twice, "multipart/form-data").status, "without a boundary")
		require.Equal(t, 400, send(http.MethodPost, "", "--x\r\ncut", "multipart/form-data; boundary=x").status)
		require.Equal(t, 415, send(http.MethodPost, "", "name=N", "text/plain").status)
	})
	t.Run("ErrOtherCallsTakeNoForm", func(t *testing.T) {
		t.Parallel()
		got := b.send(t, http.MethodPost, v1+"/discourse/conversations", strings.NewReader(encoded), "Content-Type", urlencoded, "Authorization", "Bearer "+b.token(t, &b.world.Owner))
		require.Equal(t, http.StatusUnsupportedMediaType, got.status)
	})
	t.Run("D11", func(t *testing.T) {
		t.Parallel()
		post := func(body, kind string) int {
			return b.send(t, http.MethodPost, v1+"/discourse/projectlabels", strings.NewReader(body), "Content-Type", kind,
				"Authorization", "Bearer "+b.token(t, &b.world.Owner), "Idempotency-Key", "k").status
		}
		body, kind := multipartOf(t, "name", "N", "description", "D", "color", "Teal blue")
		require.Equal(t, 201, post(body, kind))
		require.Equal(t, 201, post(`{"name":"N","description":"D","color":"Teal blue"}`, "application/json"), "the same fields, written in another way")
		require.Equal(t, 422, post(encoded, urlencoded))
	})
}

// D10 for the colour; pictures are tried where agents are.
func TestAttack_D10_Color(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for color, status := range map[string]int{
		"red;background:url(//x)": 422, "red": 422, "#fff": 422, "#12345g": 422, "#1234567": 422, "javascript:alert(1)": 422, "": 422,
		"#ABCDEF": 201, "scarlet RED": 201, "Purple grey": 201,
	} {
		got := b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/projectlabels", `{"name":"N","description":"D","color":"`+color+`"}`)
		require.Equal(t, status, got.status, color)
		if status == 422 {
			require.Contains(t, got.body, `{"field":"color","message":"Please enter a valid color"}`)
		}
	}
}
