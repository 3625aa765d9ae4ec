package shared

import "context"

// Renew does at once what is done every few seconds.
func (s *Space) Renew(ctx context.Context) { s.server.renew(ctx) }

// Abandon ends a space as a lost machine does: nothing is given back.
func (s *Space) Abandon() {
	s.server.up.Store(false)
	s.stop()
	<-s.ended
}

// Ended tells whether the space's work has ended.
func (s *Space) Ended() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}
