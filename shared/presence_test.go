package shared_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestPresence(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		room, other := uuid.New(), uuid.New()
		ann, ben := uuid.New(), uuid.New()
		one, two := b.nodes[0].Presence, b.nodes[1].Presence
		leaveAnn := one.Enter(room, ann, func() {})
		leaveTab := one.Enter(room, ann, func() {})
		leaveBen := two.Enter(room, ben, func() {})
		for _, p := range []domain.Presence{one, two} {
			eventually(t, "both are seen from either node", func() bool { return len(p.Present(t.Context(), room)[room]) == 2 })
			require.ElementsMatch(t, []uuid.UUID{ann, ben}, p.Present(t.Context(), room)[room])
		}
		require.Empty(t, one.Present(t.Context(), other)[other])

		leaveAnn()
		leaveAnn()
		leaveBen()
		eventually(t, "ben has left", func() bool { return len(one.Present(t.Context(), room)[room]) == 1 })
		require.Equal(t, []uuid.UUID{ann}, one.Present(t.Context(), room)[room], "another tab is still open")
		leaveTab()
		eventually(t, "nobody is left", func() bool { return len(two.Present(t.Context(), room)[room]) == 0 })
	})
}

// TestPresence_Told checks that other nodes can read a change when it is told: a node that is told before that reads the old state, and
// does not ask again.
func TestPresence_Told(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		room, ann := uuid.New(), uuid.New()
		seen := make(chan []uuid.UUID, 8)
		leave := b.nodes[0].Presence.Enter(room, ann, func() { seen <- b.nodes[1].Presence.Present(t.Context(), room)[room] })
		require.Equal(t, []uuid.UUID{ann}, <-seen)
		leave()
		require.Empty(t, <-seen)
		leave()
		require.Empty(t, seen, "nothing has changed")
	})
}

func TestPresence_LostNode(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		if !b.shares {
			t.Skip("a single process that is lost takes all people with it")
		}
		room, ann := uuid.New(), uuid.New()
		b.nodes[0].Presence.Enter(room, ann, func() {})
		eventually(t, "ann is seen", func() bool { return len(b.nodes[1].Presence.Present(t.Context(), room)[room]) == 1 })
		b.kill(b.nodes[0])
		b.advance(16 * time.Second)
		require.Empty(t, b.nodes[1].Presence.Present(t.Context(), room)[room], "the lease of her node has ended")
	})
}
