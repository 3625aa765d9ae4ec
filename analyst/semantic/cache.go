package semantic

import (
	"container/list"
	"sync"

	"parley.dev/parley/domain/meaning"
)

// cachedMax is the number of meanings that a node keeps: one for each set of sources that is asked at the same time.
const cachedMax = 256

// Cache keeps the meanings that were derived last, by the hashes of their inputs. The zero value is ready for use, and safe for
// concurrent use: turns share it.
type Cache struct {
	// mu guards what follows.
	mu    sync.Mutex
	of    map[string]*list.Element
	order list.List // of *meaning.Meaning, the latest first
}

// Of returns the meaning of an input. It is not to be changed.
func (c *Cache) Of(in *Input) *meaning.Meaning {
	hash := in.Hash()
	if m := c.get(hash); m != nil {
		return m
	}
	// Two turns may derive the same at once; both results are equal.
	m := Derive(in)
	c.put(m)
	return m
}

func (c *Cache) get(hash string) *meaning.Meaning {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.of[hash]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*meaning.Meaning) //nolint:forcetypeassert // put stores nothing else
}

func (c *Cache) put(m *meaning.Meaning) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[string]*list.Element{}
	}
	if c.of[m.Hash] != nil {
		return
	}
	c.of[m.Hash] = c.order.PushFront(m)
	if c.order.Len() > cachedMax {
		last := c.order.Back()
		delete(c.of, c.order.Remove(last).(*meaning.Meaning).Hash) //nolint:forcetypeassert // as above
	}
}
