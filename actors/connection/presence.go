package connection

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
)

// attend tells the node that this socket's person has the conversation open. The person's
// right to read it was checked before.
func (a *Actor) attend(ctx actor.Context, s *subscription) {
	if !s.attends {
		s.attends = true
		a.c.Attendance(&node.Attends{Conversation: s.id, Person: a.in.Caller.UserUUID, Connection: ctx.Self(), Here: true})
	}
}

// depart tells the node that the conversation is closed again.
func (a *Actor) depart(ctx actor.Context, s *subscription) {
	if s.attends {
		s.attends = false
		a.c.Attendance(&node.Attends{Conversation: s.id, Connection: ctx.Self()})
	}
}

// present sends the client the people who have a conversation open, if the client may still
// read it.
func (a *Actor) present(ctx actor.Context, msg *protocol.Present) {
	if s := a.subs.Get(msg.Conversation); a.phase != open || s == nil || !s.attends {
		return
	}
	frame, err := json.Marshal(protocol.PresenceOf(msg))
	if err != nil {
		a.c.Logger.LogAttrs(context.Background(), slog.LevelError, "a frame could not be written", slog.Any("error", err))
		return
	}
	a.outbox.raw(frame)
	a.full(ctx)
}
