package gather_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/gather"
)

var errBad = errors.New("bad key")

// store answers groups: each key with its double. It waits for the gate if there is one.
type store struct {
	gate chan struct{}

	mu     sync.Mutex
	groups [][]int
	ended  int
}

func (s *store) answer(ctx context.Context, keys []int) ([]int, error) {
	s.mu.Lock()
	s.groups = append(s.groups, slices.Clone(keys))
	s.mu.Unlock()
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			s.mu.Lock()
			s.ended++
			s.mu.Unlock()
			return nil, ctx.Err()
		}
	}
	values := make([]int, len(keys))
	for i, k := range keys {
		if k < 0 {
			return nil, errBad
		}
		values[i] = 2 * k
	}
	return values, nil
}

func (s *store) sizes() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	sizes := make([]int, len(s.groups))
	for i := range s.groups {
		sizes[i] = len(s.groups[i])
	}
	return sizes
}

type outcome struct {
	key, value int
	err        error
}

// ask starts a request in a goroutine of the bubble and waits until it waits.
func ask(ctx context.Context, g *gather.Gatherer[int, int], out chan<- outcome, keys ...int) {
	for _, k := range keys {
		go func() {
			v, err := g.Do(ctx, k)
			out <- outcome{k, v, err}
		}()
		synctest.Wait()
	}
}

