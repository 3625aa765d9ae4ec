package loadtest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// TestReader_Follow starts a reader while an answer is already streaming, as it happens on
// a busy machine: the reader fetches the first part of the answer, and finds no fault.
func TestReader_Follow(t *testing.T) {
	t.Parallel()
	conversation, message, turn := uuid.New(), uuid.New(), uuid.New()
	type cursor struct {
		Seq     int64
		Message uuid.UUID
		Offset  int
	}
	hellos := make(chan cursor, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/stream") {
			fmt.Fprintf(w, `{"head":3,"generation":1,"isStreaming":true,"messageSet":[{"id":%q,"role":"assistant","text":"half ",`+
				`"status":"streaming"}]}`, message)
			return
		}
		conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			t.Errorf("upgrade: %v", err)
			return
		}
		defer conn.Close()
		var hello struct {
			Cursor struct{ Conversations map[uuid.UUID]cursor }
		}
		if err := conn.ReadJSON(&hello); err != nil {
			t.Errorf("hello: %v", err)
			return
		}
		hellos <- hello.Cursor.Conversations[conversation]
		for _, f := range []*frame{delta(message, 0, "half more"), ended(4, message, 9), complete(5, turn)} {
			f.Stream = conversation.String()
			if err := conn.WriteJSON(f); err != nil {
				t.Errorf("write: %v", err)
				return
			}
		}
		_, _, _ = conn.ReadMessage() // until the reader closes the socket
	}))
	defer server.Close()

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	over := make(chan struct{})
	r := &reader{
		trial:   &trial{run: &run{c: &Config{URLs: []string{server.URL}}, tally: newTally(time.Now())}},
		person:  &person{base: server.URL, uuid: "somebody", http: server.Client()},
		id:      conversation,
		guarded: guarded{held: newHeld()},
		ended:   func() { close(over) },
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		r.follow(ctx)
	}()
	select {
	case <-over:
	case <-ctx.Done():
		require.Fail(t, "the end of the turn was not received")
	}
	cancel()
	<-gone
	require.Equal(t, cursor{Seq: 3, Message: message, Offset: 5}, <-hellos)
	require.Zero(t, r.trial.tally.faults.Load())
	require.NoError(t, r.compare(&storedConversation{
		Head:     5,
		Messages: []storedMessage{{ID: message, Text: "half more", Status: "complete"}},
	}))
}
