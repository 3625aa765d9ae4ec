package conversation

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/fakes"
)

// With few readers the conversation handles a publication for them in its own goroutine, and
// each of them encodes the frame of a delta; with many it is sent to their mailboxes.
func TestReaders_Few(t *testing.T) {
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	for readers, want := range map[int]bool{1: true, few: true, few + 1: false} {
		got := make(chan bool, readers)
		pids := make([]*actor.PID, readers)
		for i := range pids {
			pids[i] = system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
				if p, ok := ctx.Message().(*protocol.Publication); ok {
					got <- p.Inline() && p.Entries[0].JSON == nil
				}
			}))
		}
		owner := system.Root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(string); !ok {
				return
			}
			r := newReaders(system, "fanout", ctx.Self())
			for _, pid := range pids {
				subscribed(ctx, &r, protocol.NewTarget("node", pid.Address, pid.Id))
			}
			p := protocol.NewPublication(uuid.New(), 1, 1)
			p.Entries = append(p.Entries, protocol.Entry{Kind: protocol.EntryDelta, Epoch: 1, Message: uuid.New(), Text: "text"})
			r.publish(ctx, p)
		}))
		system.Root.Send(owner, "publish")
		for range readers {
			require.Equal(t, want, <-got, readers)
		}
	}
}

// subscribed asks for a subscription of a reader and admits it.
func subscribed(ctx actor.Context, r *readers, t *protocol.Target) {
	r.ask(ctx, t, 1)
	r.admit(t, 1, reader{})
}
