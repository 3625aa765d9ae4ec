package ledger

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/budget"
)

// said adds an event with data of this size to a ring.
func said(r *ring, size int) {
	seq := r.floor + 1
	if n := len(r.events); n > 0 {
		seq = r.events[n-1].Seq + 1
	}
	data := json.RawMessage(strings.Repeat("x", size))
	r.add(&batch{}, []protocol.Entry{{Kind: protocol.EntryEvent, Seq: seq, Event: &domain.Event{Seq: seq, Data: data}}})
}

// The memory for readers who come back is limited for each conversation, and for all
// conversations of a node together.
func TestRing(t *testing.T) { // G17
	t.Parallel()
	t.Run("OfOne", func(t *testing.T) {
		t.Parallel()
		r := newRing(0, nil)
		for range 2 * ringEvents {
			said(&r, 1)
		}
		require.Len(t, r.events, ringEvents)
		require.Equal(t, ringEvents, r.bytes)
		_, held := r.after(r.floor - 1)
		require.False(t, held)
		events, held := r.after(r.floor)
		require.True(t, held)
		require.Len(t, events, ringEvents)
		said(&r, ringBytes)
		require.Len(t, r.events, 1, "data counts, not only the texts of messages")
		said(&r, ringBytes+1)
		require.Empty(t, r.events)
		require.Zero(t, r.bytes)
	})
	t.Run("OfANode", func(t *testing.T) {
		t.Parallel()
		const most = 1000
		room := budget.New(most)
		rings := make([]ring, 20)
		for i := range rings {
			rings[i] = newRing(0, room)
		}
		for range 50 {
			for i := range rings {
				said(&rings[i], 10)
				require.LessOrEqual(t, room.Used(), int64(most))
			}
		}
		held := 0
		for i := range rings {
			held += rings[i].bytes
		}
		require.Equal(t, room.Used(), int64(held))
		require.Positive(t, held)
		for i := range rings {
			head := rings[i].floor + int64(len(rings[i].events))
			require.Equal(t, int64(50), head)
			rings[i].drop()
			require.Equal(t, head, rings[i].floor, "a reader who comes back reads the store")
			rings[i].drop()
		}
		require.Zero(t, room.Used())
	})
}
