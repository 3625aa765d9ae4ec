package history

import (
	"math"
	"slices"

	"github.com/google/uuid"
)

// creditsEqual is how far sums of credits may differ by rounding.
const creditsEqual = 1e-6

// checkCredits checks I11: a conversation costs what its calls of the model cost, each counted once, and those are calls that the
// model has seen.
func (c *checker) checkCredits() {
	type call struct {
		turn          uuid.UUID
		step, attempt int
	}
	for _, s := range c.stored.Conversations {
		sum, seen := 0.0, map[call]bool{}
		for _, u := range s.Usage {
			k := call{u.Turn, u.Step, u.Attempt}
			if seen[k] {
				c.report("I11", "a call of turn %s of conversation %s is counted twice", u.Turn, s.ID)
			}
			seen[k] = true
			sum += u.Credits
		}
		if math.Abs(sum-s.Credits) > creditsEqual {
			c.report("I11", "conversation %s has cost %g credits, its calls %g", s.ID, s.Credits, sum)
		}
		for _, t := range s.Turns {
			counted := slices.ContainsFunc(s.Usage, func(u StoredUsage) bool { return u.Turn == t.ID })
			if t.Status == "complete" && !counted {
				c.report("I11", "turn %s of conversation %s is complete, and no call is counted", t.ID, s.ID)
			}
		}
	}
	if c.stored.InputPrice != 0 || c.stored.OutputPrice != 0 {
		c.checkCalls()
	}
}

// checkCalls compares what is counted with what the model saw.
func (c *checker) checkCalls() {
	type place struct {
		turn uuid.UUID
		step int
	}
	calls := map[place][]*Call{}
	for i := range c.h.Lines {
		if call := c.h.Lines[i].Call; call != nil {
			k := place{call.Turn, call.Step}
			calls[k] = append(calls[k], call)
		}
	}
	if len(calls) == 0 && len(c.stored.Conversations) > 0 {
		c.report("I11", "the model has recorded no call")
	}
	counted := map[place]bool{}
	for _, s := range c.stored.Conversations {
		for _, u := range s.Usage {
			k := place{u.Turn, u.Step}
			counted[k] = true
			// Each call is counted once, so it is taken away. Several attempts at a step are calls of their own.
			i := slices.IndexFunc(calls[k], func(call *Call) bool { return call.Input == u.Input && call.Output == u.Output })
			if i < 0 {
				c.report("I11", "step %d of turn %s of conversation %s is counted with %d and %d tokens, and the model saw no such call", u.Step,
					u.Turn, s.ID, u.Input, u.Output)
				continue
			}
			calls[k] = slices.Delete(calls[k], i, i+1)
			want := (float64(u.Input)*c.stored.InputPrice + float64(u.Output)*c.stored.OutputPrice) / 1000
			if math.Abs(want-u.Credits) > creditsEqual {
				c.report("I11", "step %d of turn %s of conversation %s has cost %g credits, and its tokens cost %g", u.Step, u.Turn, s.ID, u.Credits,
					want)
			}
		}
	}
	c.checkUncounted(func(turn uuid.UUID, step int) bool { return counted[place{turn, step}] })
}

// checkUncounted looks for calls that a complete turn has used and not counted. Those of other turns may have ended when their
// node could commit nothing more.
func (c *checker) checkUncounted(counted func(turn uuid.UUID, step int) bool) {
	complete := map[uuid.UUID]uuid.UUID{}
	for _, s := range c.stored.Conversations {
		for _, t := range s.Turns {
			if t.Status == "complete" {
				complete[t.ID] = s.ID
			}
		}
	}
	for i := range c.h.Lines {
		call := c.h.Lines[i].Call
		if call == nil || call.Failed || counted(call.Turn, call.Step) {
			continue
		}
		if id, ok := complete[call.Turn]; ok {
			c.report("I11", "step %d of the complete turn %s of conversation %s was made and is not counted", call.Step, call.Turn, id)
		}
	}
}
