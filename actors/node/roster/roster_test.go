package roster

import (
	"strconv"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/connection"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const patience = time.Minute

// drained is a roster with sockets that end as soon as they are closed, and a clock.
type drained struct {
	system *actor.ActorSystem
	clock  *clock.Fake
	roster *actor.PID
	closed chan domain.Disconnect
}

func newDrained(t *testing.T, sockets int) *drained {
	t.Helper()
	d := &drained{
		system: fakes.NewActorSystem(), clock: clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
		closed: make(chan domain.Disconnect, sockets+1),
	}
	t.Cleanup(d.system.Shutdown)
	d.roster = d.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return New(d.clock, func(string, int) {}) }))
	for i := range sockets {
		d.open(t, "socket"+strconv.Itoa(i))
	}
	return d
}

func (d *drained) open(t *testing.T, name string) {
	t.Helper()
	pid, err := d.system.Root.SpawnNamed(actor.PropsFromFunc(func(ctx actor.Context) {
		if m, ok := ctx.Message().(*connection.Close); ok {
			d.closed <- m.Why
			ctx.Send(d.roster, &Left{Kind: Connection, PID: ctx.Self()})
		}
	}), name)
	require.NoError(t, err)
	d.system.Root.Send(d.roster, &Lives{Kind: Connection, PID: pid})
}

// drain begins a drain and returns the promise of its end.
func (d *drained) drain(kind Kind) *async.Promise {
	empty := async.NewPromise()
	d.system.Root.Send(d.roster, &HandOverAll{Kind: kind, Empty: empty})
	return empty
}

// settled waits until the roster has handled all messages, and has seen this number of ends.
func (d *drained) settled(t *testing.T, ends int) {
	t.Helper()
	for range ends {
		select {
		case why := <-d.closed:
			require.Equal(t, domain.DisconnectDraining, why)
		case <-time.After(patience):
			require.Fail(t, "a socket was not closed")
		}
	}
	require.NoError(t, d.drain(Task).Wait(t.Context())) // no task lives here
}

func TestRoster(t *testing.T) { // G19
	t.Parallel()
	// In each round as many sockets are closed as are needed to close the last ones at the end of Spread.
	for sockets, rounds := range map[int]int{1: 1, 49: 49, 50: 50, 51: 26, 2_000: 50, 10_000: 50} {
		t.Run("OKSpread"+strconv.Itoa(sockets), func(t *testing.T) {
			t.Parallel()
			d := newDrained(t, sockets)
			began := d.clock.Now()
			empty := d.drain(Connection)
			portion, left := (sockets+closeRounds-1)/closeRounds, sockets
			for round := range rounds {
				n := min(portion, left)
				d.settled(t, n)
				if left -= n; left == 0 {
					require.Equal(t, rounds-1, round)
					break
				}
				require.Empty(t, d.closed, "not more than one portion at a time")
				d.clock.Advance(Spread / closeRounds)
			}
			require.NoError(t, empty.Wait(t.Context()))
			require.Less(t, d.clock.Now().Sub(began), Spread)
			require.Zero(t, d.clock.Waiting())
		})
	}
	t.Run("OKLateSocket", func(t *testing.T) {
		t.Parallel()
		d := newDrained(t, 1)
		empty := d.drain(Connection)
		d.settled(t, 1)
		require.NoError(t, empty.Wait(t.Context()))
		d.open(t, "late")
		d.settled(t, 1)
	})
	t.Run("OKNobody", func(t *testing.T) {
		t.Parallel()
		d := newDrained(t, 0)
		for _, kind := range []Kind{Task, Conversation, Connection, Session} {
			require.NoError(t, d.drain(kind).Wait(t.Context()))
		}
	})
}
