package history

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Violation is a promise that the run has shown to be broken.
type Violation struct {
	Invariant string
	Text      string
}

// String is one line for a report.
func (v Violation) String() string { return v.Invariant + " " + v.Text }

// Limits are the times that the invariants name. They are longer where a slow machine runs the test.
type Limits struct {
	// End is how long after the last fault a turn may end (60 s).
	End time.Duration
	// Revoked is how long after its answer a revoke may let something through (5 s).
	Revoked time.Duration
	// Late is how late a task may start (15 s).
	Late time.Duration
	// Again is how long a prompt may take after the last fault (10 s).
	Again time.Duration
	// Order is how long the checker may look for the order of the calls of one conversation; the people of the product do not
	// wait for it.
	Order time.Duration
}

// Verdict is what a history has shown.
type Verdict struct {
	// Violations are the promises that it shows to be broken.
	Violations []Violation
	// Ordered is for how many conversations I6 was decided, and Undecided for how many the time was too short.
	Ordered, Undecided int
}

// Standard are the limits of the invariants as they are promised.
func Standard() Limits {
	return Limits{End: 60 * time.Second, Revoked: 5 * time.Second, Late: 15 * time.Second, Again: 10 * time.Second, Order: time.Minute}
}

// checker goes through one history.
type checker struct {
	h      *History
	limits Limits
	found  []Violation
	ops    []*Op
	stored *Stored
	// healed is when the last fault ended.
	healed int64
	// ordered and undecided are those of Verdict.
	ordered, undecided int
}

// Check looks for violations of the invariants I1 to I14 in a history.
func Check(h *History, limits Limits) Verdict {
	c := &checker{h: h, limits: limits, stored: &Stored{}}
	for i := range h.Lines {
		l := &h.Lines[i]
		switch {
		case l.Op != nil:
			c.ops = append(c.ops, l.Op)
		case l.Mark != nil && l.Mark.Healed:
			c.healed = max(c.healed, l.Mark.At)
		case l.Stored != nil:
			c.stored = l.Stored
		}
	}
	c.checkSends()
	c.checkLogs()
	c.checkClaims()
	c.checkClients()
	c.checkTexts()
	c.checkLinear()
	c.checkTurns()
	c.checkReads()
	c.checkRevokes()
	c.checkTasks()
	c.checkCredits()
	c.checkOrganizations()
	c.checkHealed()
	c.checkResources()
	return Verdict{c.found, c.ordered, c.undecided}
}

func (c *checker) report(invariant, format string, args ...any) {
	c.found = append(c.found, Violation{invariant, fmt.Sprintf(format, args...)})
}

// effective returns whether there is a call of a kind that may have taken effect. A nil message
// fits any.
func (c *checker) effective(kind Kind, conversation uuid.UUID) bool {
	return slices.ContainsFunc(c.ops, func(o *Op) bool {
		return o.Kind == kind && o.Conversation == conversation && o.Outcome != Failed
	})
}

// checkSends checks I1 and I2: each acknowledged prompt is stored once, unless it was removed, one
// without an answer at most once, and nothing is stored that nobody has sent.
func (c *checker) checkSends() {
	type key struct{ conversation, id uuid.UUID }
	stored, cut := map[key]int{}, map[key]bool{}
	deleted := map[uuid.UUID]bool{}
	for _, s := range c.stored.Conversations {
		deleted[s.ID] = s.Deleted
		for _, m := range s.Messages {
			if m.Role != "user" {
				continue
			}
			stored[key{s.ID, m.Key}]++
			cut[key{s.ID, m.Key}] = m.Cut
		}
	}
	sent := map[key]Outcome{}
	for _, o := range c.ops {
		if o.Kind != Send {
			continue
		}
		k := key{o.Conversation, o.Message}
		// Of the calls with one id, the one that says most counts.
		if before, ok := sent[k]; !ok || before == Failed || o.Outcome == OK {
			sent[k] = o.Outcome
		}
	}
	for k, outcome := range sent {
		n := stored[k]
		switch {
		case n > 1:
			c.report("I1", "prompt %s of conversation %s is stored %d times", k.id, k.conversation, n)
		case outcome == OK && n == 0 && !c.effective(Delete, k.conversation):
			c.report("I1", "prompt %s of conversation %s was acknowledged and is not stored", k.id, k.conversation)
		case outcome == OK && cut[k] && !c.effective(Rewind, k.conversation):
			c.report("I1", "prompt %s of conversation %s was removed, and nobody has rewound", k.id, k.conversation)
		case outcome == Failed && n > 0:
			c.report("I2", "prompt %s of conversation %s was refused and is stored", k.id, k.conversation)
		}
	}
	for k := range stored {
		if _, ok := sent[k]; !ok {
			c.report("I2", "conversation %s has a prompt with the id %s, which nobody has sent", k.conversation, k.id)
		}
	}
	for id, is := range deleted {
		if is && !c.effective(Delete, id) {
			c.report("I1", "conversation %s is deleted, and nobody has deleted it", id)
		}
	}
}

