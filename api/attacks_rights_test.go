package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

const v1 = "/api/v1"

func attackB01(t *testing.T) {
	t.Helper()
	b := setup(t)
	for _, id := range []string{b.world.Reader.UUID.String(), uuid.NewString(), "me", "..", strings.ToUpper(b.world.Foreigner.UUID.String())} {
		got := b.send(t, http.MethodGet, v1+"/user/"+id+"/stream", http.NoBody,
			append(upgradeHeaders(), "Authorization", "Bearer "+b.token(t, &b.world.Owner))...)
		require.Equal(t, http.StatusNotFound, got.status, id)
	}
	require.Empty(t, b.streams.Opened)
}

func attackB02(t *testing.T) {
	t.Helper()
	b := setup(t)
	c, _ := b.world.AddConversation()
	text := `{"conversationId":"` + c.ID.String() + `","message":{"text":"Hello"}}`
	b.world.Fail("Send", domain.NotFound("Conversation")) // by the conversation's actor
	for _, user := range []*domain.User{&b.world.Foreigner, &b.world.Stranger} {
		got := b.call(t, user, http.MethodPost, v1+"/discourse/user-text", text)
		require.Equal(t, http.StatusNotFound, got.status)
		require.Equal(t, "D404", got.code(t))
	}
}

func attackB03(t *testing.T) {
	t.Helper()
	b := setup(t)
	c, _ := b.world.AddConversation()
	reader := b.world.Reader.Caller()
	c.Permission = domain.PermissionRead
	b.world.Fail("Send", domain.SendPrompt.Authorize(reader, c.Relation(reader))) // by the conversation's actor
	got := b.call(t, &b.world.Reader, http.MethodPost, v1+"/discourse/user-text",
		`{"conversationId":"`+c.ID.String()+`","message":{"text":"Hello"}}`)
	require.Equal(t, http.StatusForbidden, got.status)
	require.Equal(t, "You cannot send messages to a shared conversation", got.json(t)["detail"])
}

func attackB04(t *testing.T) {
	t.Helper()
	b := setup(t)
	mine, _ := b.world.AddConversation()
	_, object := b.world.AddConversation()
	for _, row := range []struct {
		user               *domain.User
		method, path, body string
	}{
		{&b.world.Foreigner, http.MethodGet, "/discourse/messages/" + mine.Messages[0].ID.String(), ""},
		{&b.world.Foreigner, http.MethodGet, "/discourse/displayobjects/" + object.ID.String() + "/presigned-url", ""},
		{&b.world.Foreigner, http.MethodGet, "/discourse/displayobjects/" + object.ID.String() + "/content", ""},
		{&b.world.Foreigner, http.MethodGet, "/discourse/conversationpermissions?conversation_id=" + mine.ID.String(), ""},
	} {
		require.Equal(t, http.StatusNotFound, b.call(t, row.user, row.method, v1+row.path, row.body).status, row.path)
	}
}

func attackB05(t *testing.T) {
	t.Helper()
	b := setup(t)
	c, _ := b.world.AddConversation()
	one := v1 + "/discourse/conversations/" + c.ID.String()
	for _, row := range [][3]string{
		{http.MethodPatch, one, `{"name":"Mine"}`},
		{http.MethodPut, one, `{"name":"Mine"}`},
		{http.MethodPost, one + "/rewind", `{"messageId":"` + c.Messages[0].ID.String() + `"}`},
		{http.MethodPut, one + "/actors", `{"users":[{"id":3}]}`},
	} {
		require.Equal(t, http.StatusForbidden, b.call(t, &b.world.Reader, row[0], row[1], row[2]).status, row[1])
		require.Equal(t, http.StatusNotFound, b.call(t, &b.world.Foreigner, row[0], row[1], row[2]).status, row[1])
	}
	require.Equal(t, http.StatusOK, b.call(t, &b.world.Owner, http.MethodGet, one, "").status)
}

func attackB06(t *testing.T) {
	t.Helper()
	b := setup(t)
	c, _ := b.world.AddConversation()
	many := strings.Repeat(`{"id":9,"permission":"read"},`, 10_000)
	for _, body := range []string{
		`{"users":[{"id":3,"permission":"write"}]}`,
		`{"users":[{"id":3,"permission":"owner"}]}`,
		`{"organizations":[{"id":1,"permission":"read"}]}`,
		`{"users":[{"id":3},{"id":3,"permission":"remove"}]}`,
		`{"teams":[{"id":3,"permission":"admin"}]}`,
		`{"users":[{"id":"3"}]}`, `{"users":[{}]}`, `{"users":{}}`, `{}`,
		`{"users":[` + strings.TrimSuffix(many, ",") + `]}`,
	} {
		got := b.call(t, &b.world.Owner, http.MethodPut, v1+"/discourse/conversations/"+c.ID.String()+"/actors", body)
		require.Equal(t, http.StatusUnprocessableEntity, got.status, body[:min(len(body), 80)])
		require.NotEmpty(t, got.json(t)["errors"])
	}
}

