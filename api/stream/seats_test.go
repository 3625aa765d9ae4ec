package stream_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/stream"
)

func TestSeatAddress(t *testing.T) {
	t.Parallel()
	for ip, want := range map[string]string{
		"203.0.113.9": "203.0.113.9", "::ffff:203.0.113.9": "203.0.113.9", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "fe80::1%eth0": "fe80::",
	} {
		require.Equal(t, want, stream.SeatAddress(netip.MustParseAddr(ip)), ip)
	}
	require.NotEmpty(t, stream.SeatAddress(netip.Addr{}))
}
