package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

// world is a simulated conversation: a store that fences, owners that crash between any two
// steps and whose old writes arrive later, and a client that reads.
type world struct {
	t      *rapid.T
	store  *fakes.Store
	id     uuid.UUID
	owner  domain.Caller
	now    time.Time
	state  *State
	write  *domain.Write // the owner's write in flight
	pulls  bool          // the write in flight may still pull text
	zombie []*domain.Write

	turn     *protocol.StartTurn // the turn whose actor runs
	last     *protocol.StartTurn // the latest one
	looked   *Rewind
	open     []uuid.UUID
	steps    int
	lastSend *Send
	client   *client
	visitors visitors
	reset    bool // a Reclaim requires a new state

	// tail is what was kept for the next owner.
	tail [][]byte
	seen *seen

	answered int
	acked    map[uuid.UUID]bool  // sends that were acknowledged
	stopped  map[uuid.UUID]int64 // turns of which a stop was acknowledged, and the head then
	settled  map[int]bool        // steps that were reported durable
	deleted  bool
	ended    bool
}

func newWorld(t *rapid.T, seen *seen) *world {
	w := &world{
		t: t, seen: seen, store: fakes.NewStore(), id: domain.NewID(), now: time.Unix(1_700_000_000, 0),
		owner: domain.Caller{UserID: 7, UserUUID: domain.NewID(), OrganisationID: 1, FullName: "Ada"},
		acked: map[uuid.UUID]bool{}, stopped: map[uuid.UUID]int64{}, settled: map[int]bool{},
	}
	w.store.AddUser(7, w.owner.UserUUID)
	w.store.AddUser(8, domain.NewID())
	w.store.AddConversation(w.id, 1, 7)
	w.client = newClient(w)
	w.visitors = newVisitors(w)
	w.claim()
	w.client.subscribe()
	return w
}

// claim makes a new owner, as an activation does.
func (w *world) claim() {
	w.turn, w.open, w.write, w.reset, w.pulls = nil, nil, nil, false, false
	if rapid.Bool().Draw(w.t, "same node") {
		w.visitors.move()
	} else {
		w.visitors.lost()
	}
	node := rapid.SampledFrom([]string{"one", "two"}).Draw(w.t, "node")
	w.store.SetAlive(node, true)
	// Each owner considers the other one silent: a claim that is refused makes no owner.
	c, err := w.store.Claim(context.Background(), w.id, uuid.New(), node, []string{"one", "two"})
	if domain.CodeOf(err) == domain.CodeNotFound {
		w.ended = true
		return
	}
	s := NewState(c, Limits{TurnText: 4000})
	if !s.Restore(c.Snapshot) {
		m, err := w.store.Messages(context.Background(), w.id, 20)
		if err != nil {
			w.t.Fatal(err)
		}
		s.Rebuild(m)
	}
	w.state = s
	// The tail may be damaged in any way, or even arrive when the state has already changed.
	s.LoadTail(rapid.SampledFrom([]func([][]byte) [][]byte{whole, torn, doubled, turned, none}).Draw(w.t, "tail")(w.tail))
	w.seen.recalled += len(s.ring.events)
	if c.Running != nil {
		w.step(Recover{Running: c.Running, OwnerLives: c.OwnerLives})
		// No answer was lost with an owner that was only superseded, unless some of it is stored.
		if c.OwnerLives && !c.Running.Spoke {
			w.seen.superseded++
			if w.turn == nil && (w.write == nil || w.write.TurnEnd != nil) {
				w.t.Fatalf("a turn did not start again\n%s", w.store.Summary(w.id))
			}
		}
	}
}

func (w *world) step(in Input) {
	w.now = w.now.Add(time.Millisecond)
	if _, ok := in.(Piece); ok {
		w.pulls = false // more output was taken from the turn
	}
	state := w.state
	out := state.Apply(in, w.now)
	w.do(out)
	state.Reuse(out)
}

