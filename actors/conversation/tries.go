package conversation

// The tries of one request. A node that gets no answer from an owner on another node sends its request
// again, and both tries may arrive, in any order and late: the owner's node was paused, or the network
// was cut. One decision holds for all of them. Without that, a person could be answered that a prompt is
// refused, because an answer is still being written, although an earlier try of it is accepted a moment
// later; or a late try could grant a right again that was removed meanwhile.

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// decisionsKept is how many decisions an activation remembers. A try can be late by as long as a node may
// be paused before it loses its lease, and in that time a person makes fewer requests than this.
const decisionsKept = 16

// tries are the requests that wait for their decision, and the latest decisions.
type tries struct {
	open []*caller
	// decisions is a ring, and next its oldest entry when it is full.
	decisions []decision
	next      int
}

// decision is the answer to a request.
type decision struct {
	request uuid.UUID
	answer  any
}

// requestOf returns the id that all tries of a request have, or uuid.Nil.
func requestOf(message any) uuid.UUID {
	if asks, ok := message.(protocol.Asking); ok {
		return protocol.ID(asks.GetCaller().GetRequest())
	}
	return uuid.Nil
}

// kindOf is the type of message that a request expects.
func kindOf(message any) replyKind {
	switch message.(type) {
	case *protocol.SendPrompt:
		return replySend
	case *protocol.StopTurn:
		return replyStop
	case *protocol.RewindTo:
		return replyRewind
	default:
		return replyDone
	}
}

// isRepeat reports whether a request is a further try of one that this activation has got already. It
// gets the same answer, at once or together with the first try.
func (a *Actor) isRepeat(ctx actor.Context, w *caller) bool {
	if w.request == uuid.Nil {
		return false
	}
	for _, d := range a.tries.decisions {
		if d.request == w.request {
			a.reply(ctx, w.sender, d.answer)
			return true
		}
	}
	for _, first := range a.tries.open {
		if first.request == w.request {
			first.copies = append(first.copies, w.sender)
			return true
		}
	}
	a.tries.open = append(a.tries.open, w)
	return false
}

// decided remembers the answer to a request. A prompt that was taken is found by its own id, so its
// answer, which contains its text, is not kept. An owner that is fenced has decided nothing.
func (t *tries) decided(w *caller, answer any, err error) {
	if w.request == uuid.Nil {
		return
	}
	t.forget(w.request)
	if domain.CodeOf(err) == domain.CodeFenced || w.kind == replySend && err == nil {
		return
	}
	d := decision{request: w.request, answer: answer}
	if len(t.decisions) < decisionsKept {
		t.decisions = append(t.decisions, d)
		return
	}
	t.decisions[t.next] = d
	t.next = (t.next + 1) % decisionsKept
}

// forget removes a request that waits, so that its next try is served.
func (t *tries) forget(request uuid.UUID) {
	if len(t.open) == 0 || request == uuid.Nil {
		return
	}
	t.open = slices.DeleteFunc(t.open, func(w *caller) bool { return w.request == request })
}
