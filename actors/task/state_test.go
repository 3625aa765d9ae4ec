package task

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/domain"
)

const idle = time.Minute

var errStore = errors.New("no answer")

// begun returns a state whose claim has succeeded.
func begun(t *testing.T, now time.Time) *State {
	t.Helper()
	s := NewState(idle)
	require.Equal(t, []Output{Claim{}, CheckIdleAfter{idle}}, s.Apply(Started{}, now))
	require.Empty(t, s.Apply(Claimed{}, now))
	return s
}

func TestState_Step(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	conversation := uuid.New()
	nothing := Fired{Result: &domain.TaskFired{}}

	t.Run("OK fires and begins the conversation", func(t *testing.T) {
		t.Parallel()
		s := begun(t, now)
		require.Equal(t, []Output{Fire{}}, s.Apply(Wake{}, now))
		require.Equal(t, []Output{Begin{conversation}}, s.Apply(Fired{Result: &domain.TaskFired{Conversation: conversation}}, now))
	})
	t.Run("OK a wake before the claim waits for it", func(t *testing.T) {
		t.Parallel()
		s := NewState(idle)
		s.Apply(Started{}, now)
		require.Empty(t, s.Apply(Wake{}, now))
		require.Equal(t, []Output{Fire{}}, s.Apply(Claimed{}, now))
	})
	t.Run("OK wakes while firing are one", func(t *testing.T) {
		t.Parallel()
		s := begun(t, now)
		s.Apply(Wake{}, now)
		require.Empty(t, s.Apply(Wake{}, now))
		require.Empty(t, s.Apply(Wake{}, now))
		require.Equal(t, []Output{Fire{}}, s.Apply(nothing, now))
		require.Empty(t, s.Apply(nothing, now))
	})
	t.Run("OK looks again when more was missed than was written", func(t *testing.T) {
		t.Parallel()
		s := begun(t, now)
		s.Apply(Wake{}, now)
		require.Equal(t, []Output{Fire{}}, s.Apply(Fired{Result: &domain.TaskFired{Again: true}}, now))
	})
	t.Run("OK releases it when it is not used", func(t *testing.T) {
		t.Parallel()
		s := begun(t, now)
		s.Apply(Wake{}, now.Add(idle/2))
		s.Apply(nothing, now.Add(idle/2))
		require.Equal(t, []Output{CheckIdleAfter{idle / 2}}, s.Apply(CheckIdle{}, now.Add(idle)))
		require.Equal(t, []Output{Release{}}, s.Apply(CheckIdle{}, now.Add(2*idle)))
		require.Empty(t, s.Apply(Wake{}, now.Add(2*idle)), "it does not fire any more")
		require.Equal(t, []Output{End{}}, s.Apply(Released{}, now.Add(2*idle)))
	})
	t.Run("OK a hand-over waits for the firing", func(t *testing.T) {
		t.Parallel()
		s := begun(t, now)
		s.Apply(Wake{}, now)
		require.Empty(t, s.Apply(HandOver{}, now))
		require.Equal(t, []Output{Begin{conversation}, Release{}}, s.Apply(Fired{Result: &domain.TaskFired{Conversation: conversation}}, now))
	})
	for name, code := range map[string]domain.Code{"ErrFenced": domain.CodeFenced, "ErrDeleted": domain.CodeNotFound} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begun(t, now)
			s.Apply(Wake{}, now)
			require.Equal(t, []Output{End{}}, s.Apply(Fired{Err: domain.Errorf(code, "gone")}, now))
			require.Empty(t, s.Apply(Wake{}, now))
		})
	}
	t.Run("ErrClaim ends", func(t *testing.T) {
		t.Parallel()
		s := NewState(idle)
		s.Apply(Started{}, now)
		require.Equal(t, []Output{Trouble{errStore}, End{}}, s.Apply(Claimed{Err: errStore}, now))
	})
	t.Run("ErrChanged waits for the next look", func(t *testing.T) {
		t.Parallel()
		s := begun(t, now)
		s.Apply(Wake{}, now)
		require.Empty(t, s.Apply(Fired{Err: domain.Errorf(domain.CodeConflict, "changed")}, now))
		require.Equal(t, []Output{Fire{}}, s.Apply(Wake{}, now))
	})
	t.Run("ErrStore is tried again with growing pauses", func(t *testing.T) {
		t.Parallel()
		now := now
		s := begun(t, now)
		require.Equal(t, []Output{Fire{}}, s.Apply(Wake{}, now))
		for _, rest := range []time.Duration{pause, 2 * pause, 4 * pause} {
			require.Equal(t, []Output{Trouble{errStore}}, s.Apply(Fired{Err: errStore}, now))
			require.Empty(t, s.Apply(Wake{}, now.Add(rest-1)))
			now = now.Add(rest)
			require.Equal(t, []Output{Fire{}}, s.Apply(Wake{}, now))
		}
		for range 20 {
			s.Apply(Fired{Err: errStore}, now)
			now = now.Add(pauseMax)
			require.Equal(t, []Output{Fire{}}, s.Apply(Wake{}, now), "never more than %v", pauseMax)
		}
	})
}

