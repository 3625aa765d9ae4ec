package egress_test

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/egress"
)

func rules(t *testing.T, text string) []egress.Rule {
	t.Helper()
	out, err := egress.ParseRules(text)
	require.NoError(t, err)
	return out
}

// listen opens a port of the loopback interface.
func listen(t *testing.T) uint16 {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	return uint16(listener.Addr().(*net.TCPAddr).Port)
}

// names is a resolver with a table.
func names(table map[string]string) func(context.Context, string) ([]netip.Addr, error) {
	return func(_ context.Context, host string) ([]netip.Addr, error) {
		if text, ok := table[strings.ToLower(host)]; ok {
			return []netip.Addr{netip.MustParseAddr(text)}, nil
		}
		if a, err := netip.ParseAddr(host); err == nil {
			return []netip.Addr{a}, nil
		}
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
}

func refusedBy(t *testing.T, g *egress.Guard, host string, port uint16) {
	t.Helper()
	conn, err := g.Dial(t.Context(), host, port, false)
	if err == nil {
		_ = conn.Close()
	}
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%s: %v", host, err)
}

func reached(t *testing.T, g *egress.Guard, host string, port uint16) {
	t.Helper()
	conn, err := g.Dial(t.Context(), host, port, false)
	require.NoError(t, err)
	require.NoError(t, conn.Close())
}

// Addresses that are closed unless an operator allows them (G01), also if a name resolves to them.
func TestDial_Closed(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"127.0.0.1", "127.8.9.10", "0.0.0.0", "::1", "::", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
		"169.254.1.1", "100.64.0.1", "100.100.100.200", "192.0.0.8", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
		"fd00::1", "fc00::1", "fe80::1", "ff02::1", "fd00:ec2::254", "2001:db8::1", "2002:7f00:1::1",
		"2001:0:7f00:1::1", "fec0::1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "::7f00:1",
	} {
		t.Run("G01 "+address, func(t *testing.T) {
			t.Parallel()
			g := egress.New(egress.Config{Lookup: names(map[string]string{
				"leads.example": address, "localhost": "127.0.0.1", "metadata.google.internal": "169.254.169.254",
			})})
			refusedBy(t, g, address, 5432)
			refusedBy(t, g, "leads.example", 5432)
			refusedBy(t, g, "localhost", 5432)
			refusedBy(t, g, "metadata.google.internal", 443)
		})
	}
	t.Run("G01 mapped", func(t *testing.T) {
		t.Parallel()
		g := egress.New(egress.Config{Lookup: names(map[string]string{"a.example": "::ffff:127.0.0.1", "b.example": "::ffff:a9fe:a9fe"})})
		refusedBy(t, g, "a.example", 5432)
		refusedBy(t, g, "b.example", 443)
	})
}

// Hosts in forms that some parsers read differently (G02, G05).
func TestHost(t *testing.T) {
	t.Parallel()
	for _, host := range []string{
		"2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "127.1", "127.0.1", "1.2.3.4.5", "0x7F.0.0.1", "db.0x",
		"[::ffff:a9fe:a9fe]", "::ffff:127.0.0.1", "::ffff:7f00:1", "[::1]", "fe80::1%eth0", "0:0:0:0:0:0:0:1", "１２７.0.0.1", "127。0。0。1",
		"db.example.com.", "127.0.0.1.", ".db", "a..b", "-a.example", "a-.example", "ⓛocalhost",
	} {
		t.Run("G02 "+host, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(egress.Host("host", host)))
			refusedBy(t, egress.New(egress.Config{Allow: rules(t, "0.0.0.0/0, ::/0")}), host, 5432)
		})
	}
	for _, host := range []string{
		"good@127.0.0.1", `127.0.0.1\@good`, "http://127.0.0.1", "127.0.0.1:22", "127.0.0.1/db", "db?x=1", "db#x", "db\r\nx: y",
		"db\tx", "a b", "", " db", "db\x00", "%31.example", "a,b",
	} {
		t.Run("G05 "+strconv.Quote(host), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(egress.Host("host", host)))
		})
	}
	for _, host := range []string{
		"db", "db.example.com", "DB_1.Example.com", "93.184.216.34", "2606:4700::1111", "xn--bcher-kva.example", "1.example", "3com",
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, egress.Host("host", host))
		})
	}
}

