package cluster

import "sync"

// losses wakes everything that waits for the loss of a member. A request to an owner on that member can
// then be sent again at once, instead of after its pause, which may be a second long.
type losses struct {
	// mu guards next, which is closed by the next loss and is nil while nothing waits for one.
	mu   sync.Mutex
	next chan struct{}
}

// wait returns a channel that the next loss closes.
func (l *losses) wait() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil {
		l.next = make(chan struct{})
	}
	return l.next
}

// wake ends the waiting, because a member was lost.
func (l *losses) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next != nil {
		close(l.next)
		l.next = nil
	}
}
