package connection

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
)

// The fan-out follows owners on other nodes for a connection. If it sends something of a
// conversation that the connection does not read, or of an owner that is not the one it reads
// from, the connection ends that. Otherwise the fan-out would continue for ever.
func TestActor_WhatIsNotReadIsNotFollowed(t *testing.T) { // G8, G17
	t.Parallel()
	conversation, other := uuid.New(), uuid.New()
	at := func(address string) *actor.PID { return actor.NewPID(address, "conversation/x") }
	answer := &protocol.Subscription{Conversation: conversation[:], Ticket: 7, Epoch: 9, OwnerAddress: "elsewhere:1", OwnerId: "x"}
	position, silent := &protocol.Position{Conversation: conversation[:], Epoch: 1}, &protocol.Silent{Conversation: conversation}
	for name, c := range map[string]struct {
		owner   *actor.PID
		read    uuid.UUID
		message any
		dropped bool
	}{
		"AnswerForNobody":        {read: other, message: answer, dropped: true},
		"AnswerThatIsLate":       {owner: at("nonhost"), read: conversation, message: answer, dropped: true},
		"PositionForNobody":      {read: other, message: position, dropped: true},
		"PositionOfNoOwner":      {owner: at("nonhost"), read: conversation, message: position, dropped: true},
		"SilenceOfNoOwner":       {owner: at("nonhost"), read: conversation, message: silent, dropped: true},
		"PositionOfTheOwner":     {owner: at("elsewhere:1"), read: conversation, message: position},
		"LateButFollowedByOther": {owner: at("other:1"), read: conversation, message: answer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent := make(chan any, 10)
			r := &recorder{events: make(chan string, 100), part: make(chan struct{}, 1), finish: make(chan struct{})}
			system, pid := spawn(t, &Shared{Outbox: 1 << 20, Fanout: func(m any) { sent <- m }}, func(a *Actor) {
				a.phase, a.in = open, Open{Sink: r}
				a.subs.Set(c.read, &subscription{
					id: c.read, ticket: 8, stage: live, answered: true, place: place{epoch: 1}, owner: c.owner,
				})
			})
			require.Equal(t, "nonhost", system.Address())
			system.Root.Send(pid, c.message)
			system.Root.Send(pid, &Frame{Data: []byte(`{"type":"ping"}`)})
			require.Contains(t, r.next(t), "keep-alive", "the connection does nothing else about it")
			if !c.dropped {
				require.Empty(t, sent)
				return
			}
			select {
			case m := <-sent:
				require.Equal(t, &protocol.Dropped{Conversation: conversation, Connection: pid.Id}, m)
			case <-time.After(time.Minute):
				require.Fail(t, "the fan-out is not told to stop")
			}
		})
	}
}
