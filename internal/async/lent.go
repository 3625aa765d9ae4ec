package async

import (
	"sync"
	"sync/atomic"
)

// Holders counts those who may still read a value that several were given. The zero
// value counts nobody.
type Holders struct{ n atomic.Int32 }

// Begin counts the one who gives it.
func (h *Holders) Begin() { h.n.Store(1) }

// Add counts so many more. The one who adds them still holds the value.
func (h *Holders) Add(n int) { h.n.Add(int32(n)) } //nolint:gosec // as many as there are readers

// Done lets one go; true says that it was the last. Where nobody was counted it says false.
func (h *Holders) Done() (last bool) { return h.n.Add(-1) == 0 }

// Spares are values that nobody reads any more and that are used again. The latest comes
// first, so that it is still in the processor's cache. The zero value is empty, and it
// must not be copied.
type Spares[T any] struct{ pool sync.Pool }

// Get gives one as Put left it, or a new zero value.
func (s *Spares[T]) Get() *T {
	if v, ok := s.pool.Get().(*T); ok {
		return v
	}
	return new(T)
}

// Put keeps one. Who puts it does not touch it again.
func (s *Spares[T]) Put(v *T) { s.pool.Put(v) }
