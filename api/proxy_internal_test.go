package api

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProxies_Client(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::/32")}
	for what, row := range map[string]struct {
		header, peer string
		lines        []string
		want         string
	}{
		"a client without a proxy is believed nothing": {HeaderForwardedFor, "203.0.113.9", []string{"198.51.100.1"}, "203.0.113.9"},
		"one proxy": {HeaderForwardedFor, "10.1.2.3", []string{"203.0.113.9"}, "203.0.113.9"},
		"what a client invented stands before": {
			HeaderForwardedFor, "10.1.2.3",
			[]string{"127.0.0.1, 198.51.100.1, 203.0.113.9"},
			"203.0.113.9",
		},
		"and in a header of its own": {HeaderForwardedFor, "10.1.2.3", []string{"127.0.0.1", "203.0.113.9"}, "203.0.113.9"},
		"an invented proxy of ours": {
			HeaderForwardedFor, "10.1.2.3",
			[]string{"198.51.100.1, 10.9.9.9, 203.0.113.9"},
			"203.0.113.9",
		},
		"two proxies":                {HeaderForwardedFor, "10.1.2.3", []string{"203.0.113.9, 10.4.5.6"}, "203.0.113.9"},
		"two proxies in two lines":   {HeaderForwardedFor, "10.1.2.3", []string{"203.0.113.9", "10.4.5.6"}, "203.0.113.9"},
		"a proxy itself":             {HeaderForwardedFor, "10.1.2.3", nil, "10.1.2.3"},
		"a client among the proxies": {HeaderForwardedFor, "10.1.2.3", []string{"10.7.7.7"}, "10.7.7.7"},
		"with a port":                {HeaderForwardedFor, "10.1.2.3", []string{"203.0.113.9:4711"}, "203.0.113.9"},
		"IPv6":                       {HeaderForwardedFor, "2001:db8::1", []string{"2001:DB9::7"}, "2001:db9::7"},
		"IPv6 with a port":           {HeaderForwardedFor, "::ffff:10.1.2.3", []string{"[2001:db9::7]:80"}, "2001:db9::7"},
		"IPv4 written as IPv6":       {HeaderForwardedFor, "10.1.2.3", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		"a proxy that says nothing":  {HeaderForwardedFor, "10.1.2.3", []string{"203.0.113.9, unknown"}, "10.1.2.3"},
		"no address":                 {HeaderForwardedFor, "10.1.2.3", []string{"203.0.113.9, "}, "10.1.2.3"},
		"the standard header": {
			HeaderForwarded, "10.1.2.3",
			[]string{`for=203.0.113.9;proto=https;by=10.1.2.3`},
			"203.0.113.9",
		},
		"the standard header, IPv6": {
			HeaderForwarded, "10.1.2.3",
			[]string{`for=1.1.1.1, For="[2001:db9::7]:4711";proto=http`},
			"2001:db9::7",
		},
		"the standard header, commas and quotes": {
			HeaderForwarded, "10.1.2.3",
			[]string{`for=203.0.113.9;by="a,for=1.1.1.1", for=10.4.5.6`},
			"203.0.113.9",
		},
		"the standard header, a made up name":            {HeaderForwarded, "10.1.2.3", []string{`for=203.0.113.9, for=_hidden`}, "10.1.2.3"},
		"the standard header, an element without a name": {HeaderForwarded, "10.1.2.3", []string{`for=203.0.113.9, proto=http`}, "10.1.2.3"},
		"a quote that does not end": {
			HeaderForwarded, "10.1.2.3",
			[]string{`for=203.0.113.9;by="x, for=10.4.5.6`},
			"203.0.113.9",
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			var lines [][]byte
			for _, line := range row.lines {
				lines = append(lines, []byte(line))
			}
			got := proxies{trusted: trusted, header: row.header}.client(netip.MustParseAddr(row.peer), lines)
			require.Equal(t, row.want, got.String())
		})
	}
	require.Equal(t, "10.1.2.3", proxies{}.client(netip.MustParseAddr("10.1.2.3"), [][]byte{[]byte("1.1.1.1")}).String())
}
