package async

import "sync"

// Offer is something that an actor lets another goroutine take at a moment of
// its choice, until the actor wants to know what has become of it.
type Offer[T any] struct {
	// mu guards what stands below it; both sides write it.
	mu     sync.Mutex
	give   func() T
	taken  T
	closed bool
}

// NewOffer makes an offer. give is called at most once, by Take.
func NewOffer[T any](give func() T) *Offer[T] { return &Offer[T]{give: give} }

// Take takes it, if it is still there.
func (o *Offer[T]) Take() (taken T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closed {
		o.closed = true
		o.taken = o.give()
		taken = o.taken
	}
	return taken
}

// Withdraw ends the offer and gives what was taken before.
func (o *Offer[T]) Withdraw() T {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return o.taken
}
