// Package budget counts bytes that many owners hold together.
package budget

import "sync/atomic"

// Budget counts the bytes that many actors hold together. It refuses nothing: who takes
// more than there is sees that it is spent, and gives something of its own back. A nil
// one is never spent.
type Budget struct {
	most int64
	used atomic.Int64
}

// New makes a budget of most bytes.
func New(most int) *Budget { return &Budget{most: int64(most)} }

// Take counts bytes that are held from now on.
func (b *Budget) Take(n int) {
	if b != nil {
		b.used.Add(int64(n))
	}
}

// Give counts bytes that are held no more.
func (b *Budget) Give(n int) { b.Take(-n) }

// Spent reports whether more is held than there is room for.
func (b *Budget) Spent() bool { return b != nil && b.used.Load() > b.most }

// Used is how many bytes are held.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}
