// Package lru keeps the values that were used last, up to a total weight.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps values by their keys. It is safe for concurrent use. A value that is kept is shared and must not be changed.
type Cache[K comparable, V any] struct {
	most int

	// mu guards what follows.
	mu     sync.Mutex
	of     map[K]*list.Element
	order  list.List // of *entry[K, V], the latest first
	weight int
}

type entry[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

// New returns a cache of values that weigh at most so much together.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most: most, of: map[K]*list.Element{}}
}

// Of returns the value of a key, and makes it if it is not kept. Two callers may make the same one at once, so equal keys must
// have equal values. A value that alone weighs more than the cache may hold is not kept.
func (c *Cache[K, V]) Of(key K, value func() (v V, weight int)) V {
	if e := c.kept(key); e != nil {
		return e.value
	}
	v, weight := value()
	c.keep(&entry[K, V]{key, v, weight})
	return v
}

func (c *Cache[K, V]) kept(key K) *entry[K, V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.of[key]
	if at == nil {
		return nil
	}
	c.order.MoveToFront(at)
	return entryOf[K, V](at)
}

func (c *Cache[K, V]) keep(e *entry[K, V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.weight > c.most || c.of[e.key] != nil {
		return
	}
	c.of[e.key] = c.order.PushFront(e)
	for c.weight += e.weight; c.weight > c.most; {
		last := entryOf[K, V](c.order.Back())
		c.order.Remove(c.order.Back())
		c.weight -= last.weight
		delete(c.of, last.key)
	}
}

// Len returns how many values are kept, and what they weigh together.
func (c *Cache[K, V]) Len() (values, weight int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len(), c.weight
}

func entryOf[K comparable, V any](at *list.Element) *entry[K, V] {
	return at.Value.(*entry[K, V]) //nolint:forcetypeassert // keep stores nothing else
}
