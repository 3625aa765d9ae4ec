package actors

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

func (b *bundle) announce(n int) {
	for i := range n {
		e := b.store.AppendUser(7, domain.UserEventDraft{
			Type: domain.EventConversationUpdated, Data: fmt.Appendf(nil, `{"n":%d}`, i),
		})
		b.system.Announce([]domain.UserEvent{e})
	}
}

func userSeqs(s *socket) []int64 {
	var out []int64
	for _, f := range s.all() {
		if f.Stream == protocol.UserStream {
			out = append(out, f.Seq)
		}
	}
	return out
}

func (s *socket) waitUser(t *testing.T, seq int64) {
	t.Helper()
	s.waitFor(t, fmt.Sprintf("user event %d", seq), func(f protocol.Frame) bool {
		return f.Stream == protocol.UserStream && f.Seq == seq
	})
}

func sequence(from, to int64) []int64 {
	var out []int64
	for i := from; i <= to; i++ {
		out = append(out, i)
	}
	return out
}

func TestSession(t *testing.T) { // G8 for the person's own log
	t.Parallel()
	t.Run("LiveOnAllConnections", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		one, _ := b.connect(b.owner, hello)
		two, _ := b.connect(b.owner, hello)
		one.waitType(t, protocol.FrameSessionReady)
		two.waitType(t, protocol.FrameSessionReady)
		b.announce(3)
		one.waitUser(t, 3)
		two.waitUser(t, 3)
		require.Equal(t, sequence(1, 3), userSeqs(one))
		require.Equal(t, sequence(1, 3), userSeqs(two))
	})
	t.Run("GapIsFilled", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s, _ := b.connect(b.owner, hello)
		s.waitType(t, protocol.FrameSessionReady)
		// Two events whose message is lost on the way, then one that arrives.
		b.store.AppendUser(7, domain.UserEventDraft{Type: domain.EventConversationUpdated, Data: []byte(`{}`)})
		b.store.AppendUser(7, domain.UserEventDraft{Type: domain.EventConversationUpdated, Data: []byte(`{}`)})
		b.announce(1)
		s.waitUser(t, 3)
		require.Equal(t, sequence(1, 3), userSeqs(s))
	})
	t.Run("LostNews", func(t *testing.T) { // G9: the session's node compares with the store
		t.Parallel()
		now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		b := setup(t, func(c *Config) { c.Clock = now })
		s, _ := b.connect(b.owner, hello)
		s.waitType(t, protocol.FrameSessionReady)
		lose := func() {
			b.store.AppendUser(7, domain.UserEventDraft{Type: domain.EventConversationUpdated, Data: []byte(`{}`)})
		}
		comes := func(seq int64) {
			require.Eventually(t, func() bool {
				now.Advance(2 * time.Second) // the pause of actors/node/heads
				return slices.Contains(userSeqs(s), seq)
			}, patience, time.Millisecond)
		}
		lose()
		lose()
		began := now.Now()
		comes(2)
		require.Less(t, now.Now().Sub(began), time.Minute, "before the regular check of the session")
		// A check that failed is repeated, although no new event is added.
		var failed atomic.Bool
		b.store.SetErr(func(op string, _ uuid.UUID) error {
			if op == "user events" && failed.CompareAndSwap(false, true) {
				return errors.New("the store is away")
			}
			return nil
		})
		lose()
		comes(3)
		require.True(t, failed.Load())
		require.Equal(t, sequence(1, 3), userSeqs(s))
	})
	t.Run("ResumesFromMemory", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, _ := b.connect(b.owner, hello)
		first.waitType(t, protocol.FrameSessionReady)
		b.announce(5)
		first.waitUser(t, 5)
		s, _ := b.connect(b.owner, `{"type":"hello","cursor":{"user":2}}`)
		s.waitUser(t, 5)
		require.Equal(t, sequence(3, 5), userSeqs(s))
	})
	t.Run("ResumesFromTheStore", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.announce(700)
		s, _ := b.connect(b.owner, `{"type":"hello","cursor":{"user":10}}`)
		s.waitUser(t, 700)
		b.announce(1)
		s.waitUser(t, 701)
		require.Equal(t, sequence(11, 701), userSeqs(s))
	})
	t.Run("ResyncIfTheLogIsTooShort", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.announce(9)
		b.store.Prune(7)
		s, _ := b.connect(b.owner, `{"type":"hello","cursor":{"user":2}}`)
		f := s.waitType(t, protocol.FrameResync)
		require.Equal(t, int64(9), f.Seq)
		b.announce(1)
		s.waitUser(t, 10)
	})
	t.Run("ResyncOfTheFuture", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		s, _ := b.connect(b.owner, `{"type":"hello","cursor":{"user":9223372036854775808}}`)
		s.waitType(t, protocol.FrameResync)
	})
	// The store knows an event before the session receives it. A connection that reads the
	// event there, and comes back with a cursor that includes it, is sent nothing twice and
	// does not have to fetch its lists.
	t.Run("ReadsAheadOfTheNews", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.announce(200)
		first, _ := b.connect(b.owner, hello)
		first.waitType(t, protocol.FrameSessionReady)
		var late []domain.UserEvent
		for range 2 {
			late = append(late, b.store.AppendUser(7, domain.UserEventDraft{Type: domain.EventConversationUpdated, Data: []byte(`{}`)}))
		}
		// The cursor of this connection is not in memory, so the store is read, which
		// includes the two events.
		second, _ := b.connect(b.owner, `{"type":"hello","cursor":{"user":10}}`)
		second.waitUser(t, 202)
		more := b.store.AppendUser(7, domain.UserEventDraft{Type: domain.EventConversationUpdated, Data: []byte(`{}`)})
		// This connection sends a cursor that the session does not know yet.
		third, _ := b.connect(b.owner, `{"type":"hello","cursor":{"user":203}}`)
		third.waitType(t, protocol.FrameSessionReady)
		b.system.Announce(append(late, more))
		b.announce(1)
		for _, x := range []struct {
			socket *socket
			after  int64
		}{{first, 200}, {second, 10}, {third, 203}} {
			x.socket.waitUser(t, 204)
			require.Equal(t, sequence(x.after+1, 204), userSeqs(x.socket))
			for _, f := range x.socket.all() {
				require.NotEqual(t, protocol.FrameResync, f.Type)
			}
		}
	})
	// While the store is unreachable no client is told to fetch everything.
	t.Run("AsksAgainWhenTheStoreIsAway", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.announce(200)
		var failures atomic.Int32
		b.store.SetErr(func(op string, _ uuid.UUID) error {
			if op == "user events" && failures.Add(1) <= 2 {
				return errors.New("no answer")
			}
			return nil
		})
		s, _ := b.connect(b.owner, `{"type":"hello","cursor":{"user":10}}`)
		s.waitUser(t, 200)
		require.Equal(t, sequence(11, 200), userSeqs(s))
		for _, f := range s.all() {
			require.NotEqual(t, protocol.FrameResync, f.Type)
		}
	})
}
