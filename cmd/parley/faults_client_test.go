package main

// The clients of the faults. They behave as the web's: a call that has no answer is repeated at the
// next server with the same key, and a socket comes back there with its cursor. All of it is recorded.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"

	"parley.dev/parley/internal/history"
)

const (
	// tryTime is how long one try of a call may take, and callTime how long all of them.
	tryTime  = 4 * time.Second
	callTime = 40 * time.Second
	// silenceTime is how long a socket may be silent. It is shorter than that of the web, so that a
	// process that stands still is noticed within a test.
	silenceTime = 6 * time.Second
	pingEvery   = 2 * time.Second
)

// human is a person of the run. The fields do not change after it was made.
type human struct {
	email, org, bearer string
	id                 int64
	uuid               uuid.UUID
	agent              int64
}

// world is what all clients of a run share.
type world struct {
	*bed
	recorder *history.Recorder
	http     *http.Client
	humans   []*human
	orgs     []string
	talks    []*talk
	// mu guards the fields below. Calls are marked as healed that begin after the last fault.
	mu     sync.Mutex
	healed bool
	// again are conversations of which a fault gives an epoch twice.
	again map[uuid.UUID]bool
	// heard is when a follower got the last frame from an address.
	heard map[string]int64
	// figures are the times that a fault was measured by, each the longest of its name.
	figures map[string]figure
	// overlapped says that another fault is done at the same time: then the times of one fault are only printed.
	overlapped bool
}

// hear remembers that a frame came from an address.
func (w *world) hear(base string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.heard == nil {
		w.heard = map[string]int64{}
	}
	w.heard[base] = w.now()
}

// lastHeard is when the last frame came from an address.
func (w *world) lastHeard(base string) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.heard[base]
}

// at is the member that people reach by a number: that one, or the next one that is in service.
func (w *world) at(node int) *member {
	for range w.members {
		if m := w.members[node%len(w.members)]; !m.out.Load() {
			return m
		}
		node++
	}
	return w.members[node%len(w.members)]
}

// canary is what the prompts and names of an organization contain, and nothing else.
func canary(org string) string { return "canary-" + org + "-x" }

// foreign returns the canaries of other organizations in what a person received.
func (w *world) foreign(h *human, raw []byte) (found []string) {
	for _, org := range w.orgs {
		if org != h.org && bytes.Contains(raw, []byte(canary(org))) {
			found = append(found, canary(org))
		}
	}
	return found
}

// answered is the answer to a call with all its tries.
type answered struct {
	status int
	body   []byte
	// vague says that a try before the last one had no answer, so it may have taken effect.
	vague bool
	err   error
}

func (a answered) outcome() history.Outcome {
	switch {
	case a.err == nil && a.status < 300:
		return history.OK
	case a.err != nil || a.vague || a.status >= 500:
		return history.Unknown
	default:
		return history.Failed
	}
}

// call makes a call, beginning at a server, and repeats it while there is no definite answer.
func (w *world) call(ctx context.Context, h *human, node int, method, path string, in any) (a answered) {
	var body []byte
	if in != nil {
		if body, a.err = json.Marshal(in); a.err != nil {
			return a
		}
	}
	key, until := uuid.NewString(), time.Now().Add(callTime)
	for {
		m := w.at(node)
		within, cancel := context.WithTimeout(ctx, tryTime)
		a.status, a.body, a.err = w.try(within, h, m.url, method, path, key, body)
		cancel()
		if a.err == nil && a.status < 500 && a.status != http.StatusTooManyRequests || ctx.Err() != nil || time.Now().After(until) {
			return a
		}
		a.vague = a.vague || a.err != nil || a.status >= 500
		node++
		wait(ctx, time.Duration(100+rand.IntN(200))*time.Millisecond)
	}
}

