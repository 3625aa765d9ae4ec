package cluster

import (
	"log/slog"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/remote"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/fakes"
)

// queue is the library's queue to another node, from which nothing is ever sent.
type queue struct{ waiting []any }

func (q *queue) SendUserMessage(_ *actor.PID, m any)   { q.waiting = append(q.waiting, m) }
func (q *queue) SendSystemMessage(_ *actor.PID, m any) { q.waiting = append(q.waiting, m) }
func (*queue) Stop(*actor.PID)                         {}

// The messages that wait for a node that does not read are bounded, by bytes and by count.
func TestOutlets(t *testing.T) { // G17
	t.Parallel()
	setup := func(t *testing.T) (*bounded, *queue, *actor.ActorSystem) {
		t.Helper()
		system := fakes.NewActorSystem()
		t.Cleanup(system.Shutdown)
		o, q := newOutlets(slog.New(slog.DiscardHandler)), &queue{}
		o.attach(system)
		return &bounded{outlets: o, next: q}, q, system
	}
	pid := actor.NewPID("b:1", "fanout")
	text := func(size int) proto.Message { return wrapperspb.Bytes(make([]byte, size)) }

	t.Run("Bytes", func(t *testing.T) {
		t.Parallel()
		b, q, _ := setup(t)
		for range 100 {
			b.SendUserMessage(pid, text(1<<20))
		}
		require.Len(t, q.waiting, 31, "32 MB, with the header of each message")
		require.EqualValues(t, 69, b.outlets.lost)
		// An encoded message no longer counts.
		for _, m := range q.waiting {
			encoded, err := m.(remote.RootSerializable).Serialize()
			require.NoError(t, err)
			_, name, err := remote.Serialize(encoded, 0)
			require.NoError(t, err)
			require.Equal(t, "google.protobuf.BytesValue", name)
		}
		b.SendUserMessage(pid, text(1<<20))
		require.Len(t, q.waiting, 32)
	})

	t.Run("Count", func(t *testing.T) {
		t.Parallel()
		b, q, _ := setup(t)
		for range outletMessages + 100 {
			b.SendUserMessage(pid, text(1))
		}
		require.Len(t, q.waiting, outletMessages)
		b.SendUserMessage(actor.NewPID("c:1", "fanout"), text(1))
		require.Len(t, q.waiting, outletMessages+1, "another node has its own queue")
		b.SendUserMessage(pid, &protocol.Unsubscribe{})
		require.Len(t, q.waiting, outletMessages+2, "a message that ends something is accepted")
		for outcome, more := range map[protocol.Subscription_Outcome]int{
			protocol.Subscription_MOVED: 1, protocol.Subscription_DENIED: 1, protocol.Subscription_LIVE: 0, protocol.Subscription_BEHIND: 0,
		} {
			before := len(q.waiting)
			b.SendUserMessage(pid, &protocol.Forward{Subscription: &protocol.Subscription{Outcome: outcome}})
			require.Len(t, q.waiting, before+more, outcome)
		}
	})

	t.Run("DroppedRequestIsAnswered", func(t *testing.T) {
		t.Parallel()
		b, _, system := setup(t)
		for range outletMessages {
			b.SendUserMessage(pid, text(1))
		}
		f := actor.NewFuture(system, patience)
		b.SendUserMessage(pid, &actor.MessageEnvelope{Message: text(1), Sender: f.PID()})
		_, err := f.Result()
		require.ErrorIs(t, err, actor.ErrDeadLetter)
	})

	t.Run("AnEndedConnectionBeginsWithAnEmptyOne", func(t *testing.T) {
		t.Parallel()
		b, q, system := setup(t)
		for range outletMessages + 1 {
			b.SendUserMessage(pid, text(1))
		}
		system.EventStream.Publish(&remote.EndpointTerminatedEvent{Address: "b:1"})
		b.SendUserMessage(pid, text(1))
		require.Len(t, q.waiting, outletMessages+1)
	})
}