func (w *world) do(outputs []Output) {
	for _, o := range outputs {
		switch o := o.(type) {
		case Submit:
			if w.write != nil {
				w.t.Fatal("two writes in flight")
			}
			w.write, w.pulls = o.Write, o.Write.Continues.Message != uuid.Nil
		case Answer:
			if f, ok := o.To.(func(Answer)); ok {
				w.answered++
				f(o)
			}
		case Publish:
			for i := range o.Publication.Entries {
				if e := &o.Publication.Entries[i]; e.Seq > 0 {
					data, err := w.state.TailEntry(e)
					if err != nil {
						w.t.Fatal(err)
					}
					w.tail = append(w.tail, data)
				}
			}
			if !w.client.away {
				w.client.apply(o.Publication.Entries)
			}
			w.visitors.show(o.Publication.Entries)
		case Recheck:
			w.visitors.move()
		case StartTurn:
			w.turn, w.last, w.open, w.steps = &o.Start, &o.Start, nil, len(o.Start.Finished)
		case CancelTurn:
			w.turn, w.open = nil, nil
		case Settle:
			o.Receipt.Settle(o.Err)
		case Reclaim:
			w.reset = w.reset || o.Reset
		case End:
			w.ended = true
		}
	}
}

// commit lets the journal answer the write in flight.
func (w *world) commit(before, after error) {
	if w.write == nil {
		return
	}
	write := w.write
	w.write = nil
	r := domain.WriteResult{Err: before}
	if before == nil {
		r = w.store.Commit(write)
		if after != nil && r.Err == nil {
			r = domain.WriteResult{Err: after}
		}
	}
	w.step(Committed{Result: r})
	w.reclaim()
}

// reclaim does what the actor does after a write of which it is not known whether it was
// committed.
func (w *world) reclaim() {
	if !w.state.reclaiming || w.state.gone {
		if w.ended && !w.deleted {
			w.revive()
		}
		return
	}
	node := ""
	w.store.Look(w.id, func(c *fakes.Conversation) { node = c.Node })
	c, err := w.store.Claim(context.Background(), w.id, uuid.New(), node, nil)
	switch {
	case domain.CodeOf(err) == domain.CodeNotFound:
		w.do(w.state.Deleted())
	case w.reset || !w.state.Consistent(c):
		w.do(w.state.Abandon())
		w.claim()
		w.client.subscribe()
	default:
		w.step(Reclaimed{Claim: c})
	}
}

// revive is the next activation after this one has ended.
func (w *world) revive() {
	w.ended = false
	w.claim()
	if !w.ended {
		w.client.subscribe()
	}
}

func (w *world) piece(p protocol.TurnPiece) {
	if w.turn == nil {
		return
	}
	w.step(Piece{Turn: w.turn.Turn.ID, Attempt: w.turn.Turn.Attempt, Piece: &p})
}

// client reads the stream as docs/stream-protocol.md requires.
type client struct {
	w          *world
	epoch      int64
	generation int64
	seq        int64
	text       map[uuid.UUID]string
	status     map[uuid.UUID]string
	reason     map[uuid.UUID]string
	last       uuid.UUID // the message being written
	gone       bool
	away       bool // it receives nothing until it comes back
}

func newClient(w *world) *client {
	c := &client{w: w}
	c.fetch()
	return c
}

// fetch reads the whole conversation from the store again.
func (c *client) fetch() {
	c.text, c.status, c.last = map[uuid.UUID]string{}, map[uuid.UUID]string{}, uuid.Nil
	c.reason = map[uuid.UUID]string{}
	c.w.store.Look(c.w.id, func(row *fakes.Conversation) {
		c.seq, c.generation = row.NextSeq-1, row.Generation
		for _, m := range row.Messages {
			if row.Cut[m.ID] {
				continue
			}
			c.text[m.ID], c.status[m.ID], c.reason[m.ID] = m.Text, string(m.Status), m.Reason
			if m.Status == domain.MessageStreaming {
				c.last = m.ID
			}
		}
	})
}

func (c *client) cursor() *domain.Cursor {
	at := &domain.Cursor{Seq: c.seq, Generation: c.generation}
	if c.last != uuid.Nil {
		at.Message, at.Offset = c.last, int64(len(c.text[c.last]))
	}
	return at
}

// subscribe continues from the cursor, as after any disconnect.
func (c *client) subscribe() {
	if c.w.ended || c.away {
		return
	}
	r := c.w.state.Resume(c.cursor())
	c.epoch = max(c.epoch, c.w.state.Epoch())
	switch r.Outcome {
	case protocol.Subscription_LIVE:
		c.apply(r.Entries)
	default:
		c.fetch()
	}
}

