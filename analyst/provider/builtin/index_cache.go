package builtin

import (
	"crypto/sha256"
	"encoding/json"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/lru"
)

// indexCacheMax is the maximum number of phrases of the indexes that are kept. An index of 6,000 values has some 30,000 phrases and
// takes some 10 MB.
const indexCacheMax = 300_000

// indexCache keeps the indexes of the tables that were asked last. A turn reads its question up to three times, and people ask the
// same tables again: the index of twelve wide tables takes 0.2 s of a core each time (BenchmarkPlanner). Without a cache (nil) each
// planner makes its own indexes. It is safe for concurrent use, and its contents are never changed.
type indexCache struct {
	kept *lru.Cache[[sha256.Size]byte, indexed]
}

// indexed are some tables with their indexes.
type indexed struct {
	views   []*view
	indexes []*index
}

func newIndexCache() *indexCache {
	return &indexCache{lru.New[[sha256.Size]byte, indexed](indexCacheMax)}
}

// get returns the views and the indexes of tables, from the cache if they are there.
func (s *indexCache) get(lang *language, tables []analyst.Table, m *meaning.Meaning) ([]*view, []*index) {
	read := func() (indexed, int) { return indexTables(lang, tables, m) }
	var of indexed
	if s == nil {
		of, _ = read()
	} else {
		of = s.kept.Of(keyOf(tables, m), read)
	}
	return of.views, of.indexes
}

// indexTables indexes tables, and says how many phrases that takes.
func indexTables(lang *language, tables []analyst.Table, m *meaning.Meaning) (of indexed, phrases int) {
	of.views = views(tables, m)
	for _, v := range of.views {
		ix := newIndex(v, lang)
		of.indexes = append(of.indexes, ix)
		phrases += len(ix.phrases) + len(ix.values) + len(ix.forms) + len(ix.words) + len(ix.starts)
	}
	return of, phrases
}

// keyOf identifies tables by everything that a planner can read of them, so that a field that is added later is included as well.
func keyOf(tables []analyst.Table, m *meaning.Meaning) [sha256.Size]byte {
	h := sha256.New()
	if m != nil {
		h.Write([]byte(m.Hash))
	}
	if err := json.NewEncoder(h).Encode(tables); err != nil {
		panic(err) // JSON can encode everything that a table has
	}
	return [sha256.Size]byte(h.Sum(nil))
}
