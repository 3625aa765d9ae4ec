package async

import "sync"

// scratchKept is the capacity of the largest buffer that is kept.
const scratchKept = 16 << 10

// Scratch is a pool of buffers for short-lived data, such as a frame that is written to a
// socket and not needed after that. The zero value is ready. It is safe for concurrent use,
// and must not be copied.
type Scratch struct{ pool sync.Pool }

// Lend calls f with an empty buffer, which must not be kept after the call. f returns the
// buffer, or a larger one that it has grown into.
func (s *Scratch) Lend(f func(buffer []byte) []byte) {
	buffer, ok := s.pool.Get().(*[]byte)
	if !ok {
		buffer = new([]byte)
	}
	*buffer = f((*buffer)[:0])
	if cap(*buffer) <= scratchKept {
		s.pool.Put(buffer)
	}
}
