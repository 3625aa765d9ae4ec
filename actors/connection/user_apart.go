package connection

import (
	"context"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
)

const (
	// onItsWay is how long a stored event may take through the session before it counts as
	// lost.
	onItsWay = time.Second
	// userPage is the number of events of one read of the log.
	userPage = 500
)

// A person's session may live on a node that this one cannot reach, or its messages may get
// lost. The log is in the store in any case, and every two seconds the node tells how far it
// goes if that has changed (UserHead).

// userHead handles how far the stored log goes. If the session lives on this node, nothing is
// done here: the session gets the same message and sends the events.
func (a *Actor) userHead(ctx actor.Context, msg *protocol.UserHead) {
	here := a.user.session != nil && a.user.session.Address == ctx.Self().Address
	if a.phase != open || !a.user.begun || here || msg.Seq <= a.user.seq {
		return
	}
	a.later(ctx, onItsWay, func() {
		if a.phase == open && msg.Seq > a.user.seq {
			a.readLog(ctx)
		}
	})
}

// readLog reads on in the log and sends the client the events.
func (a *Actor) readLog(ctx actor.Context) {
	if a.user.reading {
		return
	}
	a.user.reading = true
	after := a.user.seq
	var (
		events []domain.UserEvent
		held   bool
	)
	async.Run(context.Background(), ctx, readLimit, func(c context.Context) (err error) {
		events, held, err = a.c.Sessions.UserEvents(c, a.in.Caller.UserID, after, userPage)
		return err
	}, func(err error) {
		a.user.reading = false
		switch {
		case a.phase != open:
		case err != nil:
			a.unread(err)
			a.later(ctx, onItsWay, func() { a.readLog(ctx) })
		case !held && a.user.seq == after:
			a.headFromStore(ctx, -1)
		default:
			for i := range events {
				if e := &events[i]; e.Seq == a.user.seq+1 {
					a.user.seq = e.Seq
					a.outbox.raw(protocol.EncodeUserEvent(string(e.Type), e.Seq, e.At, e.Data))
				}
			}
			a.full(ctx)
			if len(events) == userPage {
				a.readLog(ctx)
			}
		}
	})
}

// alone begins the log without a session, if none has answered for a while.
func (a *Actor) alone(ctx actor.Context) {
	if a.user.begun || a.user.reading || a.c.Clock.Now().Sub(a.user.sought) < ownerless {
		return
	}
	cursor := int64(-1)
	if a.user.cursor != nil {
		cursor = *a.user.cursor
	}
	a.headFromStore(ctx, cursor)
}

// headFromStore continues the log at a cursor, as a session would, or at the head if there is
// no valid cursor.
func (a *Actor) headFromStore(ctx actor.Context, cursor int64) {
	a.user.reading = true
	begun, before := a.user.begun, a.user.seq
	var news []domain.SessionHead
	async.Run(context.Background(), ctx, readLimit, func(c context.Context) (err error) {
		news, err = a.c.Sessions.SessionHeads(c, []domain.SessionHead{{User: a.in.Caller.UserUUID, Head: -1}})
		return err
	}, func(err error) {
		a.user.reading = false
		switch {
		case a.phase != open || begun != a.user.begun || before != a.user.seq:
			// A session has answered meanwhile.
		case err != nil:
			// If the log has not begun, the next search for a session leads here again.
			a.unread(err)
			if begun {
				a.later(ctx, onItsWay, func() { a.readLog(ctx) })
			}
		case len(news) == 0: // the person does not exist any more, which is handled elsewhere
		case cursor >= 0 && cursor <= news[0].Head:
			a.beginLog(cursor, false)
			a.readLog(ctx)
		default:
			// A client that connected without a cursor has nothing that could be out of date.
			a.beginLog(news[0].Head, begun || a.user.cursor != nil)
		}
	})
}

func (a *Actor) unread(err error) {
	a.c.Logger.LogAttrs(context.Background(), slog.LevelWarn, "a person's log could not be read without its session", slog.Any("error", err))
}
