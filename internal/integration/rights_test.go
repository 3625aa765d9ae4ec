package integration_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

func attackA01(t *testing.T, n *node) {
	t.Helper()
	for name, bearer := range map[string]string{"none": "", "empty": "Bearer ", "another scheme": "Basic " + persistencetest.Anna} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, n.url+v1+"/user/me", nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", bearer)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, 401, response.StatusCode, name)
	}
	p := n.as(t, "nobody@acme.test").do("GET", "/user/me", nil).refused(t, 403)
	require.Equal(t, "U401", p.Code, "A15: the identity provider knows the person, the product does not")
}

func attackB01(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	for _, other := range []string{n.as(t, persistencetest.Ben).me().UUID.String(), uuid.NewString(), "x"} {
		anna.do("GET", "/user/"+other+"/stream", nil, "Accept", "text/event-stream").refused(t, 404)
	}
}

func attackB02(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	id := anna.create()
	for _, other := range []string{persistencetest.Cleo, persistencetest.Doris} {
		stranger := n.as(t, other)
		require.Equal(t, "D404", stranger.do("POST", "/discourse/user-text", stranger.prompt(id, "hi")).refused(t, 404).Code)
	}
	require.Empty(t, anna.get(id).MessageSet)
}

func attackB03(t *testing.T, n *node) {
	t.Helper()
	anna, cleo := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Cleo)
	id := anna.create()
	anna.share(id, cleo, "read")
	p := cleo.do("POST", "/discourse/user-text", cleo.prompt(id, "hi")).refused(t, 403)
	require.Equal(t, "You cannot send messages to a shared conversation", p.Detail)
	require.Empty(t, anna.get(id).MessageSet)
}

// attackB04: a caller cannot reach another person's message through their own conversation.
func attackB04(t *testing.T, n *node) {
	t.Helper()
	anna, cleo := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Cleo)
	foreign := anna.send(anna.create(), "seed=1 tokens=1 rate=0").Message.ID
	own := cleo.create()
	cleo.do("GET", "/discourse/messages/"+foreign.String(), nil).refused(t, 404)
	cleo.do("POST", "/discourse/conversations/"+own.String()+"/rewind", map[string]any{"message_id": foreign}).refused(t, 404)
	cleo.do("POST", "/discourse/user-text", cleo.prompt(own, "hi", "parentMessageId", foreign.String())).refused(t, 409)
	s := cleo.dial(nil)
	s.say(map[string]any{"type": "subscribe", "conversation": own, "at": map[string]any{
		"seq": 1, "generation": 1, "message": foreign,
		"offset": 1,
	}})
	require.Equal(t, protocol.FrameReset, s.of(own).Type)
}

func attackB05(t *testing.T, n *node) {
	t.Helper()
	anna, cleo, ben := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Cleo), n.as(t, persistencetest.Ben)
	id := anna.create()
	prompt := anna.send(id, "seed=1 tokens=1 rate=0").Message.ID
	anna.share(id, cleo, "read")
	anna.stop(id)
	before := anna.get(id)
	path := "/discourse/conversations/" + id.String()
	for _, call := range []struct {
		method, path string
		body         any
	}{
		{"PATCH", path, map[string]any{"name": "Mine"}},
		{"PUT", path, map[string]any{"name": "Mine"}},
		{"DELETE", path, nil},
		{"POST", path + "/rewind", map[string]any{"message_id": prompt}},
		{"PUT", path + "/actors", map[string]any{"users": []any{map[string]any{"id": ben.me().ID}}}},
		{"POST", "/analyst/process-control/stop-process-in-redis", map[string]any{"conversation_id": id}},
	} {
		cleo.do(call.method, call.path, call.body).refused(t, 403)
		ben.do(call.method, call.path, call.body).refused(t, 404)
	}
	cleo.do("PUT", path+"/favorite", map[string]any{"is_favorite": true}).into(t, 204, nil)
	require.Equal(t, before.MessageSet, anna.get(id).MessageSet)
}

func attackB06(t *testing.T, n *node) {
	t.Helper()
	anna, cleo, doris := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Cleo), n.as(t, persistencetest.Doris)
	id := anna.create()
	try := func(kind string, entries ...map[string]any) {
		anna.do("PUT", "/discourse/conversations/"+id.String()+"/actors", map[string]any{kind: entries}).refused(t, 422)
	}
	user := func(id int64, permission string) map[string]any {
		return map[string]any{"id": id, "permission": permission}
	}
	try("users", user(cleo.me().ID, "write"))
	try("users", user(cleo.me().ID, "owner"))
	try("users", user(anna.me().ID, "remove"))
	try("users", user(doris.me().ID, "read"))
	try("users", user(999, "read"))
	try("users", user(cleo.me().ID, "read"), user(cleo.me().ID, "read"))
	try("teams", user(999, "read"))
	try("organizations", user(1, "read"))
	var list struct{ Pagination struct{ Count int } }
	anna.do("GET", "/discourse/conversationpermissions?conversation_id="+id.String(), nil).into(t, 200, &list)
	require.Equal(t, 1, list.Pagination.Count)
}

