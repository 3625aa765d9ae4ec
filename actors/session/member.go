package session

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/audience"
)

func addressOf(t *protocol.Target) audience.Address {
	return audience.Address{Host: t.GetAddress(), ID: t.GetId()}
}

// ask admits a connection, or lets it wait until the claim has ended.
func (a *Actor) ask(ctx actor.Context, msg *protocol.Join) {
	at := addressOf(msg.Target)
	switch a.phase {
	case gone:
		ctx.Send(actor.NewPID(at.Host, at.ID), &protocol.Leave{})
		return
	case active:
		a.members.Ask(at, seat)
		a.join(ctx, msg)
		return
	case claiming, releasing:
	}
	// A connection that asks again replaces its earlier request.
	a.waiting = slices.DeleteFunc(a.waiting, func(j *protocol.Join) bool { return addressOf(j.Target) == at })
	if len(a.waiting) >= waitingMax {
		ctx.Respond(&protocol.Busy{})
		return
	}
	a.members.Ask(at, seat)
	a.waiting = append(a.waiting, msg)
}

// join begins a connection's log at its cursor: from memory, from the store, or with a
// resync if neither reaches back that far. A connection that has left gets nothing.
func (a *Actor) join(ctx actor.Context, msg *protocol.Join) {
	at := addressOf(msg.Target)
	m := &member{pid: actor.NewPID(at.Host, at.ID)}
	if !a.members.Admit(at, seat, m) {
		return
	}
	if m.pid.Address != ctx.Self().Address {
		ctx.Watch(m.pid)
	}
	switch {
	case msg.Cursor == nil:
		ctx.Send(m.pid, &protocol.Joined{Seq: a.log.head})
	case *msg.Cursor < 0:
		a.restart(ctx, m)
	case *msg.Cursor > a.log.head:
		a.learn(ctx, m, *msg.Cursor)
	default:
		a.catchUp(ctx, m, *msg.Cursor, *msg.Cursor)
	}
}

// restart tells a connection to fetch its lists and to continue at the head.
func (a *Actor) restart(ctx actor.Context, m *member) {
	m.catching = false
	ctx.Send(m.pid, &protocol.Joined{Seq: a.log.head, Resync: true})
}

// learn reads more of the log for a connection that is ahead of this session: connections
// also read the store, and committed events may reach the session later. A cursor beyond the
// stored log is invalid.
func (a *Actor) learn(ctx actor.Context, m *member, cursor int64) {
	a.read(ctx, m, a.log.head, func(events []domain.UserEvent) {
		switch {
		case cursor <= a.log.head:
			a.catchUp(ctx, m, cursor, cursor)
		case len(events) == page:
			a.learn(ctx, m, cursor)
		default:
			a.restart(ctx, m)
		}
	})
}

// read reads more of the log for a member. The session adds what it reads to its own log, so
// that this is never behind the log of a connection. If the stored log does not reach back
// far enough, the member starts again.
func (a *Actor) read(ctx actor.Context, m *member, after int64, then func([]domain.UserEvent)) {
	m.catching = true
	var events []domain.UserEvent
	var held bool
	async.Run(context.Background(), ctx, storeLimit, func(c context.Context) (err error) {
		events, held, err = a.c.Store.UserEvents(c, a.userID, after, page)
		return err
	}, func(err error) {
		if a.phase != active || !a.isCurrent(m) {
			return
		}
		if err != nil {
			// The connection joins again, from the place that it has then.
			a.warn("a person's log could not be read", slog.Any("error", err))
			a.leave(audience.Address{Host: m.pid.Address, ID: m.pid.Id})
			ctx.Send(m.pid, &protocol.Leave{})
			return
		}
		if !held {
			a.restart(ctx, m)
			return
		}
		a.forward(ctx, a.log.add(events))
		then(events)
	})
}

