package cluster

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// TestMembership_Renew tests the lease with a fake clock: only this node's monotonic time
// since the last successful renewal counts.
func TestMembership_Renew(t *testing.T) {
	t.Parallel()

	setup := func(t *testing.T) (*membership, *table, *clock.Fake, *[]string) {
		t.Helper()
		s, c := newTable(), clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		var reasons []string
		m := newMembership(&Config{
			Members: s, Clock: c, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: defaultLease,
			OnFenced: func(r string) { reasons = append(reasons, r) },
		}, domain.Member{Node: "a@1", Name: "a"})
		return m, s, c, &reasons
	}

	t.Run("FailingRenewalsLoseTrustAtFourAndTheNodeAtSixSeconds", func(t *testing.T) {
		t.Parallel()
		m, s, c, reasons := setup(t)
		s.failRenewals(errors.New("no answer"))
		require.True(t, m.trusted())
		c.Advance(4*time.Second - time.Millisecond)
		require.True(t, m.renew(t.Context()))
		require.True(t, m.trusted())
		c.Advance(time.Millisecond)
		require.False(t, m.trusted(), "after four seconds no more calls")
		c.Advance(2*time.Second - time.Millisecond)
		require.True(t, m.renew(t.Context()))
		require.Empty(t, *reasons)
		c.Advance(time.Millisecond)
		require.False(t, m.renew(t.Context()), "after six seconds the node is fenced")
		require.Equal(t, []string{"the lease ran out"}, *reasons)
		require.EqualValues(t, 1, m.fences.Load())
	})

	t.Run("AReportThatCannotBeWrittenCostsNoLease", func(t *testing.T) {
		t.Parallel()
		m, s, c, reasons := setup(t)
		m.report = func(r *domain.NodeReport) { r.Running = 7 }
		require.NoError(t, s.Join(t.Context(), m.self, defaultLease))
		s.reportErr = errors.New("no answer")
		c.Advance(2 * time.Second)
		require.True(t, m.renew(t.Context()))
		require.Zero(t, m.sinceRenewal())
		require.Empty(t, *reasons)
		s.reportErr = nil
		require.True(t, m.renew(t.Context()))
		require.Equal(t, 7, s.report(m.self.Node).Running)
	})

	t.Run("ComparesTheClocks", func(t *testing.T) {
		t.Parallel()
		m, s, c, _ := setup(t)
		s.clock = c
		require.NoError(t, s.Join(t.Context(), m.self, defaultLease))
		for _, ahead := range []time.Duration{0, 90 * time.Second, -time.Minute} {
			s.set(ahead)
			require.NoError(t, m.refresh(t.Context()))
			require.Equal(t, ahead, time.Duration(m.ahead.Load()))
		}
	})

	t.Run("RenewsEverySecond", func(t *testing.T) {
		t.Parallel()
		m, _, c, _ := setup(t)
		require.Equal(t, time.Second, m.nextDelay())
		c.Advance(700 * time.Millisecond)
		require.Equal(t, 300*time.Millisecond, m.nextDelay(), "a slow read delays no renewal")
		c.Advance(time.Second)
		require.Equal(t, 250*time.Millisecond, m.nextDelay(), "while renewals fail")
	})

	t.Run("GivesNothingNewToALeaseThatHasEnded", func(t *testing.T) {
		t.Parallel()
		m, _, c, _ := setup(t)
		a, b := domain.Member{Node: "a@1", Left: defaultLease}, domain.Member{Node: "b@1", Left: time.Second}
		m.seen.Store(&sight{members: []domain.Member{a, b}})
		require.Equal(t, []domain.Member{a, b}, m.present())
		c.Advance(time.Second)
		require.Equal(t, []domain.Member{a}, m.present())
		_, known := m.member("b@1")
		require.True(t, known, "the row decides whether an owner is alive")
	})

	// An operator's request is read with the members, and handled once.
	t.Run("IsAskedToDrain", func(t *testing.T) { // G19
		t.Parallel()
		m, s, c, reasons := setup(t)
		heard := 0
		m.onDrain = func() { heard++ }
		require.NoError(t, s.Join(t.Context(), m.self, defaultLease))
		require.NoError(t, s.Join(t.Context(), domain.Member{Node: "b@1", Name: "b"}, defaultLease))
		s.askToDrain("b@1")
		for range 20 { // the table has no order
			require.NoError(t, m.refresh(t.Context()))
			require.Zero(t, heard, "another node is asked")
		}
		s.askToDrain(m.self.Node)
		for range 3 {
			c.Advance(time.Second)
			require.True(t, m.renew(t.Context()))
			require.Equal(t, 1, heard)
		}
		require.True(t, m.trusted(), "the lease goes on while it drains")
		require.Empty(t, *reasons)
	})

	t.Run("DeclaredDeadExitsAtOnce", func(t *testing.T) {
		t.Parallel()
		m, _, _, reasons := setup(t)
		require.False(t, m.renew(t.Context()))
		require.Equal(t, []string{"the cluster has declared this node dead"}, *reasons)
	})
}