// attackB08: a caller cannot use a data source of another organisation.
func attackB08(t *testing.T, n *node) {
	t.Helper()
	doris := n.as(t, persistencetest.Doris)
	id := doris.create()
	var sources struct{ Results []struct{ ID int64 } }
	n.as(t, persistencetest.Anna).do("GET", "/memory/datasources", nil).into(t, 200, &sources)
	foreign := []int64{sources.Results[0].ID} // of Acme
	prompt := doris.prompt(id, "hi")
	prompt["dataSources"] = foreign
	for _, a := range []answer{
		doris.do("POST", "/discourse/user-text", prompt),
		doris.do("PATCH", "/discourse/conversations/"+id.String(), map[string]any{"data_sources": foreign}),
		doris.do("POST", "/discourse/conversations", map[string]any{"dataSources": foreign}),
	} {
		require.Equal(t, "dataSources", a.refused(t, 422).Errors[0].Field)
	}
	require.Empty(t, doris.get(id).MessageSet)
}

// attackB17: the response is the same for an object that does not exist and for another
// person's object.
func attackB17(t *testing.T, n *node) {
	t.Helper()
	anna, doris := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Doris)
	id := anna.create()
	for _, path := range []string{"/discourse/conversations/", "/discourse/messages/", "/discourse/displayobjects/"} {
		suffix := ""
		if strings.Contains(path, "displayobjects") {
			suffix = "/content"
		}
		theirs := doris.do("GET", path+id.String()+suffix, nil).refused(t, 404)
		nobodys := doris.do("GET", path+uuid.NewString()+suffix, nil).refused(t, 404)
		theirs.RequestID, nobodys.RequestID = "", ""
		require.Equal(t, nobodys, theirs)
	}
	require.Equal(t, uuid.Version(7), id.Version())

	// A prompt may have any id, also one that another organisation uses: otherwise the refusal
	// would reveal that the id exists.
	taken := anna.send(id, "seed=1 tokens=1 rate=0").Message.ID
	for _, message := range []uuid.UUID{taken, uuid.New()} {
		own := doris.create()
		var s sent
		doris.do("POST", "/discourse/user-text", doris.prompt(own, "of beta", "id", message.String())).into(t, 200, &s)
		require.Equal(t, message, s.Message.ID)
		doris.stop(own)
		require.Equal(t, "of beta", doris.get(own).MessageSet[0].Text)
	}
	require.Equal(t, "seed=1 tokens=1 rate=0", anna.get(id).MessageSet[0].Text)
}

func attackC02(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	path := n.url + v1 + "/user/" + anna.me().UUID.String() + "/stream"
	for name, row := range map[string]struct {
		url    string
		header http.Header
		status int
	}{
		"no token":               {path, http.Header{}, 401},
		"in the query":           {path + "?token=" + anna.email, http.Header{}, 401},
		"foreign origin":         {path, http.Header{"Origin": {"http://evil.test"}, "Authorization": {"Bearer " + anna.email}}, 403},
		"no origin, from a page": {path, http.Header{"Sec-Websocket-Protocol": {"parley.v1, bearer." + anna.email}}, 403},
		"two bearers": {path, http.Header{
			"Sec-Websocket-Protocol": {"parley.v1, bearer.x"},
			"Authorization":          {"Bearer " + anna.email}, "Origin": {"http://parley.test"},
		}, 400},
		"look-alike of our origin": {
			path,
			http.Header{"Origin": {"http://parley.test.evil.test"}, "Authorization": {"Bearer " + anna.email}},
			403,
		},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, row.url, nil)
		require.NoError(t, err)
		r.Header = row.header
		for name, value := range map[string]string{
			"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
			"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
		} {
			r.Header.Set(name, value)
		}
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, row.status, response.StatusCode, name)
	}
}

