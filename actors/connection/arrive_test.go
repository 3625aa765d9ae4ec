package connection

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
)

// arriving is a recorder that is notified when the hello is answered.
type arriving struct{ *recorder }

func (a arriving) Arrived() { a.events <- "arrived" }

// The transport is notified once that the hello is answered: when the person's log has begun and each
// conversation of the hello has its place, and after the frames that say so.
func TestActor_Arrived(t *testing.T) {
	t.Parallel()
	conversation := uuid.New()
	r := &recorder{events: make(chan string, 100), part: make(chan struct{}, 1), finish: make(chan struct{})}
	system, pid := spawn(t, &Shared{Outbox: 1 << 20, Attendance: func(*node.Attends) {}}, func(a *Actor) {
		a.phase, a.in = open, Open{Sink: arriving{r}}
		a.user.asking = true
		a.subs.Set(conversation, &subscription{id: conversation, ticket: 1, stage: asking, owner: actor.NewPID("here", "owner")})
	})
	system.Root.Send(pid, &protocol.Joined{Seq: 7})
	require.Contains(t, r.next(t), "session.ready")
	system.Root.Send(pid, &Frame{Data: []byte(`{"type":"ping"}`)})
	require.Contains(t, r.next(t), "keep-alive")
	system.Root.Send(pid, &protocol.Subscription{
		Conversation: conversation[:], Ticket: 1, Outcome: protocol.Subscription_LIVE, OwnerAddress: "here",
	})
	require.Contains(t, r.next(t), "subscribed")
	require.Equal(t, "arrived", r.next(t))
	system.Root.Send(pid, &Frame{Data: []byte(`{"type":"ping"}`)})
	require.Contains(t, r.next(t), "keep-alive")
}
