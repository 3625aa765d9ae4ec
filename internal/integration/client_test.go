package integration_test

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

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

const v1 = "/api/v1"

// person is a client that calls a node as one of the people of persistencetest.World.
type person struct {
	t     *testing.T
	node  *node
	email string
}

func (n *node) as(t *testing.T, email string) *person {
	t.Helper()
	return &person{t: t, node: n, email: email}
}

// answer is the response to a call.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// into checks the status of the response and decodes its body.
func (a answer) into(t *testing.T, status int, v any) {
	t.Helper()
	require.Equal(t, status, a.status, "%s", a.body)
	if v != nil {
		require.NoError(t, json.Unmarshal(a.body, v), "%s", a.body)
	}
}

// problem is the body of an error response.
type problem struct {
	Status    int    `json:"status"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	RequestID string `json:"requestId"`
	Errors    []struct {
		Field   string `json:"field"`
		Message string `json:"message"`
	} `json:"errors"`
	Head *struct {
		Seq       int64      `json:"seq"`
		MessageID *uuid.UUID `json:"messageId"`
	} `json:"head"`
}

// refused checks that the response is a problem document with the status.
func (a answer) refused(t *testing.T, status int) problem {
	t.Helper()
	var p problem
	a.into(t, status, &p)
	require.Equal(t, "application/problem+json", a.header.Get("Content-Type"))
	require.Equal(t, status, p.Status)
	require.NotEmpty(t, p.Code)
	require.NotEmpty(t, p.RequestID)
	return p
}

// do makes a call with a JSON body; header alternates names and values.
func (p *person) do(method, path string, body any, header ...string) answer {
	p.t.Helper()
	var in io.Reader
	if body != nil {
		raw, ok := body.(string)
		if !ok {
			encoded, err := json.Marshal(body)
			require.NoError(p.t, err)
			raw = string(encoded)
		}
		in = strings.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.node.url+v1+path, in)
	require.NoError(p.t, err)
	r.Header.Set("Authorization", "Bearer "+p.email)
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(p.t, err)
	defer func() { require.NoError(p.t, response.Body.Close()) }()
	out, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	return answer{response.StatusCode, response.Header, out}
}

// conversation is a conversation as the API returns it.
type conversation struct {
	ID          uuid.UUID `json:"id"`
	Head        int64     `json:"head"`
	Generation  int64     `json:"generation"`
	Epoch       int64     `json:"epoch"`
	IsStreaming bool      `json:"isStreaming"`
	MessageSet  []message `json:"messageSet"`
}

type message struct {
	ID     uuid.UUID `json:"id"`
	TurnID uuid.UUID `json:"turnId"`
	Seq    int64     `json:"seq"`
	Role   string    `json:"role"`
	Text   string    `json:"text"`
	Status string    `json:"status"`
	Reason string    `json:"reason"`
}

// sent is the response to a prompt.
type sent struct {
	TurnID  uuid.UUID `json:"turnId"`
	Message message   `json:"message"`
}

type stopped struct {
	Stopped     bool     `json:"stopped"`
	Status      string   `json:"status"`
	LastMessage *message `json:"lastMessage"`
}

type rewound struct {
	Text       string    `json:"text"`
	MessageSet []message `json:"messageSet"`
	Generation int64     `json:"generation"`
	Head       int64     `json:"head"`
}

func (p *person) create() uuid.UUID {
	p.t.Helper()
	var c conversation
	p.do("POST", "/discourse/conversations", map[string]any{"name": "Talk"}).into(p.t, 201, &c)
	return c.ID
}

func (p *person) get(id uuid.UUID) conversation {
	p.t.Helper()
	var c conversation
	p.do("GET", "/discourse/conversations/"+id.String(), nil).into(p.t, 200, &c)
	return c
}

// scriptedAgent returns the id of the agent that uses the scripted model.
func (p *person) scriptedAgent() int64 {
	p.t.Helper()
	var list struct {
		Results []struct {
			ID    int64  `json:"id"`
			Model string `json:"model"`
		} `json:"results"`
	}
	p.do("GET", "/analyst/analysts?page_size=100", nil).into(p.t, 200, &list)
	for _, a := range list.Results {
		if a.Model == "scripted" {
			return a.ID
		}
	}
	require.Fail(p.t, "there is no scripted agent")
	return 0
}

// prompt returns the request body that sends a prompt.
func (p *person) prompt(id uuid.UUID, text string, more ...string) map[string]any {
	p.t.Helper()
	m := map[string]any{"text": text, "analystId": p.scriptedAgent()}
	for i := 0; i < len(more); i += 2 {
		m[more[i]] = more[i+1]
	}
	return map[string]any{"conversationId": id, "message": m}
}

func (p *person) send(id uuid.UUID, text string) sent {
	p.t.Helper()
	var s sent
	p.do("POST", "/discourse/user-text", p.prompt(id, text)).into(p.t, 200, &s)
	return s
}

func (p *person) stop(id uuid.UUID) stopped {
	p.t.Helper()
	var s stopped
	p.do("POST", "/analyst/process-control/stop-process-in-redis", map[string]any{"conversation_id": id}).into(p.t, 200, &s)
	return s
}

func (p *person) rewind(id, message uuid.UUID) rewound {
	p.t.Helper()
	var r rewound
	p.do("POST", "/discourse/conversations/"+id.String()+"/rewind", map[string]any{"message_id": message}).into(p.t, 200, &r)
	return r
}

// share grants a person a permission, or removes it (permission "remove").
func (p *person) share(id uuid.UUID, with *person, permission string) {
	p.t.Helper()
	p.do("PUT", "/discourse/conversations/"+id.String()+"/actors", map[string]any{
		"users": []map[string]any{{"id": with.me().ID, "permission": permission}},
	}).into(p.t, 200, nil)
}

type me struct {
	ID   int64     `json:"id"`
	UUID uuid.UUID `json:"uuid"`
}

func (p *person) me() me {
	p.t.Helper()
	var m me
	p.do("GET", "/user/me", nil).into(p.t, 200, &m)
	return m
}

// frame is any frame that the server sends; a frame type uses only some of the fields.
type frame struct {
	Type       string          `json:"type"`
	Stream     string          `json:"stream"`
	Seq        int64           `json:"seq"`
	Epoch      int64           `json:"epoch"`
	Generation int64           `json:"generation"`
	Message    uuid.UUID       `json:"message"`
	Offset     int             `json:"offset"`
	Text       string          `json:"text"`
	Data       json.RawMessage `json:"data"`
	// Fields of presence frames.
	Conversation uuid.UUID           `json:"conversation"`
	People       []protocol.Attendee `json:"people"`
	Count        int                 `json:"count"`
}

// socket is an open websocket stream.
type socket struct {
	t    *testing.T
	conn *websocket.Conn
	// until limits all reads, so that a test ends even if other frames keep arriving.
	until time.Time
}

// dial opens a stream and sends the hello frame with the cursors.
func (p *person) dial(cursors map[uuid.UUID]protocol.ConversationCursor) *socket {
	p.t.Helper()
	s := p.open()
	s.say(map[string]any{"type": "hello", "cursor": map[string]any{"conversations": cursors}})
	return s
}

// open opens a stream and sends no hello frame.
func (p *person) open() *socket {
	p.t.Helper()
	conn, response, err := websocket.DefaultDialer.DialContext(p.t.Context(),
		"ws"+strings.TrimPrefix(p.node.url, "http")+v1+"/user/"+p.me().UUID.String()+"/stream",
		http.Header{"Authorization": {"Bearer " + p.email}})
	require.NoError(p.t, err)
	require.NoError(p.t, response.Body.Close())
	s := &socket{p.t, conn, time.Now().Add(5 * patience)} //nolint:forbidigo // read deadlines use the system clock
	p.t.Cleanup(func() { _ = conn.Close() })
	return s
}

func (s *socket) say(v any) {
	s.t.Helper()
	require.NoError(s.t, s.conn.WriteJSON(v))
}

// next returns the next frame; an error means that the socket is closed.
func (s *socket) next() (frame, error) { return s.within(patience) }

// within is next with its own time limit. After the limit has passed, the socket cannot be
// read any more.
func (s *socket) within(wait time.Duration) (frame, error) {
	var f frame
	until := time.Now().Add(wait) //nolint:forbidigo // read deadlines use the system clock
	if until.After(s.until) {
		until = s.until
	}
	if err := s.conn.SetReadDeadline(until); err != nil {
		return f, err
	}
	_, raw, err := s.conn.ReadMessage()
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(raw, &f)
}

// wait skips frames until fits returns true.
func (s *socket) wait(fits func(frame) bool) frame {
	s.t.Helper()
	for {
		f, err := s.next()
		require.NoError(s.t, err)
		if fits(f) {
			return f
		}
	}
}

// of returns the next frame of a conversation's stream.
func (s *socket) of(id uuid.UUID) frame {
	s.t.Helper()
	return s.wait(func(f frame) bool { return f.Stream == id.String() })
}

// code reads until the socket is closed and returns the close code.
func (s *socket) code() int {
	s.t.Helper()
	return codeOf(s.t, s.end())
}

// end reads until the socket is closed and returns the error.
func (s *socket) end() error {
	for {
		if _, err := s.next(); err != nil {
			return err
		}
	}
}

// codeOf returns the close code of an error of a socket.
func codeOf(t *testing.T, err error) int {
	t.Helper()
	var closed *websocket.CloseError
	require.ErrorAs(t, err, &closed)
	return closed.Code
}

// view is a client's copy of a conversation. It applies frames by the rules of
// docs/stream-protocol.md, and returns an error for each frame after which a client would
// have to fetch again: a gap, a repeat that differs, an old epoch or generation.
type view struct {
	id         uuid.UUID
	seq        int64
	epoch      int64
	generation int64
	texts      map[uuid.UUID][]byte
	open       uuid.UUID
	// ended is the data of the last frame that ended a turn. rewound is set after a rewind.
	// over is the type of the frame that ended the subscription: reset, denied or deleted.
	ended   *protocol.StreamingComplete
	rewound bool
	over    string
	// again permits events that the view has already, as after a resume with an older event id.
	again bool
}

func newView(c *conversation) *view {
	v := &view{id: c.ID, seq: c.Head, generation: c.Generation, texts: map[uuid.UUID][]byte{}}
	for _, m := range c.MessageSet {
		v.texts[m.ID] = []byte(m.Text)
		if m.Status == string(domain.MessageStreaming) {
			v.open = m.ID
		}
	}
	return v
}

func (v *view) cursor() map[uuid.UUID]protocol.ConversationCursor {
	c := protocol.ConversationCursor{Seq: v.seq, Generation: v.generation}
	if v.open != uuid.Nil {
		c.Message, c.Offset = v.open, int64(len(v.texts[v.open]))
	}
	return map[uuid.UUID]protocol.ConversationCursor{v.id: c}
}

func (v *view) apply(f frame) error {
	switch {
	case f.Stream != v.id.String() || f.Type == string(domain.EventTurnProgress):
		return nil
	case v.over != "":
		// The client must fetch the conversation again before it can apply more frames.
		return nil
	case f.Type == protocol.FrameReset || f.Type == protocol.FrameDenied || f.Type == string(domain.EventConversationDeleted):
		v.over = f.Type
		return nil
	case f.Epoch < v.epoch || f.Generation < v.generation:
		return fmt.Errorf("old: %+v", f)
	}
	v.epoch, v.generation = f.Epoch, f.Generation
	switch {
	case f.Type == protocol.FrameSubscribed:
		return nil
	case f.Type == protocol.FrameDelta:
		return v.delta(f)
	case v.again && f.Seq <= v.seq:
		return nil
	case f.Seq != v.seq+1:
		return fmt.Errorf("at %d: %+v", v.seq, f)
	}
	v.seq = f.Seq
	return v.event(f)
}

func (v *view) delta(f frame) error {
	held, ok := v.texts[f.Message]
	if !ok || f.Offset > len(held) {
		return fmt.Errorf("a gap at %d: %+v", len(held), f)
	}
	again := held[f.Offset:]
	if !bytes.HasPrefix([]byte(f.Text), again) && !bytes.HasPrefix(again, []byte(f.Text)) {
		return fmt.Errorf("the text differs from the text before: %+v", f)
	}
	if len(f.Text) > len(again) {
		v.texts[f.Message] = append(held[:f.Offset:f.Offset], f.Text...)
	}
	return nil
}

func (v *view) event(f frame) error {
	var data struct {
		message
		Length *int `json:"length"`
	}
	if err := json.Unmarshal(f.Data, &data); err != nil {
		return err
	}
	switch domain.EventType(f.Type) { //nolint:exhaustive // others change no text
	case domain.EventMessageCreated:
		v.texts[data.ID] = []byte(data.Text)
		if data.Status == string(domain.MessageStreaming) {
			v.open = data.ID
		}
	case domain.EventMessageUpdated:
		if data.Length == nil {
			return nil
		}
		v.open = uuid.Nil
		if *data.Length != len(v.texts[data.ID]) {
			return fmt.Errorf("holds %d: %+v", len(v.texts[data.ID]), f)
		}
	case domain.EventStreamingComplete:
		v.ended = &protocol.StreamingComplete{}
		return json.Unmarshal(f.Data, v.ended)
	case domain.EventConversationRewound:
		v.rewound = true
	}
	return nil
}

// follow applies frames until the turn ends.
func (v *view) follow(t *testing.T, s *socket) {
	t.Helper()
	for v.ended == nil && v.over == "" {
		f, err := s.next()
		require.NoError(t, err)
		require.NoError(t, v.apply(f))
	}
}

// agrees checks that the view equals the stored conversation, byte by byte.
func (v *view) agrees(t *testing.T, c *conversation) {
	t.Helper()
	require.Equal(t, c.Head, v.seq)
	for _, m := range c.MessageSet {
		if m.Role == string(domain.RoleInternal) {
			require.Empty(t, v.texts[m.ID], "the stream goes to every reader, so it must not contain internal messages")
			continue
		}
		require.Equal(t, m.Text, string(v.texts[m.ID]), m.Role)
	}
	if !v.rewound {
		require.Len(t, v.texts, len(c.MessageSet))
	}
}
