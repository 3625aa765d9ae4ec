// Package budget counts bytes that many owners hold together.
package budget

import "sync/atomic"

// Budget counts the bytes that many actors hold together. It refuses nothing: an actor that
// takes bytes checks whether the budget is spent, and then frees some of its own. A nil
// Budget is never spent.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// New makes a budget of limit bytes.
func New(limit int) *Budget { return &Budget{limit: int64(limit)} }

// Take adds n bytes to the bytes held.
func (b *Budget) Take(n int) {
	if b != nil {
		b.used.Add(int64(n))
	}
}

// Give subtracts n bytes from the bytes held.
func (b *Budget) Give(n int) { b.Take(-n) }

// Spent reports whether more bytes are held than the limit.
func (b *Budget) Spent() bool { return b != nil && b.used.Load() > b.limit }

// Used is the number of bytes held.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}
