package audience_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/internal/audience"
)

func TestAudience(t *testing.T) {
	t.Parallel()
	here, away := audience.Address{Host: "home", ID: "a"}, audience.Address{Host: "other", ID: "a"}

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		a := audience.New[string]("home")
		require.False(t, a.Ask(here, 1))
		require.False(t, a.Empty())
		require.False(t, a.Here()[0].Admitted())
		require.True(t, a.Admit(here, 1, "value"))
		require.Equal(t, "value", a.Find(here).Value)
		require.Equal(t, uint64(1), a.Find(here).Ticket())
		require.Equal(t, 1, a.Admitted("home"))
		require.False(t, a.Admit(here, 1, "twice"))
		require.False(t, a.Leave(here, 1))
		require.True(t, a.Empty())
	})
	t.Run("OKAway", func(t *testing.T) {
		t.Parallel()
		a := audience.New[string]("home")
		b := audience.Address{Host: "other", ID: "b"}
		require.True(t, a.Ask(away, 1), "its node must be watched")
		require.False(t, a.Ask(b, 1))
		a.Away(func(string) { require.Fail(t, "nobody was admitted") })
		require.True(t, a.Admit(b, 1, ""))
		var shown []string
		a.Away(func(host string) { shown = append(shown, host) })
		require.Equal(t, []string{"other"}, shown)
		require.False(t, a.Leave(b, 1))
		require.True(t, a.Leave(away, 1), "its node need not be watched any more")
		require.True(t, a.Empty())
	})
	t.Run("OKLost", func(t *testing.T) {
		t.Parallel()
		a := audience.New[string]("home")
		a.Ask(away, 1)
		a.Ask(here, 1)
		a.Lost("other")
		require.Len(t, a.All(), 1)
		require.False(t, a.Admit(away, 1, ""))
	})
	t.Run("LeaveBeforeTheAdmission", func(t *testing.T) {
		t.Parallel()
		a := audience.New[string]("home")
		a.Ask(here, 1)
		a.Leave(here, 1)
		require.False(t, a.Admit(here, 1, ""))
		require.True(t, a.Empty())
	})
	t.Run("AsksAgain", func(t *testing.T) {
		t.Parallel()
		a := audience.New[string]("home")
		a.Ask(here, 1)
		a.Admit(here, 1, "first")
		a.Ask(here, 2)
		require.Equal(t, "first", a.Find(here).Value, "the first admission is valid until the second one")
		a.Leave(here, 1)
		require.False(t, a.Find(here).Admitted())
		require.Empty(t, a.Find(here).Value)
		require.True(t, a.Admit(here, 2, "second"))
		require.Equal(t, 1, a.Admitted("home"))
		a.Leave(here, 1)
		require.Equal(t, "second", a.Find(here).Value, "an old leave does not end a new admission")
	})
}

// post is a message in transit from a socket to the owner; the messages of one socket keep
// their order.
type post struct {
	from   int
	ticket uint64
	leave  bool
}

// hall is an owner with its sockets, like a conversation or a session: asks wait for the
// claim, then each waits until a right has been read, and they complete in any order.
type hall struct {
	t        *rapid.T
	audience audience.Audience[int]
	claiming bool
	stash    []post
	reading  []post
	watched  map[string]bool

	sockets []socket
}

// socket is one listener: its last ticket, and whether it wants to listen.
type socket struct {
	address audience.Address
	posts   []post
	ticket  uint64
	wants   bool
}

func (h *hall) deliver(p post) {
	at := h.sockets[p.from].address
	if p.leave {
		if h.audience.Leave(at, p.ticket) {
			delete(h.watched, at.Host)
		}
		return
	}
	if h.audience.Ask(at, p.ticket) {
		h.watched[at.Host] = true
	}
	if h.claiming {
		h.stash = append(h.stash, p)
	} else {
		h.reading = append(h.reading, p)
	}
}

func (h *hall) refuse(p post) {
	if h.audience.Asked(h.sockets[p.from].address, p.ticket) {
		h.deliver(post{from: p.from, ticket: p.ticket, leave: true})
		// The socket is informed, and asks again if it still wants to listen.
		if s := &h.sockets[p.from]; s.wants && s.ticket == p.ticket {
			h.ask(p.from)
		}
	}
}

// ask is what a connection does: it leaves with its last ticket and asks with the next one.
func (h *hall) ask(i int) {
	s := &h.sockets[i]
	if s.ticket > 0 {
		s.posts = append(s.posts, post{from: i, ticket: s.ticket, leave: true})
	}
	s.ticket++
	s.wants = true
	s.posts = append(s.posts, post{from: i, ticket: s.ticket})
}

func (h *hall) leave(i int) {
	s := &h.sockets[i]
	s.wants = false
	s.posts = append(s.posts, post{from: i, ticket: s.ticket, leave: true})
}

