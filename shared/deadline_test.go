package shared

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/domain"
)

// TestServer_Deadline measures, on a clock that only moves when everything waits, how long
// callers wait for a server that accepts connections but never answers, or accepts none.
func TestServer_Deadline(t *testing.T) {
	t.Parallel()
	dialers := map[string]func(context.Context, string, string) (net.Conn, error){
		"Silent": func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, theirs) }()
			return ours, nil
		},
		"DeafAndSilent": func(context.Context, string, string) (net.Conn, error) {
			ours, _ := net.Pipe() // no one reads the other end
			return ours, nil
		},
		"NoConnection": func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"NoConnectionAndNoEnd": func(context.Context, string, string) (net.Conn, error) {
			<-time.After(time.Hour) // a resolver that ignores the context
			return nil, io.ErrUnexpectedEOF
		},
	}
	for name, dial := range dialers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, err := newServer(Config{URL: "redis://nobody:1/0", dial: dial, Logger: slog.New(slog.DiscardHandler)}.withDefaults(),
					uuid.NewString())
				require.NoError(t, err)
				defer func() { require.NoError(t, s.client.Close()) }()
				s.returned = func() {}
				s.up.Store(true)
				rates := newRates(Config{}.withDefaults(), s)
				seats := &Seats{book: newBook(s)}
				presence := &Presence{book: seats.book}

				begin := time.Now() //nolint:forbidigo // the bubble's clock
				_, ok := rates.Count(t.Context(), domain.Window{Key: "a", Most: 1, Per: time.Minute})
				require.True(t, ok, "this node counts by itself")
				_, ok = seats.Take(t.Context(), domain.Seat{Key: "a", Most: 1})
				require.True(t, ok)
				require.LessOrEqual(t, time.Since(begin), 200*time.Millisecond, "the calls of one request together")
				room := uuid.New()
				require.Empty(t, presence.Present(t.Context(), room)[room])
				require.False(t, s.up.Load(), "the server counts as away after three failures")

				begin = time.Now() //nolint:forbidigo // as above
				for range 100 {
					_, ok = rates.Count(t.Context(), domain.Window{Key: "b", Most: 100, Per: time.Minute})
					require.True(t, ok)
				}
				require.Zero(t, time.Since(begin), "a server that is away costs nothing")
				require.Error(t, s.probe(t.Context()))
				require.False(t, s.up.Load())
				<-time.After(2 * time.Hour) // on the bubble's clock: the calls that were started end
			})
		})
	}
}

// TestWindow_IsTheScript sends the same requests to both implementations of the window.
func TestWindow_IsTheScript(t *testing.T) {
	t.Parallel()
	mini := miniredis.RunT(t)
	s, err := newServer(Config{URL: "redis://" + mini.Addr()}.withDefaults(), uuid.NewString())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.client.Close()) })
	database := 0
	rapid.Check(t, func(t *rapid.T) {
		database++
		var w window
		per := time.Duration(rapid.SampledFrom([]int{100, 1000, 7777, 60_000, 3_600_000}).Draw(t, "per")) * time.Millisecond
		limit := rapid.IntRange(1, 8).Draw(t, "limit")
		now := time.UnixMilli(rapid.Int64Range(1_700_000_000_000, 1_900_000_000_000).Draw(t, "now"))
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.Int64Range(-per.Milliseconds()/50, per.Milliseconds()/3).Draw(t, "passes")) * time.Millisecond)
			mini.SetTime(now)
			key := fmt.Sprint("w", database)
			wait, err := rateScript.Run(context.Background(), s.client, []string{key}, 0, limit, per.Milliseconds()).Int64()
			require.NoError(t, err)
			require.Equal(t, w.wait(now, per, limit).Milliseconds(), wait)
			if wait == 0 {
				w.add(now, per, 1)
			}
		}
	})
}

// TestWindow_Never checks that no span of the window's length admits more than the limit.
func TestWindow_Never(t *testing.T) {
	t.Parallel()
	const limit, per = 10, time.Minute
	var w window
	var admitted []time.Time
	now := time.Unix(1_700_000_000, 0)
	for i := range 2000 {
		now = now.Add(time.Duration(i*7919%4000) * time.Millisecond)
		if wait := w.wait(now, per, limit); wait > 0 {
			require.LessOrEqual(t, wait, per+per/slicesOf)
			require.Zero(t, (&window{held: append([]slice(nil), w.held...)}).wait(now.Add(wait), per, limit),
				"a request is admitted when the returned wait is over")
			continue
		}
		w.add(now, per, 1)
		admitted = append(admitted, now)
	}
	require.Greater(t, len(admitted), 100)
	for i := limit; i < len(admitted); i++ {
		require.GreaterOrEqual(t, admitted[i].Sub(admitted[i-limit]), per)
	}
	require.LessOrEqual(t, len(w.held), slicesOf+1, "however often it is used")
}
