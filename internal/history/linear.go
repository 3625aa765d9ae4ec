package history

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
)

// undecidedMost is the share of conversations for which the search may find no answer within Limits.Order: a busy machine must
// not fail a run, and a run whose orders were not checked must not pass.
const undecidedMost = 0.05

// model is the state of a conversation for I6. It is comparable, as porcupine wants it.
type model struct {
	// prompts are the ids of the prompts that are left, in their order; seen of all that were sent.
	prompts, seen    string
	head, generation int64
	running, deleted bool
}

// idLength is how much of an id the model keeps: the last part is random.
const idLength = 12

func short(id uuid.UUID) string { s := id.String(); return s[len(s)-idLength:] }

// has says whether a list of short ids contains one.
func has(list, id string) bool { return at(list, id) >= 0 }

func at(list, id string) int {
	for i := 0; i+idLength <= len(list); i += idLength {
		if list[i:i+idLength] == id {
			return i
		}
	}
	return -1
}

// step says whether a call may have had its result in a state, and what the state is then. A turn
// may end by itself at any time, so only a running turn says something.
func step(m model, op *Op) (model, bool) {
	if op.Outcome == Failed {
		return m, true // refused, so without an effect
	}
	r, known := op.Result, op.Outcome == OK
	if m.deleted && known && op.Kind != Delete && !(op.Kind == Read && r.Gone) {
		return m, false
	}
	switch op.Kind {
	case Send:
		return send(m, op, known)
	case Stop:
		m.running = false
	case Rewind:
		return rewind(m, op, known && !op.Repeated)
	case Read:
		if r.Gone {
			return m, m.deleted
		}
		if r.Generation != m.generation || r.Head < m.head || r.Running && !m.running || list(r.Prompts) != m.prompts {
			return m, false
		}
		m.head, m.running = r.Head, r.Running
	case Delete:
		m.deleted, m.running = true, false
	case Share, Revoke: // the model knows no rights
	}
	return m, true
}

func send(m model, op *Op, known bool) (model, bool) {
	id := short(op.Message)
	if has(m.seen, id) {
		return m, true // a repetition, in another tab
	}
	if known && op.Result.Seq <= m.head {
		return m, false
	}
	m.prompts, m.seen, m.running = m.prompts+id, m.seen+id, true
	m.head = max(m.head, op.Result.Seq)
	return m, true
}

func rewind(m model, op *Op, known bool) (model, bool) {
	from := at(m.prompts, short(op.Message))
	if from < 0 {
		// A repetition removes nothing more; a message that was never there is refused.
		ok := !known || has(m.seen, short(op.Message)) && op.Result.Generation == m.generation
		return m, ok
	}
	if known && (op.Result.Generation != m.generation+1 || op.Result.Head <= m.head) {
		return m, false
	}
	m.prompts, m.generation, m.running = m.prompts[:from], m.generation+1, false
	m.head++ // at least: the position of the rewind itself
	if known {
		m.head = op.Result.Head
	}
	return m, true
}

func list(ids []uuid.UUID) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(short(id))
	}
	return b.String()
}

// checkLinear checks I6: for each conversation there is one order of all calls, in agreement with
// the times of their answers, that explains every answer.
func (c *checker) checkLinear() {
	of := map[uuid.UUID][]porcupine.Operation{}
	for _, op := range c.ops {
		// Reads without an answer say nothing; rights are no part of the model.
		if op.Kind == Share || op.Kind == Revoke || op.Kind == Read && op.Outcome != OK || op.Outcome == Failed {
			continue
		}
		end, counts := c.until(op)
		if !counts {
			continue
		}
		of[op.Conversation] = append(of[op.Conversation], porcupine.Operation{Input: op, Call: op.Invoke, Return: end})
	}
	m := porcupine.Model{
		Init: func() any { return model{generation: 1} },
		Step: func(state, input, _ any) (bool, any) {
			before, isModel := state.(model)
			op, isOp := input.(*Op)
			if !isModel || !isOp {
				return false, state
			}
			after, ok := step(before, op)
			return ok, after
		},
	}
	ids := slices.SortedFunc(maps.Keys(of), func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })
	var undecided []string
	for _, id := range ids {
		switch porcupine.CheckOperationsTimeout(m, of[id], c.limits.Order) {
		case porcupine.Ok:
			c.ordered++
		case porcupine.Illegal:
			c.ordered++
			c.report("I6", "conversation %s: no order explains its %d calls: %s", id, len(of[id]), tell(of[id]))
		case porcupine.Unknown:
			undecided = append(undecided, fmt.Sprintf("%s (%d calls)", id, len(of[id])))
		}
	}
	c.undecided = len(undecided)
	switch {
	case len(ids) > 0 && c.ordered == 0:
		c.report("I6", "for none of %d conversations it could be decided within %s whether an order explains its calls", len(ids), c.limits.Order)
	case float64(c.undecided) > undecidedMost*float64(len(ids)):
		c.report("I6", "for %d of %d conversations it could not be decided within %s whether an order explains its calls: %s", c.undecided,
			len(ids), c.limits.Order, strings.Join(undecided, ", "))
	}
}

// until is the time until which a call may have taken effect, and whether it may have had an effect that the model sees. A call
// without an answer may take effect at any later time, and each of them doubles the orders that the search has to try. So what is
// known from elsewhere is used: which prompts are stored at the end (I1 and I2 compare these with the calls), and which reads had
// them. A stop without an answer ends no turn that would not have ended by itself, so it explains nothing.
func (c *checker) until(op *Op) (end int64, counts bool) {
	if op.Outcome != Unknown {
		return op.Return, true
	}
	end = math.MaxInt64
	switch op.Kind {
	case Stop:
		return 0, false
	case Send:
		if !c.keeps(op) {
			return 0, false
		}
		for _, read := range c.ops {
			if read.Kind == Read && read.Outcome == OK && read.Conversation == op.Conversation && read.Return > op.Invoke &&
				slices.Contains(read.Result.Prompts, op.Message) {
				end = min(end, read.Return)
			}
		}
	case Rewind, Read, Share, Revoke, Delete:
	}
	return end, true
}

// keeps says whether a prompt is stored, or may have been before its conversation was deleted.
func (c *checker) keeps(op *Op) bool {
	i := slices.IndexFunc(c.stored.Conversations, func(s StoredConversation) bool { return s.ID == op.Conversation })
	if i < 0 || c.stored.Conversations[i].Deleted {
		return true
	}
	return slices.ContainsFunc(c.stored.Conversations[i].Messages, func(m StoredMessage) bool { return m.Key == op.Message })
}

// tell lists the calls of a conversation, for the reader of a failed run.
func tell(ops []porcupine.Operation) string {
	var b strings.Builder
	for _, o := range ops {
		op, ok := o.Input.(*Op)
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "\n  %9.3f–%9.3f %-6s %-7s", seconds(op.Invoke), seconds(op.Return), op.Kind, op.Outcome)
		if op.Message != uuid.Nil {
			fmt.Fprintf(&b, " %s", short(op.Message))
		}
		r := op.Result
		fmt.Fprintf(&b, " seq=%d head=%d generation=%d running=%t gone=%t", r.Seq, r.Head, r.Generation, r.Running, r.Gone)
		for _, p := range r.Prompts {
			fmt.Fprintf(&b, " %s", short(p))
		}
	}
	return b.String()
}

func seconds(ns int64) float64 { return float64(ns) / float64(time.Second) }
