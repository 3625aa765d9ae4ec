package actors

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

// patience limits every wait of these tests; no test waits until it has passed.
const patience = time.Minute

// AttachLocal replaces the cluster: owners are spawned here under the names that placement
// gives them.
func (s *System) AttachLocal(node string) {
	s.Attach(placementFunc(func(kind, identity string) *actor.PID { return s.spawn(kind, identity) }), node)
}

// spawn activates an identity on this node.
func (s *System) spawn(kind, identity string) *actor.PID {
	name := kind + "/" + identity
	if _, err := s.root().SpawnNamed(s.Kinds()[kind], name); err != nil && !errors.Is(err, actor.ErrNameExists) {
		return nil
	}
	return actor.NewPID(s.c.ActorSystem.Address(), name)
}

// placementFunc is an implementation of Placement that has no cache, and in which the owner's node is never
// silent. No other node can be reached.
type placementFunc func(kind, identity string) *actor.PID

func (f placementFunc) Locate(kind, identity string) (*actor.PID, bool) {
	return f(kind, identity), false
}

func (placementFunc) Lost() <-chan struct{}        { return nil }
func (placementFunc) Silent() []string             { return []string{"node-1", "node-2", "node-3"} }
func (placementFunc) Answers(string) (int64, bool) { return 0, true }

func (f placementFunc) Find(kind, identity string) (*actor.PID, bool) {
	return f(kind, identity), false
}
func (placementFunc) Forget(string, string)    {}
func (placementFunc) Take(string, string) bool { return false }

type bundle struct {
	t       testing.TB
	system  *System
	store   *fakes.Store
	journal *fakes.Journal
	runner  *scripted
	owner   domain.Caller
	reader  domain.Caller
	id      uuid.UUID
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func setup(tb testing.TB, change ...func(*Config)) *bundle {
	tb.Helper()
	b := &bundle{
		t: tb, store: fakes.NewStore(), runner: &scripted{}, id: domain.NewID(),
		owner:  domain.Caller{UserID: 7, UserUUID: uuid.New(), OrganisationID: 1, FullName: "Ada"},
		reader: domain.Caller{UserID: 8, UserUUID: uuid.New(), OrganisationID: 1, FullName: "Bob"},
	}
	b.journal = fakes.NewJournal(b.store)
	b.store.AddUser(7, b.owner.UserUUID)
	b.store.AddUser(8, b.reader.UserUUID)
	b.store.AddConversation(b.id, 1, 7)
	b.store.SetAlive("node-1", true)
	c := Config{
		ActorSystem: fakes.NewActorSystem(), Journal: b.journal, Conversations: b.store, Sessions: b.store, Analysts: b.store, Runner: b.runner,
		Logger: quiet(), Limits: Limits{Request: patience, Hello: patience},
	}
	for _, f := range change {
		f(&c)
	}
	b.system = New(c)
	b.system.AttachLocal("node-1")
	require.NoError(tb, b.system.Start(context.Background()))
	tb.Cleanup(func() {
		b.runner.release()
		b.journal.Go()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = b.system.Shutdown(ctx)
		c.ActorSystem.Shutdown()
		require.Empty(tb, b.store.Violations())
	})
	return b
}

func (b *bundle) prompt(text string) domain.Prompt {
	return domain.Prompt{Conversation: b.id, Message: domain.NewID(), Text: text}
}

func (b *bundle) send(text string) *domain.SendResult {
	b.t.Helper()
	return b.taken(b.prompt(text))
}

// taken sends a prompt until it is taken: the store shows the end of a turn before the owner
// has received the journal's answer.
func (b *bundle) taken(p domain.Prompt) (r *domain.SendResult) {
	b.t.Helper()
	var err error
	require.Eventually(b.t, func() bool {
		r, err = b.system.Send(context.Background(), b.owner, p)
		return domain.CodeOf(err) != domain.CodeConflict
	}, patience, time.Millisecond, "the last turn does not end")
	require.NoError(b.t, err)
	return r
}

// turnStatus waits until the turn has this status in the store.
func (b *bundle) turnStatus(turn uuid.UUID, want domain.TurnStatus) domain.Turn {
	b.t.Helper()
	var got domain.Turn
	require.Eventually(b.t, func() bool {
		b.store.Look(b.id, func(c *fakes.Conversation) {
			for _, x := range c.Turns {
				if x.ID == turn {
					got = *x
				}
			}
		})
		return got.Status == want
	}, patience, time.Millisecond, "the turn is %s (%s), want %s", got.Status, got.Reason, want)
	return got
}

func (b *bundle) answer() *domain.Message {
	messages, err := b.store.Messages(context.Background(), b.id, 0)
	require.NoError(b.t, err)
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == domain.RoleAssistant {
			return &messages[i]
		}
	}
	return nil
}

