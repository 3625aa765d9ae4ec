package integration_test

import (
	"bufio"
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst/provider/scripted"
	"parley.dev/parley/persistence/persistencetest"
)

// guaranteeG2: the text that is shown is a prefix of the text that is stored at that moment.
func guaranteeG2(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	id := anna.create()
	c := anna.get(id)
	v := newView(&c)
	s := anna.dial(v.cursor())
	anna.send(id, "seed=2 tokens=60 rate=60 plan=5 summary=5")
	for i := 0; v.ended == nil; i++ {
		f, err := s.next()
		require.NoError(t, err)
		require.NoError(t, v.apply(f))
		if i%7 != 0 {
			continue
		}
		stored := anna.get(id)
		for _, m := range stored.MessageSet {
			require.True(t, strings.HasPrefix(m.Text, string(v.texts[m.ID])), "text was shown before it was stored")
		}
	}
	c = anna.get(id)
	v.agrees(t, &c)
	require.Equal(t, scripted.Text(2, 60), c.MessageSet[2].Text)
}

// guaranteeG8: a client that is disconnected repeatedly misses nothing.
func guaranteeG8(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	id := anna.create()
	c := anna.get(id)
	v := newView(&c)
	anna.send(id, "seed=8 tokens=150 rate=150 plan=10 summary=10")
	for cuts := 1; v.ended == nil; cuts++ {
		s := anna.dial(v.cursor())
		for frames := 0; frames < cuts*2 && v.ended == nil; frames++ {
			f, err := s.next()
			require.NoError(t, err)
			require.NoError(t, v.apply(f))
		}
		require.Empty(t, v.over)
		require.NoError(t, s.conn.Close())
	}
	c = anna.get(id)
	v.agrees(t, &c)

	// The same holds for a client that resumes at any offset of a finished text.
	answer := c.MessageSet[2]
	for _, offset := range []int{0, len(answer.Text) / 2, len(answer.Text)} {
		for !utf8.ValidString(answer.Text[offset:]) {
			offset++
		}
		at := &view{id: id, seq: answer.Seq, generation: 1, open: answer.ID, texts: map[uuid.UUID][]byte{
			c.MessageSet[0].ID: []byte(c.MessageSet[0].Text), c.MessageSet[1].ID: []byte(c.MessageSet[1].Text),
			answer.ID: []byte(answer.Text[:offset]),
		}}
		at.follow(t, anna.dial(at.cursor()))
		at.agrees(t, &c)
	}
}

// guaranteeG8Events is guaranteeG8 with server-sent events and their ids.
func guaranteeG8Events(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	id := anna.create()
	c := anna.get(id)
	v := newView(&c)
	v.again = true
	anna.send(id, "seed=9 tokens=100 rate=120 plan=10")
	last := ""
	for cuts := 1; v.ended == nil; cuts++ {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			n.url+v1+"/user/"+anna.me().UUID.String()+"/stream?conversations="+id.String(), nil)
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+anna.email)
		r.Header.Set("Accept", "text/event-stream")
		if last == "" {
			last = eventID(t, v.cursor())
		}
		r.Header.Set("Last-Event-ID", last)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.Equal(t, 200, response.StatusCode)
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for frames := 0; frames < cuts*3 && v.ended == nil && lines.Scan(); {
			if cursor, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				last = cursor
			}
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			frames++
			var f frame
			require.NoError(t, json.Unmarshal([]byte(data), &f))
			require.NoError(t, v.apply(f))
		}
		require.NoError(t, response.Body.Close())
	}
	c = anna.get(id)
	v.agrees(t, &c)
}

