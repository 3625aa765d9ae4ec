package fakes

import (
	"sync"

	"parley.dev/parley/domain"
)

// Board passes hints within a test, to all nodes of it, at once and in the goroutine of
// the one that tells. The zero value is ready.
type Board struct {
	mu        sync.Mutex
	listeners map[domain.HintTopic][]func([]byte)
}

var _ domain.HintBoard = (*Board)(nil)

// Tell implements domain.HintBoard.
func (b *Board) Tell(topic domain.HintTopic, _ string, data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, heard := range b.listeners[topic] {
		heard(data)
	}
}

// Listen implements domain.HintBoard. The listener is called until the test ends.
func (b *Board) Listen(topic domain.HintTopic, heard func([]byte)) func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listeners == nil {
		b.listeners = map[domain.HintTopic][]func([]byte){}
	}
	b.listeners[topic] = append(b.listeners[topic], heard)
	return func() {}
}