// A name is resolved for each connection, and the address that is connected to is the one that was checked.
func TestDial_Rebinding(t *testing.T) {
	t.Parallel()
	port := listen(t)
	var asked atomic.Int32
	g := egress.New(egress.Config{
		Allow: rules(t, "127.0.0.1/32"),
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			if asked.Add(1) == 1 {
				return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
		},
	})
	t.Run("G03 the second resolved address is checked, too", func(t *testing.T) {
		reached(t, g, "moves.example", port)
		refusedBy(t, g, "moves.example", port)
		require.Equal(t, int32(2), asked.Load(), "once for each connection")
	})
	t.Run("G03 an address from another source is checked", func(t *testing.T) {
		_, err := g.DialAddress(t.Context(), "moves.example", netip.AddrPortFrom(netip.MustParseAddr("127.0.0.3"), port), false)
		require.Error(t, err)
	})
	t.Run("G03 closed addresses among several are skipped", func(t *testing.T) {
		both := egress.New(egress.Config{Allow: rules(t, "127.0.0.1/32"), Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("127.0.0.1")}, nil
		}})
		reached(t, both, "both.example", port)
	})
}

func TestDial_Lists(t *testing.T) {
	t.Parallel()
	port := listen(t)
	at := ":" + strconv.Itoa(int(port))
	lookup := names(map[string]string{"db.corp.example": "127.0.0.1", "other.example": "127.0.0.1", "trap.corp.example": "169.254.169.254"})
	guard := func(allow, deny string) *egress.Guard {
		return egress.New(egress.Config{Allow: rules(t, allow), Deny: rules(t, deny), Lookup: lookup})
	}
	t.Run("AllowByName", func(t *testing.T) {
		t.Parallel()
		reached(t, guard("db.corp.example", ""), "DB.corp.example", port)
		reached(t, guard("*.corp.example"+at, ""), "db.corp.example", port)
		refusedBy(t, guard("db.corp.example", ""), "other.example", port)
		refusedBy(t, guard("*.corp.example:1-2", ""), "db.corp.example", port)
	})
	t.Run("AllowByNetwork", func(t *testing.T) {
		t.Parallel()
		reached(t, guard("127.0.0.0/8:1024-65535", ""), "other.example", port)
	})
	t.Run("DenyWins", func(t *testing.T) {
		t.Parallel()
		refusedBy(t, guard("127.0.0.1", "db.corp.example"), "db.corp.example", port)
		refusedBy(t, guard("db.corp.example", "127.0.0.0/8"), "db.corp.example", port)
		refusedBy(t, guard("127.0.0.1", "*"+at), "127.0.0.1", port)
	})
	t.Run("DenyAllOthers", func(t *testing.T) {
		t.Parallel()
		reached(t, guard("127.0.0.1", "*"), "127.0.0.1", port)
		refusedBy(t, guard("127.0.0.1", "*"), "93.184.216.34", 5432)
	})
	t.Run("NothingOpensMetadata", func(t *testing.T) {
		t.Parallel()
		refusedBy(t, guard("*", ""), "169.254.169.254", 80)
		refusedBy(t, guard("*.corp.example", ""), "trap.corp.example", 443)
	})
	t.Run("ErrNotFound", func(t *testing.T) {
		t.Parallel()
		refusedBy(t, guard("*", ""), "absent.example", 5432)
	})
	t.Run("ErrUnavailable", func(t *testing.T) {
		t.Parallel()
		_, err := guard("127.0.0.9", "").Dial(t.Context(), "127.0.0.9", port, false)
		require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	})
	t.Run("ErrCancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := guard("127.0.0.1", "").Dial(ctx, "127.0.0.1", port, false)
		require.ErrorIs(t, err, context.Canceled)
	})
}

