package api

import (
	"net"
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// Headers in which proxies say which client has sent a request.
const (
	// HeaderForwardedFor is a list of addresses; each proxy adds the address of its own
	// client.
	HeaderForwardedFor = fiber.HeaderXForwardedFor
	// HeaderForwarded is the standard header, RFC 7239.
	HeaderForwarded = fiber.HeaderForwarded
)

// proxies are trusted to say which client has sent a request.
type proxies struct {
	trusted []netip.Prefix
	// header is the header that the trusted proxies set. Other headers are not trusted,
	// because a proxy passes on what the client sent.
	header string
}

func (p proxies) trust(ip netip.Addr) bool {
	for _, network := range p.trusted {
		if network.Contains(ip) {
			return true
		}
	}
	return false
}

// client returns the address of the client: the last address of the list that does not belong
// to a trusted proxy. The client may have forged the addresses before it. A proxy that does
// not name its client's address (unknown, an invented name) counts as the client itself.
func (p proxies) client(peer netip.Addr, lines [][]byte) netip.Addr {
	at := peer.Unmap()
	if !p.trust(at) {
		return at
	}
	var hops []string
	for _, line := range lines {
		hops = append(hops, p.hops(string(line))...)
	}
	for i := len(hops) - 1; i >= 0 && p.trust(at); i-- {
		next, ok := hopAddress(hops[i])
		if !ok {
			break
		}
		at = next
	}
	return at
}

// hops returns the addresses of a header; the address that the last proxy added is at the
// end.
func (p proxies) hops(line string) []string {
	if p.header != HeaderForwarded {
		return strings.Split(line, ",")
	}
	var hops []string
	for _, element := range splitQuoted(line, ',') {
		hop := "" // the proxy does not name the address
		for _, pair := range splitQuoted(element, ';') {
			name, value, _ := strings.Cut(pair, "=")
			if strings.EqualFold(strings.TrimSpace(name), "for") {
				hop = strings.Trim(strings.TrimSpace(value), `"`)
			}
		}
		hops = append(hops, hop)
	}
	return hops
}

// splitQuoted splits at separators outside of double quotes.
func splitQuoted(s string, separator byte) []string {
	var parts []string
	from, quoted := 0, false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == separator && !quoted:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

// hopAddress parses an address, which some proxies write with a port.
func hopAddress(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if host, _, err := net.SplitHostPort(hop); err == nil {
		hop = host
	}
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]"))
	return ip.Unmap().WithZone(""), err == nil
}

// findClient sets the request's remote address to the client's, for seats, the embedded
// sign-in, and the log.
func (s *Server) findClient(c *fiber.Ctx) {
	peer, ok := c.Context().Conn().RemoteAddr().(*net.TCPAddr)
	if !ok || len(s.proxies.trusted) == 0 {
		return
	}
	at := s.proxies.client(peer.AddrPort().Addr(), c.Request().Header.PeekAll(s.proxies.header))
	port := 0 // the port of a client behind a proxy is not known
	if at == peer.AddrPort().Addr().Unmap() {
		port = peer.Port
	}
	// It is also set without a proxy, because the previous request on this connection may
	// have set another address.
	c.Context().SetRemoteAddr(&net.TCPAddr{IP: at.AsSlice(), Port: port})
}
