package stream

import (
	"context"
	"net/netip"
	"strconv"

	"parley.dev/parley/domain"
)

// Seats limits the open streams of people and of addresses, on all nodes together.
type Seats struct {
	// Keeper counts the open streams.
	Keeper domain.SeatKeeper
	// PerPerson and PerAddress are the limits; a negative number means no limit.
	PerPerson, PerAddress int
}

// reserve reserves the seats for a stream of a person at an address. ok is false if one of the
// two has reached its limit. The seats are reserved until release is called, from any
// goroutine; further calls have no effect.
func (s Seats) reserve(ctx context.Context, person int64, address string) (release func(), ok bool) {
	return s.Keeper.Take(ctx,
		domain.Seat{Key: "stream/person/" + strconv.FormatInt(person, 10), Most: s.PerPerson},
		domain.Seat{Key: "stream/address/" + address, Most: s.PerAddress})
}

// SeatAddress returns what counts as one address: an IPv4 address, or an IPv6 network of
// 64 bits, because one customer usually has 2^64 IPv6 addresses.
func SeatAddress(ip netip.Addr) string {
	if ip = ip.Unmap(); !ip.Is6() {
		return ip.String() // an invalid address has a text as well
	}
	return netip.PrefixFrom(ip.WithZone(""), 64).Masked().Addr().String()
}
