package connection

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/few"
	"parley.dev/parley/internal/mailbox"
	"parley.dev/parley/internal/telemetry"
)

// Sink is one open socket as a transport implements it. Its methods are called from one
// goroutine at a time and may block; no actor waits for them.
type Sink interface {
	// Write sends each entry as one text frame. The bytes are shared with other sockets or
	// are reused after the call: they must not be changed or kept.
	Write(frames [][]byte) error
	// Close ends the socket with the code. It is called once, and last. If a Write has been
	// blocked for a second it is called while that Write runs, which must then return.
	Close(d domain.Disconnect)
}

// Pinger is a Sink with pings of its own protocol. The answer arrives through
// Connection.Pong; the time limit for pongs applies only to a Pinger.
type Pinger interface{ Ping() error }

// TrySink is a Sink that writes as much as it can without blocking. It returns what is left
// for Write: nil means that everything was written, and an empty list that the sink has
// kept a part of a frame, which a Write without frames sends.
type TrySink interface {
	TryWrite(frames [][]byte) (left [][]byte, err error)
}

// ArrivalSink is a Sink that is notified once when the hello is answered: the person's log has begun, and
// for each conversation of the hello the client knows where its stream begins. It does not block.
type ArrivalSink interface{ Arrived() }

// CursorSink is a Sink of server-sent events: the last frame is sent with the cursor (the
// JSON of a hello's cursor) that a client has after it.
type CursorSink interface {
	WriteAt(frames [][]byte, cursor []byte) error
}

// Shared is what all connections of a node have in common. All fields are required.
type Shared struct {
	Node  string
	Store domain.ConversationStore
	Clock clock.Clock
	// Logger gets the errors.
	Logger *slog.Logger
	// Tracer makes the traces of what clients send; nil means none.
	Tracer *telemetry.Tracer
	// Locate finds the actor of an identity. It may block. If it returns nil, the caller must
	// try again.
	Locate func(ctx context.Context, kind, identity string) *actor.PID
	// Answers returns how often the node at an address has not answered so far, and whether it
	// answers now. It does not block.
	Answers func(address string) (lapses int64, now bool)
	// Arm asks the timer wheel to send a Tick after a while.
	Arm func(*actor.PID, time.Duration)
	// Fanout sends the node's fan-out a message: Dropped or Behind.
	Fanout func(message any)
	// Attendance tells the node that a conversation was opened here, or closed.
	Attendance func(*node.Attends)
	// Lives and Left add a socket to the node's list, and remove it.
	Lives, Left func(*actor.PID)
	// Sessions stores the log of each person. After Follow, until Unfollow, the node tells a
	// connection how far the stored log of its person goes.
	Sessions               domain.SessionStore
	Follow, Unfollow       func(user uuid.UUID, pid *actor.PID)
	Hello, KeepAlive, Pong time.Duration
	// Reset counts the clients that must fetch a conversation again, and Resubscribed the subscriptions that went on at
	// another owner, or again at the same one.
	Reset, Resubscribed func()
	// Outbox is the maximum number of bytes that wait for one socket.
	Outbox int

	// frames are buffers for frames that are written at once.
	frames async.Scratch
}

// MustValidate panics if a required field is not set.
func (c *Shared) MustValidate() {
	if c.Node == "" || c.Store == nil || c.Clock == nil || c.Logger == nil || c.Locate == nil || c.Answers == nil || c.Arm == nil ||
		c.Fanout == nil || c.Attendance == nil || c.Lives == nil || c.Left == nil || c.Sessions == nil || c.Follow == nil || c.Unfollow == nil ||
		c.Reset == nil || c.Resubscribed == nil ||
		c.Hello <= 0 || c.KeepAlive <= 0 || c.Pong <= 0 || c.Outbox <= 0 {
		panic("connection: every field of Shared is required")
	}
}

// Open is the first message of a connection: its person and its socket. All sockets of the
// node share one props, so everything that differs is passed in a message.
type Open struct {
	Sink   Sink
	Caller domain.Caller
	// Deadline is when the bearer expires; zero is never.
	Deadline time.Time
	// SSE says that the client cannot send; Cursor replaces its hello.
	SSE    bool
	Cursor *protocol.ClientCursor
}

