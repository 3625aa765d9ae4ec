package egress

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
)

// Rule is an entry of an operator's list. It matches the name that a person entered, or the
// address that is connected to.
type Rule struct {
	// all matches everything; network matches addresses; name matches one name or, if below
	// is set, all names below it.
	all     bool
	network netip.Prefix
	name    string
	below   bool
	// low and high are the range of ports; 0 means all ports.
	low, high uint16
}

// errRule describes valid entries.
var errRule = errors.New("must be names (db.example.com, *.example.com), addresses, networks (10.0.0.0/8) or *, " +
	"each with a port or a range of ports where wanted (db.example.com:5432, 10.0.0.0/8:5432-5439, [fd00::1]:5432), " +
	"with commas between them")

// ParseRules parses a list of entries that are separated by commas. Empty entries are skipped.
func ParseRules(text string) ([]Rule, error) {
	var out []Rule
	for entry := range strings.SplitSeq(text, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		rule, ok := parseRule(entry)
		if !ok {
			return nil, errRule
		}
		out = append(out, rule)
	}
	return out, nil
}

func parseRule(entry string) (Rule, bool) {
	host, ports, ok := cutPorts(entry)
	if !ok {
		return Rule{}, false
	}
	var r Rule
	if ports != "" {
		if r.low, r.high, ok = parsePorts(ports); !ok {
			return Rule{}, false
		}
	}
	if host == "*" {
		r.all = true
		return r, true
	}
	if network, err := netip.ParsePrefix(host); err == nil {
		r.network = network.Masked()
		return r, true
	}
	if address, err := netip.ParseAddr(host); err == nil {
		r.network = netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen())
		return r, address.Zone() == ""
	}
	r.name, r.below = strings.CutPrefix(strings.ToLower(host), "*.")
	return r, isName(r.name)
}

// cutPorts separates the ports from an entry. An IPv6 address with ports is in brackets;
// without brackets all colons belong to the address.
func cutPorts(entry string) (host, ports string, ok bool) {
	if rest, bracket := strings.CutPrefix(entry, "["); bracket {
		host, ports, ok = strings.Cut(rest, "]")
		if ports == "" || !ok {
			return host, "", ok
		}
		ports, ok = strings.CutPrefix(ports, ":")
		return host, ports, ok && ports != ""
	}
	if strings.Count(entry, ":") != 1 {
		return entry, "", true
	}
	host, ports, _ = strings.Cut(entry, ":")
	return host, ports, ports != ""
}

func parsePorts(text string) (low, high uint16, ok bool) {
	first, last, ranged := strings.Cut(text, "-")
	if !ranged {
		last = first
	}
	a, errA := strconv.ParseUint(first, 10, 16)
	b, errB := strconv.ParseUint(last, 10, 16)
	return uint16(a), uint16(b), errA == nil && errB == nil && a > 0 && a <= b
}

// matches reports whether the rule applies to a connection to a name and its address.
func (r *Rule) matches(host string, to netip.AddrPort) bool {
	if r.high != 0 && (to.Port() < r.low || to.Port() > r.high) {
		return false
	}
	switch {
	case r.all:
		return true
	case r.network.IsValid():
		return r.network.Contains(to.Addr())
	case r.below:
		return strings.HasSuffix(strings.ToLower(host), "."+r.name)
	default:
		return strings.EqualFold(host, r.name)
	}
}

// exact reports whether the rule is for one host or one address, and for one port.
func (r *Rule) exact() bool {
	one := r.name != "" && !r.below || r.network.IsValid() && r.network.IsSingleIP()
	return one && r.low == r.high && r.high != 0
}

func matching(rules []Rule, host string, to netip.AddrPort, which func(*Rule) bool) bool {
	for i := range rules {
		if which(&rules[i]) && rules[i].matches(host, to) {
			return true
		}
	}
	return false
}