func TestGatherer_Do(t *testing.T) {
	t.Parallel()

	t.Run("OKAlone", func(t *testing.T) {
		t.Parallel()
		s := &store{}
		g := gather.New(gather.Config[int, int]{Answer: s.answer})
		for k := range 3 {
			v, err := g.Do(t.Context(), k)
			require.NoError(t, err)
			require.Equal(t, 2*k, v)
		}
		require.Equal(t, []int{1, 1, 1}, s.sizes())
	})

	t.Run("OKTogether", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := &store{gate: make(chan struct{})}
			g := gather.New(gather.Config[int, int]{Answer: s.answer, Most: 4, Lanes: 1})
			out := make(chan outcome, 10)
			ask(t.Context(), g, out, 0, 1, 2, 3, 4, 5)
			require.Equal(t, []int{1}, s.sizes(), "the others wait for the one in flight")
			for range 3 {
				s.gate <- struct{}{}
			}
			for range 6 {
				o := <-out
				require.NoError(t, o.err)
				require.Equal(t, 2*o.key, o.value)
			}
			require.Equal(t, []int{1, 4, 1}, s.sizes())
		})
	})

	t.Run("OKWholeGroupsInOtherLanes", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := &store{gate: make(chan struct{})}
			g := gather.New(gather.Config[int, int]{Answer: s.answer, Most: 2, Lanes: 2})
			out := make(chan outcome, 10)
			ask(t.Context(), g, out, 0, 1, 2, 3, 4)
			require.Equal(t, []int{1, 2}, s.sizes(), "no third lane")
			close(s.gate)
			for range 5 {
				require.NoError(t, (<-out).err)
			}
			require.Equal(t, []int{1, 2, 2}, s.sizes())
		})
	})

	t.Run("OKPastASlowGroup", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := &store{gate: make(chan struct{})}
			now := clock.NewFake(time.Unix(0, 0))
			g := gather.New(gather.Config[int, int]{Answer: s.answer, Slow: time.Second, Clock: now})
			out := make(chan outcome, 10)
			ask(t.Context(), g, out, 0, 1)
			require.Equal(t, []int{1}, s.sizes())
			now.Advance(time.Second)
			ask(t.Context(), g, out, 2)
			require.Equal(t, []int{1, 2}, s.sizes())
			close(s.gate)
			for range 3 {
				require.NoError(t, (<-out).err)
			}
		})
	})

	t.Run("ErrOfOneKey", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := &store{gate: make(chan struct{})}
			g := gather.New(gather.Config[int, int]{
				Answer: s.answer, Single: func(err error) bool { return errors.Is(err, errBad) },
			})
			out := make(chan outcome, 10)
			ask(t.Context(), g, out, 0, 1, 2, -3, 4, 5)
			close(s.gate)
			for range 6 {
				o := <-out
				if o.key < 0 {
					require.ErrorIs(t, o.err, errBad)
					continue
				}
				require.NoError(t, o.err)
				require.Equal(t, 2*o.key, o.value)
			}
		})
	})

	t.Run("ErrOfAll", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := &store{gate: make(chan struct{})}
			g := gather.New(gather.Config[int, int]{Answer: s.answer})
			out := make(chan outcome, 10)
			ask(t.Context(), g, out, 0, 1, -2)
			close(s.gate)
			for range 3 {
				o := <-out
				if o.key == 0 {
					require.NoError(t, o.err)
				} else {
					require.ErrorIs(t, o.err, errBad, "without Single the group fails as a whole")
				}
			}
			require.Equal(t, []int{1, 2}, s.sizes())
		})
	})

	t.Run("ErrCallerLeaves", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := &store{gate: make(chan struct{})}
			g := gather.New(gather.Config[int, int]{Answer: s.answer})
			out := make(chan outcome, 10)
			inFlight, leaveFlight := context.WithCancel(t.Context())
			leaving, leave := context.WithCancel(t.Context())
			ask(inFlight, g, out, 0)
			ask(leaving, g, out, 1)
			ask(t.Context(), g, out, 2)
			leave()
			require.ErrorIs(t, (<-out).err, context.Canceled)
			synctest.Wait()
			leaveFlight()
			require.ErrorIs(t, (<-out).err, context.Canceled)
			synctest.Wait()
			require.Equal(t, 1, s.ended, "a group without callers is ended")
			close(s.gate)
			o := <-out
			require.Equal(t, outcome{2, 4, nil}, o)
			require.Equal(t, [][]int{{0}, {2}}, s.groups, "who has left while waiting is not asked for")
			_, err := g.Do(leaving, 7)
			require.ErrorIs(t, err, context.Canceled)
		})
	})

	t.Run("ErrOneOfAGroupLeaves", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := &store{gate: make(chan struct{})}
			g := gather.New(gather.Config[int, int]{Answer: s.answer})
			out := make(chan outcome, 10)
			ask(t.Context(), g, out, 0, 1)
			leaving, leave := context.WithCancel(t.Context())
			ask(leaving, g, out, 2)
			s.gate <- struct{}{} // 1 and 2 are in flight now
			require.Equal(t, outcome{0, 0, nil}, <-out)
			synctest.Wait()
			leave()
			require.ErrorIs(t, (<-out).err, context.Canceled)
			s.gate <- struct{}{}
			require.Equal(t, outcome{1, 2, nil}, <-out)
			require.Zero(t, s.ended)
		})
	})

	t.Run("ErrLimit", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := &store{gate: make(chan struct{})}
			g := gather.New(gather.Config[int, int]{Answer: s.answer, Limit: time.Second})
			over := time.AfterFunc(time.Second+time.Nanosecond, func() { t.Error("the group takes longer than its limit") })
			_, err := g.Do(t.Context(), 1)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.True(t, over.Stop())
		})
	})

	t.Run("ErrPanic", func(t *testing.T) {
		t.Parallel()
		g := gather.New(gather.Config[int, int]{Answer: func(context.Context, []int) ([]int, error) { panic("no") }})
		for range 2 {
			_, err := g.Do(t.Context(), 1)
			require.ErrorContains(t, err, "panic: no")
		}
	})

	t.Run("ErrTooFewValues", func(t *testing.T) {
		t.Parallel()
		g := gather.New(gather.Config[int, int]{Answer: func(context.Context, []int) ([]int, error) { return nil, nil }})
		_, err := g.Do(t.Context(), 1)
		require.ErrorContains(t, err, "0 values for 1 keys")
	})
}

// Many callers, some of whom leave: each that stays gets the value of its own key.
func TestGatherer_Crowd(t *testing.T) {
	t.Parallel()
	s := &store{}
	g := gather.New(gather.Config[int, int]{
		Answer: s.answer, Single: func(err error) bool { return errors.Is(err, errBad) }, Most: 16,
	})
	var all sync.WaitGroup
	for n := range 200 {
		all.Go(func() {
			for i := range 50 {
				k := n*50 + i
				switch {
				case k%97 == 0:
					_, err := g.Do(t.Context(), -1-k)
					require.ErrorIs(t, err, errBad)
				case k%31 == 0:
					ctx, cancel := context.WithCancel(t.Context())
					go cancel()
					if v, err := g.Do(ctx, k); err == nil {
						require.Equal(t, 2*k, v)
					} else {
						require.ErrorIs(t, err, context.Canceled)
					}
				default:
					v, err := g.Do(t.Context(), k)
					require.NoError(t, err)
					require.Equal(t, 2*k, v)
				}
			}
		})
	}
	all.Wait()
}