// scripted is a Runner whose runs are defined by a test. Without a script it answers with the
// prompt's text.
type scripted struct {
	mu     sync.Mutex
	script func(ctx context.Context, j *analyst.Job, s analyst.Sink) error
	jobs   []*analyst.Job
	gates  []chan struct{}
}

func (r *scripted) Run(ctx context.Context, j *analyst.Job, s analyst.Sink) error {
	r.mu.Lock()
	script := r.script
	r.jobs = append(r.jobs, j)
	r.mu.Unlock()
	if script == nil {
		script = echo
	}
	return script(ctx, j, s)
}

func (r *scripted) set(f func(context.Context, *analyst.Job, analyst.Sink) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.script = f
}

func (r *scripted) ran() []*analyst.Job {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*analyst.Job(nil), r.jobs...)
}

// gate is a point at which scripts wait until the test opens it.
func (r *scripted) gate() chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := make(chan struct{})
	r.gates = append(r.gates, g)
	return g
}

func (r *scripted) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range r.gates {
		select {
		case <-g:
		default:
			close(g)
		}
	}
}

func pass(ctx context.Context, gate <-chan struct{}) error {
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// half writes a part of an answer and waits.
func half(gate <-chan struct{}) func(context.Context, *analyst.Job, analyst.Sink) error {
	return func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		if err := s.Delta(ctx, id, "half"); err != nil {
			return err
		}
		return pass(ctx, gate)
	}
}

func echo(ctx context.Context, j *analyst.Job, s analyst.Sink) error {
	return say(ctx, s, strings.Fields(j.Prompt.Text)...)
}

// say opens an answer, appends the words, and closes it.
func say(ctx context.Context, s analyst.Sink, words ...string) error {
	id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
	if err != nil {
		return err
	}
	for _, w := range words {
		if err := s.Delta(ctx, id, w+" "); err != nil {
			return err
		}
	}
	return s.Close(ctx, id)
}

// socket is a Sink that keeps everything that is written to it.
type socket struct {
	mu     sync.Mutex
	frames []protocol.Frame
	deltas []protocol.Delta
	raw    [][]byte
	closed *domain.Disconnect
	block  chan struct{} // when not nil, Write waits for it
	pings  int
}

func (s *socket) Write(frames [][]byte) error {
	s.mu.Lock()
	block := s.block
	s.mu.Unlock()
	if block != nil {
		<-block
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, raw := range frames {
		s.raw = append(s.raw, raw)
		var f protocol.Frame
		if err := json.Unmarshal(raw, &f); err != nil {
			return err
		}
		if f.Type == protocol.FrameDelta {
			var d protocol.Delta
			if err := json.Unmarshal(raw, &d); err != nil {
				return err
			}
			s.deltas = append(s.deltas, d)
		}
		s.frames = append(s.frames, f)
	}
	return nil
}

func (s *socket) Close(d domain.Disconnect) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = &d
}

// waitText waits until length bytes of a message have arrived.
func (s *socket) waitText(ctx context.Context, message uuid.UUID, length int) error {
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		if text, ok := s.text(message); !ok || len(text) >= length {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *socket) all() []protocol.Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]protocol.Frame(nil), s.frames...)
}

func (s *socket) code() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed == nil {
		return 0
	}
	return s.closed.Code
}

// text assembles a message as a client does; ok is false at a gap.
func (s *socket) text(message uuid.UUID) (text string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.deltas {
		if d.Message != message {
			continue
		}
		if d.Offset > int64(len(text)) {
			return text, false
		}
		if end := d.Offset + int64(len(d.Text)); end > int64(len(text)) {
			text = text[:d.Offset] + d.Text
		}
	}
	return text, true
}

func (s *socket) waitFor(tb testing.TB, what string, f func(protocol.Frame) bool) protocol.Frame {
	tb.Helper()
	var got protocol.Frame
	require.Eventually(tb, func() bool {
		for _, x := range s.all() {
			if f(x) {
				got = x
				return true
			}
		}
		return false
	}, patience, time.Millisecond, "no frame: %s", what)
	return got
}

func (s *socket) waitType(tb testing.TB, frameType string) protocol.Frame {
	tb.Helper()
	return s.waitFor(tb, frameType, func(f protocol.Frame) bool { return f.Type == frameType })
}

func (b *bundle) connect(caller domain.Caller, hello string) (*socket, *Connection) {
	b.t.Helper()
	s := &socket{}
	c, err := b.system.Connect(context.Background(), ConnectRequest{Caller: caller, Sink: s})
	require.NoError(b.t, err)
	if hello != "" {
		c.Receive([]byte(hello))
	}
	return s, c
}

const hello = `{"type":"hello"}`

func (b *bundle) subscribeFrame(at string) []byte {
	if at != "" {
		at = `,"at":` + at
	}
	return []byte(`{"type":"subscribe","conversation":"` + b.id.String() + `"` + at + `}`)
}
