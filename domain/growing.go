package domain

import "strings"

const (
	// growingMin and growingMax limit the capacity of a block of a Growing in bytes.
	growingMin = 256
	growingMax = 8 << 10
)

// Growing is text that grows at its end, such as an answer that is being streamed. It is
// stored in blocks: growing never copies existing text, and a slice within one block is
// returned without a copy. The zero value is empty. A Growing must not be copied, and only
// one goroutine may use it at a time; the returned strings may be used anywhere.
type Growing struct {
	// last is the block that grows, and from is its offset. full are the blocks before it.
	last strings.Builder
	from int
	full []growingBlock
}

// growingBlock is a full block of the text and its offset.
type growingBlock struct {
	from int
	text string
}

// Len returns the length in bytes.
func (g *Growing) Len() int { return g.from + g.last.Len() }

// Append adds text.
func (g *Growing) Append(text string) {
	if g.last.Cap()-g.last.Len() < len(text) {
		length := g.Len()
		if g.last.Len() > 0 {
			g.full = append(g.full, growingBlock{from: g.from, text: g.last.String()})
		}
		g.from = length
		g.last.Reset()
		g.last.Grow(max(len(text), min(max(length, growingMin), growingMax)))
	}
	g.last.WriteString(text)
}

// Slice returns the text from one byte offset to another, without a copy if possible.
func (g *Growing) Slice(from, to int) string {
	if from >= g.from {
		return g.last.String()[from-g.from : to-g.from]
	}
	if from >= to {
		return ""
	}
	i := len(g.full) - 1
	for g.full[i].from > from {
		i--
	}
	first := g.full[i].text[from-g.full[i].from:]
	if len(first) >= to-from {
		return first[:to-from]
	}
	var all strings.Builder
	all.Grow(to - from)
	all.WriteString(first)
	for i++; all.Len() < to-from; i++ {
		next := g.last.String()
		if i < len(g.full) {
			next = g.full[i].text
		}
		all.WriteString(next[:min(len(next), to-from-all.Len())])
	}
	return all.String()
}

// From returns the text from a byte offset on.
func (g *Growing) From(from int) string { return g.Slice(from, g.Len()) }

// String returns the whole text.
func (g *Growing) String() string { return g.Slice(0, g.Len()) }
