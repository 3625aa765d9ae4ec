package egress

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// closed are the networks of version 4 that are not public.
func closed() []netip.Prefix {
	return prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
		"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4")
}

// open is what is public of version 6, and closed6 the parts of it that are not: tunnels
// (they hold an address of version 4) and examples. Loopback, mapped, NAT64, unique-local,
// link-local and multicast addresses stand outside of it.
func open6() netip.Prefix { return netip.MustParsePrefix("2000::/3") }

func closed6() []netip.Prefix {
	return prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
}

// metadata are the addresses at which clouds give out credentials. No list opens them.
func metadata() []netip.Prefix {
	return prefixes("169.254.169.254/32", "169.254.170.2/32", "169.254.170.23/32", "100.100.100.200/32", "168.63.129.16/32",
		"192.0.0.192/32", "fd00:ec2::254/128", "fd00:ec2::23/128", "fd20:ce::254/128")
}

// nat64 hold an address of version 4 in their last four bytes.
func nat64() []netip.Prefix { return prefixes("64:ff9b::/96", "64:ff9b:1::/48") }

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

func within(networks []netip.Prefix, address netip.Addr) bool {
	for _, n := range networks {
		if n.Contains(address) {
			return true
		}
	}
	return false
}

// public reports whether an address is one of the internet.
func public(address netip.Addr) bool {
	if address.Is4() {
		return !within(closed(), address)
	}
	return open6().Contains(address) && !within(closed6(), address)
}

// never tells the addresses that no list opens.
func never(address netip.Addr) bool {
	if within(nat64(), address) {
		bytes := address.As16()
		return never(netip.AddrFrom4([4]byte(bytes[12:])))
	}
	return within(metadata(), address) || address.IsUnspecified() || address.IsMulticast()
}

const (
	// firstPort is the first one that is open without an operator's word: below stand the
	// services of machines, such as shells and mail.
	firstPort = 1024
	webPort   = 443
)

// judge reports whether a connection by a name may go to an address.
func (g *Guard) judge(ctx context.Context, host string, to netip.AddrPort) bool {
	to = netip.AddrPortFrom(to.Addr().Unmap().WithZone(""), to.Port())
	if never(to.Addr()) {
		return false
	}
	if matching(g.config.Deny, host, to, func(r *Rule) bool { return !r.all || r.high != 0 }) {
		return false
	}
	if g.own(ctx, to) {
		// An operator who wants this must name the port: a rule that opens a network is not
		// meant to open this program's own addresses.
		return matching(g.config.Allow, host, to, (*Rule).exact)
	}
	if matching(g.config.Allow, host, to, func(*Rule) bool { return true }) {
		return true
	}
	if matching(g.config.Deny, host, to, func(r *Rule) bool { return r.all }) {
		return false
	}
	return (to.Port() >= firstPort || to.Port() == webPort) && public(to.Addr())
}

// own reports whether an address is one at which this program, its database, its Redis
// or its cluster listens. A name of its own that cannot be resolved now is skipped.
func (g *Guard) own(ctx context.Context, to netip.AddrPort) bool {
	if g.config.Own == nil {
		return false
	}
	for _, endpoint := range g.config.Own() {
		host, port, err := net.SplitHostPort(endpoint)
		if err != nil || port != strconv.Itoa(int(to.Port())) {
			continue
		}
		if host == "" || host == "*" {
			host = "0.0.0.0"
		}
		addresses, err := g.config.Lookup(ctx, strings.Trim(host, "[]"))
		if err != nil {
			continue
		}
		for _, a := range addresses {
			a = a.Unmap()
			if a == to.Addr() || (a.IsUnspecified() || a.IsLoopback()) && g.ofThisMachine(to.Addr()) {
				return true
			}
		}
	}
	return false
}

// ofThisMachine reports whether an address leads back to this machine.
func (g *Guard) ofThisMachine(address netip.Addr) bool {
	if address.IsLoopback() {
		return true
	}
	interfaces, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, i := range interfaces {
		if prefix, err := netip.ParsePrefix(i.String()); err == nil && prefix.Addr().Unmap() == address {
			return true
		}
	}
	return false
}
