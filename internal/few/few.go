// Package few has a map that is small while it has few entries. Go's own map takes at least
// 250 bytes; nearly all maps of idle sockets and conversations have one entry.
package few

import "iter"

// indexFrom is the number of entries from which an index is used.
const indexFrom = 16

// Map is a map whose first entries are a list. The zero value is empty and ready for use. It
// is not safe for concurrent use.
type Map[K comparable, V any] struct {
	list  []entry[K, V]
	index map[K]int // key → index in list; nil for a short list
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// Len is the number of entries.
func (m *Map[K, V]) Len() int { return len(m.list) }

// Get returns the value of a key, and the zero value if there is none.
func (m *Map[K, V]) Get(key K) V {
	if i := m.find(key); i >= 0 {
		return m.list[i].value
	}
	var none V
	return none
}

// Set stores the value of a key.
func (m *Map[K, V]) Set(key K, value V) {
	if i := m.find(key); i >= 0 {
		m.list[i].value = value
		return
	}
	m.list = append(m.list, entry[K, V]{key, value})
	switch n := len(m.list); {
	case m.index != nil:
		m.index[key] = n - 1
	case n >= indexFrom:
		m.index = make(map[K]int, 2*n)
		for i := range m.list {
			m.index[m.list[i].key] = i
		}
	}
}

// Delete removes a key. An empty map holds no memory.
func (m *Map[K, V]) Delete(key K) {
	i := m.find(key)
	if i < 0 {
		return
	}
	last := len(m.list) - 1
	if m.index != nil {
		delete(m.index, key)
		if i != last {
			m.index[m.list[last].key] = i
		}
	}
	m.list[i] = m.list[last]
	m.list[last] = entry[K, V]{}
	m.list = m.list[:last]
	if last == 0 {
		m.list, m.index = nil, nil
	}
}

// All iterates over the entries in no particular order. Meanwhile, values of existing keys may
// be replaced, and nothing else may be changed.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for i := range m.list {
			if !yield(m.list[i].key, m.list[i].value) {
				return
			}
		}
	}
}

func (m *Map[K, V]) find(key K) int {
	if m.index != nil {
		if i, ok := m.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range m.list {
		if m.list[i].key == key {
			return i
		}
	}
	return -1
}
