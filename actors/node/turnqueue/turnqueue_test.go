package turnqueue

import (
	"fmt"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

const patience = time.Minute

func TestTurnQueue(t *testing.T) { // G17
	t.Parallel()
	system := fakes.NewActorSystem()
	t.Cleanup(system.Shutdown)
	now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	var waiting, refused int
	var waited []time.Duration
	queue := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return New(Config{
			Clock: now, Slots: 2, Waiting: func(n int) { waiting = n }, Refused: func() { refused++ },
			Waited: func(d time.Duration) { waited = append(waited, d) },
		})
	}))
	got := make(chan string, 10_000)
	turns := make([]*actor.PID, waitingMostPerson+4)
	for i := range turns {
		var err error
		turns[i], err = system.Root.SpawnNamed(actor.PropsFromFunc(func(ctx actor.Context) {
			if m, ok := ctx.Message().(*protocol.TurnSlot); ok {
				got <- fmt.Sprint(i, " ", m.Refused)
			}
		}), fmt.Sprint("turn-", i))
		require.NoError(t, err)
	}
	// settled waits until the queue has handled everything, so that its counts can be read.
	settled := func() {
		t.Helper()
		_, err := system.Root.RequestFuture(queue, &actor.Touch{}, patience).Result()
		require.NoError(t, err)
	}
	ask := func(i int) { system.Root.Send(queue, &Ask{PID: turns[i], Organisation: 1, Person: 1}) }

	ask(0)
	require.Equal(t, "0 false", <-got)
	ask(0)
	require.Equal(t, "0 false", <-got, "a turn that asks again gets the same answer")
	ask(1)
	require.Equal(t, "1 false", <-got)
	ask(2)
	ask(2)
	settled()
	require.Equal(t, 1, waiting)
	now.Advance(7 * time.Second)
	system.Root.Send(queue, &Leave{PID: turns[0]})
	require.Equal(t, "2 false", <-got)
	settled()
	require.Zero(t, waiting)
	require.Equal(t, []time.Duration{7 * time.Second}, waited)

	for i := range waitingMostPerson {
		ask(3 + i)
	}
	ask(3 + waitingMostPerson)
	require.Equal(t, fmt.Sprint(3+waitingMostPerson, " true"), <-got)
	settled()
	require.Equal(t, waitingMostPerson, waiting)
	require.Equal(t, 1, refused)
	system.Root.Send(queue, &Leave{PID: turns[3]})
	settled()
	require.Equal(t, waitingMostPerson-1, waiting, "one that waits may leave")
	require.Empty(t, got)
}
