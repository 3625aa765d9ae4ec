package shared

import "context"

// Renew renews the lease at once, as is done every few seconds.
func (s *Space) Renew(ctx context.Context) { s.server.renew(ctx) }

// Abandon ends a space without releasing anything, as when its machine is lost.
func (s *Space) Abandon() {
	s.server.up.Store(false)
	s.stop()
	<-s.ended
}

// Ended reports whether the space's work has ended.
func (s *Space) Ended() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}
