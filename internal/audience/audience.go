// Package audience keeps who listens to one thing: who has asked to, and who was
// admitted. It is pure; its owner is one actor.
//
// Between the two lies what takes a while, a claim of the row or a look at somebody's
// right, and in that time the listener may leave or ask once more. So every ask has a
// ticket, and it is admitted only while that ticket stands:
//
//	nobody ──Ask──▶ asked ──Admit──▶ admitted
//	   ▲              │  ▲              │
//	   └────Leave─────┘  └─────Ask──────┤ the old admission holds until the new one
//	   └────────────────Leave───────────┘
package audience

import "slices"

// Place names a listener: the address of its node, and its name there.
type Place struct{ Address, ID string }

// Listener is one that has asked or was admitted.
type Listener[T any] struct {
	Place Place
	// Value is the owner's, from the admission on.
	Value T

	// asked and admitted are tickets; 0 is none.
	asked, admitted uint64
}

// Admitted reports whether it gets what is shown.
func (l *Listener[T]) Admitted() bool { return l.admitted > 0 }

// Ticket is that of the admission, 0 without one.
func (l *Listener[T]) Ticket() uint64 { return l.admitted }

// Audience is the listeners of one thing, by the address of their nodes. Begin with
// New. Tickets are above 0, and those of one place rise; a listener that has only one
// at a time may use the same again.
type Audience[T any] struct {
	home string
	here group[T]
	away map[string]*group[T]
}

// New makes an empty audience whose owner lives at the address.
func New[T any](home string) Audience[T] { return Audience[T]{home: home} }

// Ask notes that somebody wants to listen. first says that nobody of that other node
// was here before: now its end has to be watched.
func (a *Audience[T]) Ask(p Place, ticket uint64) (first bool) {
	g := a.group(p.Address)
	if g == nil {
		g, first = new(group[T]), true
		if a.away == nil {
			a.away = map[string]*group[T]{}
		}
		a.away[p.Address] = g
	}
	if i := g.find(p.ID); i >= 0 {
		g.list[i].asked = max(g.list[i].asked, ticket)
		return false
	}
	g.add(Listener[T]{Place: p, asked: ticket})
	return first
}

// Asked reports whether this ask still stands.
func (a *Audience[T]) Asked(p Place, ticket uint64) bool {
	l := a.Find(p)
	return l != nil && l.asked == ticket
}

// Admit lets somebody listen whose ask still stands; false means that it does not. An
// earlier admission of the same listener ends.
func (a *Audience[T]) Admit(p Place, ticket uint64, value T) bool {
	if !a.Asked(p, ticket) {
		return false
	}
	g := a.group(p.Address)
	l := a.Find(p)
	if l.admitted == 0 {
		g.admitted++
	}
	l.asked, l.admitted, l.Value = 0, ticket, value
	return true
}

// Leave ends what the listener asked, and its admission, up to the ticket; what it has
// asked since stands. last says that nobody of that other node is left: its end need not
// be watched any more.
func (a *Audience[T]) Leave(p Place, ticket uint64) (last bool) {
	g := a.group(p.Address)
	if g == nil {
		return false
	}
	i := g.find(p.ID)
	if i < 0 {
		return false
	}
	l := &g.list[i]
	if l.asked <= ticket {
		l.asked = 0
	}
	if l.admitted > 0 && l.admitted <= ticket {
		g.admitted--
		var none T
		l.admitted, l.Value = 0, none
	}
	if l.asked > 0 || l.admitted > 0 {
		return false
	}
	g.remove(i)
	if len(g.list) > 0 || p.Address == a.home {
		return false
	}
	delete(a.away, p.Address)
	return true
}

// Lost forgets all of another node, which has gone.
func (a *Audience[T]) Lost(address string) { delete(a.away, address) }

// Empty reports whether nobody listens and nobody has asked to.
func (a *Audience[T]) Empty() bool { return len(a.here.list) == 0 && len(a.away) == 0 }

// AnyAway reports whether somebody on another node listens, or waits to.
func (a *Audience[T]) AnyAway() bool { return len(a.away) > 0 }

// Find gives a listener, nil for one that is not here. It holds until the next change.
func (a *Audience[T]) Find(p Place) *Listener[T] {
	g := a.group(p.Address)
	if g == nil {
		return nil
	}
	if i := g.find(p.ID); i >= 0 {
		return &g.list[i]
	}
	return nil
}

// Here are the listeners of the owner's own node, those that have only asked among
// them. The list is the audience's own: it holds until the next change.
func (a *Audience[T]) Here() []Listener[T] { return a.here.list }

// Admitted is how many of an address were admitted.
func (a *Audience[T]) Admitted(address string) int {
	if g := a.group(address); g != nil {
		return g.admitted
	}
	return 0
}

// Away calls f for each other node of which somebody was admitted.
func (a *Audience[T]) Away(f func(address string)) {
	for address, g := range a.away {
		if g.admitted > 0 {
			f(address)
		}
	}
}

// All is a copy of all listeners, those that have only asked among them.
func (a *Audience[T]) All() []Listener[T] {
	all := slices.Clone(a.here.list)
	for _, g := range a.away {
		all = append(all, g.list...)
	}
	return all
}

func (a *Audience[T]) group(address string) *group[T] {
	if address == a.home {
		return &a.here
	}
	return a.away[address]
}
