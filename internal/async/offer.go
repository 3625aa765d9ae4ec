package async

import "sync"

// Offer is something that an actor lets another goroutine take at a moment of
// its choice, until the actor wants to know what has become of it. It can be opened
// again after that, for what stands at another time; whoever may still hold it from an
// earlier time must not share it.
type Offer[A, T any] struct {
	// given
	give func(A) T
	// Take takes it, if it is still there. It is a field so that handing it on costs
	// nothing.
	Take func() T

	// open says that the actor has not withdrawn it; the actor's own.
	open bool

	// mu guards what stands below it; both sides write it.
	mu    sync.Mutex
	there bool
	about A
	taken T
}

// NewOffer makes an offer, which is not open. give is called by Take, with what Open
// was given, at most once for each Open.
func NewOffer[A, T any](give func(A) T) *Offer[A, T] {
	o := &Offer[A, T]{give: give}
	o.Take = o.take
	return o
}

// Open makes it takeable.
func (o *Offer[A, T]) Open(about A) {
	o.open = true
	o.mu.Lock()
	defer o.mu.Unlock()
	var nothing T
	o.there, o.about, o.taken = true, about, nothing
}

func (o *Offer[A, T]) take() (taken T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.there {
		o.there = false
		o.taken = o.give(o.about)
		taken = o.taken
	}
	return taken
}

// Withdraw ends the offer and gives what was taken before; false says that it was not open.
func (o *Offer[A, T]) Withdraw() (taken T, was bool) {
	if !o.open {
		return taken, false
	}
	o.open = false
	o.mu.Lock()
	defer o.mu.Unlock()
	taken = o.taken
	var nothing T
	o.there, o.taken = false, nothing
	return taken, true
}
