package actors

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
)

// hintPresent says that somebody has opened or left a conversation, whose id it carries.
const hintPresent domain.HintTopic = "present"

const (
	// presentRest is the time between two looks at who is there, of which each takes
	// presentAtOnce conversations.
	presentRest   = 250 * time.Millisecond
	presentAtOnce = 500
	// presentAgain is when conversations that people of several have open are looked at
	// though nobody has said anything: a node that was lost takes back no word.
	presentAgain = 10 * time.Second
)

// attendance tells the readers of this node who else has their conversation open, on any
// node. It asks for what has changed, of all conversations together, and tells only
// those of which the answer is another one: of a conversation that one person has open
// nobody is told anything.
type attendance struct {
	presence domain.Presence
	hints    domain.HintBoard
	clock    clock.Clock
	log      *slog.Logger

	rooms map[uuid.UUID]*room
	// due are the rooms to look at, looking that a look is under way or rests.
	due     map[uuid.UUID]struct{}
	looking bool
	again   clock.Timer
}

// room is a conversation with its readers on this node.
type room struct {
	readers map[string]*attendee // by the id of the connection
	shown   []uuid.UUID
}

type attendee struct {
	pid   *actor.PID
	leave func()
}

type (
	// cameOrWent is what a hint says; no id says that some may have been missed.
	cameOrWent struct{ conversation uuid.UUID }
	restOver   struct{}
	lookAtAll  struct{}
)

func (*cameOrWent) IgnoreDeadLetterLogging() {}
func (*restOver) Essential()                 {}
func (*restOver) IgnoreDeadLetterLogging()   {}
func (*lookAtAll) Essential()                {}
func (*lookAtAll) IgnoreDeadLetterLogging()  {}

// Receive implements actor.Actor.
func (a *attendance) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		a.rooms, a.due = map[uuid.UUID]*room{}, map[uuid.UUID]struct{}{}
		a.wait(ctx)
	case *protocol.Attends:
		a.attends(ctx, msg)
	case *cameOrWent:
		a.changed(ctx, msg.conversation)
	case *restOver:
		a.looking = false
		a.look(ctx)
	case *lookAtAll:
		a.wait(ctx)
		for id, r := range a.rooms {
			if len(r.shown) > 1 {
				a.due[id] = struct{}{}
			}
		}
		a.look(ctx)
	case *async.Reentry:
		msg.Resume()
	case *actor.Stopping:
		a.again.Stop()
		for _, r := range a.rooms {
			for _, reader := range r.readers {
				reader.leave()
			}
		}
	}
}

func (a *attendance) attends(ctx actor.Context, msg *protocol.Attends) {
	r := a.rooms[msg.Conversation]
	var before *attendee
	if r != nil {
		before = r.readers[msg.Connection.Id]
	}
	switch {
	case msg.Here && before == nil:
		if r == nil {
			r = &room{readers: map[string]*attendee{}}
			a.rooms[msg.Conversation] = r
		}
		r.readers[msg.Connection.Id] = &attendee{pid: msg.Connection, leave: a.presence.Enter(msg.Conversation, msg.Person)}
		if len(r.shown) > 1 {
			ctx.Send(msg.Connection, &protocol.Present{Conversation: msg.Conversation, People: r.shown})
		}
	case !msg.Here && before != nil:
		before.leave()
		if delete(r.readers, msg.Connection.Id); len(r.readers) == 0 {
			delete(a.rooms, msg.Conversation)
			delete(a.due, msg.Conversation)
		}
	default:
		return
	}
	a.hints.Tell(hintPresent, msg.Conversation.String(), bytes.Clone(msg.Conversation[:]))
}

func (a *attendance) changed(ctx actor.Context, conversation uuid.UUID) {
	switch {
	case conversation == uuid.Nil:
		for id := range a.rooms {
			a.due[id] = struct{}{}
		}
	case a.rooms[conversation] == nil:
		return
	default:
		a.due[conversation] = struct{}{}
	}
	a.look(ctx)
}

// look asks who is there, beside the actor, and tells the readers what has changed.
func (a *attendance) look(ctx actor.Context) {
	if a.looking || len(a.due) == 0 {
		return
	}
	a.looking = true
	ids := make([]uuid.UUID, 0, min(len(a.due), presentAtOnce))
	for id := range a.due {
		if len(ids) == presentAtOnce {
			break
		}
		ids = append(ids, id)
		delete(a.due, id)
	}
	var present map[uuid.UUID][]uuid.UUID
	async.Run(context.Background(), ctx, askStep, func(c context.Context) error {
		present = a.presence.Present(c, ids...)
		return nil
	}, func(err error) {
		if err != nil {
			a.log.LogAttrs(context.Background(), slog.LevelWarn, "it could not be looked who is there", slog.Any("error", err))
		}
		for id, people := range present {
			a.show(ctx, id, people)
		}
		root, self := ctx.ActorSystem().Root, ctx.Self()
		a.clock.AfterFunc(presentRest, func() { root.Send(self, &restOver{}) })
	})
}

// show tells the readers of a conversation who is there, if that is news: that one
// person is alone is none, unless there were others.
func (a *attendance) show(ctx actor.Context, conversation uuid.UUID, people []uuid.UUID) {
	r := a.rooms[conversation]
	if r == nil || slices.Equal(r.shown, people) {
		return
	}
	alone := len(people) <= 1 && len(r.shown) <= 1
	r.shown = people
	if alone {
		return
	}
	for _, reader := range r.readers {
		ctx.Send(reader.pid, &protocol.Present{Conversation: conversation, People: people})
	}
}

func (a *attendance) wait(ctx actor.Context) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	a.again = a.clock.AfterFunc(presentAgain, func() { root.Send(self, &lookAtAll{}) })
}
