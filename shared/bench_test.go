package shared_test

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/internal/redistest"
	"parley.dev/parley/shared"
)

// BenchmarkSpace measures what each use of a real server costs its caller, on one machine.
// For calls that wait for the server this is the round trip, for the others the queueing.
func BenchmarkSpace(b *testing.B) {
	server := redistest.Start(b)
	keys, err := envelope.NewRing(bytes.Repeat([]byte{7}, envelope.KeyLength))
	require.NoError(b, err)
	open := func() *shared.Space {
		s, err := shared.Open(b.Context(), shared.Config{URL: server.URL(0), Keys: keys, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(b, err)
		b.Cleanup(s.Close)
		return s
	}
	one, two := open(), open()
	const limit = 1 << 40
	b.Run("Rate", func(b *testing.B) {
		for b.Loop() {
			one.Rates.Count(b.Context(), domain.Window{Key: "bench", Most: limit, Per: time.Minute})
		}
	})
	b.Run("Seat", func(b *testing.B) {
		for b.Loop() {
			release, _ := one.Seats.Take(b.Context(), domain.Seat{Key: "person", Most: limit}, domain.Seat{Key: "address", Most: limit})
			release()
		}
	})
	b.Run("Presence/Enter", func(b *testing.B) {
		room, person := uuid.New(), uuid.New()
		for b.Loop() {
			one.Presence.Enter(room, person, func() {})()
		}
	})
	b.Run("Presence/Present", func(b *testing.B) {
		room := uuid.New()
		for range 10 {
			one.Presence.Enter(room, uuid.New(), func() {})
		}
		for b.Loop() {
			two.Presence.Present(b.Context(), room)
		}
	})
	b.Run("Hint", func(b *testing.B) { // from Send on one node to the listener on the other
		received := make(chan []byte, 1)
		stop := two.Hints.Listen("bench", func(data []byte) {
			if len(data) > 0 {
				received <- data
			}
		})
		defer stop()
		require.Eventually(b, func() bool {
			one.Hints.Send("bench", "", []byte("begin"))
			select {
			case <-received:
				return true
			case <-time.After(10 * time.Millisecond):
				return false
			}
		}, patience, time.Millisecond)
		for b.Loop() {
			one.Hints.Send("bench", "", []byte("x"))
			<-received
		}
	})
	entry := bytes.Repeat([]byte("x"), 600)
	b.Run("Tail/Keep", func(b *testing.B) {
		for b.Loop() {
			one.Tails.Keep(uuid.New(), entry)
		}
	})
	b.Run("Tail/Read", func(b *testing.B) { // two turns of eight events
		room := uuid.New()
		for range 16 {
			one.Tails.Keep(room, entry)
		}
		require.Eventually(b, func() bool { return len(two.Tails.Tail(b.Context(), room)) == 16 }, patience, time.Millisecond)
		for b.Loop() {
			two.Tails.Tail(b.Context(), room)
		}
	})
}