const (
	kindConversation = "conversation"
	kindSession      = "session"

	// subscriptionsMax is the maximum number of conversations of one socket.
	subscriptionsMax = domain.FollowedMax
	// answerTimeout is how long an owner may take to answer before it is asked again.
	answerTimeout = 5 * time.Second
	// reachCheck is how often a reader that waits for an owner on another node looks whether that
	// node answers.
	reachCheck = time.Second
	// parting is how long a write in progress may delay a close.
	parting = time.Second
)

type phase uint8

const (
	waiting phase = iota // for hello
	open
	closing
)

// Actor is one socket. The fields that each piece of text needs come first, so that they
// share cache lines: with thousands of sockets none of them is in the processor's cache.
type Actor struct {
	// owned; nothing is reloaded, since a new socket starts from the client's cursor

	// latest is the entry of subs that got the last frames; single is the list for a frame
	// that is written at once.
	latest  *subscription
	phase   phase
	arrived bool // the hello is answered
	writing bool
	ping    bool // a ping is due with the next write
	single  [1][]byte

	// set at spawn, and by Open
	c  *Shared
	in Open

	outbox  outbox
	subs    few.Map[uuid.UUID, *subscription]
	why     domain.Disconnect
	tickets uint64
	user    userLog

	// times of the keep-alive, in unix nanoseconds
	began      int64
	kept       int64 // the last keep-alive
	unanswered bool
}

// Messages of the transport and the node.
type (
	// Frame is a text frame of the client.
	Frame struct{ Data []byte }
	// Pong is the answer to a ping.
	Pong struct{}
	// Close ends the socket.
	Close struct{ Why domain.Disconnect }
)

// Essential lets a pong into a full mailbox; there is at most one for each ping.
func (*Pong) Essential() {}

// Essential lets the end into a full mailbox.
func (*Close) Essential() {}

// Essential lets Open into a full mailbox: there is one.
func (*Open) Essential() {}

// IgnoreDeadLetterLogging says that a transport may send to a closed connection.
func (*Frame) IgnoreDeadLetterLogging() {}

// IgnoreDeadLetterLogging says that a transport may send to a closed connection.
func (*Pong) IgnoreDeadLetterLogging() {}

// IgnoreDeadLetterLogging says that a transport may send to a closed connection.
func (*Close) IgnoreDeadLetterLogging() {}

// ownerGone arrives after everything that an owner or a session has sent.
type ownerGone struct{ pid *actor.PID }

func (*ownerGone) Essential()               {}
func (*ownerGone) IgnoreDeadLetterLogging() {}

// gone handles the end of an owner or a session on another node; only these are watched.
// Terminations overtake other messages: the last frames still wait in the mailbox of the
// fan-out. So ownerGone is sent after them, by the same route.
func (a *Actor) gone(ctx actor.Context, who *actor.PID) {
	a.c.Fanout(&node.Behind{To: ctx.Self(), Message: &ownerGone{pid: who}})
}

// New makes the actor; it begins with Open.
func New(c *Shared) *Actor { return &Actor{c: c} }