func (w *world) try(ctx context.Context, h *human, base, method, path, key string, body []byte) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, base+"/api/v1/"+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+h.bearer)
	if method != http.MethodGet && key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := w.http.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	out, err := io.ReadAll(response.Body)
	return response.StatusCode, out, err
}

// get makes a call that must succeed, for the preparations.
func (w *world) get(ctx context.Context, h *human, method, path string, in, out any) error {
	a := w.call(ctx, h, 0, method, path, in)
	if a.outcome() != history.OK {
		return fmt.Errorf("%s %s: %d %s %w", method, path, a.status, a.body, a.err)
	}
	return json.Unmarshal(a.body, out)
}

// begin makes the record of a call.
func (w *world) begin(client string, h *human, kind history.Kind, talk uuid.UUID) *history.Op {
	w.mu.Lock()
	defer w.mu.Unlock()
	return &history.Op{
		Client: client, Person: h.email, Org: h.org, Kind: kind, Conversation: talk, Invoke: w.now(), Healed: w.healed,
	}
}

// end completes the record and keeps it.
func (w *world) end(op *history.Op, h *human, a answered) {
	op.Return, op.Outcome, op.Repeated = w.now(), a.outcome(), a.vague
	op.Silent = a.err != nil || a.status >= 500 || a.status == http.StatusTooManyRequests
	op.Result.Foreign = w.foreign(h, a.body)
	w.recorder.Add(history.Line{Op: op})
}

// send sends a prompt with an id of the client's, which its text repeats.
func (w *world) send(ctx context.Context, client string, h *human, node int, talk, id uuid.UUID, text string) history.Outcome {
	return w.sendAfter(ctx, client, h, node, talk, id, uuid.Nil, text)
}

// sendAfter is send with the last message that the person has seen, if there is one.
func (w *world) sendAfter(ctx context.Context, client string, h *human, node int, talk, id, seen uuid.UUID, text string) history.Outcome {
	op := w.begin(client, h, history.Send, talk)
	op.Message = id
	message := map[string]any{"id": id, "text": text, "analystId": h.agent}
	if seen != uuid.Nil {
		message["parentMessageId"] = seen
	}
	a := w.call(ctx, h, node, http.MethodPost, "discourse/user-text", map[string]any{"conversationId": talk, "message": message})
	var sent struct {
		Message history.Message `json:"message"`
	}
	if a.outcome() == history.OK {
		a.err = json.Unmarshal(a.body, &sent)
		op.Result.Seq = sent.Message.Seq
	}
	w.end(op, h, a)
	return op.Outcome
}

func (w *world) stop(ctx context.Context, client string, h *human, node int, talk uuid.UUID) {
	op := w.begin(client, h, history.Stop, talk)
	w.end(op, h, w.call(ctx, h, node, http.MethodPost, "analyst/process-control/stop-process-in-redis",
		map[string]any{"conversation_id": talk}))
}

func (w *world) rewind(ctx context.Context, client string, h *human, node int, talk, id uuid.UUID) {
	op := w.begin(client, h, history.Rewind, talk)
	op.Message = id
	a := w.call(ctx, h, node, http.MethodPost, "discourse/conversations/"+talk.String()+"/rewind", map[string]any{"message_id": id})
	var rewound history.Conversation
	if a.outcome() == history.OK {
		a.err = json.Unmarshal(a.body, &rewound)
		op.Result.Head, op.Result.Generation = rewound.Head, rewound.Generation
	}
	w.end(op, h, a)
}

func (w *world) delete(ctx context.Context, client string, h *human, node int, talk uuid.UUID) {
	op := w.begin(client, h, history.Delete, talk)
	w.end(op, h, w.call(ctx, h, node, http.MethodDelete, "discourse/conversations/"+talk.String(), nil))
}

// read reads a conversation as its owner, to whom a 404 says that it is deleted.
func (w *world) read(ctx context.Context, client string, h *human, node int, talk uuid.UUID) *history.Conversation {
	return w.readAs(ctx, client, h, node, talk, true)
}

