// Package audience keeps the listeners of one thing: those that have asked to listen, and
// those that were admitted. It is a pure data structure, and belongs to one actor.
//
// Between Ask and Admit the owner does something that takes a while, such as claiming a row
// or checking a person's rights. In that time the listener may leave, or ask again. So every
// ask has a ticket, and the listener is admitted only if the ticket is still valid:
//
//	nobody ──Ask──▶ asked ──Admit──▶ admitted
//	   ▲              │  ▲              │
//	   └────Leave─────┘  └─────Ask──────┤ the old admission is valid until the new one
//	   └────────────────Leave───────────┘
package audience

import "slices"

// Address identifies a listener: the host of its node (host:port), and its id on that node.
type Address struct{ Host, ID string }

// Listener is a listener that has asked or was admitted.
type Listener[T any] struct {
	Address Address
	// Value belongs to the owner. It is set by Admit.
	Value T

	// asked and admitted are tickets; 0 means no ticket.
	asked, admitted uint64
}

// Admitted reports whether the listener was admitted, and so receives what is shown.
func (l *Listener[T]) Admitted() bool { return l.admitted > 0 }

// Ticket is the ticket of the admission, 0 without an admission.
func (l *Listener[T]) Ticket() uint64 { return l.admitted }

// Latest is the ticket of the latest ask, whether it was admitted or not yet.
func (l *Listener[T]) Latest() uint64 { return max(l.asked, l.admitted) }

// Audience is the set of listeners of one thing, by the hosts of their nodes. Use New
// to make one. Tickets are above 0 and must rise for each listener; one that has at most
// one ask at a time may use the same ticket again.
type Audience[T any] struct {
	home string
	here group[T]
	away map[string]*group[T]
}

// New makes an empty audience. home is the host of the owner's node.
func New[T any](home string) Audience[T] { return Audience[T]{home: home} }

// Ask records that a listener wants to listen. first means that it is the first listener of
// another node: the owner must now watch that node.
func (a *Audience[T]) Ask(at Address, ticket uint64) (first bool) {
	g := a.group(at.Host)
	if g == nil {
		g, first = new(group[T]), true
		if a.away == nil {
			a.away = map[string]*group[T]{}
		}
		a.away[at.Host] = g
	}
	if i := g.find(at.ID); i >= 0 {
		g.list[i].asked = max(g.list[i].asked, ticket)
		return false
	}
	g.add(Listener[T]{Address: at, asked: ticket})
	return first
}

// Asked reports whether this ask is still valid.
func (a *Audience[T]) Asked(at Address, ticket uint64) bool {
	l := a.Find(at)
	return l != nil && l.asked == ticket
}

// Admit admits a listener. It returns false if the ask is no longer valid. The new admission
// replaces an earlier admission of the same listener.
func (a *Audience[T]) Admit(at Address, ticket uint64, value T) bool {
	if !a.Asked(at, ticket) {
		return false
	}
	g := a.group(at.Host)
	l := a.Find(at)
	if l.admitted == 0 {
		g.admitted++
	}
	l.asked, l.admitted, l.Value = 0, ticket, value
	return true
}

// Leave ends the asks and the admission of a listener with tickets up to this one; later
// asks stay valid. last means that it was the last listener of another node: the owner need
// not watch that node any more.
func (a *Audience[T]) Leave(at Address, ticket uint64) (last bool) {
	g := a.group(at.Host)
	if g == nil {
		return false
	}
	i := g.find(at.ID)
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
	if len(g.list) > 0 || at.Host == a.home {
		return false
	}
	delete(a.away, at.Host)
	return true
}

// Lost removes all listeners of another node, because that node is lost.
func (a *Audience[T]) Lost(host string) { delete(a.away, host) }

// Empty reports whether there are no listeners, neither admitted nor asking.
func (a *Audience[T]) Empty() bool { return len(a.here.list) == 0 && len(a.away) == 0 }

// AnyAway reports whether there are listeners on other nodes, admitted or asking.
func (a *Audience[T]) AnyAway() bool { return len(a.away) > 0 }

// Find returns a listener, or nil if there is no such listener. The pointer is valid until the next change.
func (a *Audience[T]) Find(at Address) *Listener[T] {
	g := a.group(at.Host)
	if g == nil {
		return nil
	}
	if i := g.find(at.ID); i >= 0 {
		return &g.list[i]
	}
	return nil
}

// Here returns the listeners on the owner's own node, including listeners that have only
// asked. The slice is not a copy: it is valid until the next change.
func (a *Audience[T]) Here() []Listener[T] { return a.here.list }

// Admitted is the number of admitted listeners on a host.
func (a *Audience[T]) Admitted(host string) int {
	if g := a.group(host); g != nil {
		return g.admitted
	}
	return 0
}

// Away calls f for each other node with an admitted listener.
func (a *Audience[T]) Away(f func(host string)) {
	for host, g := range a.away {
		if g.admitted > 0 {
			f(host)
		}
	}
}

// All returns a copy of all listeners, including listeners that have only asked.
func (a *Audience[T]) All() []Listener[T] {
	all := slices.Clone(a.here.list)
	for _, g := range a.away {
		all = append(all, g.list...)
	}
	return all
}

func (a *Audience[T]) group(host string) *group[T] {
	if host == a.home {
		return &a.here
	}
	return a.away[host]
}
