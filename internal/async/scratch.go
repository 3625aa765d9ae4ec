package async

import "sync"

// scratchKept is the largest room that is kept.
const scratchKept = 16 << 10

// Scratch is room for something that is made, handed to a function and needed no more
// when that returns, such as a frame for a socket. The zero value is ready, any goroutine
// may use it, and it must not be copied.
type Scratch struct{ pool sync.Pool }

// Lend gives f empty room for the length of the call: nothing that f calls may keep it.
// What f returns is the room, grown where it was too small.
func (s *Scratch) Lend(f func(room []byte) []byte) {
	room, ok := s.pool.Get().(*[]byte)
	if !ok {
		room = new([]byte)
	}
	*room = f((*room)[:0])
	if cap(*room) <= scratchKept {
		s.pool.Put(room)
	}
}