func attackB07(t *testing.T) {
	t.Helper()
	b := setup(t)
	got := b.call(t, &b.world.Owner, http.MethodPost, v1+"/discourse/conversations",
		`{"name":"N","owner":{"id":4},"orgId":2,"id":"`+uuid.NewString()+`","credits":1000,"createdAt":"1999-01-01T00:00:00Z",`+
			`"isLibrary":true,"scope":"organization"}`)
	require.Equal(t, http.StatusCreated, got.status)
	c := got.json(t)
	owner, ok := c["owner"].(map[string]any)
	require.True(t, ok)
	require.InDelta(t, 1, owner["id"], 0)
	require.InDelta(t, 0, c["credits"], 0)
	require.NotContains(t, got.body, "1999")
}

func attackB10(t *testing.T) {
	t.Helper()
	b := setup(t)
	_, object := b.world.AddConversation()
	_, other := b.world.AddConversation()
	b.files.Set(object.FileKey, []byte("a,b\n"))
	link, ok := b.call(t, &b.world.Reader, http.MethodGet, v1+"/discourse/displayobjects/"+object.ID.String()+"/presigned-url",
		"").json(t)["url"].(string)
	require.True(t, ok)

	good := b.send(t, http.MethodGet, link, http.NoBody)
	require.Equal(t, http.StatusOK, good.status, good.body)
	require.Equal(t, "a,b\n", good.body)
	require.Equal(t, "nosniff", good.header.Get("X-Content-Type-Options"))
	require.Equal(t, `attachment; filename="sales by region.csv"`, good.header.Get("Content-Disposition"))
	require.Contains(t, good.header.Get("Content-Security-Policy"), "sandbox")

	end := "AA"
	if link[len(link)-2] == 'A' {
		end = "zA" // the last characters of a token may have any value
	}
	for what, bad := range map[string]string{
		"another id": strings.Replace(link, object.ID.String(), other.ID.String(), 1),
		"cut":        link[:len(link)-1],
		"changed":    link[:len(link)-2] + end,
		"no id":      strings.Replace(link, object.ID.String(), "x", 1),
	} {
		require.Equal(t, http.StatusForbidden, b.send(t, http.MethodGet, bad, http.NoBody).status, what)
	}
	require.Equal(t, http.StatusUnauthorized, b.send(t, http.MethodGet, strings.Replace(link, "token=", "t=", 1), http.NoBody).status)
	require.Equal(t, http.StatusForbidden, b.send(t, http.MethodDelete, link, http.NoBody).status)
	// The token gives access only to the content.
	token := link[strings.Index(link, "?"):]
	require.Equal(t, http.StatusUnauthorized, b.send(t, http.MethodGet, me+token, http.NoBody).status)

	b.clock.Advance(4*time.Minute + 59*time.Second)
	require.Equal(t, http.StatusOK, b.send(t, http.MethodGet, link, http.NoBody).status)
	b.clock.Advance(time.Second)
	require.Equal(t, http.StatusForbidden, b.send(t, http.MethodGet, link, http.NoBody).status)

	fresh, ok := b.call(t, &b.world.Reader, http.MethodGet, v1+"/discourse/displayobjects/"+object.ID.String()+"/presigned-url",
		"").json(t)["url"].(string)
	require.True(t, ok)
	require.Equal(t, http.StatusOK, b.send(t, http.MethodGet, fresh, http.NoBody).status)
	b.world.RemoveObject(object.ID)
	require.Equal(t, http.StatusForbidden, b.send(t, http.MethodGet, fresh, http.NoBody).status)
}

func attackB17(t *testing.T) {
	t.Helper()
	b := setup(t)
	c, object := b.world.AddConversation()
	b.call(t, &b.world.Foreigner, http.MethodGet, me, "") // the first call of a person looks them up
	same := func(path, real, none string) {
		before := len(b.world.Calls())
		there := b.call(t, &b.world.Foreigner, http.MethodGet, v1+path+real, "")
		between := len(b.world.Calls())
		nowhere := b.call(t, &b.world.Foreigner, http.MethodGet, v1+path+none, "")
		calls := b.world.Calls()
		// The services get the same calls; the cost of each call is compared in the tests of
		// the services.
		require.Equal(t, calls[before:between], calls[between:])
		require.Equal(t, http.StatusNotFound, there.status)
		for _, r := range []*reply{&there, &nowhere} {
			r.body = strings.ReplaceAll(r.body, r.header.Get("X-Request-Id"), "")
			r.header.Del("X-Request-Id")
			r.header.Del("Date")
		}
		require.Equal(t, there, nowhere)
	}
	same("/discourse/conversations/", c.ID.String(), uuid.Must(uuid.NewV7()).String())
	same("/discourse/messages/", c.Messages[0].ID.String(), uuid.Must(uuid.NewV7()).String())
	same("/discourse/displayobjects/", object.ID.String()+"/content", uuid.Must(uuid.NewV7()).String()+"/content")
}