func (h *hall) some(label string, pick func(s *socket) bool) int {
	var fit []int
	for i := range h.sockets {
		if pick(&h.sockets[i]) {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		h.t.Skip("none")
	}
	return rapid.SampledFrom(fit).Draw(h.t, label)
}

func (h *hall) claimed() {
	h.claiming = false
	h.reading = append(h.reading, h.stash...)
	h.stash = nil
}

func (h *hall) read(i int, allowed bool) {
	p := h.reading[i]
	h.reading = append(h.reading[:i], h.reading[i+1:]...)
	if !allowed {
		h.refuse(p)
		return
	}
	h.audience.Admit(h.sockets[p.from].address, p.ticket, p.from)
}

// move is a change of rights, or a new state of the owner: all admitted listeners ask again.
func (h *hall) move() {
	for _, l := range h.audience.All() {
		if !l.Admitted() {
			continue
		}
		ticket := l.Ticket()
		h.deliver(post{from: l.Value, ticket: ticket, leave: true})
		if s := &h.sockets[l.Value]; s.wants && s.ticket == ticket {
			h.ask(l.Value)
		}
	}
}

func (h *hall) settle() {
	h.claimed()
	for busy := true; busy; {
		busy = false
		for i := range h.sockets {
			for s := &h.sockets[i]; len(s.posts) > 0; busy = true {
				p := s.posts[0]
				s.posts = s.posts[1:]
				h.deliver(p)
			}
		}
		for len(h.reading) > 0 {
			h.read(0, true)
		}
	}
}

// check compares the audience's counters and indexes with the list of all listeners.
func (h *hall) check(t *rapid.T) {
	admitted := map[string]int{}
	seen := map[audience.Address]bool{}
	for _, l := range h.audience.All() {
		if seen[l.Address] {
			t.Fatalf("%v is listed twice", l.Address)
		}
		seen[l.Address] = true
		if found := h.audience.Find(l.Address); found == nil || found.Address != l.Address {
			t.Fatalf("%v is not found", l.Address)
		}
		if l.Admitted() {
			admitted[l.Address.Host]++
			if s := &h.sockets[l.Value]; s.address != l.Address || s.ticket < l.Ticket() {
				t.Fatalf("%v listens with the address of %v", l.Address, s.address)
			}
		}
		if l.Address.Host != "home" && !h.watched[l.Address.Host] {
			t.Fatalf("nobody watches %s", l.Address.Host)
		}
	}
	for _, host := range []string{"home", "east", "west"} {
		if h.audience.Admitted(host) != admitted[host] {
			t.Fatalf("%s: %d of %d", host, h.audience.Admitted(host), admitted[host])
		}
	}
	if h.audience.Empty() != (len(seen) == 0) {
		t.Fatal("empty or not?")
	}
}

// TestAudience_Simulation: sockets ask, leave and ask again while claims and checks of
// rights are in progress and the owner moves. At the end every socket that wants to listen
// is admitted with its last ticket; and when all sockets have left, the audience is empty, so
// that the owner can stop.
func TestAudience_Simulation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := &hall{t: t, audience: audience.New[int]("home"), claiming: true, watched: map[string]bool{}}
		// 60 are enough for the index of a long list; 3 interact with each other more often.
		for i := range rapid.SampledFrom([]int{3, 60}).Draw(t, "sockets") {
			host := []string{"home", "home", "east", "west"}[i%4]
			h.sockets = append(h.sockets, socket{address: audience.Address{Host: host, ID: strconv.Itoa(i)}})
			h.ask(i)
		}
		anybody := func(*socket) bool { return true }
		ask := func(*rapid.T) { h.ask(h.some("asks", anybody)) }
		deliver := func(*rapid.T) {
			i := h.some("posts", func(s *socket) bool { return len(s.posts) > 0 })
			p := h.sockets[i].posts[0]
			h.sockets[i].posts = h.sockets[i].posts[1:]
			h.deliver(p)
		}
		read := func(t *rapid.T) {
			if len(h.reading) == 0 {
				t.Skip("nothing is read")
			}
			h.read(rapid.IntRange(0, len(h.reading)-1).Draw(t, "right"), rapid.IntRange(0, 3).Draw(t, "allowed") > 0)
		}
		t.Repeat(map[string]func(*rapid.T){
			"":    h.check,
			"ask": ask, "ask2": ask, "deliver": deliver, "deliver2": deliver, "deliver3": deliver, "read": read, "read2": read,
			"leave": func(*rapid.T) { h.leave(h.some("leaves", func(s *socket) bool { return s.wants })) },
			"claim": func(*rapid.T) { h.claiming = true },
			"back":  func(*rapid.T) { h.claimed() },
			"move":  func(*rapid.T) { h.move() },
			"lost": func(t *rapid.T) {
				host := rapid.SampledFrom([]string{"east", "west"}).Draw(t, "node")
				if !h.watched[host] {
					t.Skip("not watched")
				}
				h.audience.Lost(host)
				delete(h.watched, host)
				// Its sockets are lost with the node, with the messages that they had sent.
				for i := range h.sockets {
					if s := &h.sockets[i]; s.address.Host == host {
						s.wants, s.posts = false, nil
					}
				}
			},
		})
		h.settle()
		for i := range h.sockets {
			s := &h.sockets[i]
			l := h.audience.Find(s.address)
			if listens := l != nil && l.Admitted() && l.Ticket() == s.ticket; listens != s.wants {
				t.Fatalf("%v wants to listen: %v; it does: %v", s.address, s.wants, listens)
			}
		}
		for i := range h.sockets {
			if h.sockets[i].wants {
				h.leave(i)
			}
		}
		h.settle()
		if !h.audience.Empty() || len(h.watched) > 0 {
			t.Fatalf("all have left, %v is still there", h.audience.All())
		}
	})
}
