package attendance

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/few"
)

// Hint says that a person has opened or left a conversation; it contains the conversation's
// id.
const Hint domain.HintTopic = "present"

const (
	// restTime is the time between two checks of who is present. Each check handles at most
	// atOnce conversations.
	restTime = 250 * time.Millisecond
	atOnce   = 500
	// lookLimit is how long one check may take, and one read of names.
	lookLimit = 10 * time.Second
	// checkAll is how often the conversations that several people have open are checked
	// without a hint, because a node that was lost announces nothing.
	checkAll = 10 * time.Second
	// peopleNamed is how many people of a conversation are named; the others are counted.
	peopleNamed = 20
)

// Config is what the actor needs. All fields are required.
type Config struct {
	// Presence is what nodes share: the ids of people, and nothing else about them.
	Presence domain.Presence
	// Store returns the names that belong to the ids.
	Store domain.ConversationStore
	// Hints gets a Hint after a person has opened or left a conversation on this node, once other nodes can read that.
	Hints domain.HintBoard
	Clock clock.Clock
	Log   *slog.Logger
}

// Attendance tells the readers of this node who else has their conversation open, on any
// node. It reads who is present in all changed conversations with one call, and informs only
// the readers of those conversations whose answer differs. If only one person has a
// conversation open, no one is informed. Names are read from the store, once for each change.
type Attendance struct {
	c Config

	attended map[uuid.UUID]*attended
	// due are the conversations to check; looking says that a check is in progress, or that the pause
	// after one has not ended.
	due     map[uuid.UUID]struct{}
	looking bool
	timer   clock.Timer
}

// New makes the actor.
func New(c Config) *Attendance {
	return &Attendance{c: c, attended: map[uuid.UUID]*attended{}, due: map[uuid.UUID]struct{}{}}
}

// attended is a conversation with its readers on this node.
type attended struct {
	readers few.Map[string, attendee] // by the id of the connection
	shown   []uuid.UUID
	// sent is the last message to the readers; nil while they do not know that there are
	// others.
	sent *protocol.Present
	// unnamed says that the names of the people in shown could not be read.
	unnamed bool
}

type attendee struct {
	pid   *actor.PID
	leave func()
}

type (
	// CameOrWent is what a Hint says; a zero id says that some hints may have been missed.
	CameOrWent struct{ Conversation uuid.UUID }

	restOver  struct{}
	lookAtAll struct{}
)

// IgnoreDeadLetterLogging says that the node may be ending.
func (*CameOrWent) IgnoreDeadLetterLogging() {}

func (*restOver) Essential()                {}
func (*restOver) IgnoreDeadLetterLogging()  {}
func (*lookAtAll) Essential()               {}
func (*lookAtAll) IgnoreDeadLetterLogging() {}

// Receive implements actor.Actor.
func (a *Attendance) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		a.wait(ctx)
	case *node.Attends:
		a.attends(ctx, msg)
	case *CameOrWent:
		a.changed(ctx, msg.Conversation)
	case *restOver:
		a.looking = false
		a.look(ctx)
	case *lookAtAll:
		a.wait(ctx)
		for id, r := range a.attended {
			if len(r.shown) > 1 || r.unnamed {
				a.due[id] = struct{}{}
			}
		}
		a.look(ctx)
	case *async.Reentry:
		msg.Resume()
	case *actor.Stopping:
		a.timer.Stop()
		for _, r := range a.attended {
			for _, reader := range r.readers.All() {
				reader.leave()
			}
		}
	}
}

func (a *Attendance) attends(ctx actor.Context, msg *node.Attends) {
	r := a.attended[msg.Conversation]
	var before attendee
	if r != nil {
		before = r.readers.Get(msg.Connection.Id)
	}
	switch {
	case msg.Here && before.pid == nil:
		if r == nil {
			r = &attended{}
			a.attended[msg.Conversation] = r
		}
		leave := a.c.Presence.Enter(msg.Conversation, msg.Person, func() {
			a.c.Hints.Send(Hint, msg.Conversation.String(), bytes.Clone(msg.Conversation[:]))
		})
		r.readers.Set(msg.Connection.Id, attendee{pid: msg.Connection, leave: leave})
		if r.sent != nil {
			ctx.Send(msg.Connection, r.sent)
		}
	case !msg.Here && before.pid != nil:
		before.leave()
		if r.readers.Delete(msg.Connection.Id); r.readers.Len() == 0 {
			delete(a.attended, msg.Conversation)
			delete(a.due, msg.Conversation)
		}
	default:
		return
	}
	// The hint comes after other nodes can read the change. The readers of this node need not wait for that, which would be long
	// while there is no shared server.
	a.changed(ctx, msg.Conversation)
}