// guaranteeG15: after a revoke nothing more is sent to the person who lost the right.
func guaranteeG15(t *testing.T, n *node) {
	t.Helper()
	anna, cleo := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Cleo)
	id := anna.create()
	anna.share(id, cleo, "read")
	c := cleo.get(id)
	v := newView(&c)
	s := cleo.dial(v.cursor())
	anna.send(id, "seed=3 tokens=40000 rate=50")
	for len(v.texts[v.open]) < 50 {
		f, err := s.next()
		require.NoError(t, err)
		require.NoError(t, v.apply(f))
	}
	anna.share(id, cleo, "remove")
	cleo.do("GET", "/discourse/conversations/"+id.String(), nil).refused(t, 404)
	at := anna.get(id).Head
	for v.over == "" {
		f, err := s.next()
		require.NoError(t, err)
		require.NoError(t, v.apply(f))
	}
	require.Equal(t, protocol.FrameDenied, v.over)
	require.LessOrEqual(t, v.seq, at)
	// The turn continues, but none of its text is sent to the person.
	text := func() int { return len(anna.get(id).MessageSet[1].Text) }
	before := text()
	require.Eventually(t, func() bool { return text() > before+200 }, patience, patience/1000)
	anna.stop(id)
	s.say(map[string]any{"type": "subscribe", "conversation": id, "at": v.cursor()[id]})
	require.Equal(t, protocol.FrameDenied, s.of(id).Type)
}

func guaranteeG16(t *testing.T, n *node) {
	t.Helper()
	anna, doris := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Doris)
	id := anna.create()
	message := anna.send(id, "seed=1 tokens=1 rate=0").Message.ID
	path := "/discourse/conversations/" + id.String()
	var sources struct{ Results []struct{ ID int64 } }
	anna.do("GET", "/memory/datasources", nil).into(t, 200, &sources)
	for _, call := range []struct {
		method, path string
		body         any
	}{
		{"GET", path, nil},
		{"PATCH", path, map[string]any{"name": "x"}},
		{"DELETE", path, nil},
		{"PUT", path + "/favorite", map[string]any{"is_favorite": true}},
		{"POST", path + "/rewind", map[string]any{"message_id": message}},
		{"POST", path + "/read", nil},
		{"GET", path + "/data-sources", nil},
		{"PUT", path + "/actors", map[string]any{"users": []any{map[string]any{"id": doris.me().ID}}}},
		{"PATCH", "/user/me/conversations/" + id.String() + "/status", map[string]any{"status": "archived"}},
		{"GET", "/discourse/conversationpermissions?conversation_id=" + id.String(), nil},
		{"POST", "/analyst/process-control/stop-process-in-redis", map[string]any{"conversation_id": id}},
		{"GET", "/discourse/messages/" + message.String(), nil},
		{"GET", fmt.Sprintf("/memory/datasources/%d", sources.Results[0].ID), nil},
	} {
		require.Equal(t, "D404", doris.do(call.method, call.path, call.body).refused(t, 404).Code, call.path)
	}
	for _, list := range []string{
		"/discourse/conversations?page_size=1000", "/discourse/conversations/running", "/discourse/messages?search=a", "/memory/datasources",
		"/user/shareable-entities",
	} {
		a := doris.do("GET", list, nil)
		a.into(t, 200, nil)
		require.NotContains(t, string(a.body), id.String())
		require.NotContains(t, string(a.body), "Anna")
		require.NotContains(t, string(a.body), "Orders")
	}
	events, err := n.store.ConversationStore.Events(context.Background(), id, 0, 10)
	require.NoError(t, err)
	require.NotEmpty(t, events)
}

// internalMessages: only superusers can read internal messages, and only through the API, not
// through the stream.
func internalMessages(t *testing.T, n *node) {
	t.Helper()
	anna, ben := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Ben)
	internal := func(c *conversation) []message {
		return slices.DeleteFunc(slices.Clone(c.MessageSet), func(m message) bool { return m.Role != string(domain.RoleInternal) })
	}
	id := anna.create()
	anna.share(id, ben, "read")
	anna.send(id, "fault=tool times=1 tokens=3 rate=0")
	require.Eventually(t, func() bool { c := anna.get(id); return !c.IsStreaming && len(c.MessageSet) > 1 }, patience, 20*time.Millisecond)
	c := anna.get(id)
	seen := internal(&c)
	require.NotEmpty(t, seen)
	require.NotEmpty(t, seen[0].Text)
	c = ben.get(id)
	require.Empty(t, internal(&c))
	require.NotEmpty(t, c.MessageSet)
	anna.do("GET", "/discourse/messages/"+seen[0].ID.String(), nil).into(t, 200, &message{})
	ben.do("GET", "/discourse/messages/"+seen[0].ID.String(), nil).refused(t, 404)

	// The response to a rewind contains the messages that are left, but only those that the
	// caller may read.
	for p, all := range map[*person]bool{anna: true, ben: false} {
		own := p.create()
		p.send(own, "fault=tool times=1 tokens=3 rate=0")
		n.settle(t, own)
		cut := p.send(own, "tokens=1 rate=0").Message.ID
		n.settle(t, own)
		left := p.rewind(own, cut)
		require.NotEmpty(t, left.MessageSet)
		require.Equal(t, all, slices.ContainsFunc(left.MessageSet, func(m message) bool { return m.Role == string(domain.RoleInternal) }))
	}
}