// readAs reads a conversation as anybody. For other people a 404 may only say that the right is gone.
func (w *world) readAs(ctx context.Context, client string, h *human, node int, talk uuid.UUID, owns bool) *history.Conversation {
	op := w.begin(client, h, history.Read, talk)
	a := w.call(ctx, h, node, http.MethodGet, "discourse/conversations/"+talk.String(), nil)
	var c history.Conversation
	switch {
	case a.err == nil && a.status == http.StatusNotFound && owns:
		op.Result.Gone = true
		a.status = http.StatusOK
	case a.outcome() == history.OK:
		a.err = json.Unmarshal(a.body, &c)
		op.Result.Head, op.Result.Generation, op.Result.Running = c.Head, c.Generation, c.IsStreaming
		for _, m := range c.Messages {
			if m.Role == "user" {
				op.Result.Prompts = append(op.Result.Prompts, m.ID)
			}
		}
	}
	a.vague = false // a read has no effect
	w.end(op, h, a)
	if op.Outcome != history.OK || op.Result.Gone {
		return nil
	}
	return &c
}

// grant shares a conversation, or takes the right away; then it also says where the log was.
func (w *world) grant(ctx context.Context, client string, h, with *human, node int, talk uuid.UUID, permission string) history.Outcome {
	kind := history.Share
	if permission == "remove" {
		kind = history.Revoke
	}
	op := w.begin(client, h, kind, talk)
	op.With = with.email
	a := w.call(ctx, h, node, http.MethodPut, "discourse/conversations/"+talk.String()+"/actors",
		map[string]any{"users": []map[string]any{{"id": with.id, "permission": permission}}})
	returned := w.now()
	if kind == history.Revoke && a.outcome() == history.OK {
		c := w.read(ctx, client, h, node, talk)
		if c == nil {
			a.vague, a.err = true, errors.New("the head is not known") // so the checker knows nothing either
		} else {
			op.Result.Head = c.Head
		}
	}
	w.end(op, h, a)
	op.Return = min(op.Return, returned)
	return op.Outcome
}

// follower is one person's socket on one conversation, with all the sockets that replace it.
type follower struct {
	w    *world
	h    *human
	id   uuid.UUID
	name string
	// owns says that the person is the conversation's owner.
	owns bool
	// node is the number of the member at which its first socket is opened; each later one is opened at the next.
	node int
	// through is where all of its sockets are opened instead, if it is not empty, and patient says that it never
	// takes a silent socket for a broken one.
	through string
	patient bool

	// mu guards the fields below. conn is nil while no socket is open.
	mu   sync.Mutex
	conn *websocket.Conn
	view *history.View
	// wanted says that the person may read the conversation, so the socket is opened again.
	wanted bool
	// answered says that the socket's last subscription was answered, and left that it followed an
	// unsubscription: until the answer, frames of the earlier one are under way and are not shown.
	answered, left bool
}

// again leaves the conversation and subscribes to it again on the same socket, from what is held.
func (f *follower) again() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn == nil || !f.answered {
		return
	}
	f.answered, f.left = false, true
	for _, frame := range []map[string]any{
		{"type": "unsubscribe", "conversation": f.id}, {"type": "subscribe", "conversation": f.id, "at": f.view.Cursor()},
	} {
		if f.conn.WriteJSON(frame) != nil {
			return // the reader notices a broken socket
		}
	}
}

// want says whether the follower is to follow.
func (f *follower) want(wanted bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted = wanted
}

// cut breaks the socket without a close frame.
func (f *follower) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn != nil {
		_ = f.conn.NetConn().Close() // it is to break
	}
}

// caughtUp says whether the follower holds everything up to a position.
func (f *follower) caughtUp(head int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.view != nil && f.view.Seq() == head
}

