package stream

import (
	"context"
	"net/netip"
	"strconv"

	"parley.dev/parley/domain"
)

// Seats bounds the open streams of people and of addresses, on all nodes together.
type Seats struct {
	// Keeper counts them.
	Keeper domain.SeatKeeper
	// PerPerson and PerAddress are the most; a negative number sets no limit.
	PerPerson, PerAddress int
}

// take gives a stream of a person at an address its seat, or says with ok false that
// one of the two has as many as it may. The seat is taken until release is called,
// which may be done from any goroutine, and again: only the first call counts.
func (s Seats) take(ctx context.Context, person int64, address string) (release func(), ok bool) {
	return s.Keeper.Take(ctx,
		domain.Seat{Key: "stream/person/" + strconv.FormatInt(person, 10), Most: s.PerPerson},
		domain.Seat{Key: "stream/address/" + address, Most: s.PerAddress})
}

// SeatAddress is what counts as one address: an IPv4 one, or a network of IPv6,
// of which a customer has 2^64.
func SeatAddress(ip netip.Addr) string {
	if ip = ip.Unmap(); !ip.Is6() {
		return ip.String() // that of an address which is none is a name, too
	}
	return netip.PrefixFrom(ip.WithZone(""), 64).Masked().Addr().String()
}
