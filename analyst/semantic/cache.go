package semantic

import (
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/lru"
)

// cachedMax is the number of meanings that a node keeps: one for each set of sources that is asked at the same time.
const cachedMax = 256

// Cache keeps the meanings that were derived last, by the hashes of their inputs. It is safe for concurrent use: turns share it.
type Cache struct {
	of *lru.Cache[string, *meaning.Meaning]
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{lru.New[string, *meaning.Meaning](cachedMax)} }

// Of returns the meaning of an input. Callers must not change it.
func (c *Cache) Of(in *Input) *meaning.Meaning {
	return c.of.Of(in.Hash(), func() (*meaning.Meaning, int) { return Derive(in), 1 })
}