// Receive implements actor.Actor.
func (a *Actor) Receive(ctx actor.Context) {
	defer a.guard(ctx)
	switch msg := ctx.Message().(type) {
	case *protocol.Publication:
		a.publication(ctx, msg)
	case *async.Reentry:
		msg.Resume()
	case *Frame:
		a.frame(ctx, msg.Data)
	case *protocol.Tick:
		a.tick(ctx)
	case *Pong:
		a.unanswered = false
	case *protocol.UserFrames:
		a.userFrames(ctx, msg)
	case *protocol.UserHead:
		a.userHead(ctx, msg)
	case *protocol.Joined:
		a.joined(ctx, msg)
	case *protocol.Leave:
		a.terminated(ctx, a.user.session)
	case *protocol.Subscription:
		a.answered(ctx, msg)
	case *protocol.Position:
		a.position(ctx, msg)
	case *protocol.Present:
		a.present(ctx, msg)
	case *protocol.Silent:
		a.silent(ctx, msg)
	case *actor.Terminated:
		a.gone(ctx, msg.Who)
	case *ownerGone:
		a.terminated(ctx, msg.pid)
	case *actor.DeadLetterResponse:
		a.terminated(ctx, msg.Target)
	case *protocol.Busy:
		a.busy(ctx)
	case *mailbox.Overflow:
		a.overflow(ctx)
	case *Close:
		a.close(ctx, msg.Why)
	case *Open:
		a.begin(ctx, msg)
	case *actor.Started:
	case *actor.Stopping:
		a.leave(ctx)
	case *actor.Stopped, *actor.Restarting:
	default:
		a.c.Logger.LogAttrs(context.Background(), slog.LevelWarn, "a connection got a message it does not know",
			slog.String("type", actor.MessageName(msg)))
	}
	a.flush(ctx)
	a.arrive()
}

// arrive notifies the transport when the hello is answered.
func (a *Actor) arrive() {
	if a.arrived || a.phase != open || !a.user.begun {
		return
	}
	for _, s := range a.subs.All() {
		if s.stage == asking {
			return
		}
	}
	a.arrived = true
	if sink, ok := a.in.Sink.(ArrivalSink); ok {
		sink.Arrived()
	}
}

// guard closes a socket whose handler panicked; the client comes back with its cursor.
func (a *Actor) guard(ctx actor.Context) {
	if r := recover(); r != nil {
		a.c.Logger.LogAttrs(context.Background(), slog.LevelError, "a connection's handler panicked", slog.Any("panic", r))
		a.close(ctx, domain.DisconnectInternal)
	}
}

func (a *Actor) moment() int64 { return a.c.Clock.Now().UnixNano() }

func (a *Actor) begin(ctx actor.Context, in *Open) {
	a.in = *in
	a.c.Lives(ctx.Self())
	a.began = a.moment()
	a.kept = a.began
	if a.in.SSE {
		a.hello(ctx, fromProtocol(a.in.Cursor))
	}
	a.c.Arm(ctx.Self(), a.next())
}

// flush writes everything that is queued, if no write is in progress.
func (a *Actor) flush(ctx actor.Context) {
	if a.writing || a.in.Sink == nil || a.phase == closing || a.outbox.empty() && !a.ping {
		return
	}
	frames := a.outbox.drain()
	frames, rest := a.try(ctx, frames)
	if len(frames) == 0 && !rest && !a.ping {
		return
	}
	a.write(ctx, frames, rest)
}

// write sends frames in a goroutine, after the rest of a frame that was written in part.
func (a *Actor) write(ctx actor.Context, frames [][]byte, rest bool) {
	var cursor []byte
	// If the socket is closed while the write is blocked, the actor's field is cleared
	// meanwhile.
	sink := a.in.Sink
	at, withCursor := sink.(CursorSink)
	if withCursor {
		cursor = a.cursor()
	}
	ping := a.ping
	a.writing, a.ping = true, false
	async.Run(context.Background(), ctx, 0, func(context.Context) (err error) {
		switch {
		case len(frames) == 0 && !rest:
		case withCursor:
			err = at.WriteAt(frames, cursor)
		default:
			err = sink.Write(frames)
		}
		if p, ok := sink.(Pinger); ok && ping && err == nil {
			err = p.Ping()
		}
		return err
	}, func(err error) {
		a.writing = false
		a.outbox.landed()
		switch {
		case a.phase == closing:
			a.part(ctx)
		case err != nil:
			a.close(ctx, domain.DisconnectSlow)
		default:
			a.flush(ctx)
		}
	})
}

// trySink returns the socket if a write without blocking should be tried. With several
// conversations it returns false: frames that arrive during a write are then written
// together.
func (a *Actor) trySink() (TrySink, bool) {
	sink, ok := a.in.Sink.(TrySink)
	return sink, ok && !a.ping && a.subs.Len() <= 1
}

