package providertest

// The contract of every provider (analyst.Provider): pieces come one at a time, an error of the
// receiver ends the call, a cancelled call ends soon, and calls do not share state.

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
)

// patience is the limit for things that should take no time: only a call that hangs reaches it.
const patience = 30 * time.Second

// Subject is a provider under test.
type Subject struct {
	Provider analyst.Provider
	// Answers is a request that is answered with some text, which is the same each time.
	Answers *analyst.Request
	// Slow is the provider that answers Endless; nil means Provider.
	Slow analyst.Provider
	// Endless is a request whose answer begins and then continues for a long time.
	Endless *analyst.Request
}

// slow is the provider for the endless request.
func (s *Subject) slow() analyst.Provider {
	if s.Slow != nil {
		return s.Slow
	}
	return s.Provider
}

// heard is the output of one call.
type heard struct {
	text  map[analyst.Channel]string
	calls []analyst.ToolCall
	// pieces counts the pieces with text or a call, lives those that only report that the vendor is at
	// work.
	pieces, lives int
	end           analyst.End
	err           error
}

// listen makes one call and checks each piece for what every provider guarantees.
func listen(ctx context.Context, t *testing.T, p analyst.Provider, r *analyst.Request) *heard {
	t.Helper()
	h := &heard{text: make(map[analyst.Channel]string)}
	// inside finds calls of the receiver that overlap, over those after the end.
	var inside, over atomic.Bool
	h.end, h.err = p.Stream(ctx, r, func(piece analyst.Piece) error {
		if !inside.CompareAndSwap(false, true) {
			t.Error("two pieces at once")
		}
		defer inside.Store(false)
		if over.Load() {
			t.Error("a piece after the end")
		}
		said := piece.Text != ""
		switch {
		case piece.Alive && (said || piece.Call != nil), !piece.Alive && said == (piece.Call != nil):
			t.Errorf("a piece is text, a call, or a sign of life: %+v", piece)
		case piece.Alive:
			h.lives++
		default:
			h.pieces++
		}
		if c := piece.Call; c != nil {
			if c.ID == "" || c.Name == "" || len(c.Args) == 0 {
				t.Errorf("a call without id, name or arguments: %+v", c)
			}
			h.calls = append(h.calls, *c)
		}
		h.text[piece.Channel] += piece.Text
		return nil
	})
	over.Store(true)
	return h
}

// Contract tests what every provider guarantees.
func Contract(t *testing.T, s Subject) {
	t.Helper()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		first := listen(t.Context(), t, s.Provider, s.Answers)
		require.NoError(t, first.err)
		// The answer is repeatable, so that two calls can be compared.
		require.Equal(t, analyst.EndStop, first.end.Reason)
		require.NotEmpty(t, strings.TrimSpace(first.text[analyst.ChannelAnswer]))
		require.Positive(t, first.end.Usage.InputTokens)
		require.Positive(t, first.end.Usage.OutputTokens)
		again := listen(t.Context(), t, s.Provider, s.Answers)
		require.NoError(t, again.err)
		require.Equal(t, first.text, again.text, "the same pieces in the same order")
		require.Equal(t, first.end.Usage, again.end.Usage)
	})

	t.Run("ManyAtOnce", func(t *testing.T) {
		t.Parallel()
		alone := listen(t.Context(), t, s.Provider, s.Answers)
		var all sync.WaitGroup
		heards := make([]*heard, 8)
		for i := range heards {
			all.Go(func() { heards[i] = listen(t.Context(), t, s.Provider, s.Answers) })
		}
		all.Wait()
		for _, h := range heards {
			require.NoError(t, h.err)
			require.Equal(t, alone.text, h.text)
		}
	})

	t.Run("RefusedPieceEndsTheCall", func(t *testing.T) {
		t.Parallel()
		full := errors.New("there is no more room")
		for at := 1; at < 3; at++ {
			pieces := 0
			_, err := s.slow().Stream(t.Context(), s.Endless, func(p analyst.Piece) error {
				if p.Alive {
					return nil
				}
				if pieces++; pieces == at {
					return full
				}
				require.Less(t, pieces, at, "no piece follows a piece that was refused")
				return nil
			})
			require.Equal(t, full, err, "the error is unchanged")
			require.Equal(t, at, pieces)
		}
	})

	t.Run("CancelEndsTheCall", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := make(chan error, 1)
		var used analyst.End
		go func() {
			var err error
			used, err = s.slow().Stream(ctx, s.Endless, func(p analyst.Piece) error {
				// The call is cancelled when its answer has begun, not before.
				if p.Text != "" {
					cancel()
				}
				return nil
			})
			done <- err
		}()
		select {
		case err := <-done:
			require.ErrorIs(t, err, context.Canceled)
			require.NotEqual(t, analyst.EndLength, used.Reason)
		case <-time.After(patience):
			require.Fail(t, "a cancelled call continues")
		}
	})

	t.Run("CancelledBefore", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		h := listen(ctx, t, s.slow(), s.Endless)
		require.ErrorIs(t, h.err, context.Canceled)
	})
}
