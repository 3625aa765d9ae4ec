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
)

// join begins a connection's log at its cursor: from memory, from the store, or
// with a resync where neither reaches back.
func (a *Actor) join(ctx actor.Context, msg *protocol.Join) {
	switch a.phase {
	case claiming:
		a.waiting = append(a.waiting, msg)
		return
	case releasing, gone:
		// This actor's end tells the connection to ask again.
		return
	case active:
	}
	t := msg.Target
	a.leave(t.GetAddress(), t.GetId())
	m := &member{pid: actor.NewPID(t.GetAddress(), t.GetId())}
	a.members = append(a.members, m)
	if m.pid.Address != ctx.Self().Address {
		ctx.Watch(m.pid)
	}
	switch {
	case msg.Cursor == nil:
		ctx.Send(m.pid, &protocol.Joined{Seq: a.log.head})
	case *msg.Cursor < 0 || *msg.Cursor > a.log.head:
		ctx.Send(m.pid, &protocol.Joined{Seq: a.log.head, Resync: true})
	default:
		a.catchUp(ctx, m, *msg.Cursor, *msg.Cursor)
	}
}

// catchUp brings a member from a seq to the head. What comes meanwhile waits in
// the ring, and is read from there when the store's part is sent.
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
	m.catching = true
	var events []domain.UserEvent
	var held bool
	async.Run(context.Background(), ctx, storeLimit, func(c context.Context) (err error) {
		events, held, err = a.c.Store.UserEvents(c, a.userID, seq, page)
		return err
	}, func(err error) {
		if a.phase != active || !slices.Contains(a.members, m) {
			return
		}
		if err != nil {
			a.warn("a person's log could not be read", slog.Any("error", err))
		}
		if err != nil || !held || len(events) == 0 {
			m.catching = false
			ctx.Send(m.pid, &protocol.Joined{Seq: a.log.head, Resync: true})
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

func (a *Actor) leave(address, id string) {
	a.members = slices.DeleteFunc(a.members, func(m *member) bool { return m.pid.Address == address && m.pid.Id == id })
	if len(a.members) == 0 {
		a.members, a.since = nil, a.c.Clock.Now()
	}
}

// events takes what a commit sent. Commits of several nodes may overtake each
// other on the way; a gap is filled from the store.
func (a *Actor) events(ctx actor.Context, in []*protocol.UserEvent) {
	if a.phase != active {
		// They may have been committed just after the claim that is still under way.
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
	a.forward(ctx, a.log.take(events))
	if a.log.gap() {
		a.fill(ctx)
	}
}

func (a *Actor) forward(ctx actor.Context, frames []*protocol.UserFrame) {
	if len(frames) == 0 {
		return
	}
	out := &protocol.UserFrames{Frames: frames}
	for _, m := range a.members {
		if !m.catching {
			ctx.Send(m.pid, out)
		}
	}
}

// fill reads on from the head.
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
			// The next event or the next look tries again.
			a.warn("a person's log could not be read", slog.Any("error", err))
		case !held:
			a.log.skip()
			a.resync(ctx)
		default:
			a.forward(ctx, a.log.take(events))
			if a.log.gap() && len(events) > 0 {
				a.fill(ctx)
			}
		}
	})
}

// resync has every connection fetch its lists anew and go on at the head.
func (a *Actor) resync(ctx actor.Context) {
	for _, m := range a.members {
		ctx.Send(m.pid, &protocol.Joined{Seq: a.log.head, Resync: true})
	}
}