// try writes as much as it can without blocking, without a goroutine and a message. rest says
// that a part of a frame must still be written.
func (a *Actor) try(ctx actor.Context, frames [][]byte) (left [][]byte, rest bool) {
	sink, ok := a.trySink()
	if !ok {
		return frames, false
	}
	left, err := sink.TryWrite(frames)
	switch {
	case err != nil:
		a.outbox.landed()
		a.close(ctx, domain.DisconnectSlow)
		return nil, false
	case left == nil:
		a.outbox.landed()
	}
	return left, left != nil && len(left) == 0
}

// direct writes an entry at once, if nothing is queued before it and the socket accepts it:
// the fast path of nearly every piece of text. A frame that is not encoded yet is encoded
// into a shared buffer. If direct returns false, it has done nothing.
func (a *Actor) direct(ctx actor.Context, s *subscription, e *protocol.Entry) (done bool) {
	if _, ok := a.trySink(); !ok || a.writing || !a.outbox.empty() {
		return false
	}
	if e.JSON != nil {
		return a.now(ctx, e.JSON)
	}
	a.c.frames.Lend(func(room []byte) []byte {
		frame := protocol.AppendDelta(room, s.id, e.Epoch, e.Generation, e.Message, e.Offset, e.Text)
		done = a.now(ctx, frame)
		return frame
	})
	return done
}

// now tries to write one frame, which is not kept.
func (a *Actor) now(ctx actor.Context, frame []byte) bool {
	a.single[0] = frame
	left, rest := a.try(ctx, a.single[:])
	a.single[0] = nil
	if rest {
		a.outbox.flying = len(frame)
		a.write(ctx, nil, true)
	}
	return len(left) == 0
}

// full closes a reader that is too slow even for merged frames.
func (a *Actor) full(ctx actor.Context) {
	if a.outbox.size() > a.c.Outbox {
		a.close(ctx, domain.DisconnectSlow)
	}
}

// close begins the end of the socket: nothing more is queued or received.
func (a *Actor) close(ctx actor.Context, why domain.Disconnect) {
	if a.phase == closing {
		return
	}
	a.phase, a.why = closing, why
	a.outbox = outbox{}
	if !a.writing {
		a.part(ctx)
		return
	}
	// A blocked write is why readers are slow; the close ends it.
	root, self := ctx.ActorSystem().Root, ctx.Self()
	a.c.Clock.AfterFunc(parting, func() { root.Send(self, async.Again(func() { a.part(ctx) })) })
}

// part closes the socket in a goroutine and ends the actor.
func (a *Actor) part(ctx actor.Context) {
	sink, why := a.in.Sink, a.why
	if sink == nil {
		return
	}
	a.in.Sink = nil
	async.Run(context.Background(), ctx, 0, func(context.Context) error {
		sink.Close(why)
		return nil
	}, func(error) {})
	ctx.Stop(ctx.Self())
}

// leave removes the connection from all actors that send to it.
func (a *Actor) leave(ctx actor.Context) {
	for _, s := range a.subs.All() {
		a.forget(ctx, s)
	}
	a.subs, a.latest = few.Map[uuid.UUID, *subscription]{}, nil
	a.quit(ctx)
	if a.user.follows {
		a.c.Unfollow(a.in.Caller.UserUUID, ctx.Self())
	}
	if a.in.Sink != nil {
		// The node stopped this actor without a Close. The client must still get the reason.
		a.phase, a.why = closing, domain.DisconnectDraining
		a.part(ctx)
	}
	a.c.Left(ctx.Self())
}

func (a *Actor) target(ctx actor.Context) *protocol.Target {
	return protocol.NewTarget(a.c.Node, ctx.Self().Address, ctx.Self().Id)
}

func (a *Actor) later(ctx actor.Context, d time.Duration, do func()) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	a.c.Clock.AfterFunc(d, func() { root.Send(self, async.Again(do)) })
}

func intString(v int64) string { return strconv.FormatInt(v, 10) }
