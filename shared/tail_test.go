package shared_test

import (
	"bytes"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/internal/redistest"
	"parley.dev/parley/shared"
)

func TestTails(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bed) {
		t.Helper()
		room, other := uuid.New(), uuid.New()
		one, two := b.nodes[0].Tails, b.nodes[1].Tails
		require.Empty(t, two.Tail(t.Context(), room))
		for i := range 200 {
			one.Keep(room, []byte(strconv.Itoa(i)))
		}
		one.Keep(room, make([]byte, 65<<10)) // too long: it is left out
		one.Keep(other, []byte("other"))
		last := func() string {
			tail := two.Tail(t.Context(), room)
			if len(tail) == 0 {
				return ""
			}
			return string(tail[len(tail)-1])
		}
		eventually(t, "the other node reads them", func() bool { return last() == "199" })
		tail := two.Tail(t.Context(), room)
		require.Len(t, tail, 128, "the latest")
		for i, entry := range tail {
			require.Equal(t, strconv.Itoa(200-128+i), string(entry))
		}
		one.Forget(room)
		one.Keep(room, []byte("after"))
		eventually(t, "what was before is gone", func() bool { return len(two.Tail(t.Context(), room)) == 1 })
		require.Equal(t, "after", last())
		require.Equal(t, [][]byte{[]byte("other")}, two.Tail(t.Context(), other))
	})
}

func TestTails_Bounded(t *testing.T) {
	t.Parallel()
	b := newBed(t, "")
	tails := b.open(t).Tails
	first, entry := uuid.New(), make([]byte, 64<<10)
	tails.Keep(first, entry)
	for range 300 {
		tails.Keep(uuid.New(), entry)
	}
	require.Empty(t, tails.Tail(t.Context(), first), "the oldest is dropped")
}

// A person who can read Redis learns nothing about what was said, and one who can write to
// it cannot forge anything.
func TestTails_Sealed(t *testing.T) { // G16
	t.Parallel()
	server := miniredis.RunT(t)
	open := func(key byte) *shared.Tails {
		keys, err := envelope.NewRing(bytes.Repeat([]byte{key}, envelope.KeyLength))
		require.NoError(t, err)
		s, err := shared.Open(t.Context(), shared.Config{
			URL: redistest.URL(server.Addr(), 0), Keys: keys, CallTime: patience, Logger: slog.New(slog.DiscardHandler),
		})
		require.NoError(t, err)
		t.Cleanup(s.Close)
		return s.Tails
	}
	tails, stranger := open(1), open(2)
	room, other := uuid.New(), uuid.New()
	tails.Keep(room, []byte("our margin is 4 %"))
	eventually(t, "it is kept", func() bool { return len(tails.Tail(t.Context(), room)) == 1 })
	require.NotContains(t, server.Dump(), "margin")
	require.Empty(t, stranger.Tail(t.Context(), room), "a node with other keys")

	name := server.Keys()[slices.IndexFunc(server.Keys(), func(k string) bool { return strings.HasSuffix(k, "tail:"+room.String()) })]
	list, err := server.List(name)
	require.NoError(t, err)
	_, err = server.Push(strings.ReplaceAll(name, room.String(), other.String()), list...)
	require.NoError(t, err)
	require.Empty(t, tails.Tail(t.Context(), other), "an entry that was copied from another conversation")
	changed := []byte(list[0])
	changed[len(changed)-1] ^= 1
	for _, forged := range []string{string(changed), "", "\xff\xff", list[0][:10]} {
		_, err = server.Push(name, forged)
		require.NoError(t, err)
	}
	require.Equal(t, [][]byte{[]byte("our margin is 4 %")}, tails.Tail(t.Context(), room))
}
