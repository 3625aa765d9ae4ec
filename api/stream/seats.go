package stream

import (
	"context"
	"net/netip"
	"sync"
)

// Seats counts the open streams of people and of addresses. An implementation
// that several nodes share takes the place of the one in this process.
type Seats interface {
	// Take gives a stream of a person at an address its seat, or says with ok false
	// that one of the two has as many as it may. The address is one of SeatAddress.
	// The seat is taken until release is called, which may be done from any goroutine,
	// and again: only the first call counts.
	Take(ctx context.Context, person int64, address string) (release func(), ok bool)
}

// SeatAddress is what counts as one address: an IPv4 one, or a network of IPv6,
// of which a customer has 2^64.
func SeatAddress(ip netip.Addr) string {
	if ip = ip.Unmap(); !ip.Is6() {
		return ip.String() // that of an address which is none is a name, too
	}
	return netip.PrefixFrom(ip.WithZone(""), 64).Masked().Addr().String()
}

// localSeats are the seats of one process.
type localSeats struct {
	// perPerson and perAddress are the most seats; negative sets no limit.
	perPerson, perAddress int

	// mu guards what stands below it; every stream takes it when it comes and goes.
	mu        sync.Mutex
	people    map[int64]int
	addresses map[string]int
}

// NewLocalSeats makes seats that this process counts by itself. A negative number
// sets no limit.
func NewLocalSeats(perPerson, perAddress int) Seats {
	return &localSeats{perPerson: perPerson, perAddress: perAddress, people: map[int64]int{}, addresses: map[string]int{}}
}

// Take implements Seats.
func (s *localSeats) Take(_ context.Context, person int64, address string) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.perPerson >= 0 && s.people[person] >= s.perPerson || s.perAddress >= 0 && s.addresses[address] >= s.perAddress {
		return nil, false
	}
	s.people[person]++
	s.addresses[address]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		countDown(s.people, person)
		countDown(s.addresses, address)
	}), true
}

func countDown[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] <= 0 {
		delete(counts, key)
	}
}
