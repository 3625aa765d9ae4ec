package audience

// indexFrom is the number of listeners of a node from which an index is used. Nearly every
// audience has one or two listeners, for which a list needs the least memory.
const indexFrom = 16

// group holds the listeners of one node.
type group[T any] struct {
	list     []Listener[T]
	admitted int
	index    map[string]int // id → index in list; nil for a short list
}

// find returns the index in the list, or -1.
func (g *group[T]) find(id string) int {
	if g.index != nil {
		if i, ok := g.index[id]; ok {
			return i
		}
		return -1
	}
	for i := range g.list {
		if g.list[i].Address.ID == id {
			return i
		}
	}
	return -1
}

func (g *group[T]) add(l Listener[T]) {
	g.list = append(g.list, l)
	switch n := len(g.list); {
	case g.index != nil:
		g.index[l.Address.ID] = n - 1
	case n >= indexFrom:
		g.index = make(map[string]int, 2*n)
		for i := range g.list {
			g.index[g.list[i].Address.ID] = i
		}
	}
}

// remove moves the last listener to the index of the removed one.
func (g *group[T]) remove(i int) {
	last := len(g.list) - 1
	if g.index != nil {
		delete(g.index, g.list[i].Address.ID)
		if i != last {
			g.index[g.list[last].Address.ID] = i
		}
	}
	g.list[i] = g.list[last]
	g.list[last] = Listener[T]{}
	g.list = g.list[:last]
	if last == 0 {
		g.list, g.index = nil, nil
	}
}
