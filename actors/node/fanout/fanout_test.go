package fanout

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
	"parley.dev/parley/internal/mailbox"
)

const patience = time.Minute

// unreported is for tests that do not look at the figures.
func unreported(int, time.Duration) {}

// listener starts an actor that passes the messages that it gets to a test, except frames and
// Silent.
func listener(system *actor.ActorSystem) (*actor.PID, <-chan any) {
	return fakes.Hears(system, func(message any) bool {
		switch message.(type) {
		case *protocol.Check, *protocol.Position, *protocol.Subscription:
			return true
		}
		return false
	})
}

// Frames between nodes may get lost. Every two seconds the owners are asked for their
// position, so that a reader notices the loss; an owner that does not answer is located
// again.
func TestFanout(t *testing.T) { // G8, G9
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	owner, asked := listener(system)
	reader, heard := listener(system)
	time0 := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ticks := clock.NewFake(time0)
	type figures struct {
		conversations int
		silence       time.Duration
	}
	reports := make(chan figures, 100)
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return New("here", ticks, func(n int, silence time.Duration) { reports <- figures{n, silence} })
	}))
	id := domain.NewID()
	system.Root.Send(pid, &protocol.Forward{Id: reader.Id, Subscription: &protocol.Subscription{
		Conversation: id[:], Outcome: protocol.Subscription_LIVE, OwnerAddress: owner.Address, OwnerId: owner.Id,
	}})
	fakes.Next[*protocol.Subscription](t, heard)

	ticks.Advance(CheckEvery)
	require.Equal(t, "here", fakes.Next[*protocol.Check](t, asked).Target.Node)
	// The answer is sent to the readers, which compare it with their own place.
	system.Root.Send(pid, &protocol.Position{Conversation: id[:], Epoch: 3, Head: 7})
	require.Equal(t, int64(7), fakes.Next[*protocol.Position](t, heard).Head)

	// A message in a Behind arrives after everything that was sent through here before.
	system.Root.Send(pid, &protocol.Position{Conversation: id[:], Epoch: 3, Head: 8})
	system.Root.Send(pid, &node.Behind{To: reader, Message: &protocol.Check{}})
	require.Equal(t, int64(8), fakes.Next[*protocol.Position](t, heard).Head)
	fakes.Next[*protocol.Check](t, heard)

	for {
		ticks.Advance(CheckEvery)
		if ticks.Now().Sub(time0) > 2*silentFor {
			break
		}
		// A check has ended when it has armed the timer for the next one.
		require.Eventually(t, func() bool { return ticks.Waiting() == 1 }, patience, time.Millisecond)
	}
	require.Zero(t, fakes.Next[*protocol.Position](t, heard).Epoch, "the readers look for the owner again")
	// The owner's answers came after the first check; from then on it was silent.
	for _, silence := range []time.Duration{CheckEvery, CheckEvery, 2 * CheckEvery, 3 * CheckEvery} {
		require.Equal(t, figures{1, silence}, <-reports)
	}
}

// Hints take another route than the frames, and may arrive earlier or later than these.
func TestFanout_Hints(t *testing.T) { // G9
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	owner, asked := listener(system)
	reader, heard := fakes.Hears(system, func(message any) bool {
		_, started := message.(*actor.Started)
		return !started
	})
	ticks := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return New("here", ticks, unreported) }))
	id := domain.NewID()
	system.Root.Send(pid, &protocol.Forward{Id: reader.Id, Subscription: &protocol.Subscription{
		Conversation: id[:], Outcome: protocol.Subscription_LIVE, Epoch: 3, Head: 5, OwnerAddress: owner.Address, OwnerId: owner.Id,
	}})
	fakes.Next[*protocol.Subscription](t, heard)
	// through waits until the fan-out has handled everything that was sent to it so far, and
	// checks that the reader has received only what the test has already read.
	through := func() {
		system.Root.Send(pid, &node.Behind{To: reader, Message: &protocol.Check{}})
		fakes.Next[*protocol.Check](t, heard)
	}

	system.Root.Send(pid, &Position{Conversation: id, Epoch: 3, Head: 5})
	system.Root.Send(pid, &Position{Conversation: id, Epoch: 2, Head: 9})
	through()
	require.Zero(t, ticks.DueWithin(overtaking), "the readers already have that much, and an earlier owner does not count")

	system.Root.Send(pid, &Position{Conversation: id, Epoch: 3, Head: 6})
	through()
	system.Root.Send(pid, &protocol.Published{Conversation: id[:], Epoch: 3, Frames: []*protocol.StreamFrame{{Seq: 6, Json: []byte("{}")}}})
	fakes.Next[*protocol.Publication](t, heard)
	ticks.Advance(overtaking)
	through()
	require.Empty(t, asked, "the frame came in time")

	// The owner is asked about a frame that does not arrive, and its answer informs the
	// readers.
	system.Root.Send(pid, &Position{Conversation: id, Epoch: 3, Head: 7})
	system.Root.Send(pid, &Position{Conversation: id, Epoch: 3, Head: 8})
	through()
	ticks.Advance(overtaking)
	fakes.Next[*protocol.Check](t, asked)
	system.Root.Send(pid, &protocol.Position{Conversation: id[:], Epoch: 3, Head: 8})
	require.EqualValues(t, 8, fakes.Next[*protocol.Position](t, heard).Head)
	ticks.Advance(overtaking)
	through()

	// If an owner does not answer, the readers use the store, and for what it writes later
	// they do so at once.
	system.Root.Send(pid, &Position{Conversation: id, Epoch: 3, Head: 9})
	through()
	ticks.Advance(overtaking)
	fakes.Next[*protocol.Check](t, asked)
	through()
	ticks.Advance(overtaking)
	fakes.Next[*protocol.Silent](t, heard)
	system.Root.Send(pid, &Position{Conversation: id, Epoch: 3, Head: 10})
	through()
	ticks.Advance(overtaking)
	fakes.Next[*protocol.Silent](t, heard)
	through()
	require.Empty(t, asked)

	system.Root.Send(pid, &Position{Conversation: id, Epoch: 4, Head: 10})
	moved := fakes.Next[*protocol.Position](t, heard)
	require.Equal(t, int64(4), moved.Epoch, "readers of an owner that has ended are sent to the next one at once")
	through()

	system.Root.Send(pid, &MissedHints{})
	require.Equal(t, "here", fakes.Next[*protocol.Check](t, asked).Target.Node, "if hints were missed, the owners are asked")
	system.Root.Send(pid, &Position{Conversation: domain.NewID(), Epoch: 9, Head: 9})
	through() // no reader here reads it
}