// catchUp sends a member the events from a seq to the head. Events that arrive meanwhile wait
// in the ring, and are read from there after the events from the store.
func (a *Actor) catchUp(ctx actor.Context, m *member, begin, seq int64) {
	if frames, ok := a.log.after(seq); ok {
		if seq == begin {
			ctx.Send(m.pid, &protocol.Joined{Seq: begin})
		}
		m.catching = false
		if len(frames) > 0 {
			ctx.Send(m.pid, &protocol.UserFrames{Frames: slices.Clone(frames)})
		}
		return
	}
	a.read(ctx, m, seq, func(events []domain.UserEvent) {
		if len(events) == 0 {
			// Events that are no longer in memory are no longer in the store either.
			a.restart(ctx, m)
			return
		}
		out := &protocol.UserFrames{}
		for i := range events {
			e := &events[i]
			out.Frames = append(out.Frames, &protocol.UserFrame{Seq: e.Seq, Json: protocol.EncodeUserEvent(string(e.Type), e.Seq, e.At, e.Data)})
		}
		if seq == begin {
			ctx.Send(m.pid, &protocol.Joined{Seq: begin})
		}
		ctx.Send(m.pid, out)
		last := events[len(events)-1].Seq
		a.catchUp(ctx, m, -1, last)
	})
}

// isCurrent reports whether an admitted member has neither left nor joined again since.
func (a *Actor) isCurrent(m *member) bool {
	l := a.members.Find(audience.Address{Host: m.pid.Address, ID: m.pid.Id})
	return l != nil && l.Value == m
}

func (a *Actor) leave(at audience.Address) {
	a.members.Leave(at, seat)
	a.waiting = slices.DeleteFunc(a.waiting, func(j *protocol.Join) bool { return addressOf(j.Target) == at })
	if a.members.Empty() {
		a.since = a.c.Clock.Now()
	}
}

// events handles the events of a commit. The commits of several nodes may arrive out of
// order; a gap is filled from the store.
func (a *Actor) events(ctx actor.Context, in []*protocol.UserEvent) {
	if a.phase != active {
		// They may have been committed just after the claim that is still in progress.
		for _, e := range in {
			a.early = max(a.early, e.Seq)
		}
		return
	}
	events := make([]domain.UserEvent, 0, len(in))
	for _, e := range in {
		events = append(events, domain.UserEvent{
			Seq: e.Seq, Type: domain.EventType(e.Type), Data: e.Data, At: time.UnixMilli(e.AtMillis),
		})
	}
	a.forward(ctx, a.log.add(events))
	if a.log.gap() {
		a.fill(ctx)
	}
}

func (a *Actor) forward(ctx actor.Context, frames []*protocol.UserFrame) {
	if len(frames) == 0 {
		return
	}
	out := &protocol.UserFrames{Frames: frames}
	for _, l := range a.members.All() {
		if l.Admitted() && !l.Value.catching {
			ctx.Send(l.Value.pid, out)
		}
	}
}

// fill reads the log from the head on.
func (a *Actor) fill(ctx actor.Context) {
	if a.phase != active || a.log.filling {
		return
	}
	a.log.filling = true
	after := a.log.head
	var events []domain.UserEvent
	var held bool
	async.Run(context.Background(), ctx, storeLimit, func(c context.Context) (err error) {
		events, held, err = a.c.Store.UserEvents(c, a.userID, after, page)
		return err
	}, func(err error) {
		a.log.filling = false
		switch {
		case a.phase != active:
		case err != nil:
			a.warn("a person's log could not be read", slog.Any("error", err))
			root, self := ctx.ActorSystem().Root, ctx.Self()
			a.c.Clock.AfterFunc(fillAgain, func() { root.Send(self, async.Again(func() { a.fill(ctx) })) })
		case !held:
			a.log.skip()
			a.resync(ctx)
		default:
			a.forward(ctx, a.log.add(events))
			if a.log.gap() && len(events) > 0 {
				a.fill(ctx)
			}
		}
	})
}

// resync tells every connection to fetch its lists again and to continue at the head.
func (a *Actor) resync(ctx actor.Context) {
	for _, l := range a.members.All() {
		if l.Admitted() {
			ctx.Send(l.Value.pid, &protocol.Joined{Seq: a.log.head, Resync: true})
		}
	}
}
