// Package queue holds what waits its turn.
package queue

// Queue gives things in the order in which they came, from a ring that grows.
// The zero value is empty. It is not safe for concurrent use.
type Queue[T any] struct {
	// ring has length items from head on.
	ring   []T
	head   int
	length int
}

// Len is how many there are.
func (q *Queue[T]) Len() int { return q.length }

// Push puts an item behind all others.
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

// Pop takes the oldest item; false says that there is none.
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
