package rebalance

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/node"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const (
	patience = time.Minute
	every    = 5 * time.Second
)

func TestRebalance(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ surplus, owners, asked int }{
		"NoSurplus":   {0, 5, 0},
		"OK":          {3, 5, 3},
		"ErrFewer":    {9, 5, 5},
		"OKAtMost":    {10_000, 300, most},
		"OKNobodyHas": {4, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			system := fakes.NewActorSystem()
			t.Cleanup(system.Shutdown)
			now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			var asked, twice atomic.Int64
			owners := make([]*actor.PID, c.owners)
			for i := range owners {
				var err error
				before := false
				owners[i], err = system.Root.SpawnNamed(actor.PropsFromFunc(func(ctx actor.Context) {
					if _, ok := ctx.Message().(*protocol.Yield); ok {
						asked.Add(1)
						if before {
							twice.Add(1)
						}
						before = true
					}
				}), fmt.Sprint("owner-", i))
				require.NoError(t, err)
			}
			var looks atomic.Int64
			pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
				return New(Config{Clock: now, Every: every, Surplus: func() int { looks.Add(1); return c.surplus }, List: func(to *actor.PID) {
					system.Root.Send(to, &node.Listed{PIDs: owners})
				}})
			}))
			rests := func() {
				t.Helper()
				require.Eventually(t, func() bool { return now.Waiting() == 1 }, patience, time.Millisecond)
				for _, o := range owners {
					_, err := system.Root.RequestFuture(o, &actor.Touch{}, patience).Result()
					require.NoError(t, err)
				}
			}
			require.Zero(t, now.Waiting(), "the first check is requested from outside")
			system.Root.Send(pid, &node.LookAgain{})
			rests()
			require.EqualValues(t, c.asked, asked.Load())
			require.Zero(t, twice.Load(), "no owner is asked twice in one check")
			before := looks.Load()
			now.Advance(every - 1)
			require.Equal(t, before, looks.Load())
			now.Advance(1)
			require.Eventually(t, func() bool { return looks.Load() > before }, patience, time.Millisecond)
			rests()
			require.EqualValues(t, 2*c.asked, asked.Load())
			require.NoError(t, system.Root.PoisonFuture(pid).Wait())
			require.Zero(t, now.Waiting())
		})
	}
}
