package stream_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/stream"
)

func TestLocalSeats_Take(t *testing.T) {
	t.Parallel()
	take := func(t *testing.T, s stream.Seats, person int64, address string) (release func(), ok bool) {
		t.Helper()
		return s.Take(t.Context(), person, address)
	}
	t.Run("ErrTooManyOfOnePerson", func(t *testing.T) {
		t.Parallel()
		s := stream.NewLocalSeats(1, 10)
		release, ok := take(t, s, 1, "a")
		require.True(t, ok)
		_, ok = take(t, s, 1, "b")
		require.False(t, ok)
		_, ok = take(t, s, 2, "a")
		require.True(t, ok)
		release()
		_, ok = take(t, s, 1, "b")
		require.True(t, ok)
	})
	t.Run("ErrTooManyOfOneAddress", func(t *testing.T) {
		t.Parallel()
		s := stream.NewLocalSeats(10, 1)
		_, ok := take(t, s, 1, "a")
		require.True(t, ok)
		_, ok = take(t, s, 2, "a")
		require.False(t, ok)
		_, ok = take(t, s, 2, "b")
		require.True(t, ok)
	})
	t.Run("ASecondReleaseFreesNoOtherSeat", func(t *testing.T) {
		t.Parallel()
		s := stream.NewLocalSeats(2, 2)
		release, ok := take(t, s, 1, "a")
		require.True(t, ok)
		_, ok = take(t, s, 1, "a")
		require.True(t, ok)
		release()
		release()
		_, ok = take(t, s, 1, "a")
		require.True(t, ok)
		_, ok = take(t, s, 1, "a")
		require.False(t, ok)
	})
	t.Run("OKWithoutLimits", func(t *testing.T) {
		t.Parallel()
		s := stream.NewLocalSeats(-1, -1)
		for range 100 {
			_, ok := take(t, s, 1, "a")
			require.True(t, ok)
		}
	})
}

func TestSeatAddress(t *testing.T) {
	t.Parallel()
	for ip, want := range map[string]string{
		"203.0.113.9": "203.0.113.9", "::ffff:203.0.113.9": "203.0.113.9", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "fe80::1%eth0": "fe80::",
	} {
		require.Equal(t, want, stream.SeatAddress(netip.MustParseAddr(ip)), ip)
	}
	require.NotEmpty(t, stream.SeatAddress(netip.Addr{}))
}
