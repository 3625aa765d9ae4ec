package loadtest

// A socket of a run: it follows answers and measures the time from the provider to the client. It
// is simpler than the reader of a trial, because a run has no faults and no rewinds: anything
// unexpected is an error.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
)

// socket is one open stream and the answers that it follows.
type socket struct {
	conn      *websocket.Conn
	followers map[string]*followed
	tally     *tally
	// ended is called with the conversation when its answer is complete.
	ended func(conversation, status string)
}

// followed is one conversation on one socket, with a follower and a role for each
// message of the current turn.
type followed struct {
	answers map[string]*follower
	roles   map[string]string
	// seq is the number of the last event; the next event must have the next number.
	seq int64
}

// frame is the part of a server's frame that the run reads.
type frame struct {
	Type   string `json:"type"`
	Stream string `json:"stream"`
	Seq    int64  `json:"seq"`
	Epoch  int64  `json:"epoch"`
	// Generation counts the rewinds.
	Generation int64           `json:"generation"`
	Message    string          `json:"message"`
	Offset     int64           `json:"offset"`
	Text       string          `json:"text"`
	Data       json.RawMessage `json:"data"`
}

// dial opens a socket of a person on a node, whose handshake may take as long as timeout.
func (p *person) dial(ctx context.Context, base string, timeout time.Duration) (*websocket.Conn, error) {
	url := "ws" + strings.TrimPrefix(base, "http") + "/api/v1/user/" + p.uuid + "/stream"
	// The buffers are small, because a run may open thousands of sockets.
	dialer := websocket.Dialer{ReadBufferSize: 1024, WriteBufferSize: 512, HandshakeTimeout: timeout}
	conn, resp, err := dialer.DialContext(ctx, url, http.Header{"Authorization": {"Bearer " + p.token}})
	if resp != nil {
		defer resp.Body.Close()
	}
	switch {
	case err == nil:
		return conn, nil
	case resp != nil:
		return nil, fmt.Errorf("open a socket: %s", resp.Status)
	default:
		return nil, fmt.Errorf("open a socket: %w", err)
	}
}

// connect opens a socket of a person and subscribes to conversations. It
// returns when the server has reported that it is ready and has confirmed each
// subscription.
func connect(ctx context.Context, p *person, follow []uuid.UUID, t *tally, ended func(conversation, status string)) (*socket, error) {
	conn, err := p.dial(ctx, p.base, 30*time.Second)
	if err != nil {
		return nil, err
	}
	s := &socket{conn: conn, followers: make(map[string]*followed, len(follow)), tally: t, ended: ended}
	cursors := make(map[string]any, len(follow))
	for _, id := range follow {
		s.followers[id.String()] = &followed{answers: map[string]*follower{}, roles: map[string]string{}}
		// The first position is that of the server.
		cursors[id.String()] = map[string]any{"seq": 0}
	}
	if err := conn.WriteJSON(map[string]any{"type": "hello", "cursor": map[string]any{"conversations": cursors}}); err != nil {
		_ = conn.Close() // the write's error is the one that counts
		return nil, fmt.Errorf("say hello: %w", err)
	}
	// The sockets count as opened only when the server has confirmed all subscriptions.
	missing := len(follow)
	for ready := false; !ready || missing > 0; {
		var f frame
		if err := conn.ReadJSON(&f); err != nil {
			_ = conn.Close() // the read's error is the one that counts
			return nil, fmt.Errorf("wait for the server to be ready: %w", err)
		}
		switch f.Type {
		case "session.ready":
			ready = true
		case "subscribed":
			missing--
			// From this position on no event may be missing.
			s.followers[f.Stream].seq = f.Seq
		case "denied":
			return nil, fmt.Errorf("the server denied conversation %s", f.Stream)
		default:
			s.take(&f, time.Now())
		}
	}
	return s, nil
}

// read takes frames until the socket closes.
func (s *socket) read() {
	for {
		_, b, err := s.conn.ReadMessage()
		if err != nil {
			s.tally.closed(err)
			return
		}
		// The time is taken before the frame is decoded, so the decoding does not count as latency.
		at := time.Now()
		var f frame
		if err := json.Unmarshal(b, &f); err != nil {
			s.tally.fault(fmt.Errorf("a frame is not JSON: %w", err))
			continue
		}
		s.take(&f, at)
	}
}

// take checks the order of a frame and counts it. Frames of other streams are ignored.
func (s *socket) take(f *frame, at time.Time) {
	c := s.followers[f.Stream]
	if c == nil {
		return
	}
	if f.Seq > 0 {
		// After a reset the server continues at another number.
		if f.Type != "reset" && f.Seq != c.seq+1 {
			s.tally.fault(fmt.Errorf("event %d of %s where %d belongs", f.Seq, f.Stream, c.seq+1))
		}
		c.seq = f.Seq
	}
	switch f.Type {
	case "message.created":
		var m struct{ ID, Role string }
		if err := json.Unmarshal(f.Data, &m); err != nil {
			s.tally.fault(fmt.Errorf("a message is not JSON: %w", err))
			return
		}
		c.roles[m.ID] = m.Role
	case "message.delta":
		s.delta(c, f, at)
	case "reset":
		s.tally.reset()
	case "conversation.streaming-complete":
		var d struct{ Status string }
		if err := json.Unmarshal(f.Data, &d); err != nil {
			s.tally.fault(fmt.Errorf("an end is not JSON: %w", err))
		}
		// The next answer has other messages, so nothing of this one is kept.
		clear(c.answers)
		clear(c.roles)
		s.ended(f.Stream, d.Status)
	}
}

// delta checks a piece of an answer and records its latency. Only the answer has stamps; other
// roles are ignored.
func (s *socket) delta(c *followed, f *frame, at time.Time) {
	a := c.answers[f.Message]
	if a == nil {
		a = &follower{}
		c.answers[f.Message] = a
	}
	if c.roles[f.Message] != "assistant" {
		return
	}
	tokens := 0
	err := a.apply(f.Message, f.Offset, f.Text, func(micros int64) {
		tokens++
		s.tally.latency(at.UnixMicro() - micros)
	})
	if err != nil {
		s.tally.fault(fmt.Errorf("conversation %s: %w", f.Stream, err))
		return
	}
	s.tally.delta(at, tokens, len(f.Text))
}
