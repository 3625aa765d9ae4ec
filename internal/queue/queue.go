// Package queue is a FIFO queue.
package queue

// Queue is a FIFO queue on a ring buffer that grows.
// The zero value is empty. It is not safe for concurrent use.
type Queue[T any] struct {
	// ring holds length items, the oldest one at index head.
	ring   []T
	head   int
	length int
}

// Len is the number of items.
func (q *Queue[T]) Len() int { return q.length }

// Push appends an item.
func (q *Queue[T]) Push(item T) {
	if q.length == len(q.ring) {
		larger := make([]T, max(64, 2*q.length))
		n := copy(larger, q.ring[q.head:])
		copy(larger[n:], q.ring[:q.head])
		q.ring, q.head = larger, 0
	}
	q.ring[(q.head+q.length)%len(q.ring)] = item
	q.length++
}

// Pop removes and returns the oldest item; ok is false if the queue is empty.
func (q *Queue[T]) Pop() (item T, ok bool) {
	if q.length == 0 {
		return item, false
	}
	var zero T
	item, q.ring[q.head] = q.ring[q.head], zero
	q.head = (q.head + 1) % len(q.ring)
	q.length--
	return item, true
}
