package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// slowLook is a store in which a look for orphans takes a while.
type slowLook struct {
	domain.ConversationStore
	clock *clock.Fake
	found []uuid.UUID
	looks atomic.Int32
}

func (s *slowLook) Orphans(context.Context, int) ([]uuid.UUID, error) {
	s.looks.Add(1)
	s.clock.Advance(30 * time.Millisecond)
	return s.found, nil
}

func (*slowLook) TeamChanges(context.Context, string, string) (*domain.TeamChanges, error) {
	return &domain.TeamChanges{}, nil
}

// A look that found nothing is followed by a rest as it was long; with something found
// there may be more.
func TestSweeper_Rests(t *testing.T) {
	t.Parallel()
	const every = 500 * time.Millisecond
	for name, c := range map[string]struct {
		found []uuid.UUID
		looks []int32 // after each pause
	}{
		"NothingFound": {looks: []int32{1, 1, 2, 2, 2, 3}},
		"Found":        {found: []uuid.UUID{domain.NewID()}, looks: []int32{2, 3, 4, 5, 6, 7}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			system := fakes.NewActorSystem()
			t.Cleanup(system.Shutdown)
			now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			store := &slowLook{clock: now, found: c.found}
			pid := system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
				return &sweeper{
					lookout: lookout{clock: now, every: every}, store: store, log: quiet(),
					locate: func(context.Context, string, string) *actor.PID { return nil },
				}
			}))
			looked := func() {
				require.Eventually(t, func() bool { return now.Waiting() == 1 }, time.Minute, time.Millisecond)
			}
			system.Root.Send(pid, &lookAgain{})
			looked()
			require.Equal(t, int32(1), store.looks.Load())
			for i, want := range c.looks {
				now.Advance(every)
				looked()
				require.Equal(t, want, store.looks.Load(), i)
			}
		})
	}
}
