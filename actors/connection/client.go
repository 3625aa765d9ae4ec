package connection

import (
	"encoding/json"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

const (
	typeHello       = "hello"
	typeSubscribe   = "subscribe"
	typeUnsubscribe = "unsubscribe"
	typePing        = "ping"
)

// frame handles a frame of the client.
func (a *Actor) frame(ctx actor.Context, data []byte) {
	if a.phase == closing {
		return
	}
	a.unanswered = false
	if len(data) > frameMax {
		a.close(ctx, domain.DisconnectTooBig)
		return
	}
	f, ok := parse(data)
	if !ok || (a.phase == waiting) != (f.Type == typeHello) {
		a.close(ctx, domain.DisconnectMalformed)
		return
	}
	// A ping gets no span: it does no work that a trace should show.
	if f.Type == typeHello || f.Type == typeSubscribe || f.Type == typeUnsubscribe {
		defer a.c.Tracer.Command(f.Type).End()
	}
	switch f.Type {
	case typeHello:
		a.hello(ctx, f)
	case typeSubscribe:
		a.subscribe(ctx, f.Conversation, f.At.place())
	case typeUnsubscribe:
		if id, err := uuid.Parse(f.Conversation); err == nil {
			if s := a.subs.Get(id); s != nil {
				a.forget(ctx, s)
				a.subs.Delete(id)
			}
		}
	case typePing:
		a.outbox.raw(keepAlive())
	default:
		a.close(ctx, domain.DisconnectMalformed)
	}
}

func (a *Actor) hello(ctx actor.Context, f *clientFrame) {
	a.phase = open
	var user *int64
	if f.Cursor != nil && f.Cursor.User != nil {
		seq := number(*f.Cursor.User)
		user = &seq
	}
	a.user.cursor, a.user.follows = user, true
	a.c.Follow(a.in.Caller.UserUUID, ctx.Self())
	a.join(ctx)
	if f.Cursor == nil {
		return
	}
	for id, at := range f.Cursor.Conversations {
		a.subscribe(ctx, id, at.place())
	}
}

func keepAlive() []byte { return []byte(`{"type":"` + protocol.FrameKeepAlive + `"}`) }

// deniedFrame refuses a name that may not be a valid id; the name is shortened and escaped.
func deniedFrame(stream string) []byte {
	if len(stream) > 64 {
		stream = stream[:64]
	}
	b := append([]byte(nil), `{"type":"`+protocol.FrameDenied+`","stream":`...)
	b = protocol.AppendString(b, stream)
	return append(b, '}')
}

// tick checks all time limits: hello, deadline, pong, keep-alive, owners that do not answer.
func (a *Actor) tick(ctx actor.Context) {
	if a.phase == closing {
		return
	}
	now := a.moment()
	switch {
	case a.phase == waiting && now-a.began >= int64(a.c.Hello),
		a.unanswered && reached(now-a.kept, a.c.Pong):
		a.close(ctx, domain.DisconnectSlow)
		return
	case !a.in.Deadline.IsZero() && now >= a.in.Deadline.UnixNano():
		a.close(ctx, domain.DisconnectBearerEnded)
		return
	}
	if a.phase == open && reached(now-a.kept, a.c.KeepAlive) {
		a.kept = now
		a.outbox.raw(keepAlive())
		if _, ok := a.in.Sink.(Pinger); ok && !a.in.SSE {
			a.ping, a.unanswered = true, true
		}
	}
	a.c.Arm(ctx.Self(), a.next())
}

// tickEarly is how much earlier than asked a Tick may arrive.
const tickEarly = time.Second

// reached reports whether a time has passed, or will have passed before the next tick could come: waiting for that one
// would make each limit up to a second longer, and a silent client would be given up after 37 s instead of 35.
func reached(passed int64, limit time.Duration) bool {
	return passed >= int64(limit-min(tickEarly, limit/10))
}

// next is the time until the next tick is needed.
func (a *Actor) next() time.Duration {
	now := a.moment()
	d := time.Duration(a.kept + int64(a.c.KeepAlive) - now)
	if a.phase == waiting {
		d = min(d, time.Duration(a.began+int64(a.c.Hello)-now))
	}
	if a.unanswered {
		d = min(d, time.Duration(a.kept+int64(a.c.Pong)-now))
	}
	if !a.in.Deadline.IsZero() {
		d = min(d, time.Duration(a.in.Deadline.UnixNano()-now))
	}
	return max(d, time.Second)
}

// overflow closes the socket when the mailbox has dropped a message: this reader was too
// slow for its frames. It is not a client that sends too much, which the transport stops earlier.
func (a *Actor) overflow(ctx actor.Context) { a.close(ctx, domain.DisconnectSlow) }

// cursor is the cursor that the client has when everything that is queued has arrived.
func (a *Actor) cursor() []byte {
	// Until the session has answered, the client has the place of its own cursor.
	c := protocol.ClientCursor{User: a.user.place()}
	for id, s := range a.subs.All() {
		if c.Conversations == nil {
			c.Conversations = map[uuid.UUID]protocol.ConversationCursor{}
		}
		at := s.at()
		if at == nil {
			at = &domain.Cursor{}
		}
		c.Conversations[id] = protocol.ConversationCursor{Seq: at.Seq, Generation: at.Generation, Message: at.Message, Offset: at.Offset}
	}
	b, err := json.Marshal(c)
	if err != nil {
		// Numbers and ids can always be encoded.
		panic(err)
	}
	return b
}