// follow keeps a socket open until ctx ends.
func (f *follower) follow(ctx context.Context) {
	stop := context.AfterFunc(ctx, f.cut)
	defer stop()
	placed := false
	for node := f.node; ctx.Err() == nil; {
		if !f.wants() {
			placed = false
			wait(ctx, 50*time.Millisecond)
			continue
		}
		if !placed && !f.place(ctx, node) {
			node++
			wait(ctx, 200*time.Millisecond)
			continue
		}
		next := f.open(ctx, cmp.Or(f.through, f.w.at(node).url))
		node++
		placed = next == history.GoOn || next == history.Subscribe
		if next == history.Leave {
			// Without the right the person waits; the conversation may be shared again.
			wait(ctx, 200*time.Millisecond)
		}
		wait(ctx, time.Duration(50+rand.IntN(150))*time.Millisecond)
	}
}

// place fetches the conversation and goes on from there.
func (f *follower) place(ctx context.Context, node int) bool {
	c := f.w.readAs(ctx, f.name, f.h, node, f.id, f.owns)
	if c == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.view == nil {
		f.view = history.NewView(f.id)
	}
	_ = f.view.Begin(c) // the checker reports what is wrong
	f.w.recorder.Add(history.Line{Place: &history.Place{Client: f.name, At: f.w.now(), Conversation: f.id, Fetched: *c}})
	return true
}

// open opens a socket and reads it until it ends. It returns what the client does then.
func (f *follower) open(ctx context.Context, base string) history.Next {
	dialer := websocket.Dialer{HandshakeTimeout: tryTime}
	address := "ws" + strings.TrimPrefix(base, "http") + "/api/v1/user/" + f.h.uuid.String() + "/stream"
	conn, response, err := dialer.DialContext(ctx, address, http.Header{"Authorization": {"Bearer " + f.h.bearer}})
	if response != nil {
		_ = response.Body.Close() // only the socket counts
	}
	if err != nil {
		return history.GoOn
	}
	defer conn.Close()
	f.mu.Lock()
	f.conn, f.answered, f.left = conn, false, false
	cursor := map[string]any{f.id.String(): f.view.Cursor()}
	err = conn.WriteJSON(map[string]any{"type": "hello", "cursor": map[string]any{"conversations": cursor}})
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.conn = nil
		f.mu.Unlock()
	}()
	if ctx.Err() != nil || err != nil {
		return history.GoOn
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for ping := time.NewTicker(pingEvery); ; {
			select {
			case <-ended:
				ping.Stop()
				return
			case <-ping.C:
				f.mu.Lock()
				_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"ping"}`)) // the reader notices a broken socket
				f.mu.Unlock()
			}
		}
	}()
	for {
		if !f.patient {
			_ = conn.SetReadDeadline(time.Now().Add(silenceTime)) // a broken socket fails at the read
		}
		_, raw, err := conn.ReadMessage()
		if err != nil {
			return history.GoOn
		}
		f.w.hear(base)
		if next := f.take(raw); next != history.GoOn {
			return next
		}
	}
}

// take records a frame and applies it.
func (f *follower) take(raw []byte) history.Next {
	frame := &history.Frame{Client: f.name, Person: f.h.email, Org: f.h.org, At: f.w.now(), Foreign: f.w.foreign(f.h, raw)}
	if err := json.Unmarshal(raw, &frame.Wire); err != nil {
		frame.Type = "not JSON: " + string(raw)
	}
	if frame.Stream != f.id.String() {
		if len(frame.Foreign) > 0 {
			f.w.recorder.Add(history.Line{Frame: frame})
		}
		return history.GoOn
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch frame.Type {
	case "subscribed", "reset", "denied", "conversation.deleted":
		f.answered, f.left = true, false
	default:
		if f.left {
			return history.GoOn
		}
	}
	f.w.recorder.Add(history.Line{Frame: frame})
	next, err := f.view.Apply(&frame.Wire)
	if err != nil && next == history.GoOn {
		return history.Fetch // the checker reports it; the client goes on with what is stored
	}
	return next
}
