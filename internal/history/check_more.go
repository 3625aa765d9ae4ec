package history

import (
	"math"
	"slices"

	"github.com/google/uuid"
)

// checkTurns checks I7: every turn has exactly one end, soon after the last fault at the latest.
func (c *checker) checkTurns() {
	for _, s := range c.stored.Conversations {
		told := map[uuid.UUID]int{}
		for _, e := range s.Events {
			if e.Type == "conversation.streaming-complete" {
				told[e.Turn]++
			}
		}
		for _, t := range s.Turns {
			switch {
			case t.Status == "running" || t.Ended == 0:
				c.report("I7", "turn %s of conversation %s has no end", t.ID, s.ID)
			case t.Ends != 1:
				c.report("I7", "turn %s of conversation %s has %d ends", t.ID, s.ID, t.Ends)
			case told[t.ID] != 1 && !s.Deleted:
				c.report("I7", "the end of turn %s of conversation %s is told %d times", t.ID, s.ID, told[t.ID])
			case c.healed > 0 && t.Ended > c.healed+c.limits.End.Nanoseconds():
				c.report("I7", "turn %s of conversation %s ended %.1f s after the last fault", t.ID, s.ID, seconds(t.Ended-c.healed))
			}
		}
	}
}

// checkReads checks I8: a read that begins after a prompt was acknowledged has it, unless it may
// have been removed by then.
func (c *checker) checkReads() {
	for _, sent := range c.ops {
		if sent.Kind != Send || sent.Outcome != OK {
			continue
		}
		for _, read := range c.ops {
			if read.Kind != Read || read.Outcome != OK || read.Conversation != sent.Conversation || read.Invoke <= sent.Return ||
				slices.Contains(read.Result.Prompts, sent.Message) {
				continue
			}
			removed := slices.ContainsFunc(c.ops, func(o *Op) bool {
				return (o.Kind == Rewind || o.Kind == Delete) && o.Conversation == sent.Conversation && o.Outcome != Failed &&
					o.Invoke < read.Return
			})
			if !removed {
				c.report("I8", "a read of conversation %s at %.3f s lacks prompt %s, acknowledged at %.3f s", read.Conversation,
					seconds(read.Invoke), sent.Message, seconds(sent.Return))
			}
		}
	}
}

// checkRevokes checks I9: after a revoke, a person gets nothing that was made after it, and nothing
// at all a moment later, until the conversation is shared again.
func (c *checker) checkRevokes() {
	for _, revoke := range c.ops {
		if revoke.Kind != Revoke || revoke.Outcome != OK {
			continue
		}
		again := int64(math.MaxInt64)
		for _, o := range c.ops {
			if o.Kind == Share && o.Conversation == revoke.Conversation && o.With == revoke.With && o.Outcome != Failed &&
				o.Return >= revoke.Invoke {
				again = min(again, max(o.Invoke, revoke.Invoke))
			}
		}
		for i := range c.h.Lines {
			f := c.h.Lines[i].Frame
			if f == nil || f.Person != revoke.With || f.Stream != revoke.Conversation.String() || f.At >= again || f.At <= revoke.Return ||
				f.Type == "denied" {
				continue
			}
			if f.Seq > revoke.Result.Head && f.Type != "subscribed" {
				c.report("I9", "%s got event %d of conversation %s, whose head was %d when the revoke had returned", f.Person, f.Seq, f.Stream,
					revoke.Result.Head)
			}
			if late := f.At - revoke.Return; late > c.limits.Revoked.Nanoseconds() {
				c.report("I9", "%s got a %s of conversation %s %.1f s after the revoke", f.Person, f.Type, f.Stream, seconds(late))
			}
		}
	}
}

// checkTasks checks I10: each due time has one run, which is neither early nor late.
func (c *checker) checkTasks() {
	for _, t := range c.stored.Tasks {
		if len(t.Runs) != 1 {
			c.report("I10", "task %s has %d runs for one due time", t.ID, len(t.Runs))
			continue
		}
		if late := t.Runs[0] - t.Due; late < 0 {
			c.report("I10", "task %s ran %.1f s before its time", t.ID, -seconds(late))
		} else if late > c.limits.Late.Nanoseconds() {
			c.report("I10", "task %s ran %.1f s late", t.ID, seconds(late))
		}
	}
}

// checkOrganizations checks I12: nobody gets what belongs to another organization, and what was
// deleted does not return.
func (c *checker) checkOrganizations() {
	deleted := map[uuid.UUID]int64{}
	for _, o := range c.ops {
		if o.Kind == Delete && o.Outcome == OK {
			deleted[o.Conversation] = o.Return
		}
		for _, canary := range o.Result.Foreign {
			c.report("I12", "%s of %s read %s", o.Person, o.Org, canary)
		}
	}
	for _, o := range c.ops {
		if at, ok := deleted[o.Conversation]; ok && o.Kind != Delete && o.Outcome == OK && o.Invoke > at && !o.Result.Gone {
			c.report("I12", "conversation %s was deleted at %.3f s, and a %s at %.3f s found it", o.Conversation, seconds(at), o.Kind,
				seconds(o.Invoke))
		}
	}
	for i := range c.h.Lines {
		f := c.h.Lines[i].Frame
		if f == nil {
			continue
		}
		for _, canary := range f.Foreign {
			c.report("I12", "%s of %s was sent %s", f.Person, f.Org, canary)
		}
		id, err := uuid.Parse(f.Stream)
		if err != nil || f.Type == "conversation.deleted" || f.Type == "denied" {
			continue
		}
		if at, ok := deleted[id]; ok && f.At > at+c.limits.Revoked.Nanoseconds() {
			c.report("I12", "a %s of conversation %s came %.1f s after its deletion", f.Type, id, seconds(f.At-at))
		}
	}
}

// checkHealed checks I13: after the last fault all prompts are acknowledged in time.
func (c *checker) checkHealed() {
	for _, o := range c.ops {
		if o.Kind != Send || !o.Healed {
			continue
		}
		if o.Outcome != OK {
			c.report("I13", "a prompt of conversation %s was not taken after the last fault", o.Conversation)
		} else if took := o.Return - o.Invoke; took > c.limits.Again.Nanoseconds() {
			c.report("I13", "a prompt of conversation %s took %.1f s after the last fault", o.Conversation, seconds(took))
		}
	}
}
