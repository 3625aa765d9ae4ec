package integration_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api"
	"parley.dev/parley/persistence/persistencetest"
)

// sseEvent is one server-sent event.
type sseEvent struct {
	frame frame
	id    string
}

// events reads server-sent events after an event id, until enough returns true.
func (p *person) events(id uuid.UUID, last string, enough func(sseEvent) bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet,
		p.node.url+v1+"/user/"+p.me().UUID.String()+"/stream?conversations="+id.String(), nil)
	require.NoError(p.t, err)
	r.Header.Set("Authorization", "Bearer "+p.email)
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Last-Event-ID", last)
	response, err := http.DefaultClient.Do(r)
	require.NoError(p.t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(p.t, 200, response.StatusCode)
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	var e sseEvent
	for lines.Scan() {
		if cursor, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			e.id = cursor
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		require.NoError(p.t, json.Unmarshal([]byte(data), &e.frame))
		if enough(e) {
			return
		}
		e = sseEvent{}
	}
	require.Fail(p.t, "the events ended too early", "%v", lines.Err())
}

// reader is a client of server-sent events by the rules of docs/stream-protocol.md: it drops
// what it has already, continues at the position of a resync, and fails on a gap.
type reader struct {
	view *view
	user int64
	last string
}

func (r *reader) take(t *testing.T, e sseEvent) {
	t.Helper()
	if e.id != "" {
		r.last = e.id
	}
	if e.frame.Stream == protocol.UserStream && e.frame.Seq > r.user {
		require.Equal(t, r.user+1, e.frame.Seq, "the person's own log has a gap")
		r.user = e.frame.Seq
	}
	if e.frame.Type == protocol.FrameResync {
		r.user = max(r.user, e.frame.Seq)
	}
	require.NoError(t, r.view.apply(e.frame))
	require.Empty(t, r.view.over)
}

// guaranteeG8EveryCut: events that are written together have one id, on the last
// of them. A reader that is disconnected after any of them, and resumes with the last id
// that it received, gets everything that it misses. Its rules drop what it gets twice.
func guaranteeG8EveryCut(t *testing.T, n *node) {
	t.Helper()
	ben := n.as(t, persistencetest.Ben)
	head := func() int64 {
		s := ben.dial(nil)
		return s.wait(func(f frame) bool { return f.Type == protocol.FrameSessionReady }).Seq
	}
	id := ben.create()
	c := ben.get(id)
	began := head()
	cursor, err := json.Marshal(protocol.ClientCursor{User: &began, Conversations: newView(&c).cursor()})
	require.NoError(t, err)
	newReader := func() *reader {
		r := &reader{view: newView(&c), user: began, last: base64.RawURLEncoding.EncodeToString(cursor)}
		r.view.again = true
		return r
	}
	// A live reader receives text and events in many writes; a reader that connects late
	// receives everything in very few writes.
	live := newReader()
	ben.send(id, "seed=4 tokens=60 rate=300 plan=10")
	var received []sseEvent
	ben.events(id, live.last, func(e sseEvent) bool {
		received = append(received, e)
		live.take(t, e)
		return live.view.ended != nil
	})
	ended := head()
	late := newReader()
	var together []sseEvent
	ben.events(id, late.last, func(e sseEvent) bool {
		together = append(together, e)
		late.take(t, e)
		return late.view.ended != nil && late.user >= ended
	})
	unmarked := 0
	for _, e := range together {
		if e.id == "" {
			unmarked++
		}
	}
	require.Positive(t, unmarked, "some events must have been written together")

	now := ben.get(id)
	for _, stream := range [][]sseEvent{received, together} {
		for cut := range len(stream) + 1 {
			r := newReader()
			for _, e := range stream[:cut] {
				r.take(t, e)
			}
			if r.view.ended == nil || r.user < ended {
				ben.events(id, r.last, func(e sseEvent) bool {
					r.take(t, e)
					return r.view.ended != nil && r.user >= ended
				})
			}
			r.view.agrees(t, &now)
		}
	}
}

// attackC08: the sockets of one address are counted together, for all people and
// transports. After one is closed, another can be opened.
func attackC08(t *testing.T, n *node) {
	t.Helper()
	url := n.serve(t, api.Limits{SendsPerMinute: -1, UploadsPerHour: -1, SocketsPerUser: -1, SocketsPerAddress: 3})
	narrow := *n
	narrow.url = url
	anna, ben, cleo := narrow.as(t, persistencetest.Anna), narrow.as(t, persistencetest.Ben), narrow.as(t, persistencetest.Cleo)
	first := anna.dial(nil)
	first.wait(func(f frame) bool { return f.Type == protocol.FrameSessionReady })
	anna.dial(nil)
	ben.dial(nil)
	try := func() int {
		conn, response, err := websocket.DefaultDialer.DialContext(t.Context(),
			"ws"+strings.TrimPrefix(url, "http")+v1+"/user/"+cleo.me().UUID.String()+"/stream",
			http.Header{"Authorization": {"Bearer " + cleo.email}})
		require.NotNil(t, response, err)
		defer func() { _ = response.Body.Close() }()
		if err == nil {
			_ = conn.Close()
		}
		return response.StatusCode
	}
	require.Equal(t, 429, try())
	refused := cleo.do("GET", "/user/"+cleo.me().UUID.String()+"/stream", nil, "Accept", "text/event-stream")
	require.Equal(t, "too-many", refused.refused(t, 429).Code)
	require.NoError(t, first.conn.Close())
	require.Eventually(t, func() bool { return try() == 101 }, patience, patience/1000)
}
