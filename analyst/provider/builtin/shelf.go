package builtin

import (
	"container/list"
	"crypto/sha256"
	"encoding/json"
	"sync"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain/meaning"
)

// shelfMax is the maximum number of phrases of the indexes that are kept. An index of 6,000 values has some 30,000 phrases and
// takes some 10 MB.
const shelfMax = 300_000

// shelf keeps the indexes of the tables that were asked last. A turn reads its question up to three times, and people ask the
// same tables again: the index of twelve wide tables takes 0.2 s of a core each time (BenchmarkPlanner). Without a shelf (nil)
// each planner makes its own. It is safe for concurrent use, and what it keeps is not changed.
type shelf struct {
	// mu guards what follows.
	mu    sync.Mutex
	of    map[[sha256.Size]byte]*list.Element
	order list.List // of *shelved, the latest first
	size  int
}

// shelved are the indexes of some tables.
type shelved struct {
	key     [sha256.Size]byte
	views   []*view
	indexes []*index
	size    int
}

// get returns the views and the indexes of tables, from the shelf if they are there.
func (s *shelf) get(lang *language, tables []analyst.Table, m *meaning.Meaning) ([]*view, []*index) {
	if s == nil {
		e := newShelved(lang, tables, m)
		return e.views, e.indexes
	}
	key := keyOf(tables, m)
	s.mu.Lock()
	at := s.of[key]
	if at != nil {
		s.order.MoveToFront(at)
	}
	s.mu.Unlock()
	if at != nil {
		e := at.Value.(*shelved) //nolint:forcetypeassert // put stores nothing else
		return e.views, e.indexes
	}
	// Two questions may index the same tables at once; both results are equal.
	e := newShelved(lang, tables, m)
	e.key = key
	s.put(e)
	return e.views, e.indexes
}

func (s *shelf) put(e *shelved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.size > shelfMax || s.of[e.key] != nil {
		return
	}
	if s.of == nil {
		s.of = map[[sha256.Size]byte]*list.Element{}
	}
	s.of[e.key] = s.order.PushFront(e)
	for s.size += e.size; s.size > shelfMax; {
		last := s.order.Remove(s.order.Back()).(*shelved) //nolint:forcetypeassert // as above
		s.size -= last.size
		delete(s.of, last.key)
	}
}

func newShelved(lang *language, tables []analyst.Table, m *meaning.Meaning) *shelved {
	e := &shelved{views: views(tables, m)}
	for _, v := range e.views {
		ix := newIndex(v, lang)
		e.indexes = append(e.indexes, ix)
		e.size += len(ix.phrases) + len(ix.values) + len(ix.forms) + len(ix.words) + len(ix.starts)
	}
	return e
}

// keyOf identifies tables by all that a planner can read of them, so that a field that is added counts by itself.
func keyOf(tables []analyst.Table, m *meaning.Meaning) [sha256.Size]byte {
	h := sha256.New()
	if m != nil {
		h.Write([]byte(m.Hash))
	}
	if err := json.NewEncoder(h).Encode(tables); err != nil {
		panic(err) // a table has nothing that JSON cannot hold
	}
	return [sha256.Size]byte(h.Sum(nil))
}