func attackC03(t *testing.T, n *node) {
	t.Helper()
	anna, doris := n.as(t, persistencetest.Anna), n.as(t, persistencetest.Doris)
	s := anna.dial(nil)
	for _, stream := range []string{doris.create().String(), uuid.NewString(), "*", ""} {
		s.say(map[string]any{"type": "subscribe", "conversation": stream})
		f := s.wait(func(f frame) bool { return f.Type == protocol.FrameDenied })
		require.Equal(t, stream, f.Stream)
	}
	cursors := map[uuid.UUID]protocol.ConversationCursor{}
	for range 201 {
		cursors[anna.create()] = protocol.ConversationCursor{}
	}
	s = anna.dial(cursors)
	seen := map[string]int{}
	for seen[protocol.FrameSubscribed]+seen[protocol.FrameDenied] < len(cursors) {
		f, err := s.next()
		require.NoError(t, err)
		seen[f.Type]++
	}
	require.Equal(t, 200, seen[protocol.FrameSubscribed])

	// The limit also holds for single subscriptions that are sent without a pause.
	single := anna.dial(nil)
	for id := range cursors {
		single.say(map[string]any{"type": "subscribe", "conversation": id})
	}
	seen = map[string]int{}
	for seen[protocol.FrameSubscribed]+seen[protocol.FrameDenied] < len(cursors) {
		f, err := single.next()
		require.NoError(t, err)
		seen[f.Type]++
	}
	require.Equal(t, 200, seen[protocol.FrameSubscribed])

	// 10,000 cursors are too long for one frame, and 10,000 subscribe frames are more than a
	// socket may send in a second. Another socket is not affected.
	many := make(map[uuid.UUID]protocol.ConversationCursor, 10_000)
	for range 10_000 {
		many[uuid.New()] = protocol.ConversationCursor{}
	}
	require.Equal(t, 1009, anna.dial(many).code())
	flood := anna.dial(nil)
	for range 10_000 {
		if flood.conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"subscribe","conversation":"`+uuid.NewString()+`"}`)) != nil {
			break // the server has closed the socket
		}
	}
	require.Equal(t, 4429, flood.code())
	s.say(map[string]any{"type": "ping"})
	s.wait(func(f frame) bool { return f.Type == protocol.FrameKeepAlive })
}

// attackC04 subscribes with invalid cursors to a text with multi-byte characters that is being
// written.
func attackC04(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	other := anna.create()
	elsewhere := anna.send(other, "seed=1 tokens=1 rate=0")
	id := anna.create()
	c := anna.get(id)
	v := newView(&c)
	live := anna.dial(v.cursor())
	anna.send(id, "seed=4 tokens=80000 rate=100")
	for inside(v.texts[v.open]) < 0 {
		f, err := live.next()
		require.NoError(t, err)
		require.NoError(t, v.apply(f))
	}
	open, text := v.open.String(), v.texts[v.open]
	type at map[string]any
	for name, cursor := range map[string]at{
		"negative":              {"seq": -1, "generation": 1},
		"2^63":                  {"seq": json.RawMessage("9223372036854775808"), "generation": 1},
		"a fraction":            {"seq": 1.5, "generation": 1},
		"1e300":                 {"seq": math.Pow(10, 300), "generation": 1},
		"future":                {"seq": v.seq + 100, "generation": 1},
		"future generation":     {"seq": v.seq, "generation": 2},
		"no generation":         {"seq": v.seq, "generation": 0, "message": open, "offset": 1},
		"message of another":    {"seq": v.seq, "generation": 1, "message": elsewhere.Message.ID, "offset": 1},
		"message of nobody":     {"seq": v.seq, "generation": 1, "message": uuid.New(), "offset": 1},
		"malformed message":     {"seq": v.seq, "generation": 1, "message": "x", "offset": 1},
		"huge offset":           {"seq": v.seq, "generation": 1, "message": open, "offset": int64(1) << 50},
		"offset 2^63":           {"seq": v.seq, "generation": 1, "message": open, "offset": json.RawMessage("9223372036854775808")},
		"negative offset":       {"seq": v.seq, "generation": 1, "message": open, "offset": -1},
		"offset inside a rune":  {"seq": v.seq, "generation": 1, "message": open, "offset": inside(text)},
		"offset without a text": {"seq": v.seq, "generation": 1, "offset": 1},
	} {
		s := anna.dial(nil)
		s.say(map[string]any{"type": "subscribe", "conversation": id, "at": cursor})
		f := s.of(id)
		require.Equal(t, protocol.FrameReset, f.Type, name)
		// After the reset the stream continues at its current offset, with this text.
		f = s.of(id)
		require.Equal(t, protocol.FrameDelta, f.Type, name)
		require.Equal(t, open, f.Message.String(), name)
		require.GreaterOrEqual(t, f.Offset, len(text), name)
		require.NoError(t, s.conn.Close())
	}
	anna.stop(id)
}

// inside returns an offset inside a multi-byte character, or -1.
func inside(text []byte) int {
	for i, b := range text {
		if !utf8.RuneStart(b) {
			return i
		}
	}
	return -1
}

func attackC05(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	neighbour := anna.dial(nil)
	neighbour.wait(func(f frame) bool { return f.Type == protocol.FrameSessionReady })
	deep := `{"type":"hello","x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`
	for name, row := range map[string]struct {
		kind  int
		frame string
		code  int
	}{
		"not a hello":   {websocket.TextMessage, `{"type":"ping"}`, 4400},
		"unknown":       {websocket.TextMessage, `{"type":"dance"}`, 4400},
		"an array":      {websocket.TextMessage, `[]`, 4400},
		"not JSON":      {websocket.TextMessage, `hello`, 4400},
		"deep":          {websocket.TextMessage, deep, 4400},
		"empty":         {websocket.TextMessage, ``, 4400},
		"NUL":           {websocket.TextMessage, "{\"type\":\"hello\x00\"}", 4400},
		"binary":        {websocket.BinaryMessage, `{"type":"hello"}`, 1003},
		"invalid UTF-8": {websocket.TextMessage, "{\"type\":\"\xff\"}", 1007},
	} {
		s := anna.open()
		require.NoError(t, s.conn.WriteMessage(row.kind, []byte(row.frame)))
		require.Equal(t, row.code, s.code(), name)
	}
	s := anna.dial(nil)
	s.say(map[string]any{"type": "hello"})
	require.Equal(t, 4400, s.code(), "a second hello must be refused")
	neighbour.say(map[string]any{"type": "ping"})
	neighbour.wait(func(f frame) bool { return f.Type == protocol.FrameKeepAlive })
}

func attackC06(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	s := anna.dial(nil)
	require.NoError(t, s.conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"ping","x":"`+strings.Repeat("x", 64<<10)+`"}`)))
	require.Equal(t, 1009, s.code())
}

func attackC09(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	t.Run("Flood", func(t *testing.T) {
		t.Parallel()
		s := anna.dial(nil)
		for range 3000 {
			if s.conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"ping"}`)) != nil {
				break // the server has closed the socket
			}
		}
		require.Equal(t, 4429, s.code())
	})
	t.Run("Silent", func(t *testing.T) {
		t.Parallel()
		s := anna.open()
		began := time.Now() //nolint:forbidigo // the server measures with the system clock
		require.Equal(t, 4408, s.code())
		require.Greater(t, time.Since(began), 4*time.Second)
	})
}

func eventID(t *testing.T, cursors map[uuid.UUID]protocol.ConversationCursor) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"conversations": cursors})
	require.NoError(t, err)
	return base64URL(raw)
}
