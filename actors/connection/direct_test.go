package connection

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// recorder is a socket that reports the frames it is given. The test controls how much of
// them it accepts.
type recorder struct {
	events chan string
	// part says that only a part of the next frame is accepted; finish ends the Write that writes
	// the rest.
	part   chan struct{}
	finish chan struct{}
}

func (r *recorder) TryWrite(frames [][]byte) (left [][]byte, err error) {
	// This is read before the events are sent, because the reader of the events may set it
	// for the next frame.
	select {
	case <-r.part:
		left = [][]byte{}
	default:
	}
	for _, f := range frames {
		r.events <- "try " + string(f)
	}
	return left, nil
}

func (r *recorder) Write(frames [][]byte) error {
	for _, f := range frames {
		r.events <- "write " + string(f)
	}
	r.events <- "rest"
	<-r.finish
	return nil
}

func (*recorder) Close(domain.Disconnect) {}

func (r *recorder) next(t *testing.T) string {
	t.Helper()
	select {
	case e := <-r.events:
		return e
	case <-time.After(20 * time.Second):
		require.Fail(t, "no frame arrives")
		return ""
	}
}

// spawn starts a connection's actor in a separate actor system. The functions of its node
// that shared does not set do nothing. change is called with the actor before its first
// message.
func spawn(t *testing.T, shared *Shared, change func(*Actor)) (*actor.ActorSystem, *actor.PID) {
	t.Helper()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	shared.Node, shared.Clock, shared.Logger = "here", clock.System{}, slog.New(slog.DiscardHandler)
	shared.Lives, shared.Left = func(*actor.PID) {}, func(*actor.PID) {}
	if shared.Reset == nil {
		shared.Reset = func() {}
	}
	if shared.Fanout == nil {
		shared.Fanout = func(any) {}
	}
	return system, system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		a := New(shared)
		if change != nil {
			change(a)
		}
		return a
	}))
}

// follow returns a connection that is live in one conversation, which has one open message.
func follow(t *testing.T) (r *recorder, publish func(offset int64, text string), send func(frame string), conversation uuid.UUID) {
	t.Helper()
	conversation, message := uuid.New(), uuid.New()
	r, system, pid := followAll(t, conversation, message)
	publish = func(offset int64, text string) {
		system.Root.Send(pid, piece(conversation, message, offset, text))
	}
	return r, publish, func(frame string) { system.Root.Send(pid, &Frame{Data: []byte(frame)}) }, conversation
}

// followAll returns a connection that is live in a conversation in which these messages are
// open.
func followAll(t *testing.T, conversation uuid.UUID, messages ...uuid.UUID) (*recorder, *actor.ActorSystem, *actor.PID) {
	t.Helper()
	r := &recorder{events: make(chan string, 100), part: make(chan struct{}, 1), finish: make(chan struct{})}
	at := place{epoch: 1}
	for _, message := range messages {
		at.open = append(at.open, opened{message: message})
	}
	system, pid := spawn(t, &Shared{Outbox: 1 << 20}, func(a *Actor) {
		a.phase, a.in = open, Open{Sink: r}
		a.subs.Set(conversation, &subscription{id: conversation, ticket: 1, stage: live, answered: true, place: at})
	})
	return r, system, pid
}

// piece returns a publication of one piece of text.
func piece(conversation, message uuid.UUID, offset int64, text string) *protocol.Publication {
	p := protocol.NewPublication(conversation, 1, 1)
	p.Entries = append(p.Entries, protocol.Entry{Kind: protocol.EntryDelta, Epoch: 1, Message: message, Offset: offset, Text: text})
	p.Finish(offset%8 == 0) // its frame may be encoded already or not
	return p
}

func TestActor_NothingAfterUnsubscribe(t *testing.T) {
	t.Parallel()
	r, publish, send, conversation := follow(t)
	publish(0, "one ")
	require.Contains(t, r.next(t), `"text":"one "`)
	send(`{"type":"unsubscribe","conversation":"` + conversation.String() + `"}`)
	publish(4, "two ")
	send(`{"type":"ping"}`)
	require.Contains(t, r.next(t), "keep-alive")
}

// Frames that arrive while the rest of a frame is being written wait for it, and are written
// together.
func TestActor_AFrameTakenInPart(t *testing.T) {
	t.Parallel()
	r, publish, _, _ := follow(t)
	r.part <- struct{}{}
	publish(0, "one ")
	require.Contains(t, r.next(t), `try {"type":"message.delta"`)
	require.Equal(t, "rest", r.next(t))
	publish(4, "two ")
	publish(8, "three ")
	r.finish <- struct{}{}
	both := ""
	for !strings.Contains(both, "three") {
		e := r.next(t)
		require.True(t, strings.HasPrefix(e, "try "), e)
		both += e
	}
	require.Less(t, strings.Index(both, "two"), strings.Index(both, "three"))
	require.NotContains(t, both, "one")
}

// The pieces of two messages wait at the same time and are not merged with each other.
func TestActor_QueuedPiecesStayThemselves(t *testing.T) {
	t.Parallel()
	conversation, first, second := uuid.New(), uuid.New(), uuid.New()
	r, system, pid := followAll(t, conversation, first, second)
	publish := func(message uuid.UUID, offset int64, text string) {
		system.Root.Send(pid, piece(conversation, message, offset, text))
	}
	for round := range int64(50) {
		r.part <- struct{}{}
		publish(first, 8*round, "one ")
		require.Contains(t, r.next(t), "one ")
		require.Equal(t, "rest", r.next(t))
		publish(second, 4*round, "two ")
		publish(first, 8*round+4, "six ")
		r.finish <- struct{}{}
		two, six := r.next(t), r.next(t)
		require.Contains(t, two, second.String())
		require.Contains(t, two, "two ")
		require.Contains(t, six, first.String())
		require.Contains(t, six, "six ")
	}
}