// System ports, and the program's own endpoints (G06).
func TestDial_Ports(t *testing.T) {
	t.Parallel()
	for _, port := range []uint16{1, 22, 25, 80, 111, 1023} {
		t.Run("G06 port "+strconv.Itoa(int(port)), func(t *testing.T) {
			t.Parallel()
			refusedBy(t, egress.New(egress.Config{}), "93.184.216.34", port)
		})
	}
	port := listen(t)
	at := strconv.Itoa(int(port))
	own := func(allow string, endpoints ...string) *egress.Guard {
		return egress.New(egress.Config{
			Allow: rules(t, allow), Own: func() []string { return endpoints },
			Lookup: names(map[string]string{
				"db.internal": "127.0.0.1", "localhost": "127.0.0.1", "else.internal": "10.9.9.9", "alias.example": "127.0.0.1",
			}),
		})
	}
	t.Run("G06 own endpoints stay closed in an open network", func(t *testing.T) {
		t.Parallel()
		for _, endpoint := range []string{"127.0.0.1:" + at, "db.internal:" + at, "localhost:" + at, "0.0.0.0:" + at, ":" + at, "[::]:" + at} {
			refusedBy(t, own("127.0.0.0/8, *.example", endpoint), "alias.example", port)
		}
	})
	t.Run("AnExactEntryOpensThem", func(t *testing.T) {
		t.Parallel()
		reached(t, own("127.0.0.1:"+at, "db.internal:"+at), "127.0.0.1", port)
		reached(t, own("alias.example:"+at, "db.internal:"+at), "alias.example", port)
		refusedBy(t, own("*:"+at, "db.internal:"+at), "127.0.0.1", port)
	})
	t.Run("OtherEndpointsAreOpen", func(t *testing.T) {
		t.Parallel()
		reached(t, own("127.0.0.1", "else.internal:"+at, "absent.internal:"+at, "broken"), "127.0.0.1", port)
	})
}

func TestParseRules(t *testing.T) {
	t.Parallel()
	got, err := egress.ParseRules(" db.example.com , ,10.0.0.0/8:5432-5439,[fd00::1]:5432,fd00::/8,*")
	require.NoError(t, err)
	require.Len(t, got, 5)
	for _, wrong := range []string{
		"a b", "10.0.0.0/40", "db:0", "db:70000", "db:9-3", "db:x", "[::1]5", "[::1", "[::1]:", "http://x",
		"*.", "**", "fe80::1%eth0", "300.1.1.1",
	} {
		_, err := egress.ParseRules(wrong)
		require.Error(t, err, wrong)
	}
}

// A connection without encryption is only made to what an operator permits, and nothing is sent before.
func TestDial_Plain(t *testing.T) {
	t.Parallel()
	port := listen(t)
	at := strconv.Itoa(int(port))
	lookup := names(map[string]string{"db.example": "127.0.0.1", "other.example": "127.0.0.2"})
	plain := func(list, host string) error {
		g := egress.New(egress.Config{Allow: rules(t, "127.0.0.0/8"), Plain: rules(t, list), Lookup: lookup})
		conn, err := g.Dial(t.Context(), host, port, true)
		if err == nil {
			_ = conn.Close()
		}
		return err
	}
	for _, list := range []string{"db.example", "127.0.0.1", "127.0.0.1:" + at, "*"} {
		require.NoError(t, plain(list, "DB.example"), list)
	}
	for _, list := range []string{"", "other.example", "127.0.0.2", "127.0.0.1:1", "db.example:1"} {
		err := plain(list, "db.example")
		var e *domain.Error
		require.ErrorAs(t, err, &e, list)
		require.Equal(t, "params.tls", e.Fields[0].Field)
	}
	t.Run("SecondConnection", func(t *testing.T) {
		t.Parallel()
		g := egress.New(egress.Config{Allow: rules(t, "127.0.0.1"), Plain: rules(t, "other.example"), Lookup: lookup})
		_, err := g.DialAddress(t.Context(), "db.example", netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port), true)
		require.Error(t, err)
	})
	t.Run("ClosedHostIsNamedFirst", func(t *testing.T) {
		t.Parallel()
		_, err := egress.New(egress.Config{}).Dial(t.Context(), "127.0.0.1", port, true)
		var e *domain.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, "params.host", e.Fields[0].Field)
	})
}
