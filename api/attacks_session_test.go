package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

const (
	keepAlive = me + "/keep-alive"
	logOut    = me + "/logout"
)

// signedIn returns a token of a sign-in with a name and a beginning.
func (b *bundle) signedIn(t *testing.T, user *domain.User, sid string, authTime time.Time, change ...func(claims, header)) string {
	t.Helper()
	return b.token(t, user, append([]func(claims, header){func(c claims, _ header) {
		c["sid"], c["auth_time"] = sid, authTime.Unix()
	}}, change...)...)
}

// A18: only the signed bearer says to which person a request belongs.
func attackA18(t *testing.T) {
	t.Helper()
	b := setup(t)
	began := b.clock.Now()
	mine, other := b.signedIn(t, &b.world.Owner, "mine", began), b.signedIn(t, &b.world.Owner, "other", began)
	b.requireMe(t, http.StatusOK, mine)
	b.requireMe(t, http.StatusOK, other)
	require.Equal(t, http.StatusNoContent, b.send(t, http.MethodPost, logOut, http.NoBody, "Authorization", "Bearer "+mine).status)
	// The name of a valid sign-in does not restore one that is over.
	for _, carrier := range [][]string{
		{"Cookie", "sid=other; session_id=other; fiber_session=other"},
		{"X-Session-Id", "other"},
		{"Sid", "other"},
		{"X-Forwarded-User", "owner@example.com"},
	} {
		got := b.send(t, http.MethodGet, me+"?sid=other&session_id=other", http.NoBody, append(carrier, "Authorization", "Bearer "+mine)...)
		require.Equal(t, http.StatusUnauthorized, got.status, carrier)
		require.Empty(t, got.header.Get("Set-Cookie"))
	}
	got := b.send(t, http.MethodGet, me, http.NoBody, "Authorization", "Bearer "+other, "Cookie", "sid=chosen")
	require.Equal(t, http.StatusOK, got.status)
	require.Empty(t, got.header.Get("Set-Cookie"), "the server accepts no session cookie that a client could have chosen")
	// The same name for another person is another sign-in.
	b.requireMe(t, http.StatusOK, b.signedIn(t, &b.world.Reader, "mine", began))
}

// A19: keep-alives by themselves keep no person signed in, and nothing keeps a person signed
// in for more than 12 hours. The store counts the hours (persistence.TestStore_SignIn). This
// test checks what each call reports to the store, and that a sign-in that it refuses is over
// everywhere.
func attackA19(t *testing.T) {
	t.Helper()
	t.Run("OnlyKeepAlivesAreIdle", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		began := b.clock.Now()
		tab := "Bearer " + b.signedIn(t, &b.world.Owner, "tab", began)
		b.world.Owner.IsOperator = true // the page of the cluster asks by itself, too
		c, _ := b.world.AddConversation()
		calls := []struct {
			method, path string
			active       bool
		}{
			{http.MethodGet, me, true},
			{http.MethodPost, keepAlive, false},
			{http.MethodGet, v1 + "/discourse/conversations/" + c.ID.String(), true},
			{http.MethodPost, keepAlive + "?active=true", false},
			{http.MethodGet, v1 + "/cluster/nodes", false},
		}
		for _, call := range calls {
			b.clock.Advance(time.Minute) // longer than a bearer is cached
			require.Less(t, b.raw(t, call.method, call.path, "Authorization", tab), 300, call.path)
			entered := b.signIns.Entered()
			last := entered[len(entered)-1]
			require.Equal(t, call.active, last.Active, call.path)
			require.Equal(t, entered[0].SignInKey, last.SignInKey, "one sign-in, whatever the call")
			require.Equal(t, began.Unix(), last.AuthTime.Unix(), call.path)
		}
	})
	t.Run("ActiveAfterKeepAlive", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		tab := "Bearer " + b.signedIn(t, &b.world.Owner, "tab", b.clock.Now())
		require.Equal(t, http.StatusNoContent, b.raw(t, http.MethodPost, keepAlive, "Authorization", tab))
		require.Equal(t, http.StatusOK, b.raw(t, http.MethodGet, me, "Authorization", tab))
		entered := b.signIns.Entered()
		require.Len(t, entered, 2, "an entry in the cache from a keep-alive does not hide that the person is active again")
		require.True(t, entered[1].Active)
	})
	t.Run("Refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		far := func(c claims, _ header) { c["exp"] = b.clock.Now().Add(24 * time.Hour).Unix() }
		tab := b.signedIn(t, &b.world.Owner, "tab", b.clock.Now(), far)
		conn, _ := b.dialAs(t, tab)
		b.requireMe(t, http.StatusOK, tab)
		b.signIns.End(b.world.Owner.ID)
		b.clock.Advance(5 * time.Second)
		requireClose(t, conn, 4401)
		got := b.send(t, http.MethodPost, keepAlive, http.NoBody, "Authorization", "Bearer "+tab)
		require.Equal(t, http.StatusUnauthorized, got.status)
		require.Equal(t, "E401", got.code(t))
		b.requireMe(t, http.StatusUnauthorized, tab)
		b.requireMe(t, http.StatusOK, b.signedIn(t, &b.world.Owner, "new", b.clock.Now()))
	})
	t.Run("IssuedAt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		issued := b.clock.Now().Add(-11 * time.Hour)
		b.requireMe(t, http.StatusOK, b.token(t, &b.world.Owner, func(c claims, _ header) { c["iat"] = issued.Unix() }))
		require.Equal(t, issued.Unix(), b.signIns.Entered()[0].IssuedAt.Unix())
	})
}

