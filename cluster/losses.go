package cluster

import "sync"

// losses tells all who wait that a member was lost. A request to what that member owned can be sent
// again at once then, instead of after the next pause, which may be a second later.
type losses struct {
	// mu guards next, which is closed by the next loss and is nil while nobody waits for one.
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

// tell wakes all who wait.
func (l *losses) tell() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next != nil {
		close(l.next)
		l.next = nil
	}
}