func (a *Attendance) changed(ctx actor.Context, conversation uuid.UUID) {
	switch {
	case conversation == uuid.Nil:
		for id := range a.attended {
			a.due[id] = struct{}{}
		}
	case a.attended[conversation] == nil:
		return
	default:
		a.due[conversation] = struct{}{}
	}
	a.look(ctx)
}

// look asks who is present, outside of the actor, and sends the readers what has changed.
func (a *Attendance) look(ctx actor.Context) {
	if a.looking || len(a.due) == 0 {
		return
	}
	a.looking = true
	ids := make([]uuid.UUID, 0, min(len(a.due), atOnce))
	for id := range a.due {
		if len(ids) == atOnce {
			break
		}
		ids = append(ids, id)
		delete(a.due, id)
	}
	var present map[uuid.UUID][]uuid.UUID
	async.Run(context.Background(), ctx, lookLimit, func(c context.Context) error {
		present = a.c.Presence.Present(c, ids...)
		return nil
	}, func(err error) {
		if err != nil {
			a.c.Log.LogAttrs(context.Background(), slog.LevelWarn, "it could not be read who is present", slog.Any("error", err))
		}
		news := map[uuid.UUID]*attended{}
		for id, people := range present {
			if r := a.attended[id]; r != nil && r.show(people) {
				news[id] = r
			}
		}
		a.name(ctx, news)
	})
}

// show stores who is present, and reports whether the readers must be notified. That one person
// is alone is not sent, unless there were others before.
func (r *attended) show(people []uuid.UUID) bool {
	if !r.unnamed && slices.Equal(r.shown, people) {
		return false
	}
	alone := len(people) <= 1 && len(r.shown) <= 1 && !r.unnamed
	r.shown = people
	return !alone
}

// name reads the names of the people who are present, outside of the actor, and sends them to the
// readers. If the names cannot be read, nothing is sent to the readers, and the names are read
// again at the next lookAtAll.
func (a *Attendance) name(ctx actor.Context, news map[uuid.UUID]*attended) {
	if len(news) == 0 {
		a.rest(ctx)
		return
	}
	asked := make(map[uuid.UUID][]uuid.UUID, len(news))
	for id, r := range news {
		asked[id] = r.shown[:min(len(r.shown), peopleNamed)]
	}
	var named map[uuid.UUID][]domain.Person
	async.Run(context.Background(), ctx, lookLimit, func(c context.Context) (err error) {
		named, err = a.c.Store.Attendants(c, asked)
		return err
	}, func(err error) {
		if err != nil {
			a.c.Log.LogAttrs(context.Background(), slog.LevelWarn, "the names of the people who are present could not be read",
				slog.Any("error", err))
		}
		for id, r := range news {
			if a.attended[id] != r {
				continue // its readers have left; a later check informs readers who came since
			}
			if r.unnamed = err != nil; err == nil {
				// A person without a name does not belong to the organisation any more, and does
				// not count.
				count := len(r.shown) - len(asked[id]) + len(named[id])
				r.send(ctx, &protocol.Present{Conversation: id, People: named[id], Count: count})
			}
		}
		a.rest(ctx)
	})
}

// send sends the readers who is present. While there are several people, it keeps the message
// for readers who come later.
func (r *attended) send(ctx actor.Context, msg *protocol.Present) {
	if r.sent = nil; msg.Count > 1 {
		r.sent = msg
	}
	for _, reader := range r.readers.All() {
		ctx.Send(reader.pid, msg)
	}
}

func (a *Attendance) rest(ctx actor.Context) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	a.c.Clock.AfterFunc(restTime, func() { root.Send(self, &restOver{}) })
}

func (a *Attendance) wait(ctx actor.Context) {
	root, self := ctx.ActorSystem().Root, ctx.Self()
	a.timer = a.c.Clock.AfterFunc(checkAll, func() { root.Send(self, &lookAtAll{}) })
}