// A node that joins others is known when they have read the members again: every one of them does so within a second.
// A node that is alone waits for nobody.
func TestMembership_Known(t *testing.T) { // G19
	t.Parallel()
	for _, others := range []int{0, 2} {
		t.Run(strconv.Itoa(others), func(t *testing.T) {
			t.Parallel()
			s, c := newTable(), clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
			system := fakes.NewActorSystem()
			t.Cleanup(system.Shutdown)
			for i := range others {
				name := strconv.Itoa(i)
				require.NoError(t, s.Join(t.Context(), domain.Member{Node: name + "@1", Name: name, Address: "127.0.0.1:1"}, time.Minute))
			}
			m := newMembership(&Config{
				Members: s, Clock: c, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: defaultLease,
				OnFenced: func(reason string) { t.Error(reason) },
			}, domain.Member{Node: "a@1", Name: "a"})
			c.Advance(time.Minute) // its program took some time to start
			require.NoError(t, m.start(t.Context(), system))
			t.Cleanup(func() { require.NoError(t, m.shutdown(context.Background())) })
			if others > 0 {
				require.False(t, m.known())
				c.Advance(m.renewEvery())
				require.False(t, m.known(), "another node may read right now")
				c.Advance(renewPause)
			}
			require.True(t, m.known())
		})
	}
}

