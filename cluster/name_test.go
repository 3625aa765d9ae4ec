package cluster

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

// Two processes with one name would end each other's leases for ever. The second one does not
// start, and the first one is not disturbed. After a crash a node does not wait.
func TestMembership_Name(t *testing.T) {
	t.Parallel()
	type bundle struct {
		*table
		clock *clock.Fake
		// began is sent the result of the start of the second process.
		began chan error
		log   *lines
	}
	// setup starts a node while an earlier one of its name may run.
	setup := func(t *testing.T, earlier domain.Member, lease time.Duration) *bundle {
		t.Helper()
		b := &bundle{
			table: newTable(), clock: clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), began: make(chan error, 1), log: &lines{},
		}
		b.table.clock = b.clock
		require.NoError(t, b.Join(t.Context(), earlier, lease))
		system := fakes.NewActorSystem()
		t.Cleanup(system.Shutdown)
		m := newMembership(&Config{
			Members: b.table, Clock: b.clock, Logger: slog.New(b.log), Load: func() float64 { return 0 }, Lease: defaultLease,
			OnFenced: func(string) {},
		}, domain.Member{Node: "a@2", Name: "a"})
		ctx := t.Context()
		go func() { b.began <- m.start(ctx, system) }()
		t.Cleanup(func() { require.NoError(t, m.shutdown(context.Background())) })
		return b
	}
	// result waits for the end of the start while time passes; each is called for each step.
	result := func(t *testing.T, b *bundle, each func()) error {
		t.Helper()
		until := time.After(patience)
		for {
			select {
			case err := <-b.began:
				return err
			case <-until:
				require.Fail(t, "the start does not end")
			default:
			}
			if b.clock.Waiting() > 0 {
				each()
				b.clock.Advance(renewPause)
			}
		}
	}
	nodes := func(t *testing.T, b *bundle) []string {
		t.Helper()
		members, err := b.Members(t.Context())
		require.NoError(t, err)
		return nodesOf(members)
	}
	const waiting = "WARN a node with this node's name may still run: waiting for the end of its lease"

	t.Run("ErrTheOtherOneRuns", func(t *testing.T) {
		t.Parallel()
		there, _ := listening(t)
		b := setup(t, domain.Member{Node: "a@1", Name: "a", Address: there}, defaultLease)
		steps := 0
		err := result(t, b, func() {
			if steps++; steps == 5 {
				require.NoError(t, b.Renew(t.Context(), "a@1", 0, defaultLease))
			}
		})
		require.Equal(t, domain.CodeConflict, domain.CodeOf(err))
		require.ErrorContains(t, err, "PARLEY_NODE")
		require.ErrorContains(t, err, there)
		require.Equal(t, []string{"a@1"}, nodes(t, b), "it keeps its lease")
		require.Equal(t, 1, b.log.has(waiting))
	})

	t.Run("TheOtherOneHangs", func(t *testing.T) {
		t.Parallel()
		there, _ := listening(t)
		b := setup(t, domain.Member{Node: "a@1", Name: "a", Address: there}, defaultLease)
		began := b.clock.Now()
		require.NoError(t, result(t, b, func() {}))
		require.Equal(t, []string{"a@2"}, nodes(t, b))
		require.GreaterOrEqual(t, b.clock.Now().Sub(began), defaultLease)
	})

	for name, earlier := range map[string]struct {
		address func(t *testing.T) string
		lease   time.Duration
	}{
		"TheOtherOneHasCrashed": {func(t *testing.T) string { t.Helper(); _, gone := listening(t); return gone }, defaultLease},
		"ItsLeaseHasEnded":      {func(t *testing.T) string { t.Helper(); there, _ := listening(t); return there }, -time.Second},
		"ItHadThisAddress":      {func(*testing.T) string { return fakes.NewActorSystem().Address() }, defaultLease},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, domain.Member{Node: "a@1", Name: "a", Address: earlier.address(t)}, earlier.lease)
			select {
			case err := <-b.began:
				require.NoError(t, err)
			case <-time.After(patience):
				require.Fail(t, "it waits")
			}
			require.Equal(t, []string{"a@2"}, nodes(t, b))
			require.Zero(t, b.log.has(waiting))
		})
	}
}

// A node that was declared dead learns it from the next reading of the table, a second later
// at most. The clock of a virtual machine that was paused has not moved meanwhile, so by its
// own measure its lease is fresh, and it would claim what others own.
func TestMembership_PausedMachine(t *testing.T) { // F06
	t.Parallel()
	s, c := newTable(), clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	var reasons []string
	m := newMembership(&Config{
		Members: s, Clock: c, Logger: slog.New(slog.DiscardHandler), Load: func() float64 { return 0 }, Lease: defaultLease,
		OnFenced: func(r string) { reasons = append(reasons, r) },
	}, domain.Member{Node: "a@1", Name: "a"})
	require.NoError(t, s.Join(t.Context(), m.self, defaultLease))
	require.True(t, m.renew(t.Context()))
	require.NoError(t, s.Leave(t.Context(), "a@1")) // as the others do when its lease has ended
	require.True(t, m.trusted(), "its clock stood still")
	require.LessOrEqual(t, m.nextDelay(), time.Second)
	require.False(t, m.renew(t.Context()))
	require.Equal(t, []string{"the cluster has declared this node dead"}, reasons)
}
