package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/devidp"
)

// person is a person who uses the product at an address.
type person struct {
	url, bearer string
	id          uuid.UUID
	agent       int64 // the scripted one
}

// signIn signs one of the demo people in, through the OpenID provider of the address.
func signIn(t *testing.T, url string) *person {
	t.Helper()
	p := &person{url: url}
	var err error
	p.bearer, err = devidp.TokenSource{Dir: t.TempDir()}.PasswordToken(t.Context(), url+"/dex", "parley-web", demo.People()[0].Email,
		demo.Password)
	require.NoError(t, err)
	var me struct {
		UUID uuid.UUID `json:"uuid"`
	}
	require.NoError(t, p.call(t, http.MethodGet, "user/me", nil, &me))
	p.id = me.UUID
	var agents struct {
		Results []struct {
			ID    int64  `json:"id"`
			Model string `json:"model"`
		} `json:"results"`
	}
	require.NoError(t, p.call(t, http.MethodGet, "analyst/analysts?page_size=100&filter_enabled=false", nil, &agents))
	for _, a := range agents.Results {
		if a.Model == "scripted" {
			p.agent = a.ID
		}
	}
	require.NotZero(t, p.agent, "there is no scripted agent")
	return p
}

// requireSignInPage opens the page of the sign-in as a browser does, whose requests the balancer may give to several nodes.
func requireSignInPage(t *testing.T, url string) {
	t.Helper()
	address := url + "/dex/auth?client_id=parley-web&response_type=code&scope=openid&state=s&redirect_uri=" + url + "/authorizing" +
		"&code_challenge=" + strings.Repeat("c", 43) + "&code_challenge_method=S256"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	page, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s: %s", response.Request.URL, page)
	require.Contains(t, string(page), `id="password"`)
}

// call makes a call of the API on a connection of its own.
func (p *person) call(t *testing.T, method, path string, in, out any) error {
	t.Helper()
	body, err := json.Marshal(in)
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+"/api/v1/"+path, bytes.NewReader(body))
	require.NoError(t, err)
	r.Close = true
	r.Header.Set("Authorization", "Bearer "+p.bearer)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { require.NoError(t, response.Body.Close()) }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s: %s: %s", path, response.Status, answer)
	}
	return json.Unmarshal(answer, out)
}

// conversation is a conversation as the API returns it.
type conversation struct {
	ID          uuid.UUID `json:"id"`
	IsStreaming bool      `json:"isStreaming"`
	MessageSet  []struct {
		Role   string `json:"role"`
		Text   string `json:"text"`
		Status string `json:"status"`
	} `json:"messageSet"`
}

// frame has what the test reads of the frames of a stream.
type frame struct {
	Type   string `json:"type"`
	Stream string `json:"stream"`
	Offset int    `json:"offset"`
	Text   string `json:"text"`
	Data   struct {
		Status string `json:"status"`
		Reason string `json:"reason"`
	} `json:"data"`
}

// open opens the person's stream and subscribes to a conversation, whose answer is then sent from its beginning.
func (p *person) open(t *testing.T, id uuid.UUID) (*websocket.Conn, error) {
	t.Helper()
	conn, response, err := websocket.DefaultDialer.DialContext(t.Context(),
		"ws"+strings.TrimPrefix(p.url, "http")+"/api/v1/user/"+p.id.String()+"/stream", http.Header{"Authorization": {"Bearer " + p.bearer}})
	if err != nil {
		return nil, err
	}
	require.NoError(t, response.Body.Close())
	hello := map[string]any{"type": "hello", "cursor": map[string]any{"conversations": map[string]any{id.String(): map[string]any{"seq": 0}}}}
	if err := conn.WriteJSON(hello); err != nil {
		_ = conn.Close() // it has failed
		return nil, err
	}
	return conn, nil
}

// reader is a client's copy of one answer, over one socket after the other.
type reader struct {
	person *person
	conn   *websocket.Conn
	id     uuid.UUID
	text   []byte
}

// read reads the stream until the answer has ended; a socket that breaks is opened again.
func (r *reader) read(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		require.True(t, time.Now().Before(end), "the stream has %d bytes of the answer", len(r.text))
		if r.conn == nil {
			var err error
			if r.conn, err = r.person.open(t, r.id); err != nil {
				<-time.After(poll) // the balancer may not have noticed yet that a node is lost
				continue
			}
			// An answer that has ended meanwhile is not sent again: the client fetches it, as the page does.
			var now conversation
			if err := r.person.call(t, http.MethodGet, "discourse/conversations/"+r.id.String(), nil, &now); err == nil && !now.IsStreaming {
				r.text = []byte(now.MessageSet[len(now.MessageSet)-1].Text)
				return
			}
		}
		var f frame
		require.NoError(t, r.conn.SetReadDeadline(end))
		if err := r.conn.ReadJSON(&f); err != nil {
			_ = r.conn.Close() // it is broken
			r.conn = nil
			continue
		}
		if f.Stream != r.id.String() {
			continue
		}
		switch f.Type {
		case "message.delta":
			require.LessOrEqual(t, f.Offset, len(r.text), "text is missing")
			require.True(t, bytes.HasPrefix([]byte(f.Text), r.text[f.Offset:min(len(r.text), f.Offset+len(f.Text))]), "other text is sent again")
			r.text = append(r.text[:f.Offset], f.Text...)
		case "conversation.streaming-complete":
			require.Equal(t, "complete", f.Data.Status, f.Data.Reason)
			return
		}
	}
}