// TestState_simulation drives the state machine with every kind of input in random order,
// delays and crashes included. At any time at most one call of the store is running,
// nothing is done after the end, and every wake is handled.
func TestState_simulation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := NewState(idle)
		now := time.Unix(1_700_000_000, 0)
		var under Output // the call of the store that is running
		over := false
		unseen := false // there was a wake, and no firing has begun since
		take := func(outputs []Output) {
			for _, o := range outputs {
				require.False(t, over, "%T after the end", o)
				switch o.(type) {
				case Claim, Fire, Release:
					require.Nil(t, under, "%T while %T is in progress", o, under)
					under = o
					if _, ok := o.(Fire); ok {
						unseen = false
					}
				case End:
					require.Nil(t, under, "the end while %T is in progress", under)
					over = true
				}
			}
		}
		fail := func() error {
			return rapid.SampledFrom([]error{
				nil, nil, nil, errStore, domain.Errorf(domain.CodeFenced, ""), domain.Errorf(domain.CodeConflict, ""),
				domain.Errorf(domain.CodeUnavailable, ""),
			}).Draw(t, "error")
		}
		take(s.Apply(Started{}, now))
		for range rapid.IntRange(1, 60).Draw(t, "inputs") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(idle)).Draw(t, "pause")))
			switch rapid.IntRange(0, 6).Draw(t, "input") {
			case 0, 1:
				unseen = !over
				take(s.Apply(Wake{}, now))
			case 2:
				take(s.Apply(CheckIdle{}, now))
			case 3:
				if rapid.IntRange(0, 5).Draw(t, "drain") == 0 {
					take(s.Apply(HandOver{}, now))
				}
			default: // the store answers
				was := under
				under = nil
				switch was.(type) {
				case Claim:
					take(s.Apply(Claimed{Err: fail()}, now))
				case Fire:
					if err := fail(); err != nil {
						take(s.Apply(Fired{Err: err}, now))
					} else {
						take(s.Apply(Fired{Result: &domain.TaskFired{Again: rapid.Bool().Draw(t, "again")}}, now))
					}
				case Release:
					take(s.Apply(Released{}, now))
				}
			}
		}
		// With a store that answers, every wake leads to a firing or to an end.
		for range 10 {
			now = now.Add(2 * pauseMax)
			was := under
			under = nil
			switch was.(type) {
			case Claim:
				take(s.Apply(Claimed{}, now))
			case Fire:
				take(s.Apply(Fired{Result: &domain.TaskFired{}}, now))
			case Release:
				take(s.Apply(Released{}, now))
			default:
				take(s.Apply(Wake{}, now))
			}
		}
		require.True(t, over || !unseen, "a wake was not handled")
	})
}
