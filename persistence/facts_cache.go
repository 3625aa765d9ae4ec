package persistence

import (
	"sync"

	"parley.dev/parley/domain"
)

// factsCacheBytes is the maximum size of all facts that a node keeps, in bytes of their JSON.
const factsCacheBytes = 32 << 20

// factsPlace names facts that never change.
type factsPlace struct {
	source  int64
	workKey string
	rules   int32
}

// factsCache keeps facts that were read. When it is full the oldest are forgotten: they are read again when they are asked
// for. It is safe for concurrent use, and nobody changes the facts in it.
type factsCache struct {
	// mu guards the fields below.
	mu    sync.Mutex
	of    map[factsPlace]factsEntry
	order []factsPlace // the oldest first
	size  int
}

type factsEntry struct {
	facts *domain.SourceFacts
	size  int
}

func newFactsCache() *factsCache { return &factsCache{of: map[factsPlace]factsEntry{}} }

// get returns facts, or nil.
func (c *factsCache) get(place factsPlace) *domain.SourceFacts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of[place].facts
}

// put keeps facts, unless they are there already or need too much room.
func (c *factsCache) put(place factsPlace, facts *domain.SourceFacts, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.of[place]; ok || size > factsCacheBytes/4 {
		return
	}
	c.of[place] = factsEntry{facts, size}
	c.order = append(c.order, place)
	for c.size += size; c.size > factsCacheBytes; c.order = c.order[1:] {
		c.size -= c.of[c.order[0]].size
		delete(c.of, c.order[0])
	}
}
