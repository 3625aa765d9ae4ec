package actors

import (
	"context"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/fakes"
	"parley.dev/parley/internal/startstop/startstoptest"
)

// everyName lists the names of the actors of which every node has one.
func everyName() []string {
	return []string{wheelName, rosterName, fanoutName, sweeperName, teamsName, ownershipName, headsName, attendanceName, schedulerName}
}

func TestSystem_StartStop(t *testing.T) {
	t.Parallel()
	fresh := func(tb testing.TB) *System {
		tb.Helper()
		store := fakes.NewStore()
		c := Config{
			ActorSystem: fakes.NewActorSystem(), Journal: fakes.NewJournal(store), Conversations: store, Sessions: store, Analysts: store,
			Tasks: fakes.NewTasks(time.Unix(1_700_000_000, 0)), Runner: &scripted{}, Logger: quiet(),
		}
		tb.Cleanup(c.ActorSystem.Shutdown)
		s := New(c)
		s.AttachLocal("node-1")
		return s
	}
	startstoptest.Stress(t, 20, func(tb testing.TB) startstoptest.Subject {
		tb.Helper()
		s := fresh(tb)
		return startstoptest.Subject{
			Start: func() error { return s.Start(context.Background()) },
			Stop:  func() error { return s.Shutdown(context.Background()) },
			Ended: func(tb testing.TB) {
				tb.Helper()
				for _, name := range everyName() {
					_, there := s.c.ActorSystem.ProcessRegistry.Get(actor.NewPID(s.c.ActorSystem.Address(), name))
					require.False(tb, there, name)
				}
			},
		}
	})
	t.Run("ErrNameTaken", func(t *testing.T) {
		t.Parallel()
		s := fresh(t)
		_, err := s.root().SpawnNamed(actor.PropsFromFunc(func(actor.Context) {}), rosterName)
		require.NoError(t, err)
		require.ErrorContains(t, s.Start(t.Context()), "start the actors of the node")
		for _, name := range everyName() {
			_, there := s.c.ActorSystem.ProcessRegistry.Get(actor.NewPID(s.c.ActorSystem.Address(), name))
			require.Equal(t, name == rosterName, there, name)
		}
		require.NoError(t, s.Shutdown(t.Context()))
	})
}
