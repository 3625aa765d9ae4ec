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

// Config is the configuration of a Guard.
type Config struct {
	// Deny closes the destinations that it matches, even if Allow matches them. Its entry *
	// without a port closes all destinations that Allow does not match.
	Deny []Rule
	// Allow opens destinations that are closed by default: addresses that are not public, and
	// ports below 1024 other than 443. An endpoint in Own is opened only by an entry for one
	// host or address with exactly its port.
	Allow []Rule
	// Plain lists the destinations for which a connection need not be encrypted. Nil: no destination.
	Plain []Rule
	// Own returns the endpoints, host:port, of this program and of the services that it uses.
	// Nil: no endpoints.
	Own func() []string
	// Lookup resolves a name. Nil means the machine's resolver.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// Timeout is the time limit for opening a connection; 0 means 10 s.
	Timeout time.Duration
}

const defaultTimeout = 10 * time.Second

// Guard opens connections to permitted destinations. It is safe for concurrent use.
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

// The fields of a connection that the errors of a Guard name.
const (
	FieldHost = "params." + domain.ParamHost
	FieldTLS  = "params." + domain.ParamTLS
)

var (
	// errRefused is the error for every address that may not be reached. It does not reveal
	// whether anything listens there.
	errRefused = errors.New("the address may not be reached")
	// errPlain is the error for an address to which every connection must be encrypted.
	errPlain = errors.New("the address may not be reached without encryption")
)

// Dial connects to a port of a host. It resolves the name and tries the addresses in turn;
// addresses that may not be reached are skipped. plain says that the caller will not encrypt the
// connection; an operator must have permitted that for the host (Config.Plain).
// Errors: CodeInvalid for FieldHost if the host may not be reached or has no address, and for
// FieldTLS if it may not be reached without encryption; CodeUnavailable if it does not answer; the
// cause of ctx.
func (g *Guard) Dial(ctx context.Context, host string, port uint16, plain bool) (net.Conn, error) {
	if err := Host(FieldHost, host); err != nil {
		return nil, err
	}
	addresses, err := g.config.Lookup(ctx, host)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("look up a host: %w", context.Cause(ctx))
	}
	if err != nil || len(addresses) == 0 {
		return nil, domain.Invalid(FieldHost, "The host was not found").WithCause(err)
	}
	for _, address := range addresses {
		var conn net.Conn
		if conn, err = g.DialAddress(ctx, host, netip.AddrPortFrom(address, port), plain); err == nil {
			return conn, nil
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("reach a host: %w", context.Cause(ctx))
	case errors.Is(err, errRefused):
		return nil, domain.Invalid(FieldHost, "This host or port may not be reached from here. An administrator can allow it.")
	case errors.Is(err, errPlain):
		return nil, domain.Invalid(FieldTLS,
			"An administrator must allow plain connections to this host. Please choose an encrypted one.")
	}
	return nil, domain.Errorf(domain.CodeUnavailable, "The host does not answer at this port.").WithCause(err)
}

// DialAddress connects to an address that a name was resolved to, for example to open a
// second connection to the same server. The address is checked like any other, and plain means the
// same as in Dial.
func (g *Guard) DialAddress(ctx context.Context, host string, to netip.AddrPort, plain bool) (net.Conn, error) {
	dialer := net.Dialer{
		Timeout: g.config.Timeout,
		// The kernel calls connect directly after this function, with this address.
		ControlContext: func(ctx context.Context, _, address string, _ syscall.RawConn) error {
			actual, err := netip.ParseAddrPort(address)
			if err != nil || !g.judge(ctx, host, actual) {
				return errRefused
			}
			// This is decided for the same address, before the first packet is sent to it.
			if plain && !g.mayBePlain(host, actual) {
				return errPlain
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

// mayBePlain reports whether an operator permits unencrypted connections to a host.
func (g *Guard) mayBePlain(host string, to netip.AddrPort) bool {
	return matching(g.config.Plain, strings.ToLower(host), netip.AddrPortFrom(to.Addr().Unmap(), to.Port()), func(*Rule) bool { return true })
}
