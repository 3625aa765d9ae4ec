package ledger

import (
	"strconv"

	"pgregory.net/rapid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/audience"
)

// visitor is a reader that comes and goes. As in the actor, its subscription is recorded at
// once, and admitted when the claim and its right have been read.
type visitor struct {
	*client
	address audience.Address
	ticket  uint64
	wants   bool
}

// request is a subscription that waits for the claim, or for its right to be read.
type request struct {
	from   *visitor
	ticket uint64
	at     domain.Cursor
}

// visitors are the readers of a world in addition to its client.
type visitors struct {
	all      []*visitor
	audience audience.Audience[*visitor]
	waiting  []request
}

func newVisitors(w *world) visitors {
	v := visitors{audience: audience.New[*visitor]("here")}
	for i, host := range []string{"here", "here", "elsewhere"} {
		v.all = append(v.all, &visitor{client: newClient(w), address: audience.Address{Host: host, ID: strconv.Itoa(i)}})
	}
	return v
}

// come begins a subscription. A visitor that already has one may end it first, or let the new
// one replace it.
func (w *world) come(t *rapid.T) {
	v := rapid.SampledFrom(w.visitors.all).Draw(t, "comes")
	if v.wants && rapid.Bool().Draw(t, "leaves first") {
		w.visitors.audience.Leave(v.address, v.ticket)
	}
	w.visitors.ask(v)
}

func (v *visitors) ask(who *visitor) {
	who.wants = true
	who.ticket++
	v.audience.Ask(who.address, who.ticket)
	v.waiting = append(v.waiting, request{from: who, ticket: who.ticket, at: *who.cursor()})
}

// leave ends a subscription, also one that still waits.
func (w *world) leave(t *rapid.T) {
	v := rapid.SampledFrom(w.visitors.all).Draw(t, "leaves")
	v.wants = false
	w.visitors.audience.Leave(v.address, v.ticket)
}

// serve answers the subscription that has waited longest, in any state of the owner.
func (w *world) serve(t *rapid.T) {
	if len(w.visitors.waiting) == 0 || w.ended {
		t.Skip("no subscription waits")
	}
	w.serveNext()
}

func (w *world) serveNext() {
	v := &w.visitors
	next := v.waiting[0]
	v.waiting = v.waiting[1:]
	who := next.from
	if !v.audience.Asked(who.address, next.ticket) {
		w.seen.late++
		return
	}
	if l := v.audience.Find(who.address); l.Admitted() {
		w.seen.again++
	}
	r := w.state.Resume(&next.at)
	if !v.audience.Admit(who.address, next.ticket, who) {
		w.t.Fatal("a reader that still waits is not admitted")
	}
	who.epoch = max(who.epoch, w.state.Epoch())
	if r.Outcome != protocol.Subscription_LIVE || next.at.Seq == 0 {
		who.fetch()
	}
	if r.Outcome == protocol.Subscription_LIVE {
		who.apply(r.Entries)
	}
}

// show sends entries to all visitors that were admitted.
func (v *visitors) show(entries []protocol.Entry) {
	for _, l := range v.audience.All() {
		if l.Admitted() {
			l.Value.apply(entries)
		}
	}
}

// move ends the admitted subscriptions: visitors that still want to read subscribe again.
func (v *visitors) move() {
	for _, l := range v.audience.All() {
		if !l.Admitted() {
			continue
		}
		v.audience.Leave(l.Address, l.Ticket())
		if who := l.Value; who.wants && who.ticket == l.Ticket() {
			v.ask(who)
		}
	}
}

// lost is the end of the owner's node: its audience is lost, and visitors that want to read
// find the next owner.
func (v *visitors) lost() {
	v.audience, v.waiting = audience.New[*visitor]("here"), nil
	for _, who := range v.all {
		if who.wants {
			v.ask(who)
		}
	}
}

// checkVisitors checks that no visitor reads after it has left, or with the address of another
// one.
func (w *world) checkVisitors(t *rapid.T) {
	for _, l := range w.visitors.audience.All() {
		if !l.Admitted() {
			continue
		}
		if who := l.Value; !who.wants || who.address != l.Address || who.ticket < l.Ticket() {
			t.Fatalf("%v reads with ticket %d, and has %d (wants: %v)", l.Address, l.Ticket(), who.ticket, who.wants)
		}
	}
}

// endVisits checks that every visitor that wants to read does so, and has what is stored, and
// that the audience is empty when all have left, so that the owner can end.
func (w *world) endVisits(messages []domain.Message) {
	v := &w.visitors
	for len(v.waiting) > 0 {
		w.serveNext()
	}
	for _, who := range v.all {
		l := v.audience.Find(who.address)
		if listens := l != nil && l.Admitted() && l.Ticket() == who.ticket; listens != who.wants {
			w.t.Fatalf("%v wants to read: %v; it does: %v", who.address, who.wants, listens)
		}
		if who.wants {
			who.requireHolds(messages)
		}
		who.wants = false
		v.audience.Leave(who.address, who.ticket)
	}
	if !v.audience.Empty() {
		w.t.Fatalf("all have left, but the audience still has %v", v.audience.All())
	}
}
