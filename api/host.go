package api

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/domain"
)

// hosts are the names by which the server may be called, without ports. A foreign page whose
// name was made to resolve to this server (DNS rebinding) uses its own name, and its requests
// are refused.
type hosts struct {
	names    map[string]struct{}
	loopback bool // this machine's own names
	literals bool // any IP address: a browser uses no other name for it, so DNS rebinding is not possible
}

// newHosts takes URLs and names, with or without a port. If one of them is a loopback name,
// the result includes all loopback names.
func newHosts(called ...string) hosts {
	h := hosts{names: map[string]struct{}{}}
	for _, name := range called {
		if u, err := url.Parse(name); err == nil && u.Host != "" {
			name = u.Host
		}
		if name = hostName(name); name != "" {
			h.names[name] = struct{}{}
			h.loopback = h.loopback || isLoopback(name)
		}
	}
	return h
}

// know reports whether a request's host is one of these names.
func (h hosts) know(host string) bool {
	name := hostName(host)
	if _, ours := h.names[name]; ours {
		return true
	}
	if h.literals {
		if _, err := netip.ParseAddr(name); err == nil {
			return true
		}
	}
	return h.loopback && isLoopback(name)
}

// hostName returns the name in a Host header, in one spelling.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// isLoopback reports whether a name means the machine itself.
func isLoopback(name string) bool {
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// checkHost refuses a request for another host name: in the Host header, of which the HTTP
// server accepts only one, or in the URL of the request line.
func (s *Server) checkHost(c *fiber.Ctx) error {
	if !s.hosts.know(string(c.Request().Header.Host())) || !s.hosts.know(string(c.Context().Host())) {
		return domain.Errorf(domain.CodeBadRequest, "This server is not called by that name")
	}
	return nil
}

// guardOperator does the same for the operator port, which programs may also call by any IP
// address.
func (s *Server) guardOperator(next http.Handler) http.Handler {
	known := newHosts(append([]string{s.URL, s.OperatorAddr, "localhost"}, s.Hosts...)...)
	known.literals = true
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !known.know(r.Host) {
			s.log.LogAttrs(r.Context(), slog.LevelDebug, "a call by another server's name was refused", slog.String("host", truncated(r.Host, 200)))
			http.Error(w, "This server is not called by that name.", http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