// A connection may end while the answer to its subscription is being sent, so that it is
// added after the message that it does not read any more. The owner is not asked for it for
// ever.
func TestFanout_ConnectionThatEnded(t *testing.T) { // G17
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	owner, asked := listener(system)
	reader, heard := listener(system)
	gone, _ := listener(system)
	require.NoError(t, system.Root.StopFuture(gone).Wait())
	ticks := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return New("here", ticks, unreported) }))
	forward := func(to *actor.PID) uuid.UUID {
		id := domain.NewID()
		system.Root.Send(pid, &protocol.Dropped{Conversation: id, Connection: to.Id})
		system.Root.Send(pid, &protocol.Forward{Id: to.Id, Subscription: &protocol.Subscription{
			Conversation: id[:], OwnerAddress: owner.Address, OwnerId: owner.Id,
		}})
		return id
	}
	forward(gone)
	lives := forward(reader)
	fakes.Next[*protocol.Subscription](t, heard)
	for range 3 {
		ticks.Advance(CheckEvery)
		fakes.Next[*protocol.Check](t, asked)
		require.Empty(t, asked, "one conversation is read")
		system.Root.Send(pid, &protocol.Position{Conversation: lives[:], Epoch: 1})
		fakes.Next[*protocol.Position](t, heard)
	}
}

// A fan-out that has more to do than its mailbox holds loses frames, which their readers
// notice. It never loses the message that ends a reader's subscription: otherwise its node
// would continue to show this reader what other readers there may see.
func TestFanout_EndsPassAFullMailbox(t *testing.T) { // G15
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	reader, heard := listener(system)
	came, open := make(chan struct{}, 1), make(chan struct{})
	hold := func(next actor.ReceiverFunc) actor.ReceiverFunc {
		return func(c actor.ReceiverContext, e *actor.MessageEnvelope) {
			if _, first := e.Message.(*protocol.Dropped); first {
				came <- struct{}{}
				<-open
			}
			next(c, e)
		}
	}
	pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return New("here", clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), unreported)
	}, actor.WithMailbox(mailbox.Bounded(2, func(*actor.PID, any) {})), actor.WithReceiverMiddleware(hold)))
	system.Root.Send(pid, &protocol.Dropped{})
	<-came
	id := domain.NewID()
	for range 5 {
		system.Root.Send(pid, &protocol.Published{Conversation: id[:]})
	}
	for _, end := range []protocol.Subscription_Outcome{protocol.Subscription_MOVED, protocol.Subscription_DENIED} {
		system.Root.Send(pid, &protocol.Forward{Id: reader.Id, Subscription: &protocol.Subscription{Conversation: id[:], Outcome: end}})
	}
	system.Root.Send(pid, &protocol.Forward{Id: reader.Id, Subscription: &protocol.Subscription{Conversation: id[:]}})
	close(open)
	require.Equal(t, protocol.Subscription_MOVED, fakes.Next[*protocol.Subscription](t, heard).Outcome)
	require.Equal(t, protocol.Subscription_DENIED, fakes.Next[*protocol.Subscription](t, heard).Outcome)
	_, err := system.Root.RequestFuture(pid, &actor.Touch{}, patience).Result()
	require.NoError(t, err)
	require.Empty(t, heard, "the beginning of a subscription may be lost, because the reader asks again")
}