// A20: after a log-out no token of the sign-in is valid.
func attackA20(t *testing.T) {
	t.Helper()
	b := setup(t)
	began := b.clock.Now()
	old := b.signedIn(t, &b.world.Owner, "tab", began)
	elsewhere := b.signedIn(t, &b.world.Owner, "phone", began)
	own, _ := b.dialAs(t, old)
	phone, frames := b.dialAs(t, elsewhere)
	require.Equal(t, http.StatusUnauthorized, b.send(t, http.MethodPost, logOut, http.NoBody).status)
	require.Equal(t, http.StatusNoContent, b.send(t, http.MethodPost, logOut, http.NoBody, "Authorization", "Bearer "+old).status)
	requireClose(t, own, 4401)
	b.requireMe(t, http.StatusUnauthorized, old)
	require.Equal(t, http.StatusUnauthorized, b.send(t, http.MethodPost, logOut, http.NoBody, "Authorization", "Bearer "+old).status)
	require.Equal(t, http.StatusUnauthorized, b.send(t, http.MethodGet, b.streamPath(), http.NoBody,
		append(upgradeHeaders(), "Authorization", "Bearer "+old)...).status)
	b.clock.Advance(time.Minute)
	b.requireMe(t, http.StatusUnauthorized, b.signedIn(t, &b.world.Owner, "tab", began)) // refreshed
	b.requireMe(t, http.StatusOK, elsewhere)
	require.NoError(t, phone.WriteJSON(map[string]string{"type": "hello"}))
	require.Contains(t, <-frames.Frames, "hello", "the other sign-in's stream stays")

	// The store is told which sign-in ends, and whether it has a name: without a name, a
	// log-out ends all sign-ins without names.
	named := b.signIns.Ended()
	require.Len(t, named, 1)
	require.True(t, named[0].Named)
	nameless := b.token(t, &b.world.Reader)
	require.Equal(t, http.StatusNoContent, b.send(t, http.MethodPost, logOut, http.NoBody, "Authorization", "Bearer "+nameless).status)
	last := b.signIns.Ended()[1]
	require.False(t, last.Named)
	require.Equal(t, b.world.Reader.ID, last.UserID)
	b.requireMe(t, http.StatusUnauthorized, nameless)
}

