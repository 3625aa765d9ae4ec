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

// TestServer_Deadline measures, on a clock that only moves when everything waits, how
// long callers wait for a server that takes connections and says nothing.
func TestServer_Deadline(t *testing.T) {
	t.Parallel()
	ways := map[string]func(context.Context, string, string) (net.Conn, error){
		"Silent": func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, theirs) }()
			return ours, nil
		},
		"DeafAndSilent": func(context.Context, string, string) (net.Conn, error) {
			ours, _ := net.Pipe() // nobody reads the other end
			return ours, nil
		},
		"NoConnection": func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"NoConnectionAndNoEnd": func(context.Context, string, string) (net.Conn, error) {
			<-time.After(time.Hour) // a resolver that heeds no context
			return nil, io.ErrUnexpectedEOF
		},
	}
	for name, dial := range ways {
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
				require.LessOrEqual(t, time.Since(begin), 200*time.Millisecond, "what one request may ask")
				room := uuid.New()
				require.Empty(t, presence.Present(t.Context(), room)[room])
				require.False(t, s.up.Load(), "three failures, and it is away")

				begin = time.Now() //nolint:forbidigo // as above
				for range 100 {
					_, ok = rates.Count(t.Context(), domain.Window{Key: "b", Most: 100, Per: time.Minute})
					require.True(t, ok)
				}
				require.Zero(t, time.Since(begin), "a server that is away costs nothing")
				require.Error(t, s.probe(t.Context()))
				require.False(t, s.up.Load())
				<-time.After(2 * time.Hour) // of the bubble: what was begun ends
			})
		})
	}
}

// TestWindow_IsTheScript plays the same requests to the two ways in which they are counted.
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
		most := rapid.IntRange(1, 8).Draw(t, "most")
		now := time.UnixMilli(rapid.Int64Range(1_700_000_000_000, 1_900_000_000_000).Draw(t, "now"))
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.Int64Range(-per.Milliseconds()/50, per.Milliseconds()/3).Draw(t, "passes")) * time.Millisecond)
			mini.SetTime(now)
			wait, err := rateScript.Run(context.Background(), s.client, []string{fmt.Sprint("w", database)}, 0, most, per.Milliseconds()).Int64()
			require.NoError(t, err)
			require.Equal(t, w.wait(now, per, most).Milliseconds(), wait)
			if wait == 0 {
				w.add(now, per, 1)
			}
		}
	})
}

// TestWindow_Never lets more than the limit through in any span of its length.
func TestWindow_Never(t *testing.T) {
	t.Parallel()
	const most, per = 10, time.Minute
	var w window
	var let []time.Time
	now := time.Unix(1_700_000_000, 0)
	for i := range 2000 {
		now = now.Add(time.Duration(i*7919%4000) * time.Millisecond)
		if wait := w.wait(now, per, most); wait > 0 {
			require.LessOrEqual(t, wait, per+per/slicesOf)
			require.Zero(t, (&window{held: append([]slice(nil), w.held...)}).wait(now.Add(wait), per, most),
				"there is room at the time that was told")
			continue
		}
		w.add(now, per, 1)
		let = append(let, now)
	}
	require.Greater(t, len(let), 100)
	for i := most; i < len(let); i++ {
		require.GreaterOrEqual(t, let[i].Sub(let[i-most]), per)
	}
	require.LessOrEqual(t, len(w.held), slicesOf+1, "however often it is used")
}
