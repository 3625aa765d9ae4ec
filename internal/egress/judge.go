package egress

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// closed lists the IPv4 networks that are not public.
func closed() []netip.Prefix {
	return prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
		"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4")
}

// open6 is the public network of IPv6, and closed6 lists the parts of it that are not public:
// tunnels (their addresses contain an IPv4 address) and documentation. Loopback, mapped,
// NAT64, unique-local, link-local and multicast addresses are outside of open6.
func open6() netip.Prefix { return netip.MustParsePrefix("2000::/3") }

func closed6() []netip.Prefix {
	return prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
}

// metadata lists the addresses of metadata services, which hand out credentials in clouds.
// No rule opens them.
func metadata() []netip.Prefix {
	return prefixes("169.254.169.254/32", "169.254.170.2/32", "169.254.170.23/32", "100.100.100.200/32", "168.63.129.16/32",
		"192.0.0.192/32", "fd00:ec2::254/128", "fd00:ec2::23/128", "fd20:ce::254/128")
}

// nat64 lists the networks whose addresses contain an IPv4 address in the last four bytes.
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

// public reports whether an address is a public address of the internet.
func public(address netip.Addr) bool {
	if address.Is4() {
		return !within(closed(), address)
	}
	return open6().Contains(address) && !within(closed6(), address)
}

// never reports whether an address is one that no rule opens.
func never(address netip.Addr) bool {
	if within(nat64(), address) {
		bytes := address.As16()
		return never(netip.AddrFrom4([4]byte(bytes[12:])))
	}
	return within(metadata(), address) || address.IsUnspecified() || address.IsMulticast()
}

const (
	// firstPort is the first port that is open by default. The ports below it, except
	// webPort, are for system services such as SSH and mail.
	firstPort = 1024
	webPort   = 443
)

// judge reports whether a connection to a name may be opened to an address.
func (g *Guard) judge(ctx context.Context, host string, to netip.AddrPort) bool {
	to = netip.AddrPortFrom(to.Addr().Unmap().WithZone(""), to.Port())
	if never(to.Addr()) {
		return false
	}
	if matching(g.config.Deny, host, to, func(r *Rule) bool { return !r.all || r.high != 0 }) {
		return false
	}
	if g.own(ctx, to) {
		// This needs a rule with exactly this port: a rule that opens a network is not meant
		// to open this program's own endpoints.
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

// own reports whether an address is one of the endpoints in Config.Own. An endpoint whose
// name cannot be resolved now is skipped.
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

// ofThisMachine reports whether an address belongs to this machine.
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
