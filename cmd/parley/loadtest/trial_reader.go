package loadtest

// The sockets of a trial. Each is opened again after every end, on the next node, with the cursor
// of what it holds, as the client in the browser does.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
)

// silence is how long a socket may receive nothing: the server sends a keep-alive every 25 s.
const silence = 40 * time.Second

// reader is one socket of a trial, with all the sockets that replace it.
type reader struct {
	guarded
	trial  *trial
	person *person
	id     uuid.UUID
	// turn selects the node on which the next socket is opened.
	turn  int
	conn  atomic.Pointer[websocket.Conn]
	ended func()
	// log is the reader's place in its person's own log; the reader's lock guards it.
	log heldLog
}

// cut breaks the reader's socket, and reports whether there was one.
func (r *reader) cut() bool {
	c := r.conn.Load()
	if c == nil {
		return false
	}
	return c.NetConn().Close() == nil
}

// follow keeps a socket open until ctx ends. Like every client, it fetches the
// conversation first: if the servers are busy, an answer may already be streaming before it is fetched.
func (r *reader) follow(ctx context.Context) {
	// A read that waits is ended by closing the socket under it.
	go func() {
		<-ctx.Done()
		r.cut()
	}()
	if _, err := r.place(ctx); err != nil {
		if ctx.Err() == nil {
			r.trial.tally.fault(fmt.Errorf("conversation %s: it cannot be read: %w", r.id, err))
		}
		return
	}
	for tries := 0; ctx.Err() == nil; tries++ {
		if tries > 0 {
			select {
			case <-ctx.Done():
				return
			// The pause grows while nothing works and starts again after a socket that has lived.
			case <-time.After(min(time.Duration(tries)*100*time.Millisecond, time.Second)):
			}
		}
		began := time.Now()
		// The reason why a socket ended is not a fault by itself; faults are found in the
		// frames. But after the bearer has ended, reconnecting cannot succeed.
		if err := r.open(ctx); bearerEnded(err) {
			r.trial.tally.fault(explained(err))
			return
		}
		// A socket that has lived a second shows that the node works.
		if time.Since(began) > time.Second {
			tries = 0
		}
		r.turn++
		if ctx.Err() == nil {
			r.trial.reconnects.Add(1)
		}
	}
}

// open opens a socket and reads it until it ends.
func (r *reader) open(ctx context.Context) error {
	base := r.trial.c.URLs[r.turn%len(r.trial.c.URLs)]
	conn, err := r.person.dial(ctx, base, 5*time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	// Another goroutine cuts the socket that is stored here.
	r.conn.Store(conn)
	defer r.conn.Store(nil)
	// The context may have ended before the socket was stored, and then nobody cuts it.
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.mu.Lock()
	cursor := map[string]any{"conversations": map[string]any{r.id.String(): r.cursor()}}
	if r.log.known {
		cursor["user"] = r.log.seq
	}
	r.mu.Unlock()
	hello := map[string]any{"type": "hello", "cursor": cursor}
	if err := conn.WriteJSON(hello); err != nil {
		return fmt.Errorf("say hello: %w", err)
	}
	for {
		// A server that is silent for longer than its keep-alives allow is taken for dead.
		if err := conn.SetReadDeadline(time.Now().Add(silence)); err != nil {
			return fmt.Errorf("wait for a frame: %w", err)
		}
		_, b, err := conn.ReadMessage()
		if err != nil {
			return fmt.Errorf("read a frame: %w", err)
		}
		var f frame
		if err := json.Unmarshal(b, &f); err != nil {
			r.trial.tally.fault(fmt.Errorf("a frame is not JSON: %w", err))
			continue
		}
		if f.Stream != r.id.String() {
			r.mu.Lock()
			wrong := r.log.take(&f)
			r.mu.Unlock()
			if wrong != nil {
				r.trial.tally.fault(fmt.Errorf("a person's log, beside conversation %s: %w", r.id, wrong))
			}
			continue
		}
		if err := r.one(ctx, &f); err != nil {
			return err
		}
	}
}

// one applies a frame. An error ends the socket; the next socket subscribes with the cursor.
func (r *reader) one(ctx context.Context, f *frame) error {
	r.mu.Lock()
	before := r.lengths()
	do, wrong := r.take(f)
	made := r.made(before)
	r.mu.Unlock()
	r.shown(made)
	if wrong != nil {
		r.trial.tally.fault(fmt.Errorf("conversation %s: %w", r.id, wrong))
	}
	switch do {
	case turnEnded:
		if r.ended != nil {
			// A prompt waits for its answer, which must not hold up the reading of frames.
			go r.ended()
		}
	case refetch:
		r.trial.tally.reset()
		return r.fetch(ctx)
	case resubscribe:
		// The next socket sends the cursor, which is the protocol's answer to a gap.
		return errors.New("ask again")
	case goOn:
	}
	return nil
}

// shown takes the time at which the oldest text was made that was just shown.
func (r *reader) shown(made time.Time) {
	if !made.IsZero() {
		raise(&r.trial.oldest, int64(time.Since(made)))
	}
}

// place reads the conversation and continues from its stored state.
func (r *reader) place(ctx context.Context) (*storedConversation, error) {
	var c storedConversation
	_, err := r.trial.retry(ctx, r.person, func(p *person) error { return p.conversation(ctx, r.id, &c) })
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	// What was stored before the reader has begun is as old as it may be.
	begun, before := r.known, r.lengths()
	wrong := r.begin(&c)
	made := time.Time{}
	if begun {
		made = r.made(before)
	}
	r.mu.Unlock()
	r.shown(made)
	if wrong != nil {
		r.trial.tally.fault(fmt.Errorf("conversation %s: %w", r.id, wrong))
	}
	return &c, nil
}

// fetch reads the conversation. Its error ends the socket, because the position has changed.
func (r *reader) fetch(ctx context.Context) error {
	c, err := r.place(ctx)
	if err != nil {
		return err
	}
	// Without this the conversation would wait for an end that came before the position.
	if !c.IsStreaming && r.ended != nil {
		// The fetched conversation includes the end of the answer.
		go r.ended()
	}
	return errors.New("go on from what was fetched")
}

// compare runs at the end of the trial, while the reader may still read.
func (r *reader) compare(c *storedConversation) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held.compare(c)
}