// A21: a request may contain only one bearer.
func attackA21(t *testing.T) {
	t.Helper()
	b := setup(t)
	token := b.token(t, &b.world.Owner)
	got := b.send(t, http.MethodGet, b.streamPath(), http.NoBody, append(upgradeHeaders(),
		"Origin", origin, "Authorization", "Bearer "+token, "Sec-WebSocket-Protocol", "parley.v1, bearer."+token)...)
	require.Equal(t, http.StatusBadRequest, got.status)
	// Two bearers in the protocols, in one header or in two, or one in addition to the
	// Authorization header.
	mine, other := "parley.v1, bearer."+token, "bearer."+b.token(t, &b.world.Reader)
	for _, headers := range []http.Header{
		{"Sec-Websocket-Protocol": {mine + ", " + other}},
		{"Sec-Websocket-Protocol": {mine, "parley.v1, " + other}},
		{"Sec-Websocket-Protocol": {mine, other}},
		{"Sec-Websocket-Protocol": {"parley.v1", other, mine}},
		{"Sec-Websocket-Protocol": {"parley.v1", other}, "Authorization": {"Bearer " + token}},
		{"Sec-Websocket-Protocol": {"chat, " + other}, "Authorization": {"Bearer " + token}},
	} {
		headers["Origin"] = []string{origin}
		require.Equal(t, http.StatusBadRequest, b.dialWith(t, headers), "%v", len(headers["Sec-Websocket-Protocol"]))
	}
	require.Empty(t, b.streams.Opened)
	pair := http.Header{"Sec-Websocket-Protocol": {"parley.v1", "bearer." + token}, "Origin": {origin}}
	require.Equal(t, http.StatusSwitchingProtocols, b.dialWith(t, pair), "the pair in two headers is one list")
	for _, path := range []string{me, b.streamPath(), v1 + "/discourse/conversations"} {
		for _, second := range [][]string{{"X-Api-Key", token}, {"X-Api-Key", "another"}, {"X-Api-Key", token, "Cookie", "token=" + token}} {
			got = b.send(t, http.MethodGet, path, http.NoBody, append(second, "Authorization", "Bearer "+token)...)
			require.Equal(t, http.StatusBadRequest, got.status, path)
			require.Equal(t, "bad-request", got.code(t))
		}
		got = b.send(t, http.MethodGet, path+"?access_token="+token, http.NoBody, "Authorization", "Bearer "+token)
		require.Equal(t, http.StatusBadRequest, got.status, path)
		// A cookie or another header is not accepted as a bearer.
		got = b.send(t, http.MethodGet, path, http.NoBody, "Cookie", "token="+token, "X-Api-Key", token)
		require.Equal(t, http.StatusUnauthorized, got.status, path)
	}
	twice, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+me, http.NoBody)
	require.NoError(t, err)
	twice.Header["Authorization"] = []string{"Bearer " + token, "Bearer " + b.token(t, &b.world.Reader)}
	response, err := http.DefaultClient.Do(twice)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusBadRequest, response.StatusCode)
}

// A22: a token or a code in a URL is not accepted and is not logged.
func attackA22(t *testing.T) {
	t.Helper()
	b := setup(t)
	token := b.token(t, &b.world.Owner)
	const code = "canary-code-of-a-sign-in"
	secret := strings.Split(token, ".")[2]
	for _, name := range []string{"access_token", "token", "bearer", "jwt", "id_token", "code"} {
		for _, path := range []string{
			me, b.streamPath(), v1 + "/discourse/conversations", v1 + "/nothing", "/authorizing", "/login",
			"/missing.js",
		} {
			query := "?" + name + "=" + token + "&code=" + code + "&state=" + code
			got := b.send(t, http.MethodGet, path+query, http.NoBody)
			if strings.HasPrefix(path, v1) {
				require.Equal(t, http.StatusUnauthorized, got.status, path)
			}
			require.NotContains(t, got.body, secret, path)
			require.NotContains(t, got.body, code, path)
			require.NotContains(t, fmt.Sprint(got.header), code, path)
			require.Equal(t, "no-referrer", got.header.Get("Referrer-Policy"), path)
		}
	}
	// The same is true if the call itself succeeds, or fails.
	b.world.Fail("Conversations", domain.Internal(nil, "broken"))
	for _, path := range []string{me, v1 + "/discourse/conversations", v1 + "/discourse/conversations/x"} {
		b.send(t, http.MethodGet, path+"?code="+code+"&token="+url.QueryEscape(token), http.NoBody, "Authorization", "Bearer "+token)
	}
	log := b.log.String()
	require.Contains(t, log, `"path":"/login"`, "the log has these requests")
	require.NotContains(t, log, secret)
	require.NotContains(t, log, code)
}
