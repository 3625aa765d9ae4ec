package shared_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestSeats_Take(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		person, address := domain.Seat{Key: "person/1", Most: 2}, domain.Seat{Key: "address/a", Most: 3}
		one, two := b.nodes[0].Seats, b.nodes[1].Seats
		release, ok := one.Take(t.Context(), person, address)
		require.True(t, ok)
		_, ok = two.Take(t.Context(), person, address)
		require.True(t, ok)
		_, ok = one.Take(t.Context(), person, address)
		require.False(t, ok, "both nodes together hold two")
		_, ok = two.Take(t.Context(), person, address)
		require.False(t, ok)

		other := domain.Seat{Key: "person/2", Most: 2}
		_, ok = one.Take(t.Context(), other, address)
		require.True(t, ok, "the refused attempts hold no seat of the address")
		_, ok = two.Take(t.Context(), other, address)
		require.False(t, ok, "the address is full")

		release()
		release()
		taken := false
		eventually(t, "the seat is free again, once", func() bool {
			if _, ok := two.Take(t.Context(), person, address); ok {
				taken = true
			}
			return taken
		})
		_, ok = one.Take(t.Context(), person, address)
		require.False(t, ok)
		for range 50 {
			_, ok = one.Take(t.Context(), domain.Seat{Key: "person/3", Most: -1})
			require.True(t, ok, "without a limit")
		}
	})
}

func TestSeats_LostNode(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		if !b.shares {
			t.Skip("a single process that is lost takes its seats with it")
		}
		seat := domain.Seat{Key: "person/1", Most: 3}
		for range 3 {
			_, ok := b.nodes[0].Seats.Take(t.Context(), seat)
			require.True(t, ok)
		}
		_, ok := b.nodes[1].Seats.Take(t.Context(), seat)
		require.False(t, ok)
		b.kill(b.nodes[0])
		_, ok = b.nodes[1].Seats.Take(t.Context(), seat)
		require.False(t, ok, "the lease is still valid")
		b.advance(16 * time.Second)
		_, ok = b.nodes[1].Seats.Take(t.Context(), seat)
		require.True(t, ok, "the seats of a lost node are free when its lease has ended")
	})
}

func TestSeats_Emptied(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		if !b.shares {
			t.Skip("nothing to empty")
		}
		seat := domain.Seat{Key: "person/1", Most: 2}
		release, ok := b.nodes[0].Seats.Take(t.Context(), seat)
		require.True(t, ok)
		_, ok = b.nodes[0].Seats.Take(t.Context(), seat)
		require.True(t, ok)
		b.empty(t)
		_, ok = b.nodes[0].Seats.Take(t.Context(), seat)
		require.False(t, ok, "the node itself knows what it holds")
		b.nodes[0].Renew(t.Context())
		third := b.open(t)
		eventually(t, "what the node holds is written again", func() bool {
			release, ok := third.Seats.Take(t.Context(), seat)
			if ok {
				release()
			}
			return !ok
		})
		release()
		eventually(t, "and given back", func() bool {
			_, ok := third.Seats.Take(t.Context(), seat)
			return ok
		})
	})
}

func TestSpace_Close(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		if !b.shares {
			t.Skip("there is no other node")
		}
		seat := domain.Seat{Key: "person/1", Most: 1}
		_, ok := b.nodes[0].Seats.Take(t.Context(), seat)
		require.True(t, ok)
		b.nodes[0].Close()
		_, ok = b.nodes[1].Seats.Take(t.Context(), seat)
		require.True(t, ok, "a node that closes releases its seats at once")
	})
}
