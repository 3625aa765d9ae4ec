package pace_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/pace"
	"parley.dev/parley/internal/clock"
)

// manual is a clock that moves when it is told to.
type manual struct {
	mu     sync.Mutex
	now    time.Time
	timers []*timer
	armed  chan struct{}
}

type timer struct {
	at      time.Time
	f       func()
	stopped bool
}

func (t *timer) Stop() bool { t.stopped = true; return true }

func (m *manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

func (m *manual) AfterFunc(d time.Duration, f func()) clock.Timer {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &timer{at: m.now.Add(d), f: f}
	m.timers = append(m.timers, t)
	select {
	case m.armed <- struct{}{}:
	default:
	}
	return t
}

func (m *manual) advance(d time.Duration) {
	m.mu.Lock()
	m.now = m.now.Add(d)
	var due []*timer
	var kept []*timer
	for _, t := range m.timers {
		if t.at.After(m.now) {
			kept = append(kept, t)
		} else if !t.stopped {
			due = append(due, t)
		}
	}
	m.timers = kept
	m.mu.Unlock()
	for _, t := range due {
		t.f()
	}
}

func TestWaiter_Until(t *testing.T) {
	t.Parallel()
	setup := func() (*manual, *pace.Wheel) {
		m := &manual{now: time.Unix(1000, 0), armed: make(chan struct{}, 1)}
		return m, pace.NewWheel(pace.Config{Clock: m, Tick: 10 * time.Millisecond})
	}

	t.Run("PastSetsNoTimer", func(t *testing.T) {
		t.Parallel()
		m, w := setup()
		require.NoError(t, w.Waiter().Until(t.Context(), m.Now()))
		require.Empty(t, m.timers)
	})

	t.Run("WakesAtItsTickAndNotBefore", func(t *testing.T) {
		t.Parallel()
		for _, wait := range []time.Duration{time.Millisecond, 10 * time.Millisecond, 333 * time.Millisecond, 7 * time.Second, time.Minute} {
			m, w := setup()
			at := m.Now().Add(wait)
			done := make(chan time.Time, 1)
			go func() {
				if w.Waiter().Until(context.Background(), at) == nil {
					done <- m.Now()
				}
			}()
			<-m.armed
			for {
				m.advance(10 * time.Millisecond)
				if !m.Now().Before(at) {
					break
				}
				require.Empty(t, done)
			}
			woke := <-done
			require.False(t, woke.Before(at))
		}
	})

	t.Run("ALateWheelWakesAll", func(t *testing.T) {
		t.Parallel()
		m, w := setup()
		const n = 100
		done := make(chan error, n)
		start := m.Now()
		for i := range n {
			go func() {
				done <- w.Waiter().Until(context.Background(), start.Add(time.Duration(i+1)*100*time.Millisecond))
			}()
		}
		<-m.armed
		for woken := 0; woken < n; {
			m.advance(time.Hour)
			select {
			case err := <-done:
				require.NoError(t, err)
				woken++
			case <-m.armed:
			}
		}
	})

	t.Run("CancelEndsTheWait", func(t *testing.T) {
		t.Parallel()
		m, w := setup()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- w.Waiter().Until(ctx, m.Now().Add(time.Hour)) }()
		<-m.armed
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
	})
}

func BenchmarkWheel5000StreamsOf20(b *testing.B) {
	w := pace.NewWheel(pace.Config{})
	var wg sync.WaitGroup
	for i := range 5000 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := w.Waiter()
			at := w.Now().Add(time.Duration(i) * 10 * time.Microsecond)
			for range 40 {
				at = at.Add(50 * time.Millisecond)
				if p.Until(context.Background(), at) != nil {
					return
				}
			}
		}()
	}
	wg.Wait()
}
