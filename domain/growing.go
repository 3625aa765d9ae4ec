package domain

import "strings"

const (
	// growingFirst and growingMost bound the room of a block of a Growing.
	growingFirst = 256
	growingMost  = 8 << 10
)

// Growing is text that grows at its end, such as an answer that streams. It stands in
// blocks: growing never copies what is there, and what stands in one block is given
// without a copy. The zero value is empty. It must not be copied, and one goroutine
// uses it at a time; the strings that it gives are anybody's.
type Growing struct {
	// last is the block that grows; from is where it begins, and whole are those before it.
	last  strings.Builder
	from  int
	whole []growingBlock
}

// growingBlock is a part of the text that is full, and where it begins.
type growingBlock struct {
	from int
	text string
}

// Len is the length in bytes.
func (g *Growing) Len() int { return g.from + g.last.Len() }

// Append adds text.
func (g *Growing) Append(text string) {
	if g.last.Cap()-g.last.Len() < len(text) {
		length := g.Len()
		if g.last.Len() > 0 {
			g.whole = append(g.whole, growingBlock{from: g.from, text: g.last.String()})
		}
		g.from = length
		g.last.Reset()
		g.last.Grow(max(len(text), min(max(length, growingFirst), growingMost)))
	}
	g.last.WriteString(text)
}

// Slice is the text from one byte to another, without a copy where it can be.
func (g *Growing) Slice(from, to int) string {
	if from >= g.from {
		return g.last.String()[from-g.from : to-g.from]
	}
	if from >= to {
		return ""
	}
	i := len(g.whole) - 1
	for g.whole[i].from > from {
		i--
	}
	first := g.whole[i].text[from-g.whole[i].from:]
	if len(first) >= to-from {
		return first[:to-from]
	}
	var all strings.Builder
	all.Grow(to - from)
	all.WriteString(first)
	for i++; all.Len() < to-from; i++ {
		next := g.last.String()
		if i < len(g.whole) {
			next = g.whole[i].text
		}
		all.WriteString(next[:min(len(next), to-from-all.Len())])
	}
	return all.String()
}

// From is the text from a byte on.
func (g *Growing) From(from int) string { return g.Slice(from, g.Len()) }

// String is all of it.
func (g *Growing) String() string { return g.Slice(0, g.Len()) }
