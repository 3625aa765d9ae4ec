package fakes

import (
	"sync"

	"parley.dev/parley/domain"
)

// Board passes hints to all nodes of a test, synchronously in the goroutine that calls Send.
// The zero value is ready.
type Board struct {
	mu        sync.Mutex
	listeners map[domain.HintTopic][]func([]byte)
}

var _ domain.HintBoard = (*Board)(nil)

// Send implements domain.HintBoard.
func (b *Board) Send(topic domain.HintTopic, _ string, data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, listener := range b.listeners[topic] {
		listener(data)
	}
}

// Listen implements domain.HintBoard. The listener is called until the test ends.
func (b *Board) Listen(topic domain.HintTopic, listener func([]byte)) func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listeners == nil {
		b.listeners = map[domain.HintTopic][]func([]byte){}
	}
	b.listeners[topic] = append(b.listeners[topic], listener)
	return func() {}
}
