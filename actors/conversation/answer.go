package conversation

import (
	"errors"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// replyKind is the type of message that an answer is sent as.
type replyKind uint8

const (
	replyDone replyKind = iota
	replySend
	replyStop
	replyRewind
)

// caller waits for the answer to a request: the Token of the state.
type caller struct {
	sender *actor.PID
	kind   replyKind
	// request is the id of the request, and copies are the senders of its other tries.
	request uuid.UUID
	copies  []*actor.PID
	// readAgain repeats the reads of the request, if what they found was out of date.
	readAgain func()
}

// answer sends the result that the state gave to the caller that waits for it.
func (a *Actor) answer(ctx actor.Context, o ledger.Answer) {
	if _, ok := o.To.(flushed); ok {
		a.giveBack(ctx)
		return
	}
	w, ok := o.To.(*caller)
	if !ok {
		return
	}
	var stale ledger.Stale
	if w.readAgain != nil && errors.As(o.Err, &stale) {
		w.readAgain()
		return
	}
	message := a.form(w.kind, o.Value, o.Err)
	a.reply(ctx, w.sender, message)
	for _, c := range w.copies {
		a.reply(ctx, c, message)
	}
	a.tries.decided(w, message, o.Err)
}

func (a *Actor) form(kind replyKind, value any, err error) any {
	failure := protocol.FromError(err)
	if failure != nil && failure.Code == string(domain.CodeInternal) {
		a.log(slog.LevelError, "a request failed", slog.Any("error", err))
	}
	switch kind {
	case replySend:
		r, _ := value.(domain.SendResult)
		out := &protocol.SendAnswer{Failure: failure, Turn: r.TurnID[:], Repeated: r.Repeated}
		if failure == nil {
			out.MessageJson = a.encode(&r.Message)
		}
		return out
	case replyStop:
		r, _ := value.(domain.StopResult)
		return &protocol.StopAnswer{Failure: failure, Stopped: r.Stopped, End: string(r.End), LastMessageJson: a.encode(r.LastMessage)}
	case replyRewind:
		r, _ := value.(domain.RewindResult)
		return &protocol.RewindAnswer{Failure: failure, Text: r.Text, Generation: r.Generation, Head: r.Head}
	default:
		return &protocol.Done{Failure: failure}
	}
}

func (a *Actor) encode(m *domain.Message) []byte {
	b, err := protocol.EncodeMessage(m)
	if err != nil {
		a.log(slog.LevelError, "a message could not be encoded", slog.Any("error", err))
	}
	return b
}

func (a *Actor) reply(ctx actor.Context, sender *actor.PID, message any) {
	if sender != nil && (a.poison.silent == nil || !a.poison.silent.Equal(sender)) {
		ctx.Send(sender, message)
	}
}

// refuse answers a request with an error, as the type of message that it expects.
func (a *Actor) refuse(ctx actor.Context, message any, sender *actor.PID, err error) {
	a.tries.forget(requestOf(message))
	switch msg := message.(type) {
	case *protocol.SendPrompt:
		a.reply(ctx, sender, a.form(replySend, nil, err))
	case *protocol.StopTurn:
		a.reply(ctx, sender, a.form(replyStop, nil, err))
	case *protocol.RewindTo:
		a.reply(ctx, sender, a.form(replyRewind, nil, err))
	case *protocol.Subscribe:
		outcome := protocol.Subscription_MOVED
		if domain.CodeOf(err) == domain.CodeNotFound {
			outcome = protocol.Subscription_DENIED
		}
		a.readers.refuse(ctx, msg, &protocol.Subscription{Conversation: a.id[:], Ticket: msg.Ticket, Outcome: outcome})
	default:
		a.reply(ctx, sender, a.form(replyDone, nil, err))
	}
}

func (a *Actor) refuseAll(ctx actor.Context, err error) {
	stash := a.stash
	a.stash = nil
	for _, s := range stash {
		a.refuse(ctx, s.message, s.sender, err)
	}
}
