package connection

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/async"
)

// userLog is the client's place in the person's own log.
type userLog struct {
	session *actor.PID
	// cursor is the client's cursor; nil asks for everything from now on.
	cursor *int64
	seq    int64
	begun  bool
	asking bool
	round  uint32
	tries  int
	// follows says that the node tells this connection how far the stored log goes.
	follows bool
	// sought is the time since which no session has answered; it is zero while one answers.
	sought time.Time
	// reading says that the log is read without a session.
	reading bool
}

// join asks the person's session for the log, from this connection's place on.
func (a *Actor) join(ctx actor.Context) {
	if a.phase != open {
		return
	}
	a.user.asking = true
	a.user.round++
	if a.user.sought.IsZero() {
		a.user.sought = a.c.Clock.Now()
	}
	round := a.user.round
	var pid *actor.PID
	async.Run(context.Background(), ctx, answerTimeout, func(c context.Context) error {
		pid = a.c.Locate(c, kindSession, a.in.Caller.UserUUID.String())
		return nil
	}, func(error) {
		switch {
		case a.phase != open:
		case pid == nil:
			a.rejoin(ctx)
		default:
			if a.user.session != nil && !a.user.session.Equal(pid) {
				a.quit(ctx)
			}
			a.user.session = pid
			ctx.Request(pid, &protocol.Join{Target: a.target(ctx), Cursor: a.user.place()})
			a.watch(ctx, pid)
			a.later(ctx, answerTimeout, func() {
				if a.user.asking && a.user.round == round {
					a.join(ctx)
				}
			})
		}
	})
}

// watch watches for the end of a session or an owner on another node. On this node they
// announce their end themselves, which saves the memory of a watcher for each of them.
func (a *Actor) watch(ctx actor.Context, pid *actor.PID) {
	if pid.Address != ctx.Self().Address {
		ctx.Watch(pid)
	}
}

func (a *Actor) unwatch(ctx actor.Context, pid *actor.PID) {
	if pid.Address != ctx.Self().Address {
		ctx.Unwatch(pid)
	}
}

func (u *userLog) place() *int64 {
	if u.begun {
		seq := u.seq
		return &seq
	}
	return u.cursor
}

// quit leaves the session, which would otherwise keep the connection as a member for ever.
func (a *Actor) quit(ctx actor.Context) {
	if a.user.session != nil {
		a.unwatch(ctx, a.user.session)
		ctx.Send(a.user.session, &protocol.Leave{Target: a.target(ctx)})
		a.user.session = nil
	}
}

// rejoin calls join after a pause.
func (a *Actor) rejoin(ctx actor.Context) {
	a.quit(ctx)
	a.user.tries++
	a.alone(ctx)
	a.later(ctx, backoff(a.user.tries), func() { a.join(ctx) })
}

func backoff(tries int) time.Duration {
	return min(25*time.Millisecond<<min(tries, 8), 2*time.Second)
}

// joined begins the log where the session says.
func (a *Actor) joined(_ actor.Context, msg *protocol.Joined) {
	if a.phase != open {
		return
	}
	a.user.asking, a.user.tries, a.user.sought = false, 0, time.Time{}
	a.beginLog(msg.Seq, msg.Resync)
}

// beginLog continues the log after a seq; resync says that the client must fetch its lists.
// Without resync the log never moves back: the client may have received later events
// before the answer to an earlier Join arrives.
func (a *Actor) beginLog(seq int64, resync bool) {
	if !a.user.begun {
		a.outbox.raw(protocol.EncodePosition(protocol.FrameSessionReady, uuid.Nil, seq, 0, 0))
	}
	if resync {
		a.outbox.raw(protocol.EncodePosition(protocol.FrameResync, uuid.Nil, seq, 0, 0))
	}
	if !resync {
		seq = max(seq, a.user.seq)
	}
	a.user.begun, a.user.seq = true, seq
}

// userFrames queues the events that follow; at a gap it joins again.
func (a *Actor) userFrames(ctx actor.Context, msg *protocol.UserFrames) {
	if a.phase != open || !a.user.begun {
		return
	}
	for _, f := range msg.Frames {
		switch {
		case f.Seq <= a.user.seq:
		case f.Seq == a.user.seq+1:
			a.user.seq = f.Seq
			a.outbox.raw(f.Json)
		default:
			a.join(ctx)
			return
		}
	}
	a.full(ctx)
}