// This test has two nodes, and a database whose clock is changed: only the time counts for
// which a node has seen a lease without a renewal.
func TestMembership_DatabaseClock(t *testing.T) { // F43
	t.Parallel()
	type bundle struct {
		table  *table
		clock  *clock.Fake
		a, b   *membership
		fenced *[]string
	}
	setup := func(t *testing.T) *bundle {
		t.Helper()
		_, gone := listening(t)
		b := &bundle{table: newTable(), clock: clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), fenced: &[]string{}}
		b.table.clock = b.clock
		member := func(name string) *membership {
			self := domain.Member{Node: name + "@1", Name: name, Address: gone}
			m := newMembership(&Config{
				Members: b.table, Clock: b.clock, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: defaultLease,
				OnFenced: func(r string) { *b.fenced = append(*b.fenced, name+": "+r) },
			}, self)
			require.NoError(t, b.table.Join(t.Context(), self, defaultLease))
			return m
		}
		b.a, b.b = member("a"), member("b")
		for _, m := range []*membership{b.a, b.b} {
			require.NoError(t, m.refresh(t.Context()))
			require.Len(t, m.living(), 2)
		}
		return b
	}
	lives := func(m *membership, node string) bool {
		_, ok := m.lives(node)
		return ok
	}
	t.Run("SetAhead", func(t *testing.T) {
		t.Parallel()
		for _, ahead := range []time.Duration{7 * time.Second, 24 * time.Hour} {
			b := setup(t)
			b.clock.Advance(time.Second / 2)
			b.table.set(ahead)
			b.a.tryRefresh(t.Context())
			b.b.tryRefresh(t.Context())
			require.True(t, lives(b.a, "b@1"))
			require.True(t, lives(b.b, "a@1"))
			require.Len(t, b.a.present(), 2)
			b.clock.Advance(time.Second / 2)
			require.True(t, b.a.renew(t.Context()), "by the changed clock its lease has ended")
			require.True(t, b.b.renew(t.Context()))
			for range 10 {
				b.clock.Advance(time.Second)
				require.True(t, b.a.renew(t.Context()))
				require.True(t, b.b.renew(t.Context()))
				require.True(t, lives(b.a, "b@1"))
			}
			require.Empty(t, *b.fenced)
		}
	})
	// The others have not seen the latest renewal when the clock is changed: that they read a
	// lease that has ended does not mean that it was not renewed a moment ago.
	t.Run("SetAheadBetweenARenewalAndALook", func(t *testing.T) {
		t.Parallel()
		for _, ahead := range []time.Duration{7 * time.Second, 24 * time.Hour} {
			b := setup(t)
			b.clock.Advance(time.Second / 2)
			require.NoError(t, b.table.Renew(t.Context(), "b@1", 0, defaultLease))
			b.table.set(ahead)
			b.clock.Advance(time.Second / 2)
			b.a.lost = func(m domain.Member) { t.Errorf("%s is lost", m.Node) }
			require.True(t, b.a.renew(t.Context()))
			require.True(t, lives(b.a, "b@1"))
			require.Len(t, b.a.present(), 2)
			// If that was its last renewal, its lease ends all the same, by this node's clock.
			b.a.lost = func(domain.Member) {}
			for range 6 {
				b.clock.Advance(time.Second)
				require.True(t, b.a.renew(t.Context()))
			}
			require.False(t, lives(b.a, "b@1"))
			require.Empty(t, *b.fenced)
		}
	})
	t.Run("SetBack", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.table.set(-time.Hour)
		// The other node dies now: by the database's clock its lease would last for an hour.
		for range 2 {
			b.clock.Advance(2 * time.Second)
			require.True(t, b.a.renew(t.Context()))
		}
		left, err := b.table.Members(t.Context())
		require.NoError(t, err)
		require.Len(t, left, 1, "its process has ended, and its renewal is late")
		require.False(t, lives(b.a, "b@1"))
		require.True(t, lives(b.a, "a@1"))
		require.False(t, b.b.renew(t.Context()))
		require.Equal(t, []string{"b: the cluster has declared this node dead"}, *b.fenced)
	})
	t.Run("SetBackAndTheMachineIsGone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		there, _ := listening(t)
		b.table.mu.Lock()
		m := b.table.members["b@1"]
		m.Address = there // nothing refuses
		b.table.members["b@1"] = m
		b.table.mu.Unlock()
		b.table.set(-time.Hour)
		for range 5 {
			b.clock.Advance(time.Second)
			require.True(t, b.a.renew(t.Context()))
			require.True(t, lives(b.a, "b@1"))
		}
		b.clock.Advance(time.Second)
		require.False(t, lives(b.a, "b@1"), "between two reads as well")
		require.True(t, b.a.renew(t.Context()))
		left, err := b.table.Members(t.Context())
		require.NoError(t, err)
		require.Len(t, left, 1)
		// The node was only disconnected, and reconnects later: by its own clock it is fenced as well.
		require.False(t, b.b.renew(t.Context()))
		require.Equal(t, []string{"b: the lease ran out"}, *b.fenced)
	})
	t.Run("SeenFirstWhenItHasEnded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.table.set(time.Minute)
		c := newMembership(&Config{
			Members: b.table, Clock: b.clock, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: defaultLease,
			OnFenced: func(string) {},
		}, domain.Member{Node: "c@1", Name: "c"})
		there, _ := listening(t)
		require.NoError(t, b.table.Join(t.Context(), domain.Member{Node: "c@1", Name: "c"}, 2*time.Minute))
		b.table.mu.Lock()
		for node, m := range b.table.members {
			m.Address = there
			b.table.members[node] = m
		}
		b.table.mu.Unlock()
		require.NoError(t, c.refresh(t.Context()))
		require.Equal(t, []string{"c@1"}, nodesOf(c.living()), "the other living members are not known yet")
		left, err := b.table.Members(t.Context())
		require.NoError(t, err)
		require.Len(t, left, 3, "a node that has just started declares no node dead")
		require.True(t, b.a.renew(t.Context()))
		require.True(t, b.b.renew(t.Context()))
		require.NoError(t, c.refresh(t.Context()))
		require.Len(t, c.living(), 3)
	})
}