// checkLogs checks I3 and the stored part of I4: positions are 1 to n, and epochs never fall.
func (c *checker) checkLogs() {
	for _, s := range c.stored.Conversations {
		epoch := int64(0)
		for i, e := range s.Events {
			if e.Seq != int64(i)+1 {
				c.report("I3", "event %d of conversation %s has the position %d", i+1, s.ID, e.Seq)
				break
			}
			if e.Epoch < epoch {
				c.report("I4", "event %d of conversation %s has epoch %d after %d", e.Seq, s.ID, e.Epoch, epoch)
				break
			}
			epoch = e.Epoch
		}
	}
}

// checkClaims checks the rest of I4: an epoch has one activation.
func (c *checker) checkClaims() {
	type key struct {
		id    uuid.UUID
		epoch int64
	}
	of := map[key]uuid.UUID{}
	for _, l := range c.h.Lines {
		if l.Claim == nil || l.Claim.Activation == uuid.Nil {
			continue
		}
		k := key{l.Claim.Conversation, l.Claim.Epoch}
		if before, ok := of[k]; ok && before != l.Claim.Activation {
			c.report("I4", "epoch %d of conversation %s has two activations", k.epoch, k.id)
		}
		of[k] = l.Claim.Activation
	}
}

// checkClients checks I5: what each client was sent is in order and without a gap, and at the end
// it holds what is stored, byte by byte.
func (c *checker) checkClients() {
	type key struct {
		client string
		id     uuid.UUID
	}
	views := map[key]*View{}
	view := func(k key) *View {
		if views[k] == nil {
			views[k] = NewView(k.id)
		}
		return views[k]
	}
	// A gap counts once; what follows it until the client fetches again is its consequence.
	lost := map[key]bool{}
	for i := range c.h.Lines {
		l := &c.h.Lines[i]
		switch {
		case l.Place != nil:
			k := key{l.Place.Client, l.Place.Conversation}
			if err := view(k).Begin(&l.Place.Fetched); err != nil {
				c.report("I5", "client %s, conversation %s: %v", k.client, k.id, err)
			}
			lost[k] = false
		case l.Frame != nil:
			id, err := uuid.Parse(l.Frame.Stream)
			if err != nil {
				continue // the person's own log, or no stream at all
			}
			k := key{l.Frame.Client, id}
			if lost[k] {
				continue
			}
			next, err := view(k).Apply(&l.Frame.Wire)
			if err != nil {
				c.report("I5", "client %s, conversation %s: %v", k.client, k.id, err)
				lost[k] = next != GoOn
			}
		}
	}
	for _, l := range c.h.Lines {
		if l.Final == nil {
			continue
		}
		i := slices.IndexFunc(c.stored.Conversations, func(s StoredConversation) bool { return s.ID == l.Final.Conversation })
		if i < 0 || c.stored.Conversations[i].Deleted {
			continue
		}
		if err := view(key{l.Final.Client, l.Final.Conversation}).Differs(&c.stored.Conversations[i]); err != nil {
			c.report("I5", "client %s, conversation %s, at the end: %v", l.Final.Client, l.Final.Conversation, err)
		}
	}
}

// checkTexts checks the rest of I5: an answer is what the model said, as far as it came.
func (c *checker) checkTexts() {
	for _, s := range c.stored.Conversations {
		complete := map[uuid.UUID]bool{}
		for _, t := range s.Turns {
			complete[t.ID] = t.Status == "complete"
		}
		for _, m := range s.Messages {
			switch {
			case m.Want == "":
			case !strings.HasPrefix(m.Want, m.Text):
				c.report("I5", "message %s of conversation %s is stored with other text than the model's", m.ID, s.ID)
			case complete[m.Turn] && m.Text != m.Want:
				c.report("I5", "message %s of conversation %s has %d bytes of %d, and its turn is complete", m.ID, s.ID, len(m.Text), len(m.Want))
			}
		}
	}
}
