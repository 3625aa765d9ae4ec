package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

func (s *socket) waitClosed(tb testing.TB, code int) {
	tb.Helper()
	require.Eventually(tb, func() bool { return s.code() != 0 }, patience, time.Millisecond)
	require.Equal(tb, code, s.code())
}

func TestConnection_Malformed(t *testing.T) { // C05
	t.Parallel()
	b := setup(t)
	neighbour, n := b.connect(b.owner, hello)
	neighbour.waitType(t, protocol.FrameSessionReady)
	for name, frames := range map[string][]string{
		"FirstIsNoHello": {`{"type":"ping"}`},
		"SecondHello":    {hello, hello},
		"UnknownType":    {hello, `{"type":"dance"}`},
		"Array":          {`[]`},
		"NotJSON":        {`hello`},
		"Empty":          {``},
		"NUL":            {"{\"type\":\"hello\x00\"}"},
		"BrokenUTF8":     {"{\"type\":\"hello\",\"x\":\"\xff\"}"},
		"Deep":           {`{"type":"hello","x":` + strings.Repeat("[", 11_000) + strings.Repeat("]", 11_000) + `}`},
		"WrongTyped":     {`{"type":"hello","cursor":7}`},
		"NoType":         {`{}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := b.connect(b.owner, "")
			for _, f := range frames {
				c.Receive([]byte(f))
			}
			s.waitClosed(t, 4400)
		})
	}
	t.Run("TooBig", func(t *testing.T) { // C06
		s, c := b.connect(b.owner, hello)
		c.Receive([]byte(`{"type":"ping","x":"` + strings.Repeat("x", 64<<10) + `"}`))
		s.waitClosed(t, 1009)
	})
	n.Receive([]byte(`{"type":"ping"}`))
	neighbour.waitType(t, protocol.FrameKeepAlive)
	require.Zero(t, neighbour.code())
}

func TestConnection_NoHello(t *testing.T) { // C07
	t.Parallel()
	b := setup(t, func(c *Config) { c.Limits.Hello = time.Second })
	s, _ := b.connect(b.owner, "")
	s.waitClosed(t, 4408)
}

// pinged is a socket with pings of its own protocol.
type pinged struct{ socket }

func (p *pinged) Ping() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pings++
	return nil
}

func TestConnection_NoPong(t *testing.T) { // C07, F17
	t.Parallel()
	b := setup(t, func(c *Config) { c.Limits.KeepAlive, c.Limits.Pong = time.Second, time.Second })
	s := &pinged{}
	c, err := b.system.Connect(context.Background(), ConnectRequest{Caller: b.owner, Sink: s})
	require.NoError(t, err)
	c.Receive([]byte(hello))
	s.waitType(t, protocol.FrameKeepAlive)
	s.waitClosed(t, 4408)
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Equal(t, 1, s.pings)
}

func TestConnection_Deadline(t *testing.T) { // G14
	t.Parallel()
	b := setup(t)
	s := &socket{}
	c, err := b.system.Connect(context.Background(), ConnectRequest{
		Caller: b.owner, Sink: s, Deadline: b.system.c.Clock.Now().Add(1200 * time.Millisecond),
	})
	require.NoError(t, err)
	c.Receive([]byte(hello))
	s.waitClosed(t, 4402)
}

func TestConnection_Denied(t *testing.T) { // C03
	t.Parallel()
	b := setup(t)
	s, c := b.connect(b.reader, hello)
	c.Receive(b.subscribeFrame(""))
	f := s.waitType(t, protocol.FrameDenied)
	require.Equal(t, b.id.String(), f.Stream)
	c.Receive([]byte(`{"type":"subscribe","conversation":"*"}`))
	s.waitFor(t, "wildcard", func(f protocol.Frame) bool { return f.Type == protocol.FrameDenied && f.Stream == "*" })
	mine, m := b.connect(b.owner, hello)
	for range 201 {
		m.Receive([]byte(`{"type":"subscribe","conversation":"` + uuid.NewString() + `"}`))
	}
	require.Eventually(t, func() bool {
		n := 0
		for _, f := range mine.all() {
			if f.Type == protocol.FrameDenied {
				n++
			}
		}
		return n == 201
	}, patience, time.Millisecond)
}

// If a right cannot be read, it is neither granted nor refused: the reader gets nothing until
// the store answers, and then everything that it may read.
func TestConnection_RightThatCannotBeRead(t *testing.T) { // G8, G15
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.system.SetGrants(context.Background(), b.owner, b.id, []domain.Grant{
		{Grantee: domain.Grantee{ID: 8, Type: domain.GranteeUser}, Permission: domain.PermissionRead},
	}))
	asked := 0
	b.store.SetErr(func(op string, _ uuid.UUID) error {
		if op != "access" {
			return nil
		}
		if asked++; asked > 2 {
			return nil
		}
		return domain.Errorf(domain.CodeUnavailable, "away")
	})
	s, c := b.connect(b.reader, hello)
	c.Receive(b.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	for _, f := range s.all() {
		require.NotEqual(t, protocol.FrameDenied, f.Type)
	}
}

// talked makes a conversation with a finished answer and one being written.
func talked(t *testing.T, b *bundle) (done, open *domain.Message) {
	t.Helper()
	first := b.send("grüße aus köln")
	b.turnStatus(first.TurnID, domain.TurnComplete)
	done = b.answer()
	gate := b.runner.gate()
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		if err := s.Delta(ctx, id, "schöne Zahlen"); err != nil {
			return err
		}
		if err := pass(ctx, gate); err != nil {
			return err
		}
		if err := s.Delta(ctx, id, " und mehr"); err != nil {
			return err
		}
		return s.Close(ctx, id)
	})
	b.send("weiter")
	require.Eventually(t, func() bool {
		open = b.answer()
		return open.ID != done.ID && b.store.Text(open.ID) == "schöne Zahlen"
	}, patience, time.Millisecond)
	return done, open
}

func (b *bundle) head() (head, generation int64) {
	b.store.Look(b.id, func(c *fakes.Conversation) { head, generation = c.NextSeq-1, c.Generation })
	return head, generation
}

func TestConnection_Cursor(t *testing.T) { // C04
	t.Parallel()
	b := setup(t)
	done, open := talked(t, b)
	head, _ := b.head()
	for name, at := range map[string]string{
		"Negative":           `{"seq":-4}`,
		"TwoTo63":            `{"seq":9223372036854775808}`,
		"Future":             fmt.Sprintf(`{"seq":%d}`, head+7),
		"OtherGeneration":    fmt.Sprintf(`{"seq":%d,"generation":3}`, head),
		"EndedMessage":       fmt.Sprintf(`{"seq":%d,"message":"%s","offset":3}`, head, done.ID),
		"StrangeMessage":     fmt.Sprintf(`{"seq":%d,"message":"%s","offset":3}`, head, domain.NewID()),
		"HugeOffset":         fmt.Sprintf(`{"seq":%d,"message":"%s","offset":900000}`, head, open.ID),
		"NegativeOffset":     fmt.Sprintf(`{"seq":%d,"message":"%s","offset":-1}`, head, open.ID),
		"InsideRune":         fmt.Sprintf(`{"seq":%d,"message":"%s","offset":4}`, head, open.ID),
		"OffsetWithoutAny":   fmt.Sprintf(`{"seq":%d,"offset":4}`, head),
		"MessageWithoutSeq":  fmt.Sprintf(`{"message":"%s","offset":2}`, open.ID),
		"FractionOfAnOffset": fmt.Sprintf(`{"seq":%d,"message":"%s","offset":1.5}`, head, open.ID),
	} {
		t.Run(name, func(t *testing.T) {
			s, c := b.connect(b.owner, hello)
			c.Receive(b.subscribeFrame(at))
			f := s.waitType(t, protocol.FrameReset)
			require.Equal(t, head, f.Seq)
			for _, f := range s.all() {
				require.NotEqual(t, protocol.FrameDelta, f.Type, "data of a message was sent with a reset")
			}
		})
	}
	t.Run("MiddleOfTheOpenMessage", func(t *testing.T) {
		s, c := b.connect(b.owner, hello)
		c.Receive(b.subscribeFrame(fmt.Sprintf(`{"seq":%d,"message":"%s","offset":3}`, head, open.ID)))
		s.waitType(t, protocol.FrameDelta)
		require.Equal(t, int64(3), s.deltas[0].Offset)
		require.Equal(t, "öne Zahlen", s.deltas[0].Text)
		s.waitFor(t, "subscribed", func(f protocol.Frame) bool { return f.Type == protocol.FrameSubscribed && f.Seq == head })
	})
	t.Run("FromNowOnBeginsWithTheTextSoFar", func(t *testing.T) {
		s, c := b.connect(b.owner, hello)
		c.Receive(b.subscribeFrame(""))
		s.waitFor(t, "subscribed", func(f protocol.Frame) bool { return f.Type == protocol.FrameSubscribed && f.Seq == head })
		s.waitType(t, protocol.FrameDelta)
		require.Equal(t, open.ID, s.deltas[0].Message)
		require.Zero(t, s.deltas[0].Offset)
		require.Equal(t, "schöne Zahlen", s.deltas[0].Text)
	})
	t.Run("FromTheFirstMessage", func(t *testing.T) {
		s, c := b.connect(b.owner, hello)
		c.Receive(b.subscribeFrame(`{"seq":1}`))
		require.Eventually(t, func() bool {
			text, ok := s.text(open.ID)
			return ok && text == "schöne Zahlen"
		}, patience, time.Millisecond)
		text, ok := s.text(done.ID)
		require.True(t, ok)
		require.Equal(t, done.Text, text)
		next := int64(2)
		for _, f := range s.all() {
			if f.Stream == b.id.String() && f.Seq > 0 && f.Type != protocol.FrameSubscribed {
				require.Equal(t, next, f.Seq)
				next++
			}
		}
		require.Equal(t, head, next-1)
	})
}

func TestConnection_FromTheStore(t *testing.T) { // G8, beyond the owner's memory
	t.Parallel()
	b := setup(t, func(c *Config) { c.Limits.ConversationIdle = 20 * time.Millisecond })
	first := b.send("grüße aus köln")
	b.turnStatus(first.TurnID, domain.TurnComplete)
	done := b.answer()
	head, _ := b.head()
	b.passivated()
	s, c := b.connect(b.owner, hello)
	c.Receive(b.subscribeFrame(`{"seq":1}`))
	s.waitFor(t, "the last event", func(f protocol.Frame) bool {
		return f.Stream == b.id.String() && f.Seq == head && f.Type == "conversation.streaming-complete"
	})
	text, ok := s.text(done.ID)
	require.True(t, ok)
	require.Equal(t, done.Text, text)
	// The reader is live from there on.
	second := b.send("mehr")
	b.turnStatus(second.TurnID, domain.TurnComplete)
	s.waitFor(t, "the next end", func(f protocol.Frame) bool {
		return f.Type == "conversation.streaming-complete" && f.Seq > head && f.Stream == b.id.String()
	})
	last := b.answer()
	require.Eventually(t, func() bool {
		text, ok := s.text(last.ID)
		return ok && text == last.Text
	}, patience, time.Millisecond)
}

// A client that has missed more than its socket accepts at once would be disconnected each
// time that it comes back. It is told to fetch the conversation instead.
func TestConnection_MuchMissing(t *testing.T) { // G8, G17
	t.Parallel()
	var resets atomic.Int64
	b := setup(t, func(c *Config) {
		c.Limits.ConversationIdle, c.Limits.Outbox = 20*time.Millisecond, 32<<10
		c.Meter.Reset = func() { resets.Add(1) }
	})
	gate := b.runner.gate()
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err == nil {
			err = s.Delta(ctx, id, strings.Repeat("a word ", 6000))
		}
		if err == nil {
			err = pass(ctx, gate)
		}
		if err != nil {
			return err
		}
		return s.Close(ctx, id)
	})
	sent := b.send("much")
	require.Eventually(t, func() bool { m := b.answer(); return m != nil && len(b.store.Text(m.ID)) == 42_000 }, patience, time.Millisecond)
	subscribed := func(at, want string) {
		t.Helper()
		head, _ := b.head()
		s, c := b.connect(b.owner, hello)
		c.Receive(b.subscribeFrame(at))
		s.waitFor(t, want, func(f protocol.Frame) bool { return f.Type == want && f.Seq == head })
		c.Receive([]byte(`{"type":"ping"}`))
		s.waitType(t, protocol.FrameKeepAlive)
		require.Zero(t, s.code())
		for _, f := range s.all() {
			require.NotEqual(t, protocol.FrameDelta, f.Type)
		}
		c.Close(domain.Disconnect{})
	}
	subscribed("", protocol.FrameSubscribed)
	subscribed(`{"seq":1}`, protocol.FrameReset)
	close(gate)
	b.turnStatus(sent.TurnID, domain.TurnComplete)
	subscribed(`{"seq":1}`, protocol.FrameReset)
	b.passivated()
	subscribed(`{"seq":1}`, protocol.FrameReset)
	require.EqualValues(t, 3, resets.Load())
}

// readingHeld opens a socket that reads the conversation from the store, and blocks this read
// until release is called.
func (b *bundle) readingHeld() (s *socket, release func()) {
	b.t.Helper()
	reading, gate := make(chan struct{}), make(chan struct{})
	var once sync.Once
	b.store.BeforeEvents = func() {
		once.Do(func() { close(reading) })
		<-gate
	}
	s, c := b.connect(b.owner, hello)
	c.Receive(b.subscribeFrame(`{"seq":1}`))
	<-reading
	return s, func() { close(gate) }
}

// What is published while the store is read waits and is shown after it, also if no later
// frame would show the gap.
func TestConnection_ReadsWhileTheOwnerSpeaks(t *testing.T) { // G8
	t.Parallel()
	b := setup(t, func(c *Config) { c.Limits.ConversationIdle = 20 * time.Millisecond })
	first := b.send("grüße aus köln")
	b.turnStatus(first.TurnID, domain.TurnComplete)
	b.passivated()
	s, release := b.readingHeld()
	second := b.send("mehr")
	b.turnStatus(second.TurnID, domain.TurnComplete)
	head, _ := b.head()
	release()
	s.waitFor(t, "the last event", func(f protocol.Frame) bool {
		return f.Stream == b.id.String() && f.Seq == head && f.Type == "conversation.streaming-complete"
	})
	text, ok := s.text(b.answer().ID)
	require.True(t, ok)
	require.Equal(t, b.answer().Text, text)
	next := int64(2)
	for _, f := range s.all() {
		if f.Stream == b.id.String() && f.Seq > 0 && f.Type != protocol.FrameSubscribed {
			require.Equal(t, next, f.Seq)
			next++
		}
	}
}

// Frames that wait for a read of the store have the same limit as frames that wait for the
// socket.
func TestConnection_ReadsForTooLong(t *testing.T) { // G17
	t.Parallel()
	b := setup(t, func(c *Config) { c.Limits.ConversationIdle, c.Limits.Outbox = 20*time.Millisecond, 10_000 })
	first := b.send("grüße aus köln")
	b.turnStatus(first.TurnID, domain.TurnComplete)
	b.passivated()
	s, release := b.readingHeld()
	t.Cleanup(release)
	b.send(strings.Repeat("viel ", 4_000))
	s.waitClosed(t, domain.DisconnectSlow.Code)
}

func TestConnection_ShownIsDurable(t *testing.T) { // G2
	t.Parallel()
	b := setup(t)
	s, c := b.connect(b.owner, hello)
	c.Receive(b.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	b.journal.Hold()
	answered := make(chan error, 1)
	go func() {
		_, err := b.system.Send(context.Background(), b.owner, b.prompt("why?"))
		answered <- err
	}()
	require.Eventually(t, func() bool { return b.journal.Waiting() == 1 }, patience, time.Millisecond)
	// The answer to a ping is queued behind everything that could have been shown.
	c.Receive([]byte(`{"type":"ping"}`))
	s.waitType(t, protocol.FrameKeepAlive)
	for _, f := range s.all() {
		require.NotEqual(t, "message.created", f.Type, "shown before it was committed")
	}
	select {
	case err := <-answered:
		t.Fatal("acknowledged before it was committed", err)
	default:
	}
	b.journal.Go()
	require.NoError(t, <-answered)
	s.waitType(t, "message.created")
}

func TestConnection_SlowReader(t *testing.T) { // C09, F36, G17
	t.Parallel()
	b := setup(t, func(c *Config) { c.Limits.Outbox = 64 << 10 })
	slow := &socket{block: make(chan struct{})}
	fast, fc := b.connect(b.owner, hello)
	fc.Receive(b.subscribeFrame(""))
	fast.waitType(t, protocol.FrameSubscribed)
	sc, err := b.system.Connect(context.Background(), ConnectRequest{Caller: b.owner, Sink: slow})
	require.NoError(t, err)
	sc.Receive([]byte(hello))
	sc.Receive(b.subscribeFrame(""))
	// The fast reader sets the pace, so that only the slow one falls behind.
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		for n := 1; n <= 20 && err == nil; n++ {
			if err = s.Delta(ctx, id, strings.Repeat("a word ", 1000)); err == nil {
				err = fast.waitText(ctx, id, 7000*n)
			}
		}
		if err != nil {
			return err
		}
		return s.Close(ctx, id)
	})
	sent := b.send("much")
	b.turnStatus(sent.TurnID, domain.TurnComplete)
	require.Eventually(t, func() bool { return slow.code() == 4408 }, patience, time.Millisecond)
	close(slow.block)
	answer := b.answer()
	require.Eventually(t, func() bool {
		text, ok := fast.text(answer.ID)
		return ok && text == answer.Text
	}, patience, time.Millisecond, "a slow reader delayed another one")
	require.Zero(t, fast.code())
}

func TestConnection_Merges(t *testing.T) { // F36: fewer and larger frames
	t.Parallel()
	b := setup(t)
	s := &socket{}
	c, err := b.system.Connect(context.Background(), ConnectRequest{Caller: b.owner, Sink: s})
	require.NoError(t, err)
	c.Receive([]byte(hello))
	c.Receive(b.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	other, oc := b.connect(b.owner, hello)
	oc.Receive(b.subscribeFrame(""))
	other.waitType(t, protocol.FrameSubscribed)
	gate := make(chan struct{})
	s.mu.Lock()
	s.block = gate
	s.mu.Unlock()
	b.runner.set(func(ctx context.Context, _ *analyst.Job, sink analyst.Sink) error {
		return say(ctx, sink, strings.Split(strings.Repeat("word,", 2000), ",")...)
	})
	sent := b.send("much")
	b.turnStatus(sent.TurnID, domain.TurnComplete)
	// Everything that another reader has received was sent to this one as well.
	other.waitFor(t, "the end", func(f protocol.Frame) bool {
		return f.Type == "conversation.streaming-complete" && f.Stream == b.id.String()
	})
	s.mu.Lock()
	s.block = nil
	s.mu.Unlock()
	close(gate)
	answer := b.answer()
	require.Eventually(t, func() bool {
		text, ok := s.text(answer.ID)
		return ok && text == answer.Text
	}, patience, time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Less(t, len(s.deltas), 100)
}

// cursored is a transport of server-sent events.
type cursored struct {
	socket
	cursors []string
}

func (c *cursored) WriteAt(frames [][]byte, cursor []byte) error {
	c.mu.Lock()
	c.cursors = append(c.cursors, string(cursor))
	c.mu.Unlock()
	return c.Write(frames)
}

func (c *cursored) last() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.cursors) == 0 {
		return ""
	}
	return c.cursors[len(c.cursors)-1]
}

func TestConnection_SSE(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, open := talked(t, b)
	head, _ := b.head()
	s := &cursored{}
	_, err := b.system.Connect(context.Background(), ConnectRequest{
		Caller: b.owner, Sink: s, SSE: true,
		Cursor: &protocol.ClientCursor{Conversations: map[uuid.UUID]protocol.ConversationCursor{b.id: {Seq: head, Message: open.ID, Offset: 8}}},
	})
	require.NoError(t, err)
	s.waitType(t, protocol.FrameSessionReady)
	s.waitType(t, protocol.FrameDelta)
	require.Eventually(t, func() bool {
		var c protocol.ClientCursor
		if json.Unmarshal([]byte(s.last()), &c) != nil {
			return false
		}
		at := c.Conversations[b.id]
		return c.User != nil && at.Seq == head && at.Message == open.ID && at.Offset == int64(len("schöne Zahlen"))
	}, patience, time.Millisecond, "the cursor follows the frames: %s", s.last())
}
