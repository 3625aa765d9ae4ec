package conversation

import (
	"strconv"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/fakes"
)

// TestReaders_Local: whoever comes, comes again and goes, each reader of this node stands
// in the order of publishing once.
func TestReaders_Local(t *testing.T) {
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	r := newReaders(system, "fanout", actor.NewPID("here", "conversation"))
	target := func(n int) *protocol.Target { return protocol.NewTarget("node", "here", strconv.Itoa(n)) }
	check := func(want ...int) {
		t.Helper()
		got := make(map[string]bool)
		for i, n := range r.order {
			require.Equal(t, i, n.at)
			require.Same(t, n, r.local[n.target.Id])
			got[n.target.Id] = true
		}
		require.Len(t, r.order, len(want))
		require.Len(t, r.local, len(want))
		for _, n := range want {
			require.True(t, got[strconv.Itoa(n)], n)
		}
	}
	for n := range 5 {
		r.add(nil, &reader{target: target(n), ticket: 1})
	}
	check(0, 1, 2, 3, 4)
	r.add(nil, &reader{target: target(2), ticket: 2})
	check(0, 1, 2, 3, 4)
	r.remove(nil, target(2), 1)
	check(0, 1, 2, 3, 4)
	r.remove(nil, target(0), 1)
	r.remove(nil, target(4), 1)
	r.remove(nil, target(9), 1)
	check(1, 2, 3)
	r.remove(nil, target(2), 2)
	r.remove(nil, target(1), 1)
	r.remove(nil, target(3), 1)
	check()
	require.True(t, r.empty())
}

// With few readers a publication is handed to them in the conversation's own turn, and
// the frame of a delta is left to them; with many it goes through their mailboxes.
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
				r.add(ctx, &reader{target: protocol.NewTarget("node", pid.Address, pid.Id), ticket: 1})
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
