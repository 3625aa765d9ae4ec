package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"parley.dev/parley/domain"
)

// Config of a Guard.
type Config struct {
	// Deny closes what it names, also where Allow names it. Its entry * without a port
	// closes all that Allow does not name.
	Deny []Rule
	// Allow opens what is closed by default: addresses that are not public, and ports
	// below 1024. What is Own it opens only by an entry of one host or address with that one port.
	Allow []Rule
	// Plain are the hosts to which a connection need not be encrypted. None by default.
	Plain []Rule
	// Own gives the endpoints, host:port, of this program and of what it works with. Nil: none.
	Own func() []string
	// Lookup resolves a name. Nil means the machine's resolver.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// Timeout of a connection; 0 means 10 s.
	Timeout time.Duration
}

const defaultTimeout = 10 * time.Second

// Guard makes connections to where connectors may go. It is safe for concurrent use.
type Guard struct{ config Config }

// New makes a guard.
func New(c Config) *Guard {
	if c.Lookup == nil {
		c.Lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	return &Guard{config: c}
}

// errRefused is the one thing that is said of an address that may not be reached: what
// is behind it, and whether anything is, is not told.
var errRefused = errors.New("the address may not be reached")

// Dial connects to a port of a host. The name is resolved now, and the addresses that
// it has are tried in turn, those that may not be reached left out.
// Errors: CodeInvalid for the field where the host may not be reached or has no
// address, CodeUnavailable where it does not answer, the cause of ctx.
func (g *Guard) Dial(ctx context.Context, field, host string, port uint16) (net.Conn, error) {
	if err := Host(field, host); err != nil {
		return nil, err
	}
	addresses, err := g.config.Lookup(ctx, host)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("look up a host: %w", context.Cause(ctx))
	}
	if err != nil || len(addresses) == 0 {
		return nil, domain.Invalid(field, "The host was not found").WithCause(err)
	}
	for _, address := range addresses {
		var conn net.Conn
		if conn, err = g.DialAddress(ctx, host, netip.AddrPortFrom(address, port)); err == nil {
			return conn, nil
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("reach a host: %w", context.Cause(ctx))
	case errors.Is(err, errRefused):
		return nil, domain.Invalid(field, "This host or port may not be reached from here. An administrator can allow it.")
	}
	return nil, domain.Errorf(domain.CodeUnavailable, "The host does not answer at this port.").WithCause(err)
}

// DialAddress connects to an address that a name had, such as once more to the server
// that a connection leads to. It is judged like any other.
func (g *Guard) DialAddress(ctx context.Context, host string, to netip.AddrPort) (net.Conn, error) {
	dialer := net.Dialer{
		Timeout: g.config.Timeout,
		// This is the last moment before the kernel connects, and the address is the one
		// that it connects to.
		ControlContext: func(ctx context.Context, _, address string, _ syscall.RawConn) error {
			actual, err := netip.ParseAddrPort(address)
			if err != nil || !g.judge(ctx, host, actual) {
				return errRefused
			}
			return nil
		},
	}
	conn, err := dialer.DialContext(ctx, "tcp", netip.AddrPortFrom(to.Addr().Unmap(), to.Port()).String())
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return conn, nil
}

// MayBePlain reports whether an operator lets connections to a host go unencrypted.
func (g *Guard) MayBePlain(host string, to netip.AddrPort) bool {
	return matching(g.config.Plain, strings.ToLower(host), netip.AddrPortFrom(to.Addr().Unmap(), to.Port()), func(*Rule) bool { return true })
}