// requireHolds compares what the client has with what is stored.
func (c *client) requireHolds(messages []domain.Message) {
	for _, m := range messages {
		if c.text[m.ID] != m.Text {
			c.w.t.Fatalf("a client has %q of a message, stored is %q", c.text[m.ID], m.Text)
		}
		if c.status[m.ID] != string(m.Status) || c.reason[m.ID] != m.Reason {
			c.w.t.Fatalf("a client saw a message end as %s (%q), stored is %s (%q)",
				c.status[m.ID], c.reason[m.ID], m.Status, m.Reason)
		}
	}
}

// back ends a time in which the client received nothing.
func (c *client) back() {
	c.away = false
	c.subscribe()
}

func (c *client) apply(entries []protocol.Entry) {
	for i := range entries {
		e := &entries[i]
		if e.Epoch < c.epoch || e.Generation < c.generation {
			continue
		}
		c.epoch, c.generation = e.Epoch, e.Generation
		if e.Kind == protocol.EntryDelta {
			c.delta(e)
			continue
		}
		if e.Seq == 0 || e.Seq <= c.seq {
			continue
		}
		if e.Seq != c.seq+1 {
			c.w.t.Fatalf("a gap: event %d after %d", e.Seq, c.seq)
		}
		c.seq = e.Seq
		c.event(e)
	}
}

func (c *client) delta(e *protocol.Entry) {
	have := c.text[e.Message]
	if e.Offset > int64(len(have)) {
		c.w.t.Fatalf("a gap in a text: at %d, %d held", e.Offset, len(have))
	}
	if end := e.Offset + int64(len(e.Text)); end > int64(len(have)) {
		c.text[e.Message] = have[:e.Offset] + e.Text
	}
	// G2: what is shown is at this moment a prefix of what is stored.
	if stored := c.w.store.Text(e.Message); !strings.HasPrefix(stored, c.text[e.Message]) {
		c.w.t.Fatalf("shown %q, stored %q", c.text[e.Message], stored)
	}
}

func (c *client) event(e *protocol.Entry) {
	stored := int64(0)
	c.w.store.Look(c.w.id, func(row *fakes.Conversation) { stored = row.NextSeq - 1 })
	if e.Seq > stored {
		c.w.t.Fatalf("event %d was shown, %d are stored", e.Seq, stored)
	}
	switch e.Event.Type { //nolint:exhaustive // other events change nothing here
	case domain.EventMessageCreated:
		var m protocol.Message
		c.read(e, &m)
		if m.Seq != e.Seq {
			c.w.t.Fatalf("a message says seq %d in event %d", m.Seq, e.Seq)
		}
		if _, ok := c.text[m.ID]; ok {
			c.w.t.Fatal("a message was created twice")
		}
		c.text[m.ID], c.status[m.ID], c.reason[m.ID] = m.Text, m.Status, m.Reason
		if m.Status == string(domain.MessageStreaming) {
			c.last = m.ID
		}
		if head, ok := c.w.stopped[*m.TurnID]; ok && e.Seq > head {
			c.w.t.Fatal("a message of a stopped turn")
		}
	case domain.EventMessageUpdated:
		var m protocol.MessageEnd
		c.read(e, &m)
		if m.Status == "" {
			return
		}
		if int64(len(c.text[m.ID])) != m.Length {
			c.w.t.Fatalf("a message ends at %d, %d held", m.Length, len(c.text[m.ID]))
		}
		c.status[m.ID], c.reason[m.ID] = m.Status, m.Reason
		if c.last == m.ID {
			c.last = uuid.Nil
		}
	case domain.EventConversationRewound:
		c.fetch()
	case domain.EventConversationDeleted:
		c.gone = true
	}
}

func (c *client) read(e *protocol.Entry, into any) {
	if err := json.Unmarshal(e.Event.Data, into); err != nil {
		c.w.t.Fatal(fmt.Errorf("event %d: %w", e.Seq, err))
	}
}

// The following functions are the ways in which a kept tail may arrive.
func whole(tail [][]byte) [][]byte { return tail }

func none([][]byte) [][]byte { return nil }

func torn(tail [][]byte) [][]byte {
	if len(tail) < 3 {
		return tail
	}
	return append(slices.Clone(tail[:len(tail)-3]), tail[len(tail)-2:]...)
}

func doubled(tail [][]byte) [][]byte { return append(slices.Clone(tail), tail...) }

func turned(tail [][]byte) [][]byte {
	tail = slices.Clone(tail)
	slices.Reverse(tail)
	return append(tail, []byte("{"))
}
